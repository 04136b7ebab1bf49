package dataset

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// The figure of repeats is the median of those that were completed and that no check excludes;
// others count only where there are none.
func TestTheFigureOfRepeats(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(8, 88))
	mixed := 0
	for range 3000 {
		var rs []*result.Result
		var kinds [4][]float64 // completed and sound, completed and excluded, broken off and sound, broken off and excluded
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
