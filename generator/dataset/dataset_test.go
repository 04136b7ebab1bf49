package dataset

import (
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/result"
)

// labelled returns a result with the labels "model=a load=high" and one metric.
func labelled(id, labels string) *result.Result {
	r := &result.Result{ID: id, Metrics: []result.Metric{{Kind: &result.Kind{Name: "output_throughput", Unit: "tok/s"}, Value: 1}}}
	for _, pair := range strings.Fields(labels) {
		name, value, _ := strings.Cut(pair, "=")
		r.Labels.Set(result.Label{Name: name, Value: value})
	}
	return r
}

func unfinished(labels string) *result.Unfinished {
	return &result.Unfinished{Labels: labelled("", labels).Labels}
}

// TestNarrowKeepsOfEachListWhatMatches checks that Narrow keeps exactly what matches in each list.
func TestNarrowKeepsOfEachListWhatMatches(t *testing.T) {
	all := &Selection{
		Site:       Site{Order: map[string][]string{"model": {"b", "a"}}},
		Results:    []*result.Result{labelled("1", "model=a"), labelled("2", "model=b")},
		Auxiliary:  []*result.Result{labelled("3", "model=a phase=warmup"), labelled("4", "model=b phase=warmup")},
		Past:       []*result.Result{labelled("5", "model=a"), labelled("6", "model=b")},
		Unfinished: []*result.Unfinished{unfinished("model=a"), unfinished("model=b")},
		Accept:     []string{"clocks"},
	}
	narrow, err := all.Narrow(`{model="a"}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, rs := range [][]*result.Result{narrow.Results, narrow.Auxiliary, narrow.Past} {
		if len(rs) != 1 || rs[0].Label("model") != "a" {
			t.Errorf("%v is left of a list", rs)
		}
	}
	if len(narrow.Unfinished) != 1 || !slices.Equal(narrow.Accept, all.Accept) || narrow.Order == nil {
		t.Errorf("%+v", narrow)
	}
	if rs, err := narrow.Select(`{phase="warmup"}`); err != nil || len(rs) != 1 || rs[0].ID != "3" {
		t.Errorf("%v, %v: the warm-up is not selected", rs, err)
	}
	if _, err := all.Narrow(`{model="c"}`); err == nil {
		t.Error("nothing matches, and that is no problem")
	}
	if only, err := all.Narrow(`{phase="warmup"}`); err != nil || len(only.Results) != 2 || len(only.Auxiliary) != 0 {
		t.Errorf("%v: a warm-up that is selected by its phase counts as a result, once", err)
	}
}
