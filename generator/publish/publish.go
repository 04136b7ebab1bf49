// Package publish puts outputs into a folder: staged first, then moved into
// place file by file, so that a build that breaks off, even while it moves,
// leaves the folder as it was. A file whose bytes did not change is not touched, and only files that
// an earlier build wrote are ever removed.
package publish

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/benchpost/benchpost/generator/result"
)

// listName is the list of what we wrote, in the folder itself.
const listName = result.OutputList

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

	mu      sync.Mutex
	kept    []string
	staged  []string
	removed []string
	seen    map[string]bool
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
	stage, err := os.MkdirTemp(parent, stageName)
	o.stage = stage
	return o, err
}

// stageName begins the name of the folder beside dir in which files are staged.
const stageName = ".benchpost-stage-"

// Sweep removes what processes that were killed have left staged beside dir. Nobody else
// must be at work there.
func Sweep(dir string) {
	parent := filepath.Dir(filepath.Clean(dir))
	entries, _ := os.ReadDir(parent)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), stageName) {
			_ = os.RemoveAll(filepath.Join(parent, e.Name())) // it is in nobody's way
		}
	}
}

// Put adds a file; path is slash-separated and local to the folder. Two files
// of one path are an error.
func (o *Output) Put(path string, data []byte) error {
	if err := o.reserve(path); err != nil {
		return err
	}
	target := o.target(path)
	same, exists := equal(target, data)
	if err := o.refused(path, same, exists); err != nil {
		return err
	}
	if same {
		o.keep(path)
		return nil
	}
	staged := o.staging(path)
	if err := os.MkdirAll(filepath.Dir(staged), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(staged, data, 0o644); err != nil {
		return err
	}
	o.stageFile(path)
	return nil
}

// Stream adds a file as Put does, which is written piece by piece and never held
// in memory.
func (o *Output) Stream(path string, write func(io.Writer) error) error {
	if err := o.reserve(path); err != nil {
		return err
	}
	staged := o.staging(path)
	if err := os.MkdirAll(filepath.Dir(staged), 0o755); err != nil {
		return err
	}
	f, err := os.Create(staged)
	if err != nil {
		return err
	}
	b := bufio.NewWriterSize(f, 64<<10)
	if err := errors.Join(write(b), b.Flush(), f.Close()); err != nil {
		return err
	}
	same, exists := equalFiles(o.target(path), staged)
	if err := o.refused(path, same, exists); err != nil {
		return err
	}
	if same {
		o.keep(path)
		return os.Remove(staged)
	}
	o.stageFile(path)
	return nil
}

// Keep leaves a file as it is, which an earlier build wrote.
func (o *Output) Keep(path string) error {
	if err := o.reserve(path); err != nil {
		return err
	}
	o.keep(path)
	return nil
}

// Changed are the files that a commit wrote or removed.
func (o *Output) Changed() []string { return slices.Concat(o.staged, o.removed) }

// Path is where a file is, or is going to be.
func (o *Output) Path(path string) string { return o.target(path) }

// reserve takes a path for one file.
func (o *Output) reserve(path string) error {
	if !filepath.IsLocal(filepath.FromSlash(path)) || path == listName {
		return fmt.Errorf("output path %q leaves the folder", path)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.seen[path] {
		return fmt.Errorf("output %s is made twice", path)
	}
	o.seen[path] = true
	return nil
}

// refused is the error of a file that is in the way and not benchpost's own.
func (o *Output) refused(path string, same, exists bool) error {
	if !same && exists && o.foreign == Refuse && !o.previous[path] {
		return &ForeignError{o.target(path)}
	}
	return nil
}

// keep notes a file that is there already, stageFile one that was staged.
func (o *Output) keep(path string) {
	o.mu.Lock()
	o.kept = append(o.kept, path)
	o.mu.Unlock()
}

func (o *Output) stageFile(path string) {
	o.mu.Lock()
	o.staged = append(o.staged, path)
	o.mu.Unlock()
}

// equalFiles compares a file with another without holding either in memory.
func equalFiles(name, with string) (same, exists bool) {
	info, err := os.Lstat(name)
	if err != nil {
		return false, false
	}
	other, err := os.Stat(with)
	if err != nil || !info.Mode().IsRegular() || info.Size() != other.Size() {
		return false, true
	}
	f, err := os.Open(name)
	if err != nil {
		return false, true
	}
	defer f.Close()
	g, err := os.Open(with)
	if err != nil {
		return false, true
	}
	defer g.Close()
	a, b := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, err := io.ReadFull(f, a)
		m, _ := io.ReadFull(g, b)
		if !bytes.Equal(a[:n], b[:m]) {
			return false, true
		}
		if err != nil {
			return err == io.EOF || err == io.ErrUnexpectedEOF, true
		}
	}
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
// and this one did not, and notes the list for the next. When a step fails,
// those before it are taken back: the folder is then as it was.
func (o *Output) Commit() (s Summary, err error) {
	defer os.RemoveAll(o.stage)
	var undo undo
	defer func() {
		if err != nil {
			err = errors.Join(err, undo.run())
		}
	}()
	s = Summary{Written: len(o.staged), Unchanged: len(o.kept)}
	all := slices.Concat(o.kept, o.staged)
	slices.Sort(all)
	slices.Sort(o.staged)
	// The list of both builds is there during the moves: a process that is
	// killed in between still leaves the names of all files that are ours.
	union := slices.Clone(all)
	for path := range o.previous {
		if !o.seen[path] {
			union = append(union, path)
		}
	}
	slices.Sort(union)
	if len(o.staged) > 0 || len(union) > len(all) {
		if err := o.writeList(union, &undo); err != nil {
			return s, err
		}
	}
	// Removal comes first: a file may have to make room for a folder.
	for _, path := range union {
		if o.seen[path] {
			continue
		}
		target := o.target(path)
		switch info, err := os.Lstat(target); {
		case err == nil && info.IsDir(): // somebody's folder is in its place
			continue
		case err == nil:
			if err := o.setAside(target, &undo); err != nil {
				return s, err
			}
			s.Removed++
			o.removed = append(o.removed, path)
		case !absent(err):
			return s, err
		}
		o.removeEmptyParents(filepath.Dir(target))
	}
	for _, path := range o.staged {
		if err := o.move(o.staging(path), o.target(path), &undo); err != nil {
			return s, err
		}
	}
	return s, o.writeList(all, &undo)
}

// absent reports whether an error says that a file is not there; neither is one
// below what has become a file.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

func (o *Output) target(path string) string {
	return filepath.Join(o.dir, filepath.FromSlash(path))
}

func (o *Output) staging(path string) string {
	return filepath.Join(o.stage, "new", filepath.FromSlash(path))
}

// undo is what takes back the steps of a commit.
type undo []func() error

func (u undo) run() error {
	var errs []error
	for _, step := range slices.Backward(u) {
		errs = append(errs, step())
	}
	return errors.Join(errs...)
}

// aside returns a free name in the stage, for a file that has to be kept until
// the commit is done.
func (o *Output) aside(undo *undo) (string, error) {
	dir := filepath.Join(o.stage, "old")
	return filepath.Join(dir, strconv.Itoa(len(*undo))), os.MkdirAll(dir, 0o755)
}

// setAside takes a file out of the folder.
func (o *Output) setAside(name string, undo *undo) error {
	old, err := o.aside(undo)
	if err == nil {
		err = os.Rename(name, old)
	}
	if err != nil {
		return err
	}
	*undo = append(*undo, func() error {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		return os.Rename(old, name)
	})
	return nil
}

// move puts a staged file into place; an empty folder makes room. The file
// that was there is linked, not moved away, where the file system can: so
// there is no moment without it.
func (o *Output) move(from, to string, undo *undo) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	old, err := o.aside(undo)
	if err != nil {
		return err
	}
	info, err := os.Lstat(to)
	linked := false
	switch {
	case err != nil:
	case info.IsDir():
		err = os.Remove(to)
	default:
		if linked = os.Link(to, old) == nil; !linked {
			err = o.setAside(to, undo)
		}
	}
	if err != nil && !absent(err) {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return err
	}
	*undo = append(*undo, func() error {
		if linked {
			return os.Rename(old, to)
		}
		err := os.Remove(to)
		o.removeEmptyParents(filepath.Dir(to))
		return err
	})
	return nil
}

func (o *Output) removeEmptyParents(dir string) {
	for dir != o.dir && strings.HasPrefix(dir, o.dir) && os.Remove(dir) == nil {
		dir = filepath.Dir(dir)
	}
}

func (o *Output) writeList(paths []string, undo *undo) error {
	data := []byte(strings.Join(paths, "\n") + "\n")
	name := filepath.Join(o.dir, listName)
	if same, _ := equal(name, data); same {
		return nil
	}
	staged := filepath.Join(o.stage, listName)
	if err := os.WriteFile(staged, data, 0o644); err != nil {
		return err
	}
	return o.move(staged, name, undo)
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
