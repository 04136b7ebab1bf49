package loadgen

import (
	"math"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// inferencePerfRequests makes one result of all the requests in a file of inference-perf
// (per_request_lifecycle_metrics.json). Each request has its start and end, on a clock that may not be the time of day.
// Its info has the number of tokens and the time of each token; since 2026 they are in request_metrics and
// response_metrics of info. The stage of a request is unknown, so all stages make one result.
//
// Source: inference_perf/reportgen/base.py, inference_perf/apis/base.py.
type inferencePerfRequests struct {
	draft.RequestLog
	ttft, tpot, e2el, itl scan.Sample
	input, output         scan.Sample
	from, to              float64
}

func isInferencePerfRequest(v *scan.Value) bool {
	info := v.Get("info")
	return v.Get("end_time") != nil && v.Get("error") != nil &&
		(info.Get("output_token_times") != nil || info.Get("output_tokens") != nil || info.Get("response_metrics") != nil)
}

func openInferencePerfRequests(in *draft.File) draft.ObjectReader {
	return &inferencePerfRequests{RequestLog: draft.RequestLog{In: in}, from: math.Inf(1), to: math.Inf(-1)}
}

func (r *inferencePerfRequests) Object(v *scan.Value) {
	if !r.Begin(v) {
		return
	}
	start, started := v.Get("start_time").Float()
	end, ended := v.Get("end_time").Float()
	if v.Get("error").Is() || !started || !ended {
		r.Failed++
		return
	}
	r.from, r.to = min(r.from, start), max(r.to, end)
	r.e2el.Add(end - start)

	info := v.Get("info")
	if n, ok := firstOf(info.Get("request_metrics", "text", "input_tokens"), info.Get("input_tokens")).Float(); ok {
		r.input.Add(n)
	}
	tokens, counted := firstOf(info.Get("response_metrics", "output_tokens"), info.Get("output_tokens")).Float()
	if counted {
		r.output.Add(tokens)
	} else {
		tokens = math.NaN()
	}
	times := firstOf(info.Get("response_metrics", "output_token_times"), info.Get("output_token_times"))
	if times == nil || times.Numbers.Size() < 2 || len(times.Numbers.Values) != times.Numbers.Size() {
		r.Complete(start, math.NaN(), end-start, tokens)
		return // not streamed
	}
	at := times.Numbers.Values
	r.Complete(start, at[0]-start, end-start, tokens)
	r.ttft.Add(at[0] - start)
	for i := 1; i < len(at); i++ {
		r.itl.Add(at[i] - at[i-1])
	}
	if each := draft.TimePerToken(end-start, at[0]-start, tokens); counted && !math.IsNaN(each) {
		r.tpot.Add(each)
	}
}

func (r *inferencePerfRequests) End() {
	if r.Completed+r.Failed == 0 {
		return
	}
	s := r.In.Begin("inference-perf", "inference-perf-json", r.First)
	s.Derive("requests_completed", float64(r.Completed), "number of requests without an error", r.First)
	s.Derive("requests_failed", float64(r.Failed), "number of requests with an error", r.First)
	if r.Completed > 0 {
		s.Derive("duration", r.to-r.from, "latest end_time - earliest start_time", r.First)
	}
	s.Epoch(r.from, r.First)
	// If the tokens of one request are unknown, so is the total.
	if r.input.Size() == r.Completed {
		s.Derive("input_tokens", r.input.Sum, "sum of input_tokens", r.First)
	}
	if r.output.Size() == r.Completed {
		s.Derive("output_tokens", r.output.Sum, "sum of output_tokens", r.First)
	}
	if r.Completed > 0 {
		ratesOverDuration(s, r.First)
	}
	s.DeriveStatistics("e2el", &r.e2el, 1e3, "end_time - start_time", r.First)
	s.DeriveStatistics("ttft", &r.ttft, 1e3, "output_token_times[0] - start_time", r.First)
	s.DeriveStatistics("tpot", &r.tpot, 1e3, "(end_time - output_token_times[0]) / (output_tokens - 1)", r.First)
	s.DeriveStatistics("itl", &r.itl, 1e3, "gaps between output_token_times", r.First)
	r.Follow(s)
	s.Emit(r.Last, !r.Cut && !r.In.Cut)
}
