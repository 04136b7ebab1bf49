package report

import (
	"cmp"
	"slices"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
)

type scalingSpec struct {
	Where      string
	Series     string // label of the rows; model when empty
	Throughput string // metric of which more is better; output_throughput when empty
	Caption    string
	Notes      []string
	Accept     []string // settings in which the runs may differ
}

// scaling shows what more accelerators bring: throughput, throughput of each,
// and the efficiency against the fewest of the series that hold.
func (d *Data) scaling(s scalingSpec) (*Table, error) {
	s.Series = cmp.Or(s.Series, "model")
	s.Throughput = cmp.Or(s.Throughput, "output_throughput")
	rs, err := d.selectSome(s.Where)
	if err != nil {
		return nil, err
	}
	if _, label := known(rs, s.Series); !label {
		return nil, unknownName(rs, s.Series)
	}
	throughput, err := d.directed(rs, s.Throughput, result.Higher)
	if err != nil {
		return nil, about("throughput", err)
	}
	rs = counted(slices.DeleteFunc(having(rs, s.Series), func(r *result.Result) bool { _, ok := r.Metric(s.Throughput); return !ok }))
	all, err := d.climb(rs, s.Series, "accelerators", audit.Accelerators, s.Throughput, "")
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(all, func(one series) bool { return len(one.steps) > 1 }) {
		return nil, lack("declare accelerators or parallelism in run.toml; a run that tells neither used one",
			"no %s was measured on two numbers of accelerators", s.Series)
	}
	t := &Table{Kind: "scaling", Caption: locale.Lit(s.Caption)}
	each := throughput
	each.Title, each.Metric = locale.T("scaling.each"), ""
	t.Columns = []Column{
		d.header(rs, column{name: s.Series, label: true}, "", nil),
		{Title: locale.LabelName("accelerators"), Align: Right},
		throughput,
		each,
		{Title: locale.T("scaling.efficiency"), Unit: "%", Align: Right, Better: result.Higher},
	}
	for _, one := range all {
		var least *step
		for i := range one.steps {
			p := &one.steps[i]
			f := p.throughput
			row := Row{Excluded: excluded(p.runs), Cells: []Cell{
				d.labelCell(one.runs, s.Series, t.Columns[0].Align == Right),
				{Text: locale.Lit(writeNumber(p.at)), Value: p.at, Numeric: true},
				t.cell(f, true),
				{Text: locale.Lit(digitsAs(f.metric, f.metric.Value/p.at)), Value: f.metric.Value / p.at, Numeric: true, Excluded: f.excluded()},
				{Missing: true},
			}}
			if f.holds() {
				if least == nil {
					least = p
				}
				if share, ok := stats.ScalingEfficiency(least.at, least.throughput.metric.Value, p.at, f.metric.Value); ok {
					row.Cells[4] = shareCell(share)
				}
			}
			t.Rows = append(t.Rows, row)
		}
	}
	t.note(result.Info, locale.T("scaling.note"))
	t.compared = comparison{rs, []string{s.Series, "accelerators"}, s.Accept}
	for _, n := range s.Notes {
		t.note(result.Info, locale.Lit(n))
	}
	return t, nil
}

// counted lets every run tell its number of accelerators by the label, also
// where it follows from the parallelism.
func counted(rs []*result.Result) []*result.Result {
	out := make([]*result.Result, len(rs))
	for i, r := range rs {
		told := *r
		told.Labels = slices.Clone(r.Labels)
		told.Labels.Set(result.Label{Name: "accelerators", Value: writeNumber(audit.Accelerators(r)), Origin: result.Derived})
		out[i] = &told
	}
	return out
}
