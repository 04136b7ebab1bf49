package unwrap

import (
	"bytes"
	"io"
	"sync"

	"golang.org/x/text/transform"

	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

const (
	size     = 64 << 10 // bytes of a file that are processed together
	padding  = 16       // minimum number of zeros, as in a file that was truncated while it was written
	maxDepth = 6        // maximum number of prefixes of one line
	fewest   = 3        // consecutive lines that confirm a prefix which may be a tool's own text
	maxAbove = 200      // lines kept from before a program's first line, because they may describe its run
	maxLine  = 4 << 10  // bytes kept of each of these lines
)

// Reader reads the text in a file. Its memory is reused for one file after the other.
type Reader struct {
	Left     int  // first line of the file that is left out because there are too many programs; 0 for none
	Cut      bool // the file holds more text than is read
	Doubted  bool // consecutive lines seem to have a prefix that was not removed
	Preamble int  // number of lines of the text before the first line of a program
	Broken   Broken

	src      io.Reader
	err      error // of src; io.EOF at its end
	buf      []byte
	from, to int    // range of buf that is not processed yet
	size     int    // bytes of the file read so far
	made     []byte // text with the wrapping removed
	out      []byte // text to be returned; a slice of buf or made
	scratch  []byte
	decoded  bool   // the encoding has been detected
	begun    bool   // some of the text has been returned
	plain    bool   // nothing is to be removed
	eager    bool   // several consecutive lines are evidence enough
	returns  bool   // lines end with a carriage return alone
	inside   bool   // inside a line that is longer than buf
	goesOn   bool   // the last line continues in the next
	file     int    // line of the file at from
	text     int    // next line of the text
	lines    []line // lines in buf
	signs    signs
	hopeless uint64 // bit set of prefixes that are not searched for
	known    uint64 // bit set of prefixes that were confirmed
	page     page
	frame    frame
	waiting  int // index of the line that begins a table whose end has not been read yet; 0 for none

	in    runs  // lines of the text
	outer *runs // lines of the container's content; nil for no container

	open    func() io.WriteCloser
	sources map[string]string // interned sources
	pids    map[string]string // process IDs by name, of one program that names its processes
	above   []line            // lines of the text before the first line of a program, a ring buffer
	kept    int               // how many lines were added to above
	several bool              // a program's line has been seen
	streams []*stream
}

// line is a line being processed.
type line struct {
	raw    int    // where it begins in the data that was split
	text   []byte // its text after removal of prefixes, without the line end
	file   int
	source string // the program that wrote it; "" for the text itself
	named  bool   // its prefix names a process of the one program that writes
	ended  bool   // it has a line end
	frame  bool   // it is before or after the text, not part of it
	goesOn bool   // the next line of its source continues it
	gone   bool   // it is removed completely

	had   uint64 // bit set of prefixes that were removed
	maybe uint8  // one more than the index of a prefix that it may have and that needs confirmation; 0 for none
	rest  []byte // its text without that prefix
	of    string // its source according to that prefix
}

// Reset starts with another file. open is called for each further program that wrote to the file, and returns the
// writer for its text. If open is nil, all lines are one text.
func (r *Reader) Reset(src io.Reader, open func() io.WriteCloser) {
	kept := *r
	if kept.buf == nil {
		kept.buf = make([]byte, size)
	}
	*r = Reader{src: src, buf: kept.buf, made: kept.made[:0], scratch: kept.scratch[:0], lines: kept.lines[:0], above: kept.above[:0], open: open, file: 1, text: 1}
}

// Head returns the unchanged beginning of the file, up to 64 KB. It must be called before Read.
func (r *Reader) Head() []byte {
	r.fill()
	return r.buf[r.from:r.to]
}

// Lines returns the line mapping of a text: n is 0 for the text that Read returns, or the number of the program in the
// order of the calls of open.
func (r *Reader) Lines(n int) Lines {
	if n == 0 {
		return Lines{&r.in, r.outer}
	}
	return Lines{&r.streams[n-1].in, r.outer}
}

// readers pools Readers, because each has a buffer of 64 KB.
var readers = sync.Pool{New: func() any { return new(Reader) }}

// SameLines returns the text in a part of a file, if unwrapping changes no line numbers. Otherwise it returns data
// unchanged.
func SameLines(data []byte) []byte {
	r := readers.Get().(*Reader)
	defer readers.Put(r)
	r.Reset(bytes.NewReader(data), nil)
	text := bytes.NewBuffer(make([]byte, 0, len(data)+bytes.MinRead)) // with room to be read in one go
	if _, err := text.ReadFrom(r); err == nil && !r.Lines(0).Shifted() && bytes.Count(text.Bytes(), []byte{'\n'}) == bytes.Count(data, []byte{'\n'}) {
		return text.Bytes()
	}
	return data
}

// Leave makes the reader return the file unchanged.
func (r *Reader) Leave() { r.plain = true }

// Insist makes the reader remove every prefix that several consecutive lines have, even if other lines do not have it.
func (r *Reader) Insist() { r.eager = true }

// Whole returns the whole file, if it is not larger than the buffer.
func (r *Reader) Whole() ([]byte, bool) {
	if r.size >= len(r.buf) || r.outer != nil {
		return nil, false
	}
	return r.buf[:r.size], true
}

// fill fills the buffer. At first it also detects the encoding.
func (r *Reader) fill() {
	r.read()
	if !r.decoded {
		r.decoded = true
		if e := encodingOf(r.buf[r.from:r.to]); e != nil {
			raw := io.MultiReader(bytes.NewReader(bytes.Clone(r.buf[r.from:r.to])), r.rest())
			r.src, r.err, r.from, r.to, r.size = transform.NewReader(raw, e.NewDecoder()), nil, 0, 0, 0
			r.read()
		}
	}
}

func (r *Reader) read() {
	if r.from > 0 {
		r.to = copy(r.buf, r.buf[r.from:r.to])
		r.from = 0
	}
	for idle := 0; r.to < len(r.buf) && r.err == nil; {
		n, err := r.src.Read(r.buf[r.to:])
		r.to += n
		r.size += n
		r.err = err
		if idle++; n > 0 {
			idle = 0
		} else if idle == 100 {
			r.err = io.ErrNoProgress
		}
	}
}

// Read returns the text. At the end of the text it closes the streams of the other programs.
func (r *Reader) Read(p []byte) (int, error) {
	for len(r.out) == 0 {
		if r.from == r.to && r.err != nil {
			r.close()
			return 0, r.err
		}
		r.next()
	}
	n := copy(p, r.out)
	r.out = r.out[n:]
	return n, nil
}

// close flushes and closes the other streams.
func (r *Reader) close() {
	for _, s := range r.streams {
		s.flush()
		s.to.Close()
	}
}

// next processes the next part of the file.
func (r *Reader) next() {
	r.fill()
	if !r.begun && !r.plain {
		r.enter()
	}
	data := r.buf[r.from:r.to]
	switch {
	case r.plain:
		r.out, r.from = data, r.to
		return
	case r.inside: // in a line that is longer than the buffer
		end := bytes.IndexByte(data, '\n') + 1
		if r.inside = end == 0; r.inside {
			end = len(data)
		} else {
			r.file++
			r.text++
		}
		r.out, r.from = data[:end], r.from+end
		return
	}
	if !r.begun && (r.err != nil || !isBar(data)) && bytes.IndexByte(data, '\n') < 0 && bytes.Count(data, []byte{'\r'}) >= fewest {
		r.returns = true
	}
	if !r.begun {
		data = bytes.TrimPrefix(data, byteOrder)
		r.from = r.to - len(data)
	}
	whole := !r.begun
	r.begun = true
	last := r.err != nil
	if end := byte('\n'); !last {
		if r.returns {
			end = '\r'
		}
		end := bytes.LastIndexByte(data, end) + 1
		if r.inside = end == 0; !r.inside {
			data = data[:end]
		}
	}
	r.split(data)
	changed := r.strip(data, whole && last)
	if !changed {
		n := bytes.Count(data, []byte{'\n'})
		r.in.add(r.text, r.file)
		r.file, r.text = r.file+n, r.text+n
		r.out, r.from = data, r.from+len(data)
		return
	}
	n := len(r.lines)
	if !last && !r.inside {
		n = r.decided()
	}
	r.made = r.made[:0]
	for i := range r.lines[:n] {
		if !r.lines[i].gone {
			r.emit(&r.lines[i])
		}
	}
	if n < len(r.lines) {
		data = data[:r.lines[n].raw]
	}
	if !r.returns {
		r.file += bytes.Count(data, []byte{'\n'})
	}
	r.out, r.from = r.made, r.from+len(data)
}

// split splits data into lines.
func (r *Reader) split(data []byte) {
	r.lines = r.lines[:0]
	r.scratch = r.scratch[:0]
	end, number := byte('\n'), r.file
	if r.returns {
		end = '\r'
	}
	for at := 0; at < len(data); {
		l := line{raw: at, file: number}
		n := bytes.IndexByte(data[at:], end)
		if l.ended = n >= 0; l.ended {
			l.text = data[at : at+n]
			at += n + 1
			if !r.returns {
				number++
			}
		} else {
			l.text = data[at:]
			at = len(data)
		}
		r.lines = append(r.lines, l)
	}
}

// strip removes the wrapping of the lines of data. whole says that data is the whole file. It reports whether anything
// changed.
func (r *Reader) strip(data []byte, whole bool) bool {
	r.signs, r.waiting = signsOf(data), 0
	if r.hopeless = 0; r.Doubted && !whole && !r.eager { // prefixes that all lines must have are not searched for again
		r.hopeless = ofLoggers &^ r.known
	}
	if !r.signs.pre && !r.page.inside { // in <pre> bytes may be encoded
		r.hopeless |= lacking(data)
	}
	changed := r.returns
	if r.signs.parts {
		for i := range r.lines { // before anything that may be cut in two parts
			if l := &r.lines[i]; len(l.text) > 0 && scan.IsDigit(l.text[0]) {
				if f, ok := cri(l.text); ok {
					l.text, l.goesOn = f.rest, f.goesOn
				}
			}
		}
		r.join()
		changed = true
	}
	for i := range r.lines {
		l := &r.lines[i]
		n := len(l.text)
		l.text = r.shown(l.text, l.ended)
		changed = changed || len(l.text) != n || r.signs.controls
		changed = (r.signs.pre || r.page.inside) && r.page.line(l) || changed
		if l.frame = r.frame.has(l.text); !l.frame {
			changed = r.prefixes(l) || changed
		}
	}
	if r.signs.quoted || r.signs.parts {
		r.join()
	}
	for range maxDepth {
		if !r.confirm(whole) {
			break
		}
		changed = true
	}
	if r.signs.tables || r.signs.quoted || r.signs.pre || r.page.inside { // < may be encoded in these texts
		changed = r.tables() || changed
	}
	return changed
}

var byteOrder = []byte("\ufeff")

// join joins the parts of lines that a container runtime has cut.
func (r *Reader) join() {
	kept := 0
	for i := 0; i < len(r.lines); i++ {
		l := r.lines[i]
		if l.goesOn {
			from := len(r.scratch)
			r.scratch = append(r.scratch, l.text...)
			for l.goesOn && i+1 < len(r.lines) {
				i++
				r.scratch = append(r.scratch, r.lines[i].text...)
				l.goesOn, l.ended = r.lines[i].goesOn, r.lines[i].ended
			}
			l.text = r.scratch[from:len(r.scratch):len(r.scratch)]
			if l.had != 0 {
				r.prefixes(&l)
			}
		}
		r.lines[kept] = l
		kept++
	}
	r.lines = r.lines[:kept]
}
