package cache

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/cores"
	"github.com/benchpost/benchpost/generator/filemark"
)

// listing knows which files lie in the folders of a site. A folder whose mark is that of the last
// time has the same entries, and is not opened: the mark changes with every entry that is made,
// renamed or removed.
type listing struct {
	file  string
	known map[string]*listedFolder // by path, of the last build
	found []*listedFolder
	stale bool // what was found is not what was known
}

// listedFolder is what a folder contained when it had a mark; the zero mark is of one that may
// have changed since without another.
type listedFolder struct {
	Path           string
	Mark           filemark.Mark
	Files, Folders []string               // names
	Special        map[string]fs.FileMode // types of those of the files that are not regular
}

// entries are what a folder contains as os.ReadDir returns it.
func (f *listedFolder) entries() []fs.DirEntry {
	all := make([]fs.DirEntry, 0, len(f.Files)+len(f.Folders))
	for _, name := range f.Files {
		all = append(all, listed{f.Path, name, f.Special[name]})
	}
	for _, name := range f.Folders {
		all = append(all, listed{f.Path, name, fs.ModeDir})
	}
	slices.SortFunc(all, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return all
}

// listed is an entry of a folder.
type listed struct {
	folder, name string
	is           fs.FileMode
}

func (e listed) Name() string               { return e.name }
func (e listed) IsDir() bool                { return e.is.IsDir() }
func (e listed) Type() fs.FileMode          { return e.is }
func (e listed) Info() (fs.FileInfo, error) { return os.Lstat(filepath.Join(e.folder, e.name)) }

// openListing takes what the last build left.
func openListing(file string) *listing {
	l := &listing{file: file, known: map[string]*listedFolder{}}
	if _, known, ok := readSummed[[]*listedFolder](file); ok {
		for _, f := range known {
			l.known[f.Path] = f
		}
	}
	return l
}

// below returns the paths of the files below some folders, in order. What cannot be read, and
// what comes after it in its tree, is left out; the build will report why.
func (l *listing) below(folders []string) []string {
	marks := l.marks()
	var files []string
	var walk func(folder string) bool
	walk = func(folder string) bool {
		mark, looked := marks[folder]
		if !looked {
			mark = folderMark(folder)
		}
		now := l.known[folder]
		if now == nil || mark == (filemark.Mark{}) || now.Mark != mark {
			l.stale = true
			if now = listFolder(folder, mark); now == nil {
				return false
			}
		}
		l.found = append(l.found, now)
		for _, name := range now.Files {
			files = append(files, filepath.Join(folder, name))
		}
		for _, name := range now.Folders {
			if !walk(filepath.Join(folder, name)) {
				return false
			}
		}
		return true
	}
	for _, folder := range folders {
		walk(folder)
	}
	return files
}

// marks looks at the folders that are known, on all cores.
func (l *listing) marks() map[string]filemark.Mark {
	var all []string
	for folder := range l.known {
		all = append(all, folder)
	}
	found := make([]filemark.Mark, len(all))
	cores.Each(len(all), func(i int) { found[i] = folderMark(all[i]) })
	marks := make(map[string]filemark.Mark, len(all))
	for i, folder := range all {
		marks[folder] = found[i]
	}
	return marks
}

// folderMark is the mark of a folder, zero where there is none or where the system does not note
// every change of its entries.
func folderMark(folder string) filemark.Mark {
	info, err := os.Lstat(folder)
	if err != nil || !info.IsDir() {
		return filemark.Mark{}
	}
	mark := filemark.Of(info)
	if mark.Changed == 0 || mark.Inode == 0 {
		return filemark.Mark{}
	}
	return mark
}

// listFolder reads a folder that was found with a mark; nil when that cannot be.
func listFolder(folder string, mark filemark.Mark) *listedFolder {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	f := &listedFolder{Path: folder, Mark: mark}
	if mark.Fresh(filemark.Settled) {
		f.Mark = filemark.Mark{}
	}
	for _, e := range entries {
		if e.IsDir() {
			f.Folders = append(f.Folders, e.Name())
			continue
		}
		f.Files = append(f.Files, e.Name())
		if is := e.Type(); !is.IsRegular() {
			if f.Special == nil {
				f.Special = map[string]fs.FileMode{}
			}
			f.Special[e.Name()] = is
		}
	}
	return f
}

// save leaves what was found to the next build. That it cannot is not an error.
func (l *listing) save() {
	if l.stale || len(l.found) != len(l.known) {
		_ = writeSummed(l.file, l.found)
	}
}
