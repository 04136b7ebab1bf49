package data

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
)

// TestWhatIsOffered checks that labels with several values are offered, those that distinguish runs first, and that the
// default view shows a metric for which higher is better over a latency.
func TestWhatIsOffered(t *testing.T) {
	t.Parallel()
	printer, ok := locale.For("en")
	if !ok {
		t.Fatal("no English")
	}
	var results []*result.Result
	for i := range 3 {
		r := &result.Result{ID: fmt.Sprintf("c/%d", i), Tool: "vllm-serve", Format: "vllm-serve-text", Metrics: []result.Metric{
			{Kind: &result.Kind{Name: "tpot_mean", Unit: "ms", Better: result.Lower}, Value: 9},
			{Kind: &result.Kind{Name: "ttft_p50", Unit: "ms", Better: result.Lower}, Value: 50},
			{Kind: &result.Kind{Name: "ttft_p99", Unit: "ms", Better: result.Lower}, Value: 90},
			{Kind: &result.Kind{Name: "output_throughput", Unit: "tok/s", Better: result.Higher}, Value: 100},
		}}
		for name, value := range map[string]string{
			"campaign": "c", "model": "ABC"[i : i+1], "max_concurrency": fmt.Sprint(1 << i), "load": "high",
			"zone": fmt.Sprint("z", i%2), "weight_size": "8 G",
		} {
			r.Labels.Set(result.Label{Name: name, Value: value})
		}
		results = append(results, r)
	}
	n := NamesOf(results, nil, &parts.Reader{Printer: printer}, Choices{})
	if want := []string{"model", "max_concurrency", "zone"}; !reflect.DeepEqual(n.Offered, want) {
		t.Errorf("offered are %q, want %q", n.Offered, want)
	}
	if want := []string{"max_concurrency"}; !reflect.DeepEqual(n.Figured, want) {
		t.Errorf("figures are in %q, want %q", n.Figured, want)
	}
	if want := []Range{{"ttft", []string{"ttft_p50", "ttft_p99"}}, {"tpot", []string{"tpot_mean"}}}; !reflect.DeepEqual(n.Ranges, want) {
		t.Errorf("ranges are %q, want %q", n.Ranges, want)
	}
	if want := (Usual{Chart: "scatter", X: "tpot_mean", Y: "output_throughput", Along: "max_concurrency", By: "max_concurrency", Family: "ttft"}); n.Usual != want {
		t.Errorf("the first view is %+v, want %+v", n.Usual, want)
	}
	if none := NamesOf(nil, nil, &parts.Reader{Printer: printer}, Choices{}); none.Offered == nil || none.Figured == nil || none.Ranges == nil || none.Usual != (Usual{Chart: "scatter", Family: "ttft"}) {
		t.Errorf("of no results: %+v", none)
	}
}

// TestSweepsAreShownAsCurves checks that curves are the default view if most runs are steps of sweeps, of whichever
// models.
func TestSweepsAreShownAsCurves(t *testing.T) {
	t.Parallel()
	printer, ok := locale.For("en")
	if !ok {
		t.Fatal("no English")
	}
	sweep := func(models, steps int) []*result.Result {
		var results []*result.Result
		for i := range models * steps {
			r := &result.Result{ID: fmt.Sprintf("c/%d", i), Metrics: []result.Metric{
				{Kind: &result.Kind{Name: "interactivity", Unit: "tok/s/user", Better: result.Higher}, Value: 9},
				{Kind: &result.Kind{Name: "output_throughput", Unit: "tok/s", Better: result.Higher}, Value: 100},
			}}
			r.Labels.Set(result.Label{Name: "model", Value: fmt.Sprint("m", i/steps)})
			r.Labels.Set(result.Label{Name: "max_concurrency", Value: fmt.Sprint(1 << (i % steps))})
			results = append(results, r)
		}
		return results
	}
	for _, c := range []struct {
		models, steps int
		chart         string
	}{{2, 4, "curves"}, {1, fewestSteps, "curves"}, {4, fewestSteps - 1, "scatter"}} {
		u := NamesOf(sweep(c.models, c.steps), nil, &parts.Reader{Printer: printer}, Choices{}).Usual
		if u.Chart != c.chart || u.Along != "max_concurrency" {
			t.Errorf("%d models with %d steps: %+v", c.models, c.steps, u)
		}
		if c.chart == "curves" && (u.X != "interactivity" || u.Y != "output_throughput") {
			t.Errorf("the curves are of %s against %s", u.Y, u.X)
		}
	}
}
