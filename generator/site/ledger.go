package site

import (
	"context"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/publish"
	"github.com/benchpost/benchpost/generator/result"
)

// ledger remembers what stands in the output folder: of each artifact of the site
// what it was made from and its files. It lies in .benchpost/ledger, safe to
// delete, so that the next process writes only what has changed, too. A file that
// somebody else changed, by its size or time, is made again.
type ledger struct {
	file      string
	artifacts map[string]*entry
	sure      bool // nobody but us has written there since the last build
	stale     bool // it is not as it was saved

	built, kept bool // something was built in this session; something was kept then
}

// entry is an artifact that was written.
type entry struct {
	From  result.Stamp
	Files []written
}

// written is a file as it was left.
type written struct {
	Path string // site/…, jekyll/… in the output folder
	Blog bool   // it is in the folder of a blog instead
	Size int64
	Time int64 // of its last change, in nanoseconds
	Sum  [sha256.Size]byte
}

// saved is the file: that of another version is of no use.
type savedLedger struct {
	Version   int
	Artifacts map[string]*entry
}

const ledgerVersion = 1

func openLedger(opt Options) *ledger {
	return &ledger{file: filepath.Join(opt.home(), stateFolder, "ledger"), artifacts: map[string]*entry{}}
}

// reread takes what another process may have written down since, and believes no
// file to stand as it was left.
func (l *ledger) reread() {
	l.sure = false
	f, err := os.Open(l.file)
	if err != nil {
		return
	}
	defer f.Close()
	var old savedLedger
	if gob.NewDecoder(f).Decode(&old) == nil && old.Version == ledgerVersion && old.Artifacts != nil {
		l.artifacts = old.Artifacts
	}
}

// save writes it down. That it cannot is no fault: the next build only works more.
func (l *ledger) save() {
	if !l.stale || makeStateFolder(filepath.Dir(l.file)) != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(l.file), "new-*")
	if err != nil {
		return
	}
	err = gob.NewEncoder(f).Encode(savedLedger{ledgerVersion, l.artifacts})
	if closed := f.Close(); err != nil || closed != nil || os.Rename(f.Name(), l.file) != nil {
		os.Remove(f.Name())
		return
	}
	l.stale = false
}

// shelf is the ledger during one build: a page.Store that puts into the output
// folder what it does not keep.
type shelf struct {
	*ledger
	ctx       context.Context
	out, blog *publish.Output

	mu   sync.Mutex
	next map[string]*entry
}

func (l *ledger) shelf(ctx context.Context, out, blog *publish.Output) *shelf {
	return &shelf{ledger: l, ctx: ctx, out: out, blog: blog, next: make(map[string]*entry, len(l.artifacts))}
}

// of gives the output a file belongs to.
func (s *shelf) of(w *written) *publish.Output {
	if w.Blog {
		return s.blog
	}
	return s.out
}

// keeps tells whether an artifact stands there, made from the same, and then keeps it.
func (s *shelf) keeps(artifact string, from result.Stamp) ([]written, bool) {
	e := s.artifacts[artifact]
	if e == nil || e.From != from || from == (result.Stamp{}) || s.ctx.Err() != nil {
		return nil, false
	}
	for i := range e.Files {
		if w := &e.Files[i]; !s.sure && !w.stands(s.of(w).Path(w.Path)) {
			return nil, false
		}
	}
	for i := range e.Files {
		if w := &e.Files[i]; s.of(w).Keep(w.Path) != nil {
			return nil, false // another artifact has it now; this one is made to say so
		}
	}
	s.mu.Lock()
	s.next[artifact], s.kept = e, true
	s.mu.Unlock()
	return e.Files, true
}

// stands tells whether a file is as it was left.
func (w *written) stands(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode().IsRegular() && info.Size() == w.Size && info.ModTime().UnixNano() == w.Time
}

// Kept is that of page.Store.
func (s *shelf) Kept(artifact string, from result.Stamp) ([]page.DataFile, bool) {
	files, ok := s.keeps(artifact, from)
	if !ok {
		return nil, false
	}
	return dataFiles(files), true
}

// Put is that of page.Store.
func (s *shelf) Put(artifact string, from result.Stamp, files iter.Seq2[string, []byte]) error {
	t := s.tray(artifact, from)
	for path, data := range files {
		if err := t.site(path, data); err != nil {
			return err
		}
	}
	t.done()
	return nil
}

// dataFiles are those below data/ of some files.
func dataFiles(files []written) []page.DataFile {
	var out []page.DataFile
	for i := range files {
		if path, ok := strings.CutPrefix(files[i].Path, "site/"); ok && strings.HasPrefix(path, "data/") {
			out = append(out, page.DataFile{Path: path, Bytes: files[i].Size, SHA256: hex.EncodeToString(files[i].Sum[:])})
		}
	}
	return out
}

// tray takes the files of an artifact.
type tray struct {
	shelf    *shelf
	artifact string
	entry    *entry // apart from the tray, which knows the whole output
}

func (s *shelf) tray(artifact string, from result.Stamp) *tray {
	return &tray{s, artifact, &entry{From: from}}
}

// site puts a file of the HTML site, blog one of the posts for a blog.
func (t *tray) site(path string, data []byte) error {
	return t.put(written{Path: "site/" + path}, data)
}

func (t *tray) blog(path string, data []byte) error {
	if t.shelf.blog != t.shelf.out {
		return t.put(written{Path: path, Blog: true}, data)
	}
	return t.put(written{Path: "jekyll/" + path}, data)
}

func (t *tray) put(w written, data []byte) error {
	if err := t.shelf.ctx.Err(); err != nil {
		return err
	}
	w.Size, w.Sum = int64(len(data)), sha256.Sum256(data)
	t.entry.Files = append(t.entry.Files, w)
	return t.shelf.of(&w).Put(w.Path, data)
}

// stream puts a file of the HTML site that is written piece by piece.
func (t *tray) stream(path string, write func(io.Writer) error) error {
	sum := &digest{hash: sha256.New()}
	w := written{Path: "site/" + path}
	err := t.shelf.out.Stream(w.Path, func(to io.Writer) error { return write(io.MultiWriter(to, sum)) })
	w.Size, w.Sum = sum.bytes, [sha256.Size]byte(sum.hash.Sum(nil))
	t.entry.Files = append(t.entry.Files, w)
	return err
}

// done notes the artifact and gives its files.
func (t *tray) done() []written {
	t.shelf.mu.Lock()
	t.shelf.next[t.artifact] = t.entry
	t.shelf.mu.Unlock()
	return t.entry.Files
}

// settle makes what was built what stands there.
func (s *shelf) settle() {
	for _, e := range s.next {
		for i := range e.Files {
			w := &e.Files[i]
			if w.Time != 0 {
				continue
			}
			if info, err := os.Lstat(s.of(w).Path(w.Path)); err == nil {
				w.Time = info.ModTime().UnixNano()
			}
		}
	}
	s.artifacts, s.stale, s.built, s.sure = s.next, true, true, true
}
