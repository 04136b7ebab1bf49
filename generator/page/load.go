package page

import (
	"slices"

	"github.com/benchpost/benchpost/generator/block/view"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// load is a load or a scenario with its runs.
type load struct {
	Load
	runs []*result.Result
}

// loadLabels lists the labels for the load of a run.
var loadLabels = []string{"load", "scenario"}

// collectLoads collects loads before scenarios. Of each it takes the declared ones first, in their order, then those
// that only runs name.
func (s *subjects) collectLoads(b *contents) {
	for _, label := range loadLabels {
		at := map[string]*load{}
		var of []*load
		add := func(declared Load) *load {
			if old, ok := at[declared.Name]; ok {
				return old
			}
			m := &load{Load: declared}
			at[declared.Name] = m
			of = append(of, m)
			return m
		}
		for _, declared := range b.Loads {
			if declared.Label == label {
				add(declared)
			}
		}
		given := len(of)
		for _, r := range b.results {
			if name := r.Label(label); name != "" {
				m := add(Load{Label: label, Name: name})
				m.runs = append(m.runs, r)
			}
		}
		slices.SortStableFunc(of[given:], func(x, y *load) int { return result.NaturalCompare(x.Name, y.Name) })
		s.loads = append(s.loads, of...)
	}
}

func (b *builder) loadPage(l *language, m *load) job {
	return func() ([]file, error) {
		s := subject{kind: "load", path: b.Names.Load(m.Label, m.Name), title: l.Value(m.Label, m.Name),
			runs: m.runs, data: subjectData{ID: m.Name, Total: len(m.runs)}}
		home := l.homeOf(s.path)
		spec := facts{p: l.Printer}
		spec.add("page.load.kind", l.Printer.Label(m.Label), "")
		if m.When != "" {
			spec.code("page.load.when", m.When)
		} else {
			spec.add("page.load.when", l.Printer.Words("page.load.declared"), "")
		}
		spec.plans(b, home, m.Label, m.Name)
		s.data.Spec = spec.list
		s.views = func() []report.View { return view.OfLoad(b.report, m.Label, m.Name, l.modelLinks(b, home)) }
		several := slices.ContainsFunc(m.runs, func(r *result.Result) bool {
			return r.Label("hardware") != m.runs[0].Labels.Get("hardware")
		})
		s.groups = grouped(m.runs, func(r *result.Result) string {
			if machine := r.Label("hardware"); several && machine != "" {
				return l.Value("hardware", machine)
			}
			return ""
		})
		s.table = parts.RunTable{HideLoad: m.Label == "load", ShowCampaign: true, Figures: 5}
		return b.subjectPages(l, s)
	}
}

func (v *composer) loadsPage() (any, error) {
	p := v.l.Printer
	d := &indexData{Total: len(v.subjects().loads)}
	for _, label := range loadLabels {
		t := parts.SubjectTable[*load]{Printer: p, Caption: p.Label(label),
			Columns: []parts.SubjectColumn[*load]{{Title: p.Words("page.load.when"), Of: func(m *load) string { return m.When }}},
			Name:    func(m *load) string { return v.l.Value(m.Label, m.Name) },
			Href:    func(m *load) string { return v.pg.home + address.Escape(v.Names.Load(m.Label, m.Name)) },
			Runs:    func(m *load) []*result.Result { return m.runs },
		}
		for _, m := range v.subjects().loads {
			if m.Label == label {
				t.List = append(t.List, m)
			}
		}
		d.Tables += t.HTML()
	}
	return d, nil
}
