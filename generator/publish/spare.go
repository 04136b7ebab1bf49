package publish

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/benchpost/benchpost/generator/cores"
	"github.com/benchpost/benchpost/generator/filemark"
	"github.com/benchpost/benchpost/generator/sitefile"
)

// spare is a tree beside the folder with the same contents: separate folders, and hard links to the same files. It may
// be removed at any time, and needs one inode per folder.
//
// Changes by others are found by the marks of the folders, which change with every entry that is made, renamed or
// removed in them. A file that is written in place changes in both trees, because it is the same file.
type spare struct {
	dir, work string

	marks *marks // of both trees when they were last equal; nil if unknown
}

// marks holds the marks of all folders in both trees.
type marks struct {
	folders     []string // slash paths relative to the top, which is "."; sorted
	here, there []filemark.Mark
}

// errUnfit reports that a folder contains something that a spare tree cannot have.
var errUnfit = errors.New("no spare tree can be kept of it")

const (
	treeName  = "tree"
	marksName = "marks"
)

func (s *spare) tree() string { return filepath.Join(s.work, treeName) }

// exchange changes the spare tree and exchanges it with the folder. done is false if that is impossible; then nothing
// in the folder has changed.
func (o *Output) exchange(changes []change) (done bool, err error) {
	s := o.folder.spare
	o.disturbed, o.linked, err = s.ready(o.list)
	if err != nil { // no spare tree can be kept here
		s.forget()
		return false, os.RemoveAll(s.tree())
	}
	known := s.marks
	s.forget() // until both trees are equal again
	if err := apply(s.tree(), changes, func(c change, to string) error { return put(c.from, to) }); err != nil {
		return false, err
	}
	if err := exchange(o.dir, s.tree()); err != nil {
		for i := range changes {
			if c := &changes[i]; c.from != "" {
				c.from = filepath.Join(s.tree(), filepath.FromSlash(c.path))
			}
		}
		return false, nil
	}
	err = apply(s.tree(), changes, func(c change, to string) error { return linkFile(o.Path(c.path), to) })
	if err == nil { // otherwise it is linked anew next time; the folder is complete
		s.marks = known.exchanged(o.dir, s.tree(), foldersOf(func(yield func(string) bool) {
			for _, c := range changes {
				if !yield(c.path) {
					return
				}
			}
		}))
	}
	return true, nil
}

// apply makes changes in a tree; place puts a file there.
func apply(tree string, changes []change, place func(c change, to string) error) error {
	for _, c := range changes {
		to := filepath.Join(tree, filepath.FromSlash(c.path))
		if c.from != "" {
			if err := place(c, to); err != nil {
				return err
			}
			continue
		}
		if err := os.Remove(to); err != nil && !absent(err) {
			return err
		}
		removeEmpty(tree, filepath.Dir(to))
	}
	return nil
}

// linkFile links a file under another name and replaces what is there.
func linkFile(from, to string) error {
	if err := os.Remove(to); err != nil && absent(err) {
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
	}
	return os.Link(from, to)
}

// foldersOf returns all folders above the files, sorted.
func foldersOf(files iter.Seq[string]) []string {
	above, last := map[string]bool{".": true}, ""
	for file := range files {
		at := path.Dir(file)
		if at == last {
			continue
		}
		last = at
		for ; !above[at]; at = path.Dir(at) {
			above[at] = true
		}
	}
	return slices.Sorted(maps.Keys(above))
}

// forget drops the marks, so that the trees are compared, or linked anew, before the spare tree is used again.
func (s *spare) forget() {
	if s.marks != nil {
		_ = os.Remove(filepath.Join(s.work, marksName)) // the saved marks would not match either
	}
	s.marks = nil
}

// ready makes the spare tree equal to the folder; list names the files that benchpost wrote there. disturbed is true if
// somebody else has changed something in the folder since the last commit of this process, linked if the tree was made
// anew. An error means that no spare tree is possible.
func (s *spare) ready(list []byte) (disturbed, linked bool, err error) {
	if s.marks == nil {
		if s.load(list) {
			return false, false, nil
		}
	} else {
		disturbed = !slices.Equal(marksOf(s.dir, s.marks.folders), s.marks.here)
		if !disturbed && slices.Equal(marksOf(s.tree(), s.marks.folders), s.marks.there) {
			return false, false, nil
		}
	}
	s.forget()
	if err := os.RemoveAll(s.tree()); err != nil {
		return disturbed, true, err
	}
	if !s.works() {
		return disturbed, true, errUnfit
	}
	return disturbed, true, s.mirror()
}

// works reports whether two folders can be exchanged on the disk of the tree.
func (s *spare) works() bool {
	a, b := s.tree()+".a", s.tree()+".b"
	defer func() { _, _ = os.Remove(a), os.Remove(b) }()
	_, _ = os.Mkdir(a, 0o755), os.Mkdir(b, 0o755)
	return exchange(a, b) == nil
}

// mirror links the whole folder into a new tree.
func (s *spare) mirror() error {
	info, err := os.Lstat(s.dir)
	if err != nil {
		return err
	}
	if err := os.Mkdir(s.tree(), info.Mode().Perm()); err != nil {
		return err
	}
	if err := likeness(s.dir, s.tree(), info); err != nil {
		return err
	}
	m := &mirror{spare: s, found: map[string][2]filemark.Mark{}, busy: make(chan struct{}, 2*runtime.GOMAXPROCS(0))}
	m.folder(".", filemark.Of(info))
	m.wait.Wait()
	if m.err != nil {
		return m.err
	}
	s.marks = &marks{}
	for _, rel := range slices.Sorted(maps.Keys(m.found)) {
		s.marks.add(rel, m.found[rel][0], m.found[rel][1])
	}
	return nil
}

// mirror does the work of [spare.mirror] on all cores.
type mirror struct {
	*spare
	busy chan struct{}
	wait sync.WaitGroup

	mu    sync.Mutex
	found map[string][2]filemark.Mark // marks of the folders in both trees
	err   error
}

// folder links the contents of a folder into the corresponding folder of the tree, which exists, and then those of its
// subfolders. found is the mark of the folder.
func (m *mirror) folder(rel string, found filemark.Mark) {
	below, mark, err := m.links(rel)
	m.mu.Lock()
	m.found[rel] = [2]filemark.Mark{found, mark}
	m.err = errors.Join(m.err, err)
	failed := m.err != nil
	m.mu.Unlock()
	for _, info := range below {
		at, mark := path.Join(rel, info.Name()), filemark.Of(info)
		if failed {
			return
		}
		select {
		case m.busy <- struct{}{}:
			m.wait.Go(func() {
				m.folder(at, mark)
				<-m.busy
			})
		default:
			m.folder(at, mark)
		}
	}
}

// links links the files of one folder, creates its subfolders, and returns them.
func (m *mirror) links(rel string) (below []fs.FileInfo, mark filemark.Mark, err error) {
	from, to := filepath.Join(m.dir, filepath.FromSlash(rel)), filepath.Join(m.tree(), filepath.FromSlash(rel))
	entries, err := os.ReadDir(from)
	if err != nil {
		return nil, mark, err
	}
	for _, e := range entries {
		a, b := filepath.Join(from, e.Name()), filepath.Join(to, e.Name())
		switch {
		case e.Name() == ".git": // a repository must not be moved
			err = errUnfit
		case e.IsDir():
			var info fs.FileInfo
			if info, err = e.Info(); err == nil {
				err = os.Mkdir(b, info.Mode().Perm())
			}
			if err == nil {
				err = likeness(a, b, info)
				below = append(below, info)
			}
		case e.Type().IsRegular():
			err = os.Link(a, b)
		case e.Type() == fs.ModeSymlink:
			var target string
			if target, err = os.Readlink(a); err == nil {
				err = os.Symlink(target, b)
			}
		default:
			err = errUnfit
		}
		if err != nil {
			return nil, mark, err
		}
	}
	info, err := os.Lstat(to)
	if err != nil {
		return nil, mark, err
	}
	return below, filemark.Of(info), nil
}

// likeness gives a new folder the mode of the original. It fails if the folders still differ: the owner is another, or
// the original has access lists.
func likeness(from, to string, info fs.FileInfo) error {
	made, err := os.Lstat(to)
	if err != nil {
		return err
	}
	if made.Mode() != info.Mode() {
		if err := os.Chmod(to, info.Mode()); err != nil {
			return err
		}
	}
	if !sameOwner(info, made) || hasAttributes(from) {
		return errUnfit
	}
	return nil
}

// add appends a folder.
func (m *marks) add(rel string, here, there filemark.Mark) {
	m.folders, m.here, m.there = append(m.folders, rel), append(m.here, here), append(m.there, there)
}

// exchanged returns the marks after the trees were exchanged and some folders were touched in both.
func (m *marks) exchanged(here, there string, touched []string) *marks {
	size := len(m.folders) + len(touched)
	now := &marks{make([]string, 0, size), make([]filemark.Mark, 0, size), make([]filemark.Mark, 0, size)}
	from := 0
	stay := func(to int) {
		now.folders = append(now.folders, m.folders[from:to]...)
		now.here, now.there = append(now.here, m.there[from:to]...), append(now.there, m.here[from:to]...)
		from = to
	}
	a, b := marksOf(here, touched), marksOf(there, touched)
	for i, rel := range touched {
		n, known := slices.BinarySearch(m.folders[from:], rel)
		stay(from + n)
		if known {
			from++
		}
		if a[i] != (filemark.Mark{}) || b[i] != (filemark.Mark{}) {
			now.add(rel, a[i], b[i])
		}
	}
	stay(len(m.folders))
	return now
}

// marksOf returns the marks of folders; it works on all cores.
func marksOf(top string, folders []string) []filemark.Mark {
	out := make([]filemark.Mark, len(folders))
	cores.Each(len(folders), func(i int) {
		if info, err := os.Lstat(filepath.Join(top, filepath.FromSlash(folders[i]))); err == nil {
			out[i] = filemark.Of(info)
		}
	})
	return out
}

// savedMarks is the file with which a process saves the marks for the next one.
type savedMarks struct {
	Foreign []string // folders without a file in the list
	Sum     string   // checksum of the marks of all folders in both trees
}

// save saves the marks for the next process. A failure is not an error.
func (s *spare) save() {
	if s.marks == nil {
		return
	}
	list, err := sitefile.Read(filepath.Join(s.dir, listName))
	if err != nil {
		return
	}
	saved := savedMarks{Sum: s.marks.sum()}
	ours := foldersOf(listed(list))
	for _, rel := range s.marks.folders {
		if _, found := slices.BinarySearch(ours, rel); !found {
			saved.Foreign = append(saved.Foreign, rel)
		}
	}
	name := filepath.Join(s.work, marksName)
	if data, err := json.Marshal(saved); err == nil && writeNew(name+".new", data) == nil {
		_ = os.Rename(name+".new", name)
	}
}

// load reports whether the current marks equal those that another process saved. If so, it uses them.
func (s *spare) load(list []byte) bool {
	var saved savedMarks
	data, err := sitefile.Read(filepath.Join(s.work, marksName))
	if err != nil || json.Unmarshal(data, &saved) != nil {
		return false
	}
	folders := append(foldersOf(listed(list)), saved.Foreign...)
	slices.Sort(folders)
	now := &marks{folders, marksOf(s.dir, folders), marksOf(s.tree(), folders)}
	if saved.Sum != now.sum() {
		return false
	}
	s.marks = now
	return true
}

// sum returns the checksum of all paths and marks.
func (m *marks) sum() string {
	h, b := sha256.New(), []byte{}
	for i, rel := range m.folders {
		b = append(binary.AppendUvarint(b[:0], uint64(len(rel))), rel...)
		_, _ = h.Write(m.there[i].Append(m.here[i].Append(b)))
	}
	return hex.EncodeToString(h.Sum(nil))
}
