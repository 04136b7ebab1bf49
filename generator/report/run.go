package report

import (
	"slices"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// RunChart is a chart of one run.
type RunChart struct {
	Name  string // of its file: cdf, ttft, power
	Trace bool   // over the time of the run; else over its requests
	Chart Chart
}

const (
	leastShared = 2  // values that a cumulative distribution is drawn of
	leastBinned = 20 // and a histogram
)

// traced are the quantities of telemetry that are drawn.
var traced = []string{"power", "gpu_clock", "temperature", "gpu_utilization"}

// RunCharts draw what a run holds beyond its figures: how its latencies are
// spread over single requests, and what the machine did in the meantime. Most
// runs hold neither.
func (d *Data) RunCharts(r *result.Result) []RunChart {
	if len(r.Distributions) == 0 && r.Telemetry == nil {
		return nil
	}
	var out []RunChart
	rs := []*result.Result{r}
	add := func(name string, trace bool, title locale.Text, fill func(*Chart) error) {
		c := Chart{Title: title, Source: d.source(rs)}
		if fill(&c) == nil { // an error says that there is nothing to draw
			c.Notes = append(c.Notes, d.remarks(&c)...)
			out = append(out, RunChart{name, trace, c})
		}
	}
	series := "model"
	if r.Label(series) == "" {
		series = "id"
	}
	add("cdf", false, locale.T("run-chart.cdf"), func(c *Chart) error { return d.latencies(c, r) })
	for i := range r.Distributions {
		if of := &r.Distributions[i]; of.N >= leastBinned {
			add(of.Family, false, locale.T("run-chart.histogram", locale.Inside(locale.MetricName(of.Family))), func(c *Chart) error {
				c.Kind = Histogram
				return d.histogram(c, rs, chartSpec{Value: of.Family, Series: series})
			})
		}
	}
	if r.Telemetry != nil {
		rs = []*result.Result{nearby(r)}
	}
	for _, channel := range traced {
		add(channel, true, locale.T("run-chart.trace", channelName(channel)), func(c *Chart) error {
			return d.power(c, rs, chartSpec{Value: channel, Series: series, Scale: string(Linear)})
		})
	}
	return out
}

// What is shown of telemetry before and after a run, in seconds: a tenth of the run,
// but enough to see the machine idle, and not the runs next to it.
const (
	leastMargin = 5
	mostMargin  = 60
)

// nearby is a run whose telemetry is that of its own time and a little around: a
// trace may be that of a whole day.
func nearby(r *result.Result) *result.Result {
	near, trace := *r, *r.Telemetry.Trace
	margin := min(max((r.Telemetry.To-r.Telemetry.From)/10, leastMargin), mostMargin)
	first, end := trace.Window(r.Telemetry.From-margin, r.Telemetry.To+margin)
	trace.Times = trace.Times[first:end]
	trace.Channels = slices.Clone(trace.Channels)
	for i := range trace.Channels {
		c := &trace.Channels[i]
		c.Values, c.Lines = c.Values[first:end], c.Lines[first:end]
	}
	near.Telemetry = &result.Telemetry{Trace: &trace, From: r.Telemetry.From, To: r.Telemetry.To}
	return &near
}

// latencies fills a chart of the latencies of a run side by side: of each the
// share of its values that are no longer.
func (d *Data) latencies(c *Chart, r *result.Result) error {
	c.Kind, c.Form = Lines, Stair
	c.X = Axis{Title: locale.T("run-chart.latency"), Unit: "ms", Better: result.Lower}
	c.Y = Axis{Title: locale.T("chart-axis.share"), Unit: "%", Scale: Linear}
	c.Subtitle = d.title("model", r.Label("model"))
	c.compared = comparison{runs: []*result.Result{r}}
	for i := range r.Distributions {
		of := &r.Distributions[i]
		if of.N < leastShared {
			continue
		}
		name := locale.MetricName(of.Family)
		c.Series = append(c.Series, Series{Name: name, Points: stair(of, r)})
		c.Notes = append(c.Notes, spreadNote(name, of))
		c.metrics = append(c.metrics, of.Family+"_mean")
	}
	if len(c.Series) == 0 {
		return lack("", "no latency has values of single requests")
	}
	c.Alt = locale.Sentences(append([]locale.Text{locale.T("alt.latencies")}, c.Notes...)...)
	return nil
}
