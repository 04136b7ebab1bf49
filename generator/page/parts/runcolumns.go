package parts

import (
	"html/template"
	"path"
	"slices"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// RunColumns returns a table with a column for each run and all their metrics.
func RunColumns(runs []*result.Result, home string, l *Reader) template.HTML {
	p := l.Printer
	if len(runs) == 0 {
		return ""
	}
	var w Writer
	w.OpenScroll(p.Words("page.runs"), p)
	w.Tag(`<table class="compare"><thead><tr><th scope="col">`, p.Words("page.metric"), "</th>")
	for _, r := range runs {
		w.Tag(`<th scope="col" class="num"><a href="`)
		w.Text(home + address.Escape(l.Names.Run(r.ID)))
		w.Tag(`">`)
		name := l.LoadName(r)
		if name == "" {
			name = path.Base(r.ID)
		}
		w.Text(name)
		w.Tag(`</a> <small class="unit">`)
		w.Text(r.ID)
		w.Tag("</small>")
		if r.Status != result.Complete {
			w.Tag(` <small class="tag `, r.Status.String(), `">`, p.Words("status."+r.Status.String()), "</small>")
		}
		if r.Excluded() {
			w.Tag(` <small class="tag">`, p.Words("page.quarantined"), "</small>")
		}
		w.Tag("</th>")
	}
	w.Tag("</tr></thead>\n")
	if vary := differing(runs); len(vary) > 0 {
		writeGroupHead(&w, "page.conditions", len(runs), p)
		for _, name := range vary {
			w.Tag(`<tr><th scope="row">`)
			w.Text(p.Label(name))
			w.Tag("</th>")
			for _, r := range runs {
				w.Tag(`<td class="num">`)
				w.Text(l.Value(name, r.Labels.Get(name)))
				w.Tag("</td>")
			}
			w.Tag("</tr>\n")
		}
		w.Tag("</tbody>")
	}
	all := union(runs)
	for _, g := range Groups(all) {
		writeGroupHead(&w, g.Key, len(runs), p)
		for _, m := range g.Metrics {
			writeCompareRow(&w, m, runs, p)
		}
		w.Tag("</tbody>")
	}
	if slices.ContainsFunc(all, isLatency) {
		writeGroupHead(&w, "page.group.latency", len(runs), p)
		for _, m := range all {
			if isLatency(m) {
				writeCompareRow(&w, m, runs, p)
			}
		}
		w.Tag("</tbody>")
	}
	w.Tag("</table></div>\n")
	return w.HTML()
}

// differing returns the distinguishing labels in which the runs differ, and further labels that distinguish them.
func differing(runs []*result.Result) []string {
	var names []string
	for _, name := range Distinguishing {
		if slices.ContainsFunc(runs, func(r *result.Result) bool { return r.Labels.Get(name) != runs[0].Labels.Get(name) }) {
			names = append(names, name)
		}
	}
	return append(names, slices.DeleteFunc(dataset.Apart(runs, append(slices.Clone(names), "model")...), func(name string) bool { return name == "id" })...)
}

func isLatency(m result.Metric) bool {
	_, _, ok := vocabulary.Statistic(m.Name)
	return ok
}

// union returns the metrics that any of the runs has, once each.
func union(runs []*result.Result) []result.Metric {
	var all []result.Metric
	seen := map[string]bool{}
	for _, r := range runs {
		for _, m := range r.Metrics {
			if !seen[m.Name] {
				seen[m.Name] = true
				all = append(all, m)
			}
		}
	}
	return all
}

func writeGroupHead(w *Writer, key string, columns int, p locale.Printer) {
	w.Tag(`<tbody><tr class="group"><th scope="rowgroup" colspan="`)
	w.Int(columns + 1)
	w.Tag(`">`, p.Words(key), "</th></tr>\n")
}

func writeCompareRow(w *Writer, m result.Metric, runs []*result.Result, p locale.Printer) {
	w.Tag(`<tr><th scope="row">`)
	w.Text(p.Metric(m.Name))
	if u := UnitOf(m); u != "" {
		w.Tag(` <small class="unit">`)
		w.Text(u)
		w.Tag("</small>")
	}
	w.Tag("</th>")
	for _, r := range runs {
		w.Tag(`<td class="num">`)
		v, ok := r.Metric(m.Name)
		switch {
		case !ok:
			w.Missing(p)
		case r.Excluded():
			w.Tag("<s>", Digits(v), "</s>")
		default:
			w.Tag("<span")
			w.Title(result.Position{File: r.Source.File, Line: int(v.Line)}, v.Field)
			w.Tag(">", Digits(v), "</span>")
		}
		w.Tag("</td>")
	}
	w.Tag("</tr>\n")
}
