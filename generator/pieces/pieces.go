// Package pieces writes files that are made of pieces, of which those that have not changed are copied
// from the file as it was: a large file costs the making of what is new in it.
//
//	all, err := pieces.Write(w, from, old, func(w *pieces.Writer) error {
//		for rs := range pieces.Chunks(results, 64) {
//			_, err := w.Add(func(s *result.Stamper) { s.Results(rs) }, func(w io.Writer) ([]byte, error) { … })
//			…
//
// The bytes are the same whatever is copied.
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
	Key   result.Stamp // of what it was made from; zero for one that is made every time
	Bytes int64
	Note  []byte // what its maker wants to know of it when it is not made again
}

// File is a file as it was written.
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
	begin, n int64 // of the old file: what is to be copied next
	scratch  bytes.Buffer
	keyless  bool // nobody asks for the pieces
}

// place is where the old file has a piece.
type place struct {
	index int
	at    int64
}

// Pieces are large and pass their buffer by: what it joins are the short ones between them, and what is copied.
const (
	bufferSize = 256 << 10
	shortSize  = 16 << 10 // where nothing is copied
)

// Write has a file written to w, and returns its pieces. From is of what all of them are made from, as the
// program is; old is nil where there is no file.
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

// Whole has a file written of which nothing is there, and nothing is kept.
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

// Size is of all pieces so far, in bytes.
func (w *Writer) Size() int64 { return w.size }

// Add adds a piece. Key adds what it is made from to a stamp; a piece without one is made every time. Make makes
// it and returns its note, which is that of the copied piece where there is one.
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

// batch is how many pieces are made at once, at most.
const batch = 16

// AddEach adds a piece for each of the chunks of results, in their order. Key is as that of Add. Pieces are made on
// all cores: maker is called once on each, and what it returns writes the results of one piece after the other.
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

// lookup returns a piece with its key, and whether the old file has it, and where.
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

// put adds a piece that was made.
func (w *Writer) put(one Piece, data []byte) error {
	if err := w.copy(); err != nil {
		return err
	}
	one.Bytes = int64(len(data))
	_, err := w.to.Write(data)
	w.add(one)
	return err
}

// keep has a piece of the old file copied, with those that follow it.
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

// copy copies what was kept so far.
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

// Chunks divides results into chunks of about so many, by their ids alone: one more result changes one
// of them, or two.
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

// hash is FNV-1a with its bits mixed, as the lowest of similar texts are similar.
func hash(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	h ^= h >> 16
	h *= 0x7feb352d
	return h ^ h>>15
}
