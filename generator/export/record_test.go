package export

import (
	"math"
	"math/rand/v2"
	"testing"

	acting "github.com/benchpost/benchpost/generator/internal/hostile"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// TestARecordIsWhatEncodingJSONWrites compares the writer with encoding/json, for results with any texts and
// numbers in any order, some with duplicate names.
func TestARecordIsWhatEncodingJSONWrites(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	texts := append(acting.Texts(), "", "plain", "吞吐量", "a\x00b", "\xff\xfe", "\u2028", "\x7f", "<&>", `C:\runs`)
	text := func() string { return texts[random.IntN(len(texts))] }
	numbers := []float64{0, math.Copysign(0, -1), 1, -1.5, 1e-6, 9.99e-7, -1e-9, 1e20, 1e21, -3e300, math.MaxFloat64, math.SmallestNonzeroFloat64, 298.07}
	var w writer
	for range 2000 {
		r := &result.Result{ID: text(), Tool: text(), Format: text(), Status: result.Status(random.IntN(3)), Source: result.Position{File: text(), Line: random.IntN(9)}}
		for range random.IntN(6) {
			r.Labels = append(r.Labels, result.Label{Name: text(), Value: text()})
		}
		for range random.IntN(6) {
			value := numbers[random.IntN(len(numbers))]
			if random.IntN(2) == 0 {
				value = random.NormFloat64() * math.Pow(10, float64(random.IntN(50)-25))
			}
			r.Metrics = append(r.Metrics, result.Metric{Kind: &result.Kind{Name: text(), Unit: text(), Better: result.Better(random.IntN(3)), Field: text(), File: text(), Derived: random.IntN(2) == 0},
				Value: value, Line: int32(random.IntN(3))})
		}
		for range random.IntN(3) {
			r.Checks = append(r.Checks, result.Check{ID: text(), Severity: result.Severity(random.IntN(3)), Text: locale.Lit(text()), Hint: locale.Lit(text()), Waived: text(), Figures: map[string]float64{text(): numbers[random.IntN(len(numbers))]}})
		}
		want, err := encode(shape(r))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := w.record(r); err != nil || string(got) != string(want) {
			t.Fatalf("%v\n got %s\nwant %s", err, got, want)
		}
	}
}

// shape returns a result in the structure of the results document.
func shape(r *result.Result) record {
	out := record{
		ID: r.ID, Source: source{r.Source.File, r.Source.Line}, Tool: r.Tool, Format: r.Format, Status: r.Status.String(),
		Labels: make(map[string]string, len(r.Labels)), Metrics: make(map[string]metric, len(r.Metrics)), Checks: []check{},
	}
	for name, value := range r.Labels.Values() {
		out.Labels[name] = value
	}
	for _, m := range r.Metrics {
		out.Metrics[m.Name] = metric{m.Value, m.Unit, m.Better.String(), m.Field, int(m.Line), m.File, m.Derived}
	}
	for i := range r.Checks {
		out.Checks = append(out.Checks, checkOf(&r.Checks[i]))
	}
	return out
}
