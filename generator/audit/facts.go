package audit

import (
	"strings"

	"github.com/benchpost/benchpost/generator/result"
)

// facts are what physics needs of a run, in plain units; 0 is unknown.
type facts struct {
	model
	bandwidth float64 // bytes a second, of the accelerators that work on one token at a time
	peak      float64 // dense operations a second, of the accelerators that work on one prompt
	dtype     string  // the data type of peak
	memory    float64 // bytes, of all accelerators
	copies    float64 // of the weights, in that memory
	cache     float64 // bytes of KV cache for one token
	cap       float64 // requests in flight at the most
	requests  float64 // completed
	input     float64 // tokens of a request on average
	output    float64

	speculative bool
	step        float64 // tokens of a step on average, 1 without speculative decoding; 0 is unknown
}

// factsOf are those of a run that speculated as Speculation says.
func factsOf(r *result.Result, speculation string) facts {
	f := facts{model: modelOf(r)}
	f.step, f.speculative = tokensPerStep(r, speculation)
	quantity := func(label string) float64 { v, _ := Quantity(r.Labels.Get(label)); return v }
	f.cache = quantity("kv_cache_per_token")
	n, l := r.Accelerators(), r.Layout()
	f.copies = min(l.Replicas, max(n, 1))
	f.bandwidth = n / f.copies / min(l.Stages, max(n/f.copies, 1)) * quantity("memory_bandwidth")
	f.peak = n / f.copies * quantity("compute_peak")
	f.dtype = r.Label("compute_type")
	f.memory = n * capacity(r.Label("memory"))
	f.cap = quantity("max_concurrency")
	f.requests, f.input, f.output = lengthsOf(r)
	if f.requests == 1 && f.cap == 0 {
		f.cap = 1
	}
	return f
}

// lengthsOf returns how many requests a run completed, and the tokens of one on average; 0 for what is unknown.
func lengthsOf(r *result.Result) (requests, input, output float64) {
	done, ok := r.Metric("requests_completed")
	if !ok || done.Value <= 0 {
		return 0, 0, 0
	}
	if m, ok := r.Metric("input_tokens"); ok {
		input = m.Value / done.Value
	}
	if m, ok := r.Metric("output_tokens"); ok {
		output = m.Value / done.Value
	}
	return done.Value, input, output
}

// fits reports whether the weights fit into the memory that is declared. What ran
// did fit, so where they do not, no count of accelerators can be relied on.
func (f *facts) fits() bool {
	return f.weights == 0 || f.memory == 0 || f.weights*f.copies <= f.memory
}

// capacity reads the size of a memory. Vendors write GB for 2³⁰ bytes as
// often as for 10⁹: the larger is taken, so that what does not fit, does not.
func capacity(s string) float64 {
	number, unit := split(s)
	if base, ok := strings.CutSuffix(unit, "B"); ok && len(base) == 1 && strings.Contains("MGT", base) {
		unit = base + "iB"
	}
	v, _ := Quantity(number + unit)
	return v
}
