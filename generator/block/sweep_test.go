package block_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// swept6 returns a sweep of six steps. Concurrency scaled to the range 0 to 1 is 0, 1/31, 3/31, 7/31, 15/31, 1;
// throughput, over 630 − 100 = 530, is 0, 0.170, 0.453, 0.868, 0.981, 1. Its lead is 0, 0.138, 0.356, 0.642, 0.497, 0:
// the knee is 8, since 0.642 is more than 1/5.
func swept6(model string) []*result.Result {
	var out []*result.Result
	for _, s := range []string{"1 100 50", "2 190 60", "4 340 90", "8 560 200", "16 620 520", "32 630 2100"} {
		f := strings.Fields(s)
		out = append(out, run(fmt.Sprintf("%s/%s model=%[1]s max_concurrency=%[2]s output_throughput:%s.00 ttft_p99:%s.0", model, f[0], f[1], f[2])))
	}
	return out
}

func TestSweepComesToPeakKneeAndCapacity(t *testing.T) {
	// 300 ms is 100/320 of the way from 200 at 8 to 520 at 16: 8 + 8 · 0.3125 = 10.5.
	got := table(t, &dataset.Selection{Results: swept6("A")}, "sweep", "limit = 300")
	want := `
Model | Concurrency | Peak · Output throughput (tok/s) | Peak · Concurrency | Knee · Concurrency | Knee · Output throughput (tok/s) | Knee · P99 TTFT (ms) | P99 TTFT ≤ 300 ms · Measured | P99 TTFT ≤ 300 ms · Interpolated
A | 1–32, 6 steps | 630.00 | 32 [1] | 8 [2] | 560.00 | 200.0 | 8 | ≈ 10.5 [3]
[1] At the last measured step: higher values may be possible beyond it.
[2] Knee: up to this step, added load brings more throughput than the average of the sweep; after it, less (Kneedle, Satopää et al., 2011). A longer sweep can move it.
[3] ≈ 10.5 was not measured: it is interpolated linearly between 8 (200.0 ms) and 16 (520.0 ms).
[4] Single runs (n = 1): differences below 3% cannot be told from noise.
`
	if got != want {
		t.Errorf("got%swant%s", got, want)
	}
}

func TestSweepSaysWhatItCannotTell(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		// The slowest of the steps up to 32 takes 2100 ms.
		{"all meet the limit", "limit = 2100\nwhere = '{model=\"A\"}'", "| 8 [2] | 560.00 | 200.0 | ≥ 32 | —\n"},
		{"none meets it", "limit = 49.5\nwhere = '{model=\"A\"}'", "| 200.0 | none | —\n"},
		{"three steps have no knee", "where = '{max_concurrency=~\"1|2|4\"}'", "A | 1–4, 3 steps | *340.00 | 4 [1] | — | — | —\n"},
		{"one step", "where = '{model=\"A\",max_concurrency=\"2\"}'", "A | 2, 1 step | 190.00 | 2 [1] | — | — | —\n"},
		// 1, 2, 4 and 16: leads 0, 0.173 − 0.067 = 0.106, 0.462 − 0.2 = 0.262, 0; 0.262 is less than 1/3.
		{"a bend that could be noise", "where = '{model=\"A\",max_concurrency=~\"1|2|4|16\"}'", "A | 1–16, 4 steps | 620.00 | 16 [1] | — | — | —\n"},
		{"no limit, no columns for it", "where = '{model=\"A\"}'", "| 8 [2] | 560.00 | 200.0\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &dataset.Selection{Results: append(swept6("A"), swept6("B")[:3]...)}
			d.Results[8].Metrics[0].Value, d.Results[8].Metrics[0].Decimals = 330, 0 // B is not as fast at 4
			if got := table(t, d, "sweep", c.body); !strings.Contains(got, c.want) {
				t.Errorf("no row %q in%s", c.want, got)
			}
		})
	}
}

func TestVerdictsOfASweepHaveReasons(t *testing.T) {
	reason := func(d *dataset.Selection, body string, cell int) (string, string) {
		b, ms := block.Evaluate(d, "sweep", []byte(body), result.Position{})
		if faults(ms) != nil {
			t.Fatal(ms)
		}
		c := b.Table.Rows[0].Cells[cell]
		return c.Rule, english().Say(c.Why)
	}
	even := &dataset.Selection{}
	for _, n := range []string{"1", "2", "4", "8"} {
		even.Results = append(even.Results, run("A/"+n+" model=A max_concurrency="+n+" output_throughput:"+n+"00"))
	}
	for _, c := range []struct {
		d          *dataset.Selection
		body       string
		cell       int
		rule, want string
	}{
		{&dataset.Selection{Results: swept6("A")[:3]}, "", 4, "sweep.no-knee", "a knee needs four steps, and there are 3"},
		{even, "", 4, "sweep.no-knee", "throughput rises evenly or at an increasing rate, bends too little, or falls from the start"},
		{&dataset.Selection{Results: swept6("A")}, "limit = 49.5", 7, "sweep.none", "the lowest step, 1, is at 50.0 ms"},
		{&dataset.Selection{Results: swept6("A")}, "limit = 2100", 7, "sweep.all", "every step stays within the limit; the highest, 32, is at 2100.0 ms, and how much further it goes is unknown"},
		{&dataset.Selection{Results: swept6("A")}, "limit = 300", 7, "sweep.measured", "8 is at 200.0 ms, 16 at 520.0 ms"},
		{&dataset.Selection{Results: swept6("A")}, "limit = 300", 8, "sweep.interpolated", "8 is at 200.0 ms, 16 at 520.0 ms"},
	} {
		if rule, why := reason(c.d, c.body, c.cell); rule != c.rule || why != c.want {
			t.Errorf("%q: %s, %q, want %s, %q", c.body, rule, why, c.rule, c.want)
		}
	}
}

// TestPeaksOfUnlikeSweepsAreNotRanked: a series with a longer range has a higher peak only because of that.
func TestPeaksOfUnlikeSweepsAreNotRanked(t *testing.T) {
	d := &dataset.Selection{Results: append(swept6("A"), swept6("B")[:4]...)}
	got := table(t, d, "sweep", "")
	if strings.Contains(got, "*") || !strings.Contains(got, "The series cover different steps") {
		t.Errorf("peaks are ranked:%s", got)
	}
	d.Results = append(swept6("A"), swept6("B")...)
	if got = table(t, d, "sweep", ""); !strings.Contains(got, "*630.00") || strings.Contains(got, "cover different steps") {
		t.Errorf("peaks of the same steps are not ranked:%s", got)
	}
}

func TestAFirstMissEndsTheCapacity(t *testing.T) {
	d := &dataset.Selection{Results: swept6("A")}
	d.Results[1].Metrics[1].Value = 110
	// 75 is 25/60 of the way from 50 at 1 to 110 at 2; 4 is at 90, and 2 again at 60.
	if got := table(t, d, "sweep", "limit = 80"); !strings.Contains(got, "| 1 | ≈ 1.50 [3]\n") || strings.Contains(got, "again") {
		t.Errorf("got%s", got) // 30/60 of the way
	}
	if got := table(t, d, "sweep", "limit = 95"); !strings.Contains(got, "| 1 [3] | ≈ 1.75 [4]\n") || !strings.Contains(got, "[3] 4 stays within the limit again") {
		t.Errorf("got%s", got) // 45/60 of the way
	}
}

// TestASweepLeavesOutWhatIsExcluded: without step 8, the knee is at 16: 1, 2, 4, 16, 32 lead by 0, 0.138, 0.356, 0.497,
// 0, and 0.497 is more than 1/4. 300 ms is between 90 at 4 and 520 at 16: 4 + 12 · 210/430 = 9.86.
func TestASweepLeavesOutWhatIsExcluded(t *testing.T) {
	d := &dataset.Selection{Results: swept6("A")}
	exclude(d.Results[3])
	got := table(t, d, "sweep", "limit = 300")
	for _, want := range []string{
		"A | 1–32, 5 steps | 630.00 | 32 [1] | 16 [2] | 620.00 | 520.0 | 4 | ≈ 9.86 [3]\n",
		"[4] A: 1 run (Concurrency 8) is excluded by a check and not counted here.\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in%s", want, got)
		}
	}
	for _, r := range d.Results {
		if !r.Excluded() {
			exclude(r)
		}
	}
	got = table(t, d, "sweep", "limit = 300")
	if want := "A | — | — | — | — | — | — | — | —\n"; !strings.Contains(got, want) {
		t.Errorf("no %q in%s", want, got)
	}
}

func TestALimitMayBeTheSites(t *testing.T) {
	d := &dataset.Selection{Site: dataset.Site{Limits: map[string]string{"ttft_p99": "500 ms", "tpot_mean": "50"}}, Results: swept6("A")}
	if got := table(t, d, "sweep", ""); !strings.Contains(got, "P99 TTFT ≤ 500 ms · Measured") {
		t.Errorf("got%s", got)
	}
	if got := table(t, d, "sweep", "limit = 90"); !strings.Contains(got, "P99 TTFT ≤ 90 ms · Measured") || !strings.Contains(got, "| 4 | ≈ 4.00") {
		t.Errorf("got%s", got)
	}
}

func TestStepsWithoutABoundAreNone(t *testing.T) {
	d := &dataset.Selection{}
	for _, rate := range []string{"0.5", "inf", "1", "2", "4"} {
		d.Results = append(d.Results, run("a/"+rate+" model=A request_rate="+rate+" output_throughput:50"))
	}
	got := table(t, d, "sweep", "over = 'request_rate'")
	want := `
Model | Request rate | Peak · Output throughput (tok/s) | Peak · Request rate | Knee · Request rate | Knee · Output throughput (tok/s)
A | 0.5–4, 4 steps | 50 | 0.5 | — | —
[1] 1 run without a bound (inf) is left out, because it is not a step.
`
	if got != want {
		t.Errorf("got%swant%s", got, want)
	}
}

// TestPointsTellWhatEachRequestBrings: the repeats of a step give their median.
func TestPointsTellWhatEachRequestBrings(t *testing.T) {
	d := &dataset.Selection{Results: swept6("A")}
	d.Results = append(d.Results, run("A/1b model=A max_concurrency=1 repeat=2 output_throughput:110.00 ttft_p99:50.0"))
	d.Results[0].Metrics[0].Value = 90
	exclude(d.Results[4])
	d.Results[5].Metrics[0].Value = 512
	got := table(t, d, "sweep", "table = 'points'")
	// Per request 100, 95, 85, 70 and 16; added 90, 150/2 = 75, 220/4 = 55 and,
	// past the run that is excluded, −48/24 = −2.
	want := `
Model | Concurrency | Output throughput (tok/s) | P99 TTFT (ms) | Scaling (%) | Marginal gain (%)
A | 1 | 100.00 [1] | 50.0 [1] | 100.0 | 
A | 2 | 190.00 | 60.0 | 95.0 | 90.0
A | 4 | 340.00 | 90.0 | 85.0 | 75.0
A | 8 | 560.00 | 200.0 | 70.0 | 55.0
A | 16 | 620.00 [2] | 520.0 | — | —
A | 32 | 512.00 | 2100.0 | 16.0 | −2.0
[1] median of 2 runs (n = 2); under six runs there is no 95% interval of the median
[2] Struck: faster than memory allows. Reading the weights for each token would need 144% of the bandwidth.
[3] Scaling: throughput per unit of load, relative to the series' first valid step.
[4] Marginal gain: throughput per unit of load added since the previous step, relative to the throughput per unit at the series' first valid step.
`
	if got != want {
		t.Errorf("got%swant%s", got, want)
	}
	b, _ := block.Evaluate(d, "sweep", []byte("table = 'points'"), result.Position{})
	for i, row := range b.Table.Rows {
		if row.Excluded != (i == 4) {
			t.Errorf("row %d: excluded %v", i, row.Excluded)
		}
	}
}

func TestScaling(t *testing.T) {
	d := &dataset.Selection{Results: []*result.Result{
		run("a/1 model=A output_throughput:100.0"),
		run("a/2 model=A accelerators=2 output_throughput:190.0"),
		run("a/4 model=A parallelism=tp2-pp2 output_throughput:360.0"),
		run("b/2 model=B parallelism=tp2 output_throughput:500.0"),
		run("b/4 model=B parallelism=tp2-pp2 output_throughput:400.0"),
		run("b/8 model=B parallelism=tp8 output_throughput:1800.0"),
		run("c model=C parallelism=tp8 output_throughput:1.0"),
	}}
	exclude(d.Results[3])
	got := table(t, d, "scaling", "")
	// A: 190/100 with 2, 360/100 with 4. B: its run with 2 is excluded; 1800/400 with twice as many is 2.25.
	want := `
Model | Accelerators | Output throughput (tok/s) | Per accelerator (tok/s) | Parallel efficiency (%)
A | 1 | 100.0 | 100.0 | 100.0
A | 2 | 190.0 | 95.0 | 95.0
A | 4 | 360.0 | 90.0 | 90.0
B | 2 | 500.0 [1] | 250.0 | —
B | 4 | 400.0 | 100.0 | 100.0
B | 8 | 1800.0 | 225.0 | 225.0
C | 8 | 1.0 | 0.1 | 100.0
[1] Struck: faster than memory allows. Reading the weights for each token would need 144% of the bandwidth.
[2] Parallel efficiency: throughput per accelerator, relative to the valid run of the series with the fewest accelerators.
[3] Single runs (n = 1): differences below 3% cannot be told from noise.
`
	if got != want {
		t.Errorf("got%swant%s", got, want)
	}
}

func TestSweepNotesAreChineseToo(t *testing.T) {
	d := &dataset.Selection{Results: swept6("A")}
	exclude(d.Results[5])
	b, ms := block.Evaluate(d, "sweep", []byte("limit = 300"), result.Position{})
	if faults(ms) != nil {
		t.Fatal(ms)
	}
	zh, _ := locale.For("zh")
	var got []string
	for _, n := range b.Table.Notes {
		got = append(got, zh.Say(n.Text))
	}
	want := []string{
		"位于最后一个测点：再往上可能更高。",
		"拐点：在它之前，增加负载带来的吞吐量高于整个扫描的平均，之后低于平均（Kneedle，Satopää 等，2011）。扫描范围扩大后，拐点可能移动。",
		"≈ 10.5 并非实测：在 8（200.0 ms）与 16（520.0 ms）之间线性插值得出。",
		"A 的 1 次运行（并发数 32）被检查排除，此处均不计入。",
		"均为单次运行（n = 1）：3% 以内的差别无法与噪声区分。",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if s := zh.Say(b.Table.Rows[0].Cells[1].Text); s != "1–16，5 个测点" {
		t.Errorf("steps: %s", s)
	}
}

// TestCapacityBearsTheDoubtsOfItsLatency: the run at 8 has too few requests for a P99, and the TTFT at 16 is doubted.
// The interpolated step uses both.
func TestCapacityBearsTheDoubtsOfItsLatency(t *testing.T) {
	d := &dataset.Selection{Results: swept6("A")}
	d.Results[4].Checks = []result.Check{{ID: "physics.compute-roofline", Severity: result.Warning, Metrics: []string{"ttft"}, Text: locale.Lit("warm"), Figures: map[string]float64{"share": 2}}}
	d.Results[3].Metrics = append(d.Results[3].Metrics, result.Metric{Kind: &result.Kind{Name: "requests_completed", Unit: "1"}, Value: 40})
	b, ms := block.Evaluate(d, "sweep", []byte("limit = 300"), result.Position{})
	if faults(ms) != nil {
		t.Fatal(ms)
	}
	cells := b.Table.Rows[0].Cells
	measured, interpolated := cells[len(cells)-2], cells[len(cells)-1]
	if measured.Doubted || !measured.Weak || !interpolated.Doubted || !interpolated.Weak {
		t.Errorf("measured %+v, interpolated %+v", measured, interpolated)
	}
}

func TestSweepsSayWhatIsWrongAndWhere(t *testing.T) {
	for _, c := range []struct {
		kind, body string
		line       int
		text, hint string
	}{
		{"sweep", "over = 'max_concurency'", 11, "neither a metric nor a label", "did you mean max_concurrency?"},
		{"sweep", "limit = 3\nover = 'model'", 12, `the values of the label "model" do not share one unit`, "its values: A"},
		{"sweep", "series = 'modle'", 11, "neither", "did you mean model?"},
		{"sweep", "throughput = 'ttft_p99'", 11, `"ttft_p99" is no such metric`, "for which higher is better"},
		{"sweep", "throughput = 'total_throughput'", 11, `no selected run has the metric "total_throughput"`, ""},
		{"sweep", "latency = 'output_throughput'", 11, `"output_throughput" is no such metric`, "for which lower is better"},
		{"sweep", "limit = 0", 11, "limit = 0 is not a latency", "in ms"},
		{"sweep", "limit = inf", 11, "limit = +Inf is not a latency", "in ms"},
		{"sweep", "table = 'point'", 11, `table = "point" is not known`, `write "points"`},
		{"sweep", "where = '{load=\"high\"}'", 11, "no run matches", ""},
		{"scaling", "", 10, "no model was measured on two numbers of accelerators", "declare accelerators"},
		{"scaling", "series = 'modle'", 11, "neither", "did you mean model?"},
		{"scaling", "throughput = 'ttft_p99'", 11, "is no such metric", "higher"},
	} {
		_, ms := block.Evaluate((&dataset.Selection{Results: swept6("A")[:1]}), c.kind, []byte(c.body), result.Position{File: "post.md", Line: 10})
		if len(ms) != 1 {
			t.Errorf("%s %q: %d messages %v", c.kind, c.body, len(ms), ms)
			continue
		}
		m := ms[0]
		if m.Pos.Line != c.line || !strings.Contains(locale.English(m.Text), c.text) || !strings.Contains(locale.English(m.Hint), c.hint) {
			t.Errorf("%s %q\n got %s [%s]\nwant line %d: %s [%s]", c.kind, c.body, m.Error(), m.Hint, c.line, c.text, c.hint)
		}
	}
	d := &dataset.Selection{Site: dataset.Site{Limits: map[string]string{"ttft_p99": "2 s"}}, Results: swept6("A")}
	d.Results = append(d.Results, run("b model=A max_concurrency=8 input_len=9 output_throughput:1"))
	for body, want := range map[string]string{
		"":             `the site's limit ttft_p99 = "2 s" is not in the unit of the metric`,
		"limit = 2000": `2 runs fall into one cell: model="A", max_concurrency="8"`,
	} {
		if _, ms := block.Evaluate(d, "sweep", []byte(body), result.Position{}); len(ms) != 1 || !strings.Contains(locale.English(ms[0].Text), want) {
			t.Errorf("%q: %v, want %s", body, ms, want)
		}
	}
	d.Results = []*result.Result{run("a model=A max_concurrency=1 output_throughput:1")}
	if _, ms := block.Evaluate(d, "sweep", []byte("limit = 3"), result.Position{}); len(ms) != 1 || !strings.Contains(locale.English(ms[0].Text), "a limit needs a latency") {
		t.Errorf("a limit without a latency: %v", ms)
	}
}
