// Package stack arranges labels one above another, each as close to its wanted place as the others allow.
package stack

import "slices"

// Places moves places, which are ascending, as little as necessary, so that they are at least apart from each
// other and lie between low and high. If there is too little room, they are closer to each other.
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
	for i := range out { // overlaps that the last round left
		out[i] = max(out[i], low+apart*float64(i))
		if i > 0 {
			out[i] = max(out[i], out[i-1]+apart)
		}
	}
	return out
}
