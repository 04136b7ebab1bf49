package builder_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/benchpost/benchpost/generator/block/builder"
)

// TestNumbersAreRoundedAsTheyArePrinted checks that numbers are rounded by their 15 decimal digits, halves away from
// zero.
func TestNumbersAreRoundedAsTheyArePrinted(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		v := (random.Float64() - .5) * math.Pow10(random.IntN(24)-10)
		if random.IntN(2) == 0 { // near half of the last digit
			v = math.Round(v*1e4)/1e4 + float64(random.IntN(3)-1)*0.00005 + float64(random.IntN(3)-1)*1e-13
		}
		for _, decimals := range []int{0, 1, 2, 4, 12} {
			exact, _ := new(big.Rat).SetString(strconv.FormatFloat(v, 'e', 14, 64))
			if got, want := builder.Round(v, decimals), exact.FloatString(decimals); got != want {
				t.Fatalf("%v with %d decimals is %s, not %s", v, decimals, got, want)
			}
		}
	}
	for v, want := range map[float64]string{1.125: "1.13", -1.125: "-1.13", 0.005: "0.01", 0: "0.00", math.Copysign(0, -1): "0.00", 1e300: ""} {
		if got := builder.Round(v, 2); want != "" && got != want {
			t.Errorf("%v is %s, not %s", v, got, want)
		}
	}
}
