package result

import (
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
)

// Accelerators returns how many accelerators a run used: what is declared or
// measured of their number or of its parallelism (tp4, tp2-pp2), then what
// telemetry saw at work; 1 without any, 0 when it cannot be read.
func (r *Result) Accelerators() float64 {
	l := r.Layout()
	count, ok := r.Labels.Lookup("accelerators")
	if !ok || count.Value == "" || count.Origin == Captured && l.Known {
		return l.Accelerators
	}
	n, err := strconv.ParseFloat(count.Value, 64)
	if err != nil || n < 1 {
		return 0
	}
	return n
}

// Counted reports whether the accelerators of a run were declared or measured, and not
// only taken to be one.
func (r *Result) Counted() bool {
	return r.Accelerators() > 0 && (r.Labels.Get("accelerators") != "" || r.Labels.Get("parallelism") != "")
}

// Layout is how a run spreads its model over accelerators.
type Layout struct {
	Accelerators float64 // 0 when the label cannot be read
	Replicas     float64 // copies of the model, each of which serves requests of its own (dp)
	Stages       float64 // that a token passes one after another (pp)
	Known        bool    // from a label that can be read
}

// Layout reads the label parallelism: tp4, tp2-pp2 or "tensor_parallel_size=8". Experts that are
// spread (ep) lie over all accelerators, so that replicas share them. Ranks
// that share out attention (SGLang's DP attention) and the cache of a context
// (dcp) lie inside tensor parallelism; those of context parallelism (cp, pcp)
// are accelerators of their own.
func (r *Result) Layout() Layout {
	l := Layout{Accelerators: 1, Replicas: 1, Stages: 1}
	value := r.Labels.Get("parallelism")
	if value == "" {
		return l
	}
	found := parallelPattern().FindAllStringSubmatch(value, -1)
	tensor, data, experts := 1.0, 1.0, 1.0
	for _, m := range found {
		k, err := strconv.ParseFloat(m[2], 64)
		if err != nil || k < 1 {
			continue
		}
		switch strings.ToLower(m[1]) {
		case "tp", "tensor":
			tensor *= k
		case "dp", "data":
			data *= k
		case "pp", "pipeline":
			l.Stages *= k
		case "cp", "pcp", "context":
			l.Accelerators *= k
		case "ep", "expert":
			experts = k
		case "sp", "sequence":
			if k > 1 { // some lie inside tensor parallelism, others do not
				return Layout{Replicas: 1, Stages: 1}
			}
		}
	}
	l.Accelerators *= tensor * l.Stages
	if !insideTensor(r, tensor, data, experts) {
		l.Accelerators *= data
		l.Replicas = data
	}
	if experts > 1 {
		l.Accelerators, l.Replicas = max(l.Accelerators, experts), 1
	}
	l.Known = len(found) > 0
	if !l.Known && !slices.Contains([]string{"1", "none", "single"}, strings.ToLower(value)) {
		l.Accelerators = 0
	}
	return l
}

// insideTensor reports whether ranks of data parallelism lie inside tensor
// parallelism: as DP attention in SGLang and its kin, which is known from its
// switch, or from experts that are spread over no more than the tensor's ranks,
// where vLLM spreads them over all.
func insideTensor(r *Result, tensor, data, experts float64) bool {
	if data <= 1 || data > tensor {
		return false
	}
	for _, label := range []string{"x_enable_dp_attention", "enable_dp_attention", "x_dp_attention", "dp_attention"} {
		if slices.Contains([]string{"true", "on", "1", "yes", "enabled"}, strings.ToLower(r.Labels.Get(label))) {
			return true
		}
	}
	return experts > 1 && experts <= tensor
}

var parallelPattern = lazy.Regexp(`(?i)(tp|pp|dp|ep|dcp|pcp|cp|sp|tensor|pipeline|data|expert|context|sequence)(?:[ _-]?parallel(?:ism)?)?(?:[ _-]?size)?[ =:_-]*(\d+)`)
