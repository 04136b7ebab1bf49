package judge

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// configOf parses the text of a site.toml.
func configOf(t *testing.T, text string) *config.Config {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, config.Name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	c, ms := config.Read(dir)
	if len(ms) > 0 {
		t.Fatal(ms)
	}
	return &c
}

func pointers(rs []result.Result) []*result.Result {
	out := make([]*result.Result, len(rs))
	for i := range rs {
		out[i] = &rs[i]
	}
	return out
}

// labelled returns a result with labels, such as "model_raw=x load=high".
func labelled(labels string) result.Result {
	var r result.Result
	for _, l := range strings.Fields(labels) {
		name, value, _ := strings.Cut(l, "=")
		r.Labels.Set(result.Label{Name: name, Value: value, Origin: result.Declared, Pos: result.Position{File: "run.toml", Line: 1}})
	}
	return r
}

// TestConditionsThatNoRunCanMeetAreTold checks that a condition on a label that no run has is reported as
// misspelt, but not a value that no run has, which may be measured later.
func TestConditionsThatNoRunCanMeetAreTold(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ when, want string }{
		{`{max_concurency="8"}`, `site.toml:3: warning: load "high": no run meets {max_concurency="8"}, as none has a label max_concurency; did you mean max_concurrency?`},
		{`{max_concurrency="16"}`, ""},
		{`{power_mode!="MAXN"}`, ""}, // an absent label is ""
		{`{status="complete"}`, ""},
	} {
		c := configOf(t, "[[load]]\nname = 'high'\nwhen = '"+x.when+"'\n")
		rs := []result.Result{labelled("model=A max_concurrency=8")}
		var got string
		for _, m := range append(All(c, pointers(rs)), Unmet(c, pointers(rs))...) {
			got += m.Error() + "; " + locale.English(m.Hint)
		}
		if got != x.want {
			t.Errorf("%s: %q, want %q", x.when, got, x.want)
		}
	}
}

func TestApplyAddsWhatTheSiteKnows(t *testing.T) {
	t.Parallel()
	c := configOf(t, `
[[model]]
id = "Qwen3-8B-FP8"
aliases = ["/models/Qwen/Qwen3-8B-FP8"]
quantization = "FP8"
weight_size = "8.9 G"
active_weight_size = "8.9 G"
[[hardware]]
id = "thor"
bandwidth = "273 GB/s"
[[load]]
name = "high"
when = '{max_concurrency="8"}'
`)
	for _, x := range []struct{ have, want string }{
		{"model_raw=/models/Qwen/Qwen3-8B-FP8 max_concurrency=8", "model=Qwen3-8B-FP8 quantization=FP8 weight_size=8.9_G load=high"},
		{"model_raw=Qwen/Qwen3-8B-FP8-AWQ tokenizer=/models/Qwen/Qwen3-8B-FP8", "model=Qwen3-8B-FP8-AWQ"},
		{"model=Other model_raw=qwen3 tokenizer=/models/Qwen/Qwen3-8B-FP8", "model=Other"},
		{"model_raw=qwen3 tokenizer=/models/Qwen/Qwen3-8B-FP8", "model=Qwen3-8B-FP8"},
		{"model_raw=org/Other-1B", "model=Other-1B quantization= load="},
		{"model_raw=org/Other-1B/", "model=Other-1B"},
		{"model_raw=org/Qwen3-8B-FP8", "model=Qwen3-8B-FP8 weight_size=8.9_G"}, // shown by that name, so it is that model
		{"model_raw=org/Qwen3-8B-FP8 model=mine", "model=mine weight_size="},   // the run declares another name
		{"model=Qwen3-8B-FP8 quantization=mine hardware=thor", "quantization=mine memory_bandwidth=273_GB/s"},
	} {
		rs := []result.Result{labelled(x.have)}
		if ms := All(c, pointers(rs)); len(ms) > 0 {
			t.Errorf("%s: %v", x.have, ms)
		}
		for _, l := range strings.Fields(x.want) {
			name, value, _ := strings.Cut(l, "=")
			if got := strings.ReplaceAll(rs[0].Label(name), " ", "_"); got != value {
				t.Errorf("%s: %s is %q, want %q", x.have, name, got, value)
			}
		}
	}
}

func TestADeclaredLoadThatContradictsItsConditionIsTold(t *testing.T) {
	t.Parallel()
	c := configOf(t, "[[load]]\nname = 'high'\nwhen = '{max_concurrency=\"8\"}'\n")
	rs := []result.Result{labelled("load=low max_concurrency=8")}
	ms := All(c, pointers(rs))
	if len(ms) != 1 || ms[0].Severity != result.Warning || ms[0].Pos.File != "run.toml" || rs[0].Label("load") != "low" {
		t.Errorf("load %q, messages %v", rs[0].Label("load"), ms)
	}
}

func TestAWaivedCheckIsNotHeeded(t *testing.T) {
	t.Parallel()
	c := configOf(t, `
[[model]]
id = "m"
weight_size = "8.9 G"
active_weight_size = "8.9 G"
[[hardware]]
id = "thor"
bandwidth = "273 GB/s"
[[waive]]
check = "physics.memory-roofline"
where = '{id="a"}'
reason = "draft model, not declared by the log"
`)
	results := []result.Result{labelled("model=m hardware=thor"), labelled("model=m hardware=thor")}
	for i := range results {
		results[i].ID = string(rune('a' + i))
		results[i].Metrics = []result.Metric{{Kind: &result.Kind{Name: "tpot_mean", Unit: "ms"}, Value: 8.88, Decimals: 2}}
	}
	All(c, pointers(results))
	if results[0].Excluded() || !results[1].Excluded() {
		t.Errorf("excluded: %v, %v; want only the one that is not waived", results[0].Excluded(), results[1].Excluded())
	}
	if m := results[0].Checks[0].Message(&results[0]); m.Severity != result.Info || !strings.Contains(locale.English(m.Hint), "draft model") {
		t.Errorf("the waiver is not told: %+v", m)
	}
}

func TestMachinesAreKnownByNameAndOverridden(t *testing.T) {
	t.Parallel()
	c := configOf(t, "[[hardware]]\nid = \"h100-sxm\"\nbandwidth = \"3 TB/s\"\nprice = \"2.49 USD\"")
	results := []result.Result{labelled("hardware=h100-sxm quantization=FP8"), labelled("hardware=jetson-agx-thor quantization=AWQ"), labelled("hardware=abacus")}
	All(c, pointers(results))
	for i, want := range []string{
		"memory=80 GB memory_bandwidth=3 TB/s compute_peak=1979 TFLOPS compute_type=FP8 price_per_hour=2.49 USD",
		"memory=128 GB memory_bandwidth=273 GB/s compute_peak=257 TFLOPS compute_type=BF16 price_per_hour=",
		"memory= memory_bandwidth= compute_peak= compute_type= price_per_hour=",
	} {
		var got []string
		for _, label := range []string{"memory", "memory_bandwidth", "compute_peak", "compute_type", "price_per_hour"} {
			got = append(got, label+"="+results[i].Label(label))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("got  %s\nwant %s", s, want)
		}
	}
}
