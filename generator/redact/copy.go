package redact

import (
	"bytes"
	"errors"
	"io"
	"slices"
)

// A stream is searched through a window. A finding depends on at most reach bytes before and after its beginning. So
// everything in a window except its last reach bytes is final, and the next window begins with a few bytes of context.
const (
	windowSize = 1 << 20
	reach      = 64 << 10
	behind     = 8 << 10
	leastRead  = 16 << 10
)

// Copy copies a stream with all findings replaced. It keeps only a window in memory, however long the lines are.
func (r *Redactor) Copy(dst io.Writer, src io.Reader, name string) ([]Finding, error) {
	return r.copy(dst, src, name, windowSize)
}

func (r *Redactor) copy(dst io.Writer, src io.Reader, name string, size int) ([]Finding, error) {
	in := r.reader(src, name, size)
	for {
		if err := in.next(); err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return in.found, err
		}
		if _, err := dst.Write(in.out); err != nil {
			return in.found, err
		}
	}
}

// Reader reads a stream with all findings replaced. It gives the same bytes as Copy.
type Reader struct {
	redactor *Redactor
	src      io.Reader
	name     string
	size     int // of a window in bytes

	out   []byte // final output of the last window
	at    int    // how much of out was read
	found []Finding
	buf   []byte // some bytes of context that are done, then the text to search
	done  int    // how much of buf is done
	base  int    // offset of buf in the stream
	enc   encoding
	lines lineCounter
	first bool // nothing was read so far
	last  bool // everything was read
}

// Reader returns a stream with all findings of src replaced.
func (r *Redactor) Reader(src io.Reader, name string) *Reader { return r.reader(src, name, windowSize) }

func (r *Redactor) reader(src io.Reader, name string, size int) *Reader {
	return &Reader{redactor: r, src: src, name: name, size: size, first: true}
}

// Found returns the findings in what was read so far.
func (in *Reader) Found() []Finding { return in.found }

// Read implements io.Reader.
func (in *Reader) Read(p []byte) (int, error) {
	for in.at == len(in.out) {
		if err := in.next(); err != nil {
			return 0, err
		}
		in.at = 0
	}
	n := copy(p, in.out[in.at:])
	in.at += n
	return n, nil
}

// next processes the next window. It returns io.EOF when there is none.
func (in *Reader) next() error {
	in.out, in.at = nil, 0
	if in.last {
		return io.EOF
	}
	if err := in.fill(); err != nil {
		return err
	}
	if in.first {
		in.enc, in.first = encodingOf(in.buf), false
	}
	all := in.redactor.find(window{name: in.name, text: in.buf, enc: in.enc, from: in.done, first: in.base == 0, last: in.last})
	cut := len(in.buf)
	if !in.last {
		cut = max(in.done, len(in.buf)-reach)
		cut -= (in.base + cut) % in.enc.unit()
		for i := len(all) - 1; i >= 0; i-- { // a finding across the cut is left to the next window
			if all[i].end > cut && all[i].start < cut {
				cut = all[i].start
			}
		}
	}
	var out bytes.Buffer
	for _, c := range all {
		if c.start >= cut {
			break
		}
		f := in.redactor.finding(c, &in.lines, in.buf, in.base, in.enc)
		out.Write(in.buf[in.done:c.start])
		out.Write(in.enc.encode(f.Replacement))
		in.found = append(in.found, f)
		in.done = c.end
	}
	out.Write(in.buf[in.done:cut])
	in.out = out.Bytes()
	if in.last {
		return nil
	}
	in.lines.position(in.buf, cut, in.enc)
	drop := max(0, cut-behind)
	drop -= (in.base + drop) % in.enc.unit()
	in.buf = append(in.buf[:0], in.buf[drop:]...)
	in.done, in.base = cut-drop, in.base+drop
	in.lines.at -= drop
	in.lines.begin -= drop
	return nil
}

// fill reads up to one more window. Most streams are shorter than that, so the buffer grows only as needed.
func (in *Reader) fill() error {
	for missing := in.size; missing > 0 && !in.last; {
		in.buf = slices.Grow(in.buf, min(missing, leastRead))
		n, err := io.ReadFull(in.src, in.buf[len(in.buf):min(cap(in.buf), len(in.buf)+missing)])
		in.buf = in.buf[:len(in.buf)+n]
		missing -= n
		in.last = errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !in.last {
			return err
		}
	}
	return nil
}
