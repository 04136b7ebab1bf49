package plot

import (
	"slices"

	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

const (
	leastShared = 2  // minimum number of values for a cumulative distribution
	leastBinned = 20 // minimum number of values for a histogram
)

// Run draws what a run holds in addition to its figures: the distributions of its latencies over requests, and the
// requests and telemetry over time. Most runs have neither.
func Run(d *dataset.Selection, r *result.Result) []report.RunChart {
	if len(r.Distributions) == 0 && r.Telemetry == nil && r.Requests == nil {
		return nil
	}
	var out []report.RunChart
	rs := []*result.Result{r}
	add := func(name string, trace bool, title locale.Text, fill func(*builder.Chart) error) {
		c := builder.Chart{Chart: report.Chart{Title: title, Source: builder.Source(d, rs)}}
		if fill(&c) == nil { // an error means that there is nothing to draw
			c.Notes = append(c.Notes, c.Remarks()...)
			out = append(out, report.RunChart{Name: name, Trace: trace, Chart: c.Chart})
		}
	}
	series := "model"
	if r.Label(series) == "" {
		series = "id"
	}
	add("cdf", false, locale.T("run-chart.cdf"), func(c *builder.Chart) error { return latencies(d, c, r) })
	for i := range r.Distributions {
		if of := &r.Distributions[i]; of.N >= leastBinned {
			add(of.Family, false, locale.T("run-chart.histogram", locale.Inside(locale.MetricName(of.Family))), func(c *builder.Chart) error {
				c.Kind = report.Histogram
				return histogram(d, c, rs, Spec{Value: of.Family, Series: series})
			})
		}
	}
	if r.Telemetry != nil {
		rs = []*result.Result{nearby(r)}
	}
	add("requests", true, locale.T("run-chart.requests"), func(c *builder.Chart) error { return requests(d, c, r) })
	add("telemetry", true, locale.T("run-chart.telemetry"), func(c *builder.Chart) error { return telemetry(d, c, rs, series) })
	return out
}

// The time before and after a run for which telemetry is shown, in seconds. It is a tenth of the run within these
// bounds, enough to see the machine idle but not the neighbouring runs.
const (
	leastMargin = 5
	mostMargin  = 60
)

// nearby returns the run with its telemetry cut to its own time and a margin, since a trace may cover a whole day.
func nearby(r *result.Result) *result.Result {
	near, trace := *r, *r.Telemetry.Trace
	margin := min(max((r.Telemetry.To-r.Telemetry.From)/10, leastMargin), mostMargin)
	first, end := trace.Window(r.Telemetry.From-margin-prepared(r), r.Telemetry.To+margin)
	trace.Times = trace.Times[first:end]
	trace.Channels = slices.Clone(trace.Channels)
	for i := range trace.Channels {
		c := &trace.Channels[i]
		c.Values, c.Lines = c.Values[first:end], c.Lines[first:end]
	}
	near.Telemetry = &result.Telemetry{Trace: &trace, From: r.Telemetry.From, To: r.Telemetry.To}
	return &near
}

// latencies fills a chart of the cumulative distributions of all latencies of a run.
func latencies(d *dataset.Selection, c *builder.Chart, r *result.Result) error {
	c.Kind, c.Form = report.Lines, report.Stair
	c.X = report.Axis{Title: locale.T("run-chart.latency"), Unit: "ms", Better: result.Lower}
	c.Y = report.Axis{Title: locale.T("chart-axis.share"), Unit: "%", Scale: report.Linear}
	c.Subtitle = d.Title("model", r.Label("model"))
	c.Compared = builder.Comparison{Runs: []*result.Result{r}}
	for i := range r.Distributions {
		of := &r.Distributions[i]
		if of.N < leastShared {
			continue
		}
		name := locale.MetricName(of.Family)
		c.Series = append(c.Series, report.Series{Name: name, Points: stair(of, r)})
		c.Notes = append(c.Notes, spreadNote(name, of))
		c.Metrics = append(c.Metrics, of.Family+"_mean")
	}
	if len(c.Series) == 0 {
		return dataset.Lackf(locale.Text{}, "no latency has values of single requests")
	}
	c.Alt = locale.Sentences(append([]locale.Text{locale.T("alt.latencies")}, c.Notes...)...)
	return nil
}
