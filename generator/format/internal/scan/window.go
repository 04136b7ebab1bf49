package scan

import (
	"bytes"
	"io"
)

// Window is a view of fixed size that slides along a stream: what has been
// read and not yet taken is buf[pos:end].
type Window struct {
	R        io.Reader
	Buf      []byte
	Pos, End int
	base     int64 // offset of buf[0] in the stream
	Err      error // what the reader said last; io.EOF at the end
}

// fill makes room at the end and reads more into it. It reports false when
// nothing came: the stream has ended, or the window is full.
func (w *Window) fill() bool {
	if w.Err != nil {
		return false
	}
	w.base += int64(w.Pos)
	w.End = copy(w.Buf, w.Buf[w.Pos:w.End])
	w.Pos = 0
	if w.End == len(w.Buf) {
		return false
	}
	for range 100 {
		n, err := w.R.Read(w.Buf[w.End:])
		w.End += n
		w.Err = err
		if n > 0 {
			return true
		}
		if err != nil {
			return false
		}
	}
	w.Err = io.ErrNoProgress
	return false
}

// Peek returns at least n bytes without taking them, fewer at the end.
func (w *Window) Peek(n int) []byte {
	for w.End-w.Pos < n && w.fill() {
	}
	return w.Buf[w.Pos:w.End]
}

// Line is what is between two line ends. A carriage return ends a line as
// well, so that each state of a progress bar is one, but only a newline counts;
// the two together are one end.
type Line struct {
	Text   []byte // valid until the next
	Number int    // of the physical line, from 1
	Ended  bool   // false for a last line without an end: it may be cut
}

// Lines splits a stream into lines. Of a line longer than the window only the
// beginning is given.
type Lines struct {
	W      *Window
	Number int
	long   bool // the rest of a long line is to be left out
}

func (l *Lines) Next() (Line, bool) {
	w := l.W
	for {
		data := w.Buf[w.Pos:w.End]
		if end := lineEnd(data); end >= 0 {
			last := end // byte of the line's end
			if data[end] == '\r' {
				if end+1 == len(data) && w.fill() {
					continue // what follows may be the newline that belongs to it
				}
				if end+1 < len(data) && data[end+1] == '\n' {
					last++
				}
			}
			w.Pos += last + 1
			got := Line{data[:end], l.Number, true}
			if data[last] == '\n' {
				l.Number++
			}
			if l.long {
				l.long = false
				continue
			}
			return got, true
		}
		if w.fill() {
			continue
		}
		// The stream has ended, or the window holds nothing but this line.
		data = w.Buf[w.Pos:w.End]
		if len(data) == 0 {
			return Line{}, false
		}
		w.Pos = w.End
		if l.long {
			continue
		}
		l.long = w.Err == nil
		return Line{data, l.Number, false}, true
	}
}

// lineEnd finds the first newline or carriage return, -1 when there is none.
func lineEnd(data []byte) int {
	const step = 512 // so that the end of a long line is not looked for again and again
	for from := 0; from < len(data); from += step {
		part := data[from:min(from+step, len(data))]
		nl := bytes.IndexByte(part, '\n')
		if nl < 0 {
			nl = len(part)
		}
		if cr := bytes.IndexByte(part[:nl], '\r'); cr >= 0 {
			return from + cr
		}
		if nl < len(part) {
			return from + nl
		}
	}
	return -1
}
