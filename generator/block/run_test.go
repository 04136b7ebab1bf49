package block_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/block/finding"
	"github.com/benchpost/benchpost/generator/block/plot"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// detailed returns a run with single requests and telemetry, with a temperature but no clock.
func detailed() *result.Result {
	r := run("a/high model=Qwen3-8B load=high ttft_mean:100")
	spread := func(family string, n int, top float64) result.Distribution {
		d := result.Distribution{Family: family, Unit: "ms", N: n, Mean: top / 2}
		for i := range 101 {
			d.Quantiles = append(d.Quantiles, top*float64(i)/100)
		}
		return d
	}
	r.Distributions = []result.Distribution{spread("ttft", 100, 200), spread("itl", 4000, 50), spread("e2el", 12, 900), spread("tpot", 1, 9)}
	trace := &result.Trace{Times: []float64{0, 1, 2, 3, 4}, Channels: []result.Channel{
		{Name: "power", Unit: "W", Field: "VIN", Values: []float64{20, 90, 110, 100, 25}, Lines: make([]int32, 5)},
		{Name: "temperature", Unit: "°C", Field: "tj", Values: []float64{40, math.NaN(), 55, 60, 58}, Lines: make([]int32, 5)},
		{Name: "gpu_utilization", Unit: "%", Field: "GR3D", Values: []float64{0, 99, 99, 99, 0}, Lines: make([]int32, 5)},
		{Name: "x_emc", Unit: "%", Values: []float64{1, 1, 1, 1, 1}, Lines: make([]int32, 5)},
	}}
	r.Telemetry = &result.Telemetry{Trace: trace, From: 1, To: 3}
	return r
}

// TestChartsOfARun checks the charts of a run: one of all latencies, a histogram of each with enough values, one of its
// requests, one of the machine, and no others.
func TestChartsOfARun(t *testing.T) {
	r := detailed()
	r.Requests = inTurns(40)
	d := &dataset.Selection{Results: []*result.Result{r}}
	var got []string
	for _, c := range plot.Run(d, r) {
		name := c.Name
		if c.Trace {
			name += " over time"
		}
		got = append(got, name)
		for _, tag := range locale.Languages {
			p, _ := locale.For(tag)
			if title, alt := p.Say(c.Chart.Title), p.Say(c.Chart.Alt); title == "" || alt == "" || strings.ContainsAny(title+alt, "[") {
				t.Errorf("%s: %s: the title is %q, the alt %q", tag, c.Name, title, alt)
			}
		}
	}
	if want := []string{"cdf", "ttft", "itl", "requests over time", "telemetry over time"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if of := plot.Run(d, run("b model=Qwen3-8B ttft_mean:100")); of != nil {
		t.Errorf("a plain run has %d charts", len(of))
	}
}

func TestLatenciesOfARunSideBySide(t *testing.T) {
	r := detailed()
	c := plot.Run((&dataset.Selection{}), r)[0].Chart
	var names []string
	for _, s := range c.Series {
		names = append(names, locale.English(s.Name))
		last := s.Points[len(s.Points)-1]
		if s.Points[0].Y != 0 || last.Y != 100 || last.Run != r.ID {
			t.Errorf("%s goes from %+v to %+v", locale.English(s.Name), s.Points[0], last)
		}
	}
	if want := []string{"TTFT", "ITL", "E2EL"}; !slices.Equal(names, want) { // a single value has no distribution
		t.Errorf("got %q, want %q", names, want)
	}
	if note := locale.English(c.Notes[0]); note != "TTFT: n = 100, median 100.00 ms, p99 198.00 ms." {
		t.Errorf("note %q", note)
	}
}

// TestTraceOfARun checks that a note summarizes the trace during the run, which is marked in the chart.
func TestTraceOfARun(t *testing.T) {
	charts := plot.Run((&dataset.Selection{}), detailed())
	lanes := charts[3].Chart
	if !lanes.Lanes || len(lanes.Panels) != 3 {
		t.Fatalf("%d lanes, want power, utilisation and temperature", len(lanes.Panels))
	}
	power := lanes.Panels[0].Chart
	if b := power.Bands[len(power.Bands)-1]; b.From != 0 || b.To != 2 || power.Y.Scale != report.Linear {
		t.Errorf("%+v, scale %q", b, power.Y.Scale)
	}
	if note := locale.English(lanes.Notes[0]); note != "Qwen3-8B: VIN, mean 100.0 W, peak 110.0 W during the run, 3 samples." {
		t.Errorf("note %q", note)
	}
	r := detailed() // a run between two samples
	r.Telemetry.From, r.Telemetry.To = 1.2, 1.4
	for _, c := range plot.Run((&dataset.Selection{}), r) {
		for _, n := range c.Chart.Notes {
			if strings.Contains(locale.English(n), "NaN") {
				t.Errorf("%s: %s", c.Name, locale.English(n))
			}
		}
	}
}

// TestTraceOfARunInALongOne checks that only the run's own time and a margin of a trace of a day are shown.
func TestTraceOfARunInALongOne(t *testing.T) {
	r := detailed()
	trace := &result.Trace{Channels: []result.Channel{{Name: "power", Unit: "W", Field: "VIN"}}}
	for i := range 86400 {
		trace.Times = append(trace.Times, float64(i))
		trace.Channels[0].Values = append(trace.Channels[0].Values, float64(i))
		trace.Channels[0].Lines = append(trace.Channels[0].Lines, int32(i))
	}
	for _, c := range []struct{ from, to, first, last float64 }{
		{40000, 40100, 39990, 40110}, {40000, 40020, 39995, 40025}, {10000, 20000, 9940, 20060}, {0, 100, 0, 110},
	} {
		r.Telemetry = &result.Telemetry{Trace: trace, From: c.from, To: c.to}
		charts := plot.Run((&dataset.Selection{}), r)
		points := charts[len(charts)-1].Chart.Panels[0].Chart.Series[0].Points
		if first, last := points[0].X+c.from, points[len(points)-1].X+c.from; first != c.first || last != c.last {
			t.Errorf("a run from %g to %g s is shown from %g to %g, want %g to %g", c.from, c.to, first, last, c.first, c.last)
		}
	}
	if len(trace.Times) != 86400 || len(trace.Channels[0].Values) != 86400 {
		t.Error("the trace itself was cut")
	}
}

// inTurns returns requests of 1.5 seconds, one sent each second, with the first token after a quarter of a second.
func inTurns(count int) *result.Requests {
	q := &result.Requests{N: count, Step: 0.5, FullFrom: 1, FullTo: float64(count)}
	for i := range count {
		at := float64(i)
		q.Sent, q.First, q.Done = append(q.Sent, at), append(q.First, at+0.25), append(q.Done, at+1.5)
	}
	for i := range 2*count + 1 {
		q.InFlight, q.Tokens = append(q.InFlight, 1+float64(i%2)), append(q.Tokens, 10)
		q.Median, q.Longest = append(q.Median, 250), append(q.Longest, 250)
	}
	return q
}

// TestRequestsOfARun checks that for few requests each has lines from sending to its first token and from there to its
// last, and that those in flight are counted at each moment. For many there is a point for each interval, and a note.
func TestRequestsOfARun(t *testing.T) {
	r := run("a/high model=Qwen3-8B ttft_mean:100")
	r.Requests = inTurns(40)
	few := plot.Run(&dataset.Selection{}, r)[0].Chart
	if len(few.Panels) != 3 {
		t.Fatalf("%d lanes", len(few.Panels))
	}
	lane := few.Panels[0].Chart
	for k, want := range [][2]float64{{0, 0.25}, {0.25, 1.5}} {
		for i := range 40 {
			from, to, gap := lane.Series[k].Points[3*i], lane.Series[k].Points[3*i+1], lane.Series[k].Points[3*i+2]
			if at := float64(i); from.X != at+want[0] || to.X != at+want[1] || from.Y != at+1 || to.Y != at+1 || !gap.Missing {
				t.Fatalf("request %d is drawn from %+v to %+v, %+v", i, from, to, gap)
			}
		}
	}
	flight, area, most := few.Panels[1].Chart.Series[0].Points, 0.0, 0.0
	for i := 1; i < len(flight); i++ {
		area += flight[i-1].Y * (flight[i].X - flight[i-1].X)
		most = max(most, flight[i].Y)
	}
	if math.Abs(area-40*1.5) > 1e-9 || most != 2 || flight[len(flight)-1].Y != 0 {
		t.Errorf("%g s in flight, %g at the most, %g in the end", area, most, flight[len(flight)-1].Y)
	}
	for i, panel := range few.Panels {
		if titled := !panel.Chart.X.Title.IsZero(); titled != (i == 2) {
			t.Errorf("lane %d: the time is named: %t", i, titled)
		}
	}
	r.Requests.Sent, r.Requests.First, r.Requests.Done, r.Requests.N = nil, nil, nil, 5000
	many := plot.Run(&dataset.Selection{}, r)[0].Chart
	for i, panel := range many.Panels {
		for _, s := range panel.Chart.Series {
			if len(s.Points) != len(r.Requests.InFlight) {
				t.Errorf("lane %d has %d points, want %d", i, len(s.Points), len(r.Requests.InFlight))
			}
		}
	}
	if note := locale.English(many.Notes[0]) + " " + locale.English(many.Notes[1]); !strings.Contains(note, "5000 requests") || !strings.Contains(note, "intervals of 0.5 s") {
		t.Errorf("the notes are %q", note)
	}
}

// TestPhasesOfARun checks the phases of a run: its load if the requests are from the same time, and the start of its
// command.
func TestPhasesOfARun(t *testing.T) {
	r := detailed()
	bands := func() string {
		charts := plot.Run(&dataset.Selection{}, r)
		var names []string
		for _, b := range charts[len(charts)-1].Chart.Panels[0].Chart.Bands {
			if name := locale.English(b.Text); name != "" {
				names = append(names, fmt.Sprint(name, " ", b.From, " ", b.To))
			}
		}
		return strings.Join(names, ", ")
	}
	if got := bands(); got != "run 0 2" {
		t.Errorf("got %q", got)
	}
	r.Requests = &result.Requests{N: 9, Step: 0.5, InFlight: []float64{1, 2, 2, 1}, FullFrom: 0.5, FullTo: 1.5}
	if got := bands(); got != "full load 0.5 1.5" {
		t.Errorf("with requests: %q", got)
	}
	r.Requests.Step = 5 // from another time
	r.Period = result.Period{From: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), To: time.Date(2026, 1, 2, 3, 4, 7, 0, time.UTC), Zoned: true}
	r.Labels.Set(result.Label{Name: "x_started", Value: "2026-01-02T03:03:05Z"})
	if got := bands(); got != "command started -60 -60, run 0 2" {
		t.Errorf("with the command: %q", got)
	}
}

// TestChartsOfARunThatIsExcluded checks that the charts of an excluded run say so.
func TestChartsOfARunThatIsExcluded(t *testing.T) {
	r := detailed()
	r.Checks = []result.Check{{ID: "consistency.positive", Severity: result.Error, Text: locale.Lit("impossible")}}
	c := plot.Run((&dataset.Selection{}), r)[0].Chart
	if !c.Series[0].Points[0].Excluded {
		t.Error("its points are drawn as results")
	}
}

// TestPracticesTellTheNumbersInForce checks that practices contain the site's thresholds and the fixed ones.
func TestPracticesTellTheNumbersInForce(t *testing.T) {
	d := &dataset.Selection{Site: dataset.Site{Rules: dataset.Rules{Noise: 0.07, Outlier: 4, Limit: 0.9}}}
	text := map[string]string{}
	for _, p := range finding.Practices(d) {
		text[p.ID] = locale.English(p.Text)
		for _, tag := range locale.Languages {
			printer, _ := locale.For(tag)
			if reported := printer.Say(p.Title) + printer.Say(p.Text); strings.ContainsAny(reported, "[") || strings.Contains(reported, "%!") {
				t.Errorf("%s: %s: %s", tag, p.ID, reported)
			}
		}
	}
	for id, wants := range map[string][]string{
		"alike":      {"Prompts, Input length", "in length by 2%"},
		"repeats":    {"from 6 runs on", "at 95% confidence", "over 20%"},
		"comparison": {"p below 0.05", "from 7% on"},
		"samples":    {"p99 needs 100 requests, p95 20, p90 10"},
		"ranking":    {"less than 7% apart", "more than 4 times", "uses 90% of"},
		"aside":      {"never best"},
	} {
		for _, want := range wants {
			if !strings.Contains(text[id], want) {
				t.Errorf("%s does not tell %q: %s", id, want, text[id])
			}
		}
	}
}
