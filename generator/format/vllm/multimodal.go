package vllm

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// vLLM's benchmark of the multimodal processor ("vllm bench mm-processor", since 2026) saves the latencies of requests
// and the times of the stages that prepare images and videos, in milliseconds. Its console output shows the same
// figures as tables, which are not read.
//
// If the engine reports no times for single requests, the tool divides the total time by the number of requests and
// uses the quotient for each request, so the deviation is zero. That quotient is not a latency and is not read.
//
// Source: vllm/benchmarks/mm_processor.py.
func readVLLMMultimodal(in *draft.File, v *scan.Value) {
	s := in.Begin("vllm-mm-processor", "vllm-mm-processor-json", v.Line)
	s.TakeAll(v, []draft.Member{
		{Key: "completed", Name: "requests_completed"},
		{Key: "failed", Name: "requests_failed"},
		{Key: "timestamp", Name: "date"},
		{Key: "config.model", Name: "model_raw"},
		{Key: "config.num_prompts", Name: "num_prompts"},
		{Key: "config.input_len", Name: "input_len"},
		{Key: "config.output_len", Name: "output_len"},
		{Key: "encoder_summary.total_encoder_calls", Name: "x_total_encoder_calls", Unit: "1"},
	})
	completed, _ := v.Get("completed").Float()
	if deviation, ok := v.Get("std_e2el_ms").Float(); ok && (deviation > 0 || completed == 1) {
		s.TakeAll(v, []draft.Member{
			{Key: "mean_e2el_ms", Name: "e2el_mean", Unit: "ms"},
			{Key: "median_e2el_ms", Name: "e2el_p50", Unit: "ms"},
			{Key: "std_e2el_ms", Name: "e2el_std", Unit: "ms"},
		})
	}
	for stage := range v.Get("mm_processor_stats").Children() {
		name, unit := draft.Snake(stage.Key), "1"
		switch {
		case strings.HasSuffix(name, "_time"), strings.HasSuffix(name, "_ms"):
			name, unit = strings.TrimSuffix(name, "_ms"), "ms"
		case !strings.HasPrefix(name, "num_"):
			continue // the unit is unknown
		}
		for child := range stage.Children() {
			if statistic, ok := draft.StatisticName(child.Key); ok {
				s.Take("x_"+name+"_"+statistic, unit, child)
			}
		}
	}
	s.Imply("engine", "vllm", v.Line)
	s.EmitObject(v)
}
