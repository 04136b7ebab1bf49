package trends

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/block/plot"
	"github.com/benchpost/benchpost/generator/block/table"
	"github.com/benchpost/benchpost/generator/block/view"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
)

// Trend is what one variant did over dates or versions.
type Trend struct {
	Model      string
	Conditions locale.Text // under which it was measured; may be empty
	Over       string      // the label: date or engine_version
	Changed    bool        // its level did

	Anchor string // by which links name it, as long as it is of the same labels

	d       *dataset.Selection
	periods []string
	runs    [][]*result.Result // of each period
	metrics []string
	levels  [][]level // of each metric
}

// line lays out one of the trend's metrics.
func (t *Trend) line(metric int) historyLine {
	line := historyLine{d: t.d, t: new(builder.Table), over: t.Over, across: t.periods, metric: t.metrics[metric]}
	for _, here := range t.runs {
		line.add(here)
	}
	return line
}

// All gives the variants that were measured on several days or with several
// versions of the engine, those whose level changed first.
func All(d *dataset.Selection) []Trend {
	rs := slices.Concat(d.Results, d.Past)
	if len(d.Past) == 0 { // else what has no date may be the present of what has
		rs = dated(rs)
	}
	rs = dataset.Having(rs, "model")
	variant := slices.DeleteFunc(append([]string{"model"}, view.ViewSettings...), func(name string) bool { return name == "engine_version" })
	var out []Trend
	for _, g := range d.Groups(rs, variant) {
		out = append(out, trendsOf(d, overTime(g.Runs), variant)...)
	}
	slices.SortStableFunc(out, func(a, b Trend) int {
		rank := map[bool]int{true: 0, false: 1}
		return cmp.Compare(rank[a.Changed], rank[b.Changed])
	})
	return out
}

// trendsOf gives the trend of a variant; of runs that differ in what nothing
// else tells, that of each kind.
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
			mixed = cmp.Or(mixed, view.Unsettled(here))
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

// trendOver makes the trend of one variant; runs are those of each period.
func trendOver(d *dataset.Selection, over string, periods []string, runs [][]*result.Result, variant []string) (Trend, bool) {
	metrics := slices.DeleteFunc(view.Measured(d, 3), func(name string) bool { return dataset.OneUnit(d.Results, name) != nil })
	if len(metrics) == 0 {
		return Trend{}, false
	}
	t := Trend{Model: d.Results[0].Label("model"), Conditions: view.Shared(d, variant[1:]), Over: over, Anchor: anchor(d, variant),
		d: d, periods: periods, runs: runs, metrics: metrics}
	for i := range t.metrics {
		line := t.line(i)
		t.levels = append(t.levels, line.levels())
		t.Changed = t.Changed || len(t.levels[i]) > 0
	}
	return t, true
}

// Chart draws the first of the trend's metrics; it is nil where that cannot be
// drawn. Like the tables it is made anew each time: a site may have thousands.
func (t *Trend) Chart() *report.Chart {
	var steps []stats.Step
	for _, l := range t.levels[0] {
		steps = append(steps, l.Step)
	}
	c := view.Chart(t.d, plot.Spec{Kind: "history", Value: t.metrics[0], Over: t.Over, Stepped: true, Steps: steps}, locale.MetricName(t.metrics[0]), locale.Text{})
	if c != nil && t.Over == "date" {
		shortDates(c)
	}
	return c
}

// Points gives a row for each date or version.
func (t *Trend) Points() *report.Table {
	return t.points(view.MostRows).Shown()
}

// points gives the rows of the last dates or versions.
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
	unmarked := false // the best of several times says nothing
	table := view.Table(d, d.Results, table.Spec{Rows: rows, Columns: t.metrics, Best: &unmarked})
	if table != nil && left > 0 {
		table.Note(result.Info, locale.T("past.last", most, len(t.periods)))
	}
	if table != nil && t.Remembered() {
		t.nameCommits(table, slices.Index(rows, "past_commit"))
	}
	return table
}

// Steps reports each change of level: from what to what each metric went, and
// which labels changed with it. It is nil when no level changed.
func (tr *Trend) Steps() *report.Table {
	d, over, periods, metrics := tr.d, tr.Over, tr.periods, tr.metrics
	if !tr.Changed {
		return nil
	}
	t := builder.NewTable("steps", locale.Text{})
	t.Columns = []report.Column{builder.Header(d, d.Results, builder.Heading{Name: over, Label: true}, "", nil)}
	lines := make([]historyLine, len(metrics))
	steps := make([]map[int]level, len(metrics)) // of each metric by the period
	at := map[int]bool{}
	for i, name := range metrics {
		t.Columns = append(t.Columns, builder.Header(d, d.Results, builder.Heading{Name: name}, "", nil))
		lines[i] = tr.line(i)
		steps[i] = map[int]level{}
		for _, s := range tr.levels[i] {
			steps[i][s.Index] = s
			at[s.Index] = true
		}
	}
	t.Columns = slices.Insert(t.Columns, 1, report.Column{Title: locale.T("steps.changed")})
	for _, period := range slices.Sorted(maps.Keys(at)) {
		row := report.Row{Cells: []report.Cell{{Text: d.Title(over, periods[period])}}, Anchor: tr.stepAnchor(period)}
		var before, after []*result.Result
		for i := range metrics {
			cell := report.Cell{Missing: true, Why: locale.T("steps.none")}
			if s, ok := steps[i][period]; ok {
				var from, to []*result.Result
				cell, from, to = lines[i].stepCell(t, s)
				before, after = append(before, from...), append(after, to...)
			}
			row.Cells = append(row.Cells, cell)
		}
		commits, address := between(before, after)
		row.Cells = slices.Insert(row.Cells, 1, report.Cell{Text: changed(d, before, after), Change: commits, URL: address})
		t.Rows = append(t.Rows, row)
	}
	t.Note(result.Info, locale.T("steps.rule", fmt.Sprintf("%.0f%%", 100*d.Thresholds().Noise)))
	shown, _ := t.Finish(d, result.Position{})
	return shown
}

// stepCell shows a change of level, and gives the runs on both sides of it.
func (l *historyLine) stepCell(t *builder.Table, s level) (c report.Cell, before, after []*result.Result) {
	f := l.sound[s.Index]
	for i := s.Index - 1; i >= s.begin && len(before) == 0; i-- {
		before = l.sound[i].Runs
	}
	c = report.Cell{
		Text: locale.Lit(s.from + " → " + s.to), Value: s.After, Change: locale.T("steps"+strings.TrimPrefix(stepWord(f.Metric.Better, s.Step), "history"), builder.Ratio(s.After/s.Before)),
		Run: f.Runs[0].ID, Source: f.Runs[0].At(f.Metric), Field: f.Metric.Field, Rule: "history.step",
	}
	builder.Past(&c, f.Runs[0])
	t.Judged(&c, f.Runs, l.metric, true)
	if !s.Lasting {
		c.Why = locale.T("history.last", s.percent())
	}
	return c, before, f.Runs
}

// changed names the labels that differ on both sides of a step, with what they
// were and became.
func changed(d *dataset.Selection, before, after []*result.Result) locale.Text {
	var texts []locale.Text
	for _, name := range dataset.Differing(slices.Concat(before, after)) {
		was, is := dataset.LabelValues(before, name), dataset.LabelValues(after, name)
		words := func(vs []string) locale.Text {
			var titles []locale.Text
			for _, v := range vs {
				titles = append(titles, locale.Lit("—"))
				if v != "" {
					titles[len(titles)-1] = d.Title(name, v)
				}
			}
			return locale.Join(" / ", titles...)
		}
		texts = append(texts, locale.T("steps.label", locale.LabelName(name), words(was), words(is)))
	}
	if len(texts) == 0 {
		return locale.T("steps.nothing")
	}
	return locale.Join(" · ", texts...)
}

// shortDates leaves out the year of dates that share it, and of many dates the
// century: the line that says where the figures are from has them. What is no date
// stays.
func shortDates(c *report.Chart) {
	var years, others []string
	for _, t := range c.Ticks {
		day := locale.English(t.Text)
		if len(day) < len(time.DateOnly) || day[4] != '-' {
			others = append(others, day)
		} else if !slices.Contains(years, day[:4]) {
			years = append(years, day[:4])
		}
	}
	cut := len("2026-")
	switch {
	case len(years) == 0 || len(others) > 1 || len(others) == 1 && others[0] != locale.English(locale.LabelValue("date", now)):
		return
	case len(years) > 1 && len(c.Ticks) <= manyDates:
		return
	case len(years) > 1:
		cut = len("20")
	}
	for i, t := range c.Ticks {
		if day := locale.English(t.Text); !slices.Contains(others, day) {
			c.Ticks[i].Text = locale.Lit(day[cut:])
		}
	}
}

// manyDates is how many a chart has no room for in full.
const manyDates = 12
