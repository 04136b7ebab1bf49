package stats

import (
	"math"
	"slices"
)

// Step is a change of level in a series over time or versions.
type Step struct {
	Index int // index of the first point at the new level

	// Before and After are the levels on both sides, each up to the next step or the end of the series. A level
	// is the median of the medians of its points.
	Before, After float64

	// Comparison compares all runs of the level before with all runs of the level after. Its p is smaller than
	// that of a step at a place known beforehand, because the place was searched for in the same runs.
	Comparison Comparison

	// Lasting is false for a step at the very last point, which may be an outlier.
	Lasting bool
}

// Supported reports whether the runs support the step: a test of the runs on both sides shows it, and it does
// not rest on the last point alone, which may be an outlier. whole is set if a point is complete, as a version
// is: then a single last point is enough.
func (s Step) Supported(whole bool) bool { return s.Comparison.Tested() && (s.Lasting || whole) }

// Steps finds the lasting changes of level in a series whose points have the values of their repeats. A single
// point that leaves the level, after which the series returns, is not a step. At the end of the series, where
// it is unknown whether it returns, it is a step that is not Lasting. A slow drift appears as a staircase.
//
// First, the medians of the points are divided into the levels that fit best. The best division minimises the
// sum of the distances from the medians of the levels plus a price for each cut (optimal partitioning: Jackson
// et al., "An algorithm for optimal partitioning of data on an interval", 2005). Distances are of logarithms,
// so that a change counts the same at any level. The price is the smallest relevant change: 1+noise, or three
// times the scatter of the points if that is more. A level has at least two points, except the first and the
// last level.
//
// Then cuts that do not hold are removed, the smallest change first. A cut holds if the levels differ by noise
// or more and by more than three times the scatter, and Compare finds the runs of both levels Different.
//
// The scatter is the standard deviation of normally distributed values with the same median distance between
// neighbours, which levels and outliers hardly influence. Two points have no scatter.
//
// Points without values are skipped. Steps returns false if a value is not positive.
func Steps(series [][]float64, noise float64) ([]Step, bool) {
	var points []point
	for i, runs := range series {
		if !positive(runs...) {
			return nil, false
		}
		if len(runs) > 0 {
			points = append(points, point{i, runs, median(runs)})
		}
	}
	if len(points) == 0 {
		return nil, true
	}

	// Logarithms of values relative to the median of the whole series: they are the same, bit for bit, if all
	// values are scaled by a power of two.
	whole := level(points)
	logs := make([]float64, len(points))
	for i, p := range points {
		logs[i] = math.Log(p.median / whole)
	}
	threshold := 3 * scatter(logs)
	starts := cut(logs, max(math.Log1p(noise), threshold))

	for {
		var steps []Step
		weakest, least := -1, math.Inf(1)
		for k := 1; k < len(starts); k++ {
			end := len(points)
			if k+1 < len(starts) {
				end = starts[k+1]
			}
			before, after := points[starts[k-1]:starts[k]], points[starts[k]:end]
			s := Step{
				Index:      after[0].index,
				Before:     level(before),
				After:      level(after),
				Comparison: Compare(allRuns(before), allRuns(after), noise),
				Lasting:    len(after) > 1,
			}
			steps = append(steps, s)
			change := math.Abs(math.Log(s.After / s.Before))
			holds := !Within(s.Before, s.After, noise) && change > threshold && s.Comparison.Verdict == Different
			if !holds && change < least {
				weakest, least = k, change
			}
		}
		if weakest < 0 {
			return steps, true
		}
		starts = slices.Delete(starts, weakest, weakest+1)
	}
}

// point is a point of a series, with its values.
type point struct {
	index  int // in the series
	runs   []float64
	median float64
}

// level returns the median of the medians of the points.
func level(points []point) float64 {
	medians := make([]float64, len(points))
	for i, p := range points {
		medians[i] = p.median
	}
	return median(medians)
}

func allRuns(points []point) []float64 {
	var runs []float64
	for _, p := range points {
		runs = append(runs, p.runs...)
	}
	return runs
}

// scatter estimates the standard deviation of the values around their levels from the distances between
// neighbours. Of an even number of distances it takes the lower of the two middle ones, because a step
// increases one of them; with three points, that is half of all distances.
func scatter(values []float64) float64 {
	var distances []float64
	for i := 1; i < len(values); i++ {
		distances = append(distances, math.Abs(values[i]-values[i-1]))
	}
	if len(distances) < 2 {
		return 0
	}
	slices.Sort(distances)
	// For normal values the median distance from the mean is σ/1.4826, and
	// the difference of two has a standard deviation of √2 σ.
	return 1.4826 / math.Sqrt2 * distances[(len(distances)-1)/2]
}

// cut returns the starts of the levels of the best division of the values at the given price per cut; the first
// is 0. Of equally good divisions it takes the one with the longer last level.
func cut(values []float64, price float64) []int {
	best := make([]float64, len(values)+1) // the least cost for values[:end]
	from := make([]int, len(values)+1)     // the start of the last level of that division
	best[0] = -price                       // the first level costs no cut
	for end := 1; end <= len(values); end++ {
		best[end] = math.Inf(1)
		var window []float64 // values[start:end], sorted
		spread := 0.0        // the sum of their distances from their median
		for start := end - 1; start >= 0; start-- {
			spread += widens(window, values[start])
			at, _ := slices.BinarySearch(window, values[start])
			window = slices.Insert(window, at, values[start])
			if len(window) == 1 && start > 0 && end < len(values) {
				continue
			}
			if sum := best[start] + price + spread; sum <= best[end] {
				best[end], from[end] = sum, start
			}
		}
	}
	var starts []int
	for end := len(values); end > 0; end = from[end] {
		starts = append(starts, from[end])
	}
	slices.Reverse(starts)
	return starts
}

// widens returns how much the sum of the distances of sorted values from their median grows if v is added: by
// the distance of v from the median, or from the nearer of the two middle values.
func widens(sorted []float64, v float64) float64 {
	n := len(sorted)
	if n == 0 {
		return 0
	}
	low, high := sorted[(n-1)/2], sorted[n/2]
	return max(low-v, v-high, 0)
}
