package draft

import (
	"math"
	"testing"
)

// TestSteadyState has ten requests per second of two seconds each, for ten seconds: twenty are in flight from 1.9 s on.
// Each gives 40 tokens after 1 s, so 400 tokens are generated per second.
func TestSteadyState(t *testing.T) {
	r := Requests{}
	for i := range 100 {
		r.Start = append(r.Start, float64(i)/10)
		r.Ttft = append(r.Ttft, 1)
		r.E2el = append(r.E2el, 2)
		r.Output = append(r.Output, 40)
	}
	s := &Draft{In: NewFile()}
	r.steady(s)
	rate, _ := s.Value("steady_output_throughput")
	duration, _ := s.Value("steady_duration")
	// At least 18 of 20 are in flight from 1.7 s to 10.2 s, when the 83rd of the 100 requests ends.
	if math.Abs(rate-400) > 10 || math.Abs(duration-8.4) > 0.2 {
		t.Errorf("%v tok/s over %v s", rate, duration)
	}
}
