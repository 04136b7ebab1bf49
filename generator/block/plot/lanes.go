package plot

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// traced lists the quantities of telemetry that have a lane, from top to bottom.
var traced = []string{"power", "gpu_utilization", "memory_used", "temperature", "gpu_clock"}

// telemetry fills a chart of the telemetry of a machine during a run: a lane for each measured quantity, with the
// phases of the run across all lanes.
func telemetry(d *dataset.Selection, c *builder.Chart, rs []*result.Result, series string) error {
	r := rs[0]
	for _, channel := range traced {
		var lane builder.Chart
		if power(d, &lane, rs, Spec{Value: channel, Series: series, Scale: string(report.Linear)}) != nil {
			continue // not measured
		}
		for i := range lane.Series {
			lane.Series[i].Name = locale.Text{}
		}
		lane.Bands = phases(r)
		c.Notes = append(c.Notes, lane.Notes...)
		c.Metrics = append(c.Metrics, lane.Metrics...)
		addLane(c, lane.Chart)
	}
	if len(c.Panels) == 0 {
		return dataset.Lackf(locale.Text{}, "the run has no telemetry")
	}
	c.Subtitle = d.Title("model", r.Label("model"))
	c.Compared = builder.Comparison{Runs: rs}
	c.Alt = locale.Sentences(append([]locale.Text{locale.T("alt.telemetry")}, c.Notes...)...)
	return nil
}

// addLane appends a lane. All lanes share its x axis.
func addLane(c *builder.Chart, lane report.Chart) {
	if n := len(c.Panels); n > 0 {
		c.Panels[n-1].Chart.X.Title = locale.Text{} // only the last lane has the title
		lane.Bands = slices.Clone(lane.Bands)
		for i := range lane.Bands {
			lane.Bands[i].Text = locale.Text{} // only the first lane has the names
		}
	}
	lane.Notes = nil
	c.Kind, c.Lanes, c.X = lane.Kind, true, lane.X
	c.Panels = append(c.Panels, report.Panel{Chart: lane})
}

// phases returns the bands of a run over the time of its telemetry, in seconds since its beginning. One band is the
// time at full load if known, else the whole run. Marks show where its command started, and where the run begins and
// ends.
func phases(r *result.Result) []report.Band {
	length := r.Telemetry.To - r.Telemetry.From
	marks := []report.Band{{}, {From: length, To: length}}
	if before := prepared(r); before > 0 {
		marks = append(marks, report.Band{From: -before, To: -before, Text: locale.T("chart-band.started")})
	}
	q := r.Requests
	if q == nil || q.FullTo <= q.FullFrom || math.Abs(q.Step*float64(len(q.InFlight))-length) > alike*length {
		return append(marks, report.Band{To: length, Text: locale.T("chart-band.run")})
	}
	return append(marks, report.Band{From: q.FullFrom, To: q.FullTo, Text: locale.T("chart-band.full")})
}

// prepared returns how many seconds before the run its command was started, for example to load and warm up. It is 0 if
// unknown, less than a second or at least mostBefore.
func prepared(r *result.Result) float64 {
	started, err := time.Parse(time.RFC3339, r.Labels.Get("x_started"))
	if err != nil || !r.Period.Zoned || r.Period.From.IsZero() {
		return 0
	}
	if before := r.Period.From.Sub(started).Seconds(); before >= 1 && before < mostBefore {
		return before
	}
	return 0
}

const (
	mostBefore = 600  // maximum preparation time that is shown, in seconds
	alike      = 0.05 // largest difference of the times of requests and telemetry that count as equal, relative
)

// requests fills a chart of the requests of a run over time. It shows each request from sending to its first and last
// token, or the waiting times if there are too many requests; the number of requests in flight; and the token
// throughput.
func requests(d *dataset.Selection, c *builder.Chart, r *result.Result) error {
	q := r.Requests
	if q == nil {
		return dataset.Lackf(locale.Text{}, "no file has when each request was sent")
	}
	of := func(title locale.Text, unit string, rows int, series ...report.Series) {
		lane := report.Chart{Kind: report.Lines, Form: report.Trace, X: report.Axis{Title: locale.T("chart-axis.time"), Unit: "s", Scale: report.Linear},
			Y: report.Axis{Title: title, Unit: unit, Scale: report.Linear}, Rows: rows, Series: series}
		if q.FullTo > q.FullFrom {
			lane.Bands = []report.Band{{From: q.FullFrom, To: q.FullTo, Text: locale.T("chart-band.full")}}
		}
		addLane(c, lane)
	}
	c.Notes = append(c.Notes, locale.T("chart-note.requests", q.N))
	if len(q.Sent) > 0 {
		waiting, answered := report.Series{Name: locale.T("requests.waiting"), Style: 2}, report.Series{Name: locale.T("requests.answered"), Style: 1}
		for i := range q.Sent {
			first := q.First[i]
			if math.IsNaN(first) {
				first = q.Sent[i]
			}
			row := func(s *report.Series, from, to float64) {
				at := report.Point{X: from, Y: float64(i + 1), Run: r.ID, Excluded: r.Excluded()}
				until := at
				until.X = to
				s.Points = append(s.Points, at, until, report.Point{X: to, Y: at.Y, Missing: true})
			}
			if first > q.Sent[i] {
				row(&waiting, q.Sent[i], first)
			}
			row(&answered, first, q.Done[i])
		}
		series := []report.Series{waiting, answered}
		if len(waiting.Points) == 0 {
			series = series[1:]
		}
		of(locale.T("chart-axis.request"), "", len(q.Sent), series...)
	} else {
		c.Notes = append(c.Notes, locale.T("chart-note.intervals", fmt.Sprintf("%.3g", q.Step)))
		if q.Median != nil {
			of(locale.MetricName("ttft"), "ms", 0, overTime(r, q.Median, locale.T("requests.median"), 1), overTime(r, q.Longest, locale.T("requests.longest"), 2))
		}
	}
	of(locale.T("chart-axis.in-flight"), "", 0, inFlight(r))
	if q.Tokens != nil {
		of(locale.MetricName("output_throughput"), "tok/s", 0, overTime(r, q.Tokens, locale.Text{}, 1))
		c.Notes = append(c.Notes, locale.T("chart-note.tokens"))
	}
	c.Subtitle = d.Title("model", r.Label("model"))
	c.Compared = builder.Comparison{Runs: []*result.Result{r}}
	c.Alt = locale.Sentences(append([]locale.Text{locale.T("alt.requests")}, c.Notes...)...)
	return nil
}

// overTime returns a series with a value for each interval of a run's requests, placed at the middle of the interval.
func overTime(r *result.Result, values []float64, name locale.Text, style int) report.Series {
	s := report.Series{Name: name, Style: style}
	for i, v := range values {
		if math.IsNaN(v) {
			continue // no request was sent in this interval
		}
		s.Points = append(s.Points, report.Point{X: (float64(i) + 0.5) * r.Requests.Step, Y: v, Run: r.ID, Excluded: r.Excluded()})
	}
	return s
}

// inFlight returns the number of requests in flight: at each moment if every request is known, else the means of the
// intervals.
func inFlight(r *result.Result) report.Series {
	q := r.Requests
	if len(q.Sent) == 0 {
		return overTime(r, q.InFlight, locale.Text{}, 1)
	}
	s := report.Series{Style: 1}
	done := slices.Sorted(slices.Values(q.Done))
	count := 0.0
	to := func(at, by float64) {
		p := report.Point{X: at, Y: count, Run: r.ID, Excluded: r.Excluded()}
		count += by
		after := p
		after.Y = count
		s.Points = append(s.Points, p, after)
	}
	for _, sent := range q.Sent {
		for len(done) > 0 && done[0] <= sent {
			to(done[0], -1)
			done = done[1:]
		}
		to(sent, 1)
	}
	for _, at := range done {
		to(at, -1)
	}
	return s
}
