// Package publish writes outputs into a folder, so that the folder has either its old or its new contents and never a
// mixture, even after an error, a full disk, a signal, kill -9 or a power cut.
//
//	f := publish.At("public", publish.Options{Work: ".benchpost/publish"})
//	o, err := f.Open()
//	err = o.Put("index.html", page)   // from many goroutines; nothing in the folder changes
//	s, err := o.Commit()              // all of it changes; or o.Discard()
//
// A file whose bytes did not change is not touched. Only files that an earlier commit wrote are ever removed; other
// files in the folder stay. The list of written files is in the folder itself, so that it is kept in a clone.
//
// There are three ways to commit, from the best to the one that always works:
//
//   - A folder that does not exist is built beside its place and renamed.
//   - If there is a work folder (Options.Work), it contains a spare tree: the same
//     folders, with hard links to the same files. The new files replace those in the spare
//     tree. The two trees are exchanged in one system call, and the tree that was the
//     folder is brought up to date as well. So the cost of a commit depends on what has changed, and a
//     program that has the folder itself open, such as a shell or a container, sees the new files
//     a moment later in either tree. The spare tree is trusted as long as the marks (package filemark) of
//     all folders in both trees are unchanged; otherwise it is linked anew. See spare.go.
//   - Otherwise the files are staged in the folder, a journal is written, the files are moved one by
//     one, and the journal is removed. After a kill the next commit first completes the
//     journal. See journal.go. This way is used for a folder with many files of others, such as a
//     blog, on systems without exchange or hard links, and if the folder is a mount
//     point or a symbolic link, or contains a repository.
//
// A file with two links is never written in place.
package publish

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/sitefile"
)

// Foreign says what happens if a file that benchpost did not write is in the way.
type Foreign int

const (
	Replace Foreign = iota // the folder belongs to benchpost: public/
	Refuse                 // the folder belongs to somebody else: a blog
)

// ForeignError reports a file in the way that no earlier build wrote, or that was edited afterwards.
type ForeignError struct {
	Path   string
	Edited bool
}

func (e *ForeignError) Error() string {
	if e.Edited {
		return fmt.Sprintf("%s was edited after benchpost had written it", e.Path)
	}
	return fmt.Sprintf("%s exists and was not written by benchpost", e.Path)
}

// Summary counts what a commit did.
type Summary struct {
	Written, Unchanged, Removed int
}

// Options say how a folder is written.
type Options struct {
	Foreign Foreign

	// Work is an existing folder of benchpost on the same disk, for staged files and the spare tree; "" for none.
	Work string

	// Unlisted writes no list into the folder. Then no file in it is ever removed, and with Refuse none is replaced.
	Unlisted bool

	// Durable flushes the files to the disk before they are moved into place. Then even a power cut leaves either the
	// old or the new contents.
	Durable bool
}

// Folder is a folder that is written repeatedly, by one process at a time.
type Folder struct {
	dir   string
	opt   Options
	spare *spare // nil if there is none
}

// At returns the folder dir, which need not exist.
func At(dir string, opt Options) *Folder {
	f := &Folder{dir: filepath.Clean(dir), opt: opt}
	if opt.Work != "" {
		f.spare = &spare{dir: f.dir, work: opt.Work}
	}
	return f
}

// Close saves what the next process can use.
func (f *Folder) Close() {
	if f.spare != nil {
		f.spare.save()
	}
}

// Output is a folder being written. Put may be called from many goroutines.
type Output struct {
	folder   *Folder
	dir      string
	stage    string          // contains the new files until the commit
	first    bool            // the folder does not exist yet; it is built in the stage
	previous map[string]bool // files that earlier commits wrote into somebody else's folder
	list     []byte          // the list in the folder; nil for none
	sums     *sums           // checksums of the files in somebody else's folder; nil for another folder

	staging sync.Once
	failed  error // error of creating the stage
	count   atomic.Int64

	mu      sync.Mutex
	seen    map[string]string // folded path → path
	folders map[string]bool   // folders created in the stage
	kept    int
	staged  []change
	removed []string

	disturbed bool
	linked    bool
}

// change is a file to be written or removed.
type change struct {
	path string // relative to the folder
	from string // where it is staged; "" if it is removed
}

const (
	stageName   = ".benchpost-stage" // in the folder, or as a prefix of its name beside it
	newName     = "new"              // in the work folder
	journalName = "journal"
)

// Open begins to write. It completes or removes what a killed process left. Otherwise nothing in the folder changes
// before Commit.
func (f *Folder) Open() (*Output, error) {
	parent := filepath.Dir(f.dir)
	beside := filepath.Join(parent, stageName+"-"+filepath.Base(f.dir))
	inside := filepath.Join(f.dir, stageName)
	stages := []string{beside, inside}
	if f.opt.Work != "" {
		stages = append(stages, filepath.Join(f.opt.Work, newName))
		_ = os.Remove(filepath.Join(f.opt.Work, marksName+".new"))
	}
	for _, stage := range stages {
		if err := f.recover(stage); err != nil {
			return nil, err
		}
	}
	o := &Output{folder: f, dir: f.dir, seen: map[string]string{}, folders: map[string]bool{}}
	info, err := os.Lstat(f.dir)
	switch {
	case absent(err):
		o.first, o.stage = true, beside
		if f.opt.Work != "" {
			o.stage = filepath.Join(f.opt.Work, newName)
		}
		if f.opt.Foreign == Refuse && !f.opt.Unlisted {
			o.sums = &sums{before: map[string]string{}, now: map[string]string{}}
		}
		return o, os.MkdirAll(parent, 0o777)
	case err != nil:
		return nil, err
	case f.opt.Work == "" || !info.IsDir(): // a symbolic link
		o.stage = inside
	default:
		o.stage = filepath.Join(f.opt.Work, newName)
	}
	if f.opt.Unlisted {
		return o, nil
	}
	if o.list, err = sitefile.Read(filepath.Join(f.dir, listName)); err != nil && !absent(err) {
		return nil, err
	}
	o.seen = make(map[string]string, bytes.Count(o.list, []byte("\n")))
	if f.opt.Foreign == Refuse {
		o.previous = map[string]bool{}
		for path := range listed(o.list) {
			o.previous[path] = true
		}
		if o.sums, err = readSums(f.dir); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// Unfinished reports whether a process was killed while it wrote into dir, so that dir contains only a part of one
// build, or files of two.
func Unfinished(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, stageName))
	return err == nil
}

// Put adds a file; path is slash-separated and local to the folder. Two files with the same path are an error. So are
// paths that differ only in case or Unicode form, because some file systems cannot distinguish them.
func (o *Output) Put(path string, data []byte) error {
	if err := o.reserve(path); err != nil {
		return err
	}
	o.sums.note(path, data)
	if !o.first {
		same, exists := equal(o.Path(path), data)
		keep, err := o.keeps(path, same, exists)
		if err != nil {
			return err
		}
		if keep {
			o.keep()
			return nil
		}
	}
	return o.write(path, data)
}

// Rewrite adds a file that is known to be new or different from the one that an earlier commit wrote.
func (o *Output) Rewrite(path string, data []byte) error {
	if !o.first && o.folder.opt.Foreign == Refuse {
		return o.Put(path, data)
	}
	if err := o.reserve(path); err != nil {
		return err
	}
	return o.write(path, data)
}

// Stream adds a file as Put does. The file is written in pieces and is not kept in memory.
func (o *Output) Stream(path string, write func(io.Writer) error) error {
	if err := o.reserve(path); err != nil {
		return err
	}
	from, err := o.place(path)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(from, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	b := bufio.NewWriterSize(f, 64<<10)
	if err := errors.Join(write(b), b.Flush(), f.Close()); err != nil {
		return err
	}
	if o.sums != nil {
		data, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		o.sums.note(path, data)
	}
	same, exists := equalFiles(o.Path(path), from)
	keep, err := o.keeps(path, same, exists)
	if err != nil {
		return err
	}
	if keep {
		o.keep()
		return os.Remove(from)
	}
	o.stageFile(path, from)
	return nil
}

// Keep keeps a file that an earlier build wrote.
func (o *Output) Keep(path string) error {
	if err := o.reserve(path); err != nil {
		return err
	}
	o.sums.keep(path)
	o.keep()
	return nil
}

// KeepOthers keeps the files in somebody else's folder that earlier commits wrote and this one did not. It does not
// keep files for which same reports that they have the same origin as the files of this commit.
func (o *Output) KeepOthers(same func(path string) bool) error {
	for path := range o.previous {
		if o.seen[address.Fold(path)] == "" && path != listName && path != sumsName && !same(path) {
			if err := o.Keep(path); err != nil {
				return err
			}
		}
	}
	return nil
}

// Changed returns the files that a commit wrote or removed.
func (o *Output) Changed() []string {
	var paths []string
	for _, c := range o.staged {
		paths = append(paths, c.path)
	}
	return append(paths, o.removed...)
}

// Removed returns the files that a commit removed.
func (o *Output) Removed() []string { return o.removed }

// Disturbed reports, after a commit, whether somebody else changed something in the folder since the previous commit.
// Then a kept file may have other contents.
func (o *Output) Disturbed() bool { return o.disturbed }

// Linked reports, after a commit, whether every file in the folder got another link, and so another mark.
func (o *Output) Linked() bool { return o.linked }

// Path returns the path of a file now or after the commit.
func (o *Output) Path(path string) string { return filepath.Join(o.dir, filepath.FromSlash(path)) }

// reserve reserves a path for one file.
func (o *Output) reserve(path string) error {
	if local := filepath.FromSlash(path); !filepath.IsLocal(local) || path == listName || path == sumsName || path == stageName || strings.HasPrefix(path, stageName+"/") {
		return fmt.Errorf("output path %q leaves the folder", path)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	key := address.Fold(path)
	switch other, taken := o.seen[key]; {
	case taken && other == path:
		return fmt.Errorf("output %s is made twice", path)
	case taken:
		return fmt.Errorf("outputs %s and %s differ only in case or Unicode form: some disks have one file for both; rename what one of them is made from", other, path)
	}
	o.seen[key] = path
	return nil
}

// keeps reports whether a file stays as it is: it is the same, or somebody edited it and its new contents equal those
// that benchpost wrote before. The error is about a file in the way that benchpost did not write, or that was edited
// and would get new contents.
func (o *Output) keeps(path string, same, exists bool) (bool, error) {
	switch {
	case same || !exists || o.folder.opt.Foreign != Refuse:
		return same, nil
	case !o.previous[path]:
		return false, &ForeignError{Path: o.Path(path)}
	case !o.sums.edited(path, o.Path(path)):
		return false, nil
	case o.sums.changed(path):
		return false, &ForeignError{Path: o.Path(path), Edited: true}
	}
	return true, nil
}

// keep counts a file that is already there; stageFile records a file that was staged.
func (o *Output) keep() {
	o.mu.Lock()
	o.kept++
	o.mu.Unlock()
}

func (o *Output) stageFile(path, from string) {
	o.mu.Lock()
	o.staged = append(o.staged, change{path, from})
	o.mu.Unlock()
}

// write stages a file.
func (o *Output) write(path string, data []byte) error {
	from, err := o.place(path)
	if err != nil {
		return err
	}
	if err := writeNew(from, data); err != nil {
		return err
	}
	o.stageFile(path, from)
	return nil
}

// place returns the path at which a file is staged: a number, or its final place in a folder that does not exist yet.
func (o *Output) place(path string) (string, error) {
	o.staging.Do(func() {
		o.failed = makeStage(o.stage)
		if o.first && o.failed == nil {
			o.failed = os.Mkdir(o.tree(), 0o777)
		}
	})
	if o.failed != nil {
		return "", o.failed
	}
	if !o.first {
		return filepath.Join(o.stage, strconv.FormatInt(o.count.Add(1), 10)), nil
	}
	from := filepath.Join(o.tree(), filepath.FromSlash(path))
	folder := filepath.Dir(from)
	o.mu.Lock()
	defer o.mu.Unlock()
	return from, o.makeFolder(folder)
}

// tree returns the path where a new folder is built.
func (o *Output) tree() string { return filepath.Join(o.stage, treeName) }

// makeStage creates a folder that git ignores, wherever it is.
func makeStage(name string) error {
	if err := os.MkdirAll(name, 0o777); err != nil {
		return err
	}
	return writeNew(filepath.Join(name, ".gitignore"), []byte("*\n"))
}

// makeFolder creates a folder in the tree, and those above it, once.
func (o *Output) makeFolder(folder string) error {
	if folder == o.tree() || o.folders[folder] {
		return nil
	}
	if err := o.makeFolder(filepath.Dir(folder)); err != nil {
		return err
	}
	if err := os.Mkdir(folder, 0o777); err != nil {
		return err
	}
	o.folders[folder] = true
	return nil
}

// Commit writes everything that was added into the folder, removes what earlier commits wrote and this one did not, and
// saves the list for the next commit. After an error the folder is as it was.
func (o *Output) Commit() (s Summary, err error) {
	defer func() { err = errors.Join(err, o.Discard()) }()
	changes, err := o.changes()
	s = Summary{Written: len(o.staged), Unchanged: o.kept, Removed: len(o.removed)}
	if err != nil || len(changes) == 0 {
		return s, err
	}
	if o.folder.opt.Durable {
		if err := syncData(o.stage, changes); err != nil {
			return s, err
		}
	}
	switch {
	case o.first:
		err = o.commitFirst(changes)
	default:
		err = o.commitNext(changes)
	}
	if err == nil && o.folder.opt.Durable {
		err = SyncFolder(filepath.Dir(o.dir))
	}
	return s, err
}

// commitFirst renames the new folder into place.
func (o *Output) commitFirst(changes []change) error {
	err := os.Rename(o.tree(), o.dir)
	if errors.Is(err, syscall.EXDEV) { // the work folder is on another disk
		if err = os.MkdirAll(o.dir, 0o777); err == nil {
			err = o.move(changes)
		}
	}
	return err
}

// commitNext changes an existing folder.
func (o *Output) commitNext(changes []change) error {
	if o.spare() {
		if done, err := o.exchange(changes); done || err != nil {
			return err
		}
	}
	return o.move(changes)
}

// spare reports whether a spare tree can be kept.
func (o *Output) spare() bool {
	return o.folder.spare != nil && o.stage == filepath.Join(o.folder.opt.Work, newName) && canExchange
}

// changes returns the changes in an order in which they can be made. Removals come first, because a file may have to
// make room for a folder. The list comes last.
func (o *Output) changes() ([]change, error) {
	slices.SortFunc(o.staged, func(a, b change) int { return strings.Compare(a.path, b.path) })
	var changes []change
	stay := 0
	for path := range listed(o.list) {
		if o.seen[address.Fold(path)] == path {
			stay++
			continue
		}
		switch info, err := os.Lstat(o.Path(path)); {
		case err == nil && info.IsDir(): // somebody's folder has its path
		case err == nil && o.sums.edited(path, o.Path(path)): // somebody edited it, so it is kept
		case err == nil:
			o.removed = append(o.removed, path)
			changes = append(changes, change{path: path})
		case !absent(err):
			return nil, err
		}
	}
	changes = append(changes, o.staged...)
	if o.folder.opt.Unlisted {
		return changes, nil
	}
	if text, changed := o.sums.text(); changed {
		from, err := o.place(sumsName)
		if err == nil {
			err = writeNew(from, text)
		}
		if err != nil {
			return nil, err
		}
		changes = append(changes, change{sumsName, from})
	}
	if o.list != nil && stay == len(o.seen) && isList(o.list, stay) {
		return changes, nil
	}
	list := listOf(maps.Values(o.seen))
	from, err := o.place(listName)
	if err == nil {
		err = writeNew(from, list)
	}
	return append(changes, change{listName, from}), err
}

// Discard drops what is not committed; the folder stays as it is.
func (o *Output) Discard() error {
	err := os.RemoveAll(o.stage)
	if err != nil { // with few file descriptors, a second attempt removes more
		err = os.RemoveAll(o.stage)
	}
	return err
}

// absent reports whether an error says that a file does not exist, also because a file is in the place of its folder.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
