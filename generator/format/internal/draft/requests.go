package draft

import (
	"math"
	"slices"

	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/result"
)

// Requests are the single requests of a run, an entry for each in every list;
// times in seconds. What is not known of a request is NaN, and a list that the
// file does not have is nil. Requests that failed are left out beforehand.
type Requests struct {
	Start  []float64 // when it was sent, on any clock
	Ttft   []float64
	E2el   []float64
	Output []float64    // tokens generated
	Gaps   *scan.Sample // between the chunks of all requests

	// The lists of the file they are from, and the line of the first.
	TtftField, E2elField, GapsField string
	Line                            int
}

// RequestLog is what is counted of requests that a tool saved one by one, in
// objects of their own.
type RequestLog struct {
	In                *File
	First, Last       int // lines
	Completed, Failed int
	Cut               bool     // in the middle of a request
	held              Requests // those that completed, while they are few enough
	waited            []float64
}

// Begin notes the lines of a request; ok is false when it is cut off.
func (r *RequestLog) Begin(v *scan.Value) (ok bool) {
	if r.First == 0 {
		r.First = v.Line
	}
	r.Last = v.Last
	r.Cut = r.Cut || v.Cut
	return !v.Cut
}

// Complete counts a request with when it was sent, how long its first token and all of it took, in
// seconds, and its tokens; NaN for what is unknown.
func (r *RequestLog) Complete(start, ttft, e2el, tokens float64) {
	r.Completed++
	if r.Completed <= scan.ExactSize {
		r.held.Start = append(r.held.Start, start)
		r.held.E2el = append(r.held.E2el, e2el)
		r.held.Output = append(r.held.Output, tokens)
		r.waited = append(r.waited, ttft)
	}
}

// Follow notes how the requests followed each other, when all of them are held; where their tokens are
// reported, the output throughput between ramp and drain, too.
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

// quantileSteps is how many steps a distribution is kept in. At a thousand,
// percentiles with one decimal are among them.
const quantileSteps = 1000

// derivedPercentiles are derived from single requests where the tool has not
// printed them; any other is found when it is asked for.
var derivedPercentiles = []string{"mean", "p50", "p90", "p95", "p99", "std", "min", "max"}

// Describe notes how the latencies of the requests are spread, and the
// statistics that the tool did not report.
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

// distribution notes a sample as the distribution of a latency, and its
// statistics. The values times toMs are milliseconds.
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

// tpot returns (E2EL − TTFT) / (output tokens − 1) of each request that has two
// tokens or more.
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

// fullLoad is the share of the greatest number of requests in flight from which
// on a run is at its load.
const fullLoad = 0.9

// full returns when the requests in flight first come to fullLoad of their greatest number, and when they were last
// so many. Ok is false where there is no such time.
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
		return a.change - b.change // who ends makes room first
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

// steady notes the output throughput while the run was at its load. The tokens of a request are taken to come evenly
// between its first and its last.
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
