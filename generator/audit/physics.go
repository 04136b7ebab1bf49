package audit

import (
	"math"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Shares of a peak above which a number is not credible. No kernel reads memory faster than its bandwidth; the
// best reach about 90 %. Dense matrix products reach 60 to 75 % of the tensor peak, and processing a prompt
// also includes other work.
const (
	impossibleMemory  = 1.0
	suspiciousMemory  = 0.95
	impossibleCompute = 1.15 // numbers of parameters include embeddings, up to 15 % of them, which a prompt hardly uses
	suspiciousCompute = 0.80
)

// shortest is the length of answers, in tokens, from which the mean time between tokens is used as the time of
// a step. If the first chunk was delivered late or with a second token, the mean is too small by up to one gap.
const shortest = 8

// memoryRoofline checks TPOT against the memory bandwidth. Every output token of a stream takes a step of its
// own, and each step reads the active weights once, so TPOT ≥ active weights / bandwidth at any concurrency.
// MBU, the model bandwidth utilisation, is the quotient of that bound and TPOT (Agarwal et al., "LLM Inference
// Performance Engineering: Best Practices", 2023). It is computed without the KV cache, so it is a lower bound.
// With speculative decoding a step yields several tokens: the bound is divided by their mean number.
//
// MBU above 1 is an error only if no reading of the facts explains it: rounding of the printed digits, one lost
// gap of an answer, and weights that a token may not read, without which MBU must still exceed what hardly any
// engine reaches. Nothing is judged if it is unknown how much of a model one token reads, if its declared size
// contradicts its parameters, or if it does not fit into the memory of the declared accelerators.
func (c *judge) memoryRoofline() {
	step, ok := stepTime(c.r, c.facts)
	if !ok {
		return
	}
	tokens, speculative := c.facts.step, c.facts.speculative
	switch {
	case c.facts.bandwidth == 0:
		c.lack("check.lack.bandwidth")
		return
	case c.facts.missing != "":
		c.lack(c.facts.missing, locale.T("check.memory.name"))
		return
	case !c.facts.fits():
		c.lack("check.lack.fit", locale.T("check.memory.name"))
		return
	case speculative && tokens == 0:
		c.lack("check.lack.acceptance")
		return
	case !speculative && c.facts.several:
		c.lack("check.lack.several")
		return
	case c.facts.output > 0 && c.facts.output < shortest:
		c.lack("check.lack.answers", number(c.facts.output))
		return
	}
	floor := 1000 * c.facts.active / c.facts.bandwidth / tokens
	mbu := floor / step.value
	least := floor / (step.value + step.half)
	if n := c.facts.output; n > 2 {
		least *= (n - 2) / (n - 1)
	}
	text := func(key string) locale.Text {
		basis := locale.T("check.memory.basis", gigabytes(c.facts.active), gigabytes(c.facts.bandwidth))
		if c.facts.estimated {
			basis = locale.T("check.memory.estimated", gigabytes(c.facts.active), gigabytes(c.facts.bandwidth))
		}
		return locale.T(key, decimals(step.value, 2), decimals(floor, 1), basis, percent(mbu))
	}
	impossible := least > impossibleMemory && least*(1-c.facts.unread/c.facts.active) > suspiciousMemory
	if !impossible && mbu <= suspiciousMemory {
		c.pass(func() locale.Text { return text("check.memory.pass") })
		return
	}
	ck := result.Check{Line: step.line, Hint: locale.T("check.memory.hint"), Metrics: step.metrics,
		Figures: map[string]float64{"tpot_ms": step.value, "floor_ms": floor, "mbu": mbu, "active_weight_bytes": c.facts.active, "memory_bandwidth": c.facts.bandwidth}}
	if tokens != 1 {
		ck.Figures["tokens_per_step"] = tokens
	}
	if impossible && c.facts.lighter > 0 && mbu*c.facts.lighter <= suspiciousMemory {
		ck.Text = locale.T("check.memory.precision", decimals(step.value, 2), c.r.Label("quantization"), percent(mbu), c.facts.precision, percent(mbu*c.facts.lighter))
		ck.Hint, ck.Metrics = locale.T("check.memory.precision.hint"), []string{"mbu", "effective_bandwidth"}
		c.raise(result.Warning, ck)
		return
	}
	if impossible {
		ck.Text = text("check.memory.over")
		c.raise(result.Error, ck)
		return
	}
	ck.Metrics = append(ck.Metrics, "interactivity", "mbu", "e2el", "request_throughput", "output_throughput", "total_throughput") // these follow from steps
	ck.Text = text("check.memory.near")
	if mbu > impossibleMemory && c.facts.unread > 0 {
		ck.Text = text("check.memory.doubt")
	}
	c.raise(result.Warning, ck)
}

// step is the time of one decoding step in ms.
type step struct {
	value, half float64
	line        int
	metrics     []string
}

// betweenTokens lists the families of the time between tokens.
var betweenTokens = []string{"tpot", "itl"}

// stepTime returns the time a stream waits for its next token: TPOT if it is reported, or else the inverse of a
// single stream's rate, or else the requests in flight over the output throughput.
func stepTime(r *result.Result, f facts) (step, bool) {
	for _, name := range []string{"tpot_mean", "tpot_p50"} {
		if m, ok := r.Metric(name); ok && m.Value > 0 {
			return step{m.Value, half(m), int(m.Line), betweenTokens}, true
		}
	}
	if m, ok := r.Metric("decode_throughput"); ok && m.Value > 0 && batchOfOne(r) {
		return step{1000 / m.Value, 1000/m.Value - 1000/(m.Value+half(m)), int(m.Line), []string{m.Name}}, true
	}
	m, ok := r.Metric("output_throughput")
	n, _, known := inFlight(r, f)
	if !known && f.cap == 1 {
		n, known = 1, true
	}
	if !ok || m.Value <= 0 || !known {
		return step{}, false
	}
	return step{1000 * n / m.Value, 1000*n/m.Value - 1000*n/(m.Value+half(m)), int(m.Line), []string{m.Name}}, true
}

func batchOfOne(r *result.Result) bool {
	for _, label := range []string{"batch_size", "max_concurrency", "parallel"} {
		if v := r.Labels.Get(label); v != "" && v != "1" {
			return false
		}
	}
	return true
}

// computeRoofline checks TTFT against the peak of the accelerators. A prompt costs about 2 operations per
// active parameter and token (Kaplan et al., 2020; without attention, so it is a lower bound), and cannot be
// processed faster than the dense peak of its data type. A faster prompt was not computed: nearly always the
// prefix cache was warm.
func (c *judge) computeRoofline() {
	ttft, ok := c.metric("ttft_mean")
	if !ok || c.facts.input == 0 {
		return
	}
	switch {
	case c.facts.unclear != "":
		c.lack(c.facts.unclear, locale.T("check.compute.name"))
		return
	case !c.facts.fits():
		c.lack("check.lack.fit", locale.T("check.compute.name"))
		return
	case c.facts.peak == 0:
		c.lack("check.lack.peak")
		return
	}
	operations := 2 * c.facts.activated * c.facts.input
	floor := 1000 * operations / c.facts.peak
	share := floor / ttft.Value
	over := floor/(ttft.Value+half(ttft)) > impossibleCompute
	cached := on(c.r.Label("prefix_caching"))
	text := func(key string) locale.Text {
		basis := locale.T("check.compute.basis", number(math.Round(c.facts.input)), billions(c.facts.activated), number(c.facts.peak/1e12), c.facts.dtype)
		return locale.T(key, decimals(ttft.Value, 1), decimals(floor, 1), basis, percent(share))
	}
	key := "check.compute.near"
	switch {
	case over && cached:
		c.pass(func() locale.Text { return text("check.compute.cached") })
		return
	case over:
		key = "check.compute.over"
	case share <= suspiciousCompute || cached:
		c.pass(func() locale.Text { return text("check.compute.pass") })
		return
	}
	c.raise(result.Warning, result.Check{Text: text(key), Hint: locale.T("check.compute.hint"), Line: int(ttft.Line), Metrics: []string{"ttft"},
		Figures: map[string]float64{"ttft_ms": ttft.Value, "floor_ms": floor, "implied_flops": operations / ttft.Value * 1000, "peak_flops": c.facts.peak, "share": share}})
}

// on and off parse a switch in the spellings of tools and people.
func on(v string) bool {
	return slices.Contains([]string{"true", "on", "1", "yes", "enabled"}, strings.ToLower(v))
}

func off(v string) bool {
	return slices.Contains([]string{"false", "off", "0", "no", "none", "null", "disabled"}, strings.ToLower(v))
}

// weightSize checks that the declared size of the weights fits the number of parameters at their nominal bits.
// If not, a declared fact about the model is wrong: the precision is another, a folder has the weights twice,
// or G was used as GB.
func (c *judge) weightSize() {
	f := &c.facts
	if f.weights == 0 || f.size.most == 0 {
		return
	}
	nominal := f.params * f.bits / 8
	if !f.contradicted() {
		c.pass(func() locale.Text {
			return locale.T("check.size.pass", gigabytes(f.weights), billions(f.params), number(f.bits), gigabytes(nominal))
		})
		return
	}
	hint := "check.size.hint"
	if ratio := f.weights / nominal; ratio > 1.8 && ratio < 2.4 {
		hint = "check.size.twice"
	}
	c.raise(result.Warning, result.Check{Text: locale.T("check.size", gigabytes(f.weights), billions(f.params), number(f.bits), gigabytes(nominal)), Hint: locale.T(hint),
		Figures: map[string]float64{"weight_bytes": f.weights, "nominal_bytes": nominal, "least_bytes": f.size.least, "most_bytes": f.size.most},
		Metrics: []string{"mbu", "effective_bandwidth"}})
}

// memoryFit checks that the weights and the KV cache of all requests in flight fit into the memory of the
// devices. Each replica has weights of its own. Since the run was possible, weights that do not fit cast doubt
// on what is declared: the number of accelerators or the size. Cache that does not fit is possible: the engine
// makes requests wait, and not all requests have their full length at once.
func (c *judge) memoryFit() {
	switch {
	case c.facts.weights == 0 && c.facts.memory == 0:
		return
	case c.facts.memory == 0:
		c.lack("check.lack.memory")
		return
	case c.facts.weights == 0:
		c.lack("check.lack.size")
		return
	case c.facts.contradicted():
		c.lack("check.lack.fit-size")
		return
	}
	weights := c.facts.weights * c.facts.copies
	cache := c.facts.cache * min(c.facts.cap, c.facts.requests) * (c.facts.input + c.facts.output)
	figures := func() map[string]float64 {
		return map[string]float64{"weight_bytes": weights, "kv_cache_bytes": cache, "memory_bytes": c.facts.memory}
	}
	memory := c.r.Label("memory")
	if n := c.r.Accelerators(); n > 1 {
		memory = number(n) + " × " + memory
	}
	switch {
	case weights > c.facts.memory && on(c.r.Label("cpu_offload")):
		c.pass(func() locale.Text { return locale.T("check.fit.offload", gigabytes(weights), memory) })
	case weights > c.facts.memory:
		c.raise(result.Warning, result.Check{Figures: figures(), Metrics: []string{"mbu", "effective_bandwidth", "output_throughput_per_accelerator", "cost_per_million_output_tokens", "cost_per_million_total_tokens"},
			Text: locale.T("check.fit.weights", gigabytes(weights), memory), Hint: locale.T("check.fit.weights.hint")})
	case weights+cache > c.facts.memory:
		c.raise(result.Warning, result.Check{Figures: figures(), Metrics: []string{"ttft", "e2el", "queue"},
			Text: locale.T("check.fit.cache", gigabytes(weights), gigabytes(cache), memory), Hint: locale.T("check.fit.cache.hint")})
	case cache > 0:
		c.pass(func() locale.Text {
			return locale.T("check.fit.pass", gigabytes(weights), gigabytes(cache), memory)
		})
	default:
		c.pass(func() locale.Text {
			return locale.T("check.fit.weights.pass", gigabytes(weights), memory)
		})
	}
}

// gigabytes formats bytes, or bytes per second, in 10⁹, without the unit.
func gigabytes(v float64) string {
	switch v /= 1e9; {
	case v >= 100:
		return decimals(v, 0)
	case v >= 10:
		return decimals(v, 1)
	}
	return decimals(v, 2)
}

func billions(v float64) string { return number(v/1e9) + " G" }
