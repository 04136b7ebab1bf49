// Package catalogue contains common open models: their size, the part of it that is read for one token, and the
// cache size of a token. Checks use it if the author declared nothing, and name it as the origin of the figure.
//
//	m, ok := catalogue.Find("unsloth/Qwen3-30B-A3B-Instruct-2507-GGUF:Q4_K_M")
//	m.Params       // 30.53e9
//	m.ActiveParams // 3.35e9: it is a mixture of experts
//	m.ReadParams   // 3.04e9: without the input embeddings, which are looked up
//	m.Source       // where the figures come from
//
// If a model is not in the catalogue, its name may still describe it:
//
//	known, mixture := catalogue.Mixture("acme/Foo-40B-A4B") // true, true
//	known, mixture = catalogue.Mixture("acme/Foo-40B")      // false, false
//
// To add a model, add a row to the table of its family and run the tests. They compute the parameters from the
// dimensions in the row and compare them with the publisher's figures, so that a typing error fails.
package catalogue

import (
	"sync"

	"github.com/benchpost/benchpost/generator/lazy"
)

// Model contains the publisher's figures for a model, and figures derived from them.
type Model struct {
	Name string // "Qwen3-30B-A3B"

	// Params is the number of all parameters, ActiveParams the number of those used for one token, as the
	// publisher counts them. They are equal in a dense model.
	Params, ActiveParams float64

	// ReadParams is the number of parameters that must be read to generate a text token. It is ActiveParams
	// without tables of which a token reads only one row (input embeddings that are not also the output head,
	// embeddings of each layer), and without parts that text tokens do not use (towers for images and sound,
	// talkers).
	ReadParams float64

	// KVBytesPerToken is the size that each further token adds to the KV cache in 16 bits. Layers with a
	// sliding window or with a state of constant size add nothing. It is 0 if unknown.
	KVBytesPerToken int64

	Layers, KVHeads, HeadDim int // 0 if unknown; KVHeads is 0 with latent attention

	// Precision is the data type of the published weights: "BF16", "FP16",
	// "FP8", "INT4", "MXFP4".
	Precision string

	Traits Traits

	// Source names the document with the figures.
	Source string
}

// Traits are the differences between a model and a dense text decoder.
type Traits uint8

// The traits.
const (
	MoE                Traits = 1 << iota // a mixture of experts
	PerLayerEmbeddings                    // tables of embeddings for each layer, which are only looked up
	Vision                                // a tower for images
	Audio                                 // a tower for sound
	Talker                                // a second decoder, for speech
	Diffusion                             // generates several tokens in a step
	MultiToken                            // layers that predict further tokens, for speculative decoding
)

// Has reports whether a model has all of the given traits.
func (t Traits) Has(all Traits) bool { return t&all == all }

// Find returns the model with a name as people and tools write it: an address at Hugging Face, a tag of Ollama,
// a file name. It ignores words for how the weights were tuned, quantised or packed. If a name contains any
// other unknown word, Find returns false, because it may be another model.
func Find(name string) (Model, bool) {
	if len(name) > longest {
		return Model{}, false
	}
	m := find(name)
	if m == nil {
		return Model{}, false
	}
	return *m, true
}

// find returns the model with a name, nil if there is none.
var find = lazy.Recent(1000, func(name string) *Model {
	k := key(name)
	i, ok := byKey()[k]
	if !ok {
		i, ok = byKey()[withoutWord(k, "moe")] // llama-bench calls gpt-oss "gpt-oss 20B MXFP4 MoE"
	}
	if !ok {
		return nil
	}
	m := table()[i].model()
	return &m
})

// SameName reports whether two names differ only in words for how the weights were tuned, quantised or packed,
// such as "Foo-7B-Q4_K_M" and "foo-7b-awq". The model need not be in the catalogue.
func SameName(a, b string) bool {
	if a == "" || len(a) > longest || len(b) > longest {
		return false
	}
	k := key(a)
	return k != "" && k == key(b)
}

// longest is the maximum length of a name in bytes.
const longest = 1000

// Mixture reports whether a model is a mixture of experts, and whether this is known. It uses the catalogue or,
// if the model is not in it, marks in the name such as "Foo-40B-A4B", "8x7B" or "gpt-oss". The lack of such a
// mark does not prove that the model is dense.
func Mixture(name string) (known, mixture bool) {
	if m, ok := Find(name); ok {
		return true, m.Traits.Has(MoE)
	}
	mixture = soundsLikeMixture(name)
	return mixture, mixture
}

// byKey maps the key of each name to its index in the table.
var byKey = sync.OnceValue(func() map[string]int {
	keys := map[string]int{}
	for i, r := range table() {
		for _, name := range r.names() {
			keys[key(name)] = i
		}
	}
	return keys
})
