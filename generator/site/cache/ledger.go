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

// Ledger remembers what is in the output folder: for each artifact of the site the key of its inputs, and its files. It
// is stored in the site's .benchpost folder, which is safe to delete, so that the next process too writes only what has
// changed. A file that somebody else changed is made again.
type Ledger struct {
	table     table[*entry]
	artifacts map[string]*entry
	sure      bool // no other process has written to the output folder since the last build

	built, kept bool // something was built in this session; some artifact was kept
}

// entry is an artifact that was written.
type entry struct {
	From   result.Stamp
	Files  []Written
	Pieces []pieces.Piece // pieces of its only file, if that is written in pieces
}

// Written is a file as it was written.
type Written struct {
	Path   string // site/…, jekyll/… in the output folder
	Blog   bool   // the file is in the folder of a blog instead
	Mark   filemark.Mark
	Check  check
	SHA256 []byte // of a file below data/, for the downloads page; nil for others
}

const ledgerVersion = 6

// OpenLedger opens the ledger of a site; home contains the .benchpost folder.
func OpenLedger(home string) *Ledger {
	return &Ledger{table: openTable[*entry](filepath.Join(home, Name, "ledger"), ledgerVersion), artifacts: map[string]*entry{}}
}

// Doubt makes the next build compare the mark of every file, because somebody else may have written to the output
// folder.
func (l *Ledger) Doubt() { l.sure = false }

// Built reports whether something was built in this session, and whether an artifact was kept.
func (l *Ledger) Built() (built, kept bool) { return l.built, l.kept }

// Reread reads what another process may have saved since. All files must then be compared by their marks.
func (l *Ledger) Reread() {
	l.sure = false
	if known := l.table.load(); known != nil {
		l.artifacts = known
	}
}

// Saving prepares the ledger for saving; the function save writes it. A failure is not an error: the next build does
// more work.
func (l *Ledger) Saving() (save func()) { return l.table.saving(l.artifacts) }

// Writer is the ledger during one build. As a page.Store, it keeps artifacts or puts them into the output folder.
type Writer struct {
	*Ledger
	ctx       context.Context
	out, blog *publish.Output

	mu    sync.Mutex
	next  map[string]*entry
	made  []string
	again map[string]bool // artifacts to be made although their inputs have not changed
}

// Write begins a build that writes into out, and the posts for a blog into blog.
func (l *Ledger) Write(ctx context.Context, out, blog *publish.Output) *Writer {
	return &Writer{Ledger: l, ctx: ctx, out: out, blog: blog, next: make(map[string]*entry, len(l.artifacts)), again: map[string]bool{}}
}

// Context returns the context of the build.
func (s *Writer) Context() context.Context { return s.ctx }

// of returns the output that a file belongs to.
func (s *Writer) of(w *Written) *publish.Output {
	if w.Blog {
		return s.blog
	}
	return s.out
}

// Keeps reports whether an artifact exists that was made with the same key. If so, it keeps the artifact.
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
			return nil, false // another artifact has this path; making this one reports that
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

// Remake makes Keeps return false for an artifact, although its inputs have not changed, because another artifact is
// made together with it. All calls must come before the first call of Keeps for such an artifact.
func (s *Writer) Remake(artifact string) { s.again[artifact] = true }

// isData reports whether a file contains data for download.
func (w *Written) isData() bool { return strings.HasPrefix(w.Path, "site/data/") }

// isAsLeft reports whether a file is as it was written. A file whose mark changed only because it was linked, as into
// the spare tree of a folder, is read and compared.
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

// Kept implements page.Store.
func (s *Writer) Kept(artifact string, from result.Stamp) ([]page.DataFile, bool) {
	files, ok := s.Keeps(artifact, from)
	if !ok {
		return nil, false
	}
	return DataFiles(files), true
}

// Put implements page.Store.
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

// DataFiles returns those files that are below data/.
func DataFiles(files []Written) []page.DataFile {
	var out []page.DataFile
	for i := range files {
		if files[i].isData() {
			out = append(out, page.DataFile{Path: strings.TrimPrefix(files[i].Path, "site/"), Bytes: files[i].Mark.Size, SHA256: hex.EncodeToString(files[i].SHA256)})
		}
	}
	return out
}

// Artifact receives the files of one artifact.
type Artifact struct {
	writer *Writer
	name   string
	entry  *entry // allocated separately, because the artifact refers to the whole output
}

// Artifact begins an artifact; from is the key of its inputs.
func (s *Writer) Artifact(artifact string, from result.Stamp) *Artifact {
	return &Artifact{s, artifact, &entry{From: from}}
}

// Site writes a file of the HTML site.
func (t *Artifact) Site(path string, data []byte) error {
	return t.put(Written{Path: "site/" + path}, data)
}

// Blog writes a file of the posts for a blog.
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

// before returns the file that the artifact had at the same path in the last build; nil for none.
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

// Stream writes a file of the HTML site in pieces, each after waiting for turn. from is the stamp of what all pieces
// depend on. Pieces that the file had before are copied. An artifact has at most one such file.
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

// patient is a writer that waits for its turn before each write.
type patient struct {
	io.Writer
	turn func() (done func())
}

func (p patient) Write(data []byte) (int, error) {
	p.turn()()
	return p.Writer.Write(data)
}

// Done records the artifact and returns its files.
func (t *Artifact) Done() []Written {
	t.writer.mu.Lock()
	t.writer.next[t.name] = t.entry
	t.writer.made = append(t.writer.made, t.name)
	t.writer.mu.Unlock()
	return t.entry.Files
}

// Made returns the names of the artifacts that were made so far (not kept), sorted.
func (s *Writer) Made() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(slices.Values(s.made))
}

// Settle replaces the contents of the ledger by what was built. It updates the marks of kept files, which differ if the
// output folder was linked anew.
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

// marks returns the marks of all files as they were written, by path: in the output folder, and in the folder of a
// blog.
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
