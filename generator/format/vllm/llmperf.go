package vllm

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// llmperf (ray-project) saves a summary with flat keys, results_<metric>_<statistic>, and a separate list of all
// requests (llmperfrequests.go). Times are in seconds.
//
//   - results_inter_token_latency_s counts the wait for the first token as the first gap. It is the latency of a
//     request divided by its tokens, which is called tpot_incl_ttft here.
//   - results_mean_output_throughput_token_per_s is the throughput of the whole system, despite the word mean.
//   - mean_input_tokens and mean_output_tokens are the requested lengths.
//   - The minimum and maximum numbers of tokens are in quotes.
//
// Source: token_benchmark_ray.py, llmperf/ray_clients/openai_chat_completions_client.py.
func isLLMPerf(v *scan.Value) bool {
	return v.Get("results_ttft_s_mean") != nil || v.Get("results_mean_output_throughput_token_per_s") != nil
}

// llmperfFamilies lists the metrics that have statistics.
var llmperfFamilies = []draft.Member{
	{Key: "ttft_s", Name: "ttft", Unit: "s"},
	{Key: "inter_token_latency_s", Name: "tpot_incl_ttft", Unit: "s"},
	{Key: "end_to_end_latency_s", Name: "e2el", Unit: "s"},
	{Key: "request_output_throughput_token_per_s", Name: "x_request_output_throughput", Unit: "tok/s"},
}

func readLLMPerf(in *draft.File, v *scan.Value) {
	s := in.Begin("llmperf", "llmperf-json", v.Line)
	llmperfSummary(s, v)
	s.EmitObject(v)
}

func llmperfSummary(s *draft.Draft, v *scan.Value) {
	s.TakeAll(v, []draft.Member{
		{Key: "results_num_completed_requests", Name: "requests_completed"},
		{Key: "results_number_errors", Name: "requests_failed"},
		{Key: "results_num_requests_started", Name: "x_num_requests_started", Unit: "1"},
		{Key: "results_mean_output_throughput_token_per_s", Name: "output_throughput", Unit: "tok/s"},
		{Key: "results_num_completed_requests_per_min", Name: "request_throughput", Unit: "req/min"},
		{Key: "results_number_input_tokens_mean", Name: "x_mean_input_len", Unit: "tok"},
		{Key: "results_number_output_tokens_mean", Name: "x_mean_output_len", Unit: "tok"},
		{Key: "results_error_rate", Name: "x_error_rate", Unit: "1"},
		{Key: "model", Name: "model_raw"},
		{Key: "num_concurrent_requests", Name: "max_concurrency"},
		{Key: "mean_input_tokens", Name: "input_len"},
		{Key: "mean_output_tokens", Name: "output_len"},
		{Key: "stddev_input_tokens", Name: "x_stddev_input_tokens"},
		{Key: "stddev_output_tokens", Name: "x_stddev_output_tokens"},
	})
	for child := range v.Children() {
		key, ok := strings.CutPrefix(child.Key, "results_")
		for _, m := range llmperfFamilies {
			statistic, found := strings.CutPrefix(key, m.Key+"_")
			if !ok || !found {
				continue
			}
			if suffix, ok := draft.StatisticName(strings.TrimPrefix(statistic, "quantiles_")); ok {
				s.Take(m.Name+"_"+suffix, m.Unit, child)
			}
		}
	}
	s.TotalsFromRates(v.Get("results_num_completed_requests_per_min"))
	if at, ok := v.Get("timestamp").Float(); ok {
		s.Epoch(at, v.Get("timestamp").Line)
	}
}

// llmperf-bench runs llmperf at several concurrencies and saves an object with one member for each concurrency. A
// member is either llmperf's summary or an object with a few figures in milliseconds. Of these, the throughput and the
// latency per token are llmperf's under other names. One such object may also be a file of its own.
//
// Source: philschmid/llmperf-bench, main.py.
func isLLMPerfBench(v *scan.Value) bool {
	return isLLMPerf(v) || v.Get("throughput_token_per_s") != nil && v.Get("first-time-to-token_mean_in_ms") != nil
}

// isLLMPerfSweep reports whether a value is an object with one summary for each concurrency.
func isLLMPerfSweep(v *scan.Value) bool { return v.First != nil && isLLMPerfBench(v.First) }

func readLLMPerfBench(in *draft.File, v *scan.Value) {
	if v.Get("throughput_token_per_s") != nil {
		llmperfBench(in, v)
		return
	}
	for entry := range v.Children() {
		if isLLMPerf(entry) {
			readLLMPerf(in, entry)
		} else if isLLMPerfBench(entry) {
			llmperfBench(in, entry)
		}
	}
}

func llmperfBench(in *draft.File, v *scan.Value) {
	s := in.Begin("llmperf", "llmperf-json", v.Line)
	s.TakeAll(v, []draft.Member{
		{Key: "throughput_token_per_s", Name: "output_throughput", Unit: "tok/s"},
		{Key: "first-time-to-token_mean_in_ms", Name: "ttft_mean", Unit: "ms"},
		{Key: "latency_ms_per_token", Name: "tpot_incl_ttft_mean", Unit: "ms"},
		{Key: "concurrency", Name: "max_concurrency"},
		{Key: "input_token_length", Name: "input_len"},
		{Key: "output_token_length", Name: "output_len"},
	})
	s.EmitObject(v)
}
