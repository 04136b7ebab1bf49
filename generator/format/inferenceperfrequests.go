package format

import "math"

// inferencePerfRequests makes one result of all the requests of a file of
// inference-perf (per_request_lifecycle_metrics.json). Each has its start and end, on
// a clock that need not be that of the day, and in info its tokens and the time of
// each of them; since 2026 info has them under request_metrics and response_metrics.
// Of which stage a request was is not told, so that all stages are one.
//
// Source: inference_perf/reportgen/base.py, inference_perf/apis/base.py.
type inferencePerfRequests struct {
	requestLog
	ttft, tpot, e2el, itl sample
	input, output         sample
	from, to              float64
}

func isInferencePerfRequest(v *value) bool {
	info := v.get("info")
	return v.get("end_time") != nil && v.get("error") != nil &&
		(info.get("output_token_times") != nil || info.get("output_tokens") != nil || info.get("response_metrics") != nil)
}

func openInferencePerfRequests(in *input) objectReader {
	return &inferencePerfRequests{requestLog: requestLog{in: in}, from: math.Inf(1), to: math.Inf(-1)}
}

func (r *inferencePerfRequests) object(v *value) {
	if !r.begin(v) {
		return
	}
	start, started := v.get("start_time").float()
	end, ended := v.get("end_time").float()
	if v.get("error").is() || !started || !ended {
		r.failed++
		return
	}
	r.from, r.to = min(r.from, start), max(r.to, end)
	r.e2el.add(end - start)

	info := v.get("info")
	if n, ok := firstOf(info.get("request_metrics", "text", "input_tokens"), info.get("input_tokens")).float(); ok {
		r.input.add(n)
	}
	tokens, counted := firstOf(info.get("response_metrics", "output_tokens"), info.get("output_tokens")).float()
	if counted {
		r.output.add(tokens)
	} else {
		tokens = math.NaN()
	}
	r.complete(start, end-start, tokens)
	times := firstOf(info.get("response_metrics", "output_token_times"), info.get("output_token_times"))
	if times == nil || times.numbers.size() < 2 || len(times.numbers.values) != times.numbers.size() {
		return // not streamed
	}
	at := times.numbers.values
	r.ttft.add(at[0] - start)
	for i := 1; i < len(at); i++ {
		r.itl.add(at[i] - at[i-1])
	}
	if each := timePerToken(end-start, at[0]-start, tokens); counted && !math.IsNaN(each) {
		r.tpot.add(each)
	}
}

func (r *inferencePerfRequests) end() {
	if r.completed+r.failed == 0 {
		return
	}
	s := r.in.begin("inference-perf", "inference-perf-json", r.first)
	s.derive("requests_completed", float64(r.completed), "number of requests without an error", r.first)
	s.derive("requests_failed", float64(r.failed), "number of requests with an error", r.first)
	if r.completed > 0 {
		s.derive("duration", r.to-r.from, "latest end_time - earliest start_time", r.first)
	}
	s.epoch(r.from, r.first)
	// Without the tokens of one request the total is not known.
	if r.input.size() == r.completed {
		s.derive("input_tokens", r.input.sum, "sum of input_tokens", r.first)
	}
	if r.output.size() == r.completed {
		s.derive("output_tokens", r.output.sum, "sum of output_tokens", r.first)
	}
	if r.completed > 0 {
		s.ratesOverDuration(r.first)
	}
	s.deriveStatistics("e2el", &r.e2el, 1e3, "end_time - start_time", r.first)
	s.deriveStatistics("ttft", &r.ttft, 1e3, "output_token_times[0] - start_time", r.first)
	s.deriveStatistics("tpot", &r.tpot, 1e3, "(end_time - output_token_times[0]) / (output_tokens - 1)", r.first)
	s.deriveStatistics("itl", &r.itl, 1e3, "gaps between output_token_times", r.first)
	r.steady(s)
	s.hand(r.last, !r.cut && !r.in.cut)
}
