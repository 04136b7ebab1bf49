package block_test

import (
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// exclude adds a check that excludes a run.
func exclude(r *result.Result) {
	r.Checks = append(r.Checks, result.Check{ID: "physics.memory-roofline", Severity: result.Error, Text: locale.Lit("too fast"), Figures: map[string]float64{"mbu": 1.44}})
}

// geomeanBlock is a block with geometric means. At high load, output throughput is 82.47, 167.20, 298.07 and 79.23:
// the ratios 2.0274, 3.6143 and 0.9607 have the product 7.0397 and the mean 1.917. The ratios of TTFT are 0.5858,
// 0.5084 and 2.2835: 0.6800 and 0.879. TPOT has two, 0.4931 and 0.2647: 0.1305 and 0.361. A label has none.
const geomeanBlock = `
where = '{load="high"}'
columns = ["weight_size", "output_throughput", "ttft_mean", "tpot_mean"]
sort = "-output_throughput"
baseline = '{model="Qwen3-8B"}'
geomean = true
accept = ["num_prompts"]
`

func TestGeometricMeanOfRatios(t *testing.T) {
	for change, want := range map[string]string{
		"ratio":   "geometric mean |  | 1.92× [1] | 0.88× [1] | 0.36× [2]\n",
		"percent": "geometric mean |  | +91.7% [1] | −12.1% [1] | −63.9% [2]\n",
	} {
		got := table(t, sample(), "table", geomeanBlock+"change = '"+change+"'")
		for _, want := range []string{want, `
[1] Geometric mean of the ratios to the baseline, over 3 rows.
[2] Geometric mean of the ratios to the baseline, over 2 of 3 rows: in the others the figure is missing, struck, in doubt or based on too few samples.
`} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in%s", change, want, got)
			}
		}
	}
}

// TestGeometricMeanLeavesOutWhatDoesNotCount: without FP8 the product is 1.9477 and the mean of two 1.396; without the
// doubted TTFT of Int8 it is √(0.5858 · 0.5084) = 0.546.
func TestGeometricMeanLeavesOutWhatDoesNotCount(t *testing.T) {
	d := sample()
	exclude(d.Results[4])
	got := table(t, d, "table", geomeanBlock+"change = 'ratio'")
	if want := "geometric mean |  | 1.40× [2] |"; !strings.Contains(got, want) || !strings.Contains(got, "[2] Geometric mean of the ratios to the baseline, over 2 of 3 rows") {
		t.Errorf("no %q in%s", want, got)
	}
	d = sample()
	d.Results[6].Checks = []result.Check{{ID: "physics.compute-roofline", Severity: result.Warning, Metrics: []string{"ttft"}, Text: locale.Lit("warm"), Figures: map[string]float64{"share": 2}}}
	got = table(t, d, "table", geomeanBlock+"change = 'ratio'")
	if want := "geometric mean |  | 1.92× [2] | 0.55× [3] | 0.36× [3]\n"; !strings.Contains(got, want) {
		t.Errorf("no %q in%s", want, got)
	}
	d = sample()
	exclude(d.Results[0]) // the baseline
	b, _ := block.Evaluate(d, "table", []byte(geomeanBlock+"change = 'ratio'"), result.Position{})
	last := b.Table.Rows[len(b.Table.Rows)-1]
	if !last.Summary || !last.Cells[2].Missing {
		t.Errorf("a mean of ratios to a struck baseline: %+v", last)
	}
	zh, _ := locale.For("zh")
	if s := zh.Say(b.Table.Notes[last.Cells[2].Notes[0]-1].Text); s != "不取平均：基线或其余所有行缺少该数据，或数据被划线、存疑、样本过少。" {
		t.Error(s)
	}
}

func TestGeometricMeanWantsABaseline(t *testing.T) {
	_, ms := block.Evaluate(sample(), "table", []byte("where = '{load=\"high\"}'\ncolumns = ['output_throughput']\ngeomean = true"), result.Position{File: "post.md", Line: 10})
	if len(ms) != 1 || ms[0].Pos.Line != 13 || !strings.Contains(locale.English(ms[0].Text), "geomean needs a baseline") {
		t.Errorf("%v", ms)
	}
	if got := table(t, sample(), "table", strings.Replace(geomeanBlock, "geomean = true", "change = 'ratio'", 1)); strings.Contains(got, "geometric mean") {
		t.Errorf("a mean nobody asked for:%s", got)
	}
}
