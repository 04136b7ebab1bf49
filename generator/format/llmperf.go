package format

import "strings"

// llmperf (ray-project) saves a summary with flat keys, results_<metric>_<statistic>,
// and every request in a list of its own (llmperfrequests.go). Times are in seconds.
//
//   - results_inter_token_latency_s takes the wait for the first token for the first
//     gap, so that it is the request's latency over its tokens: tpot_incl_ttft here.
//   - results_mean_output_throughput_token_per_s is the rate of the system, in spite
//     of the word mean.
//   - mean_input_tokens and mean_output_tokens are what was asked for.
//   - The least and the greatest number of tokens stand in quotes.
//
// Source: token_benchmark_ray.py, llmperf/ray_clients/openai_chat_completions_client.py.
func isLLMPerf(v *value) bool {
	return v.get("results_ttft_s_mean") != nil || v.get("results_mean_output_throughput_token_per_s") != nil
}

// llmperfFamilies are the metrics of which there are statistics.
var llmperfFamilies = []member{
	{"ttft_s", "ttft", "s"},
	{"inter_token_latency_s", "tpot_incl_ttft", "s"},
	{"end_to_end_latency_s", "e2el", "s"},
	{"request_output_throughput_token_per_s", "x_request_output_throughput", "tok/s"},
}

func readLLMPerf(in *input, v *value) {
	s := in.begin("llmperf", "llmperf-json", v.line)
	s.llmperfSummary(v)
	s.finish(v)
}

func (s *sheet) llmperfSummary(v *value) {
	s.takeAll(v, []member{
		{"results_num_completed_requests", "requests_completed", ""},
		{"results_number_errors", "requests_failed", ""},
		{"results_num_requests_started", "x_num_requests_started", "1"},
		{"results_mean_output_throughput_token_per_s", "output_throughput", "tok/s"},
		{"results_num_completed_requests_per_min", "request_throughput", "req/min"},
		{"results_number_input_tokens_mean", "x_mean_input_len", "tok"},
		{"results_number_output_tokens_mean", "x_mean_output_len", "tok"},
		{"results_error_rate", "x_error_rate", "1"},
		{"model", "model_raw", ""},
		{"num_concurrent_requests", "max_concurrency", ""},
		{"mean_input_tokens", "input_len", ""},
		{"mean_output_tokens", "output_len", ""},
		{"stddev_input_tokens", "x_stddev_input_tokens", ""},
		{"stddev_output_tokens", "x_stddev_output_tokens", ""},
	})
	for child := range v.children() {
		key, ok := strings.CutPrefix(child.key, "results_")
		for _, m := range llmperfFamilies {
			statistic, found := strings.CutPrefix(key, m.key+"_")
			if !ok || !found {
				continue
			}
			if suffix, ok := statisticName(strings.TrimPrefix(statistic, "quantiles_")); ok {
				s.take(m.name+"_"+suffix, m.unit, child)
			}
		}
	}
	s.totalsFromRates(v.get("results_num_completed_requests_per_min"))
	if at, ok := v.get("timestamp").float(); ok {
		s.epoch(at, v.get("timestamp").line)
	}
}

// llmperf-bench runs llmperf at several concurrencies and saves an object keyed by
// them: the summaries as they are, or a few figures in milliseconds of each, of
// which the rate and the latency per token are llmperf's under other names. One
// such object may also be a file of its own.
//
// Source: philschmid/llmperf-bench, main.py.
func isLLMPerfBench(v *value) bool {
	return isLLMPerf(v) || v.get("throughput_token_per_s") != nil && v.get("first-time-to-token_mean_in_ms") != nil
}

// isLLMPerfSweep tells an object of objects keyed by concurrency.
func isLLMPerfSweep(v *value) bool { return v.first != nil && isLLMPerfBench(v.first) }

func readLLMPerfBench(in *input, v *value) {
	if v.get("throughput_token_per_s") != nil {
		in.llmperfBench(v)
		return
	}
	for entry := range v.children() {
		if isLLMPerf(entry) {
			readLLMPerf(in, entry)
		} else if isLLMPerfBench(entry) {
			in.llmperfBench(entry)
		}
	}
}

func (in *input) llmperfBench(v *value) {
	s := in.begin("llmperf", "llmperf-json", v.line)
	s.takeAll(v, []member{
		{"throughput_token_per_s", "output_throughput", "tok/s"},
		{"first-time-to-token_mean_in_ms", "ttft_mean", "ms"},
		{"latency_ms_per_token", "tpot_incl_ttft_mean", "ms"},
		{"concurrency", "max_concurrency", ""},
		{"input_token_length", "input_len", ""},
		{"output_token_length", "output_len", ""},
	})
	s.finish(v)
}
