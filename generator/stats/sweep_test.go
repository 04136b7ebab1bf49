package stats

import (
	"strings"
	"testing"
)

// sweep parses "4:340" as a throughput, or a latency, of 340 at concurrency 4.
func sweep(t *testing.T, text string) []SweepPoint {
	t.Helper()
	var points []SweepPoint
	for _, field := range strings.Fields(text) {
		concurrency, value, _ := strings.Cut(field, ":")
		points = append(points, SweepPoint{number(t, concurrency), number(t, value), number(t, value)})
	}
	return points
}

func TestKnee(t *testing.T) {
	for _, c := range []struct {
		what, points string
		want         float64 // 0 for none
	}{
		// Concurrency scaled is 0, 1/15, 3/15, 7/15, 1, throughput 0, 0.281,
		// 0.75, 0.938, 1. Its lead is 0, 0.215, 0.55, 0.471, 0, and 0.55 is
		// more than 1/4.
		{"saturation", "1:100 2:190 4:340 8:400 16:420", 4},
		// Throughput scaled is 0, 0.429, 0.952, 1, 0.476, its lead over
		// 0, 1/15, 3/15, 7/15, 1: 0, 0.362, 0.752, 0.533, −0.524.
		{"overload after the knee", "1:100 2:190 4:300 8:310 16:200", 4},
		{"repeats give their median", "1:100 1:90 1:110 2:190 4:340 4:10 4:350 8:400 16:420", 4},
		{"in any order", "16:420 4:340 1:100 8:400 2:190", 4},
		{"even growth", "1:100 2:200 4:400 8:800", 0},
		{"growth ever faster", "1:100 2:110 4:200 8:900", 0},
		// Scaled 0, 1/3, 2/3, 1 and 0, 0.4, 0.75, 1: a lead of 0.083 at most
		// is less than 1/3.
		{"a bend that could be noise", "1:100 2:140 3:175 4:200", 0},
		{"best from the start", "1:100 2:60 4:30 8:20", 0},
		{"always the same", "1:100 2:100 4:100 8:100", 0},
		{"three concurrencies", "1:100 4:340 16:350 16:351", 0},
		{"nothing measured", "", 0},
	} {
		got, ok := Knee(sweep(t, c.points))
		if got.Concurrency != c.want || ok != (c.want != 0) {
			t.Errorf("%s: %v, %v, want %v", c.what, got, ok, c.want)
		}
	}
}

func TestHighestUnder(t *testing.T) {
	for _, c := range []struct {
		what, points string
		limit        float64
		want         Capacity
	}{
		// 70 is half way from 50 to 90, and 6 half way from 4 to 8.
		{"between two points", "1:20 2:30 4:50 8:90", 70, Capacity{SomeMeet, 4, 6}},
		{"exactly at a point", "1:20 2:30 4:50 8:90", 50, Capacity{SomeMeet, 4, 4}},
		{"all meet it", "1:20 2:30 4:50 8:90", 90, Capacity{Reach: AllMeet, Measured: 8}},
		{"none meets it", "1:20 2:30 4:50 8:90", 19, Capacity{Reach: NoneMeets}},
		// 50 is three quarters from 20 to 60.
		{"what meets it again does not count", "1:20 2:60 4:40 8:90", 50, Capacity{SomeMeet, 1, 1.75}},
		{"a lowest point that misses it", "1:60 2:40 4:45", 50, Capacity{Reach: NoneMeets}},
		// The medians are 30 and 90, and 60 is half way.
		{"repeats give their median", "2:95 1:30 2:90 1:20 1:100 2:80", 60, Capacity{SomeMeet, 1, 1.5}},
		{"nothing measured", "", 50, Capacity{Reach: NoneMeets}},
	} {
		if got := HighestUnder(sweep(t, c.points), c.limit); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.what, got, c.want)
		}
	}
}

func TestScalingEfficiency(t *testing.T) {
	for _, c := range []struct {
		n0, v0, n, v float64
		want         float64
		ok           bool
	}{
		{1, 100, 4, 360, 0.9, true},   // 3.6 times on 4 times
		{2, 200, 8, 800, 1, true},     // 4 on 4
		{1, 100, 2, 225, 1.125, true}, // 2.25 on 2
		{4, 360, 1, 100, 1 / 0.9, true},
		{0, 100, 4, 360, 0, false},
		{1, 0, 4, 360, 0, false},
		{1, 100, 4, 0, 0, false},
	} {
		if got, ok := ScalingEfficiency(c.n0, c.v0, c.n, c.v); !near(got, c.want) || ok != c.ok {
			t.Errorf("%v of %v to %v of %v: %v, %v, want %v, %v", c.v0, c.n0, c.v, c.n, got, ok, c.want, c.ok)
		}
	}
}
