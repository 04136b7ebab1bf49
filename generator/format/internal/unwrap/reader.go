package unwrap

import (
	"bytes"
	"io"
	"sync"

	"golang.org/x/text/transform"

	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

const (
	size     = 64 << 10 // bytes of a file that are looked at together
	padding  = 16       // zeros, as are in a file that was emptied while it was written
	maxDepth = 6        // prefixes of one line
	fewest   = 3        // lines in a row that confirm a prefix which might be a tool's own
	maxAbove = 200      // lines before those of a program that may tell of its run, and
	maxLine  = 4 << 10  // bytes of each
)

// Reader reads the text in a file. Its memory is used for one file after the other.
type Reader struct {
	Left     int  // line of the file from which on lines of further programs are left out; 0 for none
	Cut      bool // the file holds more text than is read
	Doubted  bool // lines in a row begin as with a prefix that was left on
	Preamble int  // lines of the text before the first line of a program
	Broken   Broken

	src      io.Reader
	err      error // of src; io.EOF at its end
	buf      []byte
	from, to int    // what of buf is not yet looked at
	size     int    // of the file; more than is known
	made     []byte // text without what is around it
	out      []byte // what is to be handed out: of buf, or of made
	scratch  []byte
	decoded  bool   // the encoding is known
	begun    bool   // something of the text was handed out
	plain    bool   // nothing is to be taken off
	eager    bool   // several lines in a row are evidence enough
	returns  bool   // lines end with a carriage return alone
	inside   bool   // of a line that is longer than buf
	goesOn   bool   // the last line goes on in the next
	file     int    // line of the file at from
	text     int    // line of the text that comes next
	lines    []line // of buf
	signs    signs
	hopeless uint64 // prefixes that are not looked for, by their index
	known    uint64 // prefixes that were confirmed, by their index in prefixes
	page     page
	frame    frame
	waiting  int // which of the lines begins a table whose end is not read yet; 0 for none

	in    runs  // lines of the text
	outer *runs // lines of what the container held; nil for no container

	open    func() io.WriteCloser
	sources map[string]string // each of them once
	pids    map[string]string // of the processes of one program that names them
	above   []line            // lines of the text before the first line of a program
	kept    int               // how many there were
	several bool              // a program wrote a line
	streams []*stream
}

// line is a line that is looked at.
type line struct {
	raw    int    // where it begins in buf
	text   []byte // what is left of it, without its end
	file   int
	source string // of it; "" for the text itself
	named  bool   // a process of the one program that writes was named before it
	ended  bool   // it has an end
	frame  bool   // it is before or behind the text
	goesOn bool   // the next line of its source is part of it
	gone   bool   // nothing is left of it

	had   uint64 // prefixes that were taken off, by their indices
	maybe uint8  // one more than the index of a prefix that it may have and others must confirm
	rest  []byte // what is left without that
	of    string // and its source
}

// Reset begins with another file. Open is called for each further program that wrote to
// it, and returns where its text goes; nil takes the lines of all for one text.
func (r *Reader) Reset(src io.Reader, open func() io.WriteCloser) {
	kept := *r
	if kept.buf == nil {
		kept.buf = make([]byte, size)
	}
	*r = Reader{src: src, buf: kept.buf, made: kept.made[:0], scratch: kept.scratch[:0], lines: kept.lines[:0], above: kept.above[:0], open: open, file: 1, text: 1}
}

// Head returns the beginning of the file as it is, 64 KB where it has so many. It is
// called before Read.
func (r *Reader) Head() []byte {
	r.fill()
	return r.buf[r.from:r.to]
}

// Lines returns where the lines of the text are in the file: with 0 of the one that Read
// returns, with n of the n-th that was opened.
func (r *Reader) Lines(n int) Lines {
	if n == 0 {
		return Lines{&r.in, r.outer}
	}
	return Lines{&r.streams[n-1].in, r.outer}
}

// readers take one part after the other: each has a buffer of 64 KB.
var readers = sync.Pool{New: func() any { return new(Reader) }}

// SameLines returns the text in part of a file, if each of its lines is in the line of the
// same number; else that part as it is.
func SameLines(data []byte) []byte {
	r := readers.Get().(*Reader)
	defer readers.Put(r)
	r.Reset(bytes.NewReader(data), nil)
	text := bytes.NewBuffer(make([]byte, 0, len(data)+bytes.MinRead)) // read in one go
	if _, err := text.ReadFrom(r); err == nil && !r.Lines(0).Shifted() && bytes.Count(text.Bytes(), []byte{'\n'}) == bytes.Count(data, []byte{'\n'}) {
		return text.Bytes()
	}
	return data
}

// Leave takes nothing off this file.
func (r *Reader) Leave() { r.plain = true }

// Insist takes every prefix off that several lines in a row have, also where other lines
// do not have it.
func (r *Reader) Insist() { r.eager = true }

// Whole returns the file, if it is not larger than Head.
func (r *Reader) Whole() ([]byte, bool) {
	if r.size >= len(r.buf) || r.outer != nil {
		return nil, false
	}
	return r.buf[:r.size], true
}

// fill reads as much as there is room for.
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

// Read returns the text. At its end the other streams are closed.
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

// close ends the other streams.
func (r *Reader) close() {
	for _, s := range r.streams {
		s.flush()
		s.to.Close()
	}
}

// next looks at what comes next of the file.
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
	case r.inside: // a line longer than can be looked at
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

// split finds the lines of data.
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

// strip takes off what is around the lines of data, which may be the whole file. It reports
// whether anything was.
func (r *Reader) strip(data []byte, whole bool) bool {
	r.signs, r.waiting = signsOf(data), 0
	if r.hopeless = 0; r.Doubted && !whole && !r.eager { // what takes all lines of a file is not looked for again
		r.hopeless = ofLoggers &^ r.known
	}
	if !r.signs.pre && !r.page.inside { // whose lines are written in another way
		r.hopeless |= lacking(data)
	}
	changed := r.returns
	if r.signs.parts {
		for i := range r.lines { // before anything that may be cut in two
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
	if r.signs.tables || r.signs.quoted || r.signs.pre || r.page.inside { // in which < is written in another way
		changed = r.tables() || changed
	}
	return changed
}

var byteOrder = []byte("\ufeff")

// join puts the parts of lines together that a container's runtime has cut.
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
