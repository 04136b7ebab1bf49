package dataset

import (
	"reflect"
	"slices"
	"testing"

	"github.com/benchpost/benchpost/generator/result"
)

// TestSameTerms checks that results with the same terms have the same neighbours, and that a change of names,
// labels or selection changes the terms.
func TestSameTerms(t *testing.T) {
	t.Parallel()
	made := func(change func(*result.Result)) []*result.Result {
		var rs []*result.Result
		for i, hardware := range []string{"orin", "thor", "thor"} {
			r := &result.Result{ID: string(rune('a' + i)), Tool: "x", Metrics: []result.Metric{{Kind: &result.Kind{Name: "ttft_mean", Unit: "ms"}, Value: float64(i)}, {Kind: &result.Kind{Name: "input_tokens"}, Value: 5}}}
			for _, l := range []result.Label{{Name: "model", Value: "m"}, {Name: "dataset", Value: "random"}, {Name: "hardware", Value: hardware}} {
				l.Origin = result.Declared
				r.Labels.Set(l)
			}
			rs = append(rs, r)
		}
		change(rs[1])
		return rs
	}
	before := made(func(*result.Result) {})
	now := made(func(r *result.Result) { r.Metrics[0].Value, r.Metrics[0].Line = 7, 3 })
	if !SameTerms(before, now) {
		t.Fatal("another figure is another term")
	}
	if !SameTerms(before, made(func(r *result.Result) { r.Checks = []result.Check{{Severity: result.Error}} })) {
		t.Fatal("what was found in checking is another term")
	}
	if got, want := NewNeighbours(before).Among(now).Of(0, 3), NewNeighbours(now).Of(0, 3); len(want) == 0 || !reflect.DeepEqual(got, want) {
		t.Errorf("the neighbours are %v, not %v", got, want)
	}
	for what, change := range map[string]func(*result.Result){
		"an id":               func(r *result.Result) { r.ID = "bb" },
		"a file":              func(r *result.Result) { r.Source.File = "x" },
		"a tool":              func(r *result.Result) { r.Tool = "y" },
		"a status":            func(r *result.Result) { r.Status = result.Failed },
		"a label":             func(r *result.Result) { r.Labels.Set(result.Label{Name: "hardware", Value: "orin"}) },
		"an origin":           func(r *result.Result) { r.Labels[0].Origin = result.Captured },
		"a further label":     func(r *result.Result) { r.Labels.Set(result.Label{Name: "load", Value: "high"}) },
		"a unit":              func(r *result.Result) { r.Metrics[0].Kind = r.Metrics[0].With(func(k *result.Kind) { k.Unit = "s" }) },
		"one metric less":     func(r *result.Result) { r.Metrics = r.Metrics[:1] },
		"lengths of requests": func(r *result.Result) { r.Metrics[1].Value = 6 },
		"a distribution":      func(r *result.Result) { r.Distributions = []result.Distribution{{Family: "ttft"}} },
	} {
		if SameTerms(before, made(change)) {
			t.Errorf("%s is no other term", what)
		}
	}
	if SameTerms(before, before[:2]) || !SameTerms(nil, nil) {
		t.Error("one result less is no other term")
	}
}

// TestPlacesOfTheSameTerms checks that Places of some results are valid for results with the same terms.
func TestPlacesOfTheSameTerms(t *testing.T) {
	t.Parallel()
	before := []*result.Result{
		{ID: "a", Labels: result.Labels{{Name: "model", Value: "A"}}},
		{ID: "b", Labels: result.Labels{{Name: "model", Value: "B"}}},
		{ID: "c", Labels: result.Labels{{Name: "model", Value: "A"}}},
	}
	var places Places
	first := &Selection{Results: before}
	first.Placed(&places)
	if got := first.With("model", "A"); !slices.Equal(got, []*result.Result{before[0], before[2]}) {
		t.Fatalf("got %v", got)
	}
	later := *before[2]
	now := []*result.Result{before[0], before[1], &later}
	if !SameTerms(before, now) {
		t.Fatal("a result of the same terms is taken for another")
	}
	second := &Selection{Results: now}
	second.Placed(&places)
	if got := second.With("model", "A"); !slices.Equal(got, []*result.Result{now[0], now[2]}) {
		t.Errorf("got %v", got)
	}
	if got := second.Matching(result.Selector{Matchers: []result.Matcher{{Label: "model", Op: "=", Value: "B"}}}); !slices.Equal(got, now[1:2]) {
		t.Errorf("got %v", got)
	}
}
