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

// Knee returns the point of a sweep from which on more concurrency pays little,
// by the rule of Kneedle (Satopää, Albrecht, Irwin and Raghavan, "Finding a
// 'Kneedle' in a Haystack", 2011): concurrency and throughput are scaled to
// run from 0 to 1, and the knee is where scaled throughput is furthest above
// scaled concurrency. In words: up to the knee each added request brought more
// than the average one of the sweep, after it less. No threshold needs to be
// chosen, but the average is that of the sweep, so that a sweep that goes on
// much further into saturation can move its knee.
//
// The paper's sensitivity is 1: the lead of throughput must fall off after the
// knee by more than the mean distance of the scaled concurrencies. Of several
// maxima it is the greatest, at the lowest concurrency. The paper's smoothing
// is left out, as a sweep has few points; repeats at one concurrency give
// their medians.
//
// It is false for fewer than four different concurrencies, for a throughput
// that rises evenly or ever faster, and for one that falls from the start.
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
	// The last lead is never above the first, so points follow the knee
	// unless it is the first itself.
	knee := slices.Index(lead, slices.Max(lead))
	if knee == 0 || lead[knee]-slices.Min(lead[knee+1:]) <= 1/float64(len(points)-1) {
		return SweepPoint{}, false
	}
	return points[knee], true
}

// Capacity is the highest concurrency of a sweep that meets a limit of
// latency.
type Capacity struct {
	Reach Reach

	// Measured is the highest concurrency measured that meets the limit
	// together with all lower ones; 0 when NoneMeets.
	Measured float64

	// Interpolated is the concurrency at which the straight line from there to
	// the next point, the first that does not meet the limit, crosses it. It
	// is an estimate, and there is one for SomeMeet only.
	Interpolated float64
}

// Reach is how far into a sweep a limit is met.
type Reach int8

const (
	NoneMeets Reach = iota // the lowest concurrency misses the limit, or there is none
	SomeMeet               // the capacity lies between two measured points
	AllMeet                // no upper bound of the capacity is known
)

// HighestUnder returns the highest concurrency whose latency does not exceed
// the limit. Points beyond the first that exceeds it do not count, even if
// they meet the limit again. Repeats at one concurrency give their medians.
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

// merge puts the points in the order of their concurrency and repeats at one
// concurrency into one point of their medians.
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

// ScalingEfficiency is the share of perfect scaling that is reached, also
// called parallel efficiency: the value v of n accelerators over v0 of n0,
// divided by n/n0. 1 is perfect, and more than 1 is possible where more memory
// removes a bottleneck. It is false unless all four are positive.
func ScalingEfficiency(n0, v0, n, v float64) (float64, bool) {
	if !positive(n0, v0, n, v) {
		return 0, false
	}
	return (v / v0) / (n / n0), true
}
