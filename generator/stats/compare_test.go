package stats

import (
	"math"
	"math/bits"
	"slices"
	"testing"
)

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		what string
		a, b []float64
		want Comparison
	}{
		{"nothing on one side", []float64{100}, nil,
			Comparison{N1: 1}},
		{"a value that is no number", []float64{100, math.NaN()}, []float64{100},
			Comparison{N1: 2, N2: 1}},

		{"single runs under the noise", []float64{100}, []float64{102},
			Comparison{N1: 1, N2: 1, Ratio: 1.02, HasRatio: true, Method: SingleRun, Verdict: Same}},
		{"single runs just at the noise", []float64{100}, []float64{103},
			Comparison{N1: 1, N2: 1, Ratio: 1.03, HasRatio: true, Method: SingleRun, Verdict: Different}},
		{"and the other way round", []float64{103}, []float64{100},
			Comparison{N1: 1, N2: 1, Ratio: 100.0 / 103, HasRatio: true, Method: SingleRun, Verdict: Different}},
		{"a single run against many", []float64{50}, []float64{100, 101, 102, 103, 104},
			Comparison{N1: 1, N2: 5, Ratio: 2.04, HasRatio: true, Method: SingleRun, Verdict: Different}},
		{"single zeros are equal", []float64{0}, []float64{0},
			Comparison{N1: 1, N2: 1, Method: SingleRun, Verdict: Same}},
		{"a single zero has no ratio to go by", []float64{0}, []float64{5},
			Comparison{N1: 1, N2: 1, Method: SingleRun, Verdict: Unknown}},

		// 2/C(6, 3) = 0.1 is the least p of three against three.
		{"three against three far apart", []float64{100, 101, 102}, []float64{150, 151, 152},
			Comparison{N1: 3, N2: 3, Ratio: 151.0 / 101, HasRatio: true, Method: TooFewRuns, Verdict: Different}},
		{"three against three under the noise", []float64{100, 101, 102}, []float64{101, 102, 103},
			Comparison{N1: 3, N2: 3, Ratio: 102.0 / 101, HasRatio: true, Method: TooFewRuns, Verdict: Same}},
		// Medians of 100 and 106, and a scatter of 20 %.
		{"three against three that overlap", []float64{90, 100, 110}, []float64{95, 106, 112},
			Comparison{N1: 3, N2: 3, Ratio: 1.06, HasRatio: true, Method: TooFewRuns, Verdict: Same}},
		{"a single run among many", []float64{108}, []float64{90, 95, 100, 105, 110},
			Comparison{N1: 1, N2: 5, Ratio: 100.0 / 108, HasRatio: true, Method: SingleRun, Verdict: Same}},
		// 2/C(7, 3) = 0.057.
		{"three against four", []float64{100, 101, 102}, []float64{150, 151, 152, 153},
			Comparison{N1: 3, N2: 4, Ratio: 1.5, HasRatio: true, Method: TooFewRuns, Verdict: Different}},

		// 2/C(8, 4) = 2/70.
		{"four against four apart, though by 1 %", []float64{100, 100.1, 100.2, 100.3}, []float64{101.1, 101.2, 101.3, 101.4},
			Comparison{N1: 4, N2: 4, Ratio: 101.25 / 100.15, HasRatio: true, Method: MannWhitney, P: 2.0 / 70, Verdict: Different}},
		// 2/C(8, 3) = 2/56.
		{"three against five apart", []float64{100, 101, 102}, []float64{50, 51, 52, 53, 54},
			Comparison{N1: 3, N2: 5, Ratio: 52.0 / 101, HasRatio: true, Method: MannWhitney, P: 2.0 / 56, Verdict: Different}},
		// a is above b in 0+1+2+3 = 6 pairs. Of the 70 arrangements of four and
		// four, 1+1+2+3+5+5+7 = 24 have at most 6: p = 48/70. The medians, 4
		// and 5, differ by 25 %, and still no difference is shown.
		{"four against four interleaved", []float64{1, 3, 5, 7}, []float64{2, 4, 6, 8},
			Comparison{N1: 4, N2: 4, Ratio: 1.25, HasRatio: true, Method: MannWhitney, P: 48.0 / 70, Verdict: Same}},
		// The one arrangement of 56 with all 2s on the side of three, doubled.
		{"equal values on sides of different size", []float64{2, 2, 2}, []float64{1, 1, 1, 1, 1},
			Comparison{N1: 3, N2: 5, Ratio: 0.5, HasRatio: true, Method: MannWhitney, P: 2.0 / 56, Verdict: Different}},
		{"all equal", []float64{7, 7, 7, 7}, []float64{7, 7, 7, 7},
			Comparison{N1: 4, N2: 4, Ratio: 1, HasRatio: true, Method: MannWhitney, P: 1, Verdict: Same}},
		{"a test needs no ratio", []float64{0, 0, 0, 0}, []float64{5, 6, 7, 8},
			Comparison{N1: 4, N2: 4, Method: MannWhitney, P: 2.0 / 70, Verdict: Different}},
	} {
		got := Compare(c.a, c.b, 0.03)
		if !near(got.Ratio, c.want.Ratio) || !near(got.P, c.want.P) {
			t.Errorf("%s: ratio %v, p %v, want %v, %v", c.what, got.Ratio, got.P, c.want.Ratio, c.want.P)
		}
		got.Ratio, got.P = c.want.Ratio, c.want.P
		if got != c.want || got.Tested() != (c.want.Method == MannWhitney) {
			t.Errorf("%s: %+v\nwant %+v", c.what, got, c.want)
		}
	}
}

// TestTheLeastRunsOfATest checks the numbers in the comment of Compare.
func TestTheLeastRunsOfATest(t *testing.T) {
	for _, c := range []struct{ n1, least int }{{1, 40}, {2, 8}, {3, 5}, {4, 4}, {5, 3}, {8, 2}} {
		for n2 := 1; n2 <= 50; n2++ {
			if enough := leastP(c.n1, n2) < Alpha; enough != (n2 >= c.least) {
				t.Errorf("%d against %d: p can be %v", c.n1, n2, leastP(c.n1, n2))
			}
		}
	}
}

// TestTheTestCountsArrangements checks p, also with equal values, against its definition: of all ways to assign
// the values to the two sides, the share of those that separate them as far in the same direction, doubled.
func TestTheTestCountsArrangements(t *testing.T) {
	r := random(1)
	for range 300 {
		a, b := make([]float64, 2+r.IntN(4)), make([]float64, 2+r.IntN(5))
		for i := range a {
			a[i] = float64(r.IntN(5))
		}
		for i := range b {
			b[i] = float64(r.IntN(4))
		}
		all := slices.Concat(a, b)
		middle := float64(len(a)*len(b)) / 2
		observed := u(all, 1<<len(a)-1)
		asFar, deals := 0, 0
		for deal := range 1 << len(all) {
			if bits.OnesCount(uint(deal)) != len(a) {
				continue
			}
			deals++
			if dealt := u(all, deal); observed <= middle && dealt <= observed || observed >= middle && dealt >= observed {
				asFar++
			}
		}
		want := min(1, 2*float64(asFar)/float64(deals))
		if observed == middle {
			want = 1
		}
		if got := uTest(a, b); !near(got, want) {
			t.Errorf("%v against %v: p = %v, want %v", a, b, got, want)
		}
	}
}

// u returns the statistic U of the values whose bits are set: the number of pairs in which one of them is above
// one of the others. Equal values count half.
func u(values []float64, set int) float64 {
	sum := 0.0
	for i, x := range values {
		for j, y := range values {
			switch {
			case set>>i&1 == 0 || set>>j&1 == 1 || x < y:
			case x == y:
				sum += 0.5
			default:
				sum++
			}
		}
	}
	return sum
}

func BenchmarkCompare(b *testing.B) {
	r := random(1)
	x, y := repeats(r, 10), repeats(r, 10)
	b.ReportAllocs()
	for b.Loop() {
		Compare(x, y, 0.03)
	}
}

// TestAdjusted checks the fifteen p of the example in Benjamini and Hochberg's paper: at 0.05 the four least
// are discoveries, while Bonferroni's bound would give three.
func TestAdjusted(t *testing.T) {
	ps := []float64{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0}
	found := 0
	last := 0.0
	for _, q := range Adjusted(ps) {
		if q < last {
			t.Errorf("%g after %g: the order is lost", q, last)
		}
		if last = q; q < Alpha {
			found++
		}
	}
	if found != 4 {
		t.Errorf("%d discoveries, not 4", found)
	}
	if q := Adjusted([]float64{0.5, 0.01}); q[0] != 0.5 || q[1] != 0.02 {
		t.Errorf("of 0.5 and 0.01: %v", q)
	}
	if q := Adjusted(nil); len(q) != 0 {
		t.Errorf("of none: %v", q)
	}
}
