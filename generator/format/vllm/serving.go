package vllm

import (
	"slices"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// Forks and wrappers of the serving benchmarks save the keys of vLLM and SGLang without those that identify the tool.
// The names of the latencies, which contain their unit, together with a throughput, a count of requests and a duration
// identify a result. Without the count, the object may be an example on a page. The client is unknown.

// servingKeys lists latencies. Such an object has at least one of them.
var servingKeys = []string{"mean_ttft_ms", "median_ttft_ms", "p99_ttft_ms", "mean_tpot_ms", "median_tpot_ms", "mean_itl_ms",
	"mean_e2el_ms", "mean_e2e_latency_ms", "median_e2e_latency_ms"}

// servingOthers lists keys of the tools that have readers of their own.
var servingOthers = []string{"model_id", "tokenizer_id", "total_output_tokens_retokenized", "total_output_retokenized"}

func isServing(v *scan.Value) bool {
	rate := v.Get("output_throughput").Scalar() || v.Get("request_throughput").Scalar()
	return rate && v.Has("completed", "duration") && !slices.ContainsFunc(servingOthers, func(key string) bool { return v.Get(key) != nil })
}

func readServing(in *draft.File, v *scan.Value) {
	s := in.Begin("serving", "serving-json", v.Line)
	takeServing(s, v, false)
	s.DropUnmeasured()
	s.EmitObject(v)
}

// takeServing reads the members of an object that has the names of vLLM's or SGLang's client. First selects the names
// of SGLang's first version.
func takeServing(s *draft.Draft, v *scan.Value, first bool) {
	var asked draft.Settings
	for child := range v.Children() {
		if !child.Scalar() || len(child.Raw) == 0 || len(child.Raw) > draft.MaxLabel {
			continue
		}
		s.Fact([]byte(child.Key), child.Raw)
		if _, ok := draft.Arguments[child.Key]; ok {
			asked.Set(s.In, []byte(child.Key), child.Raw, child.Line)
			continue
		}
		m := sglangKey(child.Key, first)
		takeMember(s, &m, child)
	}
	serverInfo(s, v.Get("server_info"))
	asked.Labels(s)
}
