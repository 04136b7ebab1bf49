package dataset

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/benchpost/benchpost/generator/result"
)

// TestRunsOfTheSameConditionsAreRepeats checks that runs of a campaign with equal conditions are repeats, and
// that runs that differ in an identifying label other than the campaign have different conditions.
func TestRunsOfTheSameConditionsAreRepeats(t *testing.T) {
	t.Parallel()
	same := func(a, b *result.Result) bool { return slices.Equal(Conditions(a), Conditions(b)) }
	for _, c := range []struct {
		one, two string
		same     bool
	}{
		{"campaign=a", "campaign=b", true}, {"campaign=a phase=measured", "campaign=b", true}, {"seed=1", "seed=2", true}, {"date=2026-01-01", "date=2026-02-01", true},
		{"repeat=1", "repeat=2", true}, {"price_per_hour=1", "price_per_hour=2", true}, {"max_concurrency=8", "max_concurrency=8.0", true},
		{"prefix_caching=true", "prefix_caching=True", true}, {"max_concurrency=8", "max_concurrency=16", false}, {"max_concurrency=8", "", false},
		{"engine_version=0.10", "engine_version=0.1", false}, {"x_flash_attn=0", "x_flash_attn=1", false}, {"task=gsm8k", "task=mmlu", false},
		{"model_raw=a", "model_raw=b", false}, {"load=high", "load=low", false},
	} {
		if got := same(labelled("1", "model=a "+c.one), labelled("2", "model=a "+c.two)); got != c.same {
			t.Errorf("%q and %q: the same is %v", c.one, c.two, got)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	agree := 0
	for range 3000 {
		run := func(id string) *result.Result {
			labels := "model=a repeat=" + id
			for _, l := range []string{"engine=vllm", "input_len=128", "output_len=64", "dataset=random"} {
				if random.IntN(3) == 0 {
					labels += " " + l
				}
			}
			r := labelled(id, labels)
			add := func(name string, v float64) {
				r.Metrics = append(r.Metrics, result.Metric{Kind: &result.Kind{Name: name}, Value: v})
			}
			add("requests_completed", 10)
			add(inputTokens, 10*float64(1+random.IntN(1000)))
			add(outputTokens, 10*float64(1+random.IntN(20))/4)
			return r
		}
		a, b := run("1"), run("2")
		if !same(a, b) {
			continue
		}
		agree++
		if err := Repeats([]*result.Result{a, b}, "cell"); err != nil {
			t.Fatalf("%v and %v agree in %v: %v", a.Labels, b.Labels, Conditions(a), err)
		}
		if !sameLengths(a, b) {
			t.Fatalf("%v and %v agree in %v, and are of other lengths", a.Metrics, b.Metrics, Conditions(a))
		}
	}
	if agree < 50 {
		t.Errorf("only %d pairs agreed", agree)
	}
}
