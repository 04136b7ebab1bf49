// Package stack puts labels one above another, each as close to its place as the others leave it.
package stack

import "slices"

// Places moves places, ascending, as little apart as keeps them a distance from
// each other and between two ends.
func Places(wanted []float64, apart, low, high float64) []float64 {
	out := slices.Clone(wanted)
	if n := float64(len(out) - 1); n > 0 && apart*n > high-low {
		apart = (high - low) / n
	}
	for range 50 {
		for i := range out {
			out[i] = min(max(out[i], low+apart*float64(i)), high-apart*float64(len(out)-1-i))
		}
		moved := false
		for i := 1; i < len(out); i++ {
			if gap := apart - (out[i] - out[i-1]); gap > 0.01 {
				out[i-1] -= gap / 2
				out[i] += gap / 2
				moved = true
			}
		}
		if !moved {
			break
		}
	}
	for i := range out { // what the last round left over
		out[i] = max(out[i], low+apart*float64(i))
		if i > 0 {
			out[i] = max(out[i], out[i-1]+apart)
		}
	}
	return out
}
