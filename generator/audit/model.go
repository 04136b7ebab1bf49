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

// model is what physics needs of a run's model, in plain units; 0 is unknown.
type model struct {
	weights   float64 // bytes, as they are stored
	params    float64
	activated float64 // parameters that a token goes through
	bits      float64 // nominal, of a weight

	active    float64 // bytes of the weights that one token reads
	unread    float64 // bytes of these that a token may yet not read
	estimated bool    // active is params × bits, or a share of the weights
	mixture   bool    // of experts: a step of a batch reads more of them than one token does
	lighter   float64 // share of active that is left if the weights have the bits in which they are published; 0 where these are no fewer
	precision string  // in which they are published
	several   bool    // several tokens come of one step, and how many is unknown (diffusion)

	size    sizeRange // what params × bits allow weights to be
	missing string    // why active is not known: key of a message; "" when it is
	unclear string    // why activated is not known
}

// sizeRange is the least and the most that weights can take, in bytes; zero
// when that is not known.
type sizeRange struct{ least, most float64 }

// contradicted reports whether the declared size of the weights cannot be that of
// the parameters.
func (m *model) contradicted() bool {
	return m.weights > 0 && m.size.most > 0 && (m.weights < m.size.least || m.weights > m.size.most)
}

// modelOf returns what is known of a run's model: what is declared, or read from
// the model's own files, else what the built-in catalogue knows. A model of
// which it is unknown whether it is a mixture of experts is not taken for dense.
func modelOf(r *result.Result) model {
	var m model
	m.weights = bytesOf(r.Label("weight_size"))
	m.active = bytesOf(r.Label("active_weight_size"))
	m.params, _ = Parameters(r.Label("params"))
	m.activated, _ = Parameters(r.Label("active_params"))
	m.bits = nominalBits(r.Label("quantization"))
	if m == (model{bits: m.bits}) && r.Label("memory_bandwidth") == "" && r.Label("compute_peak") == "" {
		m.missing, m.unclear = "check.lack.weights", "check.lack.params" // physics has nothing to judge by
		return m
	}
	told := m.active > 0
	published, found := m.published(r)

	var lookups float64 // parameters that a token only looks up, or does not go through
	read := m.activated // parameters that it reads
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
			m.activated = read // a prompt of text goes through no tower, and looks tables up
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
		m.bits = 8 * m.weights / m.params // the tool read both in the model's file
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

// published finds the run's model in the built-in catalogue. What is declared
// to have other parameters is another model under its name.
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

// alike is the relative difference in parameters that variants of one model may have: some formats
// keep a copy of the embedding or add scales.
const alike = 0.03

// SameModel reports whether two runs are known to be of variants of one model: of the same base
// model, or, if that is not known of both, of names that differ only in how the weights are packed, or of the same
// number of parameters within a few per cent.
func SameModel(a, b *result.Result) bool { return descentOf(a).same(descentOf(b)) }

// descent is what is known of the model that a run's model is a variant of.
type descent struct {
	declared string  // its name in the run's labels
	base     string  // declared, else as its publisher calls it, else the variant
	model    string  // the variant
	params   float64 // 0 when not known
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

// Bases returns the base of each model (label model) of some runs that is known: declared, published, or told from
// others by its number of parameters. Models that SameModel takes for variants of one share a base.
func Bases(runs []*result.Result) map[string]string {
	at, each := map[string]int{}, []*result.Result{} // a run of each model, which declares its base if any does
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
	var firsts []descent // one of each base
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

// BaseModel names the model that a run's model is a variant of: as declared, else as its publisher calls it,
// else the model itself.
func BaseModel(r *result.Result) string { return descentOf(r).base }

// near reports whether a declared number of parameters may be the published one:
// some count embeddings and heads, others do not.
func near(declared, published float64) bool {
	return declared == 0 || declared > 0.85*published && declared < 1.15*published
}

// names are those under which a run's model is known.
func names(r *result.Result) string {
	return r.Label("model_raw") + " " + r.Label("model") + " " + r.Label("base_model")
}

// kind returns what has to be declared of a model that is not known to be dense.
func kind(r *result.Result) string {
	if soundsMixed(r) {
		return "check.lack.active"
	}
	return "check.lack.kind"
}

// soundsMixed reports whether a name of the model says that it is a mixture of
// experts.
func soundsMixed(r *result.Result) bool {
	for _, name := range strings.Fields(names(r)) {
		if _, mixture := catalogue.Mixture(name); mixture {
			return true
		}
	}
	return false
}

// partly recognises models of which a token of text reads a part that only
// their publisher knows: with towers for images and sound, a talker, tables of
// embeddings for each layer; and those that write several tokens a step.
var partly = lazy.Regexp(`(?i)(?:^|[-_./ 0-9])(?:vl\d?|vlm|vision|omni|audio|speech|multimodal|llava|pixtral|internvl\w*|minicpm-?[vo]|paligemma|gemma-?3n|e[24]b|talker|llada|dream|diffu\w*)(?:[-_./ 0-9]|$)`)

// embedding is the largest share of the active parameters that the input
// embedding has in models of common size, of which a token reads one row
// (Qwen3-8B: 0.62 of 8.2 G). It stays in 16 bits when the rest is quantised.
const embedding = 0.08

// lookupBytes returns what a parameter of an embedding takes: 16 bits, which
// quantisation for GPUs leaves as they are, or as many as the rest in GGUF.
func lookupBytes(quantization string, bits float64) float64 {
	if bits > 0 && bits < 16 && isGGUF(quantization) {
		return bits / 8
	}
	return max(2, bits/8)
}

// isGGUF reports whether a quantization is one of GGUF.
var isGGUF = lazy.Recent(1000, func(quantization string) bool { return gguf().MatchString(quantization) })

var gguf = lazy.Regexp(`(?i)(?:^|[-_])i?q\d(?:_|$)`)

// What weights may take of their nominal size. Of one that du printed in GiB and
// that is read as GB, a fourteenth is missing. Quantised, scales add a quarter at
// the most, as in Q2_K, and embeddings and heads of up to three tenths of the
// parameters, as in models under 1 G, stay in 16 bits.
const (
	leastSize   = 0.90
	mostPlain   = 1.15
	mostScaled  = 1.25
	mostIn16Bit = 0.30
)

// sizeOf returns what weights of so many nominal bits can take.
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

// nominalBits reads how many bits a weight has from the name of a
// quantization; 0 when it does not say. Scales and layers that were left as
// they are add to it, so it is less than the truth.
var nominalBits = lazy.Recent(1000, func(quantization string) float64 {
	if strings.EqualFold(quantization, "AWQ") { // is 4-bit unless it says otherwise
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
