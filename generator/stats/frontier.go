package stats

import (
	"cmp"
	"slices"

	"github.com/benchpost/benchpost/generator/result"
)

// Frontier returns the indices, in ascending order, of the points that no other point dominates: the Pareto
// frontier, or the maxima of a set of vectors (Kung, Luccio and Preparata, 1975). Each point has a value for
// each direction. A point dominates another if it is nowhere worse and somewhere better. Equal points do not
// dominate each other, so all of them are on the frontier. Neutral metrics are ignored.
func Frontier(points [][]float64, directions []result.Better) []int {
	order := make([]int, len(points))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return rank(points[i], points[j], directions) })

	// A point that dominates another is ranked before it. If it is dominated itself, a point of the frontier
	// dominates both.
	var front []int
	for _, i := range order {
		if !slices.ContainsFunc(front, func(j int) bool { return dominates(points[j], points[i], directions) }) {
			front = append(front, i)
		}
	}
	slices.Sort(front)
	return front
}

// Dominator returns the index of a point that dominates point i, or −1. Of several it returns the best in the
// first metric, among these the best in the second, and so on; of equal points the first. The returned point is
// always on the frontier.
func Dominator(points [][]float64, directions []result.Better, i int) int {
	best := -1
	for j := range points {
		if dominates(points[j], points[i], directions) && (best < 0 || rank(points[j], points[best], directions) < 0) {
			best = j
		}
	}
	return best
}

// dominates reports whether p is nowhere worse than q and somewhere better.
func dominates(p, q []float64, directions []result.Better) bool {
	better := false
	for m, direction := range directions {
		switch prefer(direction, p[m], q[m]) {
		case 1:
			return false
		case -1:
			better = true
		}
	}
	return better
}

// rank orders points by the first metric in which they differ, the better one
// first.
func rank(p, q []float64, directions []result.Better) int {
	for m, direction := range directions {
		if c := prefer(direction, p[m], q[m]); c != 0 {
			return c
		}
	}
	return 0
}

// prefer returns −1 if x is better than y, 1 if it is worse, and 0 otherwise.
func prefer(direction result.Better, x, y float64) int {
	switch direction {
	case result.Higher:
		return cmp.Compare(y, x)
	case result.Lower:
		return cmp.Compare(x, y)
	}
	return 0
}
