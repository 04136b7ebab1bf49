package block_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// over makes runs of a model from "version:value/value …".
func over(label, model, metric, points string) []*result.Result {
	var rs []*result.Result
	for _, point := range strings.Fields(points) {
		at, values, _ := strings.Cut(point, "=")
		for n, v := range strings.Split(values, "/") {
			rs = append(rs, run(fmt.Sprintf("%s/%s/%d model=%s %s=%s repeat=%d %s:%s", model, at, n+1, model, label, at, n+1, metric, v)))
		}
	}
	return rs
}

// reported returns the answers of a table and its notes in a language.
func reported(t *report.Table, lang string) string {
	p, _ := locale.For(lang)
	var b strings.Builder
	for _, f := range t.Answers {
		b.WriteString(p.Say(f.Text) + "\n")
	}
	for i, n := range t.Notes {
		fmt.Fprintf(&b, "[%d] %s\n", i+1, p.Say(n.Text))
	}
	return b.String()
}

// TestHistoryOverVersions: the levels of A are 82.5 and 92.4, each the median of two medians: 92.4/82.5 = 1.12. B has
// one level: 41.0, 41.2, 40.8 and 41.1 differ by less than 3 %. Versions are in natural order: 0.9 before 0.10, and a
// build of 0.10.1 after it.
func TestHistoryOverVersions(t *testing.T) {
	d := &dataset.Selection{Results: slices.Concat(
		over("engine_version", "A", "output_throughput", "0.11.1=92.40 0.11.0=92.30/92.40/92.50 0.9.2=82.40/82.50/82.60 0.10.1=82.30/82.50/82.70"),
		over("engine_version", "B", "output_throughput", "0.11.0=41.10 0.9.2=41.00 0.10.1=41.20 0.10.1.1+381074ae=40.80"),
	)}
	b, ms := block.Evaluate(d, "history", []byte("value = 'output_throughput'"), result.Position{})
	if faults(ms) != nil {
		t.Fatal(ms)
	}
	got := "\n" + english().Say(b.Table.Caption) + "\n" + show(b.Table)
	want := `
Output throughput (tok/s)
Model | 0.9.2 (tok/s) | 0.10.1 (tok/s) | 0.10.1.1+381074ae (tok/s) | 0.11.0 (tok/s) | 0.11.1 (tok/s) | First to last
A | 82.50 [1] | 82.50 (±0.0%) [1] | — | 92.40 (+12.0% improvement) [1] | 92.40 (±0.0%) | +12.0%
B | 41.00 | 41.20 (+0.5%) | 40.80 (−1.0%) | 41.10 (+0.7%) | — | +0.2%
[1] median of 3 runs (n = 3); under six runs there is no 95% interval of the median
[2] Per cent: the change against the previous figure.
[3] A word marks each step: a change of level of 3% or more that exceeds the scatter of the points.
`
	if got != want {
		t.Errorf("got%swant%s", got, want)
	}
	// Six runs are before the step, four after it.
	for lang, want := range map[string]string{
		"en": "A: Output throughput rises by 12.0% from 0.11.0 on (82.50 → 92.40 tok/s, n = 6 and 4).\n",
		"zh": "A：输出吞吐量自 0.11.0 起上升 12.0%（82.50 → 92.40 tok/s，n = 6 和 4）。\n",
	} {
		if got, _, _ := strings.Cut(reported(b.Table, lang), "["); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	step, f := b.Table.Rows[0].Cells[4], b.Table.Answers[0]
	if step.Rule != "history.step" || english().Say(step.Why) != "+12.0% (82.50 → 92.40 tok/s, n = 6 and 4)" || english().Say(step.Spread) != "3 runs, 92.30 to 92.50, CV 0.1%" {
		t.Errorf("rule %q, why %q", step.Rule, english().Say(step.Why))
	}
	if f.Rule != "history.step" || f.N != 4 || math.Abs(f.Effect-math.Log(1.12)) > 1e-9 || len(f.Runs) != 10 || f.Runs[0] != "A/0.9.2/1" {
		t.Errorf("finding %+v", f)
	}
}

// TestAStepHasTheDirectionOfItsMetric checks that a supported step to a higher value is a regression if lower is
// better. An unsupported step is unconfirmed, and the claim about a step in the last column says that it may not last.
// 40 ms to 50 ms are +25 %.
func TestAStepHasTheDirectionOfItsMetric(t *testing.T) {
	for _, c := range []struct{ metric, points, cell, claim string }{
		{"tpot_mean", "1=40.0/40.1/39.9/40.0 2=50.0/50.1/49.9/50.0", "50.0 (+25.0% regression)", "A: Mean TPOT rises by 25.0% from 2 on (40.0 → 50.0 ms, n = 4 and 4; the last point, so it is not yet known whether it lasts)."},
		{"tpot_mean", "1=40.0/40.1/39.9/40.0 2=50.0/50.1/49.9/50.0 3=50.0", "50.0 (+25.0% regression) [1]", "A: Mean TPOT rises by 25.0% from 2 on (40.0 → 50.0 ms, n = 4 and 5)."},
		{"tpot_mean", "1=50.0/50.1 2=50.0/50.2 3=40.0/40.1 4=40.0/40.2", "40.0 (−20.1% improvement)", "A: Mean TPOT falls by 20.0% from 3 on (50.1 → 40.1 ms, n = 4 and 4)."},
		{"output_throughput", "1=50.0 2=50.1 3=50.0 4=50.1 5=40.0 6=40.1 7=40.0 8=40.1", "40.0 (−20.2% regression)", "A: Output throughput falls by 20.0% from 5 on (50.0 → 40.0 tok/s, n = 4 and 4)."},
		{"requests_completed", "1=50 2=50 3=50 4=50 5=40 6=40 7=40 8=40", "40 (−20.0% step)", "A: Completed requests falls by 20.0% from 5 on (50 → 40, n = 4 and 4)."},
		{"tpot_mean", "1=40.0 2=50.0", "50.0 (+25.0% unconfirmed)", "A: Mean TPOT rises by 25.0% from 2 on (40.0 → 50.0 ms, n = 1 and 1; the last point, so it is not yet known whether it lasts)."},
		{"tpot_mean", "1=50.0 2=40.0 3=40.0", "40.0 (−20.0% unconfirmed)", "A: Mean TPOT falls by 20.0% from 2 on (50.0 → 40.0 ms, n = 1 and 2; too few runs to confirm it)."},
		{"output_throughput", "1=50.0 2=40.0 3=40.0", "40.0 (−20.0% unconfirmed)", "A: Output throughput falls by 20.0% from 2 on (50.0 → 40.0 tok/s, n = 1 and 2; too few runs to confirm it)."},
		// 2 % are less than the noise of 3 %.
		{"output_throughput", "1=50.0 2=51.0 3=51.0", "51.0 (+2.0%)", ""},
		// An outlier followed by the old level is not a step.
		{"output_throughput", "1=50.0 2=50.0 3=80.0 4=50.0 5=50.0", "80.0 (+60.0%)", ""},
	} {
		d := &dataset.Selection{Results: over("engine_version", "A", c.metric, c.points)}
		b, ms := block.Evaluate(d, "history", []byte("value = '"+c.metric+"'"), result.Position{})
		if faults(ms) != nil {
			t.Fatal(ms)
		}
		if got := show(b.Table); !strings.Contains(got, "| "+c.cell+" |") {
			t.Errorf("no cell %s in\n%s", c.cell, got)
		}
		claims := ""
		for _, f := range b.Table.Answers {
			claims += english().Say(f.Text)
		}
		if claims != c.claim {
			t.Errorf("%s %s: %q, want %q", c.metric, c.points, claims, c.claim)
		}
	}
}

// TestHistoryOverDays checks that runs of one day share a column, whatever the time and its notation, and that days are
// in calendar order.
func TestHistoryOverDays(t *testing.T) {
	d := &dataset.Selection{Results: slices.Concat(
		over("date", "A", "output_throughput", "2026-11-02T09:00:00+08:00=52.0 2026-10-30=50.0 2026-11-02T21:15:00=54.0 2026-09-30T23:00:00Z=50.0"),
		[]*result.Result{run("x model=A output_throughput:1.0 engine_version=1")},
	)}
	got := table(t, d, "history", "over = 'date'\nvalue = 'output_throughput'\nnotes = ['Own.']")
	// (52 + 54)/2 = 53 is 6 % above 50.
	want := `
Model | 2026-09-30 (tok/s) | 2026-10-30 (tok/s) | 2026-11-02 (tok/s) | First to last
A | 50.0 | 50.0 (±0.0%) | 53.0 (+6.0% unconfirmed) [1] | +6.0%
[1] median of 2 runs (n = 2); under six runs there is no 95% interval of the median
[2] Per cent: the change against the previous figure.
[3] A word marks each step: a change of level of 3% or more that exceeds the scatter of the points.
[4] 1 run lacks Date or Model and is left out
[5] Own.
`
	if got != want {
		t.Errorf("got%swant%s", got, want)
	}
}

// TestHistoryIsOverDatesWhereAllRunsHaveOne checks that date is the default label if every run has one.
func TestHistoryIsOverDatesWhereAllRunsHaveOne(t *testing.T) {
	d := &dataset.Selection{Results: []*result.Result{
		run("a model=A date=2026-10-01 engine_version=1 output_throughput:50.0"),
		run("b model=A date=2026-10-02 engine_version=1 output_throughput:50.0"),
	}}
	if got := table(t, d, "history", "value = 'output_throughput'"); !strings.Contains(got, "| 2026-10-01 (tok/s) | 2026-10-02 (tok/s) |") {
		t.Errorf("not over days:%s", got)
	}
	d.Results[1].Labels = d.Results[1].Labels[1:]
	if got := table(t, d, "history", "value = 'output_throughput'"); !strings.Contains(got, "| 1 (tok/s)\n") {
		t.Errorf("not over versions:%s", got)
	}
}

// TestHistoryOfSeveralMetrics checks that each metric has a group of columns and an overall change.
func TestHistoryOfSeveralMetrics(t *testing.T) {
	d := &dataset.Selection{Results: []*result.Result{
		run("a model=A engine_version=1 output_throughput:50.0 ttft_mean:100"),
		run("b model=A engine_version=2 output_throughput:51.0 ttft_mean:99"),
	}}
	got := table(t, d, "history", "value = ['output_throughput', 'ttft_mean']")
	want := `
Model | Output throughput · 1 (tok/s) | Output throughput · 2 (tok/s) | Output throughput · First to last | Mean TTFT · 1 (ms) | Mean TTFT · 2 (ms) | Mean TTFT · First to last
A | 50.0 | 51.0 (+2.0%) | +2.0% | 100 | 99 (−1.0%) | −1.0%
[1] Per cent: the change against the previous figure.
[2] Single runs (n = 1): differences below 3% cannot be told from noise.
`
	if got != want {
		t.Errorf("got%swant%s", got, want)
	}
}

// TestWhatIsExcludedIsNoPartOfAHistory checks that excluded and failed runs are in no changes and steps: beside others
// they are left out, alone they are struck through.
func TestWhatIsExcludedIsNoPartOfAHistory(t *testing.T) {
	d := &dataset.Selection{Results: over("engine_version", "A", "output_throughput", "1=50.0 2=50.0/500.0 3=900.0 4=50.0 5=0.0")}
	roofline := []result.Check{{ID: "physics.memory", Severity: result.Error, Text: locale.Lit("faster than memory allows")}}
	resultOf(d, "A/2/2").Checks = roofline
	resultOf(d, "A/3/1").Checks = roofline
	resultOf(d, "A/5/1").Status = result.Failed
	b, ms := block.Evaluate(d, "history", []byte("value = 'output_throughput'"), result.Position{})
	if faults(ms) != nil {
		t.Fatal(ms)
	}
	want := `Model | 1 (tok/s) | 2 (tok/s) | 3 (tok/s) | 4 (tok/s) | 5 (tok/s) | First to last
A | 50.0 | 50.0 (±0.0%) [1] | 900.0 [2] | 50.0 (±0.0%) | 0.0 [3] | ±0.0%
[1] 1 repeat was excluded by a check
[2] faster than memory allows
[3] no request succeeded
[4] Per cent: the change against the previous figure.
[5] Single runs (n = 1): differences below 3% cannot be told from noise.
`
	if got := show(b.Table); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for i, c := range b.Table.Rows[0].Cells {
		if struck := i == 3 || i == 5; c.Excluded != struck {
			t.Errorf("cell %d: struck %v", i, c.Excluded)
		}
	}
	if len(b.Table.Answers) > 0 {
		t.Errorf("%s", reported(b.Table, "en"))
	}
}

// TestAHistoryMayBeginWithOneColumn checks that a single column shows no changes.
func TestAHistoryMayBeginWithOneColumn(t *testing.T) {
	d := &dataset.Selection{Results: over("engine_version", "A", "output_throughput", "1=50.0")}
	if got, want := table(t, d, "history", "value = 'output_throughput'"), "\nModel | 1 (tok/s)\nA | 50.0\n"; got != want {
		t.Errorf("got%s", got)
	}
}

func TestHistorySaysWhatIsWrong(t *testing.T) {
	d := &dataset.Selection{Results: []*result.Result{
		run("a model=A engine_version=1 load=high output_throughput:50.0"),
		run("b model=A engine_version=1 load=low output_throughput:20.0"),
		run("c clocks=free output_throughput:20.0"),
	}}
	for _, c := range []struct{ name, body, want, hint string }{
		{"no value", "over = 'engine_version'", "p.md:1: error: value is missing", `for example value = "output_throughput"`},
		{"unknown metric", "value = 'output_troughput'", `p.md:2: error: "output_troughput" is neither a metric nor a label of the selected runs`, "did you mean output_throughput?"},
		{"unknown metric of a list", "value = ['output_throughput',\n'load']", `p.md:2: error: "load" is a label, but a metric is expected`, ""},
		{"a number", "value = 3", `p.md:2: error: expected a metric or a list of metrics, not 3 (at key "value")`, ""},
		{"unknown label", "value = 'output_throughput'\nover = 'engin_version'", `p.md:3: error: "engin_version" is neither a metric nor a label of the selected runs`, "did you mean engine_version?"},
		{"unknown series", "value = 'output_throughput'\nseries = 'modl'", `p.md:3: error: "modl" is neither a metric nor a label of the selected runs`, "did you mean model?"},
		{"labels that no run has both", "value = 'output_throughput'\nover = 'clocks'", `p.md:3: error: no run has both clocks and model`, ""},
		{"more than repeats in a cell", "value = 'output_throughput'", `p.md:1: error: 2 runs fall into one cell: model="A", engine_version="1"`, "they differ in load (high, low): name one in where, or make it a row or column"},
		{"sound", "value = 'output_throughput'\nwhere = '{load=\"high\"}'", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, ms := block.Evaluate(d, "history", []byte(c.body), result.Position{File: "p.md", Line: 1})
			got, hint := "", ""
			if len(ms) > 0 {
				got, hint = ms[0].Error(), locale.English(ms[0].Hint)
			}
			if got != c.want || c.hint != "" && hint != c.hint {
				t.Errorf("got %q, %q", got, hint)
			}
		})
	}
}
