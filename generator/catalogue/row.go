package catalogue

import "strings"

// row is the table entry of a model.
type row struct {
	name   string
	params float64 // in billions
	active float64 // number of parameters used for one token, in billions; 0 for a dense model
	shape  shape
	more   more
	repo   string // repository at Hugging Face; if it ends with a slash, the name is appended
	also   string // other names, separated by commas
}

// shape contains a decoder's dimensions from config.json. If ffn is 0, they do not determine the number of
// parameters, for example because layers have a state instead of a cache.
type shape struct {
	layers, hidden     int
	heads, kv, headDim int
	ffn, vocab         int
	embeddings         embeddings
}

type embeddings bool

const (
	tied  embeddings = true  // the output head is the input embedding table
	apart embeddings = false // there are two tables
)

// more contains what only few models have.
type more struct {
	experts   experts
	latent    latent
	twoMatrix bool    // the MLP has no gate
	caches    int     // number of layers whose cache grows with each token, if not all
	unread    float64 // billions of parameters, not in active, that a text token looks up or does not use
	head      bool    // active includes the output head and not the input embeddings
	precision string  // of the published weights; "" means BF16
	traits    Traits
}

// experts describes a mixture of experts.
type experts struct {
	all, used   int
	ffn, shared int // width of one expert, and of the shared part that all tokens use
	dense       int // number of layers at the beginning without experts
	every       int // after these, every n-th layer has experts; 0 means every layer
}

// latent describes multi-head latent attention.
type latent struct{ queryRank, rank, nope, rope, value int }

func (r row) names() []string {
	names := []string{r.name}
	for name := range strings.SplitSeq(r.also, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

func (r row) model() Model {
	const billion = 1e9
	m := Model{Name: r.name, Params: r.params * billion, ActiveParams: r.active * billion, KVBytesPerToken: r.kvBytes(),
		Layers: r.shape.layers, KVHeads: r.shape.kv, HeadDim: r.shape.headDim, Precision: r.more.precision, Traits: r.more.traits}
	if r.active == 0 {
		m.ActiveParams = m.Params
		m.ReadParams = m.Params - r.more.unread*billion
	} else {
		m.Traits |= MoE
		m.ReadParams = m.ActiveParams
	}
	if r.shape.embeddings == apart && !r.more.head {
		m.ReadParams -= float64(r.shape.vocab * r.shape.hidden)
	}
	if m.Precision == "" {
		m.Precision = "BF16"
	}
	repo := r.repo
	if strings.HasSuffix(repo, "/") {
		repo += r.name
	}
	m.Source = "huggingface.co/" + repo + " (config.json and model card)"
	return m
}

func (r row) kvBytes() int64 {
	const bytes = 2
	layers := r.shape.layers
	if r.more.caches > 0 {
		layers = r.more.caches
	}
	if r.more.latent.rank > 0 {
		return int64(layers * (r.more.latent.rank + r.more.latent.rope) * bytes)
	}
	return int64(2 * layers * r.shape.kv * r.shape.headDim * bytes)
}
