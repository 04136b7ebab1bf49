package result

import (
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
)

// Accelerators returns how many accelerators a run used: the declared or measured number, or what the
// parallelism implies (tp4, tp2-pp2), or else the number that telemetry saw in use. It returns 1 if nothing is
// stated, and 0 if the number cannot be read.
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

// Counted reports whether the number of accelerators was stated, not just assumed to be one.
func (r *Result) Counted() bool {
	return r.Accelerators() > 0 && (r.Labels.Get("accelerators") != "" || r.Labels.Get("parallelism") != "")
}

// Layout is how a run spreads its model over accelerators.
type Layout struct {
	Accelerators float64 // 0 if the label cannot be read
	Replicas     float64 // copies of the model that serve separate requests (dp)
	Stages       float64 // pipeline stages that a token passes one after another (pp)
	Known        bool    // read from a label
}

// Layout parses the label parallelism: tp4, tp2-pp2 or "tensor_parallel_size=8". Experts that are spread (ep)
// use all accelerators, so replicas share them. Ranks that divide attention (SGLang's DP attention) or the
// cache of a context (dcp) are part of tensor parallelism. Ranks of context parallelism (cp, pcp) are
// additional accelerators.
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
			if k > 1 { // in some engines part of tensor parallelism, in others not
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

// insideTensor reports whether ranks of data parallelism are part of tensor parallelism, as with DP attention
// in SGLang and related engines. This follows from the engine's switch, or from experts that are spread over no
// more ranks than the tensors. vLLM spreads experts over all ranks.
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
