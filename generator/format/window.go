package format

import (
	"bytes"
	"io"
)

// window is a view of fixed size that slides along a stream: what has been
// read and not yet taken is buf[pos:end].
type window struct {
	r        io.Reader
	buf      []byte
	pos, end int
	base     int64 // offset of buf[0] in the stream
	err      error // what the reader said last; io.EOF at the end
}

// fill makes room at the end and reads more into it. It reports false when
// nothing came: the stream has ended, or the window is full.
func (w *window) fill() bool {
	if w.err != nil {
		return false
	}
	w.base += int64(w.pos)
	w.end = copy(w.buf, w.buf[w.pos:w.end])
	w.pos = 0
	if w.end == len(w.buf) {
		return false
	}
	for range 100 {
		n, err := w.r.Read(w.buf[w.end:])
		w.end += n
		w.err = err
		if n > 0 {
			return true
		}
		if err != nil {
			return false
		}
	}
	w.err = io.ErrNoProgress
	return false
}

// peek gives at least n bytes without taking them, fewer at the end.
func (w *window) peek(n int) []byte {
	for w.end-w.pos < n && w.fill() {
	}
	return w.buf[w.pos:w.end]
}

// line is what stands between two line ends. A carriage return ends a line as
// well, so that each state of a progress bar is one, but only a newline counts;
// the two together are one end.
type line struct {
	text   []byte // valid until the next
	number int    // of the physical line, from 1
	ended  bool   // false for a last line without an end: it may be cut
}

// lines splits a stream into lines. Of a line longer than the window only the
// beginning is given.
type lines struct {
	w      *window
	number int
	long   bool // the rest of a long line is to be left out
}

func (l *lines) next() (line, bool) {
	w := l.w
	for {
		data := w.buf[w.pos:w.end]
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
			w.pos += last + 1
			got := line{data[:end], l.number, true}
			if data[last] == '\n' {
				l.number++
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
		data = w.buf[w.pos:w.end]
		if len(data) == 0 {
			return line{}, false
		}
		w.pos = w.end
		if l.long {
			continue
		}
		l.long = w.err == nil
		return line{data, l.number, false}, true
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
