package explain

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/visible"
)

// Text writes the lines of a file beside what was read from each, in two columns that fit the width. It folds lines far
// from any with items.
func Text(to io.Writer, p locale.Printer, width int, lines []string, r *Reading) error {
	w := bufio.NewWriter(to)
	t := table{w: w, p: p, gutter: len(strconv.Itoa(len(lines)))}
	rest := max(30, width-t.gutter-5)
	t.left = rest * 11 / 20
	t.right = rest - t.left
	t.several = len(r.Runs) > 1
	t.row("", p.Words("explain.line"), p.Words("explain.became"))
	for _, span := range Spans(1, len(lines), func(n int) bool { return len(r.At(n)) > 0 }) {
		if span.Folded {
			t.row("", p.Words("explain.folded", span.To-span.From+1), "")
			continue
		}
		for n := span.From; n <= span.To; n++ {
			t.line(n, lines[n-1], r.At(n))
		}
	}
	if whole := r.At(0); len(whole) > 0 {
		fmt.Fprintf(w, "\n%s\n", p.Words("explain.whole"))
		t.list(whole)
	}
	if len(r.Elsewhere) > 0 {
		fmt.Fprintf(w, "\n%s\n", p.Words("explain.elsewhere"))
		t.list(r.Elsewhere)
	}
	return w.Flush()
}

// table writes rows of two columns.
type table struct {
	w                   io.Writer
	p                   locale.Printer
	gutter, left, right int
	several             bool // the file has several runs
}

// line writes a line of the file. If the line is longer than its column, each item is shown beside the part from which
// it was read.
func (t *table) line(n int, text string, items []Item) {
	text = strings.TrimRight(visible.Line(strings.ReplaceAll(text, "\t", "    ")), " \r")
	number := strconv.Itoa(n)
	if len(items) > 0 && locale.Width(text) > t.left {
		text = squeezed(text)
	}
	long := locale.Width(text) > t.left
	if len(items) == 0 {
		t.row(number, clip(text, t.left+t.right), "")
		return
	}
	shown := clip(text, t.left)
	for i, item := range items {
		if long && (i > 0 || len(items) > 1 || locale.Width(text) > 2*t.left) {
			if part, ok := Excerpt(text, item, t.left-1); ok {
				shown = "…" + clip(part, t.left-1)
			}
		}
		for _, piece := range wrap(t.item(item), t.right) {
			t.row(number, shown, piece)
			number, shown = "", ""
		}
	}
}

// item returns the text for an item.
func (t *table) item(i Item) string {
	var text string
	switch i.Kind {
	case Note:
		text = "! " + t.p.Say(i.Note)
	case Metric, Derived:
		text = strings.TrimSpace(i.Name + " " + i.Value + " " + i.Unit)
	default:
		text = i.Name + " = " + i.Value
	}
	if t.several && i.Run != "" {
		text += " (" + i.Run[strings.LastIndexByte(i.Run, '/')+1:] + ")"
	}
	return visible.Line(text)
}

// list writes items that are not from a line of the file.
func (t *table) list(items []Item) {
	for _, i := range items {
		from := i.From
		switch {
		case i.Kind == Derived:
			from = t.p.Words("explain.computed", i.Field)
		case i.Kind == Note:
			from = i.Name
		case from == "":
			from = t.p.Words("origin." + i.Origin.String())
		}
		left := wrap(t.item(i), t.left+t.gutter)
		right := wrap(visible.Line(from), t.right)
		for n := range max(len(left), len(right)) {
			var a, b string
			if n < len(left) {
				a = left[n]
			}
			if n < len(right) {
				b = right[n]
			}
			fmt.Fprintln(t.w, strings.TrimRight("  "+pad(a, t.left+t.gutter)+" | "+b, " "))
		}
	}
}

func (t *table) row(number, left, right string) {
	line := strings.Repeat(" ", t.gutter-len(number)) + number + "  "
	if right == "" {
		fmt.Fprintln(t.w, strings.TrimRight(line+left, " "))
		return
	}
	fmt.Fprintln(t.w, line+pad(left, t.left)+" | "+right)
}

// squeezed shortens runs of spaces and of dots between columns.
func squeezed(s string) string {
	for _, filler := range []string{" ", "."} {
		for strings.Contains(s, strings.Repeat(filler, 3)) {
			s = strings.ReplaceAll(s, strings.Repeat(filler, 3), strings.Repeat(filler, 2))
		}
	}
	return s
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-locale.Width(s)))
}

// clip truncates a text to a width in columns.
func clip(s string, width int) string {
	if locale.Width(s) <= width {
		return s
	}
	n := 0
	for i, r := range s {
		if n += locale.Width(string(r)); n > width-1 {
			return s[:i] + "…"
		}
	}
	return s
}

// wrap divides a text into lines of a width in columns, between words if possible.
func wrap(s string, width int) []string {
	var lines []string
	for locale.Width(s) > width {
		cut, space, n := len(s), 0, 0
		for i, r := range s {
			if n += locale.Width(string(r)); n > width {
				cut = i
				break
			}
			if r == ' ' {
				space = i
			}
		}
		if space > 0 && len(s) > cut {
			cut = space
		}
		if cut == 0 {
			break
		}
		lines = append(lines, s[:cut])
		s = strings.TrimLeft(s[cut:], " ")
	}
	return append(lines, s)
}
