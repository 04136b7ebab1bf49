package chart

import (
	"math"
	"strings"
	"testing"
)

// labels gives the labels of an axis's ticks and the number of minor ones.
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
	for _, c := range []struct {
		name     string
		log      bool
		min, max float64
		length   float64
		want     string
		minor    int
	}{
		{"bars", false, 0, 298.07, 400, "0 50 100 150 200 250", 0},
		{"thousands", false, 0, 43688.41, 400, "0 10,000 20,000 30,000 40,000", 0},
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

// A value keeps the padding's distance from the ends.
func TestAxisPadding(t *testing.T) {
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

func TestValueLabel(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 5: "5", 7.914: "7.914", 298.07: "298.1", -0.5: "-0.5", 0.00012: "0.00012",
		43688.41: "43,688", 1438.24: "1438", 1e-9: "1e-9", 1.2345e12: "1.234e12",
	} {
		if got := valueLabel(v); got != want {
			t.Errorf("valueLabel(%g) = %s, want %s", v, got, want)
		}
	}
}
