package hardware

import (
	"slices"
	"sync"
)

// row is the table entry of an accelerator.
type row struct {
	id, name  string
	memory    float64 // GB; 0 if it is sold with several sizes
	bandwidth float64 // GB/s
	peak      peak
	source    string

	// need lists the words that a name must contain, with alternatives separated by "|". If it is empty, these
	// are the words of the name without memory size and brand. may lists further words that a name may contain.
	need, may string
}

// peak is the dense peak of the matrix units in TFLOPS, or TOPS for integers. Figures "with sparsity" are
// halved: they assume that two of every four weights are zero, which is not so for the models people serve.
type peak struct{ bf16, fp16, fp8, fp4, int8 float64 }

// table returns all rows, ordered by vendor and generation. Most of the documents were read as others quote
// them. If documents of a vendor differ, the larger figure is used, so that no run is called impossible because
// of rounding.
var table = sync.OnceValue(func() []row {
	return slices.Concat(dataCenter, workstation, geForce, jetson, amd, radeon, apple, intel, china, clouds)
})

func (r row) spec() Spec {
	const giga, tera = 1e9, 1e12
	s := Spec{ID: r.id, Name: r.name, Memory: int64(r.memory * giga), Bandwidth: r.bandwidth * giga, Peak: map[string]float64{}, Source: r.source}
	for _, p := range []struct {
		dtype string
		value float64
	}{{"BF16", r.peak.bf16}, {"FP16", r.peak.fp16}, {"FP8", r.peak.fp8}, {"FP4", r.peak.fp4}, {"INT8", r.peak.int8}} {
		if p.value > 0 {
			s.Peak[p.dtype] = p.value * tera
		}
	}
	return s
}
