package format

import (
	"strconv"
	"strings"
)

// InferenceX (InferenceMAX until 2026, SemiAnalysis) makes one object of what its
// client, a fork of vLLM's, saved: agg_*.json.
//
// Latencies are in seconds, for "_ms" was cut off and the figures divided. *_intvty is
// 1000 / TPOT in ms, so that its percentiles are those of the slow end and its standard
// deviation means nothing; the latter is left out. Rates are per GPU:
//
//   - On one node by tp, and pp × pcp_size since these are told. Data-parallel
//     attention and experts share the GPUs.
//   - On several, output by the GPUs that decode, input by those that prefill, and
//     the total by both. Where none decode apart, all do both.
//
// The rate of the system is computed from that where all the numbers are there.
// Lengths are what was asked for. The first version has no infmax_model_prefix.
//
// Power was measured where power_valid is 1: avg_power_w is that of one GPU.
//
// Source: utils/process_result.py, utils/aggregate_power.py.
func isInferenceX(v *value) bool {
	return v.get("output_tput_per_gpu") != nil && v.get("hw") != nil && v.get("conc") != nil
}

// inferenceXLabels are the settings of both schemas.
var inferenceXLabels = []member{
	{"model", "model_raw", ""},
	{"framework", "engine", ""},
	{"conc", "max_concurrency", ""},
	{"isl", "input_len", ""},
	{"osl", "output_len", ""},
	{"hw", "x_gpu", ""},
	{"infmax_model_prefix", "x_model_prefix", ""},
}

func readInferenceX(in *input, v *value) {
	s := in.begin("inferencex", "inferencex-json", v.line)
	s.inferenceXSettings(v)
	replay := v.get("scenario_type") != nil // of agents' traces, flat
	for child := range v.children() {
		statistic, family, ok := strings.Cut(child.key, "_")
		name, known := latencyName(statistic, family)
		switch {
		case ok && family == "intvty":
			child.used = true
			if statistic == "mean" {
				s.take("interactivity", "tok/s/user", child)
			} else if suffix, ok := statisticName(statistic); ok && suffix != "std" {
				s.take("x_interactivity_"+suffix, "tok/s/user", child)
			}
		case ok && family == "itl" && replay:
			child.used = true // the same as tpot
		case ok && known:
			child.used = true
			if n, ok := child.float(); ok && n > 0 || statistic == "std" {
				s.take(name, "s", child)
			}
		}
	}
	s.takeAll(v, []member{
		{"num_requests_successful", "requests_completed", ""},
		{"duration_seconds", "duration", "s"},
		{"input_tput_tps", "input_throughput", "tok/s"},
		{"output_tput_tps", "output_throughput", "tok/s"},
		{"total_tput_tps", "total_throughput", "tok/s"},
		{"mean_input_tokens", "x_mean_input_len", "tok"},
		{"mean_output_tokens_actual", "x_mean_output_len", "tok"},
	})
	s.inferenceXRates(v)
	s.inferenceXPower(v)
	s.rest(v, 0)
	s.finish(v)
}

// inferenceXPower notes the power that was measured, unless the tool says that it is
// not to be trusted.
func (s *sheet) inferenceXPower(v *value) {
	valid, told := v.get("power_valid").float()
	for _, m := range []member{
		{"avg_total_gpu_power_w", "power_mean", "W"},
		{"total_gpu_energy_j", "energy", "J"},
		{"avg_power_w", "x_avg_power_per_gpu", "W"},
		{"joules_per_output_token", "energy_per_output_token", "J/tok"},
	} {
		of := v.get(m.key)
		if of == nil {
			continue
		}
		if of.used = true; !told || valid == 1 {
			s.takePositive(m.name, m.unit, of)
		}
	}
	if _, measured := s.value("power_mean"); measured {
		s.imply("power_scope", "gpu", v.line)
	}
}

// inferenceXRates notes the rates per GPU and derives those of the system.
func (s *sheet) inferenceXRates(v *value) {
	output, total := v.get("output_tput_per_gpu"), v.get("tput_per_gpu")
	s.take("x_tput_per_gpu", "tok/s/GPU", total)
	s.take("x_input_tput_per_gpu", "tok/s/GPU", v.get("input_tput_per_gpu"))
	gpus, decoding, known := inferenceXGPUs(v)
	perGPU, ok := output.float()
	if _, system := s.value("output_throughput"); system || !known || !ok || perGPU <= 0 {
		s.take("x_output_tput_per_gpu", "tok/s/GPU", output)
		return
	}
	if decoding == gpus {
		s.take("output_throughput_per_accelerator", "tok/s", output)
	} else {
		s.take("x_output_tput_per_decode_gpu", "tok/s/GPU", output)
		s.derive("output_throughput_per_accelerator", perGPU*float64(decoding)/float64(gpus),
			"output_tput_per_gpu × num_decode_gpu / all GPUs", output.line)
	}
	s.derive("output_throughput", perGPU*float64(decoding), "output_tput_per_gpu × "+strconv.Itoa(decoding)+" GPUs", output.line)
	if n, ok := total.float(); ok && n > 0 {
		s.derive("total_throughput", n*float64(gpus), "tput_per_gpu × "+strconv.Itoa(gpus)+" GPUs", total.line)
	}
}

// inferenceXGPUs gives the number of GPUs, and of those by which the output was
// divided.
func inferenceXGPUs(v *value) (gpus, decoding int, ok bool) {
	if multinode := v.get("is_multinode"); multinode.written() == "true" || v.get("num_prefill_gpu") != nil {
		prefill, hasPrefill := v.get("num_prefill_gpu").float()
		decode, hasDecode := v.get("num_decode_gpu").float()
		if !hasPrefill || !hasDecode || prefill < 1 || decode < 0 || prefill+decode > 1<<20 {
			return 0, 0, false
		}
		gpus = int(prefill + decode)
		if decode == 0 {
			return gpus, gpus, true
		}
		return gpus, int(decode), true
	}
	gpus = 1
	for _, key := range []string{"tp", "pp", "pcp_size"} {
		n, told := v.get(key).float()
		if key == "tp" && !told || told && (n < 1 || n > 1<<10) {
			return 0, 0, false
		}
		if told {
			gpus *= int(n)
		}
	}
	return gpus, gpus, true
}

// inferenceXSettings notes what was run, and how the model was spread.
func (s *sheet) inferenceXSettings(v *value) {
	s.takeAll(v, inferenceXLabels)
	if precision := v.get("precision"); precision.string() != "" {
		precision.used = true
		s.label("quantization", []byte(strings.ToUpper(precision.string())), precision.line)
	}
	if gpus, _, ok := inferenceXGPUs(v); ok {
		s.imply("accelerators", strconv.Itoa(gpus), v.line)
	}
	var parts []string
	for _, key := range []string{"tp", "pp", "ep"} {
		if n, ok := v.get(key).float(); ok && (n > 1 || key == "tp") && n < 1<<20 {
			parts = append(parts, key+strconv.Itoa(int(n)))
		}
	}
	if len(parts) > 0 && v.get("is_multinode").written() != "true" {
		s.label("parallelism", []byte(strings.Join(parts, " ")), v.line)
	}
	// A release of the engine has its version in the tag of the image.
	framework := v.get("framework").string()
	if repository, tag, ok := strings.Cut(v.get("image").string(), ":v"); ok && framework != "" &&
		strings.Contains(repository, framework) && tag != "" && isDigit(tag[0]) {
		s.guess("engine_version", tag, v.get("image").line)
	}
	for _, key := range inferenceXSizes {
		s.setting("x_"+key, v.get(key))
	}
}

// inferenceXSizes are numbers that are settings and no figures.
var inferenceXSizes = []string{"tp", "pp", "ep", "dcp_size", "pcp_size",
	"prefill_tp", "prefill_pp", "prefill_ep", "prefill_dcp_size", "prefill_pcp_size", "prefill_num_workers", "num_prefill_gpu",
	"decode_tp", "decode_pp", "decode_ep", "decode_dcp_size", "decode_pcp_size", "decode_num_workers", "num_decode_gpu"}

// isInferenceXAgentic tells the schema for replays of agents' traces. What the
// client, AIPerf, calls inter-token latency is the time per output token of each
// request, and stands there under both names. Its rates are those of the system.
//
// Source: utils/agentic/aggregation.
func isInferenceXAgentic(v *value) bool {
	return v.get("hw") != nil && v.get("conc") != nil && v.get("request_metrics", "latency") != nil
}

func readInferenceXAgentic(in *input, v *value) {
	s := in.begin("inferencex", "inferencex-json", v.line)
	s.inferenceXSettings(v)
	s.take("requests_completed", "", v.get("num_requests_successful"))
	accounting := v.get("request_accounting")
	s.take("requests_failed", "", accounting.get("records_error_dropped"))
	s.takePositive("x_records_warmup_dropped", "1", accounting.get("records_warmup_dropped"))
	metrics := v.get("request_metrics")
	for _, family := range []string{"ttft", "e2el", "tpot"} {
		s.statistics(family, "s", metrics.get("latency", family))
	}
	s.take("interactivity", "tok/s/user", metrics.get("latency", "intvty", "mean"))
	rates := metrics.get("throughput")
	s.take("duration", "s", rates.get("duration_seconds"))
	s.take("input_throughput", "tok/s", rates.get("input", "tokens_per_second"))
	s.take("output_throughput", "tok/s", rates.get("output", "tokens_per_second"))
	s.take("total_throughput", "tok/s", rates.get("total", "tokens_per_second"))
	s.take("output_throughput_per_accelerator", "tok/s", rates.get("per_gpu", "output_tput_tps"))
	s.take("x_mean_input_len", "tok", metrics.get("tokens", "input", "mean"))
	s.take("x_mean_output_len", "tok", metrics.get("tokens", "output_actual", "mean"))
	s.take("x_qps_mean", "req/s", metrics.get("qps", "mean"))
	cache := v.get("server_metrics", "cache")
	s.take("x_gpu_cache_hit_rate", "1", cache.get("gpu_cache_hit_rate"))
	s.take("x_theoretical_cache_hit_rate", "1", metrics.get("cache", "theoretical_cache_hit_rate"))
	s.setting("dataset", firstOf(v.get("dataset", "name"), v.get("dataset")))
	s.rest(v, 0)
	s.finish(v)
}
