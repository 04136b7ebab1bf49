package weights

import (
	"slices"
	"strings"
)

// size is the number of parameters of a decoder, divided by what one token reads.
type size struct {
	embedding int64 // the table of input embeddings
	head      int64 // the output head, 0 if it is the same table
	body      int64 // parameters used for every token
	experts   int64 // all routed experts
	routing   routing
}

func (s size) all() int64    { return s.embedding + s.head + s.body + s.experts }
func (s size) active() int64 { return s.all() - s.experts + s.used() }

// read returns the number of parameters whose bytes are read for one token.
func (s size) read() int64 {
	if s.head == 0 {
		return s.embedding + s.body + s.used()
	}
	return s.head + s.body + s.used()
}

func (s size) used() int64 {
	if s.experts == 0 {
		return 0
	}
	return s.routing.share(s.experts)
}

// family describes how one model type differs from the others, according to its class in transformers.
type family struct {
	qkvBias  bool                     // query, key and value projections have biases regardless of attention_bias
	qkNorm   bool                     // query and key are normalised per head
	attnBias bool                     // attention_bias applies, also to the output projection
	sinks    bool                     // attention sinks, one per head
	latent   bool                     // multi-head latent attention
	experts  func(c *config) *experts // nil for a dense family
}

// experts describes the mixture of experts of a family.
type experts struct {
	routing
	intermediate int64 // size of one expert
	shared       int64 // total size of the experts that all tokens use
	sharedGate   bool
	routerBias   bool
	expertBias   bool
	sparse       func(layer int64) bool // whether the layer has experts
}

func everyLayer(int64) bool { return true }

var families = map[string]family{
	"llama":     {attnBias: true},
	"mistral":   {},
	"qwen2":     {qkvBias: true},
	"qwen3":     {attnBias: true, qkNorm: true},
	"qwen2_moe": {qkvBias: true, experts: qwenExperts},
	"qwen3_moe": {attnBias: true, qkNorm: true, experts: qwenExperts},
	"mixtral": {experts: func(c *config) *experts {
		return &experts{routing: routing{c.ExpertsUsed, c.LocalExperts}, intermediate: c.Intermediate, sparse: everyLayer}
	}},
	"gpt_oss": {attnBias: true, sinks: true, experts: func(c *config) *experts {
		return &experts{routing: routing{c.ExpertsUsed, c.LocalExperts}, intermediate: c.Intermediate, routerBias: true, expertBias: true, sparse: everyLayer}
	}},
	"deepseek_v2": {latent: true, experts: deepseekExperts},
	"deepseek_v3": {latent: true, experts: deepseekExperts},
	"kimi_k2":     {latent: true, experts: deepseekExperts},
}

func qwenExperts(c *config) *experts {
	return &experts{
		routing: routing{c.ExpertsUsed, c.QwenExperts}, intermediate: c.ExpertIntermediate,
		shared: c.SharedIntermediate, sharedGate: c.SharedIntermediate > 0,
		sparse: func(layer int64) bool {
			return !slices.Contains(c.DenseOnly, layer) && (layer+1)%max(c.SparseStep, 1) == 0
		},
	}
}

func deepseekExperts(c *config) *experts {
	return &experts{
		routing: routing{c.ExpertsUsed, c.RoutedExperts}, intermediate: c.ExpertIntermediate,
		shared: c.SharedExperts * c.ExpertIntermediate, routerBias: c.TopK == "noaux_tc",
		sparse: func(layer int64) bool { return layer >= c.DenseFirst && layer%max(c.SparseEvery, 1) == 0 },
	}
}

// routing returns how many experts a token is sent to. The key for their number depends on the family.
func (c *config) routing() routing {
	r := routing{used: c.ExpertsUsed}
	switch c.ModelType {
	case "qwen2_moe", "qwen3_moe", "qwen3_next":
		r.all = c.QwenExperts
	case "deepseek_v2", "deepseek_v3", "kimi_k2", "glm4_moe":
		r.all = c.RoutedExperts
	case "mixtral", "gpt_oss", "llama4", "llama4_text":
		r.all = c.LocalExperts
	}
	return r
}

// headDim returns the size of a head, also if the config omits it.
func (c *config) headDim() int64 {
	if c.HeadDim == 0 && c.Heads > 0 && c.Hidden%c.Heads == 0 && !strings.HasPrefix(c.ModelType, "qwen3") {
		return c.Hidden / c.Heads
	}
	return c.HeadDim
}

// kvHeads returns the number of heads whose keys and values are cached. Only llama has configs older than that setting.
func (c *config) kvHeads() int64 {
	if c.KVHeads == 0 && c.ModelType == "llama" {
		return c.Heads
	}
	return c.KVHeads
}

// generates reports whether the model is a decoder with an output head.
func (c *config) generates() bool {
	return len(c.Architectures) == 0 || strings.HasSuffix(c.Architectures[0], "ForCausalLM")
}

// count computes the number of parameters of a text model of a known family. Like model cards, it does not count layers
// for multi-token prediction.
func (c *config) count() (size, bool) {
	f, known := families[c.ModelType]
	if !known || c.multimodal || !c.generates() || c.Vocab == 0 || c.Heads == 0 || c.Intermediate == 0 {
		return size{}, false
	}
	attention, ok := c.countAttention(f)
	if !ok {
		return size{}, false
	}
	s := size{embedding: c.Vocab * c.Hidden, body: c.Hidden} // the body begins with the last norm
	if !c.Tied {
		s.head = s.embedding
	}
	var e *experts
	if f.experts != nil {
		if e = f.experts(c); !e.valid() || e.intermediate == 0 {
			return size{}, false
		}
		s.routing = e.routing
	}
	dense := 3 * c.Hidden * c.Intermediate
	if f.attnBias && c.MLPBias {
		dense += 2*c.Intermediate + c.Hidden
	}
	for layer := range c.Layers {
		s.body += attention + 2*c.Hidden // including the norms before attention and MLP
		if e == nil || !e.sparse(layer) {
			s.body += dense
			continue
		}
		s.body += c.Hidden*e.all + 3*c.Hidden*e.shared // router and shared experts
		if e.sharedGate {
			s.body += c.Hidden
		}
		if e.routerBias {
			s.body += e.all
		}
		one := 3 * c.Hidden * e.intermediate
		if e.expertBias {
			one += 2*e.intermediate + c.Hidden
		}
		s.experts += e.all * one
	}
	return s, true
}

// countAttention computes the number of parameters of one layer's attention.
func (c *config) countAttention(f family) (int64, bool) {
	h := c.Hidden
	if f.latent {
		query := c.Heads * (c.NopeDim + c.RopeDim)
		if c.KVRank == 0 || query == 0 || c.ValueDim == 0 || c.AttnBias {
			return 0, false
		}
		n := h*(c.KVRank+c.RopeDim) + c.KVRank + c.KVRank*c.Heads*(c.NopeDim+c.ValueDim) + c.Heads*c.ValueDim*h
		if c.QRank == 0 {
			return n + h*query, true
		}
		return n + h*c.QRank + c.QRank + c.QRank*query, true
	}
	dim := c.headDim()
	query, kv := c.Heads*dim, c.kvHeads()*dim
	if query == 0 || kv == 0 {
		return 0, false
	}
	n := h*query + 2*h*kv + query*h
	if f.qkvBias || f.attnBias && c.AttnBias {
		n += query + 2*kv
	}
	if f.attnBias && c.AttnBias {
		n += h
	}
	if f.qkNorm {
		n += 2 * dim
	}
	if f.sinks {
		n += c.Heads
	}
	return n, true
}

// kvBytes computes the bytes per token in a KV cache of 16 bits. It returns 0 if the family is unknown, or if some
// layers only keep the tokens of a window.
func (c *config) kvBytes() int64 {
	f, known := families[c.ModelType]
	windowed := c.Window > 0 && (c.UseWindow == nil || *c.UseWindow) ||
		slices.ContainsFunc(c.LayerTypes, func(kind string) bool { return kind != "full_attention" })
	if !known || windowed || c.IndexDim > 0 {
		return 0
	}
	if f.latent {
		// Engines cache the compressed latent and the rotated part of the key, once for all heads (DeepSeek-V2,
		// arXiv:2405.04434, 2.1.2).
		if c.KVRank == 0 || c.RopeDim == 0 {
			return 0
		}
		return c.Layers * (c.KVRank + c.RopeDim) * 2
	}
	return 2 * c.Layers * c.kvHeads() * c.headDim() * 2
}
