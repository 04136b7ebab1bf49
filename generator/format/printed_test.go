package format_test

import (
	"fmt"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
)

// TestPrintedAndSaved checks that a result printed and saved in one file is one result with the settings of both, and
// that results with a different figure or setting stay separate.
func TestPrintedAndSaved(t *testing.T) {
	t.Parallel()
	const saved = `{"model_id": "org/m", "tokenizer_id": "org/m", "num_prompts": 100, "max_concurrency": %d, "duration": 42.9444, "completed": 100, "total_input_tokens": 204169, ` +
		`"total_output_tokens": 12800, "request_throughput": 2.3286, "output_throughput": 298.0938, "total_token_throughput": 5052.8361, "mean_ttft_ms": %.4f}`
	command := "vllm bench serve --dataset-name random --random-input-len 2042 --random-output-len 128\n"
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"alike":                {command + fixture.Table + fmt.Sprintf(saved, 8, 495.4417), 1},
		"saved before":         {"Saved:\n" + fmt.Sprintf(saved, 8, 495.4417) + "\n" + command + fixture.Table, 1},
		"another figure":       {command + fixture.Table + fmt.Sprintf(saved, 8, 495.4517), 2},
		"another concurrency":  {command + fixture.Table + fmt.Sprintf(saved, 16, 495.4417), 2},
		"printed twice":        {command + fixture.Table + fixture.Table + fmt.Sprintf(saved, 8, 495.4417), 2},
		"an object apart from": {fixture.Table + fixture.Saved, 2},
	} {
		out := fixture.Read(t, c.text)
		if len(out.Results) != c.want {
			t.Errorf("%s: %d results, not %d", name, len(out.Results), c.want)
			continue
		}
		if r := out.Results[0]; c.want == 1 && (r.Format != "vllm-serve-json" || r.Label("input_len") != "2042" || r.Label("model_raw") != "org/m") {
			t.Errorf("%s: %s with %s", name, r.Format, fixture.SettingsOf(r))
		}
	}
}
