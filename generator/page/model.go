package page

import (
	"html/template"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// model is a model with its runs.
type model struct {
	Model
	runs []*result.Result
}

// collectModels puts the declared models first, in their order, then those
// that only runs name.
func (b *builder) collectModels() {
	b.byModel = map[string]*model{}
	add := func(m Model) *model {
		if old, ok := b.byModel[m.ID]; ok {
			return old
		}
		nm := &model{Model: m}
		b.byModel[m.ID] = nm
		b.models = append(b.models, nm)
		return nm
	}
	for _, m := range b.Models {
		add(m)
	}
	declared := len(b.models)
	for _, r := range b.results {
		if id := r.Labels.Get("model"); id != "" {
			m := add(Model{ID: id})
			m.runs = append(m.runs, r)
		}
	}
	slices.SortStableFunc(b.models[declared:], func(x, y *model) int { return result.NaturalCompare(x.ID, y.ID) })
}

func (m *model) name(p locale.Printer) string {
	if t := p.Say(m.Title); t != "" {
		return t
	}
	return m.ID
}

// quantization is as declared, else as the runs agree.
func (m *model) quantization() string {
	if m.Quantization != "" || len(m.runs) == 0 {
		return m.Quantization
	}
	q := m.runs[0].Labels.Get("quantization")
	for _, r := range m.runs {
		if r.Labels.Get("quantization") != q {
			return ""
		}
	}
	return q
}

// sideBySide is the number of runs up to which a model's page sets them in
// columns.
const sideBySide = 6

// modelRuns lists a model's runs as its page does: by what they were put under
// and, where there are several, by machine.
func (b *builder) modelRuns(l *language, m *model) []runGroup {
	return grouped(m.runs, placeOf(m.runs, l))
}

// placeOf names the load of a run and, where runs differ in it, its machine.
func placeOf(runs []*result.Result, l *language) func(*result.Result) string {
	several := slices.ContainsFunc(runs, func(r *result.Result) bool {
		return r.Labels.Get("hardware") != runs[0].Labels.Get("hardware")
	})
	return func(r *result.Result) string {
		label, name := loadLabel(r)
		if name != "" {
			name = l.value(label, name)
		}
		machine := r.Labels.Get("hardware")
		switch {
		case !several || machine == "":
			return name
		case name == "":
			return l.value("hardware", machine)
		}
		return l.value("hardware", machine) + " · " + name
	}
}

// family gives a model's base, or itself when it has none with runs, and all
// that was made of that.
func (b *builder) family(m *model) []string {
	base := m
	if of, ok := b.byModel[m.Base]; ok && len(of.runs) > 0 {
		base = of
	}
	ids := []string{base.ID}
	for _, other := range b.models {
		if other != base && (other == m || other.Base == base.ID) {
			ids = append(ids, other.ID)
		}
	}
	return ids
}

func (b *builder) modelPage(l *language, m *model) job {
	return func() ([]file, error) {
		p := l.printer
		s := subject{kind: "model", path: modelPath(m.ID), title: m.name(p),
			data: subjectData{ID: m.ID, Note: p.Say(m.Note), Total: len(m.runs)}}
		home := l.homeOf(s.path)
		spec := facts{p: p}
		spec.add("page.model.quantization", m.quantization(), "")
		spec.add("page.model.params", m.Params, "")
		spec.add("page.model.active", m.ActiveParams, "")
		spec.add("page.model.size", m.Size, "")
		if base, ok := b.byModel[m.Base]; ok {
			spec.add("page.model.base", m.Base, home+escapePath(modelPath(base.ID)))
		} else {
			spec.add("page.model.base", m.Base, "")
		}
		if u := safeURL(m.URL); u != "" {
			spec.add("page.model.url", strings.TrimPrefix(u, "https://"), u)
		}
		spec.plans(b, home, "model", m.ID)
		s.data.Spec = spec.list
		s.views = b.report.OfModel(m.ID, b.family(m), l.modelLinks(b, home))
		if len(m.runs) <= sideBySide {
			s.columns = runColumns(m.runs, home, l)
		} else {
			s.groups = b.modelRuns(l, m)
			s.table = runTable{hideModel: true, hideLoad: true, showCampaign: true, figures: 5}
		}
		return b.subjectPages(l, s)
	}
}

// runColumns sets runs side by side, one to a column, with all they measured.
func runColumns(runs []*result.Result, home string, l *language) template.HTML {
	p := l.printer
	if len(runs) == 0 {
		return ""
	}
	var w writer
	w.openScroll(p.Words("page.runs"), p)
	w.tag(`<table class="compare"><thead><tr><th scope="col">`, p.Words("page.metric"), "</th>")
	for _, r := range runs {
		w.tag(`<th scope="col" class="num"><a href="`)
		w.text(home + escapePath(runPath(r.ID)))
		w.tag(`">`)
		name := loadName(r, l)
		if name == "" {
			name = baseName(r.ID)
		}
		w.text(name)
		w.tag(`</a> <small class="unit">`)
		w.text(r.ID)
		w.tag("</small>")
		if r.Status != result.Complete {
			w.tag(` <small class="tag `, r.Status.String(), `">`, p.Words("status."+r.Status.String()), "</small>")
		}
		if r.Excluded() {
			w.tag(` <small class="tag">`, p.Words("page.quarantined"), "</small>")
		}
		w.tag("</th>")
	}
	w.tag("</tr></thead>\n")
	if vary := differing(runs); len(vary) > 0 {
		w.groupHead("page.conditions", len(runs), p)
		for _, name := range vary {
			w.tag(`<tr><th scope="row">`)
			w.text(p.Label(name))
			w.tag("</th>")
			for _, r := range runs {
				w.tag(`<td class="num">`)
				w.text(l.value(name, r.Labels.Get(name)))
				w.tag("</td>")
			}
			w.tag("</tr>\n")
		}
		w.tag("</tbody>")
	}
	all := union(runs)
	for _, g := range groups(all) {
		w.groupHead(g.key, len(runs), p)
		for _, m := range g.metrics {
			w.compareRow(m, runs, p)
		}
		w.tag("</tbody>")
	}
	if slices.ContainsFunc(all, isLatency) {
		w.groupHead("page.group.latency", len(runs), p)
		for _, m := range all {
			if isLatency(m) {
				w.compareRow(m, runs, p)
			}
		}
		w.tag("</tbody>")
	}
	w.tag("</table></div>\n")
	return w.html()
}

// differing are the distinguishing labels that the runs do not agree in.
func differing(runs []*result.Result) []string {
	var names []string
	for _, name := range distinguishing {
		if slices.ContainsFunc(runs, func(r *result.Result) bool { return r.Labels.Get(name) != runs[0].Labels.Get(name) }) {
			names = append(names, name)
		}
	}
	return names
}

func isLatency(m result.Metric) bool {
	_, _, ok := vocabulary.Statistic(m.Name)
	return ok
}

// union gives the metrics that any of the runs has, once each.
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

func (w *writer) groupHead(key string, columns int, p locale.Printer) {
	w.tag(`<tbody><tr class="group"><th scope="rowgroup" colspan="`)
	w.int(columns + 1)
	w.tag(`">`, p.Words(key), "</th></tr>\n")
}

func (w *writer) compareRow(m result.Metric, runs []*result.Result, p locale.Printer) {
	w.tag(`<tr><th scope="row">`)
	w.text(p.Metric(m.Name))
	if u := unitOf(m); u != "" {
		w.tag(` <small class="unit">`)
		w.text(u)
		w.tag("</small>")
	}
	w.tag("</th>")
	for _, r := range runs {
		w.tag(`<td class="num">`)
		v, ok := r.Metric(m.Name)
		switch {
		case !ok:
			w.missing(p)
		case r.Excluded():
			w.tag("<s>", digits(v), "</s>")
		default:
			w.tag("<span")
			w.title(result.Position{File: r.Source.File, Line: v.Line}, v.Field)
			w.tag(">", digits(v), "</span>")
		}
		w.tag("</td>")
	}
	w.tag("</tr>\n")
}

func (b *builder) modelIndex(l *language) job {
	return func() ([]file, error) {
		pg := b.page(l, "models", "models/index.html", l.printer.Words("page.models"))
		pg.Data = &indexData{len(b.models), b.modelTable(l, pg.home)}
		return b.finish(l, pg)
	}
}

// modelTable lists the models with their specification and, for each load,
// what they reached.
func (b *builder) modelTable(l *language, home string) template.HTML {
	if len(b.models) == 0 {
		return ""
	}
	p := l.printer
	type column struct {
		key string
		of  func(*model) string
		num bool
	}
	columns := []column{
		{"page.model.quantization", (*model).quantization, false},
		{"page.model.params", func(m *model) string { return m.Params }, true},
		{"page.model.size", func(m *model) string { return m.Size }, true},
	}
	columns = slices.DeleteFunc(columns, func(c column) bool {
		return !slices.ContainsFunc(b.models, func(m *model) bool { return c.of(m) != "" })
	})
	loads := b.fewLoads()
	var w writer
	w.openScroll(p.Words("page.models"), p)
	w.tag(`<table class="models"><thead><tr><th scope="col">`, p.Label("model"), "</th>")
	for _, c := range columns {
		w.tag(`<th scope="col"`, numClass(c.num), ">", p.Words(c.key), "</th>")
	}
	for _, load := range loads {
		w.tag(`<th scope="col" class="num">`)
		w.text(l.value("load", load))
		w.headUnit("tok/s", result.Higher, p)
		w.tag("</th>")
	}
	w.tag(`<th scope="col" class="num">`, p.Words("page.runs"), "</th></tr></thead>\n<tbody>\n")
	for _, m := range b.models {
		w.tag(`<tr><th scope="row"><a href="`)
		w.text(home + escapePath(modelPath(m.ID)))
		w.tag(`">`)
		w.text(m.name(p))
		w.tag("</a></th>")
		for _, c := range columns {
			w.tag("<td", numClass(c.num), ">")
			w.text(c.of(m))
			w.tag("</td>")
		}
		for _, load := range loads {
			w.tag(`<td class="num">`)
			w.reached(m.runs, load, p)
			w.tag("</td>")
		}
		w.tag(`<td class="num">`)
		w.int(len(m.runs))
		w.tag("</td></tr>\n")
	}
	w.tag("</tbody></table></div>\n")
	return w.html()
}

func numClass(num bool) string {
	if num {
		return ` class="num"`
	}
	return ""
}

// fewLoads are the names of loads that runs have, if they are few.
func (b *builder) fewLoads() []string {
	var loads []string
	for _, r := range b.results {
		l := r.Labels.Get("load")
		if l != "" && !slices.Contains(loads, l) {
			loads = append(loads, l)
		}
		if len(loads) > 4 {
			return nil
		}
	}
	slices.Sort(loads)
	return loads
}

// reached writes the output throughput of a model's runs at a load: one
// figure, or from the least to the most. Runs that were set aside do not count.
func (w *writer) reached(runs []*result.Result, load string, p locale.Printer) {
	var low, high result.Metric
	n := 0
	for _, r := range runs {
		m, ok := r.Metric("output_throughput")
		if !ok || r.Excluded() || r.Labels.Get("load") != load {
			continue
		}
		if n == 0 || m.Value < low.Value {
			low = m
		}
		if n == 0 || m.Value > high.Value {
			high = m
		}
		n++
	}
	switch {
	case n == 0:
		w.missing(p)
	case low.Value == high.Value:
		w.tag(digits(low))
	default:
		w.tag(digits(low), " – ", digits(high))
	}
}
