package format

import "math"

// GuideLLM 0.1 saves every request and leaves the statistics to the reader: mode
// and rate of a benchmark, then its results and errors.
//
// Times are seconds since 1970. In the first builds first_token_time is a duration,
// and decode_times stands beside it; then it is a time, as last_token_time. In
// the first ones, too, the words of a text count as its tokens when the server does
// not tell them: where the two agree in every request, there are no tokens.
//
// Source: guidellm/core/result.py.
func isGuideRaw(b *value) bool {
	return b.get("mode") != nil && b.get("results") != nil && b.get("errors") != nil && b.get("metrics") == nil
}

func (in *input) guideRaw(report, b *value) {
	s := in.begin("guidellm", "guidellm-json", b.line)
	results, line := b.get("results"), b.get("results").line
	s.guideStrategy(b.get("mode").string(), "", "", b.get("mode").line)
	s.setting("request_rate", b.get("rate"))
	args := report.get("args")
	s.setting("model_raw", args.get("model"))
	s.setting("tokenizer", args.get("tokenizer"))
	if data := args.get("data"); data.is() {
		s.guideData(data.string(), data.line)
	}
	s.derive("requests_completed", float64(results.count), "number of results", line)
	s.derive("requests_failed", float64(b.get("errors").count), "number of errors", b.get("errors").line)

	start, end := results.column("start_time"), results.column("end_time")
	first := results.column("first_token_time")
	output := results.column("output_token_count")
	if sameNumbers(output, results.column("output_word_count")) {
		output = nil
	}
	prompt := results.column("prompt_token_count")
	if sameNumbers(prompt, results.column("prompt_word_count")) {
		prompt = nil
	}
	if start.size() > exactSize || results.cut {
		s.hand(b.last, false) // too long to be held in order, or not all of it
		return
	}

	wait, waitFormula := perRequest(func(of []float64) float64 { return of[1] - of[0] }, start, first), "first_token_time - start_time"
	if results.at(0).get("decode_times") != nil {
		wait, waitFormula = first, "first_token_time"
	}
	s.deriveStatistics("ttft", wait, 1e3, waitFormula, line)
	s.deriveStatistics("e2el", perRequest(func(of []float64) float64 { return of[1] - of[0] }, start, end), 1e3,
		"end_time - start_time", line)
	if wait.size() == results.count { // in the order of the others
		s.deriveStatistics("tpot", perRequest(func(of []float64) float64 { return timePerToken(of[1]-of[0], of[2], of[3]) },
			start, end, wait, output), 1e3, "(end_time - start_time - ("+waitFormula+")) / (output_token_count - 1)", line)
	}

	if start.size() > 0 && end.size() > 0 {
		s.derive("duration", end.max-start.min, "latest end_time - earliest start_time", line)
		s.epoch(start.min, line)
	}
	// Without the tokens of one request the total is not known.
	if output.size() == results.count && results.count > 0 {
		s.derive("output_tokens", output.sum, "sum of output_token_count", line)
	}
	if prompt.size() == results.count && results.count > 0 {
		s.derive("input_tokens", prompt.sum, "sum of prompt_token_count", line)
	}
	s.ratesOverDuration(line)
	s.finish(b)
}

// sameNumbers tells whether two columns agree in every entry.
func sameNumbers(a, b *sample) bool {
	if a == nil || b == nil || len(a.values) != len(b.values) || a.size() == 0 {
		return false
	}
	for i, v := range a.values {
		if v != b.values[i] && !(math.IsNaN(v) && math.IsNaN(b.values[i])) {
			return false
		}
	}
	return true
}
