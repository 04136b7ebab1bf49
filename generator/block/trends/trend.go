package trends

import (
	"cmp"
	"slices"
	"sync"

	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/block/condition"
	"github.com/benchpost/benchpost/generator/block/plot"
	"github.com/benchpost/benchpost/generator/block/table"
	"github.com/benchpost/benchpost/generator/block/view"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
)

// Trend is the history of one variant over dates or versions.
type Trend struct {
	Model      string
	Conditions locale.Text // settings under which it was measured; may be empty
	Over       string      // the label: date or engine_version
	Changed    bool        // some metric changed its level

	Anchor string // target of links; stable while the labels are the same

	d       *dataset.Selection
	variant []string // the labels that identify the variant, model first
	periods []string
	runs    [][]*result.Result // by period
	metrics []string
	levels  [][]level // by metric

	summary func() *report.Table // made once, since many pages show it
}

// line returns the line of one of the trend's metrics.
func (t *Trend) line(metric int) historyLine {
	line := historyLine{d: t.d, t: new(builder.Table), over: t.Over, across: t.periods, metric: t.metrics[metric]}
	for _, here := range t.runs {
		line.add(here)
	}
	if metric < len(t.levels) {
		line.steps = t.levels[metric]
	}
	return line
}

// All returns the trends of all variants that were measured on several days or with several versions of the engine, in
// the order of lists: regressions first.
func All(d *dataset.Selection) []Trend {
	rs := slices.Concat(d.Results, d.Past)
	if len(d.Past) == 0 { // otherwise results without a date may be the present state of dated ones
		rs = dated(rs)
	}
	rs = dataset.Having(rs, "model")
	variant := slices.DeleteFunc(append([]string{"model"}, condition.Settings...), func(name string) bool { return name == "engine_version" })
	var out []Trend
	for _, g := range d.Groups(rs, variant) {
		out = append(out, trendsOf(d, overTime(g.Runs), variant)...)
	}
	slices.SortStableFunc(out, func(a, b Trend) int { return compareListed(&a, &b) })
	return out
}

// trendsOf returns the trends of a variant: one, or one for each value of a label that distinguishes runs of the same
// period.
func trendsOf(d *dataset.Selection, rs []*result.Result, variant []string) []Trend {
	if len(rs) < 2 {
		return nil
	}
	differ := ""
	for _, over := range []string{"date", "engine_version"} {
		of := d.Of(dataset.Having(rs, over))
		periods := of.Periods(of.Results, over)
		if len(periods) < 2 {
			continue
		}
		var runs [][]*result.Result
		mixed := ""
		by := dataset.ByPeriod(of.Results, over)
		for _, p := range periods {
			here := by[p]
			mixed = cmp.Or(mixed, condition.Unsettled(here))
			runs = append(runs, here)
		}
		if mixed != "" {
			differ = cmp.Or(differ, mixed)
			continue
		}
		if t, ok := trendOver(of, over, periods, runs, variant); ok {
			return []Trend{t}
		}
	}
	if differ == "" {
		return nil
	}
	var out []Trend
	for _, g := range d.Groups(rs, []string{differ}) {
		out = append(out, trendsOf(d, g.Runs, append(slices.Clone(variant), differ))...)
	}
	return out
}

// trendOver returns the trend of one variant. runs holds the runs of each period.
func trendOver(d *dataset.Selection, over string, periods []string, runs [][]*result.Result, variant []string) (Trend, bool) {
	metrics := slices.DeleteFunc(view.Measured(d, 3), func(name string) bool { return dataset.OneUnit(d.Results, name) != nil })
	if len(metrics) == 0 {
		return Trend{}, false
	}
	t := Trend{Model: d.Results[0].Label("model"), Conditions: view.Shared(d, variant[1:]), Over: over, Anchor: anchor(d, variant),
		d: d, variant: variant, periods: periods, runs: runs, metrics: metrics}
	for i := range t.metrics {
		line := t.line(i)
		steps := line.levels()
		t.levels = append(t.levels, steps)
		t.Changed = t.Changed || len(t.levels[i]) > 0
	}
	own := t
	t.summary = sync.OnceValue(own.summarize)
	return t, true
}

// Chart draws one of the trend's metrics. It is nil if the metric cannot be drawn. Charts and tables are made anew for
// each call, since a site may have thousands.
func (t *Trend) Chart(metric int) *report.Chart {
	var steps []stats.Step
	for _, l := range t.levels[metric] {
		steps = append(steps, l.Step)
	}
	name := t.metrics[metric]
	return view.Chart(t.d, plot.Spec{Kind: "history", Value: name, Over: t.Over, Stepped: true, Steps: steps}, locale.MetricName(name), locale.Text{})
}

// Points returns a table with a row for each date or version.
func (t *Trend) Points() *report.Table {
	return t.points(view.MostRows).Shown()
}

// points returns the table of the last dates or versions.
func (t *Trend) points(most int) *builder.Table {
	d, left := t.d, len(t.periods)-most
	if left > 0 {
		d = d.Of(slices.Concat(t.runs[left:]...))
	}
	rows := []string{t.Over}
	if t.Over == "date" && len(d.Values(d.Results, "engine_version")) > 0 {
		rows = append(rows, "engine_version")
	}
	if t.Remembered() {
		rows = append(rows, "past_commit")
	}
	unmarked := false // the best value of several times has no meaning
	table := view.Table(d, d.Results, table.Spec{Rows: rows, Columns: t.metrics, Best: &unmarked})
	if table != nil && left > 0 {
		table.Note(result.Info, locale.T("past.last", most, len(t.periods)))
	}
	if table != nil && t.Remembered() {
		t.nameCommits(table, slices.Index(rows, "past_commit"))
	}
	return table
}
