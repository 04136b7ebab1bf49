package stats

import (
	"cmp"
	"math"
	"slices"

	"github.com/aclements/go-moremath/mathx"
	"golang.org/x/perf/benchmath"
)

// Comparison is what two sets of repeats, a and b, say of each other.
type Comparison struct {
	N1, N2 int // repeats of a and of b

	// Ratio is median(b) / median(a); there is one when both are positive.
	Ratio    float64
	HasRatio bool

	Method  Method
	P       float64 // two-sided, of the Mann–Whitney U test; 0 when not tested
	Verdict Verdict
}

// Tested reports whether the verdict rests on a test of significance.
func (c Comparison) Tested() bool { return c.Method == MannWhitney }

// Method is how a comparison came to its verdict.
type Method int8

const (
	NotCompared Method = iota // a side has no values, or one that is not finite
	SingleRun                 // a side has one value: the ratio against noise
	TooFewRuns                // no p below Alpha is possible: the ratio against noise
	MannWhitney               // the Mann–Whitney U test
)

// Verdict is the outcome of a comparison.
type Verdict int8

const (
	Unknown   Verdict = iota // nothing can be said
	Same                     // no difference shown, printed "~"; not proof that there is none
	Different                // a difference is shown, or without a test exceeds noise
)

// Compare reports whether the repeats b differ from a.
//
// With enough values on both sides it is the two-sided Mann–Whitney U test
// (Mann and Whitney, 1947), which assumes no distribution: Different when p is
// below Alpha, however small the ratio. The distribution of U is exact up to
// 50 values a side, or 25 when some are equal, and approximated beyond.
//
// Enough is what lets p get below Alpha at all. Two sides that do not overlap
// have the least p, 2/C(n1+n2, n1), so the smallest sizes are 4 and 4
// (2/70 = 0.029), 3 and 5 (2/56 = 0.036), 2 and 8 (2/45 = 0.044); 3 and 4 are
// not enough (2/35 = 0.057). One value against 40 would do by this count, but
// a single value is never tested.
//
// Without a test the medians decide: Same when they are equal or the larger
// exceeds the smaller by less than noise (0.03 for 3 %), and when the repeats
// of both sides overlap, since then they scatter by as much as the sides
// differ; else Different.
// Medians that are not both positive have no ratio and are Unknown unless
// equal.
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

// measured reports whether there are values and all are finite.
func measured(values []float64) bool {
	return len(values) > 0 && !slices.ContainsFunc(values, func(v float64) bool { return math.IsNaN(v - v) })
}

// leastP is the least two-sided p that the U test can return: of the
// C(n1+n2, n1) equally likely arrangements of the ranks, one has all of a
// below b, and one all of b below a. Counted in floating point it does not
// overflow; rounding makes small counts whole again.
func leastP(n1, n2 int) float64 {
	return 2 / math.Round(mathx.Choose(n1+n2, n1))
}

// uTest returns the two-sided p of the Mann–Whitney U test.
//
// benchmath doubles the lower tail of the first sample's distribution of U
// also when the second sample is the lower one. With equal values and sides of
// different size that distribution is not symmetric, and p comes out wrong:
// for three 2s against five 1s it is 0 instead of 2/56. With the lower sample first the tail
// is the right one. The doubled tail can then exceed 1.
func uTest(a, b []float64) float64 {
	above := 0 // pairs with a above b, less those with b above a
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

// Adjusted gives, for the p of several tests, the least rate of false discoveries
// at which each counts as one: those below Alpha are, with at most that share
// of them expected to be chance (Benjamini and Hochberg, "Controlling the false
// discovery rate", J. R. Statist. Soc. B 57, 1995). It holds for tests that
// agree with each other, as those of latency and throughput of one run do
// (Benjamini and Yekutieli, Ann. Statist. 29, 2001).
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
