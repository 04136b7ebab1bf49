package judge

import (
	"testing"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/result"
)

// TestGuessesAreMarked checks that guessed labels are marked as such and do not override others.
func TestGuessesAreMarked(t *testing.T) {
	t.Parallel()
	results := []result.Result{
		{ID: "a", Labels: result.Labels{{Name: "gpu", Value: "NVIDIA H100 80GB HBM3, NVIDIA H100 80GB HBM3", Origin: result.Captured}, {Name: "model_raw", Value: "/models/Qwen/Qwen3-8B-FP8", Origin: result.Measured}}},
		{ID: "b", Labels: result.Labels{{Name: "model_raw", Value: "Qwen3-8B-FP8", Origin: result.Measured}, {Name: "quantization", Value: "W8A8", Origin: result.Declared}}},
	}
	results = append(results, result.Result{ID: "c", Labels: result.Labels{{Name: "quantization", Value: "awq", Origin: result.Measured}}})
	All(&config.Config{}, pointers(results))
	if l, _ := results[2].Labels.Lookup("quantization"); l.Value != "AWQ" || l.Origin != result.Measured {
		t.Errorf("%+v", l)
	}
	if l, _ := results[0].Labels.Lookup("quantization"); l.Value != "FP8" || l.Origin != result.Guessed {
		t.Errorf("%+v", l)
	}
	if l, _ := results[0].Labels.Lookup("hardware"); l.Value != "h100-sxm" || l.Origin != result.Guessed || results[0].Label("memory_bandwidth") == "" {
		t.Errorf("%+v, bandwidth %q", l, results[0].Label("memory_bandwidth"))
	}
	if got := results[1].Label("quantization"); got != "W8A8" {
		t.Errorf("%q", got)
	}
}

func TestLastPartOfAModelsPath(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"": "", "Qwen3-8B": "Qwen3-8B", "Qwen/Qwen3-8B": "Qwen3-8B", "/models/Qwen/Qwen3-8B/": "Qwen3-8B",
		"/cache/models--Qwen--Qwen3-8B-FP8/snapshots/1a2b3c": "Qwen3-8B-FP8",
		"models--gpt2/snapshots/main":                        "gpt2",
		`D:\models\Qwen3-8B-Q4_K_M.gguf`:                     "Qwen3-8B-Q4_K_M.gguf",
		`C:\hub\models--gpt2\snapshots\main`:                 "gpt2",
	} {
		if got := lastPart(path); got != want {
			t.Errorf("%s: %q, not %q", path, got, want)
		}
	}
}
