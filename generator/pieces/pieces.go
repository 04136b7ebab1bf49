// Package pieces writes files that consist of pieces. Pieces that have not changed are copied from the previous
// version of the file, so updating a large file costs only the making of what is new.
//
//	all, err := pieces.Write(w, from, old, func(w *pieces.Writer) error {
//		for rs := range pieces.Chunks(results, 64) {
//			_, err := w.Add(func(s *result.Stamper) { s.Results(rs) }, func(w io.Writer) ([]byte, error) { … })
//			…
//
// The bytes of the file do not depend on which pieces were copied.
package pieces

import (
	"bufio"
	"bytes"
	"io"
	"iter"
	"slices"

	"github.com/benchpost/benchpost/generator/cores"
	"github.com/benchpost/benchpost/generator/result"
)

// Piece is a part of a file.
type Piece struct {
	Key   result.Stamp // of its inputs; zero for a piece that is always made anew
	Bytes int64
	Note  []byte // what its maker needs when the piece is copied
}

// File is the previous version of a file.
type File struct {
	io.ReaderAt
	Pieces []Piece
}

// Writer writes a file.
type Writer struct {
	to       *bufio.Writer
	from     result.Stamp
	old      *File
	places   map[result.Stamp]place
	pieces   []Piece
	size     int64
	begin, n int64 // range of the old file that is to be copied next
	scratch  bytes.Buffer
	keyless  bool // pieces have no keys: nothing is copied or kept
}

// place is the position of a piece in the old file.
type place struct {
	index int
	at    int64
}

// Sizes of the output buffer. Large pieces bypass it; it joins the short ones between them, and copied ranges.
const (
	bufferSize = 256 << 10
	shortSize  = 16 << 10 // when nothing is copied
)

// Write writes a file to w by calling write, and returns its pieces. from is a stamp of inputs that all pieces
// have in common, such as the program. old is nil if there is no previous version.
func Write(w io.Writer, from result.Stamp, old *File, write func(*Writer) error) ([]Piece, error) {
	p := newWriter(w, bufferSize)
	p.from, p.old = from, old
	if old != nil {
		at := int64(0)
		for i := range old.Pieces {
			p.places[old.Pieces[i].Key] = place{i, at}
			at += old.Pieces[i].Bytes
		}
	}
	if err := write(p); err != nil {
		return nil, err
	}
	if err := p.copy(); err != nil {
		return nil, err
	}
	return p.pieces, p.to.Flush()
}

// Whole writes a file by calling write, without a previous version. Its pieces cannot be copied later.
func Whole(w io.Writer, write func(*Writer) error) error {
	p := newWriter(w, shortSize)
	p.keyless = true
	if err := write(p); err != nil {
		return err
	}
	return p.to.Flush()
}

func newWriter(w io.Writer, size int) *Writer {
	return &Writer{to: bufio.NewWriterSize(w, size), places: map[result.Stamp]place{}}
}

// Size is the number of bytes of all pieces so far.
func (w *Writer) Size() int64 { return w.size }

// Add adds a piece. key adds the inputs of the piece to a stamp; if key is nil, the piece is always made anew.
// make writes the piece and returns its note. If the piece is copied, make is not called, and Add returns the
// note of the copied piece.
func (w *Writer) Add(key func(*result.Stamper), make func(io.Writer) (note []byte, err error)) (note []byte, err error) {
	one, at, kept := w.lookup(key)
	if kept {
		return w.keep(one, at)
	}
	w.scratch.Reset()
	if one.Note, err = make(&w.scratch); err != nil {
		return nil, err
	}
	return one.Note, w.put(one, w.scratch.Bytes())
}

// batch is the maximum number of pieces that are made at once.
const batch = 16

// AddEach adds a piece for each chunk of results, in order. key is as in [Writer.Add]. Pieces are made on all
// cores: maker is called once for each core, and the function it returns writes the pieces of that core, one
// after another.
func (w *Writer) AddEach(results []*result.Result, about int, key func([]*result.Result) func(*result.Stamper), maker func() func(io.Writer, []*result.Result) error) error {
	type piece struct {
		Piece
		at      int64
		kept    bool
		results []*result.Result
		data    bytes.Buffer
		err     error
	}
	var all [batch]piece
	var makers []func(io.Writer, []*result.Result) error
	for range cores.Count() {
		makers = append(makers, maker())
	}
	for chunks := range slices.Chunk(slices.Collect(Chunks(results, about)), batch) {
		for i, rs := range chunks {
			p := &all[i]
			p.results = rs
			p.Piece, p.at, p.kept = w.lookup(key(rs))
		}
		cores.EachOn(len(chunks), func(core, i int) {
			if p := &all[i]; !p.kept {
				p.data.Reset()
				p.err = makers[core](&p.data, p.results)
			}
		})
		for i := range chunks {
			p := &all[i]
			err := p.err
			switch {
			case p.kept:
				_, err = w.keep(p.Piece, p.at)
			case err == nil:
				err = w.put(p.Piece, p.data.Bytes())
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// lookup returns a piece with its key, whether the old file has this piece, and its position there.
func (w *Writer) lookup(key func(*result.Stamper)) (one Piece, at int64, kept bool) {
	if key == nil || w.keyless {
		return Piece{}, 0, false
	}
	var s result.Stamper
	s.Stamp(w.from)
	key(&s)
	one.Key = s.Sum()
	if p, ok := w.places[one.Key]; ok {
		return w.old.Pieces[p.index], p.at, true
	}
	return one, 0, false
}

// put adds a piece that was made anew.
func (w *Writer) put(one Piece, data []byte) error {
	if err := w.copy(); err != nil {
		return err
	}
	one.Bytes = int64(len(data))
	_, err := w.to.Write(data)
	w.add(one)
	return err
}

// keep adds a piece that is copied from the old file. Adjacent pieces are copied together later.
func (w *Writer) keep(one Piece, at int64) (note []byte, err error) {
	if w.begin+w.n != at {
		if err := w.copy(); err != nil {
			return nil, err
		}
		w.begin = at
	}
	w.n += one.Bytes
	w.add(one)
	return one.Note, nil
}

func (w *Writer) add(one Piece) {
	w.pieces = append(w.pieces, one)
	w.size += one.Bytes
}

// copy copies the range of the old file that keep has collected.
func (w *Writer) copy() error {
	n := w.n
	w.n = 0
	if n == 0 {
		return nil
	}
	_, err := io.CopyN(w.to, io.NewSectionReader(w.old, w.begin, n), n)
	w.begin += n
	return err
}

// Chunks divides results into chunks of about the given size. The ids alone decide the borders, so one more
// result changes only one or two chunks.
func Chunks(results []*result.Result, about int) iter.Seq[[]*result.Result] {
	least, most := about/2, 4*about
	return func(yield func([]*result.Result) bool) {
		begin := 0
		for i, r := range results {
			n := i + 1 - begin
			if n >= least && hash(r.ID)%uint32(least) == 0 || n == most || i == len(results)-1 {
				if !yield(results[begin : i+1]) {
					return
				}
				begin = i + 1
			}
		}
	}
}

// hash is FNV-1a with mixed bits: without the mixing, the lowest bits of similar texts are similar.
func hash(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	h ^= h >> 16
	h *= 0x7feb352d
	return h ^ h>>15
}
