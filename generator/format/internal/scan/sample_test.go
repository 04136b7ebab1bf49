package scan

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestQuantilesOfManyValues checks the quantiles of few values, which are kept as they are, and of many values in
// buckets. Their relative error is at most half a thousandth.
func TestQuantilesOfManyValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 1000, ExactSize, 5 * ExactSize} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			values := make([]float64, n)
			s := &Sample{}
			sum := 0.0
			for i := range values {
				values[i] = math.Exp(rng.NormFloat64() * 3)
				sum += values[i]
				s.Add(values[i])
			}
			slices.Sort(values)
			shares := []float64{0, 0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 1}
			for i, got := range s.Quantiles(shares) {
				at := shares[i] * float64(n-1)
				low := values[int(at)]
				want := low + (values[min(int(at)+1, n-1)]-low)*(at-math.Floor(at))
				allowed := 1e-12
				if n > ExactSize {
					allowed = 0.0006
				}
				if math.Abs(got-want) > allowed*want && (got < low || got > values[min(int(at)+1, n-1)]) {
					t.Errorf("quantile %v is %v, not %v", shares[i], got, want)
				}
			}
			if math.Abs(s.Sum-sum) > 1e-9*sum || s.Size() != n || s.Min != values[0] || s.Max != values[n-1] {
				t.Errorf("sum %v, size %d, from %v to %v", s.Sum, s.Size(), s.Min, s.Max)
			}
		})
	}
}
