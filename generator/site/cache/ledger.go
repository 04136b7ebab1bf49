package cache

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/benchpost/benchpost/generator/filemark"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/pieces"
	"github.com/benchpost/benchpost/generator/publish"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/sitefile"
)

// Ledger remembers what is in the output folder: of each artifact of the site what it was
// made from, and its files. It lies in a site's own folder, safe to delete, so that the next
// process too writes only what has changed. A file that somebody else changed is made again.
type Ledger struct {
	table     table[*entry]
	artifacts map[string]*entry
	sure      bool // no other process has written there since the last build

	built, kept bool // something was built in this session; something was kept then
}

// entry is an artifact that was written.
type entry struct {
	From   result.Stamp
	Files  []Written
	Pieces []pieces.Piece // of its one file that is made of them
}

// Written is a file as it was left.
type Written struct {
	Path   string // site/…, jekyll/… in the output folder
	Blog   bool   // it is in the folder of a blog instead
	Mark   filemark.Mark
	Check  check
	SHA256 []byte // of one below data/, which the page of downloads shows; nil for others
}

const ledgerVersion = 6

// OpenLedger opens the ledger of a site; home contains its own folder.
func OpenLedger(home string) *Ledger {
	return &Ledger{table: openTable[*entry](filepath.Join(home, Name, "ledger"), ledgerVersion), artifacts: map[string]*entry{}}
}

// Doubt has the mark of every file compared in the next build: somebody else may have
// written there.
func (l *Ledger) Doubt() { l.sure = false }

// Built reports whether something was built in this session, and whether something was
// kept then.
func (l *Ledger) Built() (built, kept bool) { return l.built, l.kept }

// Reread takes what another process may have written down since, and trusts no file to be
// as it was left.
func (l *Ledger) Reread() {
	l.sure = false
	if known := l.table.load(); known != nil {
		l.artifacts = known
	}
}

// Saving readies it to be written down, which save does. That it cannot is not an error: the next build does more.
func (l *Ledger) Saving() (save func()) { return l.table.saving(l.artifacts) }

// Writer is the ledger during one build: a page.Store that puts into the output folder what
// it does not keep.
type Writer struct {
	*Ledger
	ctx       context.Context
	out, blog *publish.Output

	mu    sync.Mutex
	next  map[string]*entry
	made  []string
	again map[string]bool // artifacts that are to be made though nothing has changed
}

// Write begins a build, which writes into out, and of posts for a blog into blog.
func (l *Ledger) Write(ctx context.Context, out, blog *publish.Output) *Writer {
	return &Writer{Ledger: l, ctx: ctx, out: out, blog: blog, next: make(map[string]*entry, len(l.artifacts)), again: map[string]bool{}}
}

// Context is that of the build.
func (s *Writer) Context() context.Context { return s.ctx }

// of returns the output a file belongs to.
func (s *Writer) of(w *Written) *publish.Output {
	if w.Blog {
		return s.blog
	}
	return s.out
}

// Keeps reports whether an artifact is there, made from the same, and then keeps it.
func (s *Writer) Keeps(artifact string, from result.Stamp) ([]Written, bool) {
	e, moved := s.artifacts[artifact], false
	if e == nil || e.From != from || from == (result.Stamp{}) || s.again[artifact] || s.ctx.Err() != nil {
		return nil, false
	}
	for i := range e.Files {
		w := &e.Files[i]
		left := w.Mark
		if !s.sure && !w.isAsLeft(s.of(w)) {
			return nil, false
		}
		moved = moved || w.Mark != left
	}
	for i := range e.Files {
		if w := &e.Files[i]; s.of(w).Keep(w.Path) != nil {
			return nil, false // another artifact has it now; this one is made to report that
		}
	}
	s.mu.Lock()
	s.next[artifact], s.kept = e, true
	if moved {
		s.table.change(artifact)
	}
	s.mu.Unlock()
	return e.Files, true
}

// Remake has an artifact made though nothing has changed: another one is made with it.
// All are named before the first is asked for.
func (s *Writer) Remake(artifact string) { s.again[artifact] = true }

// isData reports whether a file is one of those with data that a reader can download.
func (w *Written) isData() bool { return strings.HasPrefix(w.Path, "site/data/") }

// isAsLeft reports whether a file is as it was left. One that was linked since, as into the
// spare tree of a folder, is read.
func (w *Written) isAsLeft(out *publish.Output) bool {
	info, err := os.Lstat(out.Path(w.Path))
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	now := filemark.Of(info)
	if now == w.Mark {
		return true
	}
	if !now.IsMoved(w.Mark) {
		return false
	}
	data, err := sitefile.Read(out.Path(w.Path))
	if err != nil || checkOf(data) != w.Check {
		return false
	}
	w.Mark = now
	return true
}

// Kept is that of page.Store.
func (s *Writer) Kept(artifact string, from result.Stamp) ([]page.DataFile, bool) {
	files, ok := s.Keeps(artifact, from)
	if !ok {
		return nil, false
	}
	return DataFiles(files), true
}

// Put is that of page.Store.
func (s *Writer) Put(artifact string, from result.Stamp, files iter.Seq2[string, []byte]) error {
	t := s.Artifact(artifact, from)
	for path, data := range files {
		if err := t.Site(path, data); err != nil {
			return err
		}
	}
	t.Done()
	return nil
}

// DataFiles are those below data/ of some files.
func DataFiles(files []Written) []page.DataFile {
	var out []page.DataFile
	for i := range files {
		if files[i].isData() {
			out = append(out, page.DataFile{Path: strings.TrimPrefix(files[i].Path, "site/"), Bytes: files[i].Mark.Size, SHA256: hex.EncodeToString(files[i].SHA256)})
		}
	}
	return out
}

// Artifact takes the files of one.
type Artifact struct {
	writer *Writer
	name   string
	entry  *entry // separate from the artifact, which knows the whole output
}

// Artifact begins an artifact that is made from what has the stamp.
func (s *Writer) Artifact(artifact string, from result.Stamp) *Artifact {
	return &Artifact{s, artifact, &entry{From: from}}
}

// Site puts a file of the HTML site.
func (t *Artifact) Site(path string, data []byte) error {
	return t.put(Written{Path: "site/" + path}, data)
}

// Blog puts a file of the posts for a blog.
func (t *Artifact) Blog(path string, data []byte) error {
	if t.writer.blog != t.writer.out {
		return t.put(Written{Path: path, Blog: true}, data)
	}
	return t.put(Written{Path: "jekyll/" + path}, data)
}

func (t *Artifact) put(w Written, data []byte) error {
	if err := t.writer.ctx.Err(); err != nil {
		return err
	}
	w.Mark.Size, w.Check = int64(len(data)), checkOf(data)
	if w.isData() {
		sum := sha256.Sum256(data)
		w.SHA256 = sum[:]
	}
	out := t.writer.of(&w)
	before := t.before(&w)
	if before != nil && before.Check == w.Check && (t.writer.sure || before.isAsLeft(out)) {
		w.Mark = before.Mark
		t.entry.Files = append(t.entry.Files, w)
		return out.Keep(w.Path)
	}
	t.entry.Files = append(t.entry.Files, w)
	if before != nil && before.Check != w.Check {
		return out.Rewrite(w.Path, data)
	}
	return out.Put(w.Path, data)
}

// before is what the artifact had written at a path the last time, nil for nothing.
func (t *Artifact) before(w *Written) *Written {
	if e := t.writer.artifacts[t.name]; e != nil {
		for i := range e.Files {
			if old := &e.Files[i]; old.Path == w.Path && old.Blog == w.Blog {
				return old
			}
		}
	}
	return nil
}

// Stream puts a file of the HTML site that is written in pieces, each in its turn, all of them made from what has
// a stamp; those that the file has had before are copied. An artifact has one such file.
func (t *Artifact) Stream(path string, from result.Stamp, write func(*pieces.Writer) error, turn func() (done func())) error {
	var size counter
	var check check
	sum := sha256.New()
	w := Written{Path: "site/" + path}
	out := t.writer.of(&w)
	var old *pieces.File
	if before := t.before(&w); before != nil && (t.writer.sure || before.isAsLeft(out)) {
		if f, err := sitefile.Open(out.Path(w.Path)); err == nil {
			defer f.Close()
			old = &pieces.File{ReaderAt: f, Pieces: t.writer.artifacts[t.name].Pieces}
		}
	}
	err := out.Stream(w.Path, func(to io.Writer) (err error) {
		t.entry.Pieces, err = pieces.Write(patient{io.MultiWriter(to, &size, &check, sum), turn}, from, old, write)
		return err
	})
	w.Mark.Size, w.Check, w.SHA256 = int64(size), check, sum.Sum(nil)
	t.entry.Files = append(t.entry.Files, w)
	return err
}

// patient is a writer that waits for its turn before each piece.
type patient struct {
	io.Writer
	turn func() (done func())
}

func (p patient) Write(data []byte) (int, error) {
	p.turn()()
	return p.Writer.Write(data)
}

// Done notes the artifact and returns its files.
func (t *Artifact) Done() []Written {
	t.writer.mu.Lock()
	t.writer.next[t.name] = t.entry
	t.writer.made = append(t.writer.made, t.name)
	t.writer.mu.Unlock()
	return t.entry.Files
}

// Made names the artifacts that were made so far, not kept, in order of their names.
func (s *Writer) Made() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(slices.Values(s.made))
}

// Settle makes what was built what the ledger knows. Files that were kept have other marks where
// the output folder was linked anew.
func (s *Writer) Settle() {
	for name, e := range s.next {
		if s.artifacts[name] != e {
			s.table.change(name)
		}
		for i := range e.Files {
			w := &e.Files[i]
			known := w.Mark.Time != 0
			if known && !s.of(w).Linked() {
				continue
			}
			if info, err := os.Lstat(s.of(w).Path(w.Path)); err == nil {
				if now := filemark.Of(info); !known || now.IsMoved(w.Mark) {
					w.Mark = now
					s.table.change(name)
				}
			}
		}
	}
	for name := range s.artifacts {
		if s.next[name] == nil {
			s.table.change(name)
		}
	}
	s.artifacts, s.built, s.sure = s.next, true, !s.out.Disturbed()
}

// marks are those of all files as they were left, by path: in the output folder, and in the folder of a blog.
func (l *Ledger) marks() (out, blog map[string]filemark.Mark) {
	files := 0
	for _, e := range l.artifacts {
		files += len(e.Files)
	}
	out, blog = make(map[string]filemark.Mark, files), map[string]filemark.Mark{}
	for _, e := range l.artifacts {
		for i := range e.Files {
			if w := &e.Files[i]; w.Blog {
				blog[w.Path] = w.Mark
			} else {
				out[w.Path] = w.Mark
			}
		}
	}
	return out, blog
}

// counter counts the bytes that are written to it.
type counter int64

func (n *counter) Write(p []byte) (int, error) {
	*n += counter(len(p))
	return len(p), nil
}
