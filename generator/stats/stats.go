// Package stats computes what the numbers of benchmark runs support: how far repeats scatter, whether two sets
// of runs differ, which points are on the frontier, what effect a factor has, at which point of a sweep more
// load brings little, and when a series changed its level.
//
// It works on plain numbers and does not depend on results or languages. Values are finite, as those of a
// result.Metric are. No function modifies its arguments or depends on the order of repeats.
package stats

import (
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// Alpha is the significance level: a test with p below it shows a difference.
const Alpha = 0.05

// Confidence is the least coverage of an interval of the median.
const Confidence = 0.95

// GeoMean returns the geometric mean of positive values, the appropriate mean of ratios: that of a ratio and
// its inverse is 1 (Fleming and Wallace, "How not to lie with statistics", 1986). It returns false if there are
// no values or if one is not positive.
func GeoMean(values []float64) (float64, bool) {
	if len(values) == 0 || !positive(values...) {
		return 0, false
	}
	logs := sorted(values)
	for i, v := range logs {
		logs[i] = math.Log(v)
	}
	return math.Exp(mean(logs)), true
}

// mean returns the arithmetic mean of at least one value.
func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// deviation returns the sample standard deviation (divisor N−1) of at least two values with the given mean. The
// sum of the differences, which is 0 except for rounding, corrects the sum of their squares (Chan, Golub and
// LeVeque, "Algorithms for computing the sample variance", Am. Stat. 37, 1983).
func deviation(values []float64, mean float64) float64 {
	squares, rest := 0.0, 0.0
	for _, v := range values {
		d := v - mean
		squares += d * d
		rest += d
	}
	n := float64(len(values))
	return math.Sqrt((squares - rest*rest/n) / (n - 1))
}

// median returns the middle value, or the mean of the two middle ones, of at
// least one value.
func median(values []float64) float64 {
	if len(values) == 1 {
		return values[0]
	}
	return benchmath.AssumeNothing.Summary(sample(values), Confidence).Center
}

// sample returns a sample of copied values, because benchmath sorts them in place.
func sample(values []float64) *benchmath.Sample {
	return benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds)
}

// sorted returns the values in ascending order. Sums are computed in this order, so that their rounding does
// not depend on the order of the repeats.
func sorted(values []float64) []float64 {
	return slices.Sorted(slices.Values(values))
}

// positive reports whether all values are finite and above zero, as ratios need.
func positive(values ...float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return !(v > 0) || math.IsInf(v, 1) })
}

// Within reports whether two positive values differ by less than noise: the larger is less than 1+noise times
// the smaller. Unlike |x/y − 1| < noise, it is symmetric.
func Within(x, y, noise float64) bool {
	return max(x, y) < min(x, y)*(1+noise)
}
