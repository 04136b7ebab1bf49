package stats

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// near reports whether two numbers are equal except for rounding.
func near(x, y float64) bool { return math.Abs(x-y) <= 1e-12*max(math.Abs(x), math.Abs(y), 1) }

func number(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// random returns the same numbers in every run of a test.
func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// repeats returns n values around 100 with one decimal, so that some are equal.
func repeats(r *rand.Rand, n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = math.Round(1000+30*r.NormFloat64()) / 10
	}
	return values
}

// cloud returns n points with few different values, so that many metrics tie.
func cloud(r *rand.Rand, n, metrics int) [][]float64 {
	points := make([][]float64, n)
	for i := range points {
		for range metrics {
			points[i] = append(points[i], float64(1+r.IntN(20)))
		}
	}
	return points
}
