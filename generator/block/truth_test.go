package block_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/result"
)

// repeated returns runs of a model with one metric, one for each value.
func repeated(model, labels, metric string, values ...string) []*result.Result {
	var out []*result.Result
	for i, v := range values {
		out = append(out, run(fmt.Sprintf("%s%s/run-%d model=%[1]s repeat=%[3]d %[4]s %[5]s:%[6]s", model, strings.ReplaceAll(labels, " ", "-"), i+1, labels, metric, v)))
	}
	return out
}

// TestSingleRunsAreOnlyReportedOfSingleRuns checks that the note about single runs appears only if no figure was
// repeated.
func TestSingleRunsAreOnlyReportedOfSingleRuns(t *testing.T) {
	t.Parallel()
	var rs []*result.Result
	for _, mode := range []string{"30W", "MAXN"} {
		for i, v := range []string{"100.0", "100.2", "99.8", "100.1", "99.9"} {
			v := map[string]string{"30W": v, "MAXN": "1" + v}[mode]
			rs = append(rs, run(fmt.Sprintf("%s/run-%d model=A power_mode=%[1]s load=high repeat=%[2]d output_throughput:%s", mode, i, v)))
		}
	}
	reported := findings(t, &dataset.Selection{Results: rs}, `factors = ["power_mode"]`, "en")
	if strings.Contains(reported, "n = 1") || !strings.Contains(reported, "Repeats of each: 5.") {
		t.Errorf("got\n%s", reported)
	}
}

// TestClaimsTellTheirRepeats checks that claims name the number of repeats.
func TestClaimsTellTheirRepeats(t *testing.T) {
	t.Parallel()
	d := &dataset.Selection{Results: append(repeated("A", "load=high", "output_throughput", "100.0", "100.1", "100.2", "100.3"),
		run("B/run-1 model=B load=high output_throughput:50.0"))}
	if reported := findings(t, d, "", "en"); !strings.Contains(reported, "Repeats of each: 1–4.") {
		t.Errorf("got\n%s", reported)
	}
}

// TestOnlyWeightsAreOutdoneBySize checks that only variants of weights are outdone by smaller ones.
func TestOnlyWeightsAreOutdoneBySize(t *testing.T) {
	t.Parallel()
	for _, rows := range []string{"hardware", "accelerators", "engine_version"} {
		d := &dataset.Selection{Results: []*result.Result{
			run("a model=M load=high weight_size=16_G " + rows + "=1 output_throughput:50"),
			run("b model=M load=high weight_size=16_G " + rows + "=2 output_throughput:90"),
			run("c model=M load=high weight_size=8_G " + rows + "=4 output_throughput:99"),
		}}
		if reported := findings(t, d, `rows = "`+rows+`"`, "en"); strings.Contains(reported, "no larger") {
			t.Errorf("%s: got\n%s", rows, reported)
		}
	}
	same := &dataset.Selection{Results: []*result.Result{
		run("a model=A load=high weight_size=16_G output_throughput:50"), run("b model=B load=high weight_size=16_G output_throughput:90"),
	}}
	if reported := findings(t, same, "", "en"); strings.Contains(reported, "no larger") {
		t.Errorf("models of one size: got\n%s", reported)
	}
}

// twoVariants returns a small fast variant and a larger one, which is better in one other metric.
func twoVariants(more ...string) *dataset.Selection {
	d := &dataset.Selection{Results: []*result.Result{
		run("awq/high model=AWQ base_model=M load=high max_concurrency=8 weight_size=5_G output_throughput:100.0 ttft_mean:200.0 energy_per_output_token:2.00"),
		run("fp8/high model=FP8 base_model=M load=high max_concurrency=8 weight_size=9_G output_throughput:90.0 ttft_mean:200.0 energy_per_output_token:2.00"),
	}}
	for _, spec := range more {
		d.Results = append(d.Results, run(spec))
	}
	return d
}

// TestVerdictsWeighWhatWasMeasured checks that a variant that is better in some metric is not outdone, and that the
// answer mentions it.
func TestVerdictsWeighWhatWasMeasured(t *testing.T) {
	t.Parallel()
	quality := func(awq, fp8, stderr string) []string {
		return []string{"awq/eval model=AWQ task=gsm8k quality:" + awq + " quality_stderr:" + stderr, "fp8/eval model=FP8 task=gsm8k quality:" + fp8 + " quality_stderr:" + stderr}
	}
	for _, c := range []struct {
		name    string
		d       *dataset.Selection
		outdone bool
		better  string
	}{
		{"equal in all else", twoVariants(), true, ""},
		{"better answers", twoVariants(quality("0.742", "0.784", "0.011")...), false, "FP8 (quality (gsm8k))"},
		{"answers within two standard errors", twoVariants(quality("0.779", "0.784", "0.011")...), true, ""},
		{"a faster first token", func() *dataset.Selection { d := twoVariants(); d.Results[1].Metrics[1].Value = 120; return d }(), false, "FP8 (mean TTFT)"},
		{"less energy", func() *dataset.Selection { d := twoVariants(); d.Results[1].Metrics[2].Value = 1.5; return d }(), false, "FP8 (energy per output token)"},
		{"a first token within noise", func() *dataset.Selection { d := twoVariants(); d.Results[1].Metrics[1].Value = 198; return d }(), true, ""},
	} {
		got := table(t, c.d, "tradeoff", `limits = { ttft_mean = 500 }`)
		if strings.Contains(got, "dominated by AWQ") != c.outdone {
			t.Errorf("%s: got%s", c.name, got)
		}
		reported := findings(t, c.d, "", "en")
		if strings.Contains(reported, "no larger") != c.outdone {
			t.Errorf("%s: got\n%s", c.name, reported)
		}
		b, _ := block.Evaluate(c.d, "tradeoff", []byte(`limits = { ttft_mean = 500 }`), result.Position{})
		answers := english().Say(b.Table.Answers[0].Text)
		if strings.Contains(answers, "Better in other respects") != (c.better != "") || !strings.Contains(answers, c.better) {
			t.Errorf("%s: %s", c.name, answers)
		}
	}
}

// TestFindingsSpeakOfQualityAndEnergy checks the claims about quality and energy, if they were measured.
func TestFindingsSpeakOfQualityAndEnergy(t *testing.T) {
	t.Parallel()
	d := twoVariants("awq/eval model=AWQ task=gsm8k quality:0.742 quality_stderr:0.011", "fp8/eval model=FP8 task=gsm8k quality:0.784 quality_stderr:0.011")
	d.Results[0].Metrics[2].Value = 1
	reported := findings(t, d, "", "en")
	for _, want := range []string{"Quality (gsm8k): FP8 scores highest, 0.784; next is AWQ, 0.742.", "AWQ leads by energy per output token: 1.00 J/tok, 50.0% below that of FP8 (2.00 J/tok)."} {
		if !strings.Contains(reported, want) {
			t.Errorf("no %q in\n%s", want, reported)
		}
	}
	level := twoVariants("awq/eval model=AWQ task=gsm8k quality:0.779 quality_stderr:0.011", "fp8/eval model=FP8 task=gsm8k quality:0.784 quality_stderr:0.011")
	if reported := findings(t, level, "", "en"); !strings.Contains(reported, "FP8 and AWQ cannot be told apart, 0.779–0.784.") {
		t.Errorf("got\n%s", reported)
	}
}

// TestASmallDifferenceIsShownByATest checks that a difference that only a test shows is not written as 1.00×.
func TestASmallDifferenceIsShownByATest(t *testing.T) {
	t.Parallel()
	d := &dataset.Selection{Results: append(
		repeated("A", "load=high", "output_throughput", "100.20", "100.21", "100.22", "100.23", "100.24"),
		repeated("B", "load=high", "output_throughput", "100.00", "100.01", "100.02", "100.03", "100.04")...)}
	reported := findings(t, d, "", "en")
	if strings.Contains(reported, "1.00×") || !strings.Contains(reported, "0.2% above that of B (100.02 tok/s), shown by a test") {
		t.Errorf("got\n%s", reported)
	}
}

// TestTestsOfABlockAreAdjusted checks that equal variants with many repeats are hardly ever called faster or slower,
// since the tests of a block are adjusted for their number.
func TestTestsOfABlockAreAdjusted(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(11, 11))
	wrong := 0
	const blocks = 60
	for range blocks {
		var rs []*result.Result
		for v := range 10 {
			var values []string
			for range 6 {
				values = append(values, fmt.Sprintf("%.3f", 100+2*random.NormFloat64()))
			}
			rs = append(rs, repeated(string(rune('A'+v)), "load=high", "output_throughput", values...)...)
		}
		reported := findings(t, &dataset.Selection{Results: rs}, `baseline = '{model="A"}'`, "en")
		if strings.Contains(reported, "faster") || strings.Contains(reported, "slower") || strings.Contains(reported, " leads by") {
			wrong++
		}
	}
	if wrong > blocks/10 {
		t.Errorf("in %d of %d blocks of equal variants one is called faster or slower", wrong, blocks)
	}
}
