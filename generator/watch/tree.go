package watch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/benchpost/benchpost/generator/filemark"
)

// folder is what is known about one folder in the tree below a root.
type folder struct {
	path    string // without links
	id      id     // zero if it is not permanent
	device  uint64
	remote  string  // name of a file system that does not report all changes
	entries []entry // sorted by name
	active  int64   // when something in it changed last; only used for ranking

	watched bool
	twin    bool // also visible under another path, and watched there
	unread  bool // it could not be listed
	gone    bool
}

// entry is a file or folder in a folder.
type entry struct {
	name string
	stamp
}

// id identifies a file by device and inode; zero if the system does not report them.
type id struct{ device, inode uint64 }

// kind is the type of what is at a path.
type kind uint8

const (
	missing kind = iota
	file
	dir
	link
	other // a device, or something that cannot be examined
)

// stamp is what is compared of a path. A different stamp is a change; stamps have no order.
type stamp struct {
	kind  kind
	id    id
	size  int64
	mtime int64

	// The time of the last change, recorded by the system. Programs cannot set it, so it reveals an edit that keeps
	// size and time. It also changes with rights, owners and further links, which are compared separately to recognise
	// that case.
	changed int64
	rights  rights
}

// rights are the attributes of a file that change without its content.
type rights struct {
	mode, owner, group uint32
	names              uint64
}

// same reports whether two stamps belong to the same content.
func (s stamp) same(as stamp) bool {
	if s.rights != as.rights {
		s.changed = as.changed
	}
	s.rights = as.rights
	return s == as
}

// stat returns the stamp of a path. The stamp of a link to a file changes with that file, but only scans notice that.
func stat(path string) stamp {
	st, err := lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		return stamp{}
	case err != nil:
		return stamp{kind: other}
	case st.kind == link:
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			st.size, st.mtime, st.changed, st.rights = info.Size(), info.ModTime().UnixNano(), filemark.Of(info).Changed, rightsOf(info)
		}
	}
	return st
}

// entry returns what is kept of a stamp. Of a folder it only keeps the identity, because time and size of a folder
// change with its entries. On remote file systems it drops the id, because they may renumber files at any time.
func (f *folder) entry(name string, st stamp) entry {
	if st.kind == dir {
		st.size, st.mtime, st.changed, st.rights = 0, 0, 0, rights{}
	}
	if f.remote != "" {
		st.id = id{}
	}
	return entry{name, st}
}

func (f *folder) find(name string) (int, bool) {
	return slices.BinarySearchFunc(f.entries, name, func(e entry, name string) int { return strings.Compare(e.name, name) })
}

func (f *folder) join(name string) string {
	if os.IsPathSeparator(f.path[len(f.path)-1]) {
		return f.path + name
	}
	return f.path + string(filepath.Separator) + name
}

// adopt adds a folder and everything below it to the tree. It watches the folder before it lists it, so that a file
// created meanwhile is in the list or in an event.
func (w *Watcher) adopt(path string, st stamp) {
	if w.folders[path] != nil || w.closed() {
		return
	}
	f := &folder{path: path, device: st.id.device, active: st.mtime}
	if parent := w.folders[filepath.Dir(path)]; parent != nil && parent.device == f.device {
		f.remote = parent.remote
	} else {
		f.remote = w.opt.remote(path)
	}
	if !w.opening {
		f.active = time.Now().UnixNano()
	}
	w.folders[path] = f
	if f.remote == "" && st.id != (id{}) {
		f.id = st.id
		w.identify(f)
	}
	w.watch(f)
	w.scan(f)
	if w.limit.met && !f.watched && w.watch(f) {
		w.scan(f) // its contents are more recent than the folder itself
	}
	w.place(f)
}

// identify records which folder this is. If the same folder is known under another path, it has moved or it is mounted
// twice. A moved folder is first removed at the old path, because a watch follows the folder and not the path. A folder
// that is mounted twice gives its events under the other path.
func (w *Watcher) identify(f *folder) {
	if known := w.byID[f.id]; known != nil {
		if stat(known.path).id == f.id {
			f.twin = true
			return
		}
		if parent := w.folders[filepath.Dir(known.path)]; parent != nil {
			w.examine(parent, filepath.Base(known.path), 0)
		}
		if !known.gone {
			w.forget(known)
		}
	}
	w.byID[f.id] = f
}

// forget removes a folder and everything below it from the tree.
func (w *Watcher) forget(f *folder) {
	f.gone = true
	w.unwatch(f)
	delete(w.folders, f.path)
	delete(w.polled, f)
	if w.byID[f.id] == f {
		delete(w.byID, f.id)
	}
	for _, e := range f.entries {
		w.remove(f.join(e.name), e.kind)
	}
	if len(w.points[f.path]) > 0 {
		w.rootsNext = time.Now()
	}
}

func (w *Watcher) remove(path string, k kind) {
	if k == dir && w.folders[path] != nil {
		w.forget(w.folders[path])
	}
	w.report(path)
}

// difference is the old and the new entry of a folder; found is the complete new stamp.
type difference struct {
	was, is entry
	found   stamp
}

// settle processes differences. Removals come first, because a new folder may be an old one with another name.
func (w *Watcher) settle(f *folder, ds []difference) {
	f.active = max(f.active, w.now())
	for _, d := range ds {
		if d.is.kind == missing || d.was.kind == dir && d.was.stamp != d.is.stamp {
			w.remove(f.join(d.was.name), d.was.kind)
		}
	}
	for _, d := range ds {
		if d.is.kind == missing {
			continue
		}
		path := f.join(d.is.name)
		w.report(path)
		if d.is.kind == dir {
			w.adopt(path, d.found)
		} else if w.opening {
			f.active = max(f.active, d.found.mtime)
		}
	}
}

// now returns the rank of a change at present; 0 while opening, because nothing changes then.
func (w *Watcher) now() int64 {
	if w.opening {
		return 0
	}
	return time.Now().UnixNano()
}

// scan compares a folder with what is known of it, and reports whether something has changed. It adopts new subfolders,
// but does not scan known ones.
func (w *Watcher) scan(f *folder) bool {
	names, err := list(f.path)
	f.unread = err != nil && !errors.Is(err, fs.ErrNotExist)
	if f.unread && !errors.Is(err, fs.ErrPermission) {
		return false // a temporary error; the known entries may well exist
	}
	w.scratch = w.scratch[:0]
	var ds []difference
	touched := false
	old := f.entries
	for _, name := range names {
		for len(old) > 0 && old[0].name < name {
			ds = append(ds, difference{was: old[0]})
			old = old[1:]
		}
		var was entry
		if len(old) > 0 && old[0].name == name {
			was, old = old[0], old[1:]
			name = was.name // keeps the old string instead of the listed one
		} else if w.ignores(f, name) {
			continue
		}
		found := stat(f.join(name))
		is := f.entry(name, found)
		if is.kind != missing {
			w.scratch = append(w.scratch, is)
		}
		if (is.name != was.name || !is.same(was.stamp)) && (is.kind != missing || was.kind != missing) {
			ds = append(ds, difference{was, is, found})
		}
		touched = touched || is != was
	}
	for _, e := range old {
		ds = append(ds, difference{was: e})
	}
	if len(ds) == 0 && !touched {
		return false
	}
	f.entries = slices.Clone(w.scratch)
	if len(ds) == 0 {
		return false
	}
	w.settle(f, ds)
	return true
}

// list returns the names in a folder, sorted.
func list(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	slices.Sort(names)
	return names, err
}

// examine examines one entry of a folder; op are the events about it.
func (w *Watcher) examine(f *folder, name string, op fsnotify.Op) {
	i, known := f.find(name)
	if !known && w.ignores(f, name) {
		return
	}
	d := difference{found: stat(f.join(name))}
	d.is = f.entry(name, d.found)
	if known {
		d.was = f.entries[i]
	}
	switch {
	case d.is.kind == missing && !known:
		if op != 0 {
			w.report(f.join(name)) // it was created and removed, and others may have seen it
		}
		return
	case d.is.kind == missing:
		f.entries = slices.Delete(f.entries, i, i+1)
	case !known:
		f.entries = slices.Insert(f.entries, i, d.is)
	case d.is.same(d.was.stamp) && d.is.kind == dir:
		w.revisit(w.folders[f.join(name)], op)
		return
	case d.is.same(d.was.stamp) && !op.Has(^fsnotify.Chmod):
		f.entries[i] = d.is
		return // only its rights have changed, or nothing
	default:
		f.entries[i] = d.is
	}
	w.settle(f, []difference{d})
}

// revisit handles events of a folder that is still the same. A folder that was removed and came back has lost its
// watch.
func (w *Watcher) revisit(f *folder, op fsnotify.Op) {
	if f == nil {
		return
	}
	lost := op.Has(fsnotify.Remove | fsnotify.Rename)
	if lost {
		w.rewatch(f)
		w.report(f.path)
	}
	if lost || f.unread || op.Has(fsnotify.Write) { // kqueue and Windows report writes to folders
		w.scan(f)
		w.place(f)
	}
}

// report adds a change to the batch, with its names below the roots.
func (w *Watcher) report(path string) {
	if w.opening {
		return
	}
	for name := range w.names(path) {
		w.pending.add(name)
	}
}
