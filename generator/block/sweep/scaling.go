package sweep

import (
	"cmp"
	"slices"

	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
)

// ScalingSpec holds the keys of the block scaling.
type ScalingSpec struct {
	Where      string
	Series     string // label of the rows; default: model
	Throughput string // metric for which higher is better; default: output_throughput
	Caption    string
	Notes      []string
	Accept     []string // settings in which the runs may differ
}

// Scaling shows the effect of more accelerators: throughput, throughput per accelerator, and the efficiency relative to
// the smallest number of accelerators in the series that is not excluded.
func Scaling(d *dataset.Selection, s ScalingSpec) (*builder.Table, error) {
	s.Series = cmp.Or(s.Series, "model")
	s.Throughput = cmp.Or(s.Throughput, "output_throughput")
	rs, err := d.Select(s.Where)
	if err != nil {
		return nil, err
	}
	if _, label := dataset.Known(rs, s.Series); !label {
		return nil, dataset.Unknown(rs, s.Series)
	}
	throughput, err := Directed(d, rs, s.Throughput, result.Higher)
	if err != nil {
		return nil, dataset.About("throughput", err)
	}
	rs = counted(slices.DeleteFunc(dataset.Having(rs, s.Series), func(r *result.Result) bool { _, ok := r.Metric(s.Throughput); return !ok }))
	all, err := climb(d, rs, s.Series, "accelerators", (*result.Result).Accelerators, s.Throughput, "")
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(all, func(one series) bool { return len(one.steps) > 1 }) {
		return nil, dataset.Lackf(locale.Textf("declare accelerators or parallelism in run.toml; a run that states neither used one"),
			"no %s was measured on two numbers of accelerators", s.Series)
	}
	t := builder.NewTable("scaling", locale.Lit(s.Caption))
	each := throughput
	each.Title, each.Metric = locale.T("scaling.each"), ""
	t.Columns = []report.Column{
		builder.Header(d, rs, builder.Heading{Name: s.Series, Label: true}, "", nil),
		{Title: locale.LabelName("accelerators"), Align: report.Right},
		throughput,
		each,
		{Title: locale.T("scaling.efficiency"), Unit: "%", Align: report.Right, Better: result.Higher},
	}
	for _, one := range all {
		var least *step
		for i := range one.steps {
			p := &one.steps[i]
			f := p.throughput
			row := report.Row{Excluded: dataset.AllExcluded(p.runs), Cells: []report.Cell{
				builder.LabelCell(d, one.Runs, s.Series, t.Columns[0].Align == report.Right),
				{Text: locale.Lit(builder.Number(p.at)), Value: p.at, Numeric: true},
				t.Cell(f, true),
				{Text: locale.Lit(builder.DigitsAs(f.Metric, f.Metric.Value/p.at)), Value: f.Metric.Value / p.at, Numeric: true, Excluded: f.Excluded()},
				{Missing: true},
			}}
			if f.Holds() {
				if least == nil {
					least = p
				}
				if share, ok := stats.ScalingEfficiency(least.at, least.throughput.Metric.Value, p.at, f.Metric.Value); ok {
					row.Cells[4] = shareCell(share)
				}
			}
			t.Rows = append(t.Rows, row)
		}
	}
	t.Note(result.Info, locale.T("scaling.note"))
	t.Compared = builder.Comparison{Runs: rs, Laid: []string{s.Series, "accelerators"}, Accept: s.Accept}
	for _, n := range s.Notes {
		t.Note(result.Info, locale.Lit(n))
	}
	return t, nil
}

// counted sets the label accelerators of every run, also if the number follows from the parallelism.
func counted(rs []*result.Result) []*result.Result {
	out := make([]*result.Result, len(rs))
	for i, r := range rs {
		labelled := *r
		labelled.Labels = slices.Clone(r.Labels)
		labelled.Labels.Set(result.Label{Name: "accelerators", Value: builder.Number(r.Accelerators()), Origin: result.Derived})
		out[i] = &labelled
	}
	return out
}
