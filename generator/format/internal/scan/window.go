package scan

import (
	"bytes"
	"io"
)

// Window is a view of fixed size that slides along a stream. Buf[Pos:End] has been read and not yet taken.
type Window struct {
	R        io.Reader
	Buf      []byte
	Pos, End int
	base     int64 // offset of Buf[0] in the stream
	Err      error // the reader's last error; io.EOF at the end
}

// fill makes room at the end and reads more into it. It returns false if nothing was read: the stream has ended, or the
// window is full.
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

// Peek returns at least n bytes without taking them, fewer at the end of the stream.
func (w *Window) Peek(n int) []byte {
	for w.End-w.Pos < n && w.fill() {
	}
	return w.Buf[w.Pos:w.End]
}

// Line is the text between two line ends. A carriage return also ends a line, so that each update of a progress bar is
// a line, but only newlines are counted. A carriage return with a newline is one line end.
type Line struct {
	Text   []byte // without the line end; valid until the next line
	Number int    // number of the physical line, from 1
	Ended  bool   // false for a last line without line end, which may be cut
}

// Lines splits a stream into lines. Only the beginning of a line longer than the window is returned.
type Lines struct {
	W      *Window
	Number int
	long   bool // the rest of a long line is to be skipped
}

func (l *Lines) Next() (Line, bool) {
	w := l.W
	for {
		data := w.Buf[w.Pos:w.End]
		if end := lineEnd(data); end >= 0 {
			last := end // byte of the line's end
			if data[end] == '\r' {
				if end+1 == len(data) && w.fill() {
					continue // the next byte may be the newline that belongs to it
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
		// The stream has ended, or the window is filled by this line.
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

// lineEnd returns the index of the first newline or carriage return, or -1.
func lineEnd(data []byte) int {
	const step = 512 // limits the search, so that a long line is not searched again and again for a carriage return
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
