package vllm

import (
	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// llmperfRequests makes one result of all the requests in a file of llmperf (…_individual_responses.json). The duration
// of the whole run is unknown, so the result has no rates. The time per output token is computed here, since the tool's
// own figure includes the wait for the first token.
//
// A failed request has an error code, and zeros for what was not measured.
type llmperfRequests struct {
	draft.RequestLog
	ttft, e2el, tpot, inclTTFT scan.Sample
	input, output              scan.Sample
}

func isLLMPerfRequest(v *scan.Value) bool {
	return v.Get("end_to_end_latency_s") != nil && v.Get("number_output_tokens") != nil
}

func openLLMPerfRequests(in *draft.File) draft.ObjectReader {
	return &llmperfRequests{RequestLog: draft.RequestLog{In: in}}
}

func (r *llmperfRequests) Object(v *scan.Value) {
	if !r.Begin(v) {
		return
	}
	e2el, timed := v.Get("end_to_end_latency_s").Float()
	tokens, counted := v.Get("number_output_tokens").Float()
	if v.Get("error_code").Is() || !timed || e2el <= 0 {
		r.Failed++
		return
	}
	r.Completed++
	r.e2el.Add(e2el)
	if counted {
		r.output.Add(tokens)
	}
	if n, ok := v.Get("number_input_tokens").Float(); ok {
		r.input.Add(n)
	}
	if n, ok := v.Get("inter_token_latency_s").Float(); ok && n > 0 {
		r.inclTTFT.Add(n)
	}
	ttft, measured := v.Get("ttft_s").Float()
	if !measured || ttft <= 0 {
		return
	}
	r.ttft.Add(ttft)
	if each := draft.TimePerToken(e2el, ttft, tokens); counted && each == each {
		r.tpot.Add(each)
	}
}

func (r *llmperfRequests) End() {
	if r.Completed+r.Failed == 0 {
		return
	}
	s := r.In.Begin("llmperf", "llmperf-json", r.First)
	s.Derive("requests_completed", float64(r.Completed), "number of requests without an error_code", r.First)
	s.Derive("requests_failed", float64(r.Failed), "number of requests with an error_code", r.First)
	if r.Completed > 0 && r.input.Size() == r.Completed {
		s.Derive("input_tokens", r.input.Sum, "sum of number_input_tokens", r.First)
	}
	if r.Completed > 0 && r.output.Size() == r.Completed {
		s.Derive("output_tokens", r.output.Sum, "sum of number_output_tokens", r.First)
	}
	s.DeriveStatistics("ttft", &r.ttft, 1e3, "ttft_s", r.First)
	s.DeriveStatistics("e2el", &r.e2el, 1e3, "end_to_end_latency_s", r.First)
	s.DeriveStatistics("tpot", &r.tpot, 1e3, "(end_to_end_latency_s - ttft_s) / (number_output_tokens - 1)", r.First)
	s.DeriveStatistics("tpot_incl_ttft", &r.inclTTFT, 1e3, "inter_token_latency_s", r.First)
	s.Emit(r.Last, !r.Cut && !r.In.Cut)
}
