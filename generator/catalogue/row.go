package catalogue

import "strings"

// row is one model as the tables have it.
type row struct {
	name   string
	params float64 // billions
	active float64 // billions that one token goes through; 0 in a dense model
	shape  shape
	more   more
	repo   string // at Hugging Face; the name is added to one that ends in a slash
	also   string // further names, separated by commas
}

// shape is a decoder's dimensions as config.json has them. Where ffn is 0 they
// do not settle the parameters, as in layers with a state in place of a cache.
type shape struct {
	layers, hidden     int
	heads, kv, headDim int
	ffn, vocab         int
	embeddings         embeddings
}

type embeddings bool

const (
	tied  embeddings = true  // the output head is the table of input embeddings
	apart embeddings = false // there are two tables
)

// more is what few models have.
type more struct {
	experts   experts
	latent    latent
	twoMatrix bool    // the MLP has no gate
	caches    int     // layers whose cache grows with each token, if not all
	unread    float64 // billions of parameters, none of them in active, that a token of text looks up or leaves out: towers, talkers, embeddings of each layer
	head      bool    // active counts the output head and not the input embeddings
	precision string  // of the published weights; BF16 when empty
	traits    Traits
}

// experts is the mixture of a model.
type experts struct {
	all, used   int
	ffn, shared int // width of one expert, and of what all tokens go through beside them
	dense       int // the first layers, which have no experts
	every       int // further layers have experts each so many; each when 0
}

// latent is multi-head latent attention.
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
