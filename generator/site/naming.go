package site

import (
	"regexp"
	"strings"

	"github.com/benchpost/benchpost/generator/hardware"
	"github.com/benchpost/benchpost/generator/result"
)

// quantizations are what models are called after, the more certain first. What
// a name says is a guess: a file may have been renamed, or quantised again.
var quantizations = []struct {
	re   *regexp.Regexp
	name string // "" for the match itself in capitals
}{
	{named(`I?Q[1-8](?:_[0-9KX](?:_?(?:XXS|XS|XL|S|M|L|NL))?|_(?:XXS|XS|S|M|NL))`), ""}, // GGUF: Q5_K_M, Q4_0, IQ4_XS
	{named(`W[248]A(?:4|8|16)`), ""},
	{named(`NVFP4`), ""},
	{named(`MXFP[468]`), ""},
	{named(`AWQ`), ""},
	{named(`GPTQ[-_]?(?:W8A16|Int8|8bit)`), "GPTQ-Int8"},
	{named(`GPTQ(?:[-_]?(?:W4A16|Int4|4bit))?`), "GPTQ-Int4"},
	{named(`FP8`), ""},
	{named(`FP4`), ""},
	{named(`INT[48]`), ""},
	{named(`[348]bit`), ""},
	{named(`BF16`), ""},
	{named(`FP?16`), "FP16"},
}

// named makes an expression for a part of a name that stands between signs.
func named(part string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[-_.:/ ])(` + part + `)(?:$|[-_.:/ ])`)
}

// guessQuantization gives the quantization that a model's name tells, "" for
// none.
func guessQuantization(model string) string {
	for _, q := range quantizations {
		if m := q.re.FindStringSubmatch(model); m != nil {
			if q.name != "" {
				return q.name
			}
			if strings.HasSuffix(strings.ToLower(m[1]), "bit") {
				return strings.ToLower(m[1])
			}
			return strings.ToUpper(m[1])
		}
	}
	return ""
}

// guesser remembers what names tell: thousands of runs are of a few models.
type guesser struct {
	quantizations map[string]string
	machines      map[string]string
}

func newGuesser() *guesser {
	return &guesser{quantizations: map[string]string{}, machines: map[string]string{}}
}

func (g *guesser) quantization(model string) string {
	q, known := g.quantizations[model]
	if !known {
		q = guessQuantization(model)
		g.quantizations[model] = q
	}
	return q
}

// machine gives the id of the hardware that devices are of: "NVIDIA H100, NVIDIA
// H100".
func (g *guesser) machine(devices string) string {
	id, known := g.machines[devices]
	if !known {
		if found, ok := hardware.Find(devices); ok {
			id = found.ID
		}
		g.machines[devices] = id
	}
	return id
}

// label gives a result labels that its names tell, where nothing else does.
func (g *guesser) label(r *result.Result) {
	set := func(label, value string) {
		if value != "" && r.Labels.Get(label) == "" {
			r.Labels.Set(result.Label{Name: label, Value: value, Origin: result.Guessed})
		}
	}
	if said, ok := r.Labels.Lookup("quantization"); ok && said.Origin == result.Measured {
		if name := g.quantization(said.Value); strings.EqualFold(name, said.Value) && name != said.Value {
			said.Value = name // awq is AWQ
			r.Labels.Set(said)
		}
	}
	if r.Labels.Get("quantization") == "" {
		set("quantization", g.quantization(lastPart(r.Labels.Get("model_raw"))))
		set("quantization", g.quantization(r.Labels.Get("model")))
	}
	for _, label := range []string{"x_gpu", "x_device"} {
		if devices := r.Labels.Get(label); devices != "" {
			set("hardware", g.machine(devices))
		}
	}
}
