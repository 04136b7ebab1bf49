package dataset

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// TestTheFigureOfRepeats checks that the figure of repeats is the median of the complete and not excluded ones,
// and that others count only if there are none.
func TestTheFigureOfRepeats(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(8, 88))
	mixed := 0
	for range 3000 {
		var rs []*result.Result
		var kinds [4][]float64 // complete and sound, complete and excluded, partial and sound, partial and excluded
		for i := range 1 + random.IntN(8) {
			r := runOf(fmt.Sprint(i), "model=a")
			v := float64(random.IntN(50))
			r.Metrics = []result.Metric{{Kind: &result.Kind{Name: "output_throughput"}, Value: v}}
			kind := random.IntN(4)
			if kind > 1 {
				r.Status = []result.Status{result.Partial, result.Failed}[random.IntN(2)]
			}
			if kind%2 == 1 {
				r.Checks = []result.Check{{ID: "x", Severity: result.Error, Text: locale.Lit("no")}}
			}
			kinds[kind] = append(kinds[kind], v)
			rs = append(rs, r)
		}
		i := slices.IndexFunc(kinds[:], func(vs []float64) bool { return len(vs) > 0 })
		want := kinds[i]
		slices.Sort(want)
		median := (want[(len(want)-1)/2] + want[len(want)/2]) / 2
		f, ok := FigureOf(rs, "output_throughput")
		if !ok || f.Metric.Value != median || len(f.Runs) != len(want) || f.Excluded() != (i%2 == 1) {
			t.Fatalf("%v of %d runs, %v of %v expected", f.Metric.Value, len(f.Runs), median, kinds)
		}
		if f.LeftOut+f.Broken != len(rs)-len(want) {
			t.Fatalf("%d are left out and %d broken of %d", f.LeftOut, f.Broken, len(rs)-len(want))
		}
		if len(want) < len(rs) {
			mixed++
		}
	}
	if mixed < 1000 {
		t.Errorf("only %d sets are mixed", mixed)
	}
}

// TestFiguresOfASentenceShareTheirUnit checks that two figures in one sentence have the same unit, whichever
// they have alone, and that their ratio is that of the values.
func TestFiguresOfASentenceShareTheirUnit(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{"ms", "B", "B/s", "FLOP/s", "tok/s", "%", "1", ""} {
		for _, a := range []float64{20, 5_000, 9_999, 10_000, 65.4e9, 2e12} {
			for _, b := range []float64{25, 6_000, 12_000, 70.1e9, 3e12} {
				of := func(v float64) result.Metric {
					return result.Metric{Kind: &result.Kind{Name: "m", Unit: unit}, Value: v, Decimals: 2}
				}
				first, second := Beside(of(a), of(b))
				number, shown, _ := strings.Cut(strings.TrimSuffix(second, "%"), " ")
				read := func(s string) float64 {
					v, err := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64)
					if err != nil {
						t.Fatalf("%g and %g %s are written %q and %q", a, b, unit, first, second)
					}
					return v
				}
				x, y := read(first), read(number)
				if least := min(x, y); least >= 1 && math.Abs(x/y*b/a-1) > 0.06/least {
					t.Errorf("%g and %g %s are written %q and %q", a, b, unit, first, second)
				}
				if size := max(a, b); strings.HasPrefix(unit, "B") && size >= 1e3 && (shown == unit || max(x, y) >= 1e6) {
					t.Errorf("%g and %g %s are written %q and %q, which nobody reads", a, b, unit, first, second)
				}
			}
		}
	}
}
