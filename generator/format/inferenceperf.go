package format

// inference-perf (kubernetes-sigs) saves a report of the whole run and of each of
// its stages (summary_ and stage_N_lifecycle_metrics.json), the server's own view
// of them from Prometheus (…_prometheus_metrics.json), and on demand every request
// (inferenceperfrequests.go).
//
// All times are in seconds. Statistics are mean, min, max and percentiles, of which
// the 50th is called median; there are none (null) when nothing was measured.
//
//   - time_per_output_token is (last − first token)/(N − 1) of each request;
//     inter_token_latency is all gaps. Tokens that arrive in one chunk have a gap of
//     zero or microseconds, so its median may say little; its mean is sound.
//   - normalized_time_per_output_token is the request's latency over its tokens, so
//     the wait for the first is in it; that of a request without a token is 0.
//   - Rates are over the time from the first start to the last end.
//   - In a report from Prometheus a counter that the server does not have is 0. Its
//     percentiles are interpolated between the buckets of a histogram.
//
// Since 2026 there is benchmark_time_seconds, and prompt_tokens and output_tokens
// beside output_len: the first as the client counts, the second as the server does.
//
// Source: inference_perf/reportgen/base.py.
func isInferencePerf(v *value) bool {
	s := v.get("successes")
	return s.get("latency") != nil || v.get("load_summary") != nil && s.get("time_to_first_token") != nil
}

// inferencePerfLatencies are the families of its latencies.
var inferencePerfLatencies = []member{
	{"request_latency", "e2el", "s"},
	{"time_to_first_token", "ttft", "s"},
	{"time_per_output_token", "tpot", "s"},
	{"inter_token_latency", "itl", "s"},
	{"normalized_time_per_output_token", "tpot_incl_ttft", "s"},
}

func readInferencePerf(in *input, v *value) {
	s := in.begin("inference-perf", "inference-perf-json", v.line)
	successes := v.get("successes")
	if successes.get("latency") == nil {
		s.prometheus(successes)
		s.finish(v)
		return
	}
	s.take("requests_completed", "", successes.get("count"))
	s.take("requests_failed", "", v.get("failures", "count"))
	s.takeAll(successes.get("throughput"), []member{
		{"input_tokens_per_sec", "input_throughput", "tok/s"},
		{"output_tokens_per_sec", "output_throughput", "tok/s"},
		{"total_tokens_per_sec", "total_throughput", "tok/s"},
		{"requests_per_sec", "request_throughput", "req/s"},
	})
	for _, m := range inferencePerfLatencies {
		s.measured(m.name, m.unit, successes.get("latency", m.key))
	}
	s.takePositive("duration", "s", v.get("benchmark_time_seconds"))
	s.totalsFromRates(successes.get("throughput"))
	s.take("x_mean_input_len", "tok", firstOf(successes.get("prompt_len", "mean"), successes.get("prompt_tokens", "mean")))
	s.take("x_mean_output_len", "tok", firstOf(successes.get("output_len", "mean"), successes.get("output_tokens", "mean")))
	s.takePositive("x_prompt_tokens_cached", "tok", successes.get("prompt_tokens", "cached"))
	s.takePositive("x_token_count_mismatches", "1", successes.get("token_count_mismatches"))
	s.takeAll(successes.get("goodput_metrics"), []member{
		{"request_goodput", "goodput", "req/s"},
		{"goodput_percentage", "x_goodput_percentage", "%"},
		{"token_goodput", "x_token_goodput", "tok/s"},
	})
	s.inferencePerfLoad(v.get("load_summary"))
	s.finish(v)
}

// inferencePerfLoad notes how requests were sent. The summary of a run with
// several stages does not tell.
func (s *sheet) inferencePerfLoad(load *value) {
	s.take("x_requests_sent", "1", load.get("count"))
	s.take("x_achieved_rate", "req/s", load.get("achieved_rate"))
	s.take("x_send_duration", "s", load.get("send_duration"))
	s.take("x_schedule_delay_mean", "s", load.get("schedule_delay", "mean"))
	s.take("x_schedule_delay_max", "s", load.get("schedule_delay", "max"))
	if streams := load.get("concurrency"); streams.is() {
		s.setting("max_concurrency", streams) // the rate beside it paces nothing
	} else {
		s.setting("request_rate", load.get("requested_rate"))
	}
}

// prometheus notes what the server tells of itself. Zeros are counters that it
// does not have.
func (s *sheet) prometheus(successes *value) {
	s.label("x_view", []byte("server"), successes.line)
	s.takePositive("requests_completed", "", successes.get("count"))
	s.takePositive("request_throughput", "req/s", successes.get("rate"))
	s.takePositive("input_throughput", "tok/s", successes.get("prompt_len", "rate"))
	s.takePositive("output_throughput", "tok/s", successes.get("output_len", "rate"))
	s.takePositive("x_mean_input_len", "tok", successes.get("prompt_len", "mean"))
	s.takePositive("x_mean_output_len", "tok", successes.get("output_len", "mean"))
	s.takePositive("x_queue_len_mean", "1", successes.get("queue_len", "mean"))
	s.takePositive("effective_concurrency", "", successes.get("num_requests_running", "mean"))
	s.takePositive("x_kv_cache_usage_mean", "1", successes.get("kv_cache_usage_percentage", "mean"))
	s.takePositive("x_prefix_cache_hit_mean", "%", successes.get("prefix_cache_hit_percent", "mean"))
	for _, m := range append(inferencePerfLatencies[:4:4], member{"request_queue_time", "queue", "s"}) {
		of := successes.get(m.key)
		if mean, ok := of.get("mean").float(); ok && mean > 0 {
			s.statistics(m.name, m.unit, of)
		}
	}
}
