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
	rawWhole   = 64 << 10 // files up to this size are shown whole on a run's page
	rawContext = 3        // lines around a block that is shown alone
)

// Text is text of a source file.
type Text struct {
	Data  []byte
	First int   // number of the first line of Data; 1 for a whole file
	Size  int64 // of the file, in bytes
}

// Source is the raw text of a run as its page shows it; it is the same in
// every language.
type Source struct {
	Lines    template.HTML
	Copy     string // path of the whole file in the site; "" where it is not published beside the page
	Exact    bool   // the page has all of the text as it is, so that its script can save it
	Commands []result.Command
	Err      error // why the file could not be read

	text        Text
	first, last int  // lines shown, counting from 1
	whole       bool // all of the file is shown
	cut         bool // even the block is too long to be shown to its end
	marked      bool // some line shown contains a figure
}

// Show lays out the source file of a run, or as much of it as its page has room for. Commands are
// those in it.
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

// Complete reports whether the text is all of the file.
func (t Text) Complete() bool { return int64(len(t.Data)) == t.Size }

// shows reports whether a line of the file can be linked to.
func (s *Source) shows(line int) bool { return s.first <= line && line <= s.last }

// led are the lines that the page leads to, besides those that something was read from.
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
