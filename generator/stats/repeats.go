package stats

import (
	"math"

	"golang.org/x/perf/benchmath"
)

// Summary summarises the repeats of one measurement.
type Summary struct {
	N      int
	Median float64

	// Low and High are the bounds of the interval of the median. They are two of the sorted values, chosen by
	// the binomial distribution, so that no distribution of the values is assumed. Of two intervals with the
	// same coverage it is the lower one, as in benchstat. Without an interval, Low and High are the least and
	// the greatest value.
	Low, High float64

	// Confidence is the probability that Low to High covers the median of infinitely many repeats. With an
	// interval it is at least the constant Confidence. For the range of fewer than six values it is 1 −
	// 2^(1−N). The rule is that of order statistics: David and Nagaraja, Order Statistics, 3rd ed., §7.1.
	Confidence  float64
	HasInterval bool // false below six values: their whole range covers 93.75 % at most

	// CV is the coefficient of variation: the sample standard deviation (divisor N−1) over the absolute mean.
	// HasCV is false for a single value or a mean of 0.
	CV    float64
	HasCV bool

	Stability Stability
}

// The coefficients of variation below which repeats are good, and above which they are unstable.
const (
	GoodCV     = 0.05
	UnstableCV = 0.20
)

// Stability rates the scatter of repeats by their coefficient of variation.
// The bounds are a convention of this project.
type Stability int8

const (
	Unrated  Stability = iota // no values, or repeats without a coefficient of variation
	Single                    // one value, whose scatter is unknown
	Good                      // under 5 %
	Fair                      // from 5 % to 20 %
	Unstable                  // over 20 %
)

// Summarize summarises the repeats of one measurement.
func Summarize(values []float64) Summary {
	s := Summary{N: len(values)}
	switch s.N {
	case 0:
		return s
	case 1: // the usual case
		s.Median, s.Low, s.High, s.Stability = values[0], values[0], values[0], Single
		return s
	}
	ordered := sorted(values)
	interval := benchmath.AssumeNothing.Summary(sample(values), Confidence)
	s.Median = interval.Center
	// With too few values, one or both sides of the interval are open.
	s.HasInterval = !math.IsInf(interval.Lo, 0) && !math.IsInf(interval.Hi, 0)
	if s.HasInterval {
		s.Low, s.High, s.Confidence = interval.Lo, interval.Hi, interval.Confidence
	} else {
		s.Low, s.High, s.Confidence = ordered[0], ordered[s.N-1], 1-math.Ldexp(1, 1-s.N)
	}
	m := mean(ordered)
	if m == 0 {
		return s
	}
	s.CV, s.HasCV = deviation(ordered, m)/math.Abs(m), true
	switch {
	case s.CV < GoodCV:
		s.Stability = Good
	case s.CV <= UnstableCV:
		s.Stability = Fair
	default:
		s.Stability = Unstable
	}
	return s
}
