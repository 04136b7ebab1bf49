package report

import (
	"benchpost/generator/bench"
	"benchpost/generator/locale"
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
func (d *Data) RunCharts(r *bench.Result) []RunChart {
	if len(r.Distributions) == 0 && r.Telemetry == nil {
		return nil
	}
	var out []RunChart
	rs := []*bench.Result{r}
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
	for _, channel := range traced {
		add(channel, true, locale.T("run-chart.trace", channelName(channel)), func(c *Chart) error {
			return d.power(c, rs, chartSpec{Value: channel, Series: series, Scale: string(Linear)})
		})
	}
	return out
}

// latencies fills a chart of the latencies of a run side by side: of each the
// share of its values that are no longer.
func (d *Data) latencies(c *Chart, r *bench.Result) error {
	c.Kind, c.Form = Lines, Stair
	c.X = Axis{Title: locale.T("run-chart.latency"), Unit: "ms", Better: bench.Lower}
	c.Y = Axis{Title: locale.T("chart-axis.share"), Unit: "%", Scale: Linear}
	c.Subtitle = d.title("model", r.Label("model"))
	c.compared = comparison{runs: []*bench.Result{r}}
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
