package loadgen

import (
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// InferenceX (InferenceMAX until 2026, SemiAnalysis) converts what its client, a fork of vLLM's, saved to one object:
// agg_*.json.
//
// Latencies are in seconds: "_ms" was removed from the names and the figures were divided. *_intvty is 1000 / TPOT in
// ms, so its percentiles are those of the slow end. Its standard deviation is meaningless and not read. Rates are per
// GPU:
//
//   - On one node, the rates are divided by tp, and by pp × pcp_size since these are reported. Data-parallel attention
//     and experts share the GPUs.
//   - On several nodes, the output is divided by the GPUs that decode, the input by those that prefill, and the total
//     by both. If no GPUs are reserved for decode, all GPUs do both.
//
// The system's rate is computed from these rates if all the numbers are present. Lengths are the requested ones. The
// first version has no infmax_model_prefix.
//
// Power is valid only if power_valid is 1. avg_power_w is the power of one GPU.
//
// Source: utils/process_result.py, utils/aggregate_power.py.
func isInferenceX(v *scan.Value) bool {
	return v.Get("output_tput_per_gpu") != nil && v.Get("hw") != nil && v.Get("conc") != nil
}

// inferenceXLabels lists the settings of both schemas.
var inferenceXLabels = []draft.Member{
	{Key: "model", Name: "model_raw"},
	{Key: "framework", Name: "engine"},
	{Key: "conc", Name: "max_concurrency"},
	{Key: "isl", Name: "input_len"},
	{Key: "osl", Name: "output_len"},
	{Key: "hw", Name: "gpu"},
	{Key: "infmax_model_prefix", Name: "x_model_prefix"},
}

func readInferenceX(in *draft.File, v *scan.Value) {
	s := in.Begin("inferencex", "inferencex-json", v.Line)
	inferenceXSettings(s, v)
	replay := v.Get("scenario_type") != nil // a replay of agents' traces, in the flat schema
	for child := range v.Children() {
		statistic, family, ok := strings.Cut(child.Key, "_")
		name, known := draft.LatencyName(statistic, family)
		switch {
		case ok && family == "intvty":
			child.Used = true
			if statistic == "mean" {
				s.Take("interactivity", "tok/s/user", child)
			} else if suffix, ok := draft.StatisticName(statistic); ok && suffix != "std" {
				s.Take("x_interactivity_"+suffix, "tok/s/user", child)
			}
		case ok && family == "itl" && replay:
			child.Used = true // the same as tpot
		case ok && known:
			child.Used = true
			if n, ok := child.Float(); ok && n > 0 || statistic == "std" {
				s.Take(name, "s", child)
			}
		}
	}
	s.TakeAll(v, []draft.Member{
		{Key: "num_requests_successful", Name: "requests_completed"},
		{Key: "duration_seconds", Name: "duration", Unit: "s"},
		{Key: "input_tput_tps", Name: "input_throughput", Unit: "tok/s"},
		{Key: "output_tput_tps", Name: "output_throughput", Unit: "tok/s"},
		{Key: "total_tput_tps", Name: "total_throughput", Unit: "tok/s"},
		{Key: "mean_input_tokens", Name: "x_mean_input_len", Unit: "tok"},
		{Key: "mean_output_tokens_actual", Name: "x_mean_output_len", Unit: "tok"},
	})
	inferenceXRates(s, v)
	inferenceXPower(s, v)
	s.Rest(v, 0)
	s.EmitObject(v)
}

// inferenceXPower reads the measured power, unless the tool reports it as invalid.
func inferenceXPower(s *draft.Draft, v *scan.Value) {
	valid, reported := v.Get("power_valid").Float()
	for _, m := range []draft.Member{
		{Key: "avg_total_gpu_power_w", Name: "power_mean", Unit: "W"},
		{Key: "total_gpu_energy_j", Name: "energy", Unit: "J"},
		{Key: "avg_power_w", Name: "x_avg_power_per_gpu", Unit: "W"},
		{Key: "joules_per_output_token", Name: "energy_per_output_token", Unit: "J/tok"},
	} {
		of := v.Get(m.Key)
		if of == nil {
			continue
		}
		if of.Used = true; !reported || valid == 1 {
			takePositive(s, m.Name, m.Unit, of)
		}
	}
	if _, measured := s.Value("power_mean"); measured {
		s.Imply("power_scope", "gpu", v.Line)
	}
}

// inferenceXRates reads the rates per GPU and derives the system's rates.
func inferenceXRates(s *draft.Draft, v *scan.Value) {
	output, total := v.Get("output_tput_per_gpu"), v.Get("tput_per_gpu")
	s.Take("x_tput_per_gpu", "tok/s/GPU", total)
	s.Take("x_input_tput_per_gpu", "tok/s/GPU", v.Get("input_tput_per_gpu"))
	gpus, decoding, known := inferenceXGPUs(v)
	perGPU, ok := output.Float()
	if _, system := s.Value("output_throughput"); system || !known || !ok || perGPU <= 0 {
		s.Take("x_output_tput_per_gpu", "tok/s/GPU", output)
		return
	}
	if decoding == gpus {
		s.Take("output_throughput_per_accelerator", "tok/s", output)
	} else {
		s.Take("x_output_tput_per_decode_gpu", "tok/s/GPU", output)
		s.Derive("output_throughput_per_accelerator", perGPU*float64(decoding)/float64(gpus),
			"output_tput_per_gpu × num_decode_gpu / all GPUs", output.Line)
	}
	s.Derive("output_throughput", perGPU*float64(decoding), "output_tput_per_gpu × "+strconv.Itoa(decoding)+" GPUs", output.Line)
	if n, ok := total.Float(); ok && n > 0 {
		s.Derive("total_throughput", n*float64(gpus), "tput_per_gpu × "+strconv.Itoa(gpus)+" GPUs", total.Line)
	}
}

// inferenceXGPUs returns the number of GPUs, and the number by which the output was divided.
func inferenceXGPUs(v *scan.Value) (gpus, decoding int, ok bool) {
	if multinode := v.Get("is_multinode"); multinode.AsWritten() == "true" || v.Get("num_prefill_gpu") != nil {
		prefill, hasPrefill := v.Get("num_prefill_gpu").Float()
		decode, hasDecode := v.Get("num_decode_gpu").Float()
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
		n, reported := v.Get(key).Float()
		if key == "tp" && !reported || reported && (n < 1 || n > 1<<10) {
			return 0, 0, false
		}
		if reported {
			gpus *= int(n)
		}
	}
	return gpus, gpus, true
}

// inferenceXSettings reads the settings and the parallelism.
func inferenceXSettings(s *draft.Draft, v *scan.Value) {
	s.TakeAll(v, inferenceXLabels)
	if precision := v.Get("precision"); precision.Text() != "" {
		precision.Used = true
		s.SetLabel("quantization", []byte(strings.ToUpper(precision.Text())), precision.Line)
	}
	if gpus, _, ok := inferenceXGPUs(v); ok {
		s.Imply("accelerators", strconv.Itoa(gpus), v.Line)
	}
	var parts []string
	for _, key := range []string{"tp", "pp", "pcp_size", "ep"} {
		if n, ok := v.Get(key).Float(); ok && (n > 1 || key == "tp") && n < 1<<20 {
			parts = append(parts, strings.TrimSuffix(key, "_size")+strconv.Itoa(int(n)))
		}
	}
	if len(parts) > 0 && v.Get("is_multinode").AsWritten() != "true" {
		s.SetLabel("parallelism", []byte(strings.Join(parts, " ")), v.Line)
	}
	// The image of a release has the engine's version in its tag.
	framework := v.Get("framework").Text()
	if repository, tag, ok := strings.Cut(v.Get("image").Text(), ":v"); ok && framework != "" &&
		strings.Contains(repository, framework) && tag != "" && scan.IsDigit(tag[0]) {
		s.Guess("engine_version", tag, v.Get("image").Line)
	}
	for _, key := range inferenceXSizes {
		s.Set("x_"+key, v.Get(key))
	}
}

// inferenceXSizes lists numbers that are settings.
var inferenceXSizes = []string{"tp", "pp", "ep", "dcp_size", "pcp_size",
	"prefill_tp", "prefill_pp", "prefill_ep", "prefill_dcp_size", "prefill_pcp_size", "prefill_num_workers", "num_prefill_gpu",
	"decode_tp", "decode_pp", "decode_ep", "decode_dcp_size", "decode_pcp_size", "decode_num_workers", "num_decode_gpu"}

// isInferenceXAgentic reports whether an object has the schema for replays of agents' traces. The inter-token latency
// of the client, AIPerf, is the time per output token of each request, and is saved under both names. Rates are those
// of the system.
//
// Source: utils/agentic/aggregation.
func isInferenceXAgentic(v *scan.Value) bool {
	return v.Get("hw") != nil && v.Get("conc") != nil && v.Get("request_metrics", "latency") != nil
}

func readInferenceXAgentic(in *draft.File, v *scan.Value) {
	s := in.Begin("inferencex", "inferencex-json", v.Line)
	inferenceXSettings(s, v)
	s.Take("requests_completed", "", v.Get("num_requests_successful"))
	accounting := v.Get("request_accounting")
	s.Take("requests_failed", "", accounting.Get("records_error_dropped"))
	takePositive(s, "x_records_warmup_dropped", "1", accounting.Get("records_warmup_dropped"))
	metrics := v.Get("request_metrics")
	for _, family := range []string{"ttft", "e2el", "tpot"} {
		s.Statistics(family, "s", metrics.Get("latency", family))
	}
	s.Take("interactivity", "tok/s/user", metrics.Get("latency", "intvty", "mean"))
	rates := metrics.Get("throughput")
	s.Take("duration", "s", rates.Get("duration_seconds"))
	s.Take("input_throughput", "tok/s", rates.Get("input", "tokens_per_second"))
	s.Take("output_throughput", "tok/s", rates.Get("output", "tokens_per_second"))
	s.Take("total_throughput", "tok/s", rates.Get("total", "tokens_per_second"))
	s.Take("output_throughput_per_accelerator", "tok/s", rates.Get("per_gpu", "output_tput_tps"))
	s.Take("x_mean_input_len", "tok", metrics.Get("tokens", "input", "mean"))
	s.Take("x_mean_output_len", "tok", metrics.Get("tokens", "output_actual", "mean"))
	s.Take("x_qps_mean", "req/s", metrics.Get("qps", "mean"))
	cache := v.Get("server_metrics", "cache")
	s.Take("x_gpu_cache_hit_rate", "1", cache.Get("gpu_cache_hit_rate"))
	s.Take("x_theoretical_cache_hit_rate", "1", metrics.Get("cache", "theoretical_cache_hit_rate"))
	s.Set("dataset", firstOf(v.Get("dataset", "name"), v.Get("dataset")))
	s.Rest(v, 0)
	s.EmitObject(v)
}
