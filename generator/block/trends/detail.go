package trends

import (
	"maps"
	"slices"

	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// Summary returns a table with a row for each metric of the trend. page is the address of the page with the trend's
// steps, "" for the same page.
func (t *Trend) Summary(page string) *report.Table {
	table := *t.summary()
	table.Rows = slices.Clone(table.Rows)
	for i := range table.Rows {
		cells := slices.Clone(table.Rows[i].Cells)
		if since := &cells[len(cells)-1]; since.URL != "" {
			since.URL = page + since.URL
		}
		table.Rows[i].Cells = cells
	}
	return &table
}

// summarize makes the Summary for the trend's own page.
func (t *Trend) summarize() *report.Table {
	table := newList(report.Unsettled, locale.T("trend.metric"))
	for i, name := range t.metrics {
		row := t.row(table, i, report.Cell{Text: locale.MetricName(name)}, "")
		verdict := t.verdictOf(i)
		change, support := &row.Cells[2], &row.Cells[5]
		if s, ok := t.lastStep(i); ok {
			*support = report.Cell{Text: s.evidence()}
		} else {
			*support = report.Cell{Text: locale.T("trend.scatters", change.Text, support.Text)}
			*change = report.Cell{Missing: true, Why: locale.T("page.history.steady")}
		}
		row.Cells[3] = report.Cell{Text: locale.T("trend.is." + word(verdict)), Rule: "trend." + string(verdict)}
		table.Rows = append(table.Rows, row)
	}
	table.Columns[3].Title = locale.T("trend.verdict")
	return &table.Table
}

// Views returns the complete views of the trend: the summary of each metric, its chart, each step with what changed at
// the same time, and the points. compare returns the address of the comparison of two runs.
func (t *Trend) Views(compare func(before, after string) string) []report.View {
	courses := report.View{Title: locale.T("trend.courses")}
	for i := range t.metrics {
		if c := t.Chart(i); c != nil {
			courses.Charts = append(courses.Charts, c)
		}
	}
	views := []report.View{{Tables: []*report.Table{t.Summary("")}}, courses}
	at := map[int]bool{}
	for _, levels := range t.levels {
		for _, s := range levels {
			at[s.Index] = true
		}
	}
	for _, period := range slices.Backward(slices.Sorted(maps.Keys(at))) {
		views = append(views, t.step(period, compare))
	}
	if points := t.Points(); points != nil {
		views = append(views, report.View{Title: locale.T("page.history.points"), Tables: []*report.Table{points}})
	}
	return views
}

// step returns a view of the changes at one period: the metrics, the labels whose values changed, and the runs on both
// sides.
func (t *Trend) step(period int, compare func(before, after string) string) report.View {
	figures := builder.NewTable("steps", locale.Text{})
	figures.Columns = []report.Column{{Title: locale.T("trend.metric")}, {Title: locale.T("trend.before"), Align: report.Right}, {Title: locale.T("trend.after"), Align: report.Right},
		{Title: locale.T("trend.change"), Align: report.Right}, {Title: locale.T("trend.verdict")}, {Title: locale.T("trend.evidence")}}
	var differ []change
	var before, after []*result.Result
	for i, name := range t.metrics {
		line := t.line(i)
		for _, s := range t.levels[i] {
			if s.Index != period {
				continue
			}
			figures.Rows = append(figures.Rows, report.Row{Cells: []report.Cell{
				{Text: locale.MetricName(name)}, {Text: locale.Lit(s.from)}, {Text: locale.Lit(s.to)}, {Text: locale.Lit(s.percent())},
				{Text: locale.T("trend.is." + word(s.verdict())), Rule: "trend." + string(s.verdict())}, {Text: s.evidence()}}})
			if before == nil {
				before, after = line.around(s)
				differ = line.changes(s)
			}
		}
	}
	figures.Rows[0].Anchor = t.stepAnchor(period)
	title := t.d.Title(t.Over, t.periods[period])
	v := report.View{Title: locale.T("trend.from-on", title), Tables: []*report.Table{&figures.Table, t.differing(differ), t.sides(before, after, compare)}}
	return v
}

// differing returns a table of the labels that changed at a step.
func (t *Trend) differing(all []change) *report.Table {
	table := builder.NewTable("changes", locale.T("steps.changed"))
	table.Columns = []report.Column{{Title: locale.T("trend.label")}, {Title: locale.T("trend.before")}, {Title: locale.T("trend.after")}}
	for _, c := range all {
		table.Rows = append(table.Rows, report.Row{Cells: []report.Cell{
			{Text: locale.LabelName(c.name)}, {Text: words(t.d, c.name, c.was)}, {Text: words(t.d, c.name, c.is)}}})
	}
	if len(all) == 0 {
		table.Rows = []report.Row{{Cells: []report.Cell{{Text: locale.T("steps.nothing")}, {Missing: true}, {Missing: true}}}}
	}
	return &table.Table
}

// sides returns a table of the last runs before a step and the first runs after it. It has the revisions of past runs,
// and a link to the comparison if both sides are present.
func (t *Trend) sides(before, after []*result.Result, compare func(before, after string) string) *report.Table {
	table := builder.NewTable("sides", locale.T("trend.sides"))
	table.Columns = []report.Column{{Title: locale.T("trend.side")}, {Title: locale.LabelName(t.Over)}, {Title: locale.LabelName("id")}}
	past := slices.ContainsFunc(slices.Concat(before, after), func(r *result.Result) bool { return r.Revision != nil })
	if past {
		table.Columns = append(table.Columns, report.Column{Title: locale.T("past.commit")})
	}
	for i, side := range [][]*result.Result{before, after} {
		name := locale.T([]string{"trend.before", "trend.after"}[i])
		for _, r := range side {
			run := report.Cell{Text: locale.Lit(r.ID), Run: r.ID}
			cells := []report.Cell{{Text: name}, {Text: t.d.Title(t.Over, dataset.Period(r.Label(t.Over)))}, run}
			if r.Revision != nil {
				cells[2] = report.Cell{Text: locale.Lit(r.At(result.NoMetric).File)} // path in git
			}
			if past {
				commit := report.Cell{Missing: true}
				if r.Revision != nil {
					commit = commitCell(r.Revision)
				}
				cells = append(cells, commit)
			}
			table.Rows = append(table.Rows, report.Row{Cells: cells})
		}
	}
	if len(before) > 0 && len(after) > 0 && before[0].Revision == nil && after[0].Revision == nil {
		cells := []report.Cell{{Text: locale.T("trend.compare"), URL: compare(before[0].ID, after[0].ID)}}
		for range table.Columns[1:] {
			cells = append(cells, report.Cell{})
		}
		table.Rows = append(table.Rows, report.Row{Cells: cells})
	}
	if commits, address := between(before, after); !commits.IsZero() {
		cells := []report.Cell{{Text: commits, URL: address}}
		for range table.Columns[1:] {
			cells = append(cells, report.Cell{})
		}
		table.Rows = append(table.Rows, report.Row{Cells: cells})
	}
	return &table.Table
}

// around returns the runs of the last period before a step and those of the first period after it.
func (l *historyLine) around(s level) (before, after []*result.Result) {
	for i := s.Index - 1; i >= s.begin && len(before) == 0; i-- {
		before = l.sound[i].Runs
	}
	return before, l.sound[s.Index].Runs
}

// changes returns the labels that changed at a step.
func (l *historyLine) changes(s level) []change {
	runs := func(from, to int) (rs []*result.Result) {
		for _, f := range l.sound[from:to] {
			rs = append(rs, f.Runs...)
		}
		return rs
	}
	before, after := l.around(s)
	return changes(before, after, runs(s.begin, s.Index), runs(s.Index, s.end))
}
