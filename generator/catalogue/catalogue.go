// Package catalogue knows the open models that are widely run: how large they
// are, how much of them one token reads, and what a token takes in the cache.
// It serves checks where the author declared nothing; they name it as the
// origin of the figure.
//
//	m, ok := catalogue.Find("unsloth/Qwen3-30B-A3B-Instruct-2507-GGUF:Q4_K_M")
//	m.Params       // 30.53e9
//	m.ActiveParams // 3.35e9: it is a mixture of experts
//	m.ReadParams   // 3.04e9: without the input embeddings, which are looked up
//	m.Source       // where the figures come from
//
// A model that is not in the catalogue may still say by its name what it is:
//
//	known, mixture := catalogue.Mixture("acme/Foo-40B-A4B") // true, true
//	known, mixture = catalogue.Mixture("acme/Foo-40B")      // false, false
//
// To add a model, add a row to the table of its family and run the tests. They
// compute the parameters from the dimensions of the row and compare them with
// the figures that the publisher states, so that a slip of the pen fails.
package catalogue

import (
	"sync"

	"github.com/benchpost/benchpost/generator/lazy"
)

// Model is what its publisher states of a model, and what follows from it.
type Model struct {
	Name string // "Qwen3-30B-A3B"

	// Params counts all parameters, and ActiveParams those that one token goes
	// through, as the publisher counts them. They are equal in a dense model.
	Params, ActiveParams float64

	// ReadParams counts the parameters that must be read to generate a token of
	// text: those of ActiveParams without tables of which a token reads one row
	// (input embeddings that are not the output head too, embeddings of each
	// layer), and without what a token of text does not go through (towers for
	// images and sound, talkers).
	ReadParams float64

	// KVBytesPerToken is how much each further token adds to the cache of keys
	// and values in 16 bits. Layers that forget what left their window, or that
	// keep a state of constant size, add nothing. It is 0 when not known.
	KVBytesPerToken int64

	Layers, KVHeads, HeadDim int // 0 when not known; KVHeads is 0 with latent attention

	// Precision is the data type of the published weights: "BF16", "FP16",
	// "FP8", "INT4", "MXFP4".
	Precision string

	Traits Traits

	// Source names the document that states the figures.
	Source string
}

// Traits are what distinguishes a model from a dense decoder of text.
type Traits uint8

// The traits.
const (
	MoE                Traits = 1 << iota // a mixture of experts
	PerLayerEmbeddings                    // tables of embeddings for each layer, which are looked up
	Vision                                // a tower for images
	Audio                                 // a tower for sound
	Talker                                // a second decoder, which speaks
	Diffusion                             // several tokens a step
	MultiToken                            // layers that predict further tokens, for speculative decoding
)

// Has reports whether a model has all of the given traits.
func (t Traits) Has(all Traits) bool { return t&all == all }

// Find returns the model of a name as people and tools write it: an address at
// Hugging Face, a tag of Ollama, the name of a file. Words that say only how
// the weights were tuned, quantised or packed are ignored. A name with any
// other unknown word finds nothing, for it may be another model.
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

// find returns the model of a name, nil for none.
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

// SameName reports whether two names differ only in words that say how the weights were tuned, quantised or packed,
// as "Foo-7B-Q4_K_M" and "foo-7b-awq" do, whether the model is in the catalogue or not.
func SameName(a, b string) bool {
	if a == "" || len(a) > longest || len(b) > longest {
		return false
	}
	k := key(a)
	return k != "" && k == key(b)
}

// longest is how many bytes a name has at the most; what is longer is a text.
const longest = 1000

// Mixture reports whether it is known of the model of a name if it is a
// mixture of experts, and whether it is one: from the catalogue, else from the
// name, as "Foo-40B-A4B", "8x7B" or "gpt-oss". A name that says nothing of the
// kind is not known to be dense.
func Mixture(name string) (known, mixture bool) {
	if m, ok := Find(name); ok {
		return true, m.Traits.Has(MoE)
	}
	mixture = soundsLikeMixture(name)
	return mixture, mixture
}

// byKey returns the place in the table of each name's key.
var byKey = sync.OnceValue(func() map[string]int {
	keys := map[string]int{}
	for i, r := range table() {
		for _, name := range r.names() {
			keys[key(name)] = i
		}
	}
	return keys
})
