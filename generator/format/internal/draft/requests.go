package draft

import (
	"math"
	"slices"

	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/result"
)

// Requests holds the single requests of a run. Each list has one entry per request; times are in seconds. Unknown
// values are NaN, and a list that the file does not have is nil. Failed requests must be left out beforehand.
type Requests struct {
	Start  []float64 // when the request was sent, on any clock
	Ttft   []float64
	E2el   []float64
	Output []float64    // tokens generated
	Gaps   *scan.Sample // gaps between the chunks of all requests

	// Names of the lists in the file, and the line of the first list.
	TtftField, E2elField, GapsField string
	Line                            int
}

// RequestLog counts requests that a tool saved one by one, each as an object.
type RequestLog struct {
	In                *File
	First, Last       int // line numbers
	Completed, Failed int
	Cut               bool     // the log ends inside a request
	held              Requests // completed requests, up to scan.ExactSize
	waited            []float64
}

// Begin records the lines of a request. It returns false if the request is cut off.
func (r *RequestLog) Begin(v *scan.Value) (ok bool) {
	if r.First == 0 {
		r.First = v.Line
	}
	r.Last = v.Last
	r.Cut = r.Cut || v.Cut
	return !v.Cut
}

// Complete adds a completed request: when it was sent, its TTFT and E2EL in seconds, and its output tokens. Unknown
// values are NaN.
func (r *RequestLog) Complete(start, ttft, e2el, tokens float64) {
	r.Completed++
	if r.Completed <= scan.ExactSize {
		r.held.Start = append(r.held.Start, start)
		r.held.E2el = append(r.held.E2el, e2el)
		r.held.Output = append(r.held.Output, tokens)
		r.waited = append(r.waited, ttft)
	}
}

// Follow adds the timeline of the requests if all of them were kept. If their tokens are known, it also adds the output
// throughput between ramp and drain.
func (r *RequestLog) Follow(s *Draft) {
	if len(r.held.Start) != r.Completed {
		return
	}
	r.held.Line = r.First
	all := r.held
	all.Ttft = r.waited
	if slices.ContainsFunc(all.Output, math.IsNaN) {
		all.Output = nil
	} else {
		r.held.steady(s)
	}
	s.requests = all.timeline()
}

// quantileSteps is the number of steps of a distribution. With a thousand steps it contains the percentiles with one
// decimal.
const quantileSteps = 1000

// derivedPercentiles lists the statistics that are derived from single requests if the tool has not printed them.
// Others are computed on demand.
var derivedPercentiles = []string{"mean", "p50", "p90", "p95", "p99", "std", "min", "max"}

// Describe adds the distributions of the requests' latencies, and the statistics that the tool did not report.
func (r *Requests) Describe(s *Draft) {
	tpot := r.tpot()
	for _, of := range []struct {
		family, field string
		values        []float64
		sample        *scan.Sample
	}{
		{family: "ttft", field: r.TtftField, values: r.Ttft},
		{family: "tpot", field: "(" + r.E2elField + " − " + r.TtftField + ") / (output tokens − 1)", values: tpot},
		{family: "itl", field: r.GapsField, sample: r.Gaps},
		{family: "e2el", field: r.E2elField, values: r.E2el},
	} {
		sample := of.sample
		if of.values != nil {
			sample = sampleOf(of.values)
		}
		if sample.Size() == 0 {
			continue
		}
		s.distribution(of.family, of.field, sample, 1e3, r.Line)
	}
	r.steady(s)
	s.requests = r.timeline()
}

func sampleOf(values []float64) *scan.Sample {
	s := &scan.Sample{}
	for _, v := range values {
		s.Add(v)
	}
	return s
}

// distribution adds a sample as the distribution of a latency, and its statistics. Values multiplied by toMs are
// milliseconds.
func (s *Draft) distribution(family, field string, of *scan.Sample, toMs float64, line int) {
	steps := min(of.Size()-1, quantileSteps)
	shares := make([]float64, max(steps, 1)+1)
	for i := range shares {
		shares[i] = float64(i) / float64(len(shares)-1)
	}
	d := result.Distribution{Family: family, Unit: "ms", Field: field, Line: line, N: of.Size(),
		Mean: of.Mean * toMs, Std: of.Std() * toMs, Quantiles: of.Quantiles(shares), Rounded: of.Buckets != nil}
	for i := range d.Quantiles {
		d.Quantiles[i] *= toMs
	}
	s.distributions = append(s.distributions, d)
	shown := result.Result{Distributions: []result.Distribution{d}}
	for _, statistic := range derivedPercentiles {
		name := family + "_" + statistic
		if m, ok := shown.Metric(name); ok {
			s.Derive(name, m.Value, m.Field, line)
		}
	}
}

// tpot returns (E2EL − TTFT) / (output tokens − 1) of each request, NaN for those with fewer than two tokens.
func (r *Requests) tpot() []float64 {
	if r.Ttft == nil || r.E2el == nil || r.Output == nil {
		return nil
	}
	tpot := make([]float64, len(r.Ttft))
	for i := range tpot {
		tpot[i] = TimePerToken(r.E2el[i], r.Ttft[i], r.Output[i])
	}
	return tpot
}

// fullLoad defines full load: at least this share of the maximum number of requests in flight.
const fullLoad = 0.9

// full returns the first and the last time at which the run was at full load. ok is false if there is no such interval.
func (r *Requests) full() (from, to float64, ok bool) {
	type event struct {
		at     float64
		change int
	}
	var events []event
	for i := range r.Start {
		if end := r.Start[i] + r.E2el[i]; end > r.Start[i] {
			events = append(events, event{r.Start[i], 1}, event{end, -1})
		}
	}
	slices.SortStableFunc(events, func(a, b event) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return a.change - b.change // a request that ends makes room first
	})
	inFlight, most := 0, 0
	for _, e := range events {
		inFlight += e.change
		most = max(most, inFlight)
	}
	from, to = math.NaN(), math.NaN()
	for _, e := range events {
		if full := float64(inFlight) >= fullLoad*float64(most); full && e.change < 0 {
			to = e.at
		}
		inFlight += e.change
		if math.IsNaN(from) && float64(inFlight) >= fullLoad*float64(most) {
			from = e.at
		}
	}
	return from, to, most >= 2 && to > from
}

// steady adds the output throughput at full load. It assumes that the tokens of a request are spread evenly between the
// first and the last.
func (r *Requests) steady(s *Draft) {
	if r.Start == nil || r.E2el == nil || r.Output == nil {
		return
	}
	from, to, ok := r.full()
	if !ok {
		return
	}
	tokens := 0.0
	for i := range r.Start {
		first := r.Start[i]
		if r.Ttft != nil && r.Ttft[i] < r.E2el[i] {
			first += r.Ttft[i]
		}
		last := r.Start[i] + r.E2el[i]
		if shared := min(last, to) - max(first, from); shared > 0 && last > first {
			tokens += r.Output[i] * shared / (last - first)
		}
	}
	s.Derive("steady_output_throughput", tokens/(to-from), "tokens / s while 90 % of the most requests at once or more were in flight", r.Line)
	s.Derive("steady_duration", to-from, "time from the first to the last moment at which 90 % of the most requests at once were in flight", r.Line)
}
