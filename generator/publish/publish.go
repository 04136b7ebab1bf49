// Package publish puts outputs into a folder: staged first, then moved into
// place file by file, so that a build that breaks off leaves the folder as it
// was. A file whose bytes did not change is not touched, and only files that
// an earlier build wrote are ever removed.
package publish

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// listName is the file in the output folder that lists what we wrote there.
const listName = ".benchpost-files"

// Foreign says what happens to a file in the way that is not ours.
type Foreign int

const (
	Replace Foreign = iota // the folder is ours: public/
	Refuse                 // the folder is somebody's: a blog
)

// ForeignError reports a file in the way that no earlier build wrote.
type ForeignError struct{ Path string }

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%s exists and was not written by benchpost", e.Path)
}

// Summary counts what a commit did.
type Summary struct {
	Written, Unchanged, Removed int
}

// Output is a folder being written. Put may be called from many goroutines.
type Output struct {
	dir, stage string
	foreign    Foreign
	previous   map[string]bool

	mu     sync.Mutex
	kept   []string
	staged []string
	seen   map[string]bool
}

// Open prepares the folder dir, which need not exist. Nothing in it changes
// before Commit.
func Open(dir string, foreign Foreign) (*Output, error) {
	o := &Output{dir: dir, foreign: foreign, previous: map[string]bool{}, seen: map[string]bool{}}
	for path := range Files(dir) {
		o.previous[path] = true
	}
	parent := filepath.Dir(filepath.Clean(dir))
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return nil, err
	}
	stage, err := os.MkdirTemp(parent, ".benchpost-stage-")
	o.stage = stage
	return o, err
}

// Put adds a file; path is slash-separated and local to the folder. Two files
// of one path are an error.
func (o *Output) Put(path string, data []byte) error {
	if !filepath.IsLocal(filepath.FromSlash(path)) || path == listName {
		return fmt.Errorf("output path %q leaves the folder", path)
	}
	o.mu.Lock()
	twice := o.seen[path]
	o.seen[path] = true
	o.mu.Unlock()
	if twice {
		return fmt.Errorf("output %s is made twice", path)
	}
	target := filepath.Join(o.dir, filepath.FromSlash(path))
	switch same, exists := equal(target, data); {
	case same:
		o.mu.Lock()
		o.kept = append(o.kept, path)
		o.mu.Unlock()
		return nil
	case exists && o.foreign == Refuse && !o.previous[path]:
		return &ForeignError{target}
	}
	staged := filepath.Join(o.stage, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(staged), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(staged, data, 0o644); err != nil {
		return err
	}
	o.mu.Lock()
	o.staged = append(o.staged, path)
	o.mu.Unlock()
	return nil
}

// equal compares a file with bytes without holding the file in memory.
func equal(name string, data []byte) (same, exists bool) {
	f, err := os.Open(name)
	if err != nil {
		_, err := os.Lstat(name)
		return false, err == nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(data)) {
		return false, true
	}
	buf := make([]byte, min(len(data), 64<<10))
	for len(data) > 0 {
		n, err := io.ReadFull(f, buf[:min(len(buf), len(data))])
		if err != nil || !bytes.Equal(buf[:n], data[:n]) {
			return false, true
		}
		data = data[n:]
	}
	return true, true
}

// Commit moves what was staged into place, removes what earlier builds wrote
// and this one did not, and notes the list for the next.
func (o *Output) Commit() (Summary, error) {
	defer os.RemoveAll(o.stage)
	s := Summary{Written: len(o.staged), Unchanged: len(o.kept)}
	all := slices.Concat(o.kept, o.staged)
	slices.Sort(all)
	slices.Sort(o.staged)
	// The list of both builds stands during the moves: a commit that is
	// broken off still knows all files that are ours.
	union := slices.Clone(all)
	for path := range o.previous {
		if !o.seen[path] {
			union = append(union, path)
		}
	}
	slices.Sort(union)
	if len(o.staged) > 0 || len(union) > len(all) {
		if err := o.writeList(union); err != nil {
			return s, err
		}
	}
	for _, path := range o.staged {
		if err := move(filepath.Join(o.stage, filepath.FromSlash(path)), filepath.Join(o.dir, filepath.FromSlash(path))); err != nil {
			return s, err
		}
	}
	for _, path := range union {
		if o.seen[path] {
			continue
		}
		target := filepath.Join(o.dir, filepath.FromSlash(path))
		if err := os.Remove(target); err == nil {
			s.Removed++
		} else if !errors.Is(err, fs.ErrNotExist) {
			return s, err
		}
		o.removeEmptyParents(filepath.Dir(target))
	}
	return s, o.writeList(all)
}

// move renames a file over another; a folder in the way that became empty
// (an earlier output's parent) makes room.
func move(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	err := os.Rename(from, to)
	if err != nil && os.Remove(to) == nil {
		err = os.Rename(from, to)
	}
	return err
}

func (o *Output) removeEmptyParents(dir string) {
	for dir != o.dir && strings.HasPrefix(dir, o.dir) && os.Remove(dir) == nil {
		dir = filepath.Dir(dir)
	}
}

func (o *Output) writeList(paths []string) error {
	data := []byte(strings.Join(paths, "\n") + "\n")
	name := filepath.Join(o.dir, listName)
	if same, _ := equal(name, data); same {
		return nil
	}
	staged := filepath.Join(o.stage, listName)
	if err := os.WriteFile(staged, data, 0o644); err != nil {
		return err
	}
	return move(staged, name)
}

// Discard gives up: the folder stays as it was.
func (o *Output) Discard() error { return os.RemoveAll(o.stage) }

// Files yields the paths of what earlier builds wrote into dir, sorted.
func Files(dir string) iter.Seq[string] {
	return func(yield func(string) bool) {
		list, err := os.ReadFile(filepath.Join(dir, listName))
		if err != nil {
			return
		}
		for line := range strings.Lines(string(list)) {
			path := strings.TrimSpace(line)
			if path != "" && filepath.IsLocal(filepath.FromSlash(path)) && !yield(path) {
				return
			}
		}
	}
}
