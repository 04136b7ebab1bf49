package format

import (
	"strings"
)

// vLLM's benchmark of the multimodal processor ("vllm bench mm-processor", since
// 2026) saves the latencies of requests, and the times of the stages that prepare
// images and videos, in milliseconds. Its console shows the same as tables, which
// are not read.
//
// Where the engine tells no times of a request, the tool divides the total by
// the requests and writes that for each: a deviation of zero. That is no latency.
//
// Source: vllm/benchmarks/mm_processor.py.
func readVLLMMultimodal(in *input, v *value) {
	s := in.begin("vllm-mm-processor", "vllm-mm-processor-json", v.line)
	s.takeAll(v, []member{
		{"completed", "requests_completed", ""},
		{"failed", "requests_failed", ""},
		{"timestamp", "date", ""},
		{"config.model", "model_raw", ""},
		{"config.num_prompts", "num_prompts", ""},
		{"config.input_len", "input_len", ""},
		{"config.output_len", "output_len", ""},
		{"encoder_summary.total_encoder_calls", "x_total_encoder_calls", "1"},
	})
	completed, _ := v.get("completed").float()
	if deviation, ok := v.get("std_e2el_ms").float(); ok && (deviation > 0 || completed == 1) {
		s.takeAll(v, []member{
			{"mean_e2el_ms", "e2el_mean", "ms"},
			{"median_e2el_ms", "e2el_p50", "ms"},
			{"std_e2el_ms", "e2el_std", "ms"},
		})
	}
	for stage := range v.get("mm_processor_stats").children() {
		name, unit := snake(stage.key), "1"
		switch {
		case strings.HasSuffix(name, "_time"), strings.HasSuffix(name, "_ms"):
			name, unit = strings.TrimSuffix(name, "_ms"), "ms"
		case !strings.HasPrefix(name, "num_"):
			continue // in what unit?
		}
		for child := range stage.children() {
			if statistic, ok := statisticName(child.key); ok {
				s.take("x_"+name+"_"+statistic, unit, child)
			}
		}
	}
	s.imply("engine", "vllm", v.line)
	s.finish(v)
}
