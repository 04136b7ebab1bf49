package draft

import (
	"cmp"
	"math"
	"slices"

	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/result"
)

// intervals is the number of equal parts of a run's time for which its requests are summarised.
const intervals = 100

// timeline returns the timeline of the requests. It returns nil if the times are unknown, or known for fewer than two
// requests.
func (r *Requests) timeline() *result.Requests {
	if len(r.Start) == 0 || len(r.E2el) != len(r.Start) {
		return nil
	}
	var order []int // indices of requests with known times
	for i, start := range r.Start {
		if !math.IsNaN(start) && r.E2el[i] > 0 && !math.IsInf(start+r.E2el[i], 0) {
			order = append(order, i)
		}
	}
	if len(order) < 2 {
		return nil
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(r.Start[a], r.Start[b]) })
	zero, end := r.Start[order[0]], 0.0
	for _, i := range order {
		end = max(end, r.Start[i]-zero+r.E2el[i])
	}
	t := &result.Requests{N: len(order), Line: r.Line, Step: end / intervals}
	if from, to, ok := r.full(); ok {
		t.FullFrom, t.FullTo = from-zero, to-zero
	}
	r.sumUp(t, order, zero)
	if len(order) > result.MostRequests {
		return t
	}
	for _, i := range order {
		sent, first := r.Start[i]-zero, math.NaN()
		if len(r.Ttft) == len(r.Start) && r.Ttft[i] > 0 {
			first = sent + min(r.Ttft[i], r.E2el[i])
		}
		t.Sent, t.First, t.Done = append(t.Sent, sent), append(t.First, first), append(t.Done, sent+r.E2el[i])
	}
	return t
}

// sumUp computes the values of each interval.
func (r *Requests) sumUp(t *result.Requests, order []int, zero float64) {
	answered, counted := len(r.Ttft) == len(r.Start), len(r.Output) == len(r.Start)
	t.InFlight = make([]float64, intervals)
	if counted {
		t.Tokens = make([]float64, intervals)
	}
	waits := make([]*scan.Sample, intervals)
	spread := func(list []float64, from, to, amount float64) { // spreads an amount evenly over a time
		for i := int(from / t.Step); i < intervals; i++ {
			begin := float64(i) * t.Step
			if begin >= to {
				break
			}
			if shared := min(to, begin+t.Step) - max(from, begin); shared > 0 {
				list[i] += amount * shared / (to - from) / t.Step
			}
		}
	}
	for _, i := range order {
		sent := r.Start[i] - zero
		first, done := sent, sent+r.E2el[i]
		spread(t.InFlight, sent, done, r.E2el[i])
		if answered && r.Ttft[i] > 0 {
			at := min(int(sent/t.Step), intervals-1)
			if waits[at] == nil {
				waits[at] = &scan.Sample{}
			}
			waits[at].Add(1e3 * r.Ttft[i])
			if r.Ttft[i] < r.E2el[i] {
				first += r.Ttft[i]
			}
		}
		if counted && r.Output[i] > 0 {
			spread(t.Tokens, first, done, r.Output[i])
		}
	}
	if !slices.ContainsFunc(waits, func(s *scan.Sample) bool { return s != nil }) {
		return
	}
	t.Median, t.Longest = make([]float64, intervals), make([]float64, intervals)
	for i, of := range waits {
		t.Median[i], t.Longest[i] = math.NaN(), math.NaN()
		if of != nil {
			shares := of.Quantiles([]float64{0.5, 1})
			t.Median[i], t.Longest[i] = shares[0], shares[1]
		}
	}
}
