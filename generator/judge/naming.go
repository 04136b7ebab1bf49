package judge

import (
	"strings"

	"github.com/benchpost/benchpost/generator/catalogue"
	"github.com/benchpost/benchpost/generator/hardware"
	"github.com/benchpost/benchpost/generator/result"
)

// guesser caches what names imply: thousands of runs use a few models.
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
		q = catalogue.Quantization(model)
		g.quantizations[model] = q
	}
	return q
}

// machine returns the id of the hardware in a list of devices such as "NVIDIA H100, NVIDIA H100".
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

// label adds labels found in a result's names, unless another source gives them.
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
	for _, label := range []string{"gpu", "device"} {
		if devices := r.Labels.Get(label); devices != "" {
			set("hardware", g.machine(devices))
		}
	}
}
