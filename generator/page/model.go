package page

import (
	"html/template"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/block/trends"
	"github.com/benchpost/benchpost/generator/block/view"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// model is a model with its runs.
type model struct {
	Model
	runs []*result.Result
}

// collectModels collects the declared models in their order, then those that only runs name.
func (s *subjects) collectModels(b *contents) {
	s.byModel = map[string]*model{}
	add := func(m Model) *model {
		if old, ok := s.byModel[m.ID]; ok {
			return old
		}
		nm := &model{Model: m}
		s.byModel[m.ID] = nm
		s.models = append(s.models, nm)
		return nm
	}
	for _, m := range b.Models {
		add(m)
	}
	declared := len(s.models)
	for _, r := range b.results {
		if id := r.Label("model"); id != "" {
			m := add(Model{ID: id})
			m.runs = append(m.runs, r)
		}
	}
	slices.SortStableFunc(s.models[declared:], func(x, y *model) int { return result.NaturalCompare(x.ID, y.ID) })
}

func (m *model) name(p locale.Printer) string {
	if t := p.Say(m.Title); t != "" {
		return t
	}
	return m.ID
}

// quantization returns the declared quantization, or else the one that all runs share.
func (m *model) quantization() string {
	if m.Quantization != "" || len(m.runs) == 0 {
		return m.Quantization
	}
	q := m.runs[0].Labels.Get("quantization")
	of := result.Labelled("quantization")
	for _, r := range m.runs {
		if of(r) != q {
			return ""
		}
	}
	return q
}

// sideBySide is the maximum number of runs that a model's page shows in columns.
const sideBySide = 6

// modelRuns returns a model's runs as grouped on its page: by load and, if there are several, by machine.
func (b *contents) modelRuns(l *language, m *model) []runGroup {
	return grouped(m.runs, placeOf(m.runs, l))
}

// placeOf returns a function that names the load of a run and, if runs differ in it, the machine.
func placeOf(runs []*result.Result, l *language) func(*result.Result) string {
	several := slices.ContainsFunc(runs, func(r *result.Result) bool {
		return r.Label("hardware") != runs[0].Labels.Get("hardware")
	})
	return func(r *result.Result) string {
		label, name := parts.LoadLabel(r)
		if name != "" {
			name = l.Value(label, name)
		}
		machine := r.Label("hardware")
		switch {
		case !several || machine == "":
			return name
		case name == "":
			return l.Value("hardware", machine)
		}
		return l.Value("hardware", machine) + " · " + name
	}
}

// family returns a model's base and all models derived from it. If the base is unknown or has no runs, the model itself
// is the base.
func (b *contents) family(m *model) []string {
	base := m
	if of, ok := b.subjects().byModel[m.Base]; ok && len(of.runs) > 0 {
		base = of
	}
	ids := []string{base.ID}
	for _, other := range b.subjects().models {
		if other != base && (other == m || other.Base == base.ID) {
			ids = append(ids, other.ID)
		}
	}
	return ids
}

func (b *builder) modelPage(l *language, m *model) job {
	return func() ([]file, error) {
		p := l.Printer
		s := subject{kind: "model", path: b.Names.Model(m.ID), title: m.name(p), runs: m.runs,
			data: subjectData{ID: m.ID, Note: p.Say(m.Note), Total: len(m.runs)}}
		home := l.homeOf(s.path)
		spec := facts{p: p}
		spec.add("page.model.quantization", m.quantization(), "")
		spec.add("page.model.params", p.Value("params", m.Params), "")
		spec.add("page.model.active", p.Value("active_params", m.ActiveParams), "")
		spec.add("page.model.size", m.Size, "")
		if base, ok := b.subjects().byModel[m.Base]; ok {
			spec.add("page.model.base", m.Base, home+address.Escape(b.Names.Model(base.ID)))
		} else {
			spec.add("page.model.base", m.Base, "")
		}
		if u := parts.SafeURL(m.URL); u != "" {
			spec.add("page.model.url", strings.TrimPrefix(u, "https://"), u)
		}
		spec.plans(b, home, "model", m.ID)
		s.data.Spec = spec.list
		s.views = func() []report.View {
			href := func(t *trends.Trend) string { return home + address.Escape(trendPath(t)) }
			return slices.Concat(view.OfModel(b.report, m.ID, b.family(m), l.modelLinks(b, home)), b.ofModel(m.ID, href))
		}
		if len(m.runs) <= sideBySide {
			s.columns = parts.RunColumns(m.runs, home, &l.Reader)
		} else {
			s.groups = b.modelRuns(l, m)
			s.table = parts.RunTable{HideModel: true, HideLoad: true, ShowCampaign: true, Figures: 5}
		}
		return b.subjectPages(l, s)
	}
}

func (v *composer) modelsPage() (any, error) {
	d := &indexData{len(v.subjects().models), v.modelTable()}
	return d, nil
}

// modelTable lists the models with their specification and their throughput at each load.
func (v *composer) modelTable() template.HTML {
	if len(v.subjects().models) == 0 {
		return ""
	}
	p := v.l.Printer
	type column struct {
		key string
		of  func(*model) string
		num bool
	}
	columns := []column{
		{"page.model.quantization", (*model).quantization, false},
		{"page.model.params", func(m *model) string { return p.Value("params", m.Params) }, true},
		{"page.model.size", func(m *model) string { return m.Size }, true},
	}
	columns = slices.DeleteFunc(columns, func(c column) bool {
		return !slices.ContainsFunc(v.subjects().models, func(m *model) bool { return c.of(m) != "" })
	})
	loads := v.fewLoads()
	var w parts.Writer
	w.OpenScroll(p.Words("page.models"), p)
	w.Tag(`<table class="models"><thead><tr><th scope="col">`, p.Label("model"), "</th>")
	for _, c := range columns {
		w.Tag(`<th scope="col"`, parts.NumClass(c.num), ">", p.Words(c.key), "</th>")
	}
	for _, load := range loads {
		w.Tag(`<th scope="col" class="num">`)
		w.Text(v.l.Value("load", load))
		w.HeadUnit("tok/s", result.Higher, p)
		w.Tag("</th>")
	}
	w.Tag(`<th scope="col" class="num">`, p.Words("page.runs"), "</th></tr></thead>\n<tbody>\n")
	for _, m := range v.subjects().models {
		w.Tag(`<tr><th scope="row"><a href="`)
		w.Text(v.pg.home + address.Escape(v.Names.Model(m.ID)))
		w.Tag(`">`)
		w.Text(m.name(p))
		w.Tag("</a></th>")
		for _, c := range columns {
			w.Tag("<td", parts.NumClass(c.num), ">")
			w.Text(c.of(m))
			w.Tag("</td>")
		}
		for _, load := range loads {
			w.Tag(`<td class="num">`)
			writeReached(&w, m.runs, load, p)
			w.Tag("</td>")
		}
		w.Tag(`<td class="num">`)
		w.Int(len(m.runs))
		w.Tag("</td></tr>\n")
	}
	w.Tag("</tbody></table></div>\n")
	return w.HTML()
}

// fewLoads returns the loads of runs in the site's order, or nil if there are more than four.
func (b *contents) fewLoads() []string {
	if loads := b.report.Values(b.results, "load"); len(loads) <= 4 {
		return loads
	}
	return nil
}

// writeReached writes the output throughput of a model's runs at a load: one figure or a range. It skips excluded runs.
func writeReached(w *parts.Writer, runs []*result.Result, load string, p locale.Printer) {
	var low, high result.Metric
	n := 0
	for _, r := range runs {
		m, ok := r.Metric("output_throughput")
		if !ok || r.Excluded() || r.Label("load") != load {
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
		w.Missing(p)
	case low.Value == high.Value:
		w.Tag(parts.Digits(low))
	default:
		w.Tag(parts.Digits(low), " – ", parts.Digits(high))
	}
}
