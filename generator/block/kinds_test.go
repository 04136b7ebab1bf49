package block_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/block/inline"
	"github.com/benchpost/benchpost/generator/block/tradeoff"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// llamaBench measures prefill and decode separately, with a row for each.
func llamaBench() *dataset.Selection {
	return &dataset.Selection{Results: []*result.Result{
		run("a.1 model=Q4 input_len=512 max_concurrency=1 prefill_throughput:2413.3"),
		run("a.2 model=Q4 output_len=128 max_concurrency=1 decode_throughput:132.1"),
		run("b.1 model=Q8 input_len=512 max_concurrency=1 prefill_throughput:2501.9"),
		run("b.2 model=Q8 output_len=128 max_concurrency=1 decode_throughput:97.4"),
		run("c model=Q4 task=gsm8k quality:0.93"),
	}}
}

// TestARowOfDifferentMeasurements checks that results with different measurements share a row, each with its figure,
// and that the differences in their settings are not reported.
func TestARowOfDifferentMeasurements(t *testing.T) {
	block, ms := block.Evaluate(llamaBench(), "table", []byte("rows = ['model']\ncolumns = ['prefill_throughput', 'decode_throughput', 'quality']"), result.Position{})
	if len(ms) > 0 {
		t.Fatalf("%v", ms)
	}
	table := block.Table
	var got []string
	for _, row := range table.Rows {
		for _, c := range row.Cells {
			got = append(got, locale.English(c.Text))
		}
	}
	if want := []string{"Q4", "2413.3", "132.1", "0.93", "Q8", "2501.9", "97.4", ""}; !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	for _, n := range table.Notes {
		if n.Severity > result.Info {
			t.Errorf("note: %s", locale.English(n.Text))
		}
	}
}

// TestTwoOfOneKindDoNotShareACell checks that two prefills of different lengths are not one figure.
func TestTwoOfOneKindDoNotShareACell(t *testing.T) {
	d := llamaBench()
	d.Results = append(d.Results, run("a.3 model=Q4 input_len=4096 max_concurrency=1 prefill_throughput:1900"))
	_, ms := block.Evaluate(d, "table", []byte("rows = ['model']\ncolumns = ['prefill_throughput', 'decode_throughput']"), result.Position{})
	if len(ms) != 1 || locale.English(ms[0].Hint) != "they differ in input_len (512, 4096): name one in where, or make it a row or column" {
		t.Errorf("%v", ms)
	}
}

// TestPhasesAreNamedToBeCounted checks that warm-ups and replaced runs count only if the author names the phase.
func TestPhasesAreNamedToBeCounted(t *testing.T) {
	d := sample()
	d.Auxiliary = []*result.Result{run("w model=Qwen3-8B load=low phase=warmup output_throughput:3.5")}
	for where, want := range map[string]string{
		`output_throughput{model="Qwen3-8B",load="low"}`:                "15.69",
		`output_throughput{model="Qwen3-8B",load="low",phase="warmup"}`: "3.5",
		`count{load="low"}`:                     "3",
		`count{load="low",phase=~"warmup|"}`:    "4",
		`count{load="low",phase!="superseded"}`: "4",
	} {
		v, err := inline.Evaluate(d, where, english())
		if err != nil {
			t.Errorf("%s: %v", where, err)
		} else if got := v.Text; got != want {
			t.Errorf("%s is %s, not %s", where, got, want)
		}
	}
}

// TestAGroupOfTasksIsOneColumn checks that a suite of tasks has one column for the group, not one for each subject.
func TestAGroupOfTasksIsOneColumn(t *testing.T) {
	d := sample()
	for _, model := range []string{"Qwen3-8B", "Qwen3-8B-FP4"} {
		for i, task := range []string{"mmlu", "mmlu_anatomy", "mmlu_law", "mmlu_physics", "mmlu_virology", "mmlu_logic", "gsm8k"} {
			r := run(fmt.Sprintf("%s-%s model=%s quality:0.%d1", model, task, model, i+1))
			r.Labels.Set(result.Label{Name: "task", Value: task})
			d.Results = append(d.Results, r)
		}
	}
	block, ms := block.Evaluate(d, "tradeoff", []byte("baseline = '{model=\"Qwen3-8B\"}'"), result.Position{})
	if len(faults(ms)) > 0 {
		t.Fatal(ms)
	}
	var tasks []string
	for _, c := range block.Table.Columns {
		if c.Metric == "quality" {
			tasks = append(tasks, locale.English(c.Title))
		}
	}
	if !slices.Equal(tasks, []string{"gsm8k", "mmlu"}) {
		t.Errorf("columns for %q", tasks)
	}
}

// TestACurveInWords checks that the text of a curve has the digits of both metrics, and that settings that differ at
// one load name the load with its label.
func TestACurveInWords(t *testing.T) {
	d := &dataset.Selection{}
	for _, r := range []string{
		"a.1 model=A max_concurrency=1 num_prompts=10 output_throughput:15.69", "a.8 model=A max_concurrency=8 num_prompts=100 output_throughput:82.47",
		"b.1 model=B max_concurrency=1 num_prompts=10 output_throughput:40.26", "b.8 model=B max_concurrency=8 num_prompts=200 output_throughput:167.20",
	} {
		d.Results = append(d.Results, run(r))
	}
	for i, speed := range []float64{15.715857300015715, 11.719207781553967, 40.43671653861706, 23.764258555133082} {
		d.Results[i].Metrics = append(d.Results[i].Metrics, result.Metric{Kind: &result.Kind{Name: "interactivity", Unit: "tok/s/user", Better: result.Higher},
			Value: speed, Decimals: result.FullPrecision})
	}
	block, ms := block.Evaluate(d, "chart", []byte("kind = 'lines'\nover = 'max_concurrency'\nx = 'interactivity'\ny = 'output_throughput'"), result.Position{})
	if block.Chart == nil {
		t.Fatal(ms)
	}
	if got, want := locale.English(block.Chart.Alt), "Output throughput (tok/s) over Interactivity, 2 lines. A: 15.69 at 15.72, 82.47 at 11.72. B: 40.26 at 40.44, 167.20 at 23.76."; got != want {
		t.Errorf("alt %q, want %q", got, want)
	}
	var notes []string
	for _, n := range block.Chart.Notes {
		notes = append(notes, locale.English(n))
	}
	if want := "Concurrency 8 – Prompts: 200 for B, 100 for A."; !slices.Contains(notes, want) {
		t.Errorf("notes %q, want %q", notes, want)
	}
}

// TestALimitOfQualityIsOfOneTask: scores of two tasks are not repeats.
func TestALimitOfQualityIsOfOneTask(t *testing.T) {
	d := sample()
	for _, spec := range []string{"q1 model=Qwen3-8B-FP8 task=gsm8k quality:0.61", "q2 model=Qwen3-8B-FP8 task=mmlu quality:0.99", "q3 model=Qwen3-8B-FP4 task=gsm8k quality:0.83"} {
		d.Results = append(d.Results, run(spec))
	}
	block, ms := block.Evaluate(d, "tradeoff", []byte("limits = { quality = 0.8 }\nat = 'high'"), result.Position{})
	if len(faults(ms)) > 0 {
		t.Fatal(ms)
	}
	got := locale.English(block.Table.Answers[0].Text) + " " + locale.English(block.Table.Answers[0].Reason)
	if !strings.Contains(got, "uality (gsm8k) ≥ 0.8: deploy Qwen3-8B-FP4") || !strings.Contains(got, "Qwen3-8B-FP8 (misses quality (gsm8k) ≥ 0.8)") {
		t.Error(got)
	}
}

// TestTradeoffTablesOfASite checks that a site has tradeoff tables of the campaigns whose runs allow one.
func TestTradeoffTablesOfASite(t *testing.T) {
	d := &dataset.Selection{Site: dataset.Site{Limits: map[string]string{"weight_size": "9 G"}}, Results: []*result.Result{
		run("a1 campaign=a hardware=x load=high model=A weight_size=16_G output_throughput:80"),
		run("a2 campaign=a hardware=x load=high model=B weight_size=8_G output_throughput:160"),
		run("b1 campaign=b hardware=x load=high model=A weight_size=16_G engine=vllm output_throughput:80"),
		run("b2 campaign=b hardware=x load=high model=A weight_size=16_G engine=sglang output_throughput:90"),
		run("b3 campaign=b hardware=x load=high model=B weight_size=8_G output_throughput:90"),
		run("c1 campaign=c hardware=x load=high model=A weight_size=16_G output_throughput:80"),
		run("c2 campaign=c hardware=x load=high model=C output_throughput:80"),
	}}
	tables := tradeoff.Tables(d, d.Results)
	if len(tables) != 1 || locale.English(tables[0].Caption) != "a · x" || len(tables[0].Rows) != 2 {
		t.Fatalf("%d tables", len(tables))
	}
	if got := locale.English(tables[0].Answers[0].Text); !strings.Contains(got, "deploy B (8 G, 160 tok/s)") {
		t.Error(got)
	}
}
