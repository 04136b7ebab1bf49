package parts

import (
	"cmp"
	"html/template"
	"net/url"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// Table lays out a table, and below it its answers, its notes, and the reasons of its entries. Cells of a run link to
// the address that link returns. There is no link if that is ""; link may be nil.
func Table(t report.Table, p locale.Printer, link func(runID string) string) template.HTML {
	var w Writer
	w.Table(t, p, link)
	return w.HTML()
}

// Table appends the result of the function Table.
func (w *Writer) Table(t report.Table, p locale.Printer, link func(runID string) string) {
	v := tableView{t: &t, p: p, link: link}
	v.collectReasons()
	caption := p.Say(t.Caption)
	w.Tag(`<div class="table`)
	if t.Kind != "" {
		w.Tag(` table-`)
		w.Text(t.Kind)
	}
	w.Tag(`">`)
	w.OpenScroll(caption, p)
	w.Tag("<table>\n")
	if caption != "" {
		w.Tag(`<caption><span>`)
		w.Text(caption)
		w.Tag("</span></caption>\n")
	}
	w.Tag("<thead>")
	w.head(t.Columns, p)
	w.Tag("</thead>\n<tbody>\n")
	for i := range t.Rows {
		v.row(w, &t.Rows[i])
	}
	w.Tag("</tbody>\n</table></div>\n")
	if len(t.Answers) > 0 {
		w.findings(`<ul class="answers">`, t.Answers, sources{p, link, commonFolder(t.Answers)})
	}
	v.notes(w)
	v.legend(w)
	v.listReasons(w)
	w.Tag("</div>\n")
}

// tableView writes a table in a language.
type tableView struct {
	t    *report.Table
	p    locale.Printer
	link func(runID string) string

	// The reasons of entries are shown on hover and, for readers who cannot hover, in a list below the table. Entries
	// with the same reason share a letter.
	reasons []string
	letters map[string]int
	spreads []string // ranges of repeats, each with the row and column of its figure
}

func (v *tableView) collectReasons() {
	v.letters = map[string]int{}
	for i := range v.t.Rows {
		cells := v.t.Rows[i].Cells
		for j := range cells {
			why := v.p.Say(cells[j].Why)
			if _, known := v.letters[why]; why != "" && !known {
				v.reasons = append(v.reasons, why)
				v.letters[why] = len(v.reasons)
			}
			if spread := v.p.Say(cells[j].Spread); spread != "" && j < len(v.t.Columns) {
				of := locale.Join(" · ", cells[0].Text, v.column(j))
				v.spreads = append(v.spreads, v.p.Words("report.lead", of)+spread)
			}
		}
	}
}

// listReasons writes the list of reasons. It is folded, since it may be longer than the table. It can be opened by
// keyboard and is shown in print.
func (v *tableView) listReasons(w *Writer) {
	if len(v.reasons)+len(v.spreads) == 0 {
		return
	}
	w.Tag(`<details class="reasons"><summary>`, v.p.Words("page.reasons"), "</summary>\n")
	list := func(open string, items []string, end string) {
		if len(items) == 0 {
			return
		}
		w.Tag(open)
		for _, item := range items {
			w.Tag("<li>")
			w.Text(item)
			w.Tag("</li>")
		}
		w.Tag(end)
	}
	list(`<ol type="a" class="notes">`, v.reasons, "</ol>")
	list(`<ul class="notes">`, v.spreads, "</ul>")
	w.Tag("</details>\n")
}

// column returns the full title of a column.
func (v *tableView) column(i int) locale.Text {
	c := &v.t.Columns[i]
	if c.Group.IsZero() {
		return c.Title
	}
	return locale.Join(" · ", c.Group, c.Title)
}

// notes lists the footnotes. It marks warnings and errors.
func (v *tableView) notes(w *Writer) {
	if len(v.t.Notes) == 0 {
		return
	}
	w.Tag(`<ol class="notes">`)
	for _, n := range v.t.Notes {
		class := n.Severity.String()
		w.Tag(`<li class="`, class, `">`)
		if n.Severity >= result.Warning {
			w.Tag(`<span class="severity">`, v.p.Words("page.severity."+class), `</span> `)
		}
		w.Text(v.p.Say(n.Text))
		w.Tag("</li>")
	}
	w.Tag("</ol>\n")
}

// legend explains marks that no note explains: the grey of weak figures, and single figures that are struck through. An
// excluded row has a tag.
func (v *tableView) legend(w *Writer) {
	weak, struck := false, false
	for i := range v.t.Rows {
		r := &v.t.Rows[i]
		for j := range r.Cells {
			c := &r.Cells[j]
			weak = weak || c.Weak && !c.Missing && !v.t.Noted(c, result.Warning)
			struck = struck || c.Excluded && !c.Missing && !r.Excluded && !v.t.Noted(c, result.Error)
		}
	}
	for _, l := range []struct {
		shown bool
		key   string
	}{{weak, "page.weak.legend"}, {struck, "report.struck"}} {
		if l.shown {
			w.Tag(`<p class="legend">`, v.p.Words(l.key), "</p>\n")
		}
	}
}

// OpenScroll opens a box that scrolls sideways, also by keyboard. It is not a landmark, since a page has many of them
// and some have the same name.
func (w *Writer) OpenScroll(label string, p locale.Printer) {
	if label == "" {
		label = p.Words("page.table")
	}
	w.Tag(`<div class="scroll" role="group" tabindex="0" aria-label="`)
	w.Text(label)
	w.Tag(`">`)
}

// class writes the class attribute with the names that are not "".
func (w *Writer) class(names ...string) {
	opened := false
	for _, name := range names {
		switch {
		case name == "":
			continue
		case opened:
			w.Tag(" ", name)
		default:
			w.Tag(` class="`, name)
			opened = true
		}
	}
	if opened {
		w.Tag(`"`)
	}
}

func alignClass(a report.Align) string {
	switch a {
	case report.Right:
		return "num"
	case report.Center:
		return "mid"
	}
	return ""
}

// head writes the header: one row, or two if columns are grouped.
func (w *Writer) head(columns []report.Column, p locale.Printer) {
	groups := make([]string, len(columns))
	grouped := false
	for i, c := range columns {
		groups[i] = p.Say(c.Group)
		grouped = grouped || groups[i] != ""
	}
	w.Tag("<tr>")
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
			w.Tag(`<th scope="colgroup" class="group" colspan="`)
			w.Int(n - i)
			w.Tag(`"><span>`)
			w.Text(groups[i])
			w.Tag("</span></th>")
			i = n
		}
		w.Tag("</tr>\n<tr>")
	}
	for i, c := range columns {
		if !grouped || groups[i] != "" {
			w.column(c, 1, p)
		}
	}
	w.Tag("</tr>")
}

func (w *Writer) column(c report.Column, rows int, p locale.Printer) {
	w.Tag(`<th scope="col"`)
	w.class(alignClass(c.Align))
	if rows > 1 {
		w.Tag(` rowspan="`)
		w.Int(rows)
		w.Tag(`"`)
	}
	if c.Metric != "" {
		w.Tag(` title="`)
		w.Text(c.Metric)
		w.Tag(`"`)
	}
	w.Tag(">")
	w.Text(p.Say(c.Title))
	w.HeadUnit(c.Unit, c.Better, p)
	w.Tag("</th>")
}

// HeadUnit writes the second line of a header: the unit and the better direction.
func (w *Writer) HeadUnit(unit string, better result.Better, p locale.Printer) {
	if unit == "1" {
		unit = ""
	}
	arrow, words := "", ""
	switch better {
	case result.Higher:
		arrow, words = "↑", p.Words("page.higher")
	case result.Lower:
		arrow, words = "↓", p.Words("page.lower")
	}
	if unit == "" && arrow == "" {
		return
	}
	w.Tag(` <small class="unit">`)
	w.Text(unit)
	if arrow != "" {
		w.Tag(` <span class="better" role="img" title="`, words, `" aria-label="`, words, `">`, arrow, `</span>`)
	}
	w.Tag("</small>")
}

func (v *tableView) row(w *Writer, r *report.Row) {
	w.Tag("<tr")
	if r.Anchor != "" {
		w.Tag(` id="`)
		w.Text(r.Anchor)
		w.Tag(`"`)
	}
	switch {
	case r.Excluded:
		w.class("quarantined")
	case r.Summary:
		w.class("summary")
	case r.Baseline:
		w.class("baseline")
	}
	w.Tag(">")
	for i := range r.Cells {
		c := &r.Cells[i]
		align, weak, quarantined := "", "", ""
		if i < len(v.t.Columns) {
			align = alignClass(v.t.Columns[i].Align)
		}
		if c.Weak && !c.Missing {
			weak = "weak"
		}
		if c.Excluded && !r.Excluded {
			quarantined = "quarantined"
		}
		end := "</td>"
		if i == 0 {
			w.Tag(`<th scope="row"`)
			end = "</th>"
		} else {
			w.Tag("<td")
		}
		w.class(align, weak, quarantined)
		if c.Rule != "" {
			w.Tag(` data-rule="`)
			w.Text(c.Rule)
			w.Tag(`"`)
		}
		w.Tag(">")
		// Verdicts are not struck through in an excluded row.
		v.cell(w, c, r.Excluded && c.Rule == "" || c.Excluded, i == 0 && r.Excluded)
		if i == 0 {
			switch {
			case r.Excluded:
				w.Tag(` <small class="tag">`, v.p.Words("page.quarantined"), `</small>`)
			case r.Baseline:
				w.Tag(` <small class="tag">`, v.p.Words("page.baseline"), `</small>`)
			}
		}
		w.Tag(end)
	}
	w.Tag("</tr>\n")
}

// cell writes an entry. What is shown by a strike or by grey is also written as text for screen readers, unless the row
// is tagged.
func (v *tableView) cell(w *Writer, c *report.Cell, struck, tagged bool) {
	why, spread := v.p.Say(c.Why), v.p.Say(c.Spread)
	if c.Missing {
		w.Dash(cmp.Or(why, v.p.Words("page.missing")))
		v.references(w, c.Notes, why)
		return
	}
	text := v.p.Say(c.Text)
	if c.Spark != nil {
		w.Tag(string(Sparkline(*c.Spark, v.p)))
		if text != "" {
			w.Tag(" ")
		}
	}
	struck = struck && text != ""
	if c.Best {
		words := v.p.Words("page.best")
		w.Tag(`<span class="mark" role="img" title="`, words, `" aria-label="`, words, `">★</span><strong>`)
	}
	if struck {
		w.Tag("<s>")
	}
	href := ""
	if c.Run != "" && v.link != nil {
		href = v.link(c.Run)
	} else if c.Run == "" {
		href = SafeURL(c.URL)
	}
	end := ""
	if href != "" {
		w.Tag(`<a href="`)
		w.Text(href)
		w.Tag(`"`)
		end = "</a>"
	} else if why != "" || spread != "" || c.Source.File != "" {
		w.Tag("<span")
		end = "</span>"
	}
	if end != "" {
		w.Title(c.Source, c.Field, why, spread)
		w.Tag(">")
	}
	w.Text(text)
	w.Tag(end)
	if struck {
		w.Tag("</s>")
	}
	if c.Best {
		w.Tag("</strong>")
	}
	if struck && !tagged {
		w.Tag(`<span class="aloud"> `, v.p.Words("page.quarantined"), `</span>`)
	}
	if c.Weak && text != "" {
		w.Tag(`<span class="aloud"> `, v.p.Words("page.weak"), `</span>`)
	}
	v.references(w, c.Notes, why)
	if !c.Change.IsZero() {
		w.Tag(` <small class="change">`)
		w.Text(v.p.Say(c.Change))
		w.Tag("</small>")
	}
}

func (w *Writer) Missing(p locale.Printer) { w.Dash(p.Words("page.missing")) }

// Dash writes the sign for a missing value. title says why it is missing.
func (w *Writer) Dash(title string) {
	w.Tag(`<span class="none" title="`)
	w.Text(title)
	w.Tag(`">—</span>`)
}

// Title writes the title attribute: the reason of an entry, where its figure was read, and under which name.
func (w *Writer) Title(pos result.Position, field string, basis ...string) {
	words := slices.DeleteFunc(basis, func(s string) bool { return s == "" })
	if pos.File != "" {
		read := pos.String()
		if field != "" {
			read += ", " + field
		}
		words = append(words, read)
	}
	if len(words) == 0 {
		return
	}
	w.Tag(` title="`)
	w.Text(strings.Join(words, " · "))
	w.Tag(`"`)
}

// references writes the numbers of a cell's notes and the letter of its reason.
func (v *tableView) references(w *Writer, notes []int, why string) {
	if len(notes) == 0 && why == "" {
		return
	}
	w.Tag("<sup>")
	for i, n := range notes {
		if i > 0 {
			w.Tag(",")
		}
		if n < 1 || n > len(v.t.Notes) {
			w.Int(n)
			continue
		}
		note := &v.t.Notes[n-1]
		w.Tag("<span")
		if note.Severity >= result.Warning {
			w.class(note.Severity.String())
		}
		w.Tag(` title="`)
		w.Text(v.p.Say(note.Text))
		w.Tag(`">`)
		w.Int(n)
		w.Tag("</span>")
	}
	if why != "" {
		if len(notes) > 0 {
			w.Tag(",")
		}
		w.Tag(locale.Letter(v.letters[why]))
	}
	w.Tag("</sup>")
}

// SafeURL returns an address if a link may point to it: on the web, or in the site. Otherwise it returns "".
func SafeURL(s string) string {
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
