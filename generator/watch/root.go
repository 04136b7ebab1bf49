package watch

import (
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

// root is a folder or single file to be watched.
type root struct {
	given string
	abs   string
	real  string // abs without links; "" while nothing is there
	stamp stamp  // stamp of what is there

	anchors []string // folders whose events show that it comes or goes
	points  []string // paths whose events show that
}

// names yields the names of a path below the roots, except ignored ones.
func (w *Watcher) names(path string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, r := range w.roots {
			if rest, ok := r.holds(path); !ok {
				continue
			} else if rest == "" {
				if !yield(r.given) {
					return
				}
			} else if name := filepath.Join(r.given, rest); w.opt.Ignore == nil || !w.opt.Ignore(name) {
				if !yield(name) {
					return
				}
			}
		}
	}
}

// holds returns the rest of a path below a root, "" for the root itself.
func (r *root) holds(path string) (rest string, ok bool) {
	n := len(r.real)
	switch {
	case n == 0 || len(path) < n || path[:n] != r.real:
		return "", false
	case len(path) == n:
		return "", true
	case r.stamp.kind != dir:
		return "", false
	case os.IsPathSeparator(path[n]):
		return path[n+1:], true
	}
	return path[n:], os.IsPathSeparator(path[n-1]) // the root of the file system
}

// ignores reports whether an entry of a folder is not watched.
func (w *Watcher) ignores(f *folder, name string) bool {
	if isTemporary(name) {
		return true
	}
	if w.opt.Ignore == nil {
		return false
	}
	for range w.names(f.join(name)) {
		return false
	}
	return true
}

// checkRoots checks whether roots came, went or were replaced; ops are events about them. If it watches another folder
// for a root, the root may have come meanwhile, so it checks all of them again.
func (w *Watcher) checkRoots(roots []*root, ops map[string]fsnotify.Op) {
	for range 10 { // limited, in case somebody moves folders all the time
		for _, r := range roots {
			w.check(r, ops)
		}
		if !w.moor() {
			break
		}
		ops = nil
	}
	every := rootsEvery
	if w.notifier == nil {
		every = w.opt.Look
	}
	w.rootsNext = time.Now().Add(every)
}

// check checks one root.
func (w *Watcher) check(r *root, ops map[string]fsnotify.Op) {
	var op fsnotify.Op
	for _, p := range r.points {
		op |= ops[p]
	}
	for _, a := range r.anchors {
		if ops[a].Has(fsnotify.Remove|fsnotify.Rename) && w.anchors[a] {
			_ = w.notifier.remove(a) // it is usually lost already
			delete(w.anchors, a)
			if f := w.folders[a]; f != nil {
				w.rewatch(f)
			}
		}
	}
	real, st := resolve(r.abs)
	switch {
	case r.stamp.kind == missing:
	case r.stamp.kind == dir:
		f := w.folders[r.real]
		same := f != nil && real == r.real && st.kind == dir && (f.id == id{} || f.id == st.id)
		if !same || op.Has(fsnotify.Create|fsnotify.Remove|fsnotify.Rename) {
			if f != nil {
				w.forget(f)
			}
			w.leave(r)
			w.pending.addAll()
		}
	case st.kind == missing || st.kind == dir:
		w.leave(r)
	case real != r.real || !st.same(r.stamp) || op.Has(^fsnotify.Chmod):
		r.real, r.stamp = real, st
		w.report(real)
	}
	if r.stamp.kind == missing && st.kind != missing {
		r.real, r.stamp = real, st
		w.report(real)
		if st.kind == dir {
			w.adopt(real, st)
			if !w.opening {
				w.pending.addAll()
			}
		}
	}
	r.anchors, r.points = r.moorings()
}

// leave records that the root does not exist any more.
func (w *Watcher) leave(r *root) {
	w.report(r.real)
	r.real, r.stamp = "", stamp{}
}

// resolve returns the path without links, and the stamp of what is there.
func resolve(path string) (string, stamp) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", stamp{}
	}
	st := stat(real)
	if st.kind == missing {
		return "", stamp{}
	}
	return real, st
}

// moorings returns the folders to be watched for a root, and the paths whose events concern it. The folders are the
// nearest existing one above the root and, if the root is a link to a single file, the one above that file.
func (r *root) moorings() (anchors, points []string) {
	for path := r.abs; ; path = filepath.Dir(path) {
		above := filepath.Dir(path)
		if real, st := resolve(above); st.kind == dir {
			anchors = append(anchors, real)
			points = append(points, real, filepath.Join(real, filepath.Base(path)))
			break
		}
		if above == path {
			break
		}
	}
	if r.real == "" {
		return anchors, points
	}
	if above := filepath.Dir(r.real); r.stamp.kind != dir && !slices.Contains(anchors, above) {
		anchors, points = append(anchors, above), append(points, above)
	}
	if !slices.Contains(points, r.real) {
		points = append(points, r.real)
	}
	return anchors, points
}

// moor watches the folders with events about the roots, and reports whether one is new.
func (w *Watcher) moor() bool {
	wanted := map[string]bool{}
	clear(w.points)
	for _, r := range w.roots {
		for _, a := range r.anchors {
			wanted[a] = true
		}
		for _, p := range r.points {
			w.points[p] = append(w.points[p], r)
		}
	}
	if w.notifier == nil {
		return false
	}
	for _, a := range slices.Collect(maps.Keys(w.anchors)) {
		if !wanted[a] {
			delete(w.anchors, a)
			if f := w.folders[a]; f == nil || !f.watched {
				_ = w.notifier.remove(a) // it may be gone
			}
		}
	}
	fresh := false
	for a := range wanted {
		// Adding a folder that is watched already changes nothing, unless the folder was replaced unnoticed. A refusal
		// does no harm: roots are also checked without events.
		if w.notifier.add(a) == nil && !w.anchors[a] {
			w.anchors[a] = true
			fresh = true
		}
	}
	return fresh
}
