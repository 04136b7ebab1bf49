package page

import (
	"bytes"
	"html/template"

	"github.com/benchpost/benchpost/generator/explain"
	"github.com/benchpost/benchpost/generator/page/lines"
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
		s.copy = b.Names.RawText(r.Source.File)
	}
	end := max(r.EndLine, r.Source.Line)
	from, to := raw.First, s.offset+lineCount(raw.Data)
	if raw.Size <= rawWhole {
		s.whole = true
	} else {
		from, to = max(from, r.Source.Line-rawContext), min(to, end+rawContext)
	}
	shown := lines.Write(lines.Part{Source: string(s.data), First: raw.First, From: from, To: to, BlockFrom: r.Source.Line, BlockTo: end,
		Items: explain.Items(r), Keep: s.led(r), Budget: rawWhole})
	s.lines, s.first, s.last, s.cut, s.marked = shown.HTML, shown.First, shown.Last, shown.Cut, shown.Marked
	return s
}

// led are the lines that the page leads to, besides those that something was read from.
func (s *source) led(r *result.Result) []int {
	var led []int
	for i := range r.Checks {
		led = append(led, r.Checks[i].Line)
	}
	for _, c := range s.commands {
		led = append(led, c.Line)
	}
	return led
}

func lineCount(data []byte) int {
	n := bytes.Count(data, []byte("\n"))
	if len(data) > 0 && data[len(data)-1] != '\n' {
		n++
	}
	return n
}
