package format

import (
	"math"
	"slices"

	"github.com/benchpost/benchpost/generator/result"
)

// requests are the single requests of a run, an entry for each in every list;
// times in seconds. What is not known of a request is NaN, and a list that the
// file does not have is nil. Requests that failed are left out beforehand.
type requests struct {
	start  []float64 // when it was sent, on any clock
	ttft   []float64
	e2el   []float64
	output []float64 // tokens generated
	gaps   *sample   // between the chunks of all requests

	// The lists of the file they are from, and the line of the first.
	ttftField, e2elField, gapsField string
	line                            int
}

// requestLog is what is counted of requests that a tool saved one by one, in
// objects of their own.
type requestLog struct {
	in                *input
	first, last       int // lines
	completed, failed int
	cut               bool     // in the middle of a request
	held              requests // those that completed, while they are few enough
}

// begin notes where a request stands; ok is false when it is cut off.
func (r *requestLog) begin(v *value) (ok bool) {
	if r.first == 0 {
		r.first = v.line
	}
	r.last = v.last
	r.cut = r.cut || v.cut
	return !v.cut
}

// complete counts a request with when it was sent, how long it took, in seconds,
// and its tokens, NaN where they are not told.
func (r *requestLog) complete(start, e2el, tokens float64) {
	r.completed++
	if r.completed <= exactSize {
		r.held.start = append(r.held.start, start)
		r.held.e2el = append(r.held.e2el, e2el)
		r.held.output = append(r.held.output, tokens)
	}
}

// steady notes the output throughput between ramp and drain when all requests are
// held and their tokens told.
func (r *requestLog) steady(s *sheet) {
	if len(r.held.start) == r.completed && !slices.ContainsFunc(r.held.output, math.IsNaN) {
		r.held.line = r.first
		r.held.steady(s)
	}
}

// quantileSteps is how many steps a distribution is kept in. At a thousand,
// percentiles with one decimal are among them.
const quantileSteps = 1000

// percentilesTold are derived from single requests where the tool has not
// printed them; any other is found when it is asked for.
var percentilesTold = []string{"mean", "p50", "p90", "p95", "p99", "std", "min", "max"}

// describe notes how the latencies of the requests are spread, and the
// statistics that the tool did not tell.
func (r *requests) describe(s *sheet) {
	tpot := r.tpot()
	for _, of := range []struct {
		family, field string
		values        []float64
		sample        *sample
	}{
		{family: "ttft", field: r.ttftField, values: r.ttft},
		{family: "tpot", field: "(" + r.e2elField + " − " + r.ttftField + ") / (output tokens − 1)", values: tpot},
		{family: "itl", field: r.gapsField, sample: r.gaps},
		{family: "e2el", field: r.e2elField, values: r.e2el},
	} {
		sample := of.sample
		if of.values != nil {
			sample = sampleOf(of.values)
		}
		if sample.size() == 0 {
			continue
		}
		s.distribution(of.family, of.field, sample, 1e3, r.line)
	}
	r.steady(s)
}

func sampleOf(values []float64) *sample {
	s := &sample{}
	for _, v := range values {
		s.add(v)
	}
	return s
}

// distribution notes a sample as the distribution of a latency, and its
// statistics. The values times toMs are milliseconds.
func (s *sheet) distribution(family, field string, of *sample, toMs float64, line int) {
	steps := min(of.size()-1, quantileSteps)
	shares := make([]float64, max(steps, 1)+1)
	for i := range shares {
		shares[i] = float64(i) / float64(len(shares)-1)
	}
	d := result.Distribution{Family: family, Unit: "ms", Field: field, Line: line, N: of.size(),
		Mean: of.mean * toMs, Std: of.std() * toMs, Quantiles: of.quantiles(shares), Rounded: of.buckets != nil}
	for i := range d.Quantiles {
		d.Quantiles[i] *= toMs
	}
	s.distributions = append(s.distributions, d)
	told := result.Result{Distributions: []result.Distribution{d}}
	for _, statistic := range percentilesTold {
		name := family + "_" + statistic
		if m, ok := told.Metric(name); ok {
			s.derive(name, m.Value, m.Field, line)
		}
	}
}

// tpot gives (E2EL − TTFT) / (output tokens − 1) of each request that has two
// tokens or more.
func (r *requests) tpot() []float64 {
	if r.ttft == nil || r.e2el == nil || r.output == nil {
		return nil
	}
	tpot := make([]float64, len(r.ttft))
	for i := range tpot {
		tpot[i] = timePerToken(r.e2el[i], r.ttft[i], r.output[i])
	}
	return tpot
}

// fullLoad is the share of the greatest number of requests in flight from which
// on a run is at its load.
const fullLoad = 0.9

// steady notes the output throughput between ramp and drain: from when the
// requests in flight first come to fullLoad of their greatest number, to when
// they were last so many. The tokens of a request are taken to come evenly
// between its first and its last.
func (r *requests) steady(s *sheet) {
	if r.start == nil || r.e2el == nil || r.output == nil {
		return
	}
	type event struct {
		at     float64
		change int
	}
	var events []event
	for i := range r.start {
		if end := r.start[i] + r.e2el[i]; end > r.start[i] {
			events = append(events, event{r.start[i], 1}, event{end, -1})
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
	from, to := math.NaN(), math.NaN()
	for _, e := range events {
		if full := float64(inFlight) >= fullLoad*float64(most); full && e.change < 0 {
			to = e.at
		}
		inFlight += e.change
		if math.IsNaN(from) && float64(inFlight) >= fullLoad*float64(most) {
			from = e.at
		}
	}
	if most < 2 || !(to > from) {
		return
	}
	tokens := 0.0
	for i := range r.start {
		first := r.start[i]
		if r.ttft != nil && r.ttft[i] < r.e2el[i] {
			first += r.ttft[i]
		}
		last := r.start[i] + r.e2el[i]
		if shared := min(last, to) - max(first, from); shared > 0 && last > first {
			tokens += r.output[i] * shared / (last - first)
		}
	}
	s.derive("steady_output_throughput", tokens/(to-from), "tokens / s while 90 % of the most requests at once or more were in flight", r.line)
	s.derive("steady_duration", to-from, "time from the first to the last moment at which 90 % of the most requests at once were in flight", r.line)
}
