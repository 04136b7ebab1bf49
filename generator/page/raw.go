package page

import (
	"bytes"
	"cmp"
	"html/template"
	"slices"
	"strings"

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
	marked      bool  // some line shown gave a figure
	copy        string
	data        []byte
	offset      int // lines of the file before data
	commands    []result.Command
	exhibits    []Exhibit
	err         error
}

// shows tells whether a line of the file can be linked to.
func (s *source) shows(line int) bool { return s.first <= line && line <= s.last }

// rawCopy is where a source file stands in the site. The ending .txt makes
// every server and browser show it as text, whatever a hostile run is named.
func rawCopy(name string) string { return "raw/" + fileName(name) + ".txt" }

// RawCopy gives the path at which a file is published as it lies on the disk. Ending is
// that of its compression or archive, "" for a text: without a harmless ending of its
// own it gets one. What else could stand at the same path has none of these.
func RawCopy(name, ending string) string {
	switch {
	case ending == "":
		return rawCopy(name)
	case ending == ".zip": // a folder has its name already, of the texts of what it holds
		return "raw/" + fileName(name) + "/" + withEnding(segmentName(baseName(name)), ending)
	}
	return "raw/" + withEnding(fileName(name), ending)
}

func withEnding(name, ending string) string {
	if strings.HasSuffix(name, ending) {
		return name
	}
	return name + "~" + ending
}

func (b *builder) source(r *result.Result) source {
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
		s.copy = rawCopy(r.Source.File)
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

// mostTold is how many figures of one line are told by name.
const mostTold = 6

// writeMark opens a line that figures were read from. Its number leads to the
// first of them.
func (w *writer) writeMark(line int, read []reading) {
	w.tag(`<mark id="L`)
	w.int(line)
	w.tag(`"><a href="#`)
	w.anchor(read[0].metric)
	w.tag(`" title="`)
	for i, one := range read[:min(len(read), mostTold)] {
		if i > 0 {
			w.tag(" · ")
		}
		w.text(one.metric)
	}
	if len(read) > mostTold {
		w.tag(" …")
	}
	w.tag(`"></a>`)
}

// writeLines writes the lines from … to, each with its anchor; those of the
// block are set off when there are others, and those that gave figures are
// marked. Line numbers are drawn from the anchors by the style sheet, so that
// selecting the text leaves them out.
func (s *source) writeLines(from, to, blockStart, blockEnd int, read []reading) {
	w := writer{b: make([]byte, 0, min(len(s.data), rawWhole)*5/4+40*(to-from+2)+64*len(read))}
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
			w.tag(`<span class="block">`)
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
			w.writeMark(n, read[:here])
			w.text(line)
			w.tag("</mark>\n")
		} else {
			w.tag(`<span id="L`)
			w.int(n)
			w.tag(`">`)
			w.text(line)
			w.tag("</span>\n")
		}
		if open && n == blockEnd {
			w.tag("</span>")
			open = false
		}
		s.last = n
	}
	if open {
		w.tag("</span>")
	}
	s.cut = s.cut || s.last < to
	s.lines = w.html()
}

func lineCount(data []byte) int {
	n := bytes.Count(data, []byte("\n"))
	if len(data) > 0 && data[len(data)-1] != '\n' {
		n++
	}
	return n
}

// baseName is the last part of a slash-separated path.
func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
