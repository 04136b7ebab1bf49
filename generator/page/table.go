package page

import (
	"html/template"
	"net/url"
	"strings"

	"benchpost/generator/bench"
	"benchpost/generator/locale"
	"benchpost/generator/report"
)

// Table lays out a table. Cells that name a run link to the address link
// gives for it, unless that is ""; link may be nil.
func Table(t report.Table, p locale.Printer, link func(runID string) string) template.HTML {
	var w writer
	caption := p.Say(t.Caption)
	w.tag(`<div class="table`)
	if t.Kind != "" {
		w.tag(` table-`)
		w.text(t.Kind)
	}
	w.tag(`">`)
	w.openScroll(caption, p)
	w.tag("<table>\n")
	if caption != "" {
		w.tag(`<caption><span>`)
		w.text(caption)
		w.tag("</span></caption>\n")
	}
	w.tag("<thead>")
	w.head(t.Columns, p)
	w.tag("</thead>\n<tbody>\n")
	for i := range t.Rows {
		w.row(&t, &t.Rows[i], p, link)
	}
	w.tag("</tbody>\n</table></div>\n")
	if len(t.Notes) > 0 {
		w.tag(`<ol class="notes">`)
		for _, n := range t.Notes {
			w.tag(`<li class="`, n.Severity.String(), `">`)
			w.text(p.Say(n.Text))
			w.tag("</li>")
		}
		w.tag("</ol>\n")
	}
	w.tag("</div>\n")
	return w.html()
}

// openScroll begins a box that scrolls sideways, also by keyboard. It is no
// landmark: a page has many, and some share a name.
func (w *writer) openScroll(label string, p locale.Printer) {
	if label == "" {
		label = p.Words("page.table")
	}
	w.tag(`<div class="scroll" role="group" tabindex="0" aria-label="`)
	w.text(label)
	w.tag(`">`)
}

func alignClass(a report.Align) string {
	switch a {
	case report.Right:
		return ` class="num"`
	case report.Center:
		return ` class="mid"`
	}
	return ""
}

// head writes the header: one row, or two when columns stand in groups.
func (w *writer) head(columns []report.Column, p locale.Printer) {
	groups := make([]string, len(columns))
	grouped := false
	for i, c := range columns {
		groups[i] = p.Say(c.Group)
		grouped = grouped || groups[i] != ""
	}
	w.tag("<tr>")
	if grouped {
		for i := 0; i < len(columns); {
			if groups[i] == "" {
				w.column(columns[i], 2, p)
				i++
				continue
			}
			n := i
			for n < len(columns) && groups[n] == groups[i] {
				n++
			}
			w.tag(`<th scope="colgroup" class="group" colspan="`)
			w.int(n - i)
			w.tag(`"><span>`)
			w.text(groups[i])
			w.tag("</span></th>")
			i = n
		}
		w.tag("</tr>\n<tr>")
	}
	for i, c := range columns {
		if !grouped || groups[i] != "" {
			w.column(c, 1, p)
		}
	}
	w.tag("</tr>")
}

func (w *writer) column(c report.Column, rows int, p locale.Printer) {
	w.tag(`<th scope="col"`, alignClass(c.Align))
	if rows > 1 {
		w.tag(` rowspan="`)
		w.int(rows)
		w.tag(`"`)
	}
	if c.Metric != "" {
		w.tag(` title="`)
		w.text(c.Metric)
		w.tag(`"`)
	}
	w.tag(">")
	w.text(p.Say(c.Title))
	w.headUnit(c.Unit, c.Better, p)
	w.tag("</th>")
}

// headUnit writes the second line of a header: unit and better direction.
func (w *writer) headUnit(unit string, better bench.Better, p locale.Printer) {
	if unit == "1" {
		unit = ""
	}
	arrow, words := "", ""
	switch better {
	case bench.Higher:
		arrow, words = "↑", p.Words("page.higher")
	case bench.Lower:
		arrow, words = "↓", p.Words("page.lower")
	}
	if unit == "" && arrow == "" {
		return
	}
	w.tag(` <small class="unit">`)
	w.text(unit)
	if arrow != "" {
		w.tag(` <span class="better" role="img" title="`, words, `" aria-label="`, words, `">`, arrow, `</span>`)
	}
	w.tag("</small>")
}

func (w *writer) row(t *report.Table, r *report.Row, p locale.Printer, link func(string) string) {
	switch {
	case r.Quarantined:
		w.tag(`<tr class="quarantined">`)
	case r.Baseline:
		w.tag(`<tr class="baseline">`)
	default:
		w.tag("<tr>")
	}
	for i := range r.Cells {
		align := report.Left
		if i < len(t.Columns) {
			align = t.Columns[i].Align
		}
		if i == 0 {
			w.tag(`<th scope="row"`, alignClass(align), ">")
		} else {
			w.tag("<td", alignClass(align), ">")
		}
		w.cell(t, &r.Cells[i], r.Quarantined || r.Cells[i].Quarantined, p, link)
		if i == 0 {
			switch {
			case r.Quarantined:
				w.tag(` <small class="tag">`, p.Words("page.quarantined"), `</small>`)
			case r.Baseline:
				w.tag(` <small class="tag">`, p.Words("page.baseline"), `</small>`)
			}
			w.tag("</th>")
		} else {
			w.tag("</td>")
		}
	}
	w.tag("</tr>\n")
}

func (w *writer) cell(t *report.Table, c *report.Cell, quarantined bool, p locale.Printer, link func(string) string) {
	if c.Missing {
		w.missing(p)
		w.noteRefs(t, c.Notes, p)
		return
	}
	if c.Best {
		words := p.Words("page.best")
		w.tag(`<span class="mark" role="img" title="`, words, `" aria-label="`, words, `">★</span><strong>`)
	}
	if quarantined {
		w.tag("<s>")
	}
	href := ""
	if c.Run != "" && link != nil {
		href = link(c.Run)
	} else if c.Run == "" {
		href = safeURL(c.URL)
	}
	if href != "" {
		w.tag(`<a href="`)
		w.text(href)
		w.tag(`"`)
		w.origin(c.Source, c.Field)
		w.tag(">")
	} else if c.Source.File != "" {
		w.tag("<span")
		w.origin(c.Source, c.Field)
		w.tag(">")
	}
	w.text(p.Say(c.Text))
	if href != "" {
		w.tag("</a>")
	} else if c.Source.File != "" {
		w.tag("</span>")
	}
	if quarantined {
		w.tag("</s>")
	}
	if c.Best {
		w.tag("</strong>")
	}
	w.noteRefs(t, c.Notes, p)
	if !c.Change.IsZero() {
		w.tag(` <small class="change">`)
		w.text(p.Say(c.Change))
		w.tag("</small>")
	}
}

func (w *writer) missing(p locale.Printer) {
	w.tag(`<span class="none" title="`, p.Words("page.missing"), `">—</span>`)
}

// origin writes the title that says where a figure was read.
func (w *writer) origin(pos bench.Position, field string) {
	if pos.File == "" {
		return
	}
	w.tag(` title="`)
	w.text(pos.String())
	if field != "" {
		w.tag(", ")
		w.text(field)
	}
	w.tag(`"`)
}

func (w *writer) noteRefs(t *report.Table, notes []int, p locale.Printer) {
	if len(notes) == 0 {
		return
	}
	w.tag("<sup>")
	for i, n := range notes {
		if i > 0 {
			w.tag(",")
		}
		if n < 1 || n > len(t.Notes) {
			w.int(n)
			continue
		}
		w.tag(`<span title="`)
		w.text(p.Say(t.Notes[n-1].Text))
		w.tag(`">`)
		w.int(n)
		w.tag("</span>")
	}
	w.tag("</sup>")
}

// safeURL lets pass what a link may point to: the web, or a place in the site.
func safeURL(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return ""
	}
	switch strings.ToLower(u.Scheme) {
	case "", "http", "https":
		return u.String()
	}
	return ""
}

// Picture is an image with all that belongs to it.
type Picture struct {
	Src           string // reference relative to the page, escaped
	Alt           string
	Width, Height int           // of the file, in pixels
	Caption       string        // may be ""
	Data          template.HTML // the figures behind it, as a Table; may be ""
}

// Figure lays out a picture, which opens in full size when followed.
func Figure(f Picture, p locale.Printer) template.HTML {
	var w writer
	w.tag(`<figure class="chart"><a href="`)
	w.text(f.Src)
	w.tag(`"><img src="`)
	w.text(f.Src)
	w.tag(`" alt="`)
	w.text(f.Alt)
	w.tag(`"`)
	if f.Width > 0 && f.Height > 0 {
		w.tag(` width="`)
		w.int(f.Width)
		w.tag(`" height="`)
		w.int(f.Height)
		w.tag(`"`)
	}
	// Not lazily: a printed page and a saved one need all pictures.
	w.tag(`></a>`)
	if f.Caption != "" {
		w.tag("\n<figcaption>")
		w.text(f.Caption)
		w.tag("</figcaption>")
	}
	if f.Data != "" {
		w.tag("\n<details><summary>", p.Words("page.data"), "</summary>\n", string(f.Data), "</details>")
	}
	w.tag("</figure>\n")
	return w.html()
}

// RawBlock lays out a tool's output as it was printed. Link leads to the run;
// "" leaves it out.
func RawBlock(text, caption, link string, p locale.Printer) template.HTML {
	var w writer
	w.tag(`<figure class="raw">`)
	if caption != "" || link != "" {
		w.tag("<figcaption>")
		w.text(caption)
		if link != "" {
			w.tag(` <a href="`)
			w.text(link)
			w.tag(`">`, p.Words("page.run.link"), "</a>")
		}
		w.tag("</figcaption>\n")
	}
	w.tag(`<pre tabindex="0"><code>`)
	w.text(strings.ReplaceAll(text, "\r\n", "\n"))
	w.tag("</code></pre></figure>\n")
	return w.html()
}
