package unwrap

import (
	"bytes"
	"io"

	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// MaxStreams is the maximum number of programs in one file that are read separately, in addition to the first text.
const MaxStreams = 64

// stream is the text of another program in the same file.
type stream struct {
	source string
	in     runs
	text   int
	goesOn bool
	to     io.WriteCloser
	buf    []byte
}

// intern returns the name of a source, combined with the outer source if there is one. Equal sources give the same
// string.
func (r *Reader) intern(outer string, prefix int, source []byte) string {
	if len(source) == 0 {
		return outer
	}
	if name, pid, ok := bytes.Cut(source, []byte(" pid=")); ok && prefixes[prefix].oneProgram {
		// All processes of one server have the same source, unless two have the same name.
		if r.pids == nil {
			r.pids = map[string]string{}
		}
		known, seen := r.pids[string(name)]
		if !seen {
			r.pids[string(name)] = string(pid)
		}
		if !seen || known == string(pid) {
			return outer
		}
	}
	if r.sources == nil {
		r.sources = map[string]string{}
	}
	if outer == "" {
		if s, ok := r.sources[string(source)]; ok {
			return s
		}
	}
	name := string(source)
	if outer != "" {
		name = outer + " " + name
	}
	if s, ok := r.sources[name]; ok {
		return s
	}
	if len(r.sources) < scan.MaxInterned {
		r.sources[name] = name
	}
	return name
}

// emit writes a line to the text it belongs to.
func (r *Reader) emit(l *line) {
	to, lines, text, goesOn := &r.made, &r.in, &r.text, &r.goesOn
	switch {
	case r.open == nil:
	case l.source != "":
		r.several = true
		s := r.stream(l.source)
		if s == nil {
			if r.Left == 0 {
				r.Left = l.file
			}
			return
		}
		to, lines, text, goesOn = &s.buf, &s.in, &s.text, &s.goesOn
		if len(s.buf) > size/2 {
			s.flush()
		}
	case !r.several && !l.named:
		r.keep(l)
		r.Preamble = *text
	}
	write(to, lines, text, goesOn, l)
}

// keep keeps a line that may describe the runs of programs below it. Only the last maxAbove lines are kept; their
// memory is reused.
func (r *Reader) keep(l *line) {
	switch n := len(r.above); {
	case n < cap(r.above) && n < maxAbove:
		r.above = r.above[:n+1]
	case n < maxAbove:
		r.above = append(r.above, line{})
	}
	kept := &r.above[r.kept%maxAbove]
	text := append(kept.text[:0], scan.Clip(l.text, maxLine)...)
	*kept = *l
	kept.text = text
	r.kept++
}

// write appends a line to a text.
func write(to *[]byte, lines *runs, text *int, goesOn *bool, l *line) {
	if !*goesOn {
		lines.add(*text, l.file)
	}
	for i := bytes.IndexByte(l.text, '\n'); i >= 0; i = bytes.IndexByte(l.text, '\n') {
		*to = append(*to, l.text[:i+1]...)
		l.text = l.text[i+1:]
		*text++
		lines.add(*text, l.file)
	}
	*to = append(*to, l.text...)
	if *goesOn = l.goesOn; l.ended && !l.goesOn {
		*to = append(*to, '\n')
		*text++
	}
}

// stream returns the stream of a source, or nil if there are too many.
func (r *Reader) stream(source string) *stream {
	for _, s := range r.streams {
		if s.source == source {
			return s
		}
	}
	if len(r.streams) == MaxStreams {
		return nil
	}
	s := &stream{source: source, text: 1, to: r.open()}
	for i := range r.above {
		l := r.above[(r.kept+i)%len(r.above)]
		write(&s.buf, &s.in, &s.text, &s.goesOn, &l)
	}
	r.streams = append(r.streams, s)
	return s
}

func (s *stream) flush() {
	s.to.Write(s.buf) //nolint:errcheck // the reader of the stream reads it to the end
	s.buf = s.buf[:0]
}
