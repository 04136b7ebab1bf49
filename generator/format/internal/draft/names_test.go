package draft

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/result"
)

// TestSettingName checks that a setting has one name in all spellings of the tools.
func TestSettingName(t *testing.T) {
	for key, want := range map[string]string{
		"flash_attn": "flash_attention", "--flash-attn": "flash_attention", "fa": "flash_attention", "type_k": "kv_cache_type_k",
		"cache_type_v": "kv_cache_type_v", "--kv-cache-dtype": "kv_cache_dtype", "n_ubatch": "micro_batch_size", "n_batch": "logical_batch_size",
		"spec_decoding": "speculative_decoding", "enable_dp_attention": "dp_attention", "Backends": "backend", "n-cpu-moe": "n_cpu_moe",
		"port": "", "": "",
	} {
		if got, ok := SettingName(key); got != want || ok != (want != "") {
			t.Errorf("%q is %q, %v; want %q", key, got, ok, want)
		}
	}
	for key, name := range settingNames {
		if key != Snake(key) || name != Snake(name) {
			t.Errorf("%q or %q is not in snake case", key, name)
		}
		if again, ok := settingNames[name]; ok && again != name {
			t.Errorf("%s is %s, which is %s", key, name, again)
		}
	}
}

// labelsOf returns the labels of a result as "name=value name=value".
func labelsOf(settings func(s *Draft)) string {
	s := &Draft{In: NewFile()}
	s.Reset(NewFile(), "x", "y", 1)
	settings(s)
	var b strings.Builder
	for _, l := range s.Result(1, true).Labels {
		b.WriteString(" " + l.Name + "=" + l.Value)
	}
	return strings.TrimSpace(b.String())
}

// TestLabelsHaveOneSpelling checks that every method that sets a label uses the name of the table, and normalises the
// values of switches.
func TestLabelsHaveOneSpelling(t *testing.T) {
	for _, c := range []struct {
		name, value, want string
	}{
		{"x_flash_attn", "1", "flash_attention=true"}, {"x_fa", "off", "flash_attention=false"}, {"flash_attention", "auto", "flash_attention=auto"},
		{"x_n_batch", "2048", "logical_batch_size=2048"}, {"x_type_k", "q8_0", "kv_cache_type_k=q8_0"}, {"x_own", "1", "x_own=1"},
		{"x_enforce_eager", "True", "enforce_eager=true"}, {"x_spec_decoding", "mtp", "speculative_decoding=mtp"},
	} {
		for _, got := range []string{
			labelsOf(func(s *Draft) { s.SetLabel(c.name, []byte(c.value), 1) }),
			labelsOf(func(s *Draft) { s.Imply(c.name, c.value, 1) }),
			labelsOf(func(s *Draft) { s.SetText(c.name, c.value, 1) }),
		} {
			if got != c.want {
				t.Errorf("%s=%s is %s, want %s", c.name, c.value, got, c.want)
			}
		}
	}
}

// TestSpeculationIsRecognised checks that speculative decoding is recognised wherever a tool shows it.
func TestSpeculationIsRecognised(t *testing.T) {
	for text, want := range map[string]string{
		`--dtype auto --speculative-config {"method":"dflash","num_speculative_tokens":15}`:      "dflash",
		`--speculative-config '{"model": "x", "method": "eagle3"}'`:                              "eagle3",
		`--speculative-config '{"model": "x", "num_speculative_tokens": 3}'`:                     "true",
		"python -m sglang.launch_server --speculative-algorithm EAGLE --speculative-num-steps 3": "eagle",
		"llama-server -m a.gguf -md b.gguf":                                                      "draft",
		"llama-server --model-draft=b.gguf":                                                      "draft",
		"server -mtp --port 3":                                                                   "mtp",
		"llama-cli --spec-type ngram":                                                            "ngram",
		"vllm serve m --speculative-algorithm none":                                              "",
		"vllm serve m --spec-decoding off":                                                       "",
		"vllm serve m --num-speculative-tokens 0":                                                "",
		"vllm serve m --speculative-config null":                                                 "",
		"vllm serve m --max-num-seqs 8 --model mtp":                                              "",
		"": "",
	} {
		want = strings.TrimSuffix("speculative_decoding="+want, "speculative_decoding=")
		for _, label := range []string{"x_command", "x_extra_vllm_args"} {
			got := labelsOf(func(s *Draft) { s.SetLabel(label, []byte(text), 1) })
			found := ""
			if i := strings.Index(got, "speculative_decoding="); i >= 0 {
				found = strings.Fields(got[i:])[0]
			}
			if found != want {
				t.Errorf("%s: %q, want %q", text, found, want)
			}
		}
	}
	for _, c := range []struct {
		name, value string
		want        bool
	}{
		{"acceptance_rate", "61.5", true}, {"acceptance_length", "2.1", true}, {"acceptance_length", "1.0", false}, {"x_spec_accept_rate", "0.6", true},
		{"x_draft_acceptance_rate", "0.5", true}, {"x_draft_n", "12", true}, {"x_draft_n", "0", false}, {"x_decoded_tok_per_iter", "2.40", true},
		{"x_decoded_tok_per_iter", "1.00", false}, {"ttft_mean", "3", false},
	} {
		def := map[bool]string{true: "", false: "ms"}[c.name != "ttft_mean"]
		got := labelsOf(func(s *Draft) {
			unit := def
			if strings.HasPrefix(c.name, "acceptance_rate") {
				unit = "%"
			}
			if !s.Number(c.name, unit, "f", []byte(c.value), 1) {
				t.Errorf("%s is not a number", c.name)
			}
		})
		if (got == "speculative_decoding=true") != c.want {
			t.Errorf("%s %s: %q", c.name, c.value, got)
		}
	}
	off := labelsOf(func(s *Draft) {
		s.SetLabel("x_spec_decoding", []byte("none"), 1)
		s.Number("acceptance_rate", "%", "f", []byte("3"), 1)
	})
	if off != "speculative_decoding=none" {
		t.Errorf("what a setting says is replaced: %s", off)
	}
}

// TestParallelism checks that data-parallel attention adds no devices and that context parallelism does.
func TestParallelism(t *testing.T) {
	for want, sizes := range map[string]map[string]string{
		"tp8":          {TensorParallel: "8", DataParallel: "8", "dp_attention": "true"},
		"tp8dp2":       {TensorParallel: "8", DataParallel: "2", "dp_attention": "false"},
		"tp4pp2cp2ep8": {TensorParallel: "4", PipelineParallel: "2", contextParallel: "2", ExpertParallel: "8", DataParallel: "1"},
		"tp1pcp2":      {TensorParallel: "1", prefillContextParallel: "2"},
	} {
		s := &Draft{In: NewFile()}
		for name, value := range sizes {
			s.Labels.Set(result.Label{Name: name, Value: value, Origin: result.Measured})
		}
		s.Parallelism()
		if got := s.Label("parallelism"); got != want {
			t.Errorf("%v is %s, want %s", sizes, got, want)
		}
	}
}

// TestSettingsAreDocumented checks that docs/formats.md and docs/zh/formats.md name every setting and its names in
// tools.
func TestSettingsAreDocumented(t *testing.T) {
	t.Parallel()
	for _, document := range []string{"formats.md", filepath.Join("zh", "formats.md")} {
		page, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", document))
		if err != nil {
			t.Fatal(err)
		}
		for key, name := range settingNames {
			row := regexp.MustCompile("(?m)^\\| `" + name + "` \\|.*`" + key + "`")
			if !row.Match(page) {
				t.Errorf("docs/%s does not say that %s is called %s", document, name, key)
			}
		}
	}
}
