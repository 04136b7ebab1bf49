package result

import (
	"maps"
	"slices"
	"strings"
)

// Better tells which direction of a metric is good.
type Better int8

const (
	Neutral Better = iota
	Higher
	Lower
)

// String gives the word of the results document.
func (b Better) String() string {
	return [...]string{"", "higher", "lower"}[b]
}

// Definition is what a metric's name stands for.
type Definition struct {
	Unit   string
	Better Better
}

// metrics lists the names without a statistic. The definitions of the serving
// metrics are those of vLLM's benchmark: TTFT from sending a request to its
// first chunk; TPOT = (E2EL − TTFT)/(output tokens − 1) per request; ITL the
// gaps between chunks, pooled; throughputs over the wall time of the run.
var metrics = map[string]Definition{
	"duration":                          {"s", Neutral},
	"requests_completed":                {"1", Neutral},
	"requests_failed":                   {"1", Lower},
	"input_tokens":                      {"tok", Neutral},
	"output_tokens":                     {"tok", Neutral},
	"request_throughput":                {"req/s", Higher},
	"goodput":                           {"req/s", Higher},
	"output_throughput":                 {"tok/s", Higher},
	"input_throughput":                  {"tok/s", Higher},
	"total_throughput":                  {"tok/s", Higher},
	"peak_output_throughput":            {"tok/s", Higher},
	"peak_concurrency":                  {"1", Neutral},
	"steady_output_throughput":          {"tok/s", Higher}, // between ramp and drain
	"steady_duration":                   {"s", Neutral},
	"effective_concurrency":             {"1", Neutral},
	"prefill_throughput":                {"tok/s", Higher},
	"decode_throughput":                 {"tok/s", Higher},
	"output_throughput_per_user":        {"tok/s", Higher},
	"output_throughput_per_accelerator": {"tok/s", Higher},
	"acceptance_rate":                   {"%", Higher},
	"acceptance_length":                 {"tok", Higher},
	"power_mean":                        {"W", Lower},
	"power_max":                         {"W", Lower},
	"power_idle":                        {"W", Lower},
	"energy":                            {"J", Lower},
	"energy_per_output_token":           {"J/tok", Lower},
	"gpu_utilization":                   {"%", Neutral},
	"memory_used_max":                   {"B", Lower},
	"temperature_max":                   {"°C", Lower},
	"throttled_share":                   {"%", Lower},
	"server_requests":                   {"1", Neutral}, // what the server counted during the run
	"server_requests_stop":              {"1", Neutral},
	"server_requests_length":            {"1", Neutral},
	"server_requests_abort":             {"1", Neutral},
	"server_requests_error":             {"1", Neutral},
	"server_input_tokens":               {"tok", Neutral},
	"server_output_tokens":              {"tok", Neutral},
	"prefix_cache_hit_rate":             {"%", Neutral},
	"preemptions":                       {"1", Lower},
	"interactivity":                     {"tok/s/user", Higher},
	"mbu":                               {"%", Higher},
	"effective_bandwidth":               {"B/s", Higher},
	"prefill_flops":                     {"FLOP/s", Higher},
	"cost_per_million_output_tokens":    {"", Lower},
	"load_time":                         {"s", Lower},
	"startup_time":                      {"s", Lower},
	"quality":                           {"", Higher}, // as the task says; a reader may turn it
	"quality_stderr":                    {"", Neutral},
}

// latencies are the families whose members carry a statistic as suffix. In
// tpot_incl_ttft the wait for the first token is spread over all of them: some
// tools call that time per output token, or inter-token latency.
var latencies = []string{"ttft", "tpot", "itl", "e2el", "queue", "batch_latency", "tpot_incl_ttft"}

// Define gives unit and direction of a metric name, and whether the name is in
// the vocabulary. A standard deviation has no better direction.
func Define(name string) (Definition, bool) {
	if d, ok := metrics[name]; ok {
		return d, true
	}
	if _, stat, ok := Statistic(name); ok {
		if stat == "std" {
			return Definition{"ms", Neutral}, true
		}
		return Definition{"ms", Lower}, true
	}
	return Definition{}, false
}

// Names are the metrics of the vocabulary that are no statistic of a latency, in
// order.
func Names() []string { return slices.Sorted(maps.Keys(metrics)) }

// Families are the latencies, each of which has its statistics.
func Families() []string { return slices.Clone(latencies) }

// Statistics are those a latency may have; a percentile, as p99 or p99_9, stands
// as pN.
func Statistics() []string { return []string{"mean", "p50", "pN", "min", "max", "std"} }

// Statistic splits a latency metric into family and statistic:
// "ttft_p99_9" gives "ttft", "p99_9".
func Statistic(name string) (family, stat string, ok bool) {
	for _, f := range latencies {
		rest, found := strings.CutPrefix(name, f)
		if !found || !strings.HasPrefix(rest, "_") {
			continue
		}
		rest = rest[1:]
		switch rest {
		case "mean", "std", "min", "max":
			return f, rest, true
		}
		if isPercentile(rest) {
			return f, rest, true
		}
	}
	return "", "", false
}

// isPercentile accepts p50, p99 and p99_9.
func isPercentile(s string) bool {
	digits, ok := strings.CutPrefix(s, "p")
	if !ok {
		return false
	}
	whole, frac, hasFrac := strings.Cut(digits, "_")
	return allDigits(whole) && (!hasFrac || allDigits(frac))
}

func allDigits(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}
