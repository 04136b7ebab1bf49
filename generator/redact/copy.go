package redact

import (
	"bytes"
	"errors"
	"io"
	"slices"
)

// A stream is looked at through a window. What is found depends on no more than reach
// bytes before it and after its begin; so a window is settled but for its last reach
// bytes, and the next one begins with what went before.
const (
	windowSize = 1 << 20
	reach      = 64 << 10
	behind     = 8 << 10
	leastRead  = 16 << 10
)

// Copy writes what it reads with all that is found replaced. It holds a window of the
// stream, however long its lines.
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

// Reader reads a stream with all that is found replaced, as Copy writes it.
type Reader struct {
	redactor *Redactor
	src      io.Reader
	name     string
	size     int // of a window

	out   []byte // what is settled of the last window
	at    int    // how much of it was read
	found []Finding
	buf   []byte // behind bytes that are done with, then what is to be looked at
	done  int    // of buf
	base  int    // where buf begins in the stream
	enc   encoding
	lines lineCounter
	first bool // nothing was read yet
	last  bool // all was read
}

// Reader returns a stream as it is once all that is found is replaced.
func (r *Redactor) Reader(src io.Reader, name string) *Reader { return r.reader(src, name, windowSize) }

func (r *Redactor) reader(src io.Reader, name string, size int) *Reader {
	return &Reader{redactor: r, src: src, name: name, size: size, first: true}
}

// Found returns what was found in what was read.
func (in *Reader) Found() []Finding { return in.found }

// Read is that of io.Reader.
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

// next settles the next window. It returns io.EOF where there is none.
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
		for i := len(all) - 1; i >= 0; i-- { // what reaches over the cut waits for the next window
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

// fill reads a window more, or what is left. Most streams are shorter than one: room is made as it is needed.
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
