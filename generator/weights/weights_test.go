package weights

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// read writes the files into a folder, which is called m in positions, and reads them.
func read(t *testing.T, files map[string]string) (Facts, string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	f, ms := Read(dir, "m", slices.Collect(maps.Keys(files)))
	var reported []string
	for _, m := range ms {
		reported = append(reported, m.Error())
	}
	return f, strings.Join(reported, "\n")
}

// say formats the known facts with their positions.
func say(f Facts) string {
	var said []string
	for _, fact := range []struct {
		name string
		Fact[int64]
	}{{"bytes", f.Bytes}, {"active", f.ActiveBytes}, {"params", f.Params}, {"active params", f.ActiveParams}, {"kv", f.KVBytesPerToken}, {"context", f.Context}} {
		if fact.Known() {
			said = append(said, fmt.Sprintf("%s %d %s", fact.name, fact.Value, fact.Pos))
		}
	}
	if f.Quantization.Known() {
		said = append(said, fmt.Sprintf("%s %s", f.Quantization.Value, f.Quantization.Pos))
	}
	return strings.Join(said, "\n")
}

const qwen3 = `{
  "architectures": ["Qwen3ForCausalLM"],
  "attention_bias": false,
  "head_dim": 128,
  "hidden_size": 4096,
  "intermediate_size": 12288,
  "max_position_embeddings": 40960,
  "max_window_layers": 36,
  "model_type": "qwen3",
  "num_attention_heads": 32,
  "num_hidden_layers": 36,
  "num_key_value_heads": 8,
  "rope_scaling": null,
  "sliding_window": null,
  "tie_word_embeddings": false,
  "torch_dtype": "bfloat16",
  "use_sliding_window": false,
  "vocab_size": 151936
}`

// TestConfigAlone checks the facts of Qwen3-8B. A layer has 4096·4096 parameters for queries and as many for the
// output, 2·4096·8·128 for keys and values, 2·128 for their norms, 3·4096·12288 for the MLP and 2·4096 for its norms:
// 192,946,432. 36 layers, the last norm of 4096, and two tables of 151936·4096 = 622,329,856 have 8,190,735,360.
//
// In BF16 these are 16,381,470,720 bytes, of which 1,244,659,712 are the table of embeddings. The cache has 2·36·8·128
// values of 2 bytes per token.
func TestConfigAlone(t *testing.T) {
	t.Parallel()
	f, reported := read(t, map[string]string{"config.json": qwen3})
	want := `bytes 16381470720 m/config.json:9
active 15136811008 m/config.json:9
params 8190735360 m/config.json:9
active params 8190735360 m/config.json:9
kv 147456 m/config.json:12
context 40960 m/config.json:7
BF16 m/config.json:16`
	if got := say(f); got != want || reported != "" {
		t.Errorf("got\n%s\n%s", got, reported)
	}
}

// TestFamilies compares the numbers of parameters with those of model cards and checkpoints.
func TestFamilies(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, config       string
		params, active, kv int64
	}{
		{"Llama-3.1-8B", `"model_type": "llama", "vocab_size": 128256, "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
			"num_key_value_heads": 8, "intermediate_size": 14336`,
			8_030_261_248, 8_030_261_248, 2 * 32 * 8 * 128 * 2},
		{"Llama-2-7B, from before grouped queries", `"model_type": "llama", "vocab_size": 32000, "hidden_size": 4096, "num_hidden_layers": 32,
			"num_attention_heads": 32, "intermediate_size": 11008`,
			6_738_415_616, 6_738_415_616, 2 * 32 * 32 * 128 * 2},
		{"Mistral-7B-v0.3", `"model_type": "mistral", "vocab_size": 32768, "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
			"num_key_value_heads": 8, "intermediate_size": 14336, "head_dim": null, "sliding_window": null`,
			7_248_023_552, 7_248_023_552, 2 * 32 * 8 * 128 * 2},
		{"Mistral-7B-v0.1, whose cache is a window", `"model_type": "mistral", "vocab_size": 32000, "hidden_size": 4096, "num_hidden_layers": 32,
			"num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336, "sliding_window": 4096`,
			7_241_732_096, 7_241_732_096, 0},
		{"Qwen2.5-7B", `"model_type": "qwen2", "vocab_size": 152064, "hidden_size": 3584, "num_hidden_layers": 28, "num_attention_heads": 28,
			"num_key_value_heads": 4, "intermediate_size": 18944, "sliding_window": 131072, "use_sliding_window": false`,
			7_615_616_512, 7_615_616_512, 2 * 28 * 4 * 128 * 2},
		{"Qwen2.5-0.5B", `"model_type": "qwen2", "vocab_size": 151936, "hidden_size": 896, "num_hidden_layers": 24, "num_attention_heads": 14,
			"num_key_value_heads": 2, "intermediate_size": 4864, "tie_word_embeddings": true`,
			494_032_768, 494_032_768, 2 * 24 * 2 * 64 * 2},
		// Each token skips 120 of 128 experts of 3·2048·768 in 48 layers: 27,179,089,920 parameters fewer.
		{"Qwen3-30B-A3B", `"model_type": "qwen3_moe", "vocab_size": 151936, "hidden_size": 2048, "num_hidden_layers": 48, "num_attention_heads": 32,
			"num_key_value_heads": 4, "head_dim": 128, "intermediate_size": 6144, "moe_intermediate_size": 768, "num_experts": 128,
			"num_experts_per_tok": 8, "decoder_sparse_step": 1, "mlp_only_layers": []`,
			30_532_122_624, 3_353_032_704, 2 * 48 * 4 * 128 * 2},
		// 56 of 60 experts of 3·2048·1408 in 24 layers: 11,626,610,688 fewer.
		{"Qwen1.5-MoE-A2.7B, with shared experts", `"model_type": "qwen2_moe", "vocab_size": 151936, "hidden_size": 2048, "num_hidden_layers": 24,
			"num_attention_heads": 16, "num_key_value_heads": 16, "intermediate_size": 5632, "moe_intermediate_size": 1408,
			"shared_expert_intermediate_size": 5632, "num_experts": 60, "num_experts_per_tok": 4, "decoder_sparse_step": 1`,
			14_315_784_192, 2_689_173_504, 2 * 24 * 16 * 128 * 2},
		// 6 of 8 experts of 3·4096·14336 in 32 layers: 33,822,867,456 fewer.
		{"Mixtral-8x7B", `"model_type": "mixtral", "vocab_size": 32000, "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
			"num_key_value_heads": 8, "intermediate_size": 14336, "num_local_experts": 8, "num_experts_per_tok": 2, "sliding_window": null`,
			46_702_792_704, 12_879_925_248, 2 * 32 * 8 * 128 * 2},
		// 58 of 64 experts of 3·2048·1408 in 26 layers: 13,045,334,016 fewer.
		{"DeepSeek-V2-Lite", `"model_type": "deepseek_v2", "vocab_size": 102400, "hidden_size": 2048, "num_hidden_layers": 27, "num_attention_heads": 16,
			"num_key_value_heads": 16, "intermediate_size": 10944, "moe_intermediate_size": 1408, "n_routed_experts": 64, "n_shared_experts": 2,
			"num_experts_per_tok": 6, "first_k_dense_replace": 1, "moe_layer_freq": 1, "q_lora_rank": null, "kv_lora_rank": 512,
			"qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "topk_method": "greedy"`,
			15_706_484_224, 2_661_150_208, 27 * (512 + 64) * 2},
		// 248 of 256 experts of 3·7168·2048 in 58 layers: 633,474,121,728 fewer.
		{"DeepSeek-V3", `"model_type": "deepseek_v3", "vocab_size": 129280, "hidden_size": 7168, "num_hidden_layers": 61, "num_attention_heads": 128,
			"num_key_value_heads": 128, "intermediate_size": 18432, "moe_intermediate_size": 2048, "n_routed_experts": 256, "n_shared_experts": 1,
			"num_experts_per_tok": 8, "first_k_dense_replace": 3, "moe_layer_freq": 1, "q_lora_rank": 1536, "kv_lora_rank": 512,
			"qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "topk_method": "noaux_tc", "num_nextn_predict_layers": 1`,
			671_026_419_200, 37_552_297_472, 61 * (512 + 64) * 2},
		// 28 of 32 experts of 3·2880·2880 with 3·2880 biases in 24 layers:
		// 16,727,316,480 fewer.
		{"gpt-oss-20b, half of whose layers forget", `"model_type": "gpt_oss", "vocab_size": 201088, "hidden_size": 2880, "num_hidden_layers": 24,
			"num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 64, "intermediate_size": 2880, "num_local_experts": 32,
			"num_experts_per_tok": 4, "attention_bias": true, "sliding_window": 128`,
			20_914_757_184, 4_187_440_704, 0},
		{"a family that is not known", `"model_type": "gemma9", "vocab_size": 1000, "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
			"num_key_value_heads": 4, "intermediate_size": 256`, 0, 0, 0},
		{"a mixture that does not say how many experts work", `"model_type": "mixtral", "vocab_size": 32000, "hidden_size": 4096, "num_hidden_layers": 32,
			"num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336, "num_local_experts": 8`, 0, 0, 2 * 32 * 8 * 128 * 2},
		{"a classifier, without output head", `"architectures": ["Qwen3ForSequenceClassification"], "model_type": "qwen3", "vocab_size": 1000, "hidden_size": 64,
			"num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 4, "head_dim": 16, "intermediate_size": 256`, 0, 0, 2 * 2 * 4 * 16 * 2},
	} {
		f, reported := read(t, map[string]string{"config.json": "{" + test.config + "}"})
		if f.Params.Value != test.params || f.ActiveParams.Value != test.active || f.KVBytesPerToken.Value != test.kv || reported != "" {
			t.Errorf("%s: %d parameters, %d active, %d B of cache, not %d, %d, %d %s", test.name,
				f.Params.Value, f.ActiveParams.Value, f.KVBytesPerToken.Value, test.params, test.active, test.kv, reported)
		}
	}
}

// TestActiveBytesOfAMixture checks that Qwen3-30B-A3B in BF16 reads 2 bytes of each active parameter except those of
// the table of embeddings: 2·(3,353,032,704 − 151936·2048).
func TestActiveBytesOfAMixture(t *testing.T) {
	t.Parallel()
	f, _ := read(t, map[string]string{"config.json": `{"model_type": "qwen3_moe", "vocab_size": 151936, "hidden_size": 2048, "num_hidden_layers": 48,
		"num_attention_heads": 32, "num_key_value_heads": 4, "head_dim": 128, "intermediate_size": 6144, "moe_intermediate_size": 768,
		"num_experts": 128, "num_experts_per_tok": 8, "torch_dtype": "bfloat16"}`})
	if f.Bytes.Value != 61_064_245_248 || f.ActiveBytes.Value != 6_083_735_552 {
		t.Errorf("%s", say(f))
	}
}

// TestActiveBytesOfATiedModel checks that the head of Qwen2.5-0.5B, which is its table of embeddings, is read once: all
// 2·494,032,768 bytes.
func TestActiveBytesOfATiedModel(t *testing.T) {
	t.Parallel()
	f, _ := read(t, map[string]string{"config.json": `{"model_type": "qwen2", "vocab_size": 151936, "hidden_size": 896, "num_hidden_layers": 24,
		"num_attention_heads": 14, "num_key_value_heads": 2, "intermediate_size": 4864, "tie_word_embeddings": true, "dtype": "bfloat16"}`})
	if f.Bytes.Value != 988_065_536 || f.ActiveBytes.Value != 988_065_536 {
		t.Errorf("%s", say(f))
	}
}

// TestConfigAgainstSize checks that a config without quantization_config gives the type of the weights, unless their
// size contradicts.
func TestConfigAgainstSize(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		size  string
		want  string
		bytes int64
	}{
		{"16381470720", "BF16", 15136811008},
		{"16381470720.0", "BF16", 15136811008},
		{"6000000000", "", 0}, // quantised by a tool that does not say so
	} {
		f, reported := read(t, map[string]string{"config.json": qwen3,
			"model.safetensors.index.json": "{\n\"metadata\": {\n\"total_size\": " + test.size + "\n},\n\"weight_map\": {}}"})
		if f.Quantization.Value != test.want || f.ActiveBytes.Value != test.bytes || reported != "" || f.Bytes.Pos.String() != "m/model.safetensors.index.json:3" {
			t.Errorf("%s bytes: %s %s", test.size, say(f), reported)
		}
	}
}

// TestQuantizedIndex checks that AWQ leaves the two tables of Qwen3-8B in 16 bits, and that only a row of one is read:
// 6,114,344,960 − 1,244,659,712.
func TestQuantizedIndex(t *testing.T) {
	t.Parallel()
	config := strings.Replace(qwen3, `"head_dim"`, `"quantization_config": {"quant_method": "awq", "bits": 4, "group_size": 128}, "head_dim"`, 1)
	f, reported := read(t, map[string]string{"config.json": config,
		"model.safetensors.index.json": `{"metadata": {"total_size": 6114344960}, "weight_map": {"a": "model-00001-of-00002.safetensors"}}`})
	if f.Quantization.Value != "AWQ" || f.ActiveBytes.Value != 4_869_685_248 || f.Params.Value != 8_190_735_360 || reported != "" {
		t.Errorf("%s %s", say(f), reported)
	}
}

func TestQuantizationLabels(t *testing.T) {
	t.Parallel()
	group := func(weights, activations string) string {
		return `{"quant_method": "compressed-tensors", "format": "nvfp4-pack-quantized", "config_groups": {"group_0": {"weights": ` + weights + `, "input_activations": ` + activations + `}}}`
	}
	for config, want := range map[string]string{
		`{"quant_method": "awq", "bits": 4}`:                                          "AWQ",
		`{"quant_method": "awq", "bits": 8}`:                                          "AWQ-8bit",
		`{"quant_method": "gptq", "bits": 4}`:                                         "GPTQ-Int4",
		`{"quant_method": "gptq", "bits": 8}`:                                         "GPTQ-Int8",
		`{"quant_method": "gptq"}`:                                                    "",
		`{"quant_method": "fp8", "weight_block_size": [128, 128]}`:                    "FP8",
		`{"quant_method": "mxfp4"}`:                                                   "MXFP4",
		`{"quant_method": "bitsandbytes", "load_in_4bit": true}`:                      "bitsandbytes-4bit",
		`{"quant_method": "modelopt", "quant_algo": "NVFP4"}`:                         "NVFP4",
		`{"quant_method": "modelopt", "quant_algo": "FP8"}`:                           "FP8",
		`{"quant_method": "modelopt", "quant_algo": "W4A8_AWQ"}`:                      "",
		group(`{"num_bits": 4, "type": "int"}`, `null`):                               "W4A16",
		group(`{"num_bits": 8, "type": "int"}`, `null`):                               "W8A16",
		group(`{"num_bits": 8, "type": "int"}`, `{"num_bits": 8, "type": "int"}`):     "W8A8",
		group(`{"num_bits": 4, "type": "int"}`, `{"num_bits": 8, "type": "int"}`):     "W4A8",
		group(`{"num_bits": 8, "type": "float"}`, `{"num_bits": 8, "type": "float"}`): "FP8",
		group(`{"num_bits": 8, "type": "float"}`, `null`):                             "W8A16",
		group(`{"num_bits": 4, "type": "float"}`, `{"num_bits": 4, "type": "float"}`): "NVFP4",
		group(`{"num_bits": 4, "type": "float"}`, `null`):                             "NVFP4A16",
		group(`{"num_bits": 4, "type": "float"}`, `{"num_bits": 8, "type": "float"}`): "",
		`{"quant_method": "compressed-tensors", "config_groups": {"a": {"weights": {"num_bits": 4, "type": "int"}}, "b": {"weights": {"num_bits": 8, "type": "int"}}}}`: "",
		`{"quant_method": "a new one"}`: "",
		`{}`:                            "",
	} {
		f, reported := read(t, map[string]string{"config.json": strings.Replace(qwen3, `"head_dim"`, "\n\"quantization_config\": "+config+`, "head_dim"`, 1)})
		if f.Quantization.Value != want || reported != "" || f.Quantization.Known() && f.Quantization.Pos.Line != 5 || f.Bytes.Known() {
			t.Errorf("%s is %s, not %q %s", config, say(f), want, reported)
		}
	}
}

// TestQuantizationBesideTheConfig checks the separate file of early ModelOpt versions, beside a config that says BF16.
func TestQuantizationBesideTheConfig(t *testing.T) {
	t.Parallel()
	f, reported := read(t, map[string]string{"config.json": qwen3,
		"hf_quant_config.json": "{\"producer\": {\"name\": \"modelopt\"},\n\"quantization\": {\n\"quant_algo\": \"NVFP4\", \"kv_cache_quant_algo\": \"FP8\"}}"})
	want := "params 8190735360 m/config.json:9\nactive params 8190735360 m/config.json:9\ncontext 40960 m/config.json:7\nNVFP4 m/hf_quant_config.json:3"
	if got := say(f); got != want || reported != "" {
		t.Errorf("got\n%s\n%s", got, reported)
	}
}

// entry is a tensor of a safetensors header.
type entry struct {
	name, dtype string
	shape       []int
}

// tensors returns a safetensors file that ends after its header.
func tensors(entries ...entry) string {
	header := map[string]any{"__metadata__": map[string]string{"format": "pt"}}
	at := 0
	for _, e := range entries {
		size := int(bitsOf[e.dtype])
		for _, d := range e.shape {
			size *= d
		}
		header[e.name] = map[string]any{"dtype": e.dtype, "shape": e.shape, "data_offsets": []int{at, at + size/8}}
		at += size / 8
	}
	text, err := json.Marshal(header)
	if err != nil {
		panic(err)
	}
	return string(binary.LittleEndian.AppendUint64(nil, uint64(len(text)))) + string(text)
}

const mixture = `{"model_type": "glm4_moe", "hidden_size": 8, "num_hidden_layers": 2, "n_routed_experts": 4, "num_experts_per_tok": 1, "torch_dtype": "bfloat16"}`

// TestTensors checks a model of two layers. A token reads the head (16·8), the attention of both layers (2·64), the
// router (4·8, in 32 bits), the shared expert (3·8·4), the norm (8) and 1 of 4 experts of 3·8·4. It does not read the
// table, the vision part, and layer 2, which is for multi-token prediction.
//
// In bytes: 2·(128 + 128 + 96 + 8 + 96) + 4·32 = 1040; in total 2·(128 + 128 + 128 + 96 + 8 + 4·96 + 50 + 64) + 128 =
// 2100.
func TestTensors(t *testing.T) {
	t.Parallel()
	all := []entry{
		{"model.embed_tokens.weight", "BF16", []int{16, 8}},
		{"lm_head.weight", "BF16", []int{16, 8}},
		{"model.norm.weight", "BF16", []int{8}},
		{"model.layers.0.self_attn.q_proj.weight", "BF16", []int{8, 8}},
		{"model.layers.1.self_attn.q_proj.weight", "BF16", []int{8, 8}},
		{"model.layers.1.mlp.gate.weight", "F32", []int{4, 8}},
		{"model.layers.1.mlp.shared_experts.up_proj.weight", "BF16", []int{3, 4, 8}},
		{"model.layers.2.self_attn.q_proj.weight", "BF16", []int{8, 8}},
		{"model.visual.patch_embed.weight", "BF16", []int{5, 10}},
	}
	for e := range 4 {
		all = append(all, entry{fmt.Sprintf("model.layers.1.mlp.experts.%d.up_proj.weight", e), "BF16", []int{3, 4, 8}})
	}
	f, reported := read(t, map[string]string{"config.json": mixture, "model.safetensors": tensors(all...)})
	want := `bytes 2100 m/model.safetensors
active 1040 m/model.safetensors
params 1018 m/model.safetensors
active params 616 m/model.safetensors
BF16 m/config.json:1`
	// Parameters: 2·128 + 8 + 2·64 + 32 + 96 + 64 + 50 + 4·96 = 1018; active
	// 2·128 + 8 + 2·64 + 32 + 96 + 96 = 616.
	if got := say(f); got != want || reported != "" {
		t.Errorf("got\n%s\n%s", got, reported)
	}

	t.Run("in two files", func(t *testing.T) {
		f, reported := read(t, map[string]string{"config.json": mixture,
			"model-00001-of-00002.safetensors": tensors(all[:6]...), "model-00002-of-00002.safetensors": tensors(all[6:]...)})
		if f.Bytes.Value != 2100 || f.ActiveBytes.Value != 1040 || reported != "" {
			t.Errorf("%s %s", say(f), reported)
		}
	})
	t.Run("one of two files", func(t *testing.T) {
		f, reported := read(t, map[string]string{"config.json": mixture, "model-00002-of-00002.safetensors": tensors(all[6:]...)})
		if f.Bytes.Known() || reported != "m/model-00002-of-00002.safetensors: info: model-00001-of-00002.safetensors belongs to this and is missing, so the tensors do not give the size of the model" {
			t.Errorf("%s %s", say(f), reported)
		}
	})
	t.Run("the index chooses", func(t *testing.T) {
		f, reported := read(t, map[string]string{"config.json": mixture, "consolidated.safetensors": tensors(all...), "model.safetensors": tensors(all...),
			"model.safetensors.index.json": `{"metadata": {"total_size": 2100}, "weight_map": {"lm_head.weight": "model.safetensors", "b": "model.safetensors"}}`})
		if f.Bytes.Value != 2100 || f.ActiveBytes.Value != 1040 || reported != "" {
			t.Errorf("%s %s", say(f), reported)
		}
	})
	t.Run("the same weights twice", func(t *testing.T) {
		f, reported := read(t, map[string]string{"config.json": mixture, "consolidated.safetensors": tensors(all...), "model.safetensors": tensors(all...)})
		if f.Bytes.Value != 2100 || f.Bytes.Pos.File != "m/model.safetensors" || reported != "" {
			t.Errorf("%s %s", say(f), reported)
		}
		f, reported = read(t, map[string]string{"config.json": mixture, "consolidated.safetensors": tensors(all...)})
		if f.Bytes.Value != 2100 || reported != "" {
			t.Errorf("alone: %s %s", say(f), reported)
		}
	})
	t.Run("of two models", func(t *testing.T) {
		f, reported := read(t, map[string]string{"a.safetensors": tensors(all...), "b.safetensors": tensors(all...)})
		if f.Bytes.Known() || reported != "m/a.safetensors: info: this and b.safetensors are of different models, so the size of the one that ran is not known" {
			t.Errorf("%s %s", say(f), reported)
		}
	})
	t.Run("without config", func(t *testing.T) {
		f, reported := read(t, map[string]string{"model.safetensors": tensors(all...), "adapter_model.safetensors": tensors()})
		if got := say(f); got != "bytes 2100 m/model.safetensors" || reported != "" || len(f.Files) != 2 {
			t.Errorf("%s %s %s", got, reported, f.Files)
		}
	})
}

// TestTensorsThatSettleNothing checks that facts are omitted if the tensors do not determine them.
func TestTensorsThatSettleNothing(t *testing.T) {
	t.Parallel()
	table := entry{"model.embed_tokens.weight", "BF16", []int{16, 8}}
	for what, of := range map[string][]entry{
		"a tensor whose place is not known":     {table, {"model.memory.weight", "BF16", []int{8, 8}}},
		"a checkpoint of 32 bits, cast on load": {{"model.embed_tokens.weight", "F32", []int{16, 8}}},
		"no table":                              {{"model.layers.0.q.weight", "BF16", []int{8, 8}}},
	} {
		f, reported := read(t, map[string]string{"config.json": mixture, "model.safetensors": tensors(of...)})
		if !f.Bytes.Known() || f.ActiveBytes.Known() || f.ActiveParams.Known() || reported != "" {
			t.Errorf("%s: %s %s", what, say(f), reported)
		}
	}
	// Experts of a type whose routing is unknown.
	f, _ := read(t, map[string]string{"config.json": strings.Replace(mixture, "glm4_moe", "new_moe", 1),
		"model.safetensors": tensors(table, entry{"model.layers.0.mlp.experts.0.w.weight", "BF16", []int{8, 8}})})
	if f.ActiveBytes.Known() {
		t.Errorf("%s", say(f))
	}
	// Quantised tensors and a config that says BF16.
	f, _ = read(t, map[string]string{"config.json": mixture, "model.safetensors": tensors(table, entry{"model.layers.0.q.weight", "F8_E4M3", []int{8, 8}})})
	if f.Quantization.Known() || f.Params.Known() || f.ActiveBytes.Value != 256+64 {
		t.Errorf("%s", say(f))
	}
}

// TestStackedExperts checks experts in one tensor per layer, as in gpt-oss and Llama 4: of 4·64 bytes of FP4 and 4·2 of
// scales, a token routed to 1 of 4 reads 66. The table is the head.
func TestStackedExperts(t *testing.T) {
	t.Parallel()
	f, reported := read(t, map[string]string{
		"config.json": `{"model_type": "gpt_oss", "hidden_size": 8, "num_hidden_layers": 1, "num_local_experts": 4, "num_experts_per_tok": 1,
			"quantization_config": {"quant_method": "mxfp4"}}`,
		"model.safetensors": tensors(entry{"model.embed_tokens.weight", "BF16", []int{16, 8}},
			entry{"model.layers.0.mlp.experts.gate_up_proj_blocks", "U8", []int{4, 8, 8}},
			entry{"model.layers.0.mlp.experts.gate_up_proj_scales", "U8", []int{4, 2}})})
	if f.Bytes.Value != 256+4*64+4*2 || f.ActiveBytes.Value != 256+66 || f.Quantization.Value != "MXFP4" || reported != "" {
		t.Errorf("%s %s", say(f), reported)
	}
}

// TestMultimodal checks that the text part of a multimodal model gives the cache size, but not the number of parameters
// of the whole model.
func TestMultimodal(t *testing.T) {
	t.Parallel()
	f, reported := read(t, map[string]string{"config.json": `{
		"architectures": ["Mistral3ForConditionalGeneration"], "model_type": "mistral3", "torch_dtype": "bfloat16",
		"text_config": {
			"model_type": "mistral", "vocab_size": 131072, "hidden_size": 5120, "num_hidden_layers": 40, "num_attention_heads": 32,
			"num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 32768, "max_position_embeddings": 131072},
		"vision_config": {"hidden_size": 1024}}`})
	if got := say(f); got != "kv 163840 m/config.json:5\ncontext 131072 m/config.json:5\nBF16 m/config.json:2" || reported != "" {
		t.Errorf("got\n%s\n%s", got, reported)
	}
}

// TestOtherConfigsAreLeftAlone checks that only a config with a model's size counts as a model's.
func TestOtherConfigsAreLeftAlone(t *testing.T) {
	t.Parallel()
	for _, config := range []string{
		``, `[]`, `{"output_throughput": 2}`, `{"model_type": "pipeline", "tasks": [1]}`, `{"hidden_size": 8, "num_hidden_layers": 2}`,
		`{"architectures": ["X"], "hidden_size": 8}`, `{"model_type": "x", "text_config": 3}`, `{"model_type": "cut off`, `not JSON`,
	} {
		f, reported := read(t, map[string]string{"config.json": config})
		if len(f.Files) != 0 || say(f) != "" || reported != "" {
			t.Errorf("%s: %s %s %s", config, f.Files, say(f), reported)
		}
	}
}

func TestBrokenFiles(t *testing.T) {
	t.Parallel()
	length := func(n uint64) string { return string(binary.LittleEndian.AppendUint64(nil, n)) }
	header := func(text string) string { return length(uint64(len(text))) + text }
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 16\n"
	for _, test := range []struct{ file, text, want string }{
		{"config.json", `{"model_type": "llama", "hidden_size": 8,`, "unexpected end of JSON input"},
		{"config.json", `{"model_type": "llama", "hidden_size": -8, "num_hidden_layers": 2}`, "hidden_size = -8 is not a valid size of a model"},
		{"config.json", `{"model_type": "llama", "hidden_size": 8, "num_hidden_layers": 9000000000}`, "num_hidden_layers = 9000000000 is not a valid size of a model"},
		{"config.json", `{"model_type": "llama", "hidden_size": 0, "num_hidden_layers": 1}`, "hidden_size and num_hidden_layers are more than 0 in a model"},
		{"hf_quant_config.json", `{"quantization"`, "unexpected end of JSON input"},
		{"model.safetensors.index.json", `{"metadata": {"total_size": -1}, "weight_map": {}}`, "total_size -1 is not a size"},
		{"model.safetensors.index.json", `{"metadata": {"total_size": 1.5}, "weight_map": {}}`, "total_size 1.5 is not a size"},
		{"model.safetensors", "", "the file ends before the header's length"},
		{"model.safetensors", pointer, "a Git LFS pointer, not the file itself"},
		{"model.safetensors", length(1 << 60), "a header of 1152921504606846976 bytes, where the format allows 100000000"},
		{"model.safetensors", length(20) + `{"a"`, "the file ends inside its header, after 4 of 20 bytes"},
		{"model.safetensors", header(`[]`), "the header is not a JSON object"},
		{"model.safetensors", header(`{"a": {"dtype": "F16", "shape": [2], "data_offsets": [0, 3]}}`), `the tensor "a" of 2 F16 takes 3 bytes`},
		{"model.safetensors", header(`{"a": {"dtype": "F16", "shape": [4294967296, 4294967296], "data_offsets": [0, 3]}}`), `the tensor "a" has no size`},
		{"model.safetensors", header(`{"a": {"dtype": "NEW", "shape": [4], "data_offsets": [4, 3]}}`), `the tensor "a" has no size`},
		{"model.safetensors", header(`{"a": {"dtype": "NEW", "shape": [4], "data_offsets": [0, 9223372036854775807]},
			"b": {"dtype": "NEW", "shape": [4], "data_offsets": [0, 1]}}`), "the sizes of the tensors do not add up to a size"},
		{"model.safetensors", header(`{"a": {}`), "the header is not JSON: EOF"},
		{"x.gguf", "", "the file ends inside its header"},
		{"x.gguf", pointer, "a Git LFS pointer, not the file itself"},
		{"x.gguf", "GGML\x01\x00\x00\x00", "not a GGUF file"},
		{"x.gguf", "GGUF\x01\x00\x00\x00", "GGUF version 1; 2 and 3 can be read"},
		{"x.gguf", "GGUF\x00\x00\x00\x03", "a GGUF file for big-endian machines"},
		{"x.gguf", "GGUF\x03\x00\x00\x00" + length(1) + length(0), "the file ends inside its header"},
		{"x.gguf", "GGUF\x03\x00\x00\x00" + length(1<<63) + length(1<<63) + length(1<<40), "a name of 1099511627776 bytes"},
		{"x.gguf", "GGUF\x03\x00\x00\x00" + length(0) + length(1) + length(1) + "k\x0d\x00\x00\x00", "metadata of the unknown type 13"},
		{"x.gguf", "GGUF\x03\x00\x00\x00" + length(0) + length(1) + length(1) + "k\x09\x00\x00\x00\x04\x00\x00\x00" + length(1<<62), "the file ends inside its header"},
		{"x.gguf", "GGUF\x03\x00\x00\x00" + length(1) + length(0) + length(1) + "t\x01\x00\x00\x00" + length(33) + "\x02\x00\x00\x00" + length(0), `the tensor "t" has no size`},
		{"x.gguf", "GGUF\x03\x00\x00\x00" + length(1) + length(0) + length(1) + "t\x01\x00\x00\x00" + length(32) + "\x63\x00\x00\x00" + length(0), `the tensor "t" is of the unknown type 99`},
		{"x.gguf", "GGUF\x03\x00\x00\x00" + length(1) + length(0) + length(1) + "t\xff\xff\xff\xff", `the tensor "t" has 4294967295 dimensions`},
	} {
		f, reported := read(t, map[string]string{test.file: test.text})
		if want := "m/" + test.file + ": warning: the model's size cannot be read: " + test.want; reported != want || say(f) != "" || !slices.Equal(f.Files, []string{test.file}) {
			t.Errorf("%q: got\n%s\nwant\n%s\n%s %s", test.text, reported, want, say(f), f.Files)
		}
	}
}

// TestTheRestOfABrokenModelCounts checks that a broken file only affects its own facts.
func TestTheRestOfABrokenModelCounts(t *testing.T) {
	t.Parallel()
	f, reported := read(t, map[string]string{"config.json": qwen3, "model.safetensors": "x"})
	if f.Params.Value != 8_190_735_360 || f.KVBytesPerToken.Value != 147456 || !strings.HasPrefix(reported, "m/model.safetensors: warning: ") {
		t.Errorf("%s %s", say(f), reported)
	}
}

// TestConfigOfAnotherShape checks that a shape that no known family has is not an error.
func TestConfigOfAnotherShape(t *testing.T) {
	t.Parallel()
	f, reported := read(t, map[string]string{"config.json": `{"model_type": "llama", "hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": [4, 8],
		"vocab_size": 100, "intermediate_size": 32, "max_position_embeddings": 4096}`})
	if got := say(f); got != "context 4096 m/config.json:2" || reported != "" {
		t.Errorf("%s %s", got, reported)
	}
}

func TestIsFile(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"config.json": true, "model.safetensors": true, "model.safetensors.index.json": true, "Qwen3-8B-Q5_K_M.gguf": true, "hf_quant_config.json": true,
		"generation_config.json": false, "result.json": false, "run.log": false, "my-config.json": false, "gguf": false,
	} {
		if IsFile(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}
