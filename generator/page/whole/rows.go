package whole

import (
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/census"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
)

// pathOf returns the path of the page of a model, machine, load or scenario. The page is a single file in the folder of
// its kind, whatever the name contains, so that it cannot be inside the folder of a part with the name of a kind.
func (w *writer) pathOf(n address.Name) string {
	folder := strings.TrimSuffix(lists[n.Kind].path, "index.html")
	if n.Kind == address.Scenarios {
		folder = "scenarios/"
	}
	return folder + w.book.Flat(n) + ".html"
}

// subject makes the pages of a subject: a summary of its runs, and the parts with such runs.
func (w *writer) subject(s *subject) error {
	p := w.Printer
	path, l := w.pathOf(s.name()), lists[s.kind]
	rows := w.sorted(s)
	v := view{Title: w.Value(s.label(), s.value), Trail: &link{Name: p.Words(l.name), Href: template.URL(address.Root(w.dir+path) + w.dir + l.path)},
		Sentences: []string{p.Words("whole.of", w.count("whole.runs.n", s.runs), w.count("whole.parts.n", len(s.parts)))}}
	if v.Title != s.value {
		v.Code = s.value
	}
	pages := max(pagesFor(len(rows), rowsOnPage), pagesFor(len(s.parts), namesOnPage))
	return w.paged(path, l, pages, v, func(i int, root string) []part {
		var on []part
		if some := slice(rows, i, rowsOnPage); len(some) > 0 {
			on = append(on, part{p.Words("page.reached"), w.tables(s, some, root), nil})
		}
		if some := slice(s.parts, i, namesOnPage); len(some) > 0 {
			on = append(on, part{p.Words(partsList.name), w.shares(s, some, root), nil})
		}
		return on
	})
}

// sorted returns the rows of a subject that have figures, in the order of its page. Rows with the same metrics are
// together. Then they are sorted in the site's order of machines, models, loads and other distinguishing labels.
func (w *writer) sorted(s *subject) []*census.Row {
	var runs []*result.Result
	of := map[*result.Result]*census.Row{}
	for _, row := range s.rows {
		if len(row.Figures) > 0 {
			runs = append(runs, &result.Result{ID: strconv.Itoa(len(runs)), Labels: row.Labels})
			of[runs[len(runs)-1]] = row
		}
	}
	site := dataset.Selection{Site: dataset.Site{Order: w.Orders}}
	var rows []*census.Row
	for _, r := range site.Sorted(runs, slices.Concat([]string{first(s.kind), "load", "scenario"}, parts.Distinguishing)) {
		rows = append(rows, of[r])
	}
	var measured [][]string
	for _, row := range rows {
		if m := metricsOf(row); !slices.ContainsFunc(measured, func(other []string) bool { return slices.Equal(m, other) }) {
			measured = append(measured, m)
		}
	}
	place := func(row *census.Row) int {
		m := metricsOf(row)
		return slices.IndexFunc(measured, func(other []string) bool { return slices.Equal(m, other) })
	}
	slices.SortStableFunc(rows, func(a, b *census.Row) int { return place(a) - place(b) })
	return rows
}

// first returns the label of the first column in the table of a kind.
func first(kind address.Kind) string {
	if kind == address.Models {
		return "hardware"
	}
	return "model"
}

// metricsOf returns the metrics of a row.
func metricsOf(row *census.Row) []string {
	names := make([]string, len(row.Figures))
	for i, f := range row.Figures {
		names[i] = f.Best.Name
	}
	return names
}

// tables returns a table for each set of rows with the same metrics.
func (w *writer) tables(s *subject, rows []*census.Row, root string) template.HTML {
	var b parts.Writer
	b.Tag(`<p class="hint">`, w.Printer.Words("whole.hint"), "</p>\n")
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && slices.Equal(metricsOf(rows[0]), metricsOf(rows[n])) {
			n++
		}
		w.table(&b, s, rows[:n], root)
		rows = rows[n:]
	}
	return b.HTML()
}

// table writes the table of rows with the same metrics.
func (w *writer) table(b *parts.Writer, s *subject, rows []*census.Row, root string) {
	p := w.Printer
	t := parts.RunTable{L: &w.Reader, HideLoad: s.kind == address.Loads}
	for i, row := range rows {
		t.Runs = append(t.Runs, &result.Result{ID: strconv.Itoa(i), Labels: row.Labels})
	}
	c := t.Conditions()
	head := first(s.kind)
	vary := slices.DeleteFunc(c.Vary, func(label string) bool { return label == head || label == "id" })
	shown := []string{head}
	if c.Load != "" && !t.HideLoad {
		shown = append(shown, c.Load)
	}

	b.OpenScroll(p.Words("page.reached"), p)
	b.Tag(`<table class="whole">`)
	t.Caption(b, "", &c)
	b.Tag("<thead><tr>")
	for _, label := range shown {
		b.Tag(`<th scope="col" rowspan="2">`)
		b.Text(p.Label(label))
		b.Tag("</th>")
	}
	for _, words := range []string{"page.runs", partsList.name} {
		b.Tag(`<th scope="col" class="num" rowspan="2">`, p.Words(words), "</th>")
	}
	for _, f := range rows[0].Figures {
		b.Tag(`<th scope="colgroup" class="group" colspan="3"><span>`)
		b.Text(p.Metric(f.Best.Name))
		b.Tag("</span></th>")
	}
	b.Tag("</tr>\n<tr>")
	for _, f := range rows[0].Figures {
		b.Tag(`<th scope="col" class="num">`, p.Words("page.reached.best"))
		b.HeadUnit(f.Best.Unit, f.Best.Better, p)
		b.Tag(`</th><th scope="col" class="num">`, p.Words("page.reached.middle"), `</th><th scope="col" class="num">`, p.Words("whole.worst"), "</th>")
	}
	b.Tag("</tr></thead>\n<tbody>\n")
	for i, row := range rows {
		w.row(b, t.Runs[i], row, shown, vary, root)
	}
	b.Tag("</tbody></table></div>\n")
}

// row writes a row: its first label with the varying labels below it, its load, and its figures. run has its labels.
func (w *writer) row(b *parts.Writer, run *result.Result, row *census.Row, shown, vary []string, root string) {
	b.Tag(`<tr><th scope="row">`)
	w.value(b, shown[0], run.Labels.Get(shown[0]), root)
	if held := slices.DeleteFunc(slices.Clone(run.Labels), func(l result.Label) bool { return !slices.Contains(vary, l.Name) }); len(held) > 0 {
		slices.SortFunc(held, func(x, y result.Label) int { return slices.Index(vary, x.Name) - slices.Index(vary, y.Name) })
		b.Tag(` <small class="held">`)
		b.Facts(held, &w.Reader)
		b.Tag("</small>")
	}
	b.Tag("</th>")
	if len(shown) > 1 {
		label, value := parts.LoadLabel(run)
		b.Tag("<td>")
		w.value(b, label, value, root)
		b.Tag("</td>")
	}
	for _, n := range []int{row.Runs, len(row.Parts)} {
		b.Tag(`<td class="num">`)
		b.Text(w.number(n))
		b.Tag("</td>")
	}
	for _, f := range row.Figures {
		for _, r := range []census.Reading{f.Best, f.Median, f.Worst} {
			b.Tag(`<td class="num">`)
			w.toRun(b, r, root)
			b.Tag("</td>")
		}
	}
	b.Tag("</tr>\n")
}

// value writes a value of a label with a link to its page, or the sign for a missing value.
func (w *writer) value(b *parts.Writer, label, value, root string) {
	if value == "" {
		b.Missing(w.Printer)
		return
	}
	w.toSubject(b, label, value, root)
}

// shares lists parts with the number of the subject's runs in each, with links to the subject's page in the part.
func (w *writer) shares(s *subject, some []census.Share, root string) template.HTML {
	var names *address.Book
	var b parts.Writer
	b.Tag("<ul class=\"campaigns\">")
	for _, share := range some {
		name := w.Census.Parts[share.Part].Name
		b.Tag("\n<li>")
		w.toPart(&b, name, names.Subject(s.label(), s.value), root, name)
		b.Tag(" <small>")
		b.Text(w.count("whole.runs.n", share.Runs))
		b.Tag("</small></li>")
	}
	b.Tag("\n</ul>\n")
	return b.HTML()
}
