package run

import (
	"bytes"
	"html/template"

	"github.com/benchpost/benchpost/generator/explain"
	"github.com/benchpost/benchpost/generator/page/lines"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/visible"
)

const (
	rawWhole   = 64 << 10 // maximum size of files that a run's page shows completely
	rawContext = 3        // lines shown before and after a block of a larger file
)

// Text is the text of a source file, or part of it.
type Text struct {
	Data  []byte
	First int   // number of the first line of Data; 1 for a complete file
	Size  int64 // size of the file, in bytes
}

// Source is the raw text of a run as shown on its page. It is the same in every language.
type Source struct {
	Lines    template.HTML
	Copy     string // path of the complete file in the site; "" if it is not published beside the page
	Exact    bool   // the page has the exact text of the file, so that its script can save it
	Commands []result.Command
	Err      error // why the file could not be read

	text        Text
	first, last int  // lines shown, counted from 1
	whole       bool // the complete file is shown
	cut         bool // the block is too long to be shown completely
	marked      bool // a figure was read from some line shown
}

// Show lays out the source file of a run, or as much of it as its page has room for. commands are those found in the
// file.
func Show(r *result.Result, text Text, commands []result.Command) Source {
	s := Source{text: text, Commands: commands}
	end := max(r.EndLine, r.Source.Line)
	from, to := text.First, text.First-1+lineCount(text.Data)
	if text.Size <= rawWhole {
		s.whole = true
	} else {
		from, to = max(from, r.Source.Line-rawContext), min(to, end+rawContext)
	}
	shown := lines.Write(lines.Part{Source: string(text.Data), First: text.First, From: from, To: to, BlockFrom: r.Source.Line, BlockTo: end,
		Items: explain.Items(r), Keep: s.led(r), Budget: rawWhole})
	s.Lines, s.first, s.last, s.cut, s.marked = shown.HTML, shown.First, shown.Last, shown.Cut, shown.Marked
	s.Exact = s.whole && !s.cut && len(text.Data) > 0 && bytes.Equal(visible.Bytes(text.Data), text.Data)
	return s
}

// Complete reports whether the text is the complete file.
func (t Text) Complete() bool { return int64(len(t.Data)) == t.Size }

// shows reports whether the page shows a line of the file, so that links can point to it.
func (s *Source) shows(line int) bool { return s.first <= line && line <= s.last }

// led returns the lines that the page links to, in addition to those that something was read from.
func (s *Source) led(r *result.Result) []int {
	var led []int
	for i := range r.Checks {
		led = append(led, r.Checks[i].Line)
	}
	for _, c := range s.Commands {
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
