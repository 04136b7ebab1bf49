package site

import (
	"testing"

	"github.com/benchpost/benchpost/generator/result"
)

func TestQuantizationOfNames(t *testing.T) {
	for model, want := range map[string]string{
		"Qwen3-8B-FP8":                        "FP8",
		"Qwen3-8B-FP8-dynamic":                "FP8",
		"Qwen3-30B-A3B-NVFP4":                 "NVFP4",
		"gpt-oss-20b-mxfp4":                   "MXFP4",
		"Qwen3-8B-AWQ":                        "AWQ",
		"Qwen3-8B-GPTQ-Int4":                  "GPTQ-Int4",
		"Qwen3-8B-GPTQ-Int8":                  "GPTQ-Int8",
		"TheBloke_Llama-2-7B-GPTQ":            "GPTQ-Int4",
		"Qwen3-8B-quantized.w4a16":            "W4A16",
		"Qwen3-8B.W8A8":                       "W8A8",
		"Qwen3-8B-Q5_K_M.gguf":                "Q5_K_M",
		"llama-7b.Q4_0.gguf":                  "Q4_0",
		"Mixtral-8x7B-IQ4_XS.gguf":            "IQ4_XS",
		"Qwen3-8B-UD-Q4_K_XL":                 "Q4_K_XL",
		"qwen3:8b-q8_0":                       "Q8_0",
		"Qwen3-8B-BF16":                       "BF16",
		"model-f16":                           "FP16",
		"mlx-community/Qwen3-8B-4bit":         "4bit",
		"Qwen3-8B":                            "",
		"FP8less-model":                       "",
		"QwQ-32B":                             "",
		"Phi-3-mini-128k-instruct":            "",
		"DeepSeek-R1-Distill-Qwen-7B-INT4-ov": "INT4",
	} {
		if got := guessQuantization(model); got != want {
			t.Errorf("%s: %q, not %q", model, got, want)
		}
	}
}

// What is guessed says so, and gives way to what is known.
func TestGuessesAreMarked(t *testing.T) {
	results := []result.Result{
		{ID: "a", Labels: result.Labels{{Name: "model_raw", Value: "/models/Qwen/Qwen3-8B-FP8", Origin: result.Measured}, {Name: "x_gpu", Value: "NVIDIA H100 80GB HBM3, NVIDIA H100 80GB HBM3", Origin: result.Captured}}},
		{ID: "b", Labels: result.Labels{{Name: "model_raw", Value: "Qwen3-8B-FP8", Origin: result.Measured}, {Name: "quantization", Value: "W8A8", Origin: result.Declared}}},
	}
	results = append(results, result.Result{ID: "c", Labels: result.Labels{{Name: "quantization", Value: "awq", Origin: result.Measured}}})
	config := Config{}
	config.Apply(results)
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
	for path, want := range map[string]string{
		"": "", "Qwen3-8B": "Qwen3-8B", "Qwen/Qwen3-8B": "Qwen3-8B", "/models/Qwen/Qwen3-8B/": "Qwen3-8B",
		"/cache/models--Qwen--Qwen3-8B-FP8/snapshots/1a2b3c": "Qwen3-8B-FP8",
		"models--gpt2/snapshots/main":                        "gpt2",
	} {
		if got := lastPart(path); got != want {
			t.Errorf("%s: %q, not %q", path, got, want)
		}
	}
}
