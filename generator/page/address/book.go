package address

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
)

// Kind is what a name is of. Names of different kinds never share a path: files lie among the
// pages of runs, and end otherwise.
type Kind string

const (
	Runs      Kind = "run"
	Models    Kind = "model"
	Boards    Kind = "hardware"
	Loads     Kind = "load"
	Scenarios Kind = "scenario"
	Campaigns Kind = "campaign"
	Files     Kind = "file" // of runs, as they are published
)

// Name is a name of a site.
type Name struct {
	Kind Kind
	Text string
}

// Index holds the names of a site as runs come and go. Its zero value is empty. Adding a
// name costs the same however many there are.
type Index struct {
	count map[Name]int      // how often each was added
	first map[Name]string   // by kind and folded path: the first name
	alike map[Name][]string // the same of those with several names: all, in order
	cut   []Name            // in order
	book  *Book             // of what is in the index now; nil when it has to be made
}

// Add adds a name, perhaps once more.
func (x *Index) Add(n Name) {
	if x.count == nil {
		x.count, x.first, x.alike = map[Name]int{}, map[Name]string{}, map[Name][]string{}
	}
	x.count[n]++
	if x.count[n] > 1 {
		return
	}
	file := FileName(n.Text)
	if isCut(file) {
		i, _ := slices.BinarySearchFunc(x.cut, n, compareNames)
		x.cut, x.book = slices.Insert(slices.Clone(x.cut), i, n), nil
	}
	key := Name{n.Kind, Fold(file)}
	first, taken := x.first[key]
	if !taken {
		x.first[key] = n.Text
		return
	}
	if x.alike[key] == nil {
		x.alike[key] = []string{first}
	}
	i, _ := slices.BinarySearch(x.alike[key], n.Text)
	x.alike[key], x.book = slices.Insert(x.alike[key], i, n.Text), nil
}

// Remove takes back one Add of a name.
func (x *Index) Remove(n Name) {
	x.count[n]--
	if x.count[n] > 0 {
		return
	}
	delete(x.count, n)
	file := FileName(n.Text)
	if isCut(file) {
		if i, found := slices.BinarySearchFunc(x.cut, n, compareNames); found {
			x.cut, x.book = slices.Delete(slices.Clone(x.cut), i, i+1), nil
		}
	}
	key := Name{n.Kind, Fold(file)}
	all := x.alike[key]
	if len(all) == 0 {
		delete(x.first, key)
		return
	}
	all = slices.DeleteFunc(all, func(text string) bool { return text == n.Text })
	x.first[key], x.alike[key], x.book = all[0], all, nil
	if len(all) == 1 {
		delete(x.alike, key)
	}
}

// Book returns the book of the names that are in the index now: the same one as before
// when no path has changed.
func (x *Index) Book() *Book {
	if x.book == nil {
		x.book = &Book{twins: map[Name]string{}, cut: x.cut}
		for key, all := range x.alike {
			for i, text := range all {
				x.book.twins[Name{key.Kind, text}] = all[(i+1)%len(all)]
			}
		}
	}
	return x.book
}

// Book has the paths of the names of a site. Some file systems take two names for one
// that differ only in case or Unicode form: in the paths of such names there is a sum of
// the whole. All others have the path that they would have alone; so they do in a nil
// Book, which knows of no names.
type Book struct {
	twins map[Name]string // names with such another, and that one
	cut   []Name          // names that are too long for a path, in order
}

// Twins are the names that differ from another one only in case or Unicode form, in
// order.
func (b *Book) Twins() []Name {
	if b == nil {
		return nil
	}
	return slices.SortedFunc(maps.Keys(b.twins), compareNames)
}

// Twin is the name that n differs from only in case or Unicode form, "" when there is none.
func (b *Book) Twin(n Name) string {
	if b == nil {
		return ""
	}
	return b.twins[n]
}

// Cut are the names that are too long for a path, which is shortened, in order.
func (b *Book) Cut() []Name {
	if b == nil {
		return nil
	}
	return b.cut
}

func compareNames(x, y Name) int {
	return cmp.Or(strings.Compare(string(x.Kind), string(y.Kind)), strings.Compare(x.Text, y.Text))
}

// FileName is FileName of a name among the others of its kind.
func (b *Book) FileName(kind Kind, text string) string {
	name := FileName(text)
	if b.Twin(Name{kind, text}) == "" {
		return name
	}
	return distinct(name, text)
}

// distinct adds a sum of a text to the path that is made of it.
func distinct(name, text string) string {
	dir, last := path.Split(name)
	if len(dir)+min(len(last)+sumLength, mostSegment) > mostPath {
		return cut(strings.ReplaceAll(name, "/", "-"), text)
	}
	return dir + cut(last, text)
}

// The paths of pages within the folder of their language.
func (b *Book) Run(id string) string      { return runs + b.FileName(Runs, id) + ".html" }
func (b *Book) Model(id string) string    { return "models/" + b.FileName(Models, id) + ".html" }
func (b *Book) Hardware(id string) string { return "hardware/" + b.FileName(Boards, id) + ".html" }

// RunPaths returns where the page of a run may be in a site whose other names are not known.
func RunPaths(id string) [2]string {
	name := FileName(id)
	return [2]string{runs + name + ".html", runs + distinct(name, id) + ".html"}
}

// Load returns the page of a load, below loads/, or of a scenario, below scenarios/.
func (b *Book) Load(label, name string) string {
	return label + "s/" + b.FileName(Kind(label), name) + ".html"
}

// Campaign returns the page where the runs of a campaign are listed.
func (b *Book) Campaign(name string) string {
	return "results/" + b.FileName(Campaigns, name) + ".html"
}

// Subject returns the page of a label's value, "" for a label whose values have
// none.
func (b *Book) Subject(label, value string) string {
	switch label {
	case "model":
		return b.Model(value)
	case "hardware":
		return b.Hardware(value)
	case "load", "scenario":
		return b.Load(label, value)
	}
	return ""
}

// CampaignData makes of a campaign's name the name of a file without an ending, which has no
// folder in it.
func (b *Book) CampaignData(name string) string { return b.Flat(Name{Campaigns, name}) }

// Flat makes of a name the name of a file without an ending, which has no folder in it.
func (b *Book) Flat(n Name) string { return flat(b.FileName(n.Kind, n.Text), n.Text) }

// runs is the folder of the runs' pages and, in that of the site's root, of their files.
const runs = "runs/"

// RawText is where a source file is in the site. The ending .txt makes
// every server and browser show it as text, whatever a hostile run is named.
func (b *Book) RawText(name string) string { return b.file(name) + ".txt" }

// Raw returns the path at which a file is published as it is on the disk. Ending is
// that of its compression or archive, "" for a text: without a harmless ending of its
// own it gets one. Nothing else that is published ends in these.
func (b *Book) Raw(name, ending string) string {
	file := b.file(name)
	switch {
	case ending == "":
		return file + ".txt"
	case strings.HasSuffix(file, ending):
		return file
	}
	return file + "~" + ending
}

// file is where a file of runs lies, without an ending of the site's. One that is not below their
// folder, as the short form of a long path, is in a folder of it that is no name's.
func (b *Book) file(name string) string {
	file := b.FileName(Files, name)
	if strings.HasPrefix(file, runs) {
		return file
	}
	return runs + "~~/" + file
}
