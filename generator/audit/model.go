package audit

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/catalogue"
	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/result"
)

// model has the facts about a run's model that the rules of physics need, in base units; 0 means unknown.
type model struct {
	weights   float64 // bytes as stored
	params    float64
	activated float64 // parameters used for a token
	bits      float64 // nominal bits per weight

	active    float64 // bytes of the weights that are read for one token
	unread    float64 // bytes of active that may not be read after all
	estimated bool    // active is params × bits, or a share of the weights
	mixture   bool    // mixture of experts: a batch reads more of them in a step than one token does
	lighter   float64 // share of active left at the bits in which the weights are published; 0 if these are not fewer
	precision string  // the precision in which they are published
	several   bool    // one step yields several tokens, and their number is unknown (diffusion)

	size    sizeRange // range of weights that params × bits allow
	missing string    // why active is unknown: key of a message; "" if it is known
	unclear string    // why activated is unknown: likewise
}

// sizeRange is the least and the greatest size of weights in bytes; zero if unknown.
type sizeRange struct{ least, most float64 }

// contradicted reports whether the declared size of the weights contradicts the number of parameters.
func (m *model) contradicted() bool {
	return m.weights > 0 && m.size.most > 0 && (m.weights < m.size.least || m.weights > m.size.most)
}

// modelOf returns the facts about a run's model: as declared or read from the model's own files, or else from
// the built-in catalogue. A model is not assumed to be dense if it may be a mixture of experts.
func modelOf(r *result.Result) model {
	var m model
	m.weights = bytesOf(r.Label("weight_size"))
	m.active = bytesOf(r.Label("active_weight_size"))
	m.params, _ = Parameters(r.Label("params"))
	m.activated, _ = Parameters(r.Label("active_params"))
	m.bits = nominalBits(r.Label("quantization"))
	if m == (model{bits: m.bits}) && r.Label("memory_bandwidth") == "" && r.Label("compute_peak") == "" {
		m.missing, m.unclear = "check.lack.weights", "check.lack.params" // the rules of physics have nothing to check
		return m
	}
	told := m.active > 0
	published, found := m.published(r)

	var lookups float64 // parameters that are only looked up for a token, or not used
	read := m.activated // parameters that are read for a token
	switch {
	case found:
		m.mixture, m.several = published.Traits.Has(catalogue.MoE), published.Traits.Has(catalogue.Diffusion)
		if m.activated == 0 && !m.mixture {
			m.activated = m.params
		}
		m.params = orElse(m.params, published.Params)
		m.activated = orElse(m.activated, published.ActiveParams)
		lookups = max(published.ActiveParams-published.ReadParams, 0)
		read = published.ReadParams
		if published.Traits&^(catalogue.MoE|catalogue.MultiToken) != 0 {
			m.activated = read // a text prompt uses no towers and only looks up tables
		}
	case m.activated > 0:
		m.mixture = m.params == 0 || m.activated < 0.98*m.params
	default:
		m.unclear = "check.lack.params"
		if m.params > 0 {
			m.unclear = kind(r)
		}
	}
	if size, _ := r.Labels.Lookup("weight_size"); size.Pos.File != "" && size.Pos.File == r.Source.File && m.params > 0 && m.weights > 0 {
		m.bits = 8 * m.weights / m.params // the tool read both from the model's file
	} else if m.params > 0 && m.bits > 0 {
		m.size = sizeOf(m.params, m.bits)
	}
	if bits := nominalBits(published.Precision); found && bits > 0 && bits < m.bits {
		m.lighter, m.precision = bits/m.bits, published.Precision
	}
	switch {
	case told:
	case m.unclear != "" && (m.weights > 0 || m.params > 0):
		m.missing = kind(r)
	case !found && partly().MatchString(names(r)):
		m.missing = "check.lack.part"
	case m.contradicted():
		m.missing = "check.lack.size-doubt"
	case m.weights > 0 && m.mixture && m.params == 0:
		m.missing = "check.lack.total"
	case m.weights > 0:
		each := lookupBytes(r.Label("quantization"), m.bits)
		share := 1.0
		if m.mixture {
			share = min(read/(m.params-lookups), 1)
		}
		m.active, m.estimated = (m.weights-min(lookups*each, m.weights/2))*share, m.mixture
		m.unread = min(lookups*max(2-each, 0), m.active/2)
		if !found {
			m.unread = min(2*embedding*m.activated, m.active/2)
		}
	case m.bits > 0 && read > 0:
		m.active, m.estimated = read*m.bits/8, true
		if !found {
			m.unread = embedding * m.active
		}
	default:
		m.missing = "check.lack.weights"
	}
	return m
}

// published finds the run's model in the built-in catalogue. A model with other declared parameters is a
// different model of the same name.
func (m *model) published(r *result.Result) (catalogue.Model, bool) {
	for _, label := range []string{"model_raw", "model", "base_model"} {
		name := r.Labels.Get(label)
		if name == "" {
			continue
		}
		known, ok := catalogue.Find(name)
		if ok && near(m.params, known.Params) && near(m.activated, known.ActiveParams) {
			return known, true
		}
	}
	return catalogue.Model{}, false
}

// alike is the relative difference in parameters that variants of one model may have: some formats store a copy
// of the embedding or add scales.
const alike = 0.03

// SameModel reports whether two runs are known to use variants of one model: their base models are equal or,
// unless both are declared, their names differ only in how the weights are packed, or their numbers of
// parameters differ by a few per cent at most.
func SameModel(a, b *result.Result) bool { return descentOf(a).same(descentOf(b)) }

// descent describes the base of a run's model.
type descent struct {
	declared string  // the base model in the run's labels
	base     string  // the declared base, or else the publisher's name, or else the variant
	model    string  // the variant
	params   float64 // 0 if unknown
}

func descentOf(r *result.Result) descent {
	d := descent{declared: r.Label("base_model"), model: r.Label("model")}
	known, _ := new(model).published(r)
	d.base, d.params = cmp.Or(d.declared, known.Name, d.model), known.Params
	if declared, ok := Parameters(r.Label("params")); ok {
		d.params = declared
	}
	return d
}

func (d descent) same(o descent) bool {
	switch {
	case d.base == o.base:
		return true
	case d.declared != "" && o.declared != "":
		return false
	case d.params > 0 && o.params > 0 && max(d.params, o.params) <= min(d.params, o.params)*(1+alike):
		return true
	}
	return catalogue.SameName(d.model, o.model)
}

// Bases returns the base of each model (label model) of some runs, if it is known: declared, published, or
// recognised by its number of parameters. Models that SameModel considers variants of one model share a base.
func Bases(runs []*result.Result) map[string]string {
	at, each := map[string]int{}, []*result.Result{} // one run per model, one that declares its base if possible
	for _, r := range runs {
		model := r.Label("model")
		if i, ok := at[model]; !ok {
			at[model] = len(each)
			each = append(each, r)
		} else if each[i].Labels.Get("base_model") == "" && r.Label("base_model") != "" {
			each[i] = r
		}
	}
	bases := map[string]string{}
	var firsts []descent // one per base
	for _, r := range each {
		of := descentOf(r)
		if of.declared == "" && of.params == 0 {
			continue
		}
		i := slices.IndexFunc(firsts, of.same)
		if i < 0 {
			i = len(firsts)
			firsts = append(firsts, of)
		}
		bases[r.Label("model")] = firsts[i].base
	}
	return bases
}

// BaseModel returns the model of which a run's model is a variant: as declared, or else its publisher's name,
// or else the model itself.
func BaseModel(r *result.Result) string { return descentOf(r).base }

// near reports whether a declared number of parameters may be the published one: some count embeddings and
// heads, others do not.
func near(declared, published float64) bool {
	return declared == 0 || declared > 0.85*published && declared < 1.15*published
}

// names returns the names of a run's model.
func names(r *result.Result) string {
	return r.Label("model_raw") + " " + r.Label("model") + " " + r.Label("base_model")
}

// kind returns the message about what has to be declared for a model that is not known to be dense.
func kind(r *result.Result) string {
	if soundsMixed(r) {
		return "check.lack.active"
	}
	return "check.lack.kind"
}

// soundsMixed reports whether a name of the model indicates a mixture of experts.
func soundsMixed(r *result.Result) bool {
	for _, name := range strings.Fields(names(r)) {
		if _, mixture := catalogue.Mixture(name); mixture {
			return true
		}
	}
	return false
}

// partly matches models of which a text token uses a part that only the publisher knows: models with towers for
// images and sound, a talker, or tables of embeddings for each layer; and models that generate several tokens
// per step.
var partly = lazy.Regexp(`(?i)(?:^|[-_./ 0-9])(?:vl\d?|vlm|vision|omni|audio|speech|multimodal|llava|pixtral|internvl\w*|minicpm-?[vo]|paligemma|gemma-?3n|e[24]b|talker|llada|dream|diffu\w*)(?:[-_./ 0-9]|$)`)

// embedding is the largest share of the active parameters that the input embedding has in models of common size
// (Qwen3-8B: 0.62 of 8.2 G). A token reads only one row of it. It keeps 16 bits when the rest is quantised.
const embedding = 0.08

// lookupBytes returns the bytes of a parameter of an embedding: 16 bits, which quantisation for GPUs leaves
// unchanged, or as many as the rest in GGUF.
func lookupBytes(quantization string, bits float64) float64 {
	if bits > 0 && bits < 16 && isGGUF(quantization) {
		return bits / 8
	}
	return max(2, bits/8)
}

// isGGUF reports whether a quantization is a GGUF type.
var isGGUF = lazy.Recent(1000, func(quantization string) bool { return gguf().MatchString(quantization) })

var gguf = lazy.Regexp(`(?i)(?:^|[-_])i?q\d(?:_|$)`)

// The size of weights relative to their nominal size. A size printed by du in GiB and declared as GB is a
// fourteenth too small. In quantised models scales add a quarter at most, as in Q2_K, and embeddings and heads,
// up to three tenths of the parameters in models under 1 G, keep 16 bits.
const (
	leastSize   = 0.90
	mostPlain   = 1.15
	mostScaled  = 1.25
	mostIn16Bit = 0.30
)

// sizeOf returns the possible sizes of weights with the given nominal bits.
func sizeOf(params, bits float64) sizeRange {
	most := mostPlain * bits
	if bits < 16 {
		most = mostScaled*bits + mostIn16Bit*16
	}
	return sizeRange{leastSize * params * bits / 8, params * most / 8}
}

func orElse(v, other float64) float64 {
	if v != 0 {
		return v
	}
	return other
}

var bitsPattern = lazy.Regexp(`(?i)^(?:bf|bfloat|fp|float|f|tf)(32|16|8|6|4)(?:\b|_)|(?:^|[-_])w(\d+)a\d+|(?:int|mxfp|nvfp|nf|fp)[-_]?(\d+)(?:\b|_)|(\d+)[-_]?bit|(?:^|-)i?q(\d)(?:_|$)`)

// nominalBits returns the bits of a weight according to the name of a quantization, or 0 if it does not state
// them. The actual number is larger, because of scales and unquantised layers.
var nominalBits = lazy.Recent(1000, func(quantization string) float64 {
	if strings.EqualFold(quantization, "AWQ") { // 4 bits unless stated otherwise
		return 4
	}
	for i, group := range bitsPattern().FindStringSubmatch(quantization) {
		if i > 0 && group != "" {
			bits, _ := strconv.ParseFloat(group, 64)
			return bits
		}
	}
	return 0
})
