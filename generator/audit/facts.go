package audit

import (
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/result"
)

// facts are what physics needs of a run, in plain units; 0 is unknown.
type facts struct {
	weights   float64 // bytes of the model's weights
	active    float64 // bytes of them that one token reads
	estimated bool    // active is params × bits, or a share of the weights
	params    float64
	activated float64 // parameters that one token uses
	unread    float64 // bytes of active that a token may not read: the input embedding, but for one row
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
}

func factsOf(r *result.Result) facts {
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
		f.active, f.unread, f.estimated = f.activeWeights(r.Labels.Get("quantization"))
	}
	n, l := Accelerators(r), layoutOf(r)
	f.copies = min(l.replicas, max(n, 1))
	f.bandwidth = n / f.copies / min(l.stages, max(n/f.copies, 1)) * quantity("memory_bandwidth")
	f.peak = n / f.copies * quantity("compute_peak")
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
//
// The input embedding is among them though a token reads one row of it. It is
// up to 8 % of the active parameters (Qwen3-8B: 0.62 of 8.2 G) unless it also
// makes the output, and mostly stays in 16 bits when the rest is quantised;
// where the parameters are not known, a fifth of the bytes covers that.
func (f facts) activeWeights(quantization string) (bytes, unread float64, estimated bool) {
	expert := f.params > 0 && f.activated < f.params
	switch {
	case f.weights > 0 && expert:
		bytes, estimated = f.weights*f.activated/f.params, true
	case f.weights > 0:
		bytes = f.weights
	default:
		bytes = f.activated * nominalBits(quantization) / 8
		return bytes, embedding * bytes, true
	}
	if f.activated == 0 {
		return bytes, bytes / 5, estimated
	}
	return bytes, min(2*embedding*f.activated, bytes/2), estimated
}

// embedding is the largest share of the active parameters that the input
// embedding has in models of common size.
const embedding = 0.08

var bitsPattern = lazy.Regexp(`(?i)^(?:bf|bfloat|fp|float|f|tf)(32|16|8|6|4)(?:\b|_)|(?:^|[-_])w(\d+)a\d+|(?:int|mxfp|nvfp|nf|fp)[-_]?(\d+)(?:\b|_)|(\d+)[-_]?bit|(?:^|-)i?q(\d)(?:_|$)`)

// nominalBits reads how many bits a weight has from the name of a
// quantization; 0 when it does not tell. Scales and layers that were left as
// they are add to it, so it is less than the truth.
func nominalBits(quantization string) float64 {
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
}

// Accelerators gives how many accelerators a run used: what it says, or the
// product of its parallelism (tp4, tp2-pp2); 1 when neither is there, 0 when
// the parallelism cannot be read.
func Accelerators(r *result.Result) float64 {
	if n, err := strconv.ParseFloat(r.Labels.Get("accelerators"), 64); err == nil && n >= 1 {
		return n
	}
	return layoutOf(r).accelerators
}

// layout is how a run spreads its model over accelerators.
type layout struct {
	accelerators float64
	replicas     float64 // copies of the model, each of which serves requests of its own (dp)
	stages       float64 // that a token passes one after another (pp)
}

// layoutOf reads tp4, tp2-pp2 or "tensor_parallel_size=8". Experts that are
// spread (ep) lie over all accelerators, so that replicas share them.
func layoutOf(r *result.Result) layout {
	l := layout{1, 1, 1}
	value := r.Labels.Get("parallelism")
	if value == "" {
		return l
	}
	found := parallelPattern().FindAllStringSubmatch(value, -1)
	experts := 1.0
	for _, m := range found {
		k, err := strconv.ParseFloat(m[2], 64)
		if err != nil || k < 1 {
			continue
		}
		switch strings.ToLower(m[1]) {
		case "ep", "expert":
			experts = k
			continue
		case "dp", "data":
			l.replicas *= k
		case "pp", "pipeline":
			l.stages *= k
		}
		l.accelerators *= k
	}
	if experts > 1 {
		l.accelerators, l.replicas = max(l.accelerators, experts), 1
	}
	if len(found) == 0 && !slices.Contains([]string{"1", "none", "single"}, strings.ToLower(value)) {
		l.accelerators = 0
	}
	return l
}

var parallelPattern = lazy.Regexp(`(?i)(tp|pp|dp|ep|tensor|pipeline|data|expert)(?:[ _-]?parallel(?:ism)?)?(?:[ _-]?size)?[ =:_-]*(\d+)`)

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
