package stats

import (
	"cmp"
	"math"
	"slices"

	"github.com/aclements/go-moremath/mathx"
	"golang.org/x/perf/benchmath"
)

// Comparison is the result of comparing two sets of repeats, a and b.
type Comparison struct {
	N1, N2 int // numbers of repeats of a and b

	// Ratio is median(b) / median(a). HasRatio is set if both are positive.
	Ratio    float64
	HasRatio bool

	Method  Method
	P       float64 // two-sided, of the Mann–Whitney U test; 0 when not tested
	Verdict Verdict
}

// Tested reports whether the verdict rests on a significance test.
func (c Comparison) Tested() bool { return c.Method == MannWhitney }

// Method is how a comparison reached its verdict.
type Method int8

const (
	NotCompared Method = iota // a side has no values, or a value that is not finite
	SingleRun                 // a side has one value: the ratio is compared with noise
	TooFewRuns                // no p below Alpha is possible: the ratio is compared with noise
	MannWhitney               // the Mann–Whitney U test
)

// Verdict is the outcome of a comparison.
type Verdict int8

const (
	Unknown   Verdict = iota // nothing can be said
	Same                     // no difference shown, printed "~"; this does not prove that there is none
	Different                // a difference is shown, or exceeds noise if there is no test
)

// Compare reports whether the repeats b differ from a.
//
// With enough values on both sides it applies the two-sided Mann–Whitney U test (Mann and Whitney, 1947), which
// assumes no distribution: the verdict is Different if p is below Alpha, however small the ratio. The
// distribution of U is exact up to 50 values a side, or 25 if some are equal, and approximated beyond.
//
// Enough means that p below Alpha is possible at all. Two sides that do not overlap have the least p,
// 2/C(n1+n2, n1), so the smallest sizes are 4 and 4 (2/70 = 0.029), 3 and 5 (2/56 = 0.036), 2 and 8 (2/45 =
// 0.044); 3 and 4 are not enough (2/35 = 0.057). One value against 40 would be enough by this count, but a
// single value is never tested.
//
// Without a test the medians decide. The verdict is Same if they are equal, if the larger exceeds the smaller
// by less than noise (0.03 for 3 %), or if the repeats of both sides overlap, because then they scatter as much
// as the sides differ. Otherwise it is Different. Medians that are not both positive have no ratio: the verdict
// is Unknown unless they are equal.
func Compare(a, b []float64, noise float64) Comparison {
	c := Comparison{N1: len(a), N2: len(b)}
	if !measured(a) || !measured(b) {
		return c
	}
	ma, mb := median(a), median(b)
	if positive(ma, mb) {
		c.Ratio, c.HasRatio = mb/ma, true
	}
	switch {
	case c.N1 == 1 || c.N2 == 1:
		c.Method = SingleRun
	case leastP(c.N1, c.N2) >= Alpha:
		c.Method = TooFewRuns
	default:
		c.Method = MannWhitney
		c.P = uTest(a, b)
	}
	switch {
	case c.Tested() && c.P < Alpha:
		c.Verdict = Different
	case c.Tested() || ma == mb || c.HasRatio && (Within(ma, mb, noise) || Overlap(a, b)):
		c.Verdict = Same
	case c.HasRatio:
		c.Verdict = Different
	}
	return c
}

// Overlap reports whether the ranges of values have a point in common.
func Overlap(a, b []float64) bool {
	return slices.Min(a) <= slices.Max(b) && slices.Min(b) <= slices.Max(a)
}

// measured reports whether there are values and all of them are finite.
func measured(values []float64) bool {
	return len(values) > 0 && !slices.ContainsFunc(values, func(v float64) bool { return math.IsNaN(v - v) })
}

// leastP returns the least two-sided p of the U test: of the C(n1+n2, n1) equally likely arrangements of the
// ranks, one has all of a below b, and one has all of b below a. Computing in floating point avoids overflow;
// rounding makes small counts whole numbers again.
func leastP(n1, n2 int) float64 {
	return 2 / math.Round(mathx.Choose(n1+n2, n1))
}

// uTest returns the two-sided p of the Mann–Whitney U test.
//
// benchmath doubles the lower tail of the first sample's distribution of U even if the second sample is the
// lower one. With equal values and sides of different size that distribution is not symmetric, and p is wrong:
// for three 2s against five 1s it is 0 instead of 2/56. With the lower sample first, the tail is the right one.
// The doubled tail can then exceed 1.
func uTest(a, b []float64) float64 {
	above := 0 // pairs with a above b minus pairs with b above a
	for _, x := range a {
		for _, y := range b {
			above += cmp.Compare(x, y)
		}
	}
	if above > 0 {
		a, b = b, a
	}
	return min(benchmath.AssumeNothing.Compare(sample(a), sample(b)).P, 1)
}

// Adjusted returns, for the p of each of several tests, the least rate of false discoveries at which it counts
// as a discovery. If those below Alpha count as discoveries, at most a share Alpha of them is expected to be
// chance (Benjamini and Hochberg, "Controlling the false discovery rate", J. R. Statist. Soc. B 57, 1995). This
// is valid for positively dependent tests, such as those of latency and throughput of one run (Benjamini and
// Yekutieli, Ann. Statist. 29, 2001).
func Adjusted(ps []float64) []float64 {
	order := make([]int, len(ps))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(ps[i], ps[j]) })
	adjusted := make([]float64, len(ps))
	least := 1.0
	for rank := len(order); rank > 0; rank-- {
		i := order[rank-1]
		least = min(least, ps[i]*float64(len(ps))/float64(rank))
		adjusted[i] = least
	}
	return adjusted
}
