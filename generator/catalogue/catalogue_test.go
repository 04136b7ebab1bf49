package catalogue

import (
	"math"
	"strings"
	"testing"
)

// count computes the numbers of parameters from the dimensions of a row, without norms and biases: all, and
// those used for one token.
func (r row) count() (all, active float64) {
	s, m := r.shape, r.more
	attention := 2*s.hidden*s.heads*s.headDim + 2*s.hidden*s.kv*s.headDim
	if l := m.latent; l.rank > 0 {
		query := s.heads * (l.nope + l.rope)
		attention = s.hidden*(l.rank+l.rope) + l.rank*s.heads*(l.nope+l.value) + s.heads*l.value*s.hidden
		if l.queryRank > 0 {
			attention += s.hidden*l.queryRank + l.queryRank*query
		} else {
			attention += s.hidden * query
		}
	}
	matrices := 3
	if m.twoMatrix {
		matrices = 2
	}
	tables := 2
	if s.embeddings == tied {
		tables = 1
	}
	sum := tables * s.vocab * s.hidden
	used := sum
	if m.head {
		used = s.vocab * s.hidden
	}
	for layer := range s.layers {
		e := m.experts
		sparse := e.all > 0 && layer >= e.dense && (e.every == 0 || layer%e.every == e.every-1)
		if !sparse {
			sum += attention + matrices*s.hidden*s.ffn
			used += attention + matrices*s.hidden*s.ffn
			continue
		}
		beside := attention + s.hidden*e.all + 3*s.hidden*e.shared
		sum += beside + e.all*3*s.hidden*e.ffn
		used += beside + e.used*3*s.hidden*e.ffn
	}
	return float64(sum) / 1e9, float64(used) / 1e9
}

// TestDimensionsMakeTheParameters: the published numbers of parameters match the dimensions.
func TestDimensionsMakeTheParameters(t *testing.T) {
	t.Parallel()
	for _, r := range table() {
		if r.shape.ffn == 0 {
			continue
		}
		all, active := r.count()
		all += r.more.unread
		if off := math.Abs(all/r.params - 1); off > max(0.005, 0.002/r.params) { // norms, biases and position tables are not counted
			t.Errorf("%s: the dimensions make %.4g G parameters, not %.4g", r.name, all, r.params)
		}
		if off := math.Abs(active/r.active - 1); r.active > 0 && off > 0.02 {
			t.Errorf("%s: a token goes through %.4g G parameters, not %.4g", r.name, active, r.active)
		}
	}
}

// TestEachModelIsSound: derived figures are plausible: a token reads a part of the model, and no more than its
// active parameters.
func TestEachModelIsSound(t *testing.T) {
	t.Parallel()
	for _, r := range table() {
		m := r.model()
		if m.Params <= 0 || m.ActiveParams > m.Params || m.ReadParams > m.ActiveParams || m.ReadParams < m.ActiveParams/4 {
			t.Errorf("%s: %g parameters, %g active, %g read", m.Name, m.Params, m.ActiveParams, m.ReadParams)
		}
		if m.Traits.Has(MoE) != (m.ActiveParams < m.Params) {
			t.Errorf("%s: a mixture or not?", m.Name)
		}
		if towers := m.Traits&(PerLayerEmbeddings|Vision|Audio|Talker) != 0; !towers && r.more.unread > 0 {
			t.Errorf("%s: no trait says why %g G parameters are not read", m.Name, r.more.unread)
		}
		if !strings.Contains(m.Source, "/") || strings.Contains(m.Source, " /") {
			t.Errorf("%s has the source %q", m.Name, m.Source)
		}
	}
}

// TestNamesAreUnique: no name means two models.
func TestNamesAreUnique(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, r := range table() {
		for _, name := range r.names() {
			k := key(name)
			if other, ok := seen[k]; ok && other != r.name {
				t.Errorf("%q means %s and %s", name, other, r.name)
			}
			seen[k] = r.name
		}
	}
}

// TestEverySpellingFindsItsModel: variants of a model's name by publishers, packagers, engines and people find
// that model and no other.
func TestEverySpellingFindsItsModel(t *testing.T) {
	t.Parallel()
	for _, r := range table() {
		for _, name := range r.names() {
			forms := []string{name, strings.ToLower(name), strings.ToUpper(name)}
			for _, suffix := range []string{"-Instruct", "-it", "-Instruct-2507", "-Chat", "-GGUF", "-AWQ", "-GPTQ-Int4", "-FP8", "-FP8-dynamic", "-NVFP4", "-bnb-4bit",
				"-quantized.w4a16", "-Q4_K_M.gguf", ".Q8_0.gguf", "-UD-Q4_K_XL-00001-of-00002.gguf", ":Q5_K_S", "-4bit", "-8bit-mlx", " IQ4_XS", " Q4_K - Medium", "-BF16", "-F16.gguf", "-Base"} {
				forms = append(forms, name+suffix, "some-org/"+name+suffix)
			}
			forms = append(forms, "/data/models/"+name, "/data/models/"+name+"/", strings.ReplaceAll(name, "-", "_"), strings.ReplaceAll(name, "-", " "),
				strings.ReplaceAll(name, ".", "_"), strings.Replace(strings.ToLower(name), "-", "", 1), "unsloth/"+name+"-Instruct-GGUF:UD-Q4_K_XL")
			for _, form := range forms {
				m, ok := Find(form)
				if strings.Contains(name, ":") && !ok {
					continue // a tag of Ollama cannot have another tag
				}
				if m.Name != r.name && (ok || !strings.EqualFold(strings.Replace(name, "-", "", 1), form)) {
					t.Errorf("%q finds %q, not %s", form, m.Name, r.name)
				}
			}
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Qwen/Qwen3-8B":                                        "Qwen3-8B",
		"qwen3:8b-q4_K_M":                                      "Qwen3-8B",
		"qwen3:30b-a3b":                                        "Qwen3-30B-A3B",
		"qwen3moe 30B.A3B Q4_K - Medium":                       "Qwen3-30B-A3B",
		"gpt-oss 20B MXFP4 MoE":                                "gpt-oss-20b",
		"openai/gpt-oss-120b":                                  "gpt-oss-120b",
		"gemma3 4B Q4_K - Medium":                              "Gemma-3-4B",
		"google/gemma-3n-E4B-it":                               "Gemma-3n-E4B",
		"gemma-3-27b-it-qat-q4_0-gguf":                         "Gemma-3-27B",
		"meta-llama/Meta-Llama-3.1-8B-Instruct":                "Llama-3.1-8B",
		"llama3.1:8b-instruct-q8_0":                            "Llama-3.1-8B",
		"Meta-Llama-3-70B-Instruct.Q4_K_M.gguf":                "Llama-3.1-70B",
		"hugging-quants/Meta-Llama-3.1-405B-Instruct-AWQ-INT4": "Llama-3.1-405B",
		"mistralai/Mistral-7B-Instruct-v0.2":                   "Mistral-7B",
		"mistral:7b":                                           "Mistral-7B",
		"mixtral:8x7b":                                         "Mixtral-8x7B",
		"TheBloke/Mixtral-8x7B-Instruct-v0.1-GGUF":             "Mixtral-8x7B",
		"deepseek-ai/DeepSeek-R1-0528":                         "DeepSeek-V3",
		"deepseek-r1:7b":                                       "DeepSeek-R1-Distill-Qwen-7B",
		"deepseek-ai/DeepSeek-V3.2-Exp":                        "DeepSeek-V3",
		"moonshotai/Kimi-K2-Instruct-0905":                     "Kimi-K2",
		"zai-org/GLM-4.5-Air-FP8":                              "GLM-4.5-Air",
		"RedHatAI/Meta-Llama-3.1-70B-Instruct-quantized.w8a8":  "Llama-3.1-70B",
		"nvidia/Llama-3.3-70B-Instruct-NVFP4":                  "Llama-3.1-70B",
		"Qwen3-Coder-30B-A3B-Instruct-UD-Q4_K_XL.gguf":         "Qwen3-30B-A3B",
		"microsoft/Phi-3.5-MoE-instruct":                       "Phi-3.5-MoE",
		"microsoft/Phi-3.5-mini-instruct":                      "Phi-3-mini",
		"allenai/OLMoE-1B-7B-0924-Instruct":                    "OLMoE-1B-7B",

		// Another model, or no model.
		"":                            "",
		"8B":                          "",
		"llama 8B Q4_0":               "", // llama-bench prints it for Llama 3 and for others
		"Qwen3":                       "",
		"Qwen3-8B-Pruned":             "",
		"my-Qwen3-8B-experiment":      "",
		"Qwen3-Embedding-8B":          "",
		"deepseek-ai/deepseek-vl2":    "",
		"DeepSeek-R1-Distill-Foo-9B":  "",
		"EAGLE3-LLaMA3.1-Instruct-8B": "",
		"Qwen3-80B-A3B":               "",
		"ggml-model-q4_0.gguf":        "",
	} {
		if m, ok := Find(name); m.Name != want || ok != (want != "") {
			t.Errorf("%q finds %q, not %q (key %q)", name, m.Name, want, key(name))
		}
	}
}

func TestSameName(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"Foo-7B-Q4_K_M", "foo-7b-awq", true},
		{"acme/Foo-7B-Instruct-FP8", "Foo-7B", true},
		{"Foo-7B", "Foo-1B", false},
		{"Foo-7B", "Bar-7B", false},
		{"AWQ", "FP8", false}, // only words for the packing
		{"", "", false},
	} {
		if got := SameName(c.a, c.b); got != c.same {
			t.Errorf("SameName(%q, %q) = %v", c.a, c.b, got)
		}
	}
}

func TestMixture(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][2]bool{
		"Qwen3-30B-A3B-FP8":          {true, true},
		"Qwen3-8B":                   {true, false},
		"acme/Foo-40B-A4B":           {true, true},
		"acme/foo-3b-a800m-chat":     {true, true},
		"acme/Foo-40B":               {},
		"Nous-Hermes-2-Mixtral-8x7B": {true, true},
		"beast-4x7B-Q4_K_M.gguf":     {true, true},
		"Foo-MoE":                    {true, true},
		"smoelt-7b":                  {},
		"DeepSeek-R1-Distill-Foo-9B": {},
		"DeepSeek-V4-Flash":          {true, true},
		"GLM-5":                      {true, true},
		"GLM-4-9B":                   {true, false},
		"Kimi-K2.5":                  {true, true},
		"A100-tuned-model":           {},
		"Llama-4-Behemoth":           {true, true},
		"":                           {},
	} {
		if known, is := Mixture(name); known != want[0] || is != want[1] {
			t.Errorf("%q: known %v, mixture %v", name, known, is)
		}
	}
}

// TestFigures checks figures derived from a row: what is read for a token and what it adds to the cache.
func TestFigures(t *testing.T) {
	t.Parallel()
	for _, want := range []struct {
		name   string
		read   float64 // in G
		kv     int64
		traits Traits
	}{
		{"Qwen3-8B", 7.5687, 2 * 36 * 8 * 128 * 2, 0},
		{"Qwen3-30B-A3B", 3.0388, 2 * 48 * 4 * 128 * 2, MoE},
		{"Llama-3.2-1B", 1.236, 2 * 16 * 8 * 64 * 2, 0},                 // one embedding table, read for the output
		{"gpt-oss-20b", 3.61, 2 * 12 * 8 * 64 * 2, MoE},                 // every second layer has a sliding window
		{"DeepSeek-V3", 36.6233, 61 * (512 + 64) * 2, MoE | MultiToken}, // the latent vector, once for all heads
		{"Gemma-3n-E2B", 1.91, 0, PerLayerEmbeddings | Vision | Audio},
		{"Qwen2.5-Omni-7B", 7.075, 2 * 28 * 4 * 128 * 2, Vision | Audio | Talker},
	} {
		m, _ := Find(want.name)
		if math.Abs(m.ReadParams/1e9-want.read) > 0.001 || want.kv > 0 && m.KVBytesPerToken != want.kv || m.Traits != want.traits {
			t.Errorf("%s: %.5g G read, %d B a token, traits %b", want.name, m.ReadParams/1e9, m.KVBytesPerToken, m.Traits)
		}
	}
}

func TestQuantizationOfNames(t *testing.T) {
	t.Parallel()
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
		if got := Quantization(model); got != want {
			t.Errorf("%s: %q, not %q", model, got, want)
		}
	}
}

func TestMention(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		"Qwen_Qwen3-8B_tp1_throughput.json":                         {"Qwen3-8B", ""},
		"meta-llama_Llama-3.1-8B-Instruct_tp2_throughput.json":      {"Llama-3.1-8B", ""},
		"cyankiwi_Qwen3-30B-A3B-Instruct-2507-AWQ_tp1_latency.json": {"Qwen3-30B-A3B", "AWQ"},
		"runs/thor/2025-qwen3-8b-fp8/high.log":                      {"Qwen3-8B", "FP8"},
		"openai_gpt-oss-120b-c64.log":                               {"gpt-oss-120b", ""},
		"DeepSeek-R1-Distill-Qwen-7B.log":                           {"DeepSeek-R1-Distill-Qwen-7B", ""},
		"qwen2.5-7b-instruct-q4_k_m-batch8.txt":                     {"Qwen2.5-7B", "Q4_K_M"},
		"Qwen3-8B-vs-Qwen3-14B.txt":                                 {},
		"Qwen3-8B-and-Qwen3-14B.txt":                                {},
		"throughput.json":                                           {},
		"high.log":                                                  {},
		"":                                                          {},
	} {
		model, quantization, ok := Mention(text)
		if !ok {
			model, quantization = "", ""
		}
		if model != want[0] || quantization != want[1] {
			t.Errorf("%s: %q %q, not %v", text, model, quantization, want)
		}
	}
}
