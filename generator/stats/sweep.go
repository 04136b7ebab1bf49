package stats

import (
	"cmp"
	"slices"
)

// SweepPoint is a measurement at one step of a sweep over concurrency.
type SweepPoint struct {
	Concurrency float64
	Throughput  float64 // in any unit, more is better
	Latency     float64 // in any unit, less is better
}

// Knee returns the point of a sweep beyond which more concurrency brings little, by the rule of Kneedle
// (Satopää, Albrecht, Irwin and Raghavan, "Finding a 'Kneedle' in a Haystack", 2011): concurrency and
// throughput are scaled to the range 0 to 1, and the knee is where scaled throughput is furthest above scaled
// concurrency. In words: up to the knee each added request brought more than the average request of the sweep,
// and beyond it less. The rule needs no threshold, but the average depends on the sweep: a sweep that goes much
// further into saturation can have another knee.
//
// The paper's sensitivity is 1: after the knee, the lead of throughput must decrease by more than the mean
// distance of the scaled concurrencies. Of several maxima Knee takes the greatest, at the lowest concurrency.
// It omits the paper's smoothing, because a sweep has few points. Repeats at one concurrency are replaced by
// their medians.
//
// Knee returns false for fewer than four different concurrencies, for a throughput that rises evenly or at an
// increasing rate, and for one that decreases from the start.
func Knee(points []SweepPoint) (SweepPoint, bool) {
	points = merge(points)
	if len(points) < 4 {
		return SweepPoint{}, false
	}
	first, last := points[0], points[len(points)-1]
	byThroughput := func(p, q SweepPoint) int { return cmp.Compare(p.Throughput, q.Throughput) }
	least, most := slices.MinFunc(points, byThroughput).Throughput, slices.MaxFunc(points, byThroughput).Throughput
	if least == most {
		return SweepPoint{}, false
	}
	lead := make([]float64, len(points))
	for i, p := range points {
		lead[i] = (p.Throughput-least)/(most-least) - (p.Concurrency-first.Concurrency)/(last.Concurrency-first.Concurrency)
	}
	// The last lead is never above the first, so a knee that is not the first point has points after it.
	knee := slices.Index(lead, slices.Max(lead))
	if knee == 0 || lead[knee]-slices.Min(lead[knee+1:]) <= 1/float64(len(points)-1) {
		return SweepPoint{}, false
	}
	return points[knee], true
}

// Capacity is the highest concurrency of a sweep that meets a latency limit.
type Capacity struct {
	Reach Reach

	// Measured is the highest measured concurrency that meets the limit together with all lower ones; 0 for
	// NoneMeets.
	Measured float64

	// Interpolated is the concurrency at which the straight line from Measured to the next point, the first
	// that exceeds the limit, crosses the limit. It is an estimate, and only set for SomeMeet.
	Interpolated float64
}

// Reach is how far into a sweep a limit is met.
type Reach int8

const (
	NoneMeets Reach = iota // the lowest concurrency exceeds the limit, or there is none
	SomeMeet               // the capacity lies between two measured points
	AllMeet                // no upper bound of the capacity is known
)

// HighestUnder returns the highest concurrency whose latency does not exceed the limit. Points beyond the first
// that exceeds it do not count, even if they meet the limit again. Repeats at one concurrency are replaced by
// their medians.
func HighestUnder(points []SweepPoint, limit float64) Capacity {
	points = merge(points)
	miss := slices.IndexFunc(points, func(p SweepPoint) bool { return p.Latency > limit })
	switch {
	case len(points) == 0 || miss == 0:
		return Capacity{}
	case miss < 0:
		return Capacity{Reach: AllMeet, Measured: points[len(points)-1].Concurrency}
	}
	p, q := points[miss-1], points[miss]
	share := (limit - p.Latency) / (q.Latency - p.Latency)
	return Capacity{
		Reach:        SomeMeet,
		Measured:     p.Concurrency,
		Interpolated: p.Concurrency + share*(q.Concurrency-p.Concurrency),
	}
}

// merge sorts the points by concurrency and replaces repeats at one concurrency by one point with their
// medians.
func merge(points []SweepPoint) []SweepPoint {
	rest := slices.Clone(points)
	slices.SortFunc(rest, func(p, q SweepPoint) int { return cmp.Compare(p.Concurrency, q.Concurrency) })
	var merged []SweepPoint
	for len(rest) > 0 {
		var throughputs, latencies []float64
		concurrency := rest[0].Concurrency
		for len(rest) > 0 && rest[0].Concurrency == concurrency {
			throughputs = append(throughputs, rest[0].Throughput)
			latencies = append(latencies, rest[0].Latency)
			rest = rest[1:]
		}
		merged = append(merged, SweepPoint{concurrency, median(throughputs), median(latencies)})
	}
	return merged
}

// ScalingEfficiency returns the share of perfect scaling that is reached, also called parallel efficiency: the
// value v of n accelerators over v0 of n0, divided by n/n0. 1 is perfect, and more than 1 is possible if more
// memory removes a bottleneck. It returns false unless all four values are positive.
func ScalingEfficiency(n0, v0, n, v float64) (float64, bool) {
	if !positive(n0, v0, n, v) {
		return 0, false
	}
	return (v / v0) / (n / n0), true
}
