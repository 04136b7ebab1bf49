package hardware

import (
	"slices"
	"sync"
)

// row is one accelerator as the tables have it.
type row struct {
	id, name  string
	memory    float64 // GB; 0 where it is sold with various sizes
	bandwidth float64 // GB/s
	peak      peak
	source    string

	// need are the words without which a name does not mean it, alternatives
	// separated by "|"; the words of the name when empty, without memory and
	// brand. may are further words that a name may have.
	need, may string
}

// peak is the dense peak of the matrix units in TFLOPS, of integers in TOPS. What
// vendors print "with sparsity" is halved: of each four weights two are taken as
// zero then, which no served model is prepared for.
type peak struct{ bf16, fp16, fp8, fp4, int8 float64 }

// table returns all rows in the order of vendors and generations. Most of the
// documents were read as others quote them, not themselves. Where a vendor's own
// documents differ the larger figure counts, so that no run is called impossible
// for one that was rounded down.
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
