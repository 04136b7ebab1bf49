package blogpost

import (
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/document/kramdown"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/visible"
)

// Table returns a Markdown table that is also aligned in the source. The caption is above it as emphasised
// text. Below it are lines with its conclusions, its numbered notes, and the reasons for cells, marked by
// letters. Markdown footnotes are not used, because they would be at the end of the page.
//
// The best value of a column is bold. Cells of an excluded row are struck through. A missing value is a dash.
// The change against the baseline follows its value in parentheses. The spread of repeats is shown on hover. A
// weak value that no note warns about is in parentheses itself.
func (w Writer) Table(t report.Table) Markdown {
	p := w.Printer
	if len(t.Columns) == 0 {
		return Markdown{}
	}
	var parts []string
	if caption := p.Say(t.Caption); caption != "" {
		parts = append(parts, w.emphasis(kramdown.Em, caption))
	}
	v := tableView{Writer: w, t: &t, p: p, letters: map[string]int{}}
	grid := v.grid()
	if w.Form == Jekyll {
		grid += "\n" + kramdown.ScrollNames
	}
	parts = append(parts, grid)
	if len(t.Answers) > 0 {
		parts = append(parts, w.answers(t.Answers))
	}
	if below := v.notes(); below != "" {
		parts = append(parts, below)
	}
	return Markdown{strings.Join(parts, "\n\n") + "\n"}
}

// emphasis returns a line that is emphasised.
func (w Writer) emphasis(style kramdown.Style, text string) string {
	in := w.inline()
	in.Open(style, '*')
	in.Text(visible.Words(text))
	in.Close()
	return string(in.Append(nil, kramdown.Block))
}

// tableView writes one table in one language.
type tableView struct {
	Writer
	t            *report.Table
	p            locale.Printer
	reasons      []string // reasons for cells, each once
	letters      map[string]int
	weak, struck bool // whether cells have these marks without a note that explains them
}

func (v *tableView) grid() string {
	t := v.t
	rows := [][]string{make([]string, len(t.Columns))}
	for i, c := range t.Columns {
		rows[0][i] = v.header(c)
	}
	for _, r := range t.Rows {
		row := make([]string, len(t.Columns))
		for i := range row {
			if i < len(r.Cells) {
				c := r.Cells[i]
				row[i] = v.cell(c, r.Excluded && c.Rule == "" || c.Excluded)
				v.struck = v.struck || c.Excluded && !c.Missing && !r.Excluded && !v.t.Noted(&c, result.Error)
			}
		}
		v.struck = v.struck || r.Excluded && !slices.ContainsFunc(r.Cells, func(c report.Cell) bool { return v.t.Noted(&c, result.Error) })
		rows = append(rows, row)
	}
	if len(t.Rows) == 0 { // kramdown reads a header alone as a paragraph
		row := make([]string, len(t.Columns))
		for i := range row {
			row[i] = missing
		}
		rows = append(rows, row)
	}
	widths := make([]int, len(t.Columns))
	for _, row := range rows {
		for i, s := range row {
			widths[i] = max(widths[i], locale.Width(s), 3)
		}
	}
	var b strings.Builder
	for n, row := range rows {
		for i, s := range row {
			b.WriteString("| " + pad(s, widths[i], t.Columns[i].Align) + " ")
		}
		b.WriteString("|\n")
		if n > 0 {
			continue
		}
		for i, w := range widths {
			b.WriteString("|" + rule(w+2, t.Columns[i].Align))
		}
		b.WriteString("|\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// header returns a column's title, its unit, and an arrow for the better direction.
func (w Writer) header(c report.Column) string {
	p := w.Printer
	title := p.Say(c.Title)
	if group := p.Say(c.Group); group != "" {
		title = group + " · " + title
	}
	if c.Unit != "" && c.Unit != "1" {
		title += " (" + c.Unit + ")"
	}
	switch c.Better {
	case result.Higher:
		title += " ↑"
	case result.Lower:
		title += " ↓"
	}
	return kramdown.Text(visible.Words(title), kramdown.Cell, w.Form)
}

const missing = "—"

func (v *tableView) cell(c report.Cell, struck bool) string {
	in := v.inline()
	text := visible.Words(v.p.Say(c.Text))
	if c.Missing || text == "" {
		text = ""
		if c.Missing {
			in.Text(missing)
		}
	}
	spread := visible.Words(v.p.Say(c.Spread))
	struck = struck && text != ""
	weak := c.Weak && text != "" && !v.t.Noted(&c, result.Warning)
	v.weak = v.weak || weak
	if spread != "" {
		in.Start("span", "title", spread)
	}
	if struck {
		in.Start("del")
	}
	if c.Best && text != "" {
		in.Start("strong")
	}
	if weak {
		in.Text("(")
	}
	if c.URL != "" && text != "" {
		in.OpenLink()
		in.Text(text)
		in.CloseLink(kramdown.Address(c.URL), "")
	} else {
		in.Text(text)
	}
	if weak {
		in.Text(")")
	}
	if c.Best && text != "" {
		in.End("strong")
	}
	if change := visible.Words(v.p.Say(c.Change)); change != "" && text != "" {
		in.Text(" (" + change + ")")
	}
	if struck {
		in.End("del")
	}
	if spread != "" {
		in.End("span")
	}
	if marks := v.marks(c); len(marks) > 0 {
		in.Start("sup")
		in.Text(strings.Join(marks, ","))
		in.End("sup")
	}
	return string(in.Append(nil, kramdown.Cell))
}

// marks returns the numbers of a cell's notes and the letter of its reason.
func (v *tableView) marks(c report.Cell) []string {
	var marks []string
	for _, n := range c.Notes {
		marks = append(marks, v.mark(n))
	}
	if why := visible.Words(v.p.Say(c.Why)); why != "" {
		if v.letters[why] == 0 {
			v.reasons = append(v.reasons, why)
			v.letters[why] = len(v.reasons)
		}
		marks = append(marks, locale.Letter(v.letters[why]))
	}
	return marks
}

// answers returns the conclusions of a table, one on each line.
func (w Writer) answers(fs []report.Finding) string {
	p := w.Printer
	in := w.inline()
	for i, f := range fs {
		if i > 0 {
			in.Break()
		}
		in.Text(visible.Words(p.Say(locale.Sentences(f.Text, f.Reason))))
		if f.N > 0 {
			in.Text(" ")
			in.Start("small")
			in.Text(p.Words("findings.repeats", f.N))
			in.End("small")
		}
	}
	return string(in.Append(nil, kramdown.Block))
}

// notes returns the lines that explain the marks of the table. Warnings begin with their severity.
func (v *tableView) notes() string {
	in := v.inline()
	lines := 0
	line := func(mark, text string) {
		if lines++; lines > 1 {
			in.Break()
		}
		if mark != "" {
			in.Start("sup")
			in.Text(mark)
			in.End("sup")
			in.Text(" ")
		}
		in.Text(visible.Words(text))
	}
	for i, n := range v.t.Notes {
		text := v.p.Say(n.Text)
		if n.Severity >= result.Warning {
			text = v.p.Words("report.lead", locale.T("page.severity."+n.Severity.String())) + text
		}
		line(v.mark(i+1), text)
	}
	for i, why := range v.reasons {
		line(locale.Letter(i+1), why)
	}
	if v.weak {
		line("", v.p.Words("report.parentheses"))
	}
	if v.struck {
		line("", v.p.Words("report.struck"))
	}
	return string(in.Append(nil, kramdown.Block))
}

func rule(n int, align report.Align) string {
	dashes := strings.Repeat("-", n)
	switch align {
	case report.Right:
		return dashes[1:] + ":"
	case report.Center:
		return ":" + dashes[2:] + ":"
	}
	return ":" + dashes[1:]
}

func pad(s string, to int, align report.Align) string {
	n := to - locale.Width(s)
	switch align {
	case report.Right:
		return strings.Repeat(" ", n) + s
	case report.Center:
		return strings.Repeat(" ", n/2) + s + strings.Repeat(" ", n-n/2)
	}
	return s + strings.Repeat(" ", n)
}
