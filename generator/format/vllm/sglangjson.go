package vllm

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// SGLang's serving benchmark appends an object for each run to a file (--output-file), so one file may hold runs of
// several days and configurations. It has done so since July 2024. Keys were renamed once:
//
//   - July 2024: names without "_ms" whose values are in milliseconds, "total_output", "output_token_throughput",
//     "benchmark_duration".
//   - 0.3 and 0.4: means and medians, no total; since January 2025 all statistics. "concurrency" is measured: the sum
//     of the latencies divided by the duration.
//   - November 2025: "server_info", the arguments of the server. Before that, no key contains the model.
//
// An infinite rate is the bare word Infinity. Failed requests are not counted. The object has the arguments of every
// dataset, so only those of the dataset that was used count. If random_range_ratio is below 1, the lengths of the
// random dataset are upper bounds.
//
// Source: python/sglang/bench_serving.py, python/sglang/bench_offline_throughput.py.
func isSGLangObject(v *scan.Value) bool {
	return v.Get("output_throughput") != nil || isFirstSGLang(v) || v.Cut
}

// isFirstSGLang reports whether an object has the names of July 2024. An object that was cut off may have latencies but
// no throughput, which comes after them.
func isFirstSGLang(v *scan.Value) bool {
	return v.Get("output_token_throughput") != nil || v.Cut && v.Get("mean_e2e_latency") != nil
}

// sglangKeys maps the keys that vLLM does not have or names differently.
var sglangKeys = map[string]string{
	"total_throughput":                "total_throughput",
	"concurrency":                     "effective_concurrency",
	"accept_length":                   "acceptance_length",
	"total_output_tokens_retokenized": "x_total_generated_tokens_retokenized",
	"total_input_text_tokens":         "x_total_input_text_tokens",
	"total_input_vision_tokens":       "x_total_input_vision_tokens",

	"total_input":              "input_tokens",
	"total_output":             "output_tokens",
	"total_output_retokenized": "x_total_generated_tokens_retokenized",
	"output_token_throughput":  "output_throughput",
	"benchmark_duration":       "duration",
}

func readSGLangObject(in *draft.File, v *scan.Value) {
	s := in.Begin("sglang-serving", "sglang-serving-jsonl", v.Line)
	takeServing(s, v, isFirstSGLang(v))
	guessEngine(s, s.Labels.Get("backend"), v.Line)
	s.DropUnmeasured()
	s.EmitObject(v)
}

// sglangKey returns the meaning of a key.
func sglangKey(field string, first bool) draft.Meaning {
	if name, ok := sglangKeys[field]; ok {
		def, known := vocabulary.Define(name)
		if !known {
			return draft.Meaning{Kind: draft.KindMetric, Field: field, Name: name, Unit: "tok"}
		}
		return draft.Meaning{Kind: draft.KindMetric, Field: field, Name: name, Unit: def.Unit, Better: def.Better}
	}
	if first && !strings.HasSuffix(field, "_ms") {
		if m := serveKey(field + "_ms"); m.Kind == draft.KindMetric {
			m.Field = field
			return m
		}
	}
	return serveKey(field)
}

// serverInfo reads what the server reports about itself. A router reports the servers behind it; these may differ in
// size, so their parallelism is not read.
func serverInfo(s *draft.Draft, v *scan.Value) {
	behind := v.Get("prefill").At(0)
	if behind != nil {
		v = behind
	}
	if !v.Has("model_path") {
		return
	}
	s.TakeAll(v, []draft.Member{
		{Key: "model_path", Name: "model_raw"},
		{Key: "tokenizer_path", Name: "tokenizer"},
		{Key: "served_model_name", Name: "x_served_model_name"},
		{Key: "version", Name: "engine_version"},
		{Key: "quantization", Name: "quantization"},
		{Key: "dtype", Name: "dtype"},
		{Key: "kv_cache_dtype", Name: "kv_cache_dtype"},
		{Key: "attention_backend", Name: "attention_backend"},
		{Key: "context_length", Name: "context_size"},
		{Key: "max_running_requests", Name: "max_num_seqs"},
		{Key: "chunked_prefill_size", Name: "chunked_prefill_size"},
		{Key: "mem_fraction_static", Name: "mem_fraction_static"},
		{Key: "speculative_algorithm", Name: "speculative_decoding"},
	})
	s.Imply("engine", "sglang", v.Line)
	if off := v.Get("disable_radix_cache"); off.Is() {
		s.Imply("prefix_caching", map[string]string{"false": "true", "true": "false"}[string(off.Raw)], off.Line)
	}
	if behind == nil {
		s.TakeAll(v, []draft.Member{
			{Key: "tp_size", Name: draft.TensorParallel},
			{Key: "pp_size", Name: draft.PipelineParallel},
			{Key: "dp_size", Name: draft.DataParallel},
			{Key: "ep_size", Name: draft.ExpertParallel},
			{Key: "enable_dp_attention", Name: "dp_attention"},
		})
		s.Parallelism()
	}
}

// SGLang's offline benchmark also appends objects to a file (--result-filename). A figure of -1 was never set.
func isSGLangOffline(v *scan.Value) bool {
	return v.Has("successful_requests", "total_latency") && v.Get("total_output_tokens") != nil
}

func readSGLangOffline(in *draft.File, v *scan.Value) {
	s := in.Begin("sglang-offline-throughput", "sglang-offline-throughput-jsonl", v.Line)
	takeSet(s, v, []draft.Member{
		{Key: "successful_requests", Name: "requests_completed"},
		{Key: "total_latency", Name: "duration", Unit: "s"},
		{Key: "total_input_tokens", Name: "input_tokens", Unit: "tok"},
		{Key: "total_output_tokens", Name: "output_tokens", Unit: "tok"},
		{Key: "request_throughput", Name: "request_throughput", Unit: "req/s"},
		{Key: "input_throughput", Name: "input_throughput", Unit: "tok/s"},
		{Key: "output_throughput", Name: "output_throughput", Unit: "tok/s"},
		{Key: "total_throughput", Name: "total_throughput", Unit: "tok/s"},
		{Key: "last_gen_throughput", Name: "x_last_generation_throughput", Unit: "tok/s"},
		{Key: "backend", Name: "backend"},
	})
	s.Imply("engine", "sglang", v.Line)
	s.EmitObject(v)
}

// takeSet reads the members that were set, which are those that are not negative.
func takeSet(s *draft.Draft, v *scan.Value, members []draft.Member) {
	for _, m := range members {
		if n, ok := v.Get(m.Key).Float(); !ok || n >= 0 {
			s.TakeAll(v, []draft.Member{m})
		}
	}
}
