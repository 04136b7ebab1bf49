package publish

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/benchpost/benchpost/generator/filemark"
	"github.com/benchpost/benchpost/generator/sitefile"
)

// spare is a tree beside the folder that holds the same: folders of its own, and hard links to
// the files. It may be removed at any time, and costs an inode a folder.
//
// What others write into the folder is found by the marks of its folders, which change with
// every entry that is made, renamed or removed in them. A file that is written in place
// changes in both trees, as it is the same file.
type spare struct {
	dir, work string

	here, there marks // of the folders in dir and in the tree, when both were last the same; nil when that is unknown
}

// marks are those of folders, by slash path from the top, which is ".".
type marks map[string]filemark.Mark

// errUnfit says that a folder holds what cannot have a spare tree.
var errUnfit = errors.New("no spare tree can be kept of it")

const (
	treeName  = "tree"
	marksName = "marks"
)

func (s *spare) tree() string { return filepath.Join(s.work, treeName) }

// exchange changes the spare tree and exchanges it with the folder. Done is false when that
// cannot be and nothing in the folder has changed.
func (o *Output) exchange(changes []change) (done bool, err error) {
	s := o.folder.spare
	o.disturbed, o.linked, err = s.ready(o.previous)
	if err != nil { // no spare tree can be kept here
		s.forget()
		return false, os.RemoveAll(s.tree())
	}
	here, there := s.here, s.there
	s.forget() // until both are the same again
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
	if err == nil { // else it is linked anew the next time; the folder is complete
		here, there = there, here
		touched := foldersOf(changes)
		here.look(o.dir, touched)
		there.look(s.tree(), touched)
		s.here, s.there = here, there
	}
	return true, nil
}

// apply does changes in a tree, in which place puts a file.
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

// linkFile has a file under another name, in place of what is there.
func linkFile(from, to string) error {
	if err := os.Remove(to); err != nil && absent(err) {
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
	}
	return os.Link(from, to)
}

// foldersOf returns all folders above changed files.
func foldersOf(changes []change) map[string]bool {
	above := map[string]bool{".": true}
	for _, c := range changes {
		for at := path.Dir(c.path); !above[at]; at = path.Dir(at) {
			above[at] = true
		}
	}
	return above
}

// forget has the trees compared, or linked anew, before the spare one is used again.
func (s *spare) forget() {
	if s.here != nil {
		_ = os.Remove(filepath.Join(s.work, marksName)) // the marks in it would differ, too
	}
	s.here, s.there = nil, nil
}

// ready has the spare tree hold what the folder does; listed are the files that were written
// into it. Disturbed is true when somebody else has changed something in the folder since the
// last commit of this process, linked when the tree was made anew. An error says that there can be
// no such tree.
func (s *spare) ready(listed map[string]bool) (disturbed, linked bool, err error) {
	if s.here == nil {
		if s.load(listed) {
			return false, false, nil
		}
	} else {
		folders := slices.Collect(maps.Keys(s.here))
		disturbed = !s.here.same(s.dir, folders)
		if !disturbed && s.there.same(s.tree(), folders) {
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

// works reports whether folders can be exchanged where the tree lies.
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
	m := &mirror{spare: s, here: marks{}, there: marks{}, busy: make(chan struct{}, 2*runtime.GOMAXPROCS(0))}
	m.folder(".", filemark.Of(info))
	m.wait.Wait()
	if m.err != nil {
		return m.err
	}
	s.here, s.there = m.here, m.there
	return nil
}

// mirror is the work of [spare.mirror], on all cores.
type mirror struct {
	*spare
	busy chan struct{}
	wait sync.WaitGroup

	mu          sync.Mutex
	here, there marks
	err         error
}

// folder links what is in a folder that was found with a mark into the one of the tree, which
// exists, and then what is in the folders in it.
func (m *mirror) folder(rel string, found filemark.Mark) {
	below, mark, err := m.links(rel)
	m.mu.Lock()
	m.here[rel], m.there[rel] = found, mark
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

// links links the files of one folder, makes the folders in it, and returns those.
func (m *mirror) links(rel string) (below []fs.FileInfo, mark filemark.Mark, err error) {
	from, to := filepath.Join(m.dir, filepath.FromSlash(rel)), filepath.Join(m.tree(), filepath.FromSlash(rel))
	entries, err := os.ReadDir(from)
	if err != nil {
		return nil, mark, err
	}
	for _, e := range entries {
		a, b := filepath.Join(from, e.Name()), filepath.Join(to, e.Name())
		switch {
		case e.Name() == ".git": // a repository is not ours to move
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

// likeness gives a folder that was made for another the same mode, and fails where that is not
// enough: the owner is another, or there are access lists.
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

// folders returns the paths, in order.
func (m marks) folders() []string { return slices.Sorted(maps.Keys(m)) }

// look takes the marks of some folders anew.
func (m marks) look(top string, folders map[string]bool) {
	for rel := range folders {
		if info, err := os.Lstat(filepath.Join(top, filepath.FromSlash(rel))); err == nil {
			m[rel] = filemark.Of(info)
		} else {
			delete(m, rel)
		}
	}
}

// same reports whether all folders of a tree have the marks they had.
func (m marks) same(top string, folders []string) bool {
	return slices.Equal(marksOf(top, folders), m.list(folders))
}

func (m marks) list(folders []string) []filemark.Mark {
	out := make([]filemark.Mark, len(folders))
	for i, rel := range folders {
		out[i] = m[rel]
	}
	return out
}

// marksOf looks at folders, on all cores.
func marksOf(top string, folders []string) []filemark.Mark {
	out := make([]filemark.Mark, len(folders))
	var wait sync.WaitGroup
	share := len(folders)/runtime.GOMAXPROCS(0) + 1
	for from := 0; from < len(folders); from += share {
		wait.Go(func() {
			for i := from; i < min(from+share, len(folders)); i++ {
				if info, err := os.Lstat(filepath.Join(top, filepath.FromSlash(folders[i]))); err == nil {
					out[i] = filemark.Of(info)
				}
			}
		})
	}
	wait.Wait()
	return out
}

// savedMarks is the file in which a process leaves the marks to the next.
type savedMarks struct {
	Foreign []string // folders that contain no file of the list
	Sum     string   // of the marks of all folders in both trees
}

// save leaves the marks to the next process. That it cannot is not an error.
func (s *spare) save() {
	if s.here == nil {
		return
	}
	list, err := sitefile.Read(filepath.Join(s.dir, listName))
	if err != nil {
		return
	}
	ours := map[string]bool{".": true}
	for file := range listed(list) {
		for at := path.Dir(file); !ours[at]; at = path.Dir(at) {
			ours[at] = true
		}
	}
	var saved savedMarks
	folders := s.here.folders()
	for _, rel := range folders {
		if !ours[rel] {
			saved.Foreign = append(saved.Foreign, rel)
		}
	}
	saved.Sum = sumOf(folders, s.here.list(folders), s.there.list(folders))
	name := filepath.Join(s.work, marksName)
	if data, err := json.Marshal(saved); err == nil && writeNew(name+".new", data) == nil {
		_ = os.Rename(name+".new", name)
	}
}

// load takes the marks of now if they are those that another process left, and reports whether
// they are.
func (s *spare) load(written map[string]bool) bool {
	var saved savedMarks
	data, err := sitefile.Read(filepath.Join(s.work, marksName))
	if err != nil || json.Unmarshal(data, &saved) != nil {
		return false
	}
	all := map[string]bool{".": true}
	for file := range written {
		for at := path.Dir(file); !all[at]; at = path.Dir(at) {
			all[at] = true
		}
	}
	for _, rel := range saved.Foreign {
		all[rel] = true
	}
	folders := slices.Sorted(maps.Keys(all))
	here, there := marksOf(s.dir, folders), marksOf(s.tree(), folders)
	if saved.Sum != sumOf(folders, here, there) {
		return false
	}
	s.here, s.there = make(marks, len(folders)), make(marks, len(folders))
	for i, rel := range folders {
		s.here[rel], s.there[rel] = here[i], there[i]
	}
	return true
}

// sumOf is that of the marks of folders in both trees.
func sumOf(folders []string, here, there []filemark.Mark) string {
	var b bytes.Buffer
	for i, rel := range folders {
		fmt.Fprintf(&b, "%q %v %v\n", rel, here[i], there[i])
	}
	sum := sha256.Sum256(b.Bytes())
	return hex.EncodeToString(sum[:])
}
