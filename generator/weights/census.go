package weights

import (
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/locale"
)

// tensor is one tensor of a file, as described in the header.
type tensor struct {
	name     string
	rank     int // number of dimensions
	elements int64
	bytes    int64
	dtype    dtypeKind
}

type dtypeKind uint8

const (
	half   dtypeKind = iota // floating point of 16 bits
	wide                    // floating point of more bits
	narrow                  // quantised, or integers
)

// place is the part of a model to which a tensor belongs. It determines how much of the tensor is read for a token.
type place uint8

const (
	body      place = iota // read for every token
	expert                 // read for the tokens that are routed to it
	embedding              // one row is read for a token
	head                   // the output head
	idle                   // not read for a token of text
	unknown
	places
)

// census sums up the tensors of a model by place.
type census struct {
	bytes, elements [places]int64
	has             [places]bool
	narrow          bool // a matrix is quantised
	wide            bool // a weight has 32 bits, which engines load as 16
}

// add counts a tensor.
func (c *census) add(t tensor, at place) error {
	if t.bytes > math.MaxInt64-c.totalBytes() || t.elements > math.MaxInt64-c.totalElements() {
		return locale.Errorf("the sizes of the tensors do not add up to a size")
	}
	c.has[at] = true
	c.bytes[at] += t.bytes
	c.elements[at] += t.elements
	if t.rank >= 2 {
		c.narrow = c.narrow || t.dtype == narrow
		// A router is small, and intentionally kept in 32 bits.
		c.wide = c.wide || t.dtype == wide && strings.HasSuffix(t.name, ".weight") &&
			!strings.HasSuffix(t.name, ".gate.weight") && !strings.HasSuffix(t.name, ".router.weight")
	}
	return nil
}

func (c *census) totalBytes() int64    { return sum(c.bytes) }
func (c *census) totalElements() int64 { return sum(c.elements) }

func sum(figures [places]int64) int64 {
	var s int64
	for _, f := range figures {
		s += f
	}
	return s
}

// routing says how many of all experts one token is sent to. The zero value means unknown.
type routing struct{ used, all int64 }

func (r routing) valid() bool { return r.used > 0 && r.used <= r.all }

// share returns one token's part of a figure that covers all experts.
func (r routing) share(figure int64) int64 { return figure / r.all * r.used }

// settled reports whether the part read for one token is known: every tensor has a known place, and is read in the type
// in which it is stored.
func (c *census) settled(experts routing) bool {
	return !c.has[unknown] && c.has[embedding] && !c.wide && (!c.has[expert] || experts.valid())
}

// activeBytes returns the number of bytes read for one token of text.
func (c *census) activeBytes(experts routing) int64 {
	active := c.bytes[body] + c.bytes[head]
	if !c.has[head] {
		active += c.bytes[embedding] // the same table serves as head
	}
	if c.has[expert] {
		active += experts.share(c.bytes[expert])
	}
	return active
}

// activeElements returns the number of elements used for one token, including all embeddings.
func (c *census) activeElements(experts routing) int64 {
	active := c.elements[body] + c.elements[head] + c.elements[embedding]
	if c.has[expert] {
		active += experts.share(c.elements[expert])
	}
	return active
}

// multiply returns the product of sizes, and whether it fits into an int64.
func multiply(sizes ...uint64) (int64, bool) {
	product := uint64(1)
	for _, size := range sizes {
		hi, lo := bits.Mul64(product, size)
		if hi != 0 {
			return 0, false
		}
		product = lo
	}
	return int64(product), product <= math.MaxInt64
}

var (
	layer = lazy.Regexp(`^(?:model\.layers|blk)\.(\d+)\.`)

	// transformersIdle matches the vision and audio parts of multimodal models, and layers for multi-token prediction.
	transformersIdle = lazy.Regexp(`^(?:model\.)?(?:visual|vision_tower|vision_model|multi_modal_projector|audio_tower|mtp)\.`)

	// ggufExperts matches the stacked experts of a layer, or single ones as in files of 2023.
	ggufExperts = lazy.Regexp(`^blk\.\d+\.ffn_(?:gate|up|down|gate_up)(?:_exps|\.\d+)\.`)
)

// placeInTransformers returns the place of a tensor by its name in a decoder checkpoint of transformers. Layers beyond
// the number in the config are for multi-token prediction.
func placeInTransformers(name string, layers int64) place {
	name = strings.TrimPrefix(name, "language_model.")
	if rest, ok := strings.CutPrefix(name, "model.language_model."); ok {
		name = "model." + rest
	}
	switch {
	case transformersIdle().MatchString(name):
		return idle
	case strings.HasPrefix(name, "lm_head."):
		return head
	case strings.HasPrefix(name, "model.embed_tokens."):
		return embedding
	case strings.HasPrefix(name, "model.norm."):
		return body
	case beyond(name, layers):
		return idle
	case !layer().MatchString(name):
		return unknown
	case strings.Contains(name, ".experts."):
		return expert
	}
	return body
}

// placeInGGUF returns the place of a tensor by its name in a GGUF file.
func placeInGGUF(name string, layers int64) place {
	switch {
	case name == "output.weight":
		return head
	case strings.HasPrefix(name, "token_embd."):
		return embedding
	case strings.HasPrefix(name, "output_norm."), strings.HasPrefix(name, "rope_"):
		return body
	case beyond(name, layers):
		return idle
	case !layer().MatchString(name):
		return unknown
	case ggufExperts().MatchString(name):
		return expert
	}
	return body
}

// beyond reports whether a tensor belongs to a layer after the last one.
func beyond(name string, layers int64) bool {
	m := layer().FindStringSubmatch(name)
	if m == nil {
		return false
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	return err != nil || n >= layers
}
