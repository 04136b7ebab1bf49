// Package mask produces the publishable form of files: it replaces the secrets and private names that package redact
// finds, in text, in compressed text and in archives. Files on disk are not changed.
//
//	m := mask.New(redactor, stamp)
//	f, err := m.Open("runs/a/run.log.zst")      // its content, uncompressed and masked
//	data, err := m.Published("runs/a/x.zip")    // its bytes as they are published
//	found := m.Found()                          // what was masked, by file
//
// A file is searched only once: the result is cached as long as the file's mark is the same. A nil Masker masks
// nothing.
package mask

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/benchpost/benchpost/generator/filemark"
	"github.com/benchpost/benchpost/generator/rawfile"
	"github.com/benchpost/benchpost/generator/redact"
	"github.com/benchpost/benchpost/generator/result"
)

// Masker masks files. It is safe for concurrent use.
type Masker struct {
	redactor *redact.Redactor
	stamp    result.Stamp

	mu    sync.Mutex
	files map[string]*entry // by path; for a member of an archive, the path continues into the archive
}

// entry holds what is known about a file.
type entry struct {
	mark    filemark.Mark
	found   []Found
	patches []patch // nil when they are not kept
	isKept  bool
}

// patch is the replacement of a part of a file.
type patch struct {
	start, end int64
	by         string
}

// mostPatches is the greatest number of patches kept for a file. A file with more is searched again.
const mostPatches = 20_000

// Found summarises what a rule found in a file: the first place and the number of places.
type Found struct {
	Rule         string
	Kind         string // as in package redact
	Line, Column int
	Count        int
}

// New returns a Masker. The stamp identifies the redactor's rules and key in cache keys.
func New(r *redact.Redactor, stamp result.Stamp) *Masker {
	return &Masker{redactor: r, stamp: stamp, files: map[string]*entry{}}
}

// Stamp identifies everything that determines what is masked, and how.
func (m *Masker) Stamp() result.Stamp {
	if m == nil {
		return result.Stamp{}
	}
	return m.stamp
}

// Open opens a file as rawfile.Open does, with its content masked.
func (m *Masker) Open(path string) (*rawfile.File, error) {
	f, err := rawfile.Open(path)
	if err != nil {
		return nil, err
	}
	return m.Opened(path, f), nil
}

// Opened masks the content of a file that was opened at a path.
func (m *Masker) Opened(path string, f *rawfile.File) *rawfile.File {
	if m == nil {
		return f
	}
	r := &reader{masker: m, path: path, in: f.Reader, size: f.Size, info: f.Info}
	mark, ok := r.mark()
	r.known, r.asked = m.as(path, mark), true
	if !ok || r.known == nil || len(r.known.found) > 0 {
		f.Size = -1 // masking may change the length
	}
	r.whole, _ = f.Take()
	f.Reader = r
	return f
}

// Through masks the content of the file at a path, or of a member if the path continues into an archive. Content that
// is not text is passed through unchanged.
func (m *Masker) Through(path string, in io.Reader) io.Reader {
	if m == nil {
		return in
	}
	return &reader{masker: m, path: path, in: in, size: -1}
}

// Bytes masks a text that was read from a path.
func (m *Masker) Bytes(path string, text []byte) []byte {
	if m == nil {
		return text
	}
	out, err := io.ReadAll(&reader{masker: m, path: path, in: bytes.NewReader(text), whole: text})
	if err != nil { // a bytes.Reader returns no error
		return nil
	}
	return out
}

// Text masks a text that is not from a file.
func (m *Masker) Text(text []byte) []byte {
	if m == nil {
		return text
	}
	out, _ := m.redactor.Replace("", text)
	return out
}

// Of returns what is masked in a file, nil for nothing. It searches the file if that has not been done.
func (m *Masker) Of(path string) []Found {
	mark, _ := markOf(path)
	return m.In(path, mark)
}

// In does what Of does, for a file whose current mark is already known.
func (m *Masker) In(path string, mark filemark.Mark) []Found {
	if m == nil {
		return nil
	}
	if e := m.as(path, mark); e != nil {
		return e.found
	}
	f, err := rawfile.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	_, _ = io.Copy(io.Discard, m.Through(path, f.Reader)) // what was found before a read error counts
	if e := m.known(path); e != nil {
		return e.found
	}
	return nil
}

// Changes reports whether the published bytes of a file may differ from those on disk. They differ if something in it
// is masked. They may differ for every archive, since parts of it that are not read may be left out. The caller passes
// the file's current mark and which kind of archive it is.
func (m *Masker) Changes(path string, mark filemark.Mark, archive rawfile.Kind) bool {
	return m != nil && (archive != rawfile.Plain || len(m.In(path, mark)) > 0)
}

// Recall stores the result of an earlier search of a file that had this mark.
func (m *Masker) Recall(path string, mark filemark.Mark, found []Found) {
	if m != nil && m.as(path, mark) == nil {
		m.keep(path, &entry{mark: mark, found: found, isKept: len(found) == 0})
	}
}

// Found returns what was masked, by path. It leaves out files that were removed or changed since.
func (m *Masker) Found() map[string][]Found {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	paths := make([]string, 0, len(m.files))
	for path, e := range m.files {
		if len(e.found) > 0 {
			paths = append(paths, path)
		}
	}
	m.mu.Unlock()
	all := map[string][]Found{}
	for _, path := range paths {
		if e := m.known(path); e != nil {
			all[path] = e.found
		}
	}
	return all
}

func (m *Masker) keep(path string, e *entry) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.files[path] = e
}

// known returns the entry of a file in its current version, nil for none.
func (m *Masker) known(path string) *entry {
	mark, ok := markOf(path)
	if !ok {
		return nil
	}
	return m.as(path, mark)
}

// as returns the entry of a file with this mark, nil for none.
func (m *Masker) as(path string, mark filemark.Mark) *entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e := m.files[path]; e != nil && e.mark == mark {
		return e
	}
	return nil
}

// markOf returns the mark of a file, or of the archive if the path continues into one.
func markOf(path string) (mark filemark.Mark, ok bool) {
	for at := path; ; {
		info, err := os.Stat(at)
		if err == nil {
			return filemark.Of(info), info.Mode().IsRegular()
		}
		above := filepath.Dir(at)
		if above == at || errors.Is(err, fs.ErrPermission) {
			return filemark.Mark{}, false
		}
		at = above
	}
}

// IsText reports whether a file is text according to its first bytes. UTF-16 with a byte order mark is text.
func IsText(head []byte) bool {
	return bytes.IndexByte(head, 0) < 0 && rawfile.KindOf(head) != rawfile.Zip || bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff"))
}

// headSize is the number of bytes by which a file is recognised as text.
const headSize = 8 << 10

// reader masks the content of a file while it is read.
type reader struct {
	masker *Masker
	path   string
	in     io.Reader
	whole  []byte      // the whole content of in, if known; nil otherwise
	size   int64       // in bytes; -1 if unknown
	info   fs.FileInfo // of the file as it was opened; nil to use the file at the path
	known  *entry      // the entry of the file, once looked up; nil for none
	asked  bool
	out    io.Reader // nil before the first Read
	text   bytes.Reader
}

func (r *reader) Read(p []byte) (int, error) {
	if r.out == nil {
		r.out = r.open()
	}
	return r.out.Read(p)
}

// open decides how the file is masked: with the patches in its entry, or by searching it.
func (r *reader) open() io.Reader {
	m := r.masker
	mark, ok := r.mark()
	if !r.asked {
		r.known = m.as(r.path, mark)
	}
	if e := r.known; ok && e != nil && e.isKept {
		if len(e.patches) == 0 {
			return r.in
		}
		return &patched{in: r.in, patches: e.patches}
	}
	note := func(found []redact.Finding) {
		if ok {
			m.keep(r.path, entryOf(mark, found))
		}
	}
	if r.whole != nil {
		if !IsText(r.whole) {
			note(nil)
			return r.in
		}
		text, found := m.redactor.Replace(r.path, r.whole)
		note(found)
		r.text.Reset(text)
		return &r.text
	}
	in := &failing{in: r.in}
	looked := int64(headSize)
	if r.size >= 0 {
		looked = min(looked, r.size+1) // one more, to see the end
	}
	head := make([]byte, looked)
	n, err := io.ReadFull(in, head)
	whole := io.MultiReader(bytes.NewReader(head[:n]), in)
	switch {
	case !IsText(head[:n]):
		note(nil)
		return io.MultiReader(whole, &ended{in})
	case err != nil:
		text, found := m.redactor.Replace(r.path, head[:n])
		note(found)
		return io.MultiReader(bytes.NewReader(text), &ended{in})
	}
	masked := m.redactor.Reader(whole, r.path)
	return io.MultiReader(masked, noting(func() { note(masked.Found()) }), &ended{in})
}

// mark returns the mark of the file.
func (r *reader) mark() (mark filemark.Mark, ok bool) {
	if r.info != nil {
		return filemark.Of(r.info), r.info.Mode().IsRegular()
	}
	return markOf(r.path)
}

// noting is an empty stream that calls a function when it is read. It follows another stream and so marks its end.
type noting func()

func (n noting) Read([]byte) (int, error) {
	n()
	return 0, io.EOF
}

// failing remembers the error of a stream and reports io.EOF instead, so that the text before the error is still
// masked.
type failing struct {
	in  io.Reader
	err error // nil if the stream ended normally
}

func (f *failing) Read(p []byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	n, err := f.in.Read(p)
	if err != nil && err != io.EOF {
		f.err = err
		err = io.EOF // what came before is still masked
	}
	return n, err
}

// ended is an empty stream that ends with the remembered error, if any.
type ended struct{ of *failing }

func (e *ended) Read([]byte) (int, error) { return 0, cmp.Or(e.of.err, io.EOF) }

// patched applies known patches to a file while it is read.
type patched struct {
	in      io.Reader
	patches []patch
	at      int64
	rest    string // of a replacement: what has not been read yet
}

func (p *patched) Read(to []byte) (int, error) {
	if p.rest != "" {
		n := copy(to, p.rest)
		p.rest = p.rest[n:]
		return n, nil
	}
	if len(p.patches) == 0 {
		return p.in.Read(to)
	}
	if next := p.patches[0]; p.at == next.start {
		if _, err := io.CopyN(io.Discard, p.in, next.end-next.start); err != nil {
			return 0, err
		}
		p.at, p.rest, p.patches = next.end, next.by, p.patches[1:]
		return p.Read(to)
	}
	if left := p.patches[0].start - p.at; int64(len(to)) > left {
		to = to[:left]
	}
	n, err := p.in.Read(to)
	p.at += int64(n)
	return n, err
}

// entryOf summarises findings into an entry.
func entryOf(mark filemark.Mark, found []redact.Finding) *entry {
	e := &entry{mark: mark, isKept: len(found) <= mostPatches && !mark.Fresh(filemark.Settled)}
	for _, f := range found {
		if e.isKept {
			e.patches = append(e.patches, patch{int64(f.Start), int64(f.End), f.Replacement})
		}
		i := slices.IndexFunc(e.found, func(o Found) bool { return o.Rule == f.Rule && o.Kind == f.Kind })
		if i < 0 {
			i = len(e.found)
			e.found = append(e.found, Found{Rule: f.Rule, Kind: f.Kind, Line: f.Line, Column: f.Column})
		}
		e.found[i].Count++
	}
	slices.SortFunc(e.found, func(a, b Found) int { return cmp.Or(strings.Compare(a.Rule, b.Rule), strings.Compare(a.Kind, b.Kind)) })
	return e
}
