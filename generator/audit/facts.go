package audit

import (
	"strings"

	"github.com/benchpost/benchpost/generator/result"
)

// facts has the facts about a run that the rules of physics need, in base units; 0 means unknown.
type facts struct {
	model
	bandwidth float64 // bytes per second, of the accelerators that work on one token at a time
	peak      float64 // dense operations per second, of the accelerators that work on one prompt
	dtype     string  // the data type of peak
	memory    float64 // bytes, of all accelerators
	copies    float64 // copies of the weights in that memory
	cache     float64 // bytes of KV cache per token
	cap       float64 // the greatest number of requests in flight
	requests  float64 // completed
	input     float64 // mean input tokens per request
	output    float64

	speculative bool
	step        float64 // mean tokens per step: 1 without speculative decoding, 0 if unknown
}

// factsOf returns the facts of a run; speculation is the result of Speculation.
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

// lengthsOf returns how many requests a run completed, and the mean input and output tokens per request; 0 if
// unknown.
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

// fits reports whether the weights fit into the declared memory. Since the run was possible, weights that do
// not fit mean that the declared number of accelerators is unreliable.
func (f *facts) fits() bool {
	return f.weights == 0 || f.memory == 0 || f.weights*f.copies <= f.memory
}

// capacity parses the size of a memory. Vendors write GB for 2³⁰ bytes as often as for 10⁹. It assumes the
// larger, so that a failed check of fit is certain.
func capacity(s string) float64 {
	number, unit := split(s)
	if base, ok := strings.CutSuffix(unit, "B"); ok && len(base) == 1 && strings.Contains("MGT", base) {
		unit = base + "iB"
	}
	v, _ := Quantity(number + unit)
	return v
}
