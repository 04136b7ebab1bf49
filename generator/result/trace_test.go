package result

import (
	"math"
	"testing"
)

// powerTrace is one channel of power at the given seconds.
func powerTrace(times, watts []float64) (*Trace, *Channel) {
	t := &Trace{Times: times, Channels: []Channel{{Name: "power", Unit: "W", Values: watts, Lines: make([]int32, len(times))}}}
	return t, t.Channel("power")
}

// Energy is the trapezoid between samples, as by hand:
// (10+20)/2·1 + (20+40)/2·2 + (40+40)/2·0.5 = 15 + 60 + 20 J.
func TestIntegralIsTheTrapezoid(t *testing.T) {
	trace, power := powerTrace([]float64{0, 1, 3, 3.5}, []float64{10, 20, 40, 40})
	s := trace.Summarize(power, 0, 4)
	if joules, seconds := trace.Integrate(power, 0, 3.5); joules != 95 || seconds != 3.5 || s.Mean != 27.5 || s.Max != 40 || s.N != 4 {
		t.Errorf("%v J in %v s, %+v", joules, seconds, s)
	}
	// Of a window only what lies in it: (20+40)/2·2.
	if first, end := trace.Window(0.5, 3); first != 1 || end != 3 {
		t.Errorf("from %d to %d", first, end)
	}
	if joules, seconds := trace.Integrate(power, 1, 3); joules != 60 || seconds != 2 {
		t.Errorf("%v J in %v s", joules, seconds)
	}
	// Between samples the line from one to the other: (15+20)/2·0.5 + (20+30)/2·1.
	if joules, seconds := trace.Integrate(power, 0.5, 2); joules != 33.75 || seconds != 1.5 {
		t.Errorf("%v J in %v s", joules, seconds)
	}
	// Before the first sample and behind the last nothing is known.
	if joules, seconds := trace.Integrate(power, -1, 9); joules != 95 || seconds != 3.5 {
		t.Errorf("%v J in %v s", joules, seconds)
	}
}

// A missing sample counts nowhere; the trapezoid goes on to the next:
// (10+30)/2·2 = 40 J.
func TestMissingSampleIsSkipped(t *testing.T) {
	trace, power := powerTrace([]float64{0, 1, 2}, []float64{10, math.NaN(), 30})
	joules, _ := trace.Integrate(power, 0, 2)
	if s := trace.Summarize(power, 0, 3); joules != 40 || s.N != 2 || s.Mean != 20 {
		t.Errorf("got %+v", s)
	}
}

// What a channel comes to has the line of its first sample, as those before
// it have no line.
func TestSummaryBeginsAtItsFirstSample(t *testing.T) {
	trace, power := powerTrace([]float64{0, 1, 2}, []float64{math.NaN(), 20, 30})
	power.Lines = []int32{0, 5, 6}
	if s := trace.Summarize(power, 0, 3); s.Line != 5 || s.MaxLine != 6 {
		t.Errorf("got %+v", s)
	}
}

// Over more than three seconds nothing is known, whether no sample was taken or
// those that were say nothing. Just three are still one interval.
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
