package loadgen

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// With --save-json-results, inference-benchmark (inferencebenchmark.go) saves its lists, one file for each model and
// one for all models ("weighted"). Every statistic has a key in metrics. Since April 2025 the names of durations end
// with "_ms". Before, TTFT, ITL and the time per token are in seconds, and latencies of requests and of output tokens
// in milliseconds. "throughput" counts output tokens, and throughput_rps counts the requested requests. A normalized
// time per output token is the latency divided by all output tokens. ITL covers the gaps of all requests.
func isInferenceBenchmarkJSON(v *scan.Value) bool {
	return v.Get("metrics", "num_prompts_succeeded") != nil && v.Get("dimensions", "model_id") != nil
}

// inferenceBenchmarkFamilies maps the statistics by the part of the key after the statistic.
var inferenceBenchmarkFamilies = map[string]draft.Member{
	"TTFT_ms":                             {Name: "ttft", Unit: "ms"},
	"ITL_ms":                              {Name: "itl", Unit: "ms"},
	"TPOT_ms":                             {Name: "tpot", Unit: "ms"},
	"latency_ms":                          {Name: "e2el", Unit: "ms"},
	"per_token_latency_ms":                {Name: "x_time_per_token", Unit: "ms"},
	"normalized_time_per_output_token_ms": {Name: "tpot_incl_ttft", Unit: "ms"},
	"TTFT":                                {Name: "ttft", Unit: "s"},
	"ITL":                                 {Name: "itl", Unit: "s"},
	"TPOT":                                {Name: "tpot", Unit: "s"},
	"latency":                             {Name: "e2el", Unit: "ms"},
	"per_token_latency":                   {Name: "x_time_per_token", Unit: "s"},
	"per_output_token_latency":            {Name: "tpot_incl_ttft", Unit: "ms"},
	"input_len":                           {Name: "x_input_len", Unit: "tok"},
	"output_len":                          {Name: "x_output_len", Unit: "tok"},
}

func readInferenceBenchmarkJSON(in *draft.File, v *scan.Value) {
	s := in.Begin("inference-benchmark", "inference-benchmark-json", v.Line)
	metrics, dimensions := v.Get("metrics"), v.Get("dimensions")
	s.TakeAll(metrics, []draft.Member{
		{Key: "num_prompts_succeeded", Name: "requests_completed"},
		{Key: "benchmark_time", Name: "duration", Unit: "s"},
		{Key: "throughput", Name: "output_throughput", Unit: "tok/s"},
		{Key: "input_tokens_per_sec", Name: "input_throughput", Unit: "tok/s"},
		{Key: "tokens_per_sec", Name: "total_throughput", Unit: "tok/s"},
		{Key: "total_output_token", Name: "output_tokens", Unit: "tok"},
		{Key: "total_input_tokens", Name: "input_tokens", Unit: "tok"},
		{Key: "queries_per_second", Name: "x_queries_per_second", Unit: "req/s"},
		{Key: "throughput_rps", Name: "x_throughput_rps", Unit: "req/s"},
		{Key: "num_prompts_attempted", Name: "num_prompts"},
		{Key: "request_rate", Name: "request_rate"},
	})
	completed, done := s.Value("requests_completed")
	if sent, ok := metrics.Get("num_prompts_attempted").Float(); ok && done && sent >= completed {
		s.Derive("requests_failed", sent-completed, "num_prompts_attempted − num_prompts_succeeded", metrics.Line)
	}
	for m := range metrics.Children() {
		statistic, rest, _ := strings.Cut(m.Key, "_")
		if statistic == "sd" {
			statistic = "std"
		}
		family, known := inferenceBenchmarkFamilies[rest]
		if name, ok := draft.StatisticName(statistic); known && ok {
			takePositive(s, family.Name+"_"+name, family.Unit, m)
		}
	}
	ratesOverDuration(s, metrics.Line)
	s.TakeAll(dimensions, []draft.Member{
		{Key: "backend", Name: "engine"},
		{Key: "tokenizer_id", Name: "tokenizer"},
		{Key: "date", Name: "date"},
	})
	if model := dimensions.Get("model_id"); model.Text() != "weighted" {
		s.Set("model_raw", model)
	} else {
		model.Use()
	}
	s.Rest(dimensions, 0)
	s.EmitObject(v)
}
