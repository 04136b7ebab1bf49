package stack

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPlaces checks that places keep their order, lie between the ends, and are as far apart as requested or as
// there is room for. Places that already are stay unchanged.
func TestPlaces(t *testing.T) {
	t.Parallel()
	const low, high = 10.0, 110.0
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		wanted := make([]float64, 1+random.IntN(14))
		for i := range wanted {
			wanted[i] = low + (high-low)*random.Float64()
		}
		slices.Sort(wanted)
		apart := 1 + 14*random.Float64()
		got := Places(wanted, apart, low, high)
		least := min(apart, (high-low)/math.Max(1, float64(len(wanted)-1)))
		roomy := true
		for i := range got {
			if got[i] < low-0.1 || got[i] > high+0.1 || i > 0 && got[i]-got[i-1] < least-0.02 {
				t.Fatalf("%v, %v apart, are put at %v", wanted, apart, got)
			}
			roomy = roomy && (i == 0 || wanted[i]-wanted[i-1] >= apart)
		}
		if roomy && !slices.Equal(got, wanted) {
			t.Fatalf("%v have room and are put at %v", wanted, got)
		}
	}
}
