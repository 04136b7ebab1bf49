package page

import (
	"bytes"
	"cmp"
	"html/template"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
)

const (
	rawWhole   = 64 << 10 // files up to this size are shown whole on a run's page
	rawContext = 3        // lines around a block that is shown alone
)

// source is the raw text of a run as its page shows it; it is the same in
// every language.
type source struct {
	lines       template.HTML
	first, last int   // lines shown, counting from 1
	whole       bool  // all of the file is shown
	cut         bool  // even the block is too long to be shown to its end
	size        int64 // of the file, in bytes
	marked      bool  // some line shown contains a figure
	copy        string
	data        []byte
	offset      int // lines of the file before data
	commands    []result.Command
	exhibits    []Exhibit
	err         error
}

// shows reports whether a line of the file can be linked to.
func (s *source) shows(line int) bool { return s.first <= line && line <= s.last }

func (b *contents) source(r *result.Result) source {
	if b.Raw == nil {
		return source{}
	}
	raw, err := b.Raw(r)
	if err != nil {
		return source{err: err}
	}
	s := source{size: raw.Size, data: raw.Data, offset: raw.First - 1}
	if b.Commands != nil {
		s.commands = b.Commands(r, raw)
	}
	if int64(len(raw.Data)) == raw.Size && raw.Size <= MaxRaw {
		s.copy = address.RawText(r.Source.File)
	}
	end := max(r.EndLine, r.Source.Line)
	from, to := raw.First, s.offset+lineCount(raw.Data)
	if raw.Size <= rawWhole {
		s.whole = true
	} else {
		from, to = max(from, r.Source.Line-rawContext), min(to, end+rawContext)
	}
	s.writeLines(from, to, r.Source.Line, end, readings(r))
	return s
}

// reading is a figure and the line it was read on.
type reading struct {
	line   int
	metric string
}

// readings are the figures that were read from the file of a result, in the order
// of their lines.
func readings(r *result.Result) []reading {
	all := make([]reading, 0, len(r.Metrics))
	for _, m := range r.Metrics {
		if m.Line > 0 && m.File == "" {
			all = append(all, reading{m.Line, m.Name})
		}
	}
	slices.SortStableFunc(all, func(a, b reading) int { return cmp.Compare(a.line, b.line) })
	return all
}

// mostNamed is how many figures of one line are named.
const mostNamed = 6

// writeMark opens a line that figures were read from. Its number leads to the
// first of them.
func writeMark(w *parts.Writer, line int, read []reading) {
	w.Tag(`<mark id="L`)
	w.Int(line)
	w.Tag(`"><a href="#`)
	w.Anchor(read[0].metric)
	w.Tag(`" title="`)
	for i, one := range read[:min(len(read), mostNamed)] {
		if i > 0 {
			w.Tag(" · ")
		}
		w.Text(one.metric)
	}
	if len(read) > mostNamed {
		w.Tag(" …")
	}
	w.Tag(`"></a>`)
}

// writeLines writes the lines from … to, each with its anchor; those of the
// block are set off when there are others, and those that contain figures are
// marked. Line numbers are drawn from the anchors by the style sheet, so that
// selecting the text leaves them out.
func (s *source) writeLines(from, to, blockStart, blockEnd int, read []reading) {
	var w parts.Writer
	w.Grow(min(len(s.data), rawWhole)*5/4 + 40*(to-from+2) + 64*len(read))
	rest := string(s.data)
	for range from - 1 - s.offset {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	mark := from < blockStart || blockEnd < to
	s.first, s.last = from, from-1
	budget := rawWhole
	open := false
	for n := from; n <= to && budget > 0; n++ {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		line = strings.TrimSuffix(line, "\r")
		if len(line) > budget {
			line, s.cut = line[:budget], true
		}
		budget -= len(line) + 1
		if mark && n == blockStart {
			w.Tag(`<span class="block">`)
			open = true
		}
		for len(read) > 0 && read[0].line < n {
			read = read[1:]
		}
		here := 0
		for here < len(read) && read[here].line == n {
			here++
		}
		if here > 0 {
			s.marked = true
			writeMark(&w, n, read[:here])
			w.Text(line)
			w.Tag("</mark>\n")
		} else {
			w.Tag(`<span id="L`)
			w.Int(n)
			w.Tag(`">`)
			w.Text(line)
			w.Tag("</span>\n")
		}
		if open && n == blockEnd {
			w.Tag("</span>")
			open = false
		}
		s.last = n
	}
	if open {
		w.Tag("</span>")
	}
	s.cut = s.cut || s.last < to
	s.lines = w.HTML()
}

func lineCount(data []byte) int {
	n := bytes.Count(data, []byte("\n"))
	if len(data) > 0 && data[len(data)-1] != '\n' {
		n++
	}
	return n
}
