package stats

import (
	"slices"
	"testing"

	"github.com/benchpost/benchpost/generator/result"
)

func TestFrontierAndDominator(t *testing.T) {
	higherLower := []result.Better{result.Higher, result.Lower}
	for _, c := range []struct {
		what       string
		points     [][]float64
		directions []result.Better
		front      []int
		dominators []int
	}{
		{"no points", nil, higherLower, nil, nil},
		{"one point", [][]float64{{1, 1}}, higherLower, []int{0}, []int{-1}},
		// Throughput up, latency down. (250, 40) loses to (300, 30) and to
		// (280, 35), and (300, 30) is the better of them in throughput.
		{"throughput against latency", [][]float64{{100, 10}, {250, 40}, {280, 35}, {300, 30}, {400, 60}}, higherLower,
			[]int{0, 3, 4}, []int{-1, 3, 3, -1, -1}},
		{"the same the other way round", [][]float64{{100, 10}, {250, 40}, {280, 35}, {300, 30}, {400, 60}},
			[]result.Better{result.Lower, result.Higher}, []int{0, 1, 4}, []int{-1, -1, 1, 1, -1}},
		{"as good in one and better in the other dominates", [][]float64{{100, 10}, {100, 9}, {101, 9}}, higherLower,
			[]int{2}, []int{2, 2, -1}},
		{"equal points are all on the frontier", [][]float64{{100, 10}, {90, 12}, {100, 10}}, higherLower,
			[]int{0, 2}, []int{-1, 0, -1}},
		// In the first two metrics the last point loses; the third saves it.
		{"three metrics", [][]float64{{100, 10, 5}, {90, 12, 5}, {90, 12, 4}},
			[]result.Better{result.Higher, result.Lower, result.Lower}, []int{0, 2}, []int{-1, 0, -1}},
		{"a metric without direction plays no part", [][]float64{{100, 7}, {90, 8}, {100, 9}},
			[]result.Better{result.Higher, result.Neutral}, []int{0, 2}, []int{-1, 0, -1}},
	} {
		if got := Frontier(c.points, c.directions); !slices.Equal(got, c.front) {
			t.Errorf("%s: frontier %v, want %v", c.what, got, c.front)
		}
		for i, want := range c.dominators {
			if got := Dominator(c.points, c.directions, i); got != want {
				t.Errorf("%s: point %d is dominated by %d, want %d", c.what, i, got, want)
			}
		}
	}
}

func BenchmarkFrontier(b *testing.B) {
	points := cloud(random(1), 1000, 3)
	directions := []result.Better{result.Higher, result.Lower, result.Lower}
	b.ReportAllocs()
	for b.Loop() {
		Frontier(points, directions)
	}
}
