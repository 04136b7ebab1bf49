package vocabulary

import (
	"slices"
	"strings"
	"sync"
)

// Meant returns the names of metrics or labels that word most likely means, the likeliest first. Tools and
// people use other names: mean_ttft_ms means ttft_mean, tok/s means output_throughput or total_throughput,
// concurrency means max_concurrency. It returns nothing for unknown words and for names that are already right.
func Meant(word string) []string {
	words := strings.FieldsFunc(strings.ToLower(word), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' || r > 0x7f)
	})
	joined := strings.Join(words, "_")
	if names := called(joined); names != nil {
		return slices.DeleteFunc(names, func(name string) bool { return name == word })
	}
	stat := ""
	words = slices.DeleteFunc(words, func(w string) bool {
		if s := statisticWords(w); s != "" && stat == "" {
			stat = s
			return true
		}
		return unitWords[w]
	})
	joined = strings.Join(words, "_")
	if family := familyWords[joined]; family != "" {
		if stat == "" {
			stat = "mean"
		}
		if name := family + "_" + stat; name != word {
			return []string{name}
		}
		return nil
	}
	return slices.DeleteFunc(called(joined), func(name string) bool { return name == word })
}

// called returns the names that a word means, from the table of other names.
func called(joined string) []string { return slices.Clone(otherNames()[joined]) }

// statisticWords returns the statistic that a word means, such as p99 for 99th, or "" if it means none.
func statisticWords(w string) string {
	switch w {
	case "mean", "avg", "average", "平均":
		return "mean"
	case "median", "中位":
		return "p50"
	case "std", "stddev", "stdev":
		return "std"
	case "min", "minimum":
		return "min"
	case "max", "maximum":
		return "max"
	}
	digits := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(w, "pct"), "p"), "th")
	if digits = strings.ReplaceAll(digits, ".", "_"); digits != "" && isPercentile("p"+digits) && len(w) > 1 {
		return "p" + digits
	}
	return ""
}

// unitWords are removed from a name before it is looked up: the unit of a metric is not part of its name.
var unitWords = map[string]bool{"ms": true, "s": true, "sec": true, "secs": true, "seconds": true, "us": true, "percentile": true, "value": true}

// familyWords maps other names of latencies to their families.
var familyWords = map[string]string{
	"ttft": "ttft", "time_to_first_token": "ttft", "first_token": "ttft", "first_token_latency": "ttft", "prefill_latency": "ttft", "首token延迟": "ttft",
	"tpot": "tpot", "time_per_output_token": "tpot", "per_token_latency": "tpot", "token_latency": "tpot", "ms_per_token": "tpot", "time_per_token": "tpot",
	"itl": "itl", "inter_token_latency": "itl", "intertoken_latency": "itl", "inter_token": "itl", "tbt": "itl", "time_between_tokens": "itl",
	"e2el": "e2el", "e2e": "e2el", "e2e_latency": "e2el", "end_to_end_latency": "e2el", "request_latency": "e2el", "latency": "e2el", "延迟": "e2el",
	"queue": "queue", "queue_time": "queue", "waiting_time": "queue",
}

// otherNames maps other names of metrics and labels to the names that they most likely mean.
var otherNames = sync.OnceValue(func() map[string][]string {
	names := map[string][]string{}
	for name, words := range map[string]string{
		"output_throughput": "throughput tok_s toks_s tps tokens_per_second tokens_per_sec tokens_s token_s t_s token_throughput output_tps output_token_throughput " +
			"output_tokens_per_second output_tokens_s generation_throughput gen_throughput output_token_throughput_tok_s out_tok_s speed tokens_throughput 吞吐量 吞吐",
		"total_throughput":                  "throughput tok_s tps total_token_throughput total_tps total_token_throughput_tok_s total_tokens_per_second token_throughput",
		"input_throughput":                  "input_token_throughput input_tps input_token_throughput_tok_s",
		"decode_throughput":                 "tg tg128 tg64 tg32 tg256 eval decode generation decode_tps decode_speed eval_rate t_s tok_s throughput avg_ts tokens_per_second",
		"prefill_throughput":                "pp pp512 pp128 pp1024 pp2048 prompt_eval prefill prefill_tps prompt_throughput prefill_speed",
		"request_throughput":                "requests_per_second requests_per_sec req_s reqs_s rps qps request_throughput_req_s requests_s requests_per_second_mean",
		"output_throughput_per_user":        "tok_s_user tps_per_user tokens_per_second_per_user",
		"output_throughput_per_accelerator": "tok_s_gpu tps_per_gpu tok_s_accelerator tokens_per_second_per_gpu",
		"total_throughput_per_accelerator":  "total_tok_s_gpu total_tps_per_gpu total_tokens_per_second_per_gpu tput_per_gpu",
		"goodput":                           "request_goodput goodput_req_s request_goodput_req_s",
		"duration":                          "benchmark_duration elapsed elapsed_time total_time benchmark_duration_s time runtime",
		"requests_completed":                "completed successful_requests success completed_requests num_completed",
		"requests_failed":                   "failed failed_requests errors errored",
		"output_tokens":                     "total_output_tokens total_generated_tokens generated_tokens completion_tokens",
		"input_tokens":                      "total_input_tokens prompt_tokens",
		"power_mean":                        "power avg_power mean_power watts power_avg average_power power_w avg_power_w 功耗 功率",
		"power_max":                         "peak_power max_power",
		"energy_per_output_token":           "j_tok j_per_token joules_per_token energy_per_token",
		"gpu_utilization":                   "gpu_util utilization",
		"memory_used_max":                   "memory_used vram vram_used gpu_memory_used peak_memory",
		"mbu":                               "bandwidth_utilization memory_bandwidth_utilization model_bandwidth_utilization",
		"acceptance_rate":                   "accept_rate draft_acceptance_rate",
		"acceptance_length":                 "accept_length accept_len acceptance_len",
		"prefix_cache_hit_rate":             "cache_hit_rate prefix_cache_hits hit_rate",
		"quality":                           "accuracy score acc exact_match",
		"effective_concurrency":             "mean_concurrency concurrency_mean",
		"cost_per_million_output_tokens":    "cost price_per_million cost_per_token",

		"max_concurrency":      "concurrency conc concurrent concurrent_requests max_concurrent_requests num_concurrent concur users parallel num_users max_request_concurrency 并发 并发数",
		"batch_size":           "batch bs",
		"input_len":            "isl input_length prompt_len prompt_length random_input_len input_size",
		"output_len":           "osl output_length max_tokens random_output_len output_size gen_len",
		"context_depth":        "depth n_depth",
		"num_prompts":          "prompts num_requests n_requests n_prompts requests",
		"model":                "model_name model_id name 模型",
		"quantization":         "quant precision quantisation 量化",
		"hardware":             "gpu device machine accelerator gpu_name device_name board",
		"accelerators":         "gpus num_gpus n_gpus gpu_count",
		"parallelism":          "tp tensor_parallel_size tensor_parallel pp_size dp tp_size",
		"engine":               "backend framework server runtime",
		"engine_version":       "version vllm_version",
		"gpu_layers":           "ngl n_gpu_layers",
		"flash_attention":      "fa flash_attn",
		"kv_cache_type_k":      "type_k",
		"kv_cache_type_v":      "type_v",
		"micro_batch_size":     "n_ubatch ubatch ub",
		"logical_batch_size":   "n_batch",
		"threads":              "n_threads",
		"weight_size":          "model_size size weights weights_size file_size",
		"params":               "parameters num_params n_params model_n_params",
		"speculative_decoding": "speculative spec spec_decode spec_decoding",
		"kv_cache_dtype":       "cache_dtype kv_dtype kv_cache",
		"power_mode":           "nvpmodel power_profile mode",
		"memory_bandwidth":     "bandwidth",
		"price_per_hour":       "price",
	} {
		for _, word := range strings.Fields(words) {
			names[word] = append(names[word], name)
		}
	}
	for _, meant := range names {
		slices.SortFunc(meant, func(a, b string) int { return placeOf(a) - placeOf(b) })
	}
	return names
})

// placeOf ranks the names that one word may mean: output throughput before decode throughput, metrics before
// labels.
func placeOf(name string) int {
	if i := slices.Index([]string{"output_throughput", "total_throughput", "decode_throughput"}, name); i >= 0 {
		return i
	}
	if i, ok := rows[name]; ok {
		return 10 + i
	}
	return 10 + len(metrics) + slices.IndexFunc(labels, func(l Label) bool { return l.Name == name })
}
