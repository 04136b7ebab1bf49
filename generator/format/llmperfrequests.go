package format

// llmperfRequests makes one result of all the requests of a file of llmperf
// (…_individual_responses.json). How long the whole run took is not told, and so
// there are no rates. The time per output token is computed here, since the tool's
// own has the wait for the first one in it.
//
// A request that failed has an error code, and zeros for what was not measured.
type llmperfRequests struct {
	requestLog
	ttft, e2el, tpot, inclTTFT   sample
	input, output, outputPerUser sample
}

func isLLMPerfRequest(v *value) bool {
	return v.get("end_to_end_latency_s") != nil && v.get("number_output_tokens") != nil
}

func openLLMPerfRequests(in *input) objectReader {
	return &llmperfRequests{requestLog: requestLog{in: in}}
}

func (r *llmperfRequests) object(v *value) {
	if !r.begin(v) {
		return
	}
	e2el, timed := v.get("end_to_end_latency_s").float()
	tokens, counted := v.get("number_output_tokens").float()
	if v.get("error_code").is() || !timed || e2el <= 0 {
		r.failed++
		return
	}
	r.completed++
	r.e2el.add(e2el)
	if counted {
		r.output.add(tokens)
	}
	if n, ok := v.get("number_input_tokens").float(); ok {
		r.input.add(n)
	}
	if n, ok := v.get("inter_token_latency_s").float(); ok && n > 0 {
		r.inclTTFT.add(n)
	}
	if n, ok := v.get("request_output_throughput_token_per_s").float(); ok && n > 0 {
		r.outputPerUser.add(n)
	}
	ttft, measured := v.get("ttft_s").float()
	if !measured || ttft <= 0 {
		return
	}
	r.ttft.add(ttft)
	if each := timePerToken(e2el, ttft, tokens); counted && each == each {
		r.tpot.add(each)
	}
}

func (r *llmperfRequests) end() {
	if r.completed+r.failed == 0 {
		return
	}
	s := r.in.begin("llmperf", "llmperf-json", r.first)
	s.derive("requests_completed", float64(r.completed), "number of requests without an error_code", r.first)
	s.derive("requests_failed", float64(r.failed), "number of requests with an error_code", r.first)
	if r.completed > 0 && r.input.size() == r.completed {
		s.derive("input_tokens", r.input.sum, "sum of number_input_tokens", r.first)
	}
	if r.completed > 0 && r.output.size() == r.completed {
		s.derive("output_tokens", r.output.sum, "sum of number_output_tokens", r.first)
	}
	s.deriveStatistics("ttft", &r.ttft, 1e3, "ttft_s", r.first)
	s.deriveStatistics("e2el", &r.e2el, 1e3, "end_to_end_latency_s", r.first)
	s.deriveStatistics("tpot", &r.tpot, 1e3, "(end_to_end_latency_s - ttft_s) / (number_output_tokens - 1)", r.first)
	s.deriveStatistics("tpot_incl_ttft", &r.inclTTFT, 1e3, "inter_token_latency_s", r.first)
	s.hand(r.last, !r.cut && !r.in.cut)
}
