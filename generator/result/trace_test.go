package result

import (
	"math"
	"testing"
)

// powerTrace returns a trace with one channel of power at the given seconds.
func powerTrace(times, watts []float64) (*Trace, *Channel) {
	t := &Trace{Times: times, Channels: []Channel{{Name: "power", Unit: "W", Values: watts, Lines: make([]int32, len(times))}}}
	return t, t.Channel("power")
}

// TestIntegralIsTheTrapezoid checks the energy by the trapezoid rule, calculated by hand: (10+20)/2·1 +
// (20+40)/2·2 + (40+40)/2·0.5 = 15 + 60 + 20 J.
func TestIntegralIsTheTrapezoid(t *testing.T) {
	trace, power := powerTrace([]float64{0, 1, 3, 3.5}, []float64{10, 20, 40, 40})
	s := trace.Summarize(power, 0, 4)
	if joules, seconds := trace.Integrate(power, 0, 3.5); joules != 95 || seconds != 3.5 || s.Mean != 27.5 || s.Max != 40 || s.N != 4 {
		t.Errorf("%v J in %v s, %+v", joules, seconds, s)
	}
	// Only the samples in the window: (20+40)/2·2.
	if first, end := trace.Window(0.5, 3); first != 1 || end != 3 {
		t.Errorf("from %d to %d", first, end)
	}
	if joules, seconds := trace.Integrate(power, 1, 3); joules != 60 || seconds != 2 {
		t.Errorf("%v J in %v s", joules, seconds)
	}
	// Interpolated linearly between samples: (15+20)/2·0.5 + (20+30)/2·1.
	if joules, seconds := trace.Integrate(power, 0.5, 2); joules != 33.75 || seconds != 1.5 {
		t.Errorf("%v J in %v s", joules, seconds)
	}
	// Nothing is known before the first sample and after the last.
	if joules, seconds := trace.Integrate(power, -1, 9); joules != 95 || seconds != 3.5 {
		t.Errorf("%v J in %v s", joules, seconds)
	}
}

// TestMissingSampleIsSkipped checks that a missing sample is skipped: the trapezoid extends to the next,
// (10+30)/2·2 = 40 J.
func TestMissingSampleIsSkipped(t *testing.T) {
	trace, power := powerTrace([]float64{0, 1, 2}, []float64{10, math.NaN(), 30})
	joules, _ := trace.Integrate(power, 0, 2)
	if s := trace.Summarize(power, 0, 3); joules != 40 || s.N != 2 || s.Mean != 20 {
		t.Errorf("got %+v", s)
	}
}

// TestSummaryBeginsAtItsFirstSample checks that a summary has the line of the first sample of its channel,
// because missing samples have no line.
func TestSummaryBeginsAtItsFirstSample(t *testing.T) {
	trace, power := powerTrace([]float64{0, 1, 2}, []float64{math.NaN(), 20, 30})
	power.Lines = []int32{0, 5, 6}
	if s := trace.Summarize(power, 0, 3); s.Line != 5 || s.MaxLine != 6 {
		t.Errorf("got %+v", s)
	}
}

// TestNoIntegralOverAGap checks that gaps of more than three seconds are not interpolated, whether there are no
// samples or only missing ones. Exactly three seconds are.
func TestNoIntegralOverAGap(t *testing.T) {
	for _, c := range []struct {
		times, watts []float64
		known        bool
	}{
		{[]float64{0, 3}, []float64{10, 10}, true},
		{[]float64{0, 3.01, 4}, []float64{10, 10, 10}, false},
		{[]float64{0, 2, 4}, []float64{10, math.NaN(), 10}, false},
	} {
		trace, power := powerTrace(c.times, c.watts)
		s := trace.Summarize(power, 0, len(c.times))
		joules, _ := trace.Integrate(power, 0, 4)
		if math.IsNaN(joules) == c.known || s.Mean != 10 {
			t.Errorf("at %v: %v J, %+v", c.times, joules, s)
		}
	}
}
