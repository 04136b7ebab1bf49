package loadgen

import (
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
)

func TestGuideLLMData(t *testing.T) {
	for data, want := range map[string]string{
		`prompt_tokens=512,output_tokens=256`:                         "512 256 synthetic",
		`{"prompt_tokens": 128, "output_tokens": 64, "count": 50}`:    "128 64 synthetic",
		`["{'prompt_tokens': 10, 'output_tokens': 20}"]`:              "10 20 synthetic",
		`[\"prompt_tokens=1,prompt_tokens_stdev=9,output_tokens=2\"]`: "1 2 synthetic",
		`first_prompt_tokens=7,output_tokens=2`:                       " 2 synthetic",
		`prompt_tokens=24,generated_tokens=21`:                        "24 21 synthetic",
		`['/data/prompts.jsonl']`:                                     "  /data/prompts.jsonl",
		``:                                                            "  ",
	} {
		s := &draft.Draft{In: draft.NewFile()}
		guideData(s, data, 1)
		if got := s.Labels.Get("input_len") + " " + s.Labels.Get("output_len") + " " + s.Labels.Get("dataset"); got != want {
			t.Errorf("%s gives %q, not %q", data, got, want)
		}
	}
}

// TestGuideLLMYAMLHead checks that YAML is recognised as GuideLLM's by its first key and one of the tool's words after
// it, and that prose and settings of other tools are not.
func TestGuideLLMYAMLHead(t *testing.T) {
	for text, want := range map[string]bool{
		"benchmarks:\n- args:\n    cooldown_duration: null\n":     true,
		"---\n# saved\nargs:\n  data_column_mapper: generative\n": true,
		"metadata:\n  guidellm_version: 0.6.0\n":                  true,
		"benchmarks:\n- name: sort\n  time: 3\n":                  false,
		"args:\n  model: m\n":                                     false,
		"guidellm benchmark writes\nbenchmarks:\n":                false,
		"config:\n": false,
		"":          false,
	} {
		if got := isGuideYAML([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
