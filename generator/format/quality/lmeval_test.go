package quality_test

import (
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/result"
)

func TestCorpusLMEval(t *testing.T) {
	fixture.CheckFigures(t, "lm-eval/results-gb10-gsm8k-mtp2.json", 0, "quality=0.96 ", "quality_stderr=0.013891177924157559 ",
		"task:gsm8k", "quality_metric:exact_match", "filter:strict-match", "fewshot:5", "model_raw:deepseek-ai/DeepSeek-V4-Flash",
		"x_limit:200", "x_num_samples:200", "x_num_samples_of:1319", "x_limited:true", "tool_version:0.4.11",
		"date:2026-05-12T08:18:48Z", "engine:")
	fixture.CheckFigures(t, "lm-eval/results-gb10-gsm8k-mtp2.json", 1, "quality=0.96 ", "filter:flexible-extract")
	fixture.CheckFigures(t, "lm-eval/results-sm120-gsm8k-nomtp.json", 0, "quality=0.95 ", "quality_stderr=0.01544970767803337 ",
		"filter:strict-match", "x_limited:true")
	fixture.CheckFigures(t, "lm-eval/results-sm120-gsm8k-nomtp.json", 1, "quality=0.95 ", "filter:flexible-extract")
	fixture.CheckFigures(t, "lm-eval/results-llama3-8b-gsm8k-2024.json", 0, "quality=0.7725549658832449 ",
		"task:gsm8k_cot_llama", "filter:strict-match", "model_raw:meta-llama/Meta-Llama-3-8B-Instruct", "engine:vllm", "x_limited:")
	fixture.CheckFigures(t, "lm-eval/results-llama3-8b-gsm8k-2024.json", 1, "quality=0.7778620166793025 ", "filter:flexible-extract")
	fixture.CheckFigures(t, "lm-eval/results-gemma2-2b-0.4.3.json", 0, "quality=0.5304087736789631 ", "quality_stderr=0.00404300273387798 ",
		"task:mmlu", "filter:none", "model_raw:google/gemma-2-2b", "engine:transformers")
	fixture.CheckFigures(t, "lm-eval/results-gemma2-2b-0.4.3.json", 1, "quality=0.47906482465462275 ", "task:mmlu_humanities")
	fixture.CheckFigures(t, "lm-eval/results-gemma2-2b-0.4.3.json", 2, "quality=0.3253968253968254 ", "task:mmlu_formal_logic", "fewshot:5", "x_num_samples:126")
	fixture.CheckFigures(t, "lm-eval/results-gemma2-2b-0.4.3.json", 3, "quality=0.6424242424242425 ", "task:mmlu_high_school_european_history")
	fixture.CheckFigures(t, "lm-eval/md-table-llama33-70b-fp4.md", 0, "quality=0.9272 ", "quality_stderr=0.0072 ", "task:gsm8k",
		"filter:flexible-extract", "fewshot:5", "model_raw:nvidia/Llama-3.3-70B-Instruct-FP4", "x_limited:")
	fixture.CheckFigures(t, "lm-eval/md-table-llama33-70b-fp4.md", 1, "quality=0.6293 ", "quality_stderr=0.0133 ", "task:gsm8k", "filter:strict-match")
	for file, results := range map[string]int{
		"results-gb10-gsm8k-mtp2.json": 2, "results-sm120-gsm8k-nomtp.json": 2, "results-llama3-8b-gsm8k-2024.json": 2,
		"results-gemma2-2b-0.4.3.json": 62, "md-table-llama33-70b-fp4.md": 2, // groups are not counted twice
	} {
		if out := fixture.ReadSample(t, fixture.Shared(t, "corpus", "lm-eval", file)); len(out.Results) != results {
			t.Errorf("%s: %d results, not %d", file, len(out.Results), results)
		}
	}
}

// TestQualityDirection checks that the direction of a score is that in the file, or else the known one of its metric.
func TestQualityDirection(t *testing.T) {
	const file = `{"results": {"t": {"METRIC,none": 0.5}}, "versions": {"t": 1}, "n-shot": {"t": 0}, "higher_is_better": {"t": {"METRIC": SAID}}}`
	for _, c := range []struct {
		metric, said string
		want         result.Better
	}{
		{"acc", "true", result.Higher},
		{"acc", "false", result.Lower},
		{"acc", "null", result.Higher},
		{"word_perplexity", "null", result.Lower},
		{"bits_per_byte", "null", result.Lower},
		{"agreement", "null", result.Neutral},
		{"agreement", "true", result.Higher},
	} {
		out := fixture.ReadText(t, strings.NewReplacer("METRIC", c.metric, "SAID", c.said).Replace(file))
		if m, ok := out.Results[0].Metric("quality"); !ok || m.Better != c.want {
			t.Errorf("%s, higher is better %s: %v", c.metric, c.said, m.Better)
		}
	}
	// Some versions print ↑ for every metric.
	const table = "|Tasks|Version|Metric|   |Value|   |Stderr|\n|---|---|---|---|---|---|---|\n|t|1|METRIC|ARROW|0.5|±|N/A|\n"
	for _, c := range []struct {
		metric, arrow string
		want          result.Better
	}{
		{"acc", "↑", result.Higher},
		{"loss_of_mine", "↓", result.Lower},
		{"word_perplexity", "↑", result.Lower},
		{"agreement", "↑", result.Higher},
		{"agreement", "", result.Neutral},
	} {
		out := fixture.ReadText(t, strings.NewReplacer("METRIC", c.metric, "ARROW", c.arrow).Replace(table))
		m, ok := out.Results[0].Metric("quality")
		if _, stderr := out.Results[0].Metric("quality_stderr"); !ok || m.Better != c.want || stderr {
			t.Errorf("%s %s: %v, standard error present: %v", c.metric, c.arrow, m.Better, stderr)
		}
	}
}

// TestLMEvalLookalikes checks that other tables, pages about the tool, and other JSON with results have no scores.
func TestLMEvalLookalikes(t *testing.T) {
	for _, content := range []string{
		"|Package|Version|Metric|\n|---|---|---|\n|vllm|0.9|x|\n",
		"|Tasks|Version|Metric|Value|Stderr|\n|---|---|---|---|---|\n|gsm8k|3|exact_match|x.xx|±|\n",
		"the option `model_args: pretrained=m` is a list, num_fewshot: is not\n",
		`{"results": {"gsm8k": {"alias": "gsm8k"}}, "versions": {}, "config": {}}`,
		`{"results": {"a": {"acc,none": 0.5}}}`,
		`{"results": [{"command": "x", "mean": 1.0}]}`,
	} {
		if out := fixture.ReadText(t, content); len(out.Results) != 0 {
			t.Errorf("%d results in %q", len(out.Results), content)
		}
	}
}

// TestLMEvalTableWithCarriageReturns checks that a table with CRLF line ends is read as one table.
func TestLMEvalTableWithCarriageReturns(t *testing.T) {
	out := fixture.ReadText(t, "|Tasks|Version|Metric|   |Value|   |Stderr|\r\n|---|---|---|---|---|---|---|\r\n|a|1|acc|↑|0.5|±|0.1|\r\n|b|1|acc|↑|0.6|±|0.1|\r\n")
	if len(out.Results) != 2 || out.Results[1].Label("task") != "b" {
		t.Errorf("%d results", len(out.Results))
	}
}
