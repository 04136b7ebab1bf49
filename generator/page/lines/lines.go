// Package lines writes lines of a raw file as HTML: numbered, with the values read from each line beside it. Other
// lines are folded.
//
//	shown := lines.Write(lines.Part{Source: text, First: 1, From: 1, To: 40, Items: explain.Items(r)})
//	page.Raw = shown.HTML // blocks of <pre>, and <details> between them
//
// The HTML is the same in every language, and complete without scripts.
package lines

import (
	"html/template"
	"strings"

	"github.com/benchpost/benchpost/generator/explain"
	"github.com/benchpost/benchpost/generator/page/parts"
)

// Part selects the lines of a file to show.
type Part struct {
	Source   string // text of the file from line First on
	First    int
	From, To int // lines to show

	BlockFrom, BlockTo int            // lines of the result, highlighted
	Items              []explain.Item // what was read from the lines, sorted by line
	Keep               []int          // further lines that are not folded, because something links to them
	Budget             int            // maximum size of the lines shown, in bytes
}

// Shown is the HTML of the lines.
type Shown struct {
	HTML        template.HTML
	First, Last int  // lines
	Cut         bool // not all lines fit
	Marked      bool // a figure was read from some line
}

const (
	long    = 160 // length of a line, in bytes, from which on values are written below it
	excerpt = 48  // length of the excerpt of such a line beside a value, in characters
)

// Write writes the lines, each with an anchor. The style sheet draws line numbers from the anchors. Selecting the text
// of the lines does not select the values.
func Write(p Part) Shown {
	w := &writer{Part: p, shown: Shown{First: p.From, Last: p.From - 1}, rest: p.Source}
	w.Grow(min(len(p.Source), p.Budget)*5/4 + 40*(p.To-p.From+2) + 96*len(p.Items))
	for range p.From - p.First {
		_, w.rest, _ = strings.Cut(w.rest, "\n")
	}
	kept := map[int]bool{p.BlockFrom: true, p.BlockTo: true}
	for _, n := range p.Keep {
		kept[n] = true
	}
	spans := explain.Spans(p.From, p.To, func(n int) bool { return kept[n] || len(explain.At(p.Items, n)) > 0 })
	for _, span := range spans {
		if w.Budget <= 0 {
			break
		}
		w.span(span)
	}
	w.shown.Cut = w.shown.Cut || w.shown.Last < p.To
	w.shown.HTML = w.HTML()
	return w.shown
}

type writer struct {
	parts.Writer
	Part
	shown Shown
	rest  string // rest of the text
}

// span writes lines that are all shown, or all folded.
func (w *writer) span(s explain.Span) {
	if s.Folded {
		w.Tag(`<details class="folded"><summary>⋯ `)
		w.Int(s.From)
		w.Tag("–")
		w.Int(s.To)
		w.Tag("</summary>\n")
	}
	w.Tag(`<pre class="source" tabindex="0"><code>`)
	setOff := w.From < w.BlockFrom || w.BlockTo < w.To
	open := false
	for n := s.From; n <= s.To && w.Budget > 0; n++ {
		if inside := setOff && w.BlockFrom <= n && n <= w.BlockTo; inside != open {
			if open = inside; open {
				w.Tag(`<span class="block">`)
			} else {
				w.Tag("</span>")
			}
		}
		w.line(n)
	}
	if open {
		w.Tag("</span>")
	}
	w.Tag("</code></pre>\n")
	if s.Folded {
		w.Tag("</details>\n")
	}
}

func (w *writer) line(n int) {
	text, rest, ended := strings.Cut(w.rest, "\n")
	w.rest = rest
	text = strings.TrimSuffix(text, "\r")
	if len(text) > w.Budget {
		text, w.shown.Cut = text[:w.Budget], true
	}
	w.Budget -= len(text) + 1
	w.shown.Last = n
	items := explain.At(w.Items, n)
	tag := "span"
	for _, i := range items {
		if i.Kind == explain.Metric {
			tag = "mark"
		}
	}
	w.Tag("<", tag, ` id="L`)
	w.Int(n)
	w.Tag(`">`)
	if tag == "mark" {
		w.shown.Marked = true
	}
	w.Text(text)
	w.beside(text, items)
	w.Tag("</", tag, ">")
	if ended { // text copied from the page ends like the file
		w.Tag("\n")
	}
}

// beside writes the values read from a line: after it, or below it if the line is long. A figure links to its place on
// the page. The style sheet extends the link of the first figure to the line number.
func (w *writer) beside(text string, items []explain.Item) {
	for _, i := range items {
		element := "em"
		if i.Kind == explain.Metric {
			element = "a"
			w.Tag(`<a href="#`)
			w.Anchor(i.Name)
			w.Tag(`"`)
		} else {
			w.Tag("<em")
		}
		if len(text) <= long {
			w.Tag(">")
		} else {
			w.Tag(` class="below">`)
			if part, ok := explain.Excerpt(text, i, excerpt); ok {
				w.Tag("…")
				w.Text(part)
				w.Tag("… ")
			}
		}
		w.Tag("→ ")
		w.Text(i.Name)
		if i.Kind == explain.Metric {
			w.Tag(" ")
		} else {
			w.Tag(" = ")
		}
		w.Text(i.Value)
		if i.Unit != "" {
			w.Tag(" ")
			w.Text(i.Unit)
		}
		w.Tag("</", element, ">")
	}
}
