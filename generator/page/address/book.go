package address

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
)

// Kind is the kind of a name. Names of different kinds never share a path: files are in the folder of the pages of
// runs, but have other extensions.
type Kind string

const (
	Runs      Kind = "run"
	Models    Kind = "model"
	Boards    Kind = "hardware"
	Loads     Kind = "load"
	Scenarios Kind = "scenario"
	Campaigns Kind = "campaign"
	Files     Kind = "file" // of runs, as published
)

// Name is a name used in a site.
type Name struct {
	Kind Kind
	Text string
}

// Index holds the names of a site while runs are added and removed. The zero value is an empty index. The cost of
// adding a name does not depend on the number of names.
type Index struct {
	count map[Name]int      // how often each name was added
	first map[Name]string   // by kind and folded path: the first name
	alike map[Name][]string // the same for paths with several names: all names, in order
	cut   []Name            // names with a shortened path, in order
	book  *Book             // for the current names; nil if it must be made
}

// Add adds a name. A name can be added several times.
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

// Remove undoes one Add of a name.
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

// Book returns the book of the current names. It is the same book as before if no path has changed.
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

// Book has the paths of the names of a site. Some file systems treat names as one that differ only in case or Unicode
// form. The paths of such names contain a checksum. All other names have the path that they would have alone, as all
// names do in a nil Book.
type Book struct {
	twins map[Name]string // names with a twin → the twin
	cut   []Name          // names too long for a path, in order
}

// Twins returns the names that differ from another one only in case or Unicode form, in order.
func (b *Book) Twins() []Name {
	if b == nil {
		return nil
	}
	return slices.SortedFunc(maps.Keys(b.twins), compareNames)
}

// Twin returns the name that differs from n only in case or Unicode form, "" if there is none.
func (b *Book) Twin(n Name) string {
	if b == nil {
		return ""
	}
	return b.twins[n]
}

// Cut returns the names that are too long for a path and were shortened, in order.
func (b *Book) Cut() []Name {
	if b == nil {
		return nil
	}
	return b.cut
}

func compareNames(x, y Name) int {
	return cmp.Or(strings.Compare(string(x.Kind), string(y.Kind)), strings.Compare(x.Text, y.Text))
}

// FileName does what [FileName] does for a name among the other names of its kind.
func (b *Book) FileName(kind Kind, text string) string {
	name := FileName(text)
	if b.Twin(Name{kind, text}) == "" {
		return name
	}
	return distinct(name, text)
}

// distinct adds a checksum of the text to its path.
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

// RunPaths returns the possible paths of a run's page in a site whose other names are unknown.
func RunPaths(id string) [2]string {
	name := FileName(id)
	return [2]string{runs + name + ".html", runs + distinct(name, id) + ".html"}
}

// Load returns the page of a load, below loads/, or of a scenario, below scenarios/.
func (b *Book) Load(label, name string) string {
	return label + "s/" + b.FileName(Kind(label), name) + ".html"
}

// Campaign returns the page that lists the runs of a campaign.
func (b *Book) Campaign(name string) string {
	return "results/" + b.FileName(Campaigns, name) + ".html"
}

// Subject returns the page of a label's value, "" if values of the label have no pages.
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

// CampaignData converts the name of a campaign to a file name without folder and extension.
func (b *Book) CampaignData(name string) string { return b.Flat(Name{Campaigns, name}) }

// Flat converts a name to a file name without folder and extension.
func (b *Book) Flat(n Name) string { return flat(b.FileName(n.Kind, n.Text), n.Text) }

// runs is the folder of the runs' pages and, in the site's root, of their files.
const runs = "runs/"

// RawText returns the path of a source file in the site. With the extension .txt, every server and browser shows it as
// text, even if a hostile run has a misleading name.
func (b *Book) RawText(name string) string { return b.file(name) + ".txt" }

// Raw returns the path at which a file is published unchanged. ending is the extension of its compression or archive,
// "" for text. A file without such an extension gets one. No other published file has these extensions.
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

// file returns the path of a file of runs without the site's extension. Files outside the folder runs/, for example
// with a shortened path, are put into a folder below it that no name can have.
func (b *Book) file(name string) string {
	file := b.FileName(Files, name)
	if strings.HasPrefix(file, runs) {
		return file
	}
	return runs + "~~/" + file
}
