package compare

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
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// run parses a result from a line: an id, label=value, metric:value, and a word for its status: "partial",
// "failed", or "!check" for a check that excludes it.
func run(line string) *result.Result {
	words := strings.Fields(line)
	r := &result.Result{ID: words[0], Tool: "t", Source: result.Position{File: "runs/" + words[0] + ".log", Line: 1}}
	for _, w := range words[1:] {
		if name, value, ok := strings.Cut(w, "="); ok {
			r.Labels.Set(result.Label{Name: name, Value: value, Origin: result.Measured})
			continue
		}
		if check, ok := strings.CutPrefix(w, "!"); ok {
			r.Checks = append(r.Checks, result.Check{ID: check, Severity: result.Error})
			continue
		}
		name, value, ok := strings.Cut(w, ":")
		if !ok {
			r.Status = map[string]result.Status{"partial": result.Partial, "failed": result.Failed}[w]
			continue
		}
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			panic(line)
		}
		d, known := vocabulary.Define(name)
		if !known {
			panic(name)
		}
		_, decimals, _ := strings.Cut(value, ".")
		r.Metrics = append(r.Metrics, result.Metric{Kind: &result.Kind{Name: name, Unit: d.Unit, Better: d.Better},
			Value: v, Decimals: int8(len(decimals)), Line: int32(2 + len(r.Metrics))})
	}
	return r
}

func side(name string, lines ...string) Side {
	s := Side{Name: locale.Lit(name)}
	for _, line := range lines {
		s.Results = append(s.Results, run(line))
	}
	return s
}

// repeated returns lines of runs that differ only in their id and in one metric.
func repeated(line, metric string, values ...float64) []string {
	var lines []string
	for i, v := range values {
		id, rest, _ := strings.Cut(line, " ")
		lines = append(lines, fmt.Sprintf("%s-%d %s repeat=%d %s:%g", id, i+1, rest, i+1, metric, v))
	}
	return lines
}

// outcome formats a comparison: a line for each pair, what was removed and added, and what is ambiguous.
func outcome(c *Comparison) string {
	var lines []string
	for _, p := range c.Pairs {
		line := fmt.Sprintf("%s = %s:", ids(p.A), ids(p.B))
		for _, f := range p.Figures {
			line += fmt.Sprintf(" %s %s (%s)", f.Metric, f.Verdict, f.Ground)
		}
		for _, ch := range p.Changed {
			mark := "~"
			if ch.Setting {
				mark = "!"
			}
			line += fmt.Sprintf(" %s%s %s→%s", mark, ch.Label, ch.A, ch.B)
		}
		lines = append(lines, line)
	}
	for _, cell := range c.Removed {
		lines = append(lines, "- "+ids(cell.Runs))
	}
	for _, cell := range c.Added {
		lines = append(lines, "+ "+ids(cell.Runs))
	}
	for _, a := range c.Ambiguous {
		line := "?"
		for _, cell := range a.A {
			line += " " + ids(cell.Runs)
		}
		line += " |"
		for _, cell := range a.B {
			line += " " + ids(cell.Runs)
		}
		lines = append(lines, line+" by "+strings.Join(a.Differ, ","))
	}
	return strings.Join(lines, "\n")
}

func ids(rs []*result.Result) string {
	var out []string
	for _, r := range rs {
		out = append(out, r.ID)
	}
	return strings.Join(out, "+")
}

func expect(t *testing.T, c *Comparison, want ...string) {
	t.Helper()
	if got := outcome(c); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

// TestMatching checks that runs are paired by what they measured and not by their paths.
func TestMatching(t *testing.T) {
	const tp = " output_throughput:100"
	for _, c := range []struct {
		what string
		a, b []string
		o    Options
		want []string
	}{
		{"the same paths at two revisions", []string{"x/high model=m load=high" + tp}, []string{"x/high model=m load=high" + tp}, Options{},
			[]string{"x/high = x/high: output_throughput same (alike)"}},
		{"in other folders", []string{"old/1 campaign=old model=m load=high" + tp, "old/2 campaign=old model=m load=low" + tp},
			[]string{"new/a campaign=new model=m load=low" + tp, "new/b campaign=new model=m load=high" + tp}, Options{},
			[]string{"old/1 = new/b: output_throughput same (alike)", "old/2 = new/a: output_throughput same (alike)"}},
		{"another model is another thing", []string{"1 model=m" + tp}, []string{"1 model=n" + tp}, Options{}, []string{"- 1", "+ 1"}},
		{"a new engine is a change", []string{"1 model=m engine_version=0.9" + tp}, []string{"1 model=m engine_version=0.10" + tp}, Options{},
			[]string{"1 = 1: output_throughput same (alike) !engine_version 0.9→0.10"}},
		{"beside what was measured before it is an addition", []string{"1 model=m engine_version=0.9" + tp},
			[]string{"1 model=m engine_version=0.9" + tp, "2 model=m engine_version=0.10" + tp}, Options{},
			[]string{"1 = 1: output_throughput same (alike)", "+ 2"}},
		{"a power mode tells runs apart where both sides have it", []string{"1 model=m power_mode=MAXN" + tp, "2 model=m power_mode=120W" + tp},
			[]string{"3 model=m power_mode=120W" + tp, "4 model=m power_mode=60W" + tp}, Options{},
			[]string{"2 = 3: output_throughput same (alike)", "- 1", "+ 4"}},
		{"and is what changed where they have none in common", []string{"1 model=m power_mode=MAXN" + tp}, []string{"3 model=m power_mode=120W" + tp}, Options{},
			[]string{"1 = 3: output_throughput same (alike) !power_mode MAXN→120W"}},
		{"one of two was measured again with a newer engine", []string{"1 model=m clocks=free engine_version=1" + tp, "2 model=m clocks=locked engine_version=1" + tp},
			[]string{"1 model=m clocks=free engine_version=1" + tp, "3 model=m clocks=locked engine_version=2" + tp}, Options{},
			[]string{"1 = 1: output_throughput same (alike)", "2 = 3: output_throughput same (alike) !engine_version 1→2"}},
		{"of a sweep over lengths one was exchanged", []string{"1 model=m input_len=1024" + tp, "2 model=m input_len=2048" + tp},
			[]string{"1 model=m input_len=1024" + tp, "3 model=m input_len=4096" + tp}, Options{},
			[]string{"1 = 1: output_throughput same (alike)", "- 2", "+ 3"}},
		{"or measured otherwise in the same file", []string{"1 model=m input_len=1024" + tp, "2 model=m input_len=2048" + tp},
			[]string{"1 model=m input_len=1024" + tp, "2 model=m input_len=4096" + tp}, Options{},
			[]string{"1 = 1: output_throughput same (alike)", "2 = 2: output_throughput same (alike) !input_len 2048→4096"}},
		{"concurrency is what was measured", []string{"1 model=m max_concurrency=8" + tp}, []string{"1 model=m max_concurrency=16" + tp}, Options{}, []string{"- 1", "+ 1"}},
		{"unless the load has a name", []string{"1 model=m load=high max_concurrency=8" + tp}, []string{"1 model=m load=high max_concurrency=16" + tp}, Options{},
			[]string{"1 = 1: output_throughput same (alike) !max_concurrency 8→16"}},
		{"two selectors of one site", []string{"1 model=m engine_version=0.9" + tp, "2 model=n engine_version=0.9" + tp}, []string{"3 model=m engine_version=0.10" + tp},
			Options{Chosen: []string{"engine_version"}}, []string{"1 = 3: output_throughput same (alike)", "- 2"}},
		{"by model: what follows from it is no surprise", []string{"1 model=m quantization=BF16 load=high" + tp}, []string{"2 model=n quantization=FP8 load=high" + tp},
			Options{Chosen: []string{"model"}}, []string{"1 = 2: output_throughput same (alike)"}},
		{"what follows from it still tells runs apart", []string{"1 model=m power_mode=MAXN clocks=free" + tp, "2 model=m power_mode=MAXN clocks=locked" + tp}, []string{"3 model=m power_mode=120W clocks=free" + tp},
			Options{Chosen: []string{"power_mode"}}, []string{"1 = 3: output_throughput same (alike)", "- 2"}},
		{"two families, by what each was quantised to", []string{"1 model=m quantization=BF16" + tp, "2 model=m-8 quantization=FP8" + tp}, []string{"3 model=n-8 quantization=FP8" + tp, "4 model=n quantization=BF16" + tp},
			Options{Chosen: []string{"model"}}, []string{"1 = 4: output_throughput same (alike)", "2 = 3: output_throughput same (alike)"}},
		{"a label that both selections share still tells apart", []string{"1 model=m load=high" + tp, "2 model=m load=low" + tp}, []string{"1 model=m load=high" + tp, "3 model=n load=high" + tp},
			Options{Chosen: []string{"model", "load"}}, []string{"1 = 1: output_throughput same (alike)", "- 2", "+ 3"}},
		{"no label tells which is meant", []string{"1 model=m clocks=free" + tp, "2 model=m clocks=locked" + tp}, []string{"3 model=m" + tp}, Options{},
			[]string{"? 1 2 | 3 by clocks"}},
		{"only the names of files tell runs apart", []string{"eager model=m" + tp, "graph model=m" + tp, "old model=m" + tp}, []string{"eager model=m" + tp, "graph model=m" + tp}, Options{},
			[]string{"eager = eager: output_throughput same (alike)", "graph = graph: output_throughput same (alike)", "- old"}},
		{"and of some not even these", []string{"eager model=m" + tp, "old model=m" + tp, "older model=m" + tp}, []string{"eager model=m" + tp, "new model=m" + tp}, Options{},
			[]string{"eager = eager: output_throughput same (alike)", "? old older | new by "}},
		{"the labels to match by are named", []string{"1 model=m clocks=free" + tp, "2 model=m clocks=locked" + tp}, []string{"3 model=m" + tp}, Options{By: []string{"model"}},
			[]string{"1+2 = 3: output_throughput same (alike) ~clocks free, locked→"}},
		{"speed and quality of a model", []string{"1 model=m" + tp, "2 model=m quality:0.5"}, []string{"3 model=m" + tp, "4 model=m quality:0.5"}, Options{},
			[]string{"1 = 3: output_throughput same (alike)", "2 = 4: quality same (alike)"}},
		{"a repeat that failed is one of them", []string{"1 model=m" + tp}, []string{"1 model=m repeat=1" + tp, "2 model=m repeat=2 failed"}, Options{},
			[]string{"1 = 1+2: output_throughput same (alike)"}},
		{"all failed", []string{"1 model=m" + tp}, []string{"1 model=m failed"}, Options{},
			[]string{"1 = 1: output_throughput only-a (one-sided)"}},
		{"nothing on one side", nil, []string{"1 model=m" + tp}, Options{}, []string{"+ 1"}},
		{"nothing at all", nil, nil, Options{}, nil},
	} {
		t.Run(c.what, func(t *testing.T) {
			if c.want == nil {
				c.want = []string{""}
			}
			expect(t, Sides(side("A", c.a...), side("B", c.b...), c.o), c.want...)
		})
	}
}

// TestWhatElseChanged checks that other differences are shown beside the verdict: first settings, which may be
// the cause, then others.
func TestWhatElseChanged(t *testing.T) {
	for _, c := range []struct{ what, a, b, want string }{
		{"a driver", "driver=1", "driver=2", " !driver 1→2"},
		{"the number of prompts", "num_prompts=100", "num_prompts=200", " !num_prompts 100→200"},
		{"one number in two spellings", "request_rate=8", "request_rate=8.0", ""},
		{"the data type of the KV cache, in the engine's own words", "kv_cache_dtype=auto", "kv_cache_dtype=fp8", " !kv_cache_dtype auto→fp8"},
		{"what only one side tells is no difference of settings", "", "driver=2", " ~driver →2"},
		{"the system", "os=20.04", "os=24.04", " ~os 20.04→24.04"},
		{"when it was measured says nothing", "date=1 x_started=8:00 source=a", "date=2 x_started=9:00 source=b", ""},
		{"the length of the answers", "requests_completed:10 output_tokens:1280", "requests_completed:10 output_tokens:900", " output_tokens changed (beyond) !answer_length 128.0→90.0"},
		{"the tokens read", "input_tokens:1000", "input_tokens:1001", " input_tokens changed (beyond)"},
	} {
		got := Sides(side("A", "1 model=m load=l output_throughput:10 "+c.a), side("B", "1 model=m load=l output_throughput:10 "+c.b), Options{})
		want := "1 = 1: output_throughput same (alike)" + c.want
		if fact, rest, ok := strings.Cut(c.want, " (beyond)"); ok { // differing metrics come first
			want = "1 = 1:" + fact + " (beyond) output_throughput same (alike)" + rest
		}
		if outcome(got) != want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.what, outcome(got), want)
		}
	}
}

// TestNames checks that the title of a pair has what distinguishes it from the others, and both values if the
// sides differ, so that no number of one model is shown under the name of another.
func TestNames(t *testing.T) {
	lines := func(model string) []string {
		return []string{"1 model=" + model + " load=high output_throughput:10", "2 model=" + model + " load=low output_throughput:5"}
	}
	for _, c := range []struct {
		a, b string
		want []string
	}{
		{"m", "m", []string{"High load", "Low load"}},
		{"m-FP8", "m-FP4", []string{"m-FP8 → m-FP4 · High load", "m-FP8 → m-FP4 · Low load"}},
	} {
		got := Sides(side("A", lines(c.a)...), side("B", lines(c.b)...), Options{By: []string{"load"}})
		var names []string
		for _, p := range got.Pairs {
			names = append(names, locale.English(p.Title))
		}
		if !slices.Equal(names, c.want) {
			t.Errorf("%s and %s: %q, want %q", c.a, c.b, names, c.want)
		}
	}
}

// TestVerdicts checks that a verdict rests on a test if there are enough repeats, or else on a threshold.
func TestVerdicts(t *testing.T) {
	one := func(word string) []string { return []string{"1 model=m " + word} }
	many := func(metric string, values ...float64) []string { return repeated("r model=m", metric, values...) }
	for _, c := range []struct {
		what string
		a, b []string
		want string
	}{
		{"less than 3 % is the same", one("output_throughput:100"), one("output_throughput:102.9"), "output_throughput same (alike)"},
		{"more throughput is better", one("output_throughput:100"), one("output_throughput:104"), "output_throughput better (beyond)"},
		{"more waiting is worse", one("ttft_mean:100"), one("ttft_mean:104"), "ttft_mean worse (beyond)"},
		{"the tail scatters more", one("ttft_p99:100"), one("ttft_p99:110"), "ttft_p99 same (alike)"},
		{"and not without end", one("ttft_p99:100"), one("ttft_p99:113"), "ttft_p99 worse (beyond)"},
		{"p95 stands in for p99 where both have it", one("ttft_p95:100"), one("ttft_p95:107"), "ttft_p95 worse (beyond)"},
		{"a p99 of ten requests", one("ttft_p99:100 requests_completed:10"), one("ttft_p99:200 requests_completed:10"), "ttft_p99 uncertain (weak)"},
		{"what is counted is exact", one("requests_failed:0"), one("requests_failed:1"), "requests_failed worse (beyond)"},
		{"and the other way round", one("requests_failed:1"), one("requests_failed:0"), "requests_failed better (beyond)"},
		{"zeros are equal", one("requests_failed:0"), one("requests_failed:0"), "requests_failed same (alike)"},
		{"quality within its standard errors", one("quality:0.70 quality_stderr:0.02"), one("quality:0.66 quality_stderr:0.02"), "quality uncertain (overlaps)"},
		{"and beyond", one("quality:0.70 quality_stderr:0.01"), one("quality:0.66 quality_stderr:0.01"), "quality worse (beyond)"},
		{"only one side has it", one("ttft_mean:1 tpot_mean:1"), one("ttft_mean:1"), "tpot_mean only-a (one-sided) ttft_mean same (alike)"},
		{"only the other has", one("ttft_mean:1"), one("ttft_mean:1 tpot_mean:1"), "tpot_mean only-b (one-sided) ttft_mean same (alike)"},

		{"a run that did not end is no regression", one("output_throughput:100"), one("output_throughput:50 partial"), "output_throughput uncertain (aside)"},
		{"nor an improvement", one("output_throughput:50 partial"), one("output_throughput:100"), "output_throughput uncertain (aside)"},
		{"nor is one that a check excluded", one("tpot_mean:10"), one("tpot_mean:1 !physics.memory-roofline"), "tpot_mean uncertain (aside)"},
		{"the very same figures are the same, whatever they are worth", one("tpot_mean:1 !physics.memory-roofline"), one("tpot_mean:1 !physics.memory-roofline"), "tpot_mean same (alike)"},
		{"among repeats that hold it does not count", one("output_throughput:100"), []string{"1 model=m repeat=1 output_throughput:100", "2 model=m repeat=2 output_throughput:50 partial"},
			"output_throughput same (alike)"},

		{"three and three apart", many("output_throughput", 100, 101, 102), many("output_throughput", 90, 91, 92), "output_throughput worse (beyond)"},
		{"three and three that overlap", many("output_throughput", 90, 100, 110), many("output_throughput", 95, 106, 112), "output_throughput uncertain (overlaps)"},
		{"three and three close together", many("output_throughput", 100, 101, 102), many("output_throughput", 101, 102, 103), "output_throughput same (alike)"},
		{"five and five: a small difference is shown", many("output_throughput", 100, 100.1, 100.2, 100.3, 100.4), many("output_throughput", 99, 99.1, 99.2, 99.3, 99.4), "output_throughput worse (tested)"},
		{"five and five that scatter: a large one is not", many("output_throughput", 80, 90, 100, 110, 120), many("output_throughput", 85, 95, 106, 115, 125), "output_throughput uncertain (overlaps)"},
		{"one against five that overlap", one("output_throughput:95"), many("output_throughput", 80, 90, 100, 110, 120), "output_throughput uncertain (overlaps)"},
	} {
		c2 := Sides(side("A", c.a...), side("B", c.b...), Options{})
		var got []string
		for _, f := range c2.Pairs[0].Figures {
			if f.Metric != "requests_completed" {
				got = append(got, fmt.Sprintf("%s %s (%s)", f.Metric, f.Verdict, f.Ground))
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: got %s, want %s", c.what, got, c.want)
		}
	}
}

// TestWhatChanceMayHaveMadeIsNotShown checks verdicts that may be due to chance. Four against four runs have p
// = 0.029 at least. Of twenty tested figures one such p is expected by chance: the difference is reported only
// if it also exceeds the threshold and the sides do not overlap.
func TestWhatChanceMayHaveMadeIsNotShown(t *testing.T) {
	sides := func(b []float64) *Comparison {
		var as, bs []string
		for i := range 20 {
			line := fmt.Sprintf("%02d model=m%02d load=l", i, i)
			other := []float64{100, 100.1, 100.2, 100.3}
			as = append(as, repeated(line, "output_throughput", other...)...)
			if i == 7 {
				other = b
			}
			bs = append(bs, repeated(line, "output_throughput", other...)...)
		}
		return Sides(side("A", as...), side("B", bs...), Options{})
	}
	small, large := sides([]float64{99, 99.1, 99.2, 99.3}), sides([]float64{90, 90.1, 90.2, 90.3})
	f := small.Pairs[7].Figures[0]
	if small.Tested != 20 || f.P >= 0.05 || f.Q < 0.05 || f.Verdict != Same {
		t.Errorf("1 %% less in one of %d tests: p %.3f, adjusted %.3f, %s", small.Tested, f.P, f.Q, f.Verdict)
	}
	if f := large.Pairs[7].Figures[0]; f.Verdict != Worse || f.Ground != Beyond {
		t.Errorf("10 %% less: %s (%s)", f.Verdict, f.Ground)
	}
	alone := Sides(side("A", repeated("a model=m", "output_throughput", 100, 100.1, 100.2, 100.3)...), side("B", repeated("a model=m", "output_throughput", 99, 99.1, 99.2, 99.3)...), Options{})
	if f := alone.Pairs[0].Figures[0]; f.Verdict != Worse || f.Ground != Tested {
		t.Errorf("1 %% less, nothing else tested: %s (%s)", f.Verdict, f.Ground)
	}
}

func TestThresholds(t *testing.T) {
	c := &Comparison{options: Options{Noises: map[string]float64{"ttft_p99": 0.1, "itl": 0.5}}}
	for metric, want := range map[string]float64{
		"output_throughput": 0.03, "tpot_mean": 0.03, "tpot_p50": 0.03, "tpot_p90": 0.06, "tpot_p99": 0.12, "tpot_p99_9": 0.12, "tpot_max": 0.12, "tpot_min": 0.06,
		"ttft_p99": 0.1, "itl_mean": 0.5, "itl_p99": 0.5, "requests_failed": 0, "input_tokens": 0, "acceptance_length": 0.03, "startup_time": 0.12,
	} {
		if got := c.Threshold(metric); got != want {
			t.Errorf("%s: %g, want %g", metric, got, want)
		}
	}
	c.options.Noise = 0.05
	if got := c.Threshold("ttft_max"); got != 0.2 {
		t.Errorf("with a noise of 5 %%: %g", got)
	}
}

func TestConditions(t *testing.T) {
	a := side("A", "1 model=m output_throughput:100 driver=1", "2 model=n output_throughput:100", "3 model=o output_throughput:100", "4 model=p output_throughput:1")
	b := side("B", "1 model=m output_throughput:94 driver=2", "3 model=o failed", "4 model=p output_throughput:2 partial")
	c := Sides(a, b, Options{})
	for list, want := range map[string]int{"regression": 1, "REGRESSION>5%": 1, "regression > 6.5%": 0, "Removed": 2, "uncertain": 1, "setting-changed": 1} {
		conditions, err := Conditions(list)
		if err != nil || len(conditions) != 1 {
			t.Fatalf("%s: %v", list, err)
		}
		if got := c.Holds(conditions[0]); got != want {
			t.Errorf("%s holds %d times, not %d", list, got, want)
		}
	}
	// An interrupted run lacks metrics, which must be reported.
	broken := Sides(side("A", "1 model=m output_throughput:100 ttft_mean:5"), side("B", "1 model=m output_throughput:100 partial"), Options{})
	if removed, _ := Conditions("removed"); broken.Holds(removed[0]) != 1 || !strings.Contains(locale.English(broken.Verdict()), "1 gone") {
		t.Errorf("what a run lost is not told: %s", locale.English(broken.Verdict()))
	}
	for list, why := range map[string]string{
		"regresion": "did you mean regression?", "": "there are: regression, removed, uncertain, setting-changed", "removed>5%": "only a regression has a size",
		"regression>5": "only a regression has a size", "regression>-1%": "only a regression has a size", "regression>NaN%": "only a regression has a size", "regression,,removed": "is not a condition",
	} {
		if _, err := Conditions(list); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v, want %q", list, err, why)
		}
	}
	if two, err := Conditions("regression>2%, removed"); err != nil || len(two) != 2 || two[0].Over != 0.02 {
		t.Errorf("two: %v %v", two, err)
	}
}

// TestFindings checks that a claim names its runs, and that claims about excluded runs are withheld.
func TestFindings(t *testing.T) {
	a := side("A", "x/1 model=m load=high output_throughput:100.00 ttft_mean:50", "x/2 model=n load=high output_throughput:100", "x/3 model=o load=high output_throughput:100 driver=1")
	b := side("B", "x/1 model=m load=high output_throughput:90.00 ttft_mean:40", "x/2 model=n load=high output_throughput:400 !physics.memory-roofline", "x/3 model=o load=high output_throughput:100 driver=2")
	a.Before = "HEAD:"
	fs := Sides(a, b, Options{}).Findings()
	var got []string
	for _, f := range fs.Claims {
		got = append(got, fmt.Sprint(locale.English(f.Text), f.Runs))
	}
	for _, f := range fs.Withheld {
		got = append(got, fmt.Sprint("not: ", locale.English(f.Text), f.Runs, locale.English(f.Reason)))
	}
	for _, f := range fs.Limits {
		got = append(got, locale.English(f.Text))
	}
	want := []string{
		"m: output throughput is worse, 100.00 → 90.00 tok/s (−10.0%).[HEAD:x/1 x/1]",
		"m: mean TTFT is better, 50 → 40 ms (−20.0%).[HEAD:x/1 x/1]",
		"not: n: output throughput differs, 100 → 400 tok/s (+300.0%).[HEAD:x/2 x/2]x/2 is excluded by physics.memory-roofline.",
		"Driver 1 → 2 in 1 pair: the setting itself can be the cause of a difference.",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// invented returns random runs of some models at some loads, with repeats.
func invented(r *rand.Rand) []string {
	var lines []string
	for range 1 + r.IntN(12) {
		line := fmt.Sprintf("%d model=m%d", len(lines), r.IntN(3))
		for _, label := range []string{"load", "clocks", "engine_version", "input_len"} {
			if r.IntN(2) == 0 {
				line += fmt.Sprintf(" %s=%d", label, r.IntN(3))
			}
		}
		for range 1 + r.IntN(5) {
			line := line
			if r.IntN(4) == 0 {
				line = []string{"eager", "graph"}[r.IntN(2)] + "/" + line // a difference that no label states
			}
			more := fmt.Sprintf("%d/%s output_throughput:%d ttft_mean:%d requests_failed:%d", len(lines), line, 80+r.IntN(40), 50+r.IntN(3), r.IntN(2))
			switch r.IntN(12) {
			case 0:
				more += " partial"
			case 1:
				more += " !physics.memory-roofline"
			case 2:
				more = fmt.Sprintf("%d/%s failed", len(lines), line)
			}
			lines = append(lines, more)
		}
	}
	return lines
}

func TestProperties(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		as, bs := invented(r), invented(r)

		itself := Sides(side("A", as...), side("A", as...), Options{})
		if len(itself.Removed)+len(itself.Added)+len(itself.Ambiguous)+len(itself.Changed)+itself.Count(Better)+itself.Count(Worse)+itself.Count(Changed)+itself.Count(OnlyA)+itself.Count(OnlyB)+itself.Count(Uncertain) > 0 {
			t.Fatalf("seed %d: a side differs from itself:\n%s\n%s", seed, outcome(itself), strings.Join(as, "\n"))
		}

		forth, back := Sides(side("A", as...), side("B", bs...), Options{}), Sides(side("B", bs...), side("A", as...), Options{})
		if forth.Count(Better) != back.Count(Worse) || forth.Count(Worse) != back.Count(Better) || forth.Count(Same) != back.Count(Same) || forth.Count(Uncertain) != back.Count(Uncertain) ||
			len(forth.Added) != len(back.Removed) || len(forth.Removed) != len(back.Added) || len(forth.Ambiguous) != len(back.Ambiguous) || len(forth.Pairs) != len(back.Pairs) {
			t.Fatalf("seed %d: the other way round it is not the reverse:\n%s\n\n%s", seed, outcome(forth), outcome(back))
		}

		r.Shuffle(len(as), func(i, j int) { as[i], as[j] = as[j], as[i] })
		r.Shuffle(len(bs), func(i, j int) { bs[i], bs[j] = bs[j], bs[i] })
		if shuffled := Sides(side("A", as...), side("B", bs...), Options{}); outcome(shuffled) != outcome(forth) {
			t.Fatalf("seed %d: the order of runs matters:\n%s\n\n%s", seed, outcome(forth), outcome(shuffled))
		}

		// Every run is in exactly one place.
		n := 0
		for _, p := range forth.Pairs {
			n += len(p.A) + len(p.B)
		}
		for _, list := range [][]Cell{forth.Removed, forth.Added} {
			for _, cell := range list {
				n += len(cell.Runs)
			}
		}
		for _, a := range forth.Ambiguous {
			for _, cell := range slices.Concat(a.A, a.B) {
				n += len(cell.Runs)
			}
		}
		if n != len(as)+len(bs) {
			t.Fatalf("seed %d: %d runs of %d", seed, n, len(as)+len(bs))
		}
	}
}

// TestRowsOfAFile checks that rows of one file with the same labels are paired if their number is unchanged.
func TestRowsOfAFile(t *testing.T) {
	t.Parallel()
	rows := func(name string, n int) Side {
		var lines []string
		for i := range n {
			lines = append(lines, fmt.Sprintf("x.%d model=m output_throughput:%d", i+1, 100+i))
		}
		s := side(name, lines...)
		for _, r := range s.Results {
			r.Source = result.Position{File: "runs/x.md", Line: 3}
		}
		return s
	}
	expect(t, Sides(rows("A", 2), rows("B", 2), Options{}), "x.1 = x.1: output_throughput same (alike)", "x.2 = x.2: output_throughput same (alike)")
	expect(t, Sides(rows("A", 2), rows("B", 3), Options{}), "? x.1 x.2 | x.1 x.2 x.3 by ")
}

// TestTheSentenceSaysWhatIsNotCompared checks that the sentence at the top mentions unmatched runs, so that
// nobody applies it to them.
func TestTheSentenceSaysWhatIsNotCompared(t *testing.T) {
	t.Parallel()
	said := func(a, b []string) string {
		p, _ := locale.For("en")
		return p.Say(Sides(side("A", a...), side("B", b...), Options{}).Sentence())
	}
	some, none := "z model=z output_throughput:1", "Not compared, as nothing tells which belong together: 2 of the results of A and 1 of those of B."
	unlike := []string{"eager model=m output_throughput:9", "graph model=m output_throughput:9"}
	other := "third model=m output_throughput:1"
	for _, c := range []struct {
		a, b []string
		want string
	}{
		{append(unlike, some), []string{other, some}, "At the same known settings, no difference is shown between B and A. Single runs: differences under 3% are not ranked. " + none},
		{unlike, []string{other}, "Nothing could be compared. " + none},
	} {
		if got := said(c.a, c.b); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// BenchmarkSides compares ten thousand runs with as many.
func BenchmarkSides(b *testing.B) {
	lines := func(by int) []string {
		var out []string
		for i := range 10_000 {
			out = append(out, fmt.Sprintf("%05d model=m%d load=l%d clocks=c%d repeat=%d x_host=h%d output_throughput:%d ttft_mean:%d ttft_p99:%d", i, i/100, i%10, i%2, i%5, i, 1000+i%7+by, 50+i%3, 100+i%11))
		}
		return out
	}
	x, y := side("A", lines(0)...), side("B", lines(3)...)
	b.ResetTimer()
	for range b.N {
		Sides(x, y, Options{}).Findings()
	}
}

// TestWhatNobodyReadsIsReadInAnotherUnit checks that both sides of a figure are formatted in the unit that is
// shown, one in which numbers are easy to read.
func TestWhatNobodyReadsIsReadInAnotherUnit(t *testing.T) {
	t.Parallel()
	for _, sizes := range [][2]string{{"65432100000", "70000000000"}, {"900000000", "70000000000"}, {"65432100000", ""}, {"", "812"}} {
		var a, b []string
		for i, of := range []*[]string{&a, &b} {
			line := "x model=A output_throughput:10"
			if sizes[i] != "" {
				line += " memory_used_max:" + sizes[i]
			}
			*of = []string{line}
		}
		c := Sides(side("A", a...), side("B", b...), Options{})
		for i := range c.Pairs[0].Figures {
			f := &c.Pairs[0].Figures[i]
			if f.Metric != "memory_used_max" {
				continue
			}
			for k, v := range []*Value{&f.A, &f.B} {
				if len(v.Runs) == 0 {
					continue
				}
				size, _ := strconv.ParseFloat(sizes[k], 64)
				shown := v.Text(v.Median)
				per, known := map[string]float64{"B": 1, "GB": 1e9}[f.Read()]
				got, err := strconv.ParseFloat(strings.ReplaceAll(shown, ",", ""), 64)
				if err != nil || !known || math.Abs(got*per/size-1) > 0.01 || size >= 1e3 && f.Read() == "B" {
					t.Errorf("%s B is written %s %s", sizes[k], shown, f.Read())
				}
			}
			if f.Unit != "B" {
				t.Errorf("the data are in %s", f.Unit)
			}
		}
	}
}
