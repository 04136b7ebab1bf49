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

// listing knows the files in the folders of a site. A folder with the same mark as last time has the same entries, and
// is not opened: the mark changes with every entry that is made, renamed or removed.
type listing struct {
	file  string
	known map[string]*listedFolder // by path, from the last build
	found []*listedFolder
	stale bool // what was found differs from what was known
}

// listedFolder is the contents of a folder, and the mark it had. The mark is zero if the folder may have changed since
// without getting another mark.
type listedFolder struct {
	Path           string
	Mark           filemark.Mark
	Files, Folders []string               // names
	Special        map[string]fs.FileMode // types of the files that are not regular
}

// entries returns the contents of the folder like os.ReadDir.
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

// openListing reads what the last build saved.
func openListing(file string) *listing {
	l := &listing{file: file, known: map[string]*listedFolder{}}
	if _, known, ok := readSummed[[]*listedFolder](file); ok {
		for _, f := range known {
			l.known[f.Path] = f
		}
	}
	return l
}

// below returns the paths of the files below some folders, in order. It leaves out what cannot be read and what follows
// in the same tree; the build will report the reason.
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

// marks returns the marks of the known folders; it works on all cores.
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

// folderMark returns the mark of a folder. It is zero if there is no such folder, or if the system does not record
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

// listFolder reads a folder that was found with a mark. It returns nil if the folder cannot be read.
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

// save saves what was found for the next build. A failure is not an error.
func (l *listing) save() {
	if l.stale || len(l.found) != len(l.known) {
		_ = writeSummed(l.file, l.found)
	}
}
