package draft

import (
	"math"
	"math/rand"
	"testing"

	"github.com/benchpost/benchpost/generator/result"
)

// TestRequestsOverTimeKeepWhatTheyAreSummedFrom checks timelines of random requests: the intervals contain all of the
// time in flight and all tokens, no median exceeds the maximum of its interval, the overall maximum is that of a
// request, and single requests are in order, if they are few enough to be kept.
func TestRequestsOverTimeKeepWhatTheyAreSummedFrom(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewSource(3))
	for round := range 80 {
		count := 2 + random.Intn(2*result.MostRequests)
		r := &Requests{Line: 7}
		flown, tokens, longest := 0.0, 0.0, 0.0
		offset := 1e5 * random.Float64()
		for range count {
			e2el := 0.01 + random.ExpFloat64()
			ttft := e2el * random.Float64()
			output := float64(1 + random.Intn(200))
			r.Start, r.Ttft = append(r.Start, offset+20*random.Float64()), append(r.Ttft, ttft)
			r.E2el, r.Output = append(r.E2el, e2el), append(r.Output, output)
			flown, tokens, longest = flown+e2el, tokens+output, max(longest, 1e3*ttft)
		}
		got := r.timeline()
		if got.N != count || got.Line != 7 || len(got.InFlight) != intervals {
			t.Fatalf("round %d: %d of %d requests, line %d, %d intervals", round, got.N, count, got.Line, len(got.InFlight))
		}
		if kept := len(got.Sent); (kept == count) != (count <= result.MostRequests) || kept != 0 && kept != count {
			t.Errorf("round %d: %d of %d requests are kept one by one", round, kept, count)
		}
		sum := func(list []float64) (all, most float64) {
			for _, v := range list {
				if !math.IsNaN(v) {
					all, most = all+v*got.Step, max(most, v)
				}
			}
			return all, most
		}
		same := func(a, b float64) bool { return math.Abs(a-b) <= 1e-6*math.Abs(b) }
		if all, most := sum(got.InFlight); !same(all, flown) || most > float64(count) {
			t.Errorf("round %d: %g s in flight, at most %g, want %g of %d", round, all, most, flown, count)
		}
		if all, _ := sum(got.Tokens); !same(all, tokens) {
			t.Errorf("round %d: %g tokens, want %g", round, all, tokens)
		}
		if _, most := sum(got.Longest); !same(most, longest) {
			t.Errorf("round %d: the longest wait is %g, want %g", round, most, longest)
		}
		for i := range got.Median {
			if got.Median[i] > got.Longest[i] {
				t.Errorf("round %d: the median %g is above the longest %g", round, got.Median[i], got.Longest[i])
			}
		}
		for i := range got.Sent {
			if got.First[i] < got.Sent[i] || got.Done[i] < got.First[i] || i > 0 && got.Sent[i] < got.Sent[i-1] {
				t.Fatalf("round %d: request %d is sent at %g, answered at %g, done at %g", round, i, got.Sent[i], got.First[i], got.Done[i])
			}
		}
		if got.FullFrom > got.FullTo || got.FullFrom < 0 || got.FullTo > got.Step*intervals+1e-9 {
			t.Errorf("round %d: full from %g to %g", round, got.FullFrom, got.FullTo)
		}
	}
}

// TestUnknownTimesGiveNoTimeline checks that there is no timeline without start or end times, or for a single request,
// and that unknown lists of other timelines are nil.
func TestUnknownTimesGiveNoTimeline(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	for _, r := range []*Requests{
		{}, {Start: []float64{1, 2}}, {Start: []float64{1}, E2el: []float64{1}},
		{Start: []float64{1, nan}, E2el: []float64{1, 1}}, {Start: []float64{1, 2}, E2el: []float64{1, nan}},
	} {
		if got := r.timeline(); got != nil {
			t.Errorf("%+v gives %+v", r, got)
		}
	}
	got := (&Requests{Start: []float64{5, 6}, E2el: []float64{1, 1}}).timeline()
	if got == nil || got.Tokens != nil || got.Median != nil || !math.IsNaN(got.First[0]) {
		t.Errorf("got %+v", got)
	}
}
