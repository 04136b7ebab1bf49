package audit

import (
	"regexp"
	"strconv"
	"strings"

	"benchpost/generator/bench"
)

// facts are what physics needs of a run, in plain units; 0 is unknown.
type facts struct {
	weights   float64 // bytes of the model's weights
	active    float64 // bytes of them that one token reads
	estimated bool    // active is params × bits, or a share of the weights
	params    float64
	activated float64 // parameters that one token uses
	bandwidth float64 // bytes a second, of all accelerators
	peak      float64 // dense operations a second, of all accelerators
	dtype     string  // the data type of peak
	memory    float64 // bytes, of all accelerators
	cache     float64 // bytes of KV cache for one token
	cap       float64 // requests in flight at the most
	requests  float64 // completed
	input     float64 // tokens of a request on average
	output    float64
}

func factsOf(r *bench.Result) facts {
	var f facts
	quantity := func(label string) float64 { v, _ := Quantity(r.Labels.Get(label)); return v }
	f.weights = quantity("weight_size")
	f.active = quantity("active_weight_size")
	f.cache = quantity("kv_cache_per_token")
	f.params, _ = Parameters(r.Labels.Get("params"))
	f.activated, _ = Parameters(r.Labels.Get("active_params"))
	if f.activated == 0 {
		f.activated = f.params
	}
	if f.active == 0 {
		f.active, f.estimated = f.activeWeights(r.Labels.Get("quantization"))
	}
	n := Accelerators(r)
	f.bandwidth = n * quantity("memory_bandwidth")
	f.peak = n * quantity("compute_peak")
	f.dtype = r.Labels.Get("compute_type")
	f.memory = n * capacity(r.Labels.Get("memory"))
	f.cap = quantity("max_concurrency")
	if done, ok := r.Metric("requests_completed"); ok && done.Value > 0 {
		f.requests = done.Value
		if f.requests == 1 && f.cap == 0 {
			f.cap = 1
		}
		if m, ok := r.Metric("input_tokens"); ok {
			f.input = m.Value / done.Value
		}
		if m, ok := r.Metric("output_tokens"); ok {
			f.output = m.Value / done.Value
		}
	}
	return f
}

// activeWeights gives the bytes of weights that one token reads: all of a
// dense model, of a mixture of experts the share of its active parameters.
// Without the size of the weights it is what their nominal bits make.
func (f facts) activeWeights(quantization string) (bytes float64, estimated bool) {
	expert := f.params > 0 && f.activated < f.params
	switch {
	case f.weights > 0 && !expert:
		return f.weights, false
	case f.weights > 0:
		return f.weights * f.activated / f.params, true
	}
	bits := nominalBits(quantization)
	return f.activated * bits / 8, true
}

var bitsPattern = regexp.MustCompile(`(?i)^(?:bf|fp|f|tf)(32|16|8|6|4)\b|(?:^|[-_])w(\d+)a\d+|(?:int|mxfp|nvfp|nf|fp)[-_]?(\d+)\b|(\d+)[-_]?bit|^i?q(\d)(?:_|$)`)

// nominalBits reads how many bits a weight has from the name of a
// quantization; 0 when it does not tell. Scales and layers that were left as
// they are add to it, so it is less than the truth.
func nominalBits(quantization string) float64 {
	if strings.EqualFold(quantization, "AWQ") { // is 4-bit unless it says otherwise
		return 4
	}
	for i, group := range bitsPattern.FindStringSubmatch(quantization) {
		if i > 0 && group != "" {
			bits, _ := strconv.ParseFloat(group, 64)
			return bits
		}
	}
	return 0
}

// Accelerators gives how many accelerators a run used: what it says, or the
// product of its parallelism (tp4, tp2-pp2); 1 when neither tells.
func Accelerators(r *bench.Result) float64 {
	if n, err := strconv.ParseFloat(r.Labels.Get("accelerators"), 64); err == nil && n >= 1 {
		return n
	}
	n := 1.0
	for _, m := range parallelPattern.FindAllStringSubmatch(r.Labels.Get("parallelism"), -1) {
		if k, err := strconv.ParseFloat(m[1], 64); err == nil && k >= 1 {
			n *= k
		}
	}
	return n
}

// Experts are spread over the accelerators that the others count already.
var parallelPattern = regexp.MustCompile(`(?i)(?:tp|pp|dp)(\d+)`)

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
