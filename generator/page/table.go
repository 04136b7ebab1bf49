package page

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

// Table lays out a table, and below it what it comes to, its notes, and what
// its entries rest on. Cells that name a run link to the address link gives
// for it, unless that is ""; link may be nil.
func Table(t report.Table, p locale.Printer, link func(runID string) string) template.HTML {
	var w writer
	v := tableView{t: &t, p: p, link: link}
	v.collectReasons()
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
		v.row(&w, &t.Rows[i])
	}
	w.tag("</tbody>\n</table></div>\n")
	if len(t.Answers) > 0 {
		w.findings(`<ul class="answers">`, t.Answers, sources{p, link, commonFolder(t.Answers)})
	}
	v.notes(&w)
	v.legend(&w)
	v.listReasons(&w)
	w.tag("</div>\n")
	return w.html()
}

// tableView writes one table in one language.
type tableView struct {
	t    *report.Table
	p    locale.Printer
	link func(runID string) string

	// What entries rest on is shown on hover, and for those who do not hover
	// in a list below the table, by letters: entries that rest on the same
	// share one.
	reasons []string
	letters map[string]int
	spreads []string // of the figures that are of repeats, each with its row and column
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

// listReasons is folded: a list may be longer than its table. A keyboard
// unfolds it, and paper shows it.
func (v *tableView) listReasons(w *writer) {
	if len(v.reasons)+len(v.spreads) == 0 {
		return
	}
	w.tag(`<details class="reasons"><summary>`, v.p.Words("page.reasons"), "</summary>\n")
	list := func(open string, items []string, end string) {
		if len(items) == 0 {
			return
		}
		w.tag(open)
		for _, item := range items {
			w.tag("<li>")
			w.text(item)
			w.tag("</li>")
		}
		w.tag(end)
	}
	list(`<ol type="a" class="notes">`, v.reasons, "</ol>")
	list(`<ul class="notes">`, v.spreads, "</ul>")
	w.tag("</details>\n")
}

// column names a column in full.
func (v *tableView) column(i int) locale.Text {
	c := &v.t.Columns[i]
	if c.Group.IsZero() {
		return c.Title
	}
	return locale.Join(" · ", c.Group, c.Title)
}

// notes lists the footnotes; those that warn say so.
func (v *tableView) notes(w *writer) {
	if len(v.t.Notes) == 0 {
		return
	}
	w.tag(`<ol class="notes">`)
	for _, n := range v.t.Notes {
		class := n.Severity.String()
		w.tag(`<li class="`, class, `">`)
		if n.Severity >= result.Warning {
			w.tag(`<span class="severity">`, v.p.Words("page.severity."+class), `</span> `)
		}
		w.text(v.p.Say(n.Text))
		w.tag("</li>")
	}
	w.tag("</ol>\n")
}

// legend explains the marks that no note does: the grey of weak figures and
// the stroke through single ones. A row that is set aside says so itself.
func (v *tableView) legend(w *writer) {
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
			w.tag(`<p class="legend">`, v.p.Words(l.key), "</p>\n")
		}
	}
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

// class writes the attribute with the names that are not "".
func (w *writer) class(names ...string) {
	opened := false
	for _, name := range names {
		switch {
		case name == "":
			continue
		case opened:
			w.tag(" ", name)
		default:
			w.tag(` class="`, name)
			opened = true
		}
	}
	if opened {
		w.tag(`"`)
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
	w.tag(`<th scope="col"`)
	w.class(alignClass(c.Align))
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
func (w *writer) headUnit(unit string, better result.Better, p locale.Printer) {
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
	w.tag(` <small class="unit">`)
	w.text(unit)
	if arrow != "" {
		w.tag(` <span class="better" role="img" title="`, words, `" aria-label="`, words, `">`, arrow, `</span>`)
	}
	w.tag("</small>")
}

func (v *tableView) row(w *writer, r *report.Row) {
	w.tag("<tr")
	if r.Anchor != "" {
		w.tag(` id="`)
		w.text(r.Anchor)
		w.tag(`"`)
	}
	switch {
	case r.Excluded:
		w.class("quarantined")
	case r.Summary:
		w.class("summary")
	case r.Baseline:
		w.class("baseline")
	}
	w.tag(">")
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
			w.tag(`<th scope="row"`)
			end = "</th>"
		} else {
			w.tag("<td")
		}
		w.class(align, weak, quarantined)
		if c.Rule != "" {
			w.tag(` data-rule="`)
			w.text(c.Rule)
			w.tag(`"`)
		}
		w.tag(">")
		// A verdict is no figure: that a row is set aside does not strike it.
		v.cell(w, c, r.Excluded && c.Rule == "" || c.Excluded, i == 0 && r.Excluded)
		if i == 0 {
			switch {
			case r.Excluded:
				w.tag(` <small class="tag">`, v.p.Words("page.quarantined"), `</small>`)
			case r.Baseline:
				w.tag(` <small class="tag">`, v.p.Words("page.baseline"), `</small>`)
			}
		}
		w.tag(end)
	}
	w.tag("</tr>\n")
}

// cell writes an entry. What the eye sees by a stroke or by grey is also there
// in words, unless the cell is tagged.
func (v *tableView) cell(w *writer, c *report.Cell, struck, tagged bool) {
	why, spread := v.p.Say(c.Why), v.p.Say(c.Spread)
	if c.Missing {
		w.dash(cmp.Or(why, v.p.Words("page.missing")))
		v.references(w, c.Notes, why)
		return
	}
	text := v.p.Say(c.Text)
	struck = struck && text != ""
	if c.Best {
		words := v.p.Words("page.best")
		w.tag(`<span class="mark" role="img" title="`, words, `" aria-label="`, words, `">★</span><strong>`)
	}
	if struck {
		w.tag("<s>")
	}
	href := ""
	if c.Run != "" && v.link != nil {
		href = v.link(c.Run)
	} else if c.Run == "" {
		href = safeURL(c.URL)
	}
	end := ""
	if href != "" {
		w.tag(`<a href="`)
		w.text(href)
		w.tag(`"`)
		end = "</a>"
	} else if why != "" || spread != "" || c.Source.File != "" {
		w.tag("<span")
		end = "</span>"
	}
	if end != "" {
		w.title(c.Source, c.Field, why, spread)
		w.tag(">")
	}
	w.text(text)
	w.tag(end)
	if struck {
		w.tag("</s>")
	}
	if c.Best {
		w.tag("</strong>")
	}
	if struck && !tagged {
		w.tag(`<span class="aloud"> `, v.p.Words("page.quarantined"), `</span>`)
	}
	if c.Weak && text != "" {
		w.tag(`<span class="aloud"> `, v.p.Words("page.weak"), `</span>`)
	}
	v.references(w, c.Notes, why)
	if !c.Change.IsZero() {
		w.tag(` <small class="change">`)
		w.text(v.p.Say(c.Change))
		w.tag("</small>")
	}
}

func (w *writer) missing(p locale.Printer) { w.dash(p.Words("page.missing")) }

// dash writes what stands for no value; title says why there is none.
func (w *writer) dash(title string) {
	w.tag(`<span class="none" title="`)
	w.text(title)
	w.tag(`">—</span>`)
}

// title writes the attribute that says what an entry rests on, where its
// figure was read, and by what name.
func (w *writer) title(pos result.Position, field string, basis ...string) {
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
	w.tag(` title="`)
	w.text(strings.Join(words, " · "))
	w.tag(`"`)
}

// references writes the numbers of a cell's notes and the letter of what it
// rests on.
func (v *tableView) references(w *writer, notes []int, why string) {
	if len(notes) == 0 && why == "" {
		return
	}
	w.tag("<sup>")
	for i, n := range notes {
		if i > 0 {
			w.tag(",")
		}
		if n < 1 || n > len(v.t.Notes) {
			w.int(n)
			continue
		}
		note := &v.t.Notes[n-1]
		w.tag("<span")
		if note.Severity >= result.Warning {
			w.class(note.Severity.String())
		}
		w.tag(` title="`)
		w.text(v.p.Say(note.Text))
		w.tag(`">`)
		w.int(n)
		w.tag("</span>")
	}
	if why != "" {
		if len(notes) > 0 {
			w.tag(",")
		}
		w.tag(locale.Letter(v.letters[why]))
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
	Src           string // reference relative to the page, escaped; "" where there is only the SVG
	Alt           string
	Width, Height int           // of the file, in pixels
	SVG           template.HTML // the same picture, shown in place of it; may be ""
	Narrow        template.HTML // the same chart for a narrow page; may be ""
	CSV           string        // reference to the figures behind it; may be ""
	Caption       string        // may be ""
	Data          template.HTML // the figures behind it, as a Table; may be ""
	Chart         string        // the page's Chart that it shows; "" for a picture alone
	Runs          string        // reference to the folder of the runs' pages, which points lead to; may be ""
}

// Figure lays out a picture, which opens in full size when its file is followed.
func Figure(f Picture, p locale.Printer) template.HTML {
	var w writer
	w.tag(`<figure class="chart"`)
	if f.Chart != "" {
		w.tag(` data-chart="`)
		w.text(f.Chart)
		w.tag(`"`)
		if f.Runs != "" {
			w.tag(` data-runs="`)
			w.text(f.Runs)
			w.tag(`"`)
		}
	}
	end := "</a>"
	if f.Src != "" {
		w.tag(`><a href="`)
		w.text(f.Src)
		w.tag(`">`)
	} else {
		w.tag("><div>")
		end = "</div>"
	}
	switch {
	case f.Narrow != "":
		// Where no style sheet chooses between the two, the wide one is shown.
		w.tag(`<span class="wide">`, string(f.SVG), `</span><span class="narrow" hidden>`, string(f.Narrow), `</span>`, end)
	case f.SVG != "":
		w.tag(string(f.SVG), end)
	default:
		w.tag(`<img src="`)
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
	}
	if f.CSV != "" {
		w.tag("\n", `<p class="files"><a href="`)
		w.text(f.Src)
		w.tag(`">PNG</a> <a href="`)
		w.text(f.CSV)
		w.tag(`">`)
		w.text(p.Words("page.csv"))
		w.tag("</a></p>")
	}
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
		if caption == "" {
			w.tag("<figcaption data-site>")
		} else {
			w.tag("<figcaption>")
		}
		w.text(caption)
		if link != "" {
			w.tag(` <a data-site href="`)
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
