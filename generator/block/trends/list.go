package trends

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/block/plot"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
)

// order is the order in which trends are listed: regressions first.
var order = []report.Verdict{report.Regression, report.Improvement, report.Shift, report.Unsettled, report.Steady}

// Verdict returns the verdict of the trend: the first one, in the sense of order, of the verdicts of its metrics.
func (t *Trend) Verdict() report.Verdict { return t.verdictOf(t.leading()) }

// verdictOf returns the verdict of the last step of a metric.
func (t *Trend) verdictOf(metric int) report.Verdict {
	if s, ok := t.lastStep(metric); ok {
		return s.verdict()
	}
	return report.Steady
}

// lastStep returns the step by which a metric is listed: the last one that the runs support, or else the last one.
func (t *Trend) lastStep(metric int) (level, bool) { return listed(t.levels[metric]) }

func listed(steps []level) (level, bool) {
	if len(steps) == 0 {
		return level{}, false
	}
	for _, s := range slices.Backward(steps) {
		if s.settled() {
			return s, true
		}
	}
	return steps[len(steps)-1], true
}

// leading returns the metric by which the trend is listed: the one whose verdict is first in order. If there are
// several, it is the one that changed last.
func (t *Trend) leading() int {
	best := 0
	for i := range t.metrics {
		of := func(k int) (rank, at int) {
			s, _ := t.lastStep(k)
			return slices.Index(order, t.verdictOf(k)), -s.Index
		}
		rank, at := of(i)
		least, latest := of(best)
		if cmp.Or(cmp.Compare(rank, least), cmp.Compare(at, latest)) < 0 {
			best = i
		}
	}
	return best
}

// since returns the day and the size of the last step of a metric. Trends with the same verdict are listed by these.
func (t *Trend) since(metric int) (day string, size float64) {
	s, ok := t.lastStep(metric)
	if !ok {
		return "", 0
	}
	day, _ = dayOf(t.runs[s.Index])
	return day, max(s.After/s.Before, s.Before/s.After)
}

// compareListed compares trends in the order of lists: by verdict, then the latest changes first, then the largest
// changes.
func compareListed(a, b *Trend) int {
	x, y := a.leading(), b.leading()
	dayA, sizeA := a.since(x)
	dayB, sizeB := b.since(y)
	return cmp.Or(
		cmp.Compare(slices.Index(order, a.verdictOf(x)), slices.Index(order, b.verdictOf(y))),
		cmp.Compare(dayB, dayA), cmp.Compare(sizeB, sizeA))
}

// List returns a table for each verdict, with one row for each trend. names are the names of the trends, and address
// returns the address of a trend's page.
func List(ts []*Trend, names []locale.Text, address func(*Trend) string) []report.View {
	var views []report.View
	for _, verdict := range order {
		var t *builder.Table
		for i, trend := range ts {
			if trend.Verdict() != verdict {
				continue
			}
			if t == nil {
				t = newList(verdict, locale.T("trend.variant"))
			}
			metric := trend.leading()
			row := trend.row(t, metric, report.Cell{Text: names[i], URL: address(trend)}, address(trend))
			row.Anchor = trend.Anchor
			if trend.Ended() {
				row.Cells[0].Change = locale.T("page.history.ended")
			}
			row.Cells[3].Change = trend.besides(metric)
			t.Rows = append(t.Rows, row)
		}
		if t != nil {
			views = append(views, report.View{Title: locale.T("trend.of." + word(verdict)), Tables: []*report.Table{&t.Table}})
		}
	}
	return views
}

// Tally returns the number of trends for each verdict as text.
func Tally(ts []*Trend) locale.Text {
	count := map[report.Verdict]int{}
	for _, t := range ts {
		count[t.Verdict()]++
	}
	parts := []locale.Text{locale.T("trend.tally", len(ts))}
	for _, v := range order {
		if count[v] > 0 {
			parts = append(parts, locale.T("trend.count."+word(v), count[v]))
		}
	}
	return locale.Join(" · ", parts...)
}

// word returns a verdict as used in message keys.
func word(v report.Verdict) string { return cmp.Or(string(v), "steady") }

// newList returns an empty table of trends. head is the title of its first column.
func newList(verdict report.Verdict, head locale.Text) *builder.Table {
	change, evidence, since := "trend.change", report.Column{Title: locale.Lit("p"), Align: report.Right}, "trend.since"
	switch verdict {
	case report.Steady:
		change, evidence.Title, since = "trend.scatter", locale.T("trend.points"), "trend.from"
	case report.Unsettled:
		evidence = report.Column{Title: locale.T("trend.evidence")}
	}
	t := builder.NewTable("trends", locale.Text{})
	t.Columns = []report.Column{{Title: head}, {Title: locale.T("trend.course")}, {Title: locale.T(change), Align: report.Right}, {Title: locale.T("trend.metric")},
		{Title: locale.T("trend.latest"), Align: report.Right}, evidence, {Title: locale.T(since)}}
	return t
}

// row returns the row of one metric of the trend. head is its first cell, and page the address of the trend's steps.
func (t *Trend) row(table *builder.Table, metric int, head report.Cell, page string) report.Row {
	line := t.line(metric)
	course := report.Cell{Spark: line.spark()}
	course.Missing = course.Spark == nil
	name := report.Cell{Text: locale.MetricName(t.metrics[metric])}
	last := line.last()
	if last < 0 { // all runs are excluded
		none := report.Cell{Missing: true}
		return report.Row{Cells: []report.Cell{head, course, none, name, none, none, none}}
	}
	latest := line.sound[last]
	value := report.Cell{Text: latest.Text(), Value: latest.Metric.Value, Run: latest.Runs[0].ID}
	builder.Past(&value, latest.Runs[0])
	s, stepped := t.lastStep(metric)
	if !stepped {
		first := slices.IndexFunc(line.sound, func(f dataset.Figure) bool { return len(f.Runs) > 0 })
		medians, points := []float64{}, 0
		for _, f := range line.sound {
			if len(f.Runs) > 0 {
				medians, points = append(medians, f.Metric.Value), points+1
			}
		}
		scatter := report.Cell{Text: locale.Lit("±" + builder.Share(stats.Summarize(medians).CV))}
		return report.Row{Cells: []report.Cell{head, course, scatter, name, value,
			{Text: locale.Lit(strconv.Itoa(points))}, {Text: t.d.Title(t.Over, t.periods[first])}}}
	}
	since := report.Cell{Text: t.d.Title(t.Over, t.periods[s.Index]), URL: page + "#" + t.stepAnchor(s.Index)}
	before, after := line.around(s)
	if was, is := version(before), version(after); t.Over != "engine_version" && was != is && was != "" && is != "" {
		since.Change = locale.Lit(was + " → " + is)
	}
	change := report.Cell{Text: locale.Lit(s.percent()), Rule: "trend." + string(s.verdict())}
	if later := t.levels[metric][len(t.levels[metric])-1]; later.Index != s.Index {
		change.Change = locale.T("trend.then", later.percent())
	}
	return report.Row{Cells: []report.Cell{head, course, change, name, value, s.support(), since}}
}

// besides names the other metrics whose last step is supported by the runs.
func (t *Trend) besides(metric int) locale.Text {
	var others []locale.Text
	for i := range t.metrics {
		if s, ok := t.lastStep(i); ok && i != metric && s.settled() {
			others = append(others, locale.T("trend.other", locale.MetricName(t.metrics[i]), s.percent()))
		}
	}
	if len(others) == 0 {
		return locale.Text{}
	}
	return locale.T("trend.besides", locale.List(others...))
}

// Names returns distinct names of trends: the model, and the labels that distinguish them.
func Names(ts []*Trend) []locale.Text {
	all := make([]*result.Result, len(ts)) // the labels that the runs of each trend share
	for i, t := range ts {
		all[i] = &result.Result{}
		for _, name := range t.variant {
			if v := t.d.Results[0].Label(name); v != "" {
				all[i].Labels.Set(result.Label{Name: name, Value: v})
			}
		}
	}
	apart := dataset.Apart(all, "model")
	names := make([]locale.Text, len(ts))
	for i, t := range ts {
		parts := []locale.Text{t.d.Title("model", t.Model)}
		for _, name := range apart {
			if v := all[i].Label(name); v != "" {
				parts = append(parts, t.d.Held(name, v))
			}
		}
		names[i] = locale.Join(" · ", parts...)
	}
	return names
}

// Spark returns the sparkline of the leading metric, nil if it has fewer than two figures.
func (t *Trend) Spark() *report.Spark {
	line := t.line(t.leading())
	return line.spark()
}

// leastSpan is the minimum height of a sparkline, as a share of its values, so that small scatter does not look like a
// change.
const leastSpan = 0.1

// spark returns the sparkline of the line, nil if it has fewer than two figures.
func (l *historyLine) spark() *report.Spark {
	var s report.Spark
	places, _ := plot.Along(l.across)
	var first, last result.Metric
	step, stepped := listed(l.levels())
	for i, f := range l.sound {
		if len(f.Runs) == 0 {
			continue
		}
		if len(s.Values) == 0 {
			first = f.Metric
		}
		last = f.Metric
		if stepped && i == step.Index {
			s.Level, s.Verdict = len(s.Values), step.verdict()
		}
		s.Places, s.Values = append(s.Places, places[i]), append(s.Values, f.Metric.Value)
	}
	if len(s.Values) < 2 {
		return nil
	}
	s.Low, s.High = slices.Min(s.Values), slices.Max(s.Values)
	middle, span := (s.Low+s.High)/2, max(s.High-s.Low, leastSpan*(s.High+s.Low)/2)
	s.Low, s.High = middle-span/2, middle+span/2
	from, to := dataset.Beside(first, last)
	s.Text = locale.T("trend.spark", from, to, len(s.Values))
	return &s
}
