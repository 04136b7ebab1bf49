package jekyll

import (
	"strconv"
	"strings"

	"benchpost/generator/bench"
	"benchpost/generator/document/kramdown"
	"benchpost/generator/locale"
	"benchpost/generator/report"
)

// Table gives a Markdown table, aligned in the source as well, with its
// caption above as a line of emphasis and its notes below as lines of text:
// footnotes of Markdown would leave it for the end of the page.
//
// The best value of a column is strong, the cells of a quarantined row are
// struck, a missing value is a dash, and the change against the baseline
// follows its value in parentheses.
func Table(t report.Table, p locale.Printer) string {
	if len(t.Columns) == 0 {
		return ""
	}
	var parts []string
	if caption := p.Say(t.Caption); caption != "" {
		var in kramdown.Inline
		in.Open(kramdown.Em, '*')
		in.Text(clean(caption))
		in.Close()
		parts = append(parts, string(in.Append(nil, kramdown.Block)))
	}
	parts = append(parts, grid(t, p))
	if len(t.Notes) > 0 {
		parts = append(parts, notes(t.Notes, p))
	}
	return strings.Join(parts, "\n\n") + "\n"
}

// clean makes one line of valid text.
func clean(s string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(s, "\ufffd")), " ")
}

func grid(t report.Table, p locale.Printer) string {
	rows := [][]string{make([]string, len(t.Columns))}
	for i, c := range t.Columns {
		rows[0][i] = header(c, p)
	}
	for _, r := range t.Rows {
		row := make([]string, len(t.Columns))
		for i := range row {
			if i < len(r.Cells) {
				row[i] = cell(r.Cells[i], r.Quarantined || r.Cells[i].Quarantined, p)
			}
		}
		rows = append(rows, row)
	}
	if len(t.Rows) == 0 { // kramdown takes a header alone for a paragraph
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

// header gives a column's words, its unit, and which direction is good.
func header(c report.Column, p locale.Printer) string {
	title := p.Say(c.Title)
	if group := p.Say(c.Group); group != "" {
		title = group + " · " + title
	}
	if c.Unit != "" && c.Unit != "1" {
		title += " (" + c.Unit + ")"
	}
	switch c.Better {
	case bench.Higher:
		title += " ↑"
	case bench.Lower:
		title += " ↓"
	}
	return kramdown.Text(clean(title), kramdown.Cell)
}

const missing = "—"

func cell(c report.Cell, struck bool, p locale.Printer) string {
	var in kramdown.Inline
	text := clean(p.Say(c.Text))
	if c.Missing || text == "" {
		text = ""
		if c.Missing {
			in.Text(missing)
		}
	}
	struck = struck && text != ""
	if struck {
		in.Tag("<del>")
	}
	if c.Best && text != "" {
		in.Tag("<strong>")
	}
	if c.URL != "" && text != "" {
		in.OpenLink()
		in.Text(text)
		in.CloseLink(kramdown.Address(c.URL), "")
	} else {
		in.Text(text)
	}
	if c.Best && text != "" {
		in.Tag("</strong>")
	}
	if change := clean(p.Say(c.Change)); change != "" && text != "" {
		in.Text(" (" + change + ")")
	}
	if struck {
		in.Tag("</del>")
	}
	if len(c.Notes) > 0 {
		numbers := make([]string, len(c.Notes))
		for i, n := range c.Notes {
			numbers[i] = strconv.Itoa(n)
		}
		in.Tag("<sup>")
		in.Text(strings.Join(numbers, ","))
		in.Tag("</sup>")
	}
	return string(in.Append(nil, kramdown.Cell))
}

func notes(notes []report.Note, p locale.Printer) string {
	var in kramdown.Inline
	for i, n := range notes {
		if i > 0 {
			in.Break()
		}
		in.Tag("<sup>")
		in.Text(strconv.Itoa(i + 1))
		in.Tag("</sup>")
		in.Text(" " + clean(p.Say(n.Text)))
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
