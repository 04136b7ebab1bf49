package llamacpp_test

import (
	"slices"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
)

// ollamaAnswer and lmsAnswer are what ollama and lms print below an answer.
const (
	ollamaAnswer = "total duration: 2s\nprompt eval rate: 100.00 tokens/s\neval rate: 50.00 tokens/s\n\n"
	lmsAnswer    = "Prediction Stats:\n  Tokens/Second: 38.42\n  Total Tokens: 340\n\n"
)

// modelsIn returns the models of the results in a text.
func modelsIn(t *testing.T, text string) (models []string) {
	t.Helper()
	for _, r := range fixture.Read(t, text).Results {
		models = append(models, r.Label("model_raw"))
	}
	return models
}

// TestModelInCommand checks that a command names its model in every way it can be written, and that a sentence about
// the command names none.
func TestModelInCommand(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"ollama run qwen3:8b": "qwen3:8b",
		`$ ollama run --verbose qwen3:8b "why is the sky blue?"`:    "qwen3:8b",
		"ollama run --keepalive 5m --verbose llama3.2":              "llama3.2",
		"ollama run --think=false deepseek-r1:7b --verbose":         "deepseek-r1:7b",
		"ollama run hf.co/unsloth/Qwen3-8B-GGUF:Q4_K_M":             "hf.co/unsloth/Qwen3-8B-GGUF:Q4_K_M",
		"PS C:\\> ollama run mistral --verbose":                     "mistral",
		"ollama run mistral":                                        "mistral",
		`ollama run mistral "hello"`:                                "mistral",
		"ollama run mistral < prompt.txt":                           "mistral",
		"Then the same with `ollama run gemma --verbose` and so on": "gemma",
		"Output of ollama run llama3.1:70b, on the CPU:":            "llama3.1:70b",
		"cd /tmp && ollama run phi4":                                "phi4",

		"With ollama run you can chat":                        "",
		"ollama run is the easiest way to start":              "",
		"type ollama run to test speed, add --verbose":        "",
		"see what ollama run does.":                           "",
		"I did ollama run 3 times":                            "",
		"ollama run $MODEL --verbose":                         "",
		"ollama run <model> --verbose":                        "",
		"ollama run {model}":                                  "",
		"ollama run --verbose":                                "",
		"ollama run --keepalive 5m":                           "",
		"Use `ollama run --verbose` to see qwen3:8b's speeds": "",
	} {
		if got := modelsIn(t, line+"\n\n"+ollamaAnswer); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	for line, want := range map[string]string{
		`$ lms chat qwen/qwen3-4b --prompt "Say hello" --stats`: "qwen/qwen3-4b",
		`lms chat --stats -p "Say hello" qwen/qwen3-4b`:         "qwen/qwen3-4b",
		"Use lms chat to talk to it.":                           "",
		"The films chat llama3 shows":                           "",
	} {
		if got := modelsIn(t, line+"\n\n"+lmsAnswer); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// TestAnotherCommandEndsAModel checks that a command whose model is unknown does not get the model of the command
// before it.
func TestAnotherCommandEndsAModel(t *testing.T) {
	t.Parallel()
	if got := modelsIn(t, "ollama run qwen3:8b --verbose\n"+ollamaAnswer+"ollama run $MODEL --verbose\n"+ollamaAnswer); !slices.Equal(got, []string{"qwen3:8b", ""}) {
		t.Errorf("the models are %q", got)
	}
}
