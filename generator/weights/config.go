package weights

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// config is the config.json of a decoder. Absent and null fields are zero. For a multimodal model it holds the fields
// of the text part.
type config struct {
	Architectures []string `json:"architectures"`
	ModelType     string   `json:"model_type"`
	TorchDtype    string   `json:"torch_dtype"`
	Dtype         string   `json:"dtype"` // replaces torch_dtype since transformers 4.56

	Vocab        int64    `json:"vocab_size"`
	Hidden       int64    `json:"hidden_size"`
	Layers       int64    `json:"num_hidden_layers"`
	Heads        int64    `json:"num_attention_heads"`
	KVHeads      int64    `json:"num_key_value_heads"`
	HeadDim      int64    `json:"head_dim"`
	Intermediate int64    `json:"intermediate_size"`
	Context      int64    `json:"max_position_embeddings"`
	Tied         bool     `json:"tie_word_embeddings"`
	AttnBias     bool     `json:"attention_bias"`
	MLPBias      bool     `json:"mlp_bias"`
	Window       int64    `json:"sliding_window"`
	UseWindow    *bool    `json:"use_sliding_window"`
	LayerTypes   []string `json:"layer_types"`

	// Mixtures of experts.
	ExpertsUsed        int64   `json:"num_experts_per_tok"`
	QwenExperts        int64   `json:"num_experts"`
	RoutedExperts      int64   `json:"n_routed_experts"`
	LocalExperts       int64   `json:"num_local_experts"`
	ExpertIntermediate int64   `json:"moe_intermediate_size"`
	SharedIntermediate int64   `json:"shared_expert_intermediate_size"`
	SharedExperts      int64   `json:"n_shared_experts"`
	SparseStep         int64   `json:"decoder_sparse_step"`
	DenseOnly          []int64 `json:"mlp_only_layers"`
	DenseFirst         int64   `json:"first_k_dense_replace"`
	SparseEvery        int64   `json:"moe_layer_freq"`
	TopK               string  `json:"topk_method"`

	// Multi-head latent attention.
	QRank    int64 `json:"q_lora_rank"`
	KVRank   int64 `json:"kv_lora_rank"`
	NopeDim  int64 `json:"qk_nope_head_dim"`
	RopeDim  int64 `json:"qk_rope_head_dim"`
	ValueDim int64 `json:"v_head_dim"`
	IndexDim int64 `json:"index_head_dim"` // sparse attention with its own cache

	Quantization *quantization `json:"quantization_config"`

	multimodal bool
	lines      map[string]int
	prefix     string // prefix of the text part's keys in lines: "text_config." for a multimodal model
}

// quantization is the object quantization_config.
type quantization struct {
	Method    string `json:"quant_method"`
	Bits      int64  `json:"bits"`
	Algorithm string `json:"quant_algo"`
	Load4     bool   `json:"load_in_4bit"`
	Load8     bool   `json:"load_in_8bit"`
	Format    string `json:"format"`
	Groups    map[string]struct {
		Format      string   `json:"format"`
		Weights     *numbers `json:"weights"`
		Activations *numbers `json:"input_activations"`
	} `json:"config_groups"`
	KVScheme json.RawMessage `json:"kv_cache_scheme"`
	KVAlgo   string          `json:"kv_cache_quant_algo"`
}

// numbers describes a number format in compressed-tensors.
type numbers struct {
	Bits int64  `json:"num_bits"`
	Type string `json:"type"` // "int", "float"
}

// quantConfig is hf_quant_config.json.
type quantConfig struct {
	Quantization quantization `json:"quantization"`
	pos          result.Position
}

// readConfig reads config.json if it belongs to a model. It ignores any other one.
func (r *reader) readConfig() {
	data, err := r.load(configName)
	if err != nil {
		return // whoever reads it as a result reports the error
	}
	c, is, err := parseConfig(data)
	if !is {
		return
	}
	r.facts.Files = append(r.facts.Files, configName)
	if err != nil {
		r.broken(configName, err)
		return
	}
	r.config = c
}

func (r *reader) readQuantConfig() {
	r.facts.Files = append(r.facts.Files, quantConfigName)
	data, err := r.load(quantConfigName)
	if err != nil {
		r.broken(quantConfigName, err)
		return
	}
	var q quantConfig
	if err := json.Unmarshal(data, &q); err != nil {
		r.broken(quantConfigName, err)
		return
	}
	q.pos = r.at(quantConfigName, keyLines(data)["quantization.quant_algo"])
	r.quantConfig = &q
}

// parseConfig parses a config.json and reports whether it belongs to a model: it must have an architecture or model
// type, and sizes. A config.json with invalid syntax is recognised by the names in it.
func parseConfig(data []byte) (c *config, is bool, err error) {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(data, &keys); err != nil {
		return nil, bytes.Contains(data, []byte(`"model_type"`)) && bytes.Contains(data, []byte(`"hidden_size"`)), err
	}
	if keys["architectures"] == nil && keys["model_type"] == nil {
		return nil, false, nil
	}
	size := keys
	prefix := ""
	if keys["hidden_size"] == nil {
		prefix = "text_config."
		if json.Unmarshal(keys["text_config"], &size) != nil {
			return nil, false, nil
		}
	}
	if size["hidden_size"] == nil || size["num_hidden_layers"] == nil {
		return nil, false, nil
	}
	c = &config{}
	err = json.Unmarshal(data, c)
	if prefix != "" {
		outer := *c
		// Fields that the text part lacks apply to the whole model.
		err = errors.Join(err, json.Unmarshal(keys["text_config"], c))
		c.Architectures, c.Quantization = outer.Architectures, outer.Quantization
	}
	if err != nil {
		c.ModelType = "" // a list where known families have a number
	}
	c.multimodal = prefix != "" || keys["vision_config"] != nil || keys["audio_config"] != nil
	c.lines, c.prefix = keyLines(data), prefix
	return c, true, c.check()
}

// check returns an error if a size is out of the range of existing models, so that computations cannot overflow.
func (c *config) check() error {
	for _, size := range []struct {
		name  string
		value int64
		max   int64
	}{
		{"vocab_size", c.Vocab, 1 << 24}, {"hidden_size", c.Hidden, 1 << 18}, {"num_hidden_layers", c.Layers, 1 << 10},
		{"num_attention_heads", c.Heads, 1 << 12}, {"num_key_value_heads", c.KVHeads, 1 << 12}, {"head_dim", c.HeadDim, 1 << 12},
		{"intermediate_size", c.Intermediate, 1 << 20}, {"max_position_embeddings", c.Context, 1 << 40},
		{"num_experts_per_tok", c.ExpertsUsed, 1 << 12}, {"num_experts", c.QwenExperts, 1 << 12},
		{"n_routed_experts", c.RoutedExperts, 1 << 12}, {"num_local_experts", c.LocalExperts, 1 << 12},
		{"moe_intermediate_size", c.ExpertIntermediate, 1 << 18}, {"shared_expert_intermediate_size", c.SharedIntermediate, 1 << 20},
		{"n_shared_experts", c.SharedExperts, 1 << 8}, {"decoder_sparse_step", c.SparseStep, 1 << 10},
		{"first_k_dense_replace", c.DenseFirst, 1 << 10}, {"moe_layer_freq", c.SparseEvery, 1 << 10},
		{"q_lora_rank", c.QRank, 1 << 18}, {"kv_lora_rank", c.KVRank, 1 << 18}, {"qk_nope_head_dim", c.NopeDim, 1 << 12},
		{"qk_rope_head_dim", c.RopeDim, 1 << 12}, {"v_head_dim", c.ValueDim, 1 << 12},
	} {
		if size.value < 0 || size.value > size.max {
			return locale.Errorf("%s = %d is not a valid size of a model", size.name, size.value)
		}
	}
	if c.Hidden == 0 || c.Layers == 0 {
		return locale.Errorf("hidden_size and num_hidden_layers are more than 0 in a model")
	}
	return nil
}

// line returns the line of the first of the keys that the file has.
func (c *config) line(keys ...string) int {
	for _, key := range keys {
		if n := c.lines[c.prefix+key]; n > 0 {
			return n
		}
		if n := c.lines[key]; n > 0 {
			return n
		}
	}
	return 0
}

// tellConfig sets the facts that follow from config.json, and from the sizes of the tensors if these are known.
func (r *reader) tellConfig() {
	c, f := r.config, &r.facts
	if c == nil {
		return
	}
	at := func(keys ...string) result.Position { return r.at(configName, c.line(keys...)) }
	if c.Context > 0 {
		f.Context = Fact[int64]{c.Context, at("max_position_embeddings")}
	}
	size, counted := c.count()
	if counted {
		pos := at("model_type", "architectures")
		f.Params, f.ActiveParams = Fact[int64]{size.all(), pos}, Fact[int64]{size.active(), pos}
	}
	r.tellQuantization(size, counted)
	plain := f.Quantization.Value == "BF16" || f.Quantization.Value == "FP16"
	if plain && counted && !f.Bytes.Known() {
		f.Bytes = Fact[int64]{2 * size.all(), f.Params.Pos}
	}
	switch experts := c.routing(); {
	case r.census != nil && r.census.settled(experts):
		f.ActiveBytes = Fact[int64]{r.census.activeBytes(experts), f.Bytes.Pos}
		if plain && !counted {
			f.Params = Fact[int64]{r.census.totalElements(), f.Bytes.Pos}
			f.ActiveParams = Fact[int64]{r.census.activeElements(experts), f.Bytes.Pos}
		}
	case counted && plain:
		f.ActiveBytes = Fact[int64]{2 * size.read(), f.Params.Pos}
	case counted && f.Quantization.Known() && size.experts == 0:
		active := f.Bytes.Value
		if size.head > 0 {
			active -= 2 * size.embedding // the methods leave it in 16 bits
		}
		if active > 0 {
			f.ActiveBytes = Fact[int64]{active, f.Bytes.Pos}
		}
	}
	if kv := c.kvBytes(); kv > 0 && !r.cacheIsQuantized() {
		f.KVBytesPerToken = Fact[int64]{kv, at("kv_lora_rank", "num_key_value_heads", "num_attention_heads")}
	}
}

// tellQuantization sets the quantization. A checkpoint without quantization is in the type that it names, unless its
// size contradicts.
func (r *reader) tellQuantization(size size, counted bool) {
	c, f := r.config, &r.facts
	if c.Quantization != nil {
		if label := c.Quantization.label(); label != "" {
			f.Quantization = Fact[string]{label, r.at(configName, c.line("quantization_config.quant_method", "quantization_config"))}
		}
		return
	}
	if r.quantConfig != nil {
		if label := r.quantConfig.Quantization.algorithm(); label != "" {
			f.Quantization = Fact[string]{label, r.quantConfig.pos}
		}
		return
	}
	if slices.Contains(f.Files, quantConfigName) || r.census != nil && (r.census.narrow || r.census.wide) {
		return
	}
	if off := f.Bytes.Value - 2*size.all(); counted && f.Bytes.Known() && max(off, -off) > f.Bytes.Value/50 {
		return
	}
	label := map[string]string{"bfloat16": "BF16", "float16": "FP16"}[strings.TrimPrefix(cmp.Or(c.TorchDtype, c.Dtype), "torch.")]
	if label != "" {
		f.Quantization = Fact[string]{label, r.at(configName, c.line("torch_dtype", "dtype"))}
	}
}

// label returns the usual name of a quantization, "" if it is unknown.
func (q *quantization) label() string {
	switch q.Method {
	case "awq":
		if q.Bits == 4 || q.Bits == 0 {
			return "AWQ"
		}
		return fmt.Sprintf("AWQ-%dbit", q.Bits)
	case "gptq":
		if q.Bits > 0 {
			return fmt.Sprintf("GPTQ-Int%d", q.Bits)
		}
	case "fp8", "fbgemm_fp8":
		return "FP8"
	case "mxfp4":
		return "MXFP4"
	case "bitsandbytes":
		switch {
		case q.Load4 && !q.Load8:
			return "bitsandbytes-4bit"
		case q.Load8 && !q.Load4:
			return "bitsandbytes-8bit"
		}
	case "modelopt", "modelopt_fp4":
		return q.algorithm()
	case "compressed-tensors":
		label := ""
		for _, group := range q.Groups {
			of := scheme(cmp.Or(group.Format, q.Format), group.Weights, group.Activations)
			if of == "" || label != "" && label != of {
				return ""
			}
			label = of
		}
		return label
	}
	return ""
}

// algorithm returns the name of an NVIDIA ModelOpt quantization.
func (q *quantization) algorithm() string {
	switch q.Algorithm {
	case "FP8", "NVFP4":
		return q.Algorithm
	case "W4A16_AWQ":
		return "AWQ"
	}
	return ""
}

// scheme returns the name of a compressed-tensors quantization of weights and activations.
func scheme(format string, weights, activations *numbers) string {
	if weights == nil {
		return ""
	}
	a := numbers{Bits: 16, Type: "float"}
	if activations != nil {
		a = *activations
	}
	floats := ""
	switch {
	case weights.Type != "float":
	case weights.Bits == 8:
		floats = "FP8"
	case strings.HasPrefix(format, "nvfp4"):
		floats = "NVFP4"
	case strings.HasPrefix(format, "mxfp4"):
		floats = "MXFP4"
	}
	switch {
	case weights.Type == "int" && (activations == nil || a.Type == "int"), floats == "FP8" && activations == nil:
		return fmt.Sprintf("W%dA%d", weights.Bits, a.Bits)
	case floats != "" && activations == nil:
		return floats + "A16"
	case a == *weights:
		return floats
	}
	return ""
}

// cacheIsQuantized reports whether the checkpoint has scales for a KV cache of fewer bits. Engines may or may not use
// them.
func (r *reader) cacheIsQuantized() bool {
	of := func(q *quantization) bool {
		return len(q.KVScheme) > 0 && string(q.KVScheme) != "null" || q.KVAlgo != ""
	}
	return r.config.Quantization != nil && of(r.config.Quantization) || r.quantConfig != nil && of(&r.quantConfig.Quantization)
}

// keyLines returns the line of each key of a valid JSON document, and of the keys in some objects at the top level:
// "metadata.total_size".
func keyLines(data []byte) map[string]int {
	lines := map[string]int{}
	d := json.NewDecoder(bytes.NewReader(data))
	line, counted := 1, 0
	var object func(prefix string)
	object = func(prefix string) {
		if _, err := d.Token(); err != nil { // the opening brace
			return
		}
		for d.More() {
			token, err := d.Token()
			if err != nil {
				return
			}
			offset := int(d.InputOffset())
			line += bytes.Count(data[counted:offset], []byte("\n"))
			counted = offset
			key, _ := token.(string)
			lines[prefix+key] = line
			switch key {
			case "metadata", "text_config", "quantization_config", "quantization":
				if prefix == "" && objectFollows(data[offset:]) {
					object(key + ".")
					continue
				}
			}
			var value json.RawMessage
			if d.Decode(&value) != nil {
				return
			}
		}
		d.Token() // the closing brace; an error recurs at the next token
	}
	object("")
	return lines
}

// objectFollows reports whether the value after a key is an object.
func objectFollows(data []byte) bool {
	data = bytes.TrimLeft(data, " \t\r\n:")
	return len(data) > 0 && data[0] == '{'
}
