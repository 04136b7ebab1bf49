package llamacpp_test

import (
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/locale"
)

// TestGenerateBatches checks the rate of gpt-fast, which is that of one sequence. Its metric depends on the batch size,
// which the command or the last lines state.
func TestGenerateBatches(t *testing.T) {
	const answer = "Time for inference 1: 2.50 sec total, 80.05 tokens/sec\nBandwidth achieved: 500.25 GB/s\n"
	for _, c := range []struct {
		text, concurrency string
		figures           map[string]string
	}{
		{answer, "1", map[string]string{"output_throughput": "80.05 tok/s", "e2el_mean": "2500 ms"}},
		{answer + "==========\nBatch Size: 8\n", "8", map[string]string{"output_throughput": "", "output_throughput_per_user": "80.05 tok/s"}},
		{"python generate.py --batch_size 8\n" + answer, "8", map[string]string{"output_throughput": "", "output_throughput_per_user": "80.05 tok/s"}},
		{answer + "FLOPS achieved: 1.05 TF/s\nBatch Size: 1\n", "1", map[string]string{"output_throughput": "80.05 tok/s"}},
	} {
		r := fixture.One(t, c.text)
		fixture.Same(t, &r, c.figures)
		if got := r.Label("max_concurrency"); got != c.concurrency {
			t.Errorf("%q: %q at a time", c.text, got)
		}
	}
	if out := fixture.ReadText(t, answer+"FLOPS achieved: 1.05 TF/s\n"); len(out.Results) != 0 || !strings.Contains(locale.English(out.Reason), "not stated") {
		t.Errorf("%d results of an unknown batch, reason %q", len(out.Results), out.Reason)
	}
}

// TestGenerateModels checks that a command names the model of the answers below it, up to the next command or a line
// that only mentions one.
func TestGenerateModels(t *testing.T) {
	const answer = "Time for inference 1: 6.75 sec total, 37.50 tokens/sec\n"
	out := fixture.ReadText(t, "litgpt generate org/a-7b --quantize bnb.nf4\n"+answer+"litgpt generate base \\\n  --checkpoint_dir checkpoints/org/b-7b\n"+answer+
		"Then we ran litgpt generate on another machine.\n"+answer)
	want := []string{"org/a-7b", "checkpoints/org/b-7b", ""}
	if len(out.Results) != len(want) {
		t.Fatalf("%d results", len(out.Results))
	}
	for i, model := range want {
		if got := out.Results[i].Label("model_raw"); got != model {
			t.Errorf("result %d is of %q, not %q", i, got, model)
		}
	}
	if out.Results[1].Label("quantization_type") != "" {
		t.Error("a setting of the command above")
	}
}

// TestGenerateLookalikes checks that similar lines of other programs, and the line in a script's source code, are not
// read.
func TestGenerateLookalikes(t *testing.T) {
	for _, line := range []string{
		"Wall time for inference 1: 0.5 s\n",
		"Time for inference 1: 0.123\n",
		"Time for inference 2: 4.5 sec total\n",
		`print(f"Time for inference {i + 1}: {t:.02f} sec total, {rate:.02f} tokens/sec")` + "\n",
		"Time for inference 1: 2.50 sec total, 80.05 tokens/sec", // the last digits may be missing
	} {
		if out := fixture.ReadText(t, line); len(out.Results) != 0 {
			t.Errorf("%q gives %d results", line, len(out.Results))
		}
	}
}
