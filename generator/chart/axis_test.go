package chart

import (
	"math"
	"strings"
	"testing"
)

// labels returns the labels of an axis's ticks and the number of minor ones.
func labels(a axis, need room) (string, int) {
	var ls []string
	minor := 0
	for _, t := range a.ticks(need) {
		if t.label == "" {
			minor++
			continue
		}
		ls = append(ls, t.label)
	}
	return strings.Join(ls, " "), minor
}

func TestTicks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		log      bool
		min, max float64
		length   float64
		want     string
		minor    int
	}{
		{"bars", false, 0, 298.07, 400, "0 50 100 150 200 250", 0},
		{"thousands", false, 0, 43688.41, 400, "0 10k 20k 30k 40k", 0},
		{"below ten thousand", false, 0, 8000, 400, "0 2000 4000 6000 8000", 0},
		{"half thousands", false, 9000, 11400, 400, "9.0k 9.5k 10.0k 10.5k 11.0k", 0},
		{"negative thousands", false, -40_000, 0, 400, "-40k -30k -20k -10k 0", 0},
		{"millions", false, 0, 2.6e6, 400, "0 0.5M 1.0M 1.5M 2.0M 2.5M", 0},
		{"steps too small for millions", false, 1.5e6, 1.508e6, 400, "1500k 1502k 1504k 1506k 1508k", 0},
		{"decimals", false, 69.4, 71.53, 400, "69.5 70.0 70.5 71.0 71.5", 0},
		{"tiny", false, 0, 3e-9, 300, "0 1e-9 2e-9 3e-9", 0},
		{"huge", false, 0, 3e12, 300, "0 1e12 2e12 3e12", 0},
		{"around zero", false, -5, 3, 400, "-4 -2 0 2", 0},
		{"close to each other", false, 1e6, 1e6 + 2, 200, "1,000,000 1,000,001 1,000,002", 0},
		{"three decades", true, 23, 974, 800, "50 100 200 500", 12},
		{"five decades", true, 15, 43688, 400, "100 1000 10,000", 27},
		{"twenty decades", true, 1e-9, 1e12, 400, "1e-8 0.0001 1 10,000 1e8 1e12", 16},
		{"less than a decade", true, 2.1, 4.5, 400, "2.5 3.0 3.5 4.0 4.5", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := newAxis(c.log, span{c.min, c.max}, 0, c.length, 0, 0)
			got, minor := labels(a, func(_, _ string) float64 { return 60 })
			if got != c.want || minor != c.minor {
				t.Errorf("ticks are %s and %d minor ones, want %s and %d", got, minor, c.want, c.minor)
			}
		})
	}
}

// TestTicksNextToZero checks an axis with zeros and far larger values. It is linear next to zero, and labels
// those decades that have room beside the label of zero.
func TestTicksNextToZero(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		zero, max float64
		want      string
	}{
		{0.01, 4000, "0 0.1 1 10 100 1000"},
		{1, 4000, "0 10 100 1000"},
		{2, 1e12, "0 1000 100,000 1e7 1e9 1e11"},
	} {
		a := axis{log: true, zero: c.zero, end: 500}.fit(span{0, c.max}, 0, 0)
		if got, _ := labels(a, func(_, _ string) float64 { return 60 }); got != c.want {
			t.Errorf("from %g to %g the ticks are %s, want %s", c.zero, c.max, got, c.want)
		}
	}
}

// TestLogAxisEndsIntervals checks that a log axis ends an interval at its edge if the interval reaches below
// zero.
func TestLogAxisEndsIntervals(t *testing.T) {
	t.Parallel()
	for name, a := range map[string]axis{
		"without zero": newAxis(true, span{1, 1000}, 100, 500, 0, 0),
		"with zero":    axis{log: true, zero: 1, start: 100, end: 500}.fit(span{0, 1000}, 0, 0),
	} {
		for _, v := range []float64{-7, 0} {
			if at := a.at(v); at != 100 {
				t.Errorf("%s: %g lies at %g, want the edge at 100", name, v, at)
			}
		}
	}
}

// TestAxisPadding checks that values are at least the paddings away from the ends.
func TestAxisPadding(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		log        bool
		s          span
		start, end float64
	}{
		{"to the right", false, span{3, 9}, 100, 500},
		{"upwards", false, span{3, 9}, 500, 100},
		{"log", true, span{3, 9000}, 100, 500},
	} {
		a := newAxis(c.log, c.s, c.start, c.end, 40, 60)
		if low, high := math.Abs(a.at(c.s.min)-c.start), math.Abs(a.at(c.s.max)-c.end); low != 40 || high != 60 {
			t.Errorf("%s: the values keep %g and %g from the ends, want 40 and 60", c.name, low, high)
		}
	}
	if at := newAxis(false, span{7, 7}, 0, 100, 0, 0).at(7); at != 50 {
		t.Errorf("equal values lie at %g, want in the middle", at)
	}
	if at := newAxis(false, span{0, 0}, 0, 100, 0, 0).at(0); at != 0 {
		t.Errorf("zeros lie at %g, want at the start", at)
	}
}
