package loadgen

import (
	"math"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// GuideLLM 0.1 saves every request and no statistics: the mode and rate of a benchmark, then its results and errors.
//
// Times are seconds since 1970. In the first builds, first_token_time is a duration, and there is a decode_times.
// Later, first_token_time is a time, as is last_token_time. The first builds also count the words of a text as its
// tokens if the server does not report tokens. If the two counts agree in every request, the tokens are unknown.
//
// Source: guidellm/core/result.py.
func isGuideRaw(b *scan.Value) bool {
	return b.Get("mode") != nil && b.Get("results") != nil && b.Get("errors") != nil && b.Get("metrics") == nil
}

func guideRaw(in *draft.File, report, b *scan.Value) {
	s := in.Begin("guidellm", "guidellm-json", b.Line)
	results, line := b.Get("results"), b.Get("results").Line
	guideStrategy(s, b.Get("mode").Text(), "", "", b.Get("mode").Line)
	s.Set("request_rate", b.Get("rate"))
	args := report.Get("args")
	s.Set("model_raw", args.Get("model"))
	s.Set("tokenizer", args.Get("tokenizer"))
	if data := args.Get("data"); data.Is() {
		guideData(s, data.Text(), data.Line)
	}
	s.Derive("requests_completed", float64(results.Count), "number of results", line)
	s.Derive("requests_failed", float64(b.Get("errors").Count), "number of errors", b.Get("errors").Line)

	start, end := results.Column("start_time"), results.Column("end_time")
	first := results.Column("first_token_time")
	output := results.Column("output_token_count")
	if sameNumbers(output, results.Column("output_word_count")) {
		output = nil
	}
	prompt := results.Column("prompt_token_count")
	if sameNumbers(prompt, results.Column("prompt_word_count")) {
		prompt = nil
	}
	if start.Size() > scan.ExactSize || results.Cut {
		s.Emit(b.Last, false) // too many to be kept in order, or incomplete
		return
	}

	wait, waitFormula := draft.PerRequest(func(of []float64) float64 { return of[1] - of[0] }, start, first), "first_token_time - start_time"
	if results.At(0).Get("decode_times") != nil {
		wait, waitFormula = first, "first_token_time"
	}
	s.DeriveStatistics("ttft", wait, 1e3, waitFormula, line)
	s.DeriveStatistics("e2el", draft.PerRequest(func(of []float64) float64 { return of[1] - of[0] }, start, end), 1e3,
		"end_time - start_time", line)
	if wait.Size() == results.Count { // the samples are in the same order
		s.DeriveStatistics("tpot", draft.PerRequest(func(of []float64) float64 { return draft.TimePerToken(of[1]-of[0], of[2], of[3]) },
			start, end, wait, output), 1e3, "(end_time - start_time - ("+waitFormula+")) / (output_token_count - 1)", line)
	}

	if start.Size() > 0 && end.Size() > 0 {
		s.Derive("duration", end.Max-start.Min, "latest end_time - earliest start_time", line)
		s.Epoch(start.Min, line)
	}
	// If the tokens of one request are unknown, so is the total.
	if output.Size() == results.Count && results.Count > 0 {
		s.Derive("output_tokens", output.Sum, "sum of output_token_count", line)
	}
	if prompt.Size() == results.Count && results.Count > 0 {
		s.Derive("input_tokens", prompt.Sum, "sum of prompt_token_count", line)
	}
	ratesOverDuration(s, line)
	s.EmitObject(b)
}

// sameNumbers reports whether two columns agree in every entry.
func sameNumbers(a, b *scan.Sample) bool {
	if a == nil || b == nil || len(a.Values) != len(b.Values) || a.Size() == 0 {
		return false
	}
	for i, v := range a.Values {
		if v != b.Values[i] && !(math.IsNaN(v) && math.IsNaN(b.Values[i])) {
			return false
		}
	}
	return true
}
