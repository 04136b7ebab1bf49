package format

import (
	"strings"

	"github.com/benchpost/benchpost/generator/vocabulary"
)

// SGLang's serving benchmark appends an object for each run to a file
// (--output-file), so that one file may hold several days and configurations.
// Since July 2024; keys were renamed once:
//
//   - July 2024: names without "_ms" that are milliseconds, "total_output",
//     "output_token_throughput", "benchmark_duration".
//   - 0.3 and 0.4: means and medians, no total; since January 2025 all statistics;
//     "concurrency" is measured: the sum of the latencies over the duration.
//   - November 2025: "server_info", the arguments of the server. Before that
//     nothing names the model.
//
// An infinite rate is the bare word Infinity. Failed requests are not counted.
// The arguments of every dataset are written whatever the dataset, so only those
// of the one that was used count. With random_range_ratio below 1 the lengths of
// the random dataset are upper bounds.
//
// Source: python/sglang/bench_serving.py, python/sglang/bench_offline_throughput.py.
func isSGLangObject(v *value) bool {
	return v.get("output_throughput") != nil || isFirstSGLang(v) || v.cut
}

// isFirstSGLang tells the names of July 2024.
func isFirstSGLang(v *value) bool { return v.get("output_token_throughput") != nil }

// sglangKeys are the keys that vLLM has not, or calls otherwise.
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

func readSGLangObject(in *input, v *value) {
	s := in.begin("sglang-serving", "sglang-serving-jsonl", v.line)
	var asked settings
	first := isFirstSGLang(v)
	for child := range v.children() {
		if !child.scalar() || len(child.text) == 0 || len(child.text) > maxLabel {
			continue
		}
		s.fact([]byte(child.key), child.text)
		if _, ok := arguments[child.key]; ok {
			asked.set(in, []byte(child.key), child.text, child.line)
			continue
		}
		m := sglangKey(child.key, first)
		s.member(&m, child)
	}
	s.serverInfo(v.get("server_info"))
	asked.labels(s)
	s.guessEngine(s.labels.Get("x_backend"), v.line)
	s.dropUnmeasured()
	s.finish(v)
}

// sglangKey finds the meaning of a key.
func sglangKey(field string, first bool) meaning {
	if name, ok := sglangKeys[field]; ok {
		def, known := vocabulary.Define(name)
		if !known {
			return meaning{kind: isMetric, field: field, name: name, unit: "tok"}
		}
		return meaning{kind: isMetric, field: field, name: name, unit: def.Unit, better: def.Better}
	}
	if first && !strings.HasSuffix(field, "_ms") {
		if m := serveKey(field + "_ms"); m.kind == isMetric {
			m.field = field
			return m
		}
	}
	return serveKey(field)
}

// serverInfo notes what the server says of itself. A router tells of the servers
// behind it, which may be of several sizes.
func (s *sheet) serverInfo(v *value) {
	behind := v.get("prefill").at(0)
	if behind != nil {
		v = behind
	}
	if !v.has("model_path") {
		return
	}
	s.takeAll(v, []member{
		{"model_path", "model_raw", ""},
		{"tokenizer_path", "tokenizer", ""},
		{"served_model_name", "x_served_model_name", ""},
		{"version", "engine_version", ""},
		{"quantization", "quantization", ""},
		{"dtype", "x_dtype", ""},
		{"kv_cache_dtype", "x_kv_cache_dtype", ""},
		{"attention_backend", "x_attention_backend", ""},
		{"context_length", "x_context_length", ""},
		{"max_running_requests", "x_max_running_requests", ""},
		{"chunked_prefill_size", "x_chunked_prefill_size", ""},
		{"mem_fraction_static", "x_mem_fraction_static", ""},
		{"speculative_algorithm", "speculative_decoding", ""},
	})
	s.imply("engine", "sglang", v.line)
	if off := v.get("disable_radix_cache"); off.is() {
		s.imply("prefix_caching", map[string]string{"false": "true", "true": "false"}[string(off.text)], off.line)
	}
	if behind == nil {
		s.takeAll(v, []member{
			{"tp_size", tensorParallel, ""},
			{"pp_size", pipelineParallel, ""},
			{"dp_size", dataParallel, ""},
			{"ep_size", expertParallel, ""},
		})
		s.parallelism()
	}
}

// SGLang's offline benchmark appends objects too (--result-filename). A figure of
// -1 was never set.
func isSGLangOffline(v *value) bool {
	return v.has("successful_requests", "total_latency") && v.get("total_output_tokens") != nil
}

func readSGLangOffline(in *input, v *value) {
	s := in.begin("sglang-offline-throughput", "sglang-offline-throughput-jsonl", v.line)
	s.takeSet(v, []member{
		{"successful_requests", "requests_completed", ""},
		{"total_latency", "duration", "s"},
		{"total_input_tokens", "input_tokens", "tok"},
		{"total_output_tokens", "output_tokens", "tok"},
		{"request_throughput", "request_throughput", "req/s"},
		{"input_throughput", "input_throughput", "tok/s"},
		{"output_throughput", "output_throughput", "tok/s"},
		{"total_throughput", "total_throughput", "tok/s"},
		{"last_gen_throughput", "x_last_generation_throughput", "tok/s"},
		{"backend", "x_backend", ""},
	})
	s.imply("engine", "sglang", v.line)
	s.finish(v)
}

// takeSet notes the members that were set: those that are not -1.
func (s *sheet) takeSet(v *value, members []member) {
	for _, m := range members {
		if n, ok := v.get(m.key).float(); !ok || n >= 0 {
			s.takeAll(v, []member{m})
		}
	}
}
