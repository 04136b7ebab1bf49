package result

import (
	"math"
	"strconv"
	"strings"
)

// Distribution is the distribution of a latency over single requests or tokens.
type Distribution struct {
	Family string // ttft, tpot, itl, e2el
	Unit   string // ms
	Field  string // the list of the file, or the formula
	Line   int
	N      int
	Mean   float64
	Std    float64 // standard deviation of the population

	// Quantiles are values at equal steps of rank, from the smallest value to the largest: all values
	// themselves if there are few.
	Quantiles []float64
	// Rounded is set if the quantiles are not exact but accurate to 0.05 %.
	Rounded bool
}

// Quantile returns the value below which a share (0 to 1) of the values lies, interpolated linearly.
func (d *Distribution) Quantile(share float64) float64 {
	at := share * float64(len(d.Quantiles)-1)
	low := int(at)
	if low >= len(d.Quantiles)-1 {
		return d.Quantiles[len(d.Quantiles)-1]
	}
	return d.Quantiles[low] + (d.Quantiles[low+1]-d.Quantiles[low])*(at-float64(low))
}

// Share returns the share of the values that are at most v: the cumulative
// distribution function.
func (d *Distribution) Share(v float64) float64 {
	n := len(d.Quantiles)
	switch {
	case v < d.Quantiles[0]:
		return 0
	case v >= d.Quantiles[n-1]:
		return 1
	}
	low, high := 0, n-1
	for high-low > 1 {
		if mid := (low + high) / 2; d.Quantiles[mid] <= v {
			low = mid
		} else {
			high = mid
		}
	}
	within := 0.0
	if step := d.Quantiles[high] - d.Quantiles[low]; step > 0 {
		within = (v - d.Quantiles[low]) / step
	}
	return (float64(low) + within) / float64(n-1)
}

// metric returns a statistic of the distribution, such as "mean" or "p97_5", as a metric.
func (d *Distribution) metric(name, statistic string) (Metric, bool) {
	m := Metric{Kind: distributed.Of(statisticOf{name, statistic, d.Unit, d.Field}, statisticOf.kind), Decimals: FullPrecision, Line: int32(d.Line)}
	switch statistic {
	case "mean":
		m.Value = d.Mean
	case "std":
		m.Value = d.Std
	case "min":
		m.Value = d.Quantiles[0]
	case "max":
		m.Value = d.Quantiles[len(d.Quantiles)-1]
	default:
		share, err := strconv.ParseFloat(strings.Replace(statistic[1:], "_", ".", 1), 64)
		if err != nil || share > 100 || math.IsNaN(share) {
			return NoMetric, false
		}
		m.Value = d.Quantile(share / 100)
	}
	return m, true
}

// statisticOf identifies the kind of a metric derived from a distribution.
type statisticOf struct{ name, statistic, unit, field string }

// distributed has the kinds of such metrics.
var distributed Kinds[statisticOf]

func (s statisticOf) kind() Kind {
	k := Kind{Name: s.name, Unit: s.unit, Better: Lower, Derived: true, Field: s.statistic + " of " + s.field}
	if s.statistic == "std" {
		k.Better = Neutral
	}
	return k
}
