package loadgen

import (
	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// inference-perf (kubernetes-sigs) saves a report for the whole run and one for each of its stages (summary_ and
// stage_N_lifecycle_metrics.json). It also saves the server's own metrics from Prometheus (…_prometheus_metrics.json)
// and, if requested, every request (inferenceperfrequests.go).
//
// All times are in seconds. Statistics are mean, min, max and percentiles; the 50th is called median. They are null if
// nothing was measured.
//
//   - time_per_output_token is (last − first token)/(N − 1) of each request; inter_token_latency covers all gaps.
//     Tokens that arrive in one chunk have gaps of zero or microseconds, so the median may mean little. The mean is
//     valid.
//   - normalized_time_per_output_token is the request's latency divided by its tokens, so it includes the wait for the
//     first token. It is 0 for a request without tokens.
//   - Rates are over the time from the first start to the last end.
//   - In a report from Prometheus, counters that the server does not have are 0. Percentiles are interpolated between
//     the buckets of a histogram.
//
// Since 2026 there are benchmark_time_seconds, and prompt_tokens and output_tokens in addition to output_len:
// output_len is counted by the client, the others by the server.
//
// Source: inference_perf/reportgen/base.py.
func isInferencePerf(v *scan.Value) bool {
	s := v.Get("successes")
	return s.Get("latency") != nil || v.Get("load_summary") != nil && s.Get("time_to_first_token") != nil
}

// inferencePerfLatencies lists the latencies.
var inferencePerfLatencies = []draft.Member{
	{Key: "request_latency", Name: "e2el", Unit: "s"},
	{Key: "time_to_first_token", Name: "ttft", Unit: "s"},
	{Key: "time_per_output_token", Name: "tpot", Unit: "s"},
	{Key: "inter_token_latency", Name: "itl", Unit: "s"},
	{Key: "normalized_time_per_output_token", Name: "tpot_incl_ttft", Unit: "s"},
}

func readInferencePerf(in *draft.File, v *scan.Value) {
	s := in.Begin("inference-perf", "inference-perf-json", v.Line)
	successes := v.Get("successes")
	if successes.Get("latency") == nil {
		prometheus(s, successes)
		s.EmitObject(v)
		return
	}
	s.Take("requests_completed", "", successes.Get("count"))
	s.Take("requests_failed", "", v.Get("failures", "count"))
	s.TakeAll(successes.Get("throughput"), []draft.Member{
		{Key: "input_tokens_per_sec", Name: "input_throughput", Unit: "tok/s"},
		{Key: "output_tokens_per_sec", Name: "output_throughput", Unit: "tok/s"},
		{Key: "total_tokens_per_sec", Name: "total_throughput", Unit: "tok/s"},
		{Key: "requests_per_sec", Name: "request_throughput", Unit: "req/s"},
	})
	for _, m := range inferencePerfLatencies {
		s.Measured(m.Name, m.Unit, successes.Get("latency", m.Key))
	}
	takePositive(s, "duration", "s", v.Get("benchmark_time_seconds"))
	s.TotalsFromRates(successes.Get("throughput"))
	s.Take("x_mean_input_len", "tok", firstOf(successes.Get("prompt_len", "mean"), successes.Get("prompt_tokens", "mean")))
	s.Take("x_mean_output_len", "tok", firstOf(successes.Get("output_len", "mean"), successes.Get("output_tokens", "mean")))
	takePositive(s, "x_prompt_tokens_cached", "tok", successes.Get("prompt_tokens", "cached"))
	takePositive(s, "x_token_count_mismatches", "1", successes.Get("token_count_mismatches"))
	s.TakeAll(successes.Get("goodput_metrics"), []draft.Member{
		{Key: "request_goodput", Name: "goodput", Unit: "req/s"},
		{Key: "goodput_percentage", Name: "x_goodput_percentage", Unit: "%"},
		{Key: "token_goodput", Name: "x_token_goodput", Unit: "tok/s"},
	})
	inferencePerfLoad(s, v.Get("load_summary"))
	s.EmitObject(v)
}

// inferencePerfLoad sets how requests were sent. The summary of a run with several stages does not contain it.
func inferencePerfLoad(s *draft.Draft, load *scan.Value) {
	s.Take("x_requests_sent", "1", load.Get("count"))
	s.Take("x_achieved_rate", "req/s", load.Get("achieved_rate"))
	s.Take("x_send_duration", "s", load.Get("send_duration"))
	s.Take("x_schedule_delay_mean", "s", load.Get("schedule_delay", "mean"))
	s.Take("x_schedule_delay_max", "s", load.Get("schedule_delay", "max"))
	if streams := load.Get("concurrency"); streams.Is() {
		s.Set("max_concurrency", streams) // requested_rate has no effect then
	} else {
		s.Set("request_rate", load.Get("requested_rate"))
	}
}

// prometheus reads the server's own metrics. Zeros are counters that the server does not have.
func prometheus(s *draft.Draft, successes *scan.Value) {
	s.SetLabel("x_view", []byte("server"), successes.Line)
	takePositive(s, "requests_completed", "", successes.Get("count"))
	takePositive(s, "request_throughput", "req/s", successes.Get("rate"))
	takePositive(s, "input_throughput", "tok/s", successes.Get("prompt_len", "rate"))
	takePositive(s, "output_throughput", "tok/s", successes.Get("output_len", "rate"))
	takePositive(s, "x_mean_input_len", "tok", successes.Get("prompt_len", "mean"))
	takePositive(s, "x_mean_output_len", "tok", successes.Get("output_len", "mean"))
	takePositive(s, "x_queue_len_mean", "1", successes.Get("queue_len", "mean"))
	takePositive(s, "effective_concurrency", "", successes.Get("num_requests_running", "mean"))
	takePositive(s, "x_kv_cache_usage_mean", "1", successes.Get("kv_cache_usage_percentage", "mean"))
	takePositive(s, "x_prefix_cache_hit_mean", "%", successes.Get("prefix_cache_hit_percent", "mean"))
	for _, m := range append(inferencePerfLatencies[:4:4], draft.Member{Key: "request_queue_time", Name: "queue", Unit: "s"}) {
		of := successes.Get(m.Key)
		if mean, ok := of.Get("mean").Float(); ok && mean > 0 {
			s.Statistics(m.Name, m.Unit, of)
		}
	}
}
