package dataset

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// runOf returns a result with the labels "name=value …".
func runOf(id, labels string) *result.Result {
	r := &result.Result{ID: id, Tool: "t", Source: result.Position{File: "runs/" + id + ".log", Line: 1}}
	for pair := range strings.FieldsSeq(labels) {
		name, value, _ := strings.Cut(pair, "=")
		r.Labels.Set(result.Label{Name: name, Value: value})
	}
	return r
}

// TestAnExplanationAgreesWithTheSelector checks random runs and selectors: the picked runs are those of Select,
// each other run fails some condition, and the counts are correct.
func TestAnExplanationAgreesWithTheSelector(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 11))
	pick := func(values ...string) string { return values[random.IntN(len(values))] }
	picked, empty := 0, 0
	for range 400 {
		d := &Selection{}
		for i := range 1 + random.IntN(12) {
			labels := "model=" + pick("a", "b", "c") + " load=" + pick("high", "low", "")
			if random.IntN(3) == 0 {
				labels += " max_concurrency=" + pick("1", "8", "16")
			}
			r := runOf(fmt.Sprint(i), labels)
			if random.IntN(5) == 0 {
				r.Labels.Set(result.Label{Name: "phase", Value: "warmup"})
				d.Auxiliary = append(d.Auxiliary, r)
			} else {
				d.Results = append(d.Results, r)
			}
		}
		var conditions []string
		for _, label := range []string{"model", "load", "max_concurrency", "phase"} {
			if random.IntN(2) == 0 {
				conditions = append(conditions, label+pick("=", "!=", "=~", "!~")+`"`+pick("a", "b", "high", "8", "warmup")+`"`)
			}
		}
		where := "{" + strings.Join(conditions, ",") + "}"
		e, err := d.Explain(where)
		if err != nil {
			t.Fatal(where, err)
		}
		want, err := d.Select(where)
		if !slices.Equal(e.Picked, want) || (err != nil) != (e.Problem != nil) || err == nil && len(want) == 0 {
			t.Fatalf("%s: %d picked, and %d selected (%v)", where, len(e.Picked), len(want), err)
		}
		all := slices.Concat(d.Results, d.Auxiliary)
		sel, _ := result.ParseSelector(where)
		for i, c := range e.Conditions {
			alone, only := 0, 0
			for _, r := range all {
				if e.Of == len(d.Results) && slices.Contains(d.Auxiliary, r) {
					continue
				}
				meets := sel.Matchers[i].Match(r.Label(c.Label))
				if meets {
					alone++
				}
				if !meets && !slices.ContainsFunc(sel.Matchers, func(m result.Matcher) bool { return m.Label != c.Label && !m.Match(r.Label(m.Label)) }) {
					only++
				}
			}
			listed := 0
			for _, v := range c.Values {
				listed += v.Runs
			}
			if c.Meet != alone || c.Only != only || only > 0 && listed != only {
				t.Fatalf("%s, %s: %d meet it and it alone leaves out %d, not %d and %d; %d have values", where, c.Text, alone, only, c.Meet, c.Only, listed)
			}
		}
		for _, r := range e.Auxiliary {
			if !sel.Match(r) || slices.Contains(e.Picked, r) {
				t.Fatalf("%s: %s is not left out for being auxiliary", where, r.ID)
			}
		}
		if len(want) > 0 {
			picked++
		} else {
			empty++
		}
	}
	if picked < 50 || empty < 20 {
		t.Errorf("%d selectors picked something, %d nothing", picked, empty)
	}
}

// TestApartTellsApart checks that the returned labels distinguish all results that any identifying label
// distinguishes, that none is redundant after those before it, and that labels of all results come first.
func TestApartTellsApart(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 17))
	names := []string{"model", "quantization", "load", "max_concurrency", "flash_attention", "x_kv", "campaign", "date"}
	for range 300 {
		var rs []*result.Result
		for i := range 1 + random.IntN(9) {
			labels := ""
			for _, name := range names {
				if random.IntN(4) > 0 {
					labels += fmt.Sprintf(" %s=%d", name, random.IntN(3))
				}
			}
			rs = append(rs, runOf(fmt.Sprint(i), labels))
		}
		groups := func(labels []string) int {
			seen := map[string]bool{}
			for _, r := range rs {
				key := ""
				for _, l := range labels {
					key += r.Label(l) + "\x00"
				}
				seen[key] = true
			}
			return len(seen)
		}
		apart := Apart(rs)
		if slices.Contains(apart, "date") {
			t.Fatal("a date tells repeats apart")
		}
		if groups(apart) != groups(Telling(rs)) {
			t.Fatalf("%v part %d groups, all labels %d", apart, groups(apart), groups(Telling(rs)))
		}
		complete := true
		for i, name := range apart {
			if groups(apart[:i+1]) == groups(apart[:i]) {
				t.Fatalf("%v: %s parts nothing", apart, name)
			}
			all := len(Having(rs, name)) == len(rs)
			if all && !complete {
				t.Fatalf("%v: every result has %s, which comes after one that some have", apart, name)
			}
			complete = all
		}
	}
}

func TestApartOfASweep(t *testing.T) {
	t.Parallel()
	sweep := []*result.Result{
		runOf("1", "model=a quantization=FP8 max_concurrency=8 load=high seed=1"),
		runOf("2", "model=a quantization=FP8 max_concurrency=16 seed=2"),
		runOf("3", "model=b quantization=BF16 max_concurrency=16 seed=2"),
	}
	if got := fmt.Sprint(Apart(sweep)); got != "[model max_concurrency]" {
		t.Error(got)
	}
	bench := []*result.Result{runOf("1", "model=a flash_attention=0"), runOf("2", "model=a flash_attention=1")}
	if got := fmt.Sprint(Apart(bench)); got != "[flash_attention]" {
		t.Error(got)
	}
	if got := Apart(nil); got != nil {
		t.Error(got)
	}
}

// TestNamesOfToolsLeadToOurs checks that the hint at an unknown name is the metric that the run's own file
// calls so, before other meanings.
func TestNamesOfToolsLeadToOurs(t *testing.T) {
	t.Parallel()
	r := runOf("1", "model=a max_concurrency=8")
	r.Metrics = []result.Metric{{Kind: &result.Kind{Name: "ttft_mean", Unit: "ms", Field: "mean_ttft_ms"}}, {Kind: &result.Kind{Name: "output_throughput", Unit: "tok/s", Field: "Output token throughput (tok/s)"}},
		{Kind: &result.Kind{Name: "e2el_p90", Unit: "ms", Field: "p90 e2el"}}, {Kind: &result.Kind{Name: "steady_output_throughput", Field: "Odd name"}}}
	for name, want := range map[string]string{
		"mean_ttft_ms": "did you mean ttft_mean? runs/1.log calls it mean_ttft_ms",
		"throughput":   "did you mean output_throughput?",
		"tok/s":        "did you mean output_throughput?",
		"odd_name":     "did you mean steady_output_throughput? runs/1.log calls it Odd name",
		"concurrency":  "did you mean max_concurrency?",
		"p99_ttft":     "it is called ttft_p99 here, which no selected run has; there are ttft_mean",
		"latency":      "it is called e2el_mean here, which no selected run has; there are e2el_p90",
		"ttft_maen":    "did you mean ttft_mean?",
	} {
		if p := Unknown([]*result.Result{r}, name); locale.English(p.Hint) != want {
			t.Errorf("%s: %s, want %s", name, p.Hint, want)
		}
	}
	if p := Lacks([]*result.Result{r}, "ttft_p99"); p.Error() != `run="1" has no ttft_p99` || !strings.Contains(locale.English(p.Hint), "there are ttft_mean") {
		t.Error(p, p.Hint)
	}
}

// TestAMissingLoadNamesTheLoads checks that the hint has the loads with their conditions, and the values of the
// runs.
func TestAMissingLoadNamesTheLoads(t *testing.T) {
	t.Parallel()
	high, err := result.ParseSelector(`{max_concurrency="64"}`)
	if err != nil {
		t.Fatal(err)
	}
	d := &Selection{Results: []*result.Result{runOf("1", "max_concurrency=8"), runOf("2", "max_concurrency=16")}}
	_, err = d.Select(`{load="high"}`)
	if p := AsProblem(err); p == nil || !strings.Contains(locale.English(p.Hint), "site.toml has no [[load]]") {
		t.Error(err, p.Hint)
	}
	d.When = map[string][]Setting{"load": {{Value: "low"}, {Value: "high", When: high}}}
	_, err = d.Select(`{load="high"}`)
	want := `no run has a load: [[load]] of site.toml has low, high where {max_concurrency="64"}; the runs have max_concurrency 8, 16`
	if p := AsProblem(err); p == nil || locale.English(p.Hint) != want {
		t.Error(p.Hint)
	}
	d.Results[0].Labels.Set(result.Label{Name: "load", Value: "low"})
	_, err = d.Select(`{load="lwo"}`)
	if p := AsProblem(err); p == nil || !strings.HasPrefix(locale.English(p.Hint), `did you mean load="low"? values of load: low; [[load]]`) {
		t.Error(p.Hint)
	}
}
