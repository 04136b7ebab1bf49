package nvidia

import (
	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
)

// NVIDIA's genai-perf (2024 and 2025, since replaced by AIPerf) runs Triton's perf_analyzer and saves one object with
// its metrics and arguments. In 2024 the arguments are flat, later they are in groups. A server that does not stream
// sends the whole answer at once. Then the file's time to first token is the time to the last token, so it is not read.
//
// Telemetry covers all GPUs that the server reports. Up to at least 25.04, only the last GPU has statistics other than
// the average.
//
// Source: genai_perf/export_data/json_exporter.py, telemetry_data_exporter_util.py, metrics/telemetry_statistics.py.
func isGenAIPerf(v *scan.Value) bool {
	config := v.Get("input_config")
	return config != nil && config.Kind == '{' && v.Get("request_latency", "unit").Is() && !isAIPerf(v)
}

func readGenAIPerf(in *draft.File, v *scan.Value) {
	s := in.Begin("genai-perf", "genai-perf-json", v.Line)
	config := v.Get("input_config")
	whole := config.Get("streaming")
	if whole == nil {
		whole = config.Get("endpoint", "streaming")
	}
	streaming := !whole.Is() && !config.Cut || whole.Is() && string(whole.Raw) != "false"
	for child := range v.Children() {
		switch child.Key {
		case "time_to_first_token", "time_to_second_token", "inter_token_latency", "output_token_throughput_per_user":
			if !streaming {
				continue
			}
		}
		if child.Kind == '{' && child.Get("unit").Is() {
			nvidiaObject(s, child)
		}
	}
	gpuTelemetry(s, genAIPerfGPUs(v.Get("telemetry_stats")))
	genAIPerfLabels(s, config)
	s.EmitObject(v)
}

func genAIPerfLabels(s *draft.Draft, config *scan.Value) {
	for _, list := range []*scan.Value{config.Get("model_names"), config.Get("model"), config.Get("endpoint", "model_names")} {
		if first := list.At(0); first.Text() != "" {
			s.SetLabel("model_raw", first.Raw, first.Line)
		}
	}
	s.TakeAll(config, []draft.Member{
		{Key: "model", Name: "model_raw"},
		{Key: "formatted_model_name", Name: "model_raw"},
		{Key: "tokenizer", Name: "tokenizer"},
		{Key: "tokenizer.name", Name: "tokenizer"},
		{Key: "endpoint_type", Name: "endpoint_type"},
		{Key: "endpoint.type", Name: "endpoint_type"},
		{Key: "service_kind", Name: "x_service_kind"},
		{Key: "endpoint.service_kind", Name: "x_service_kind"},
		{Key: "backend", Name: "backend"},
		{Key: "endpoint.backend", Name: "backend"},
		{Key: "streaming", Name: "streaming"},
		{Key: "endpoint.streaming", Name: "streaming"},
		{Key: "concurrency", Name: "max_concurrency"},
		{Key: "perf_analyzer.stimulus.concurrency", Name: "max_concurrency"},
		{Key: "request_rate", Name: "request_rate"},
		{Key: "perf_analyzer.stimulus.request_rate", Name: "request_rate"},
		{Key: "random_seed", Name: "seed"},
		{Key: "input.random_seed", Name: "seed"},
	})
	for _, length := range []struct {
		label string
		path  []string
	}{
		{"num_prompts", []string{"request_count"}},
		{"input_len", []string{"synthetic_input_tokens_mean"}},
		{"input_len", []string{"input", "synthetic_tokens", "mean"}},
		{"output_len", []string{"output_tokens_mean"}},
		{"output_len", []string{"input", "output_tokens", "mean"}},
	} {
		v := config.Get(length.path...)
		if n, ok := v.Float(); ok && n > 0 { // -1 means that the server decides
			s.Set(length.label, v)
		}
	}
}

// genAIPerfGPUs returns the GPU telemetry, which has a unit for each quantity and an object for each GPU.
func genAIPerfGPUs(v *scan.Value) []gpuFigure {
	var figures []gpuFigure
	for metric := range v.Children() {
		for gpu := range metric.Children() {
			if gpu.Kind == '{' {
				figures = append(figures, gpuObject(metric.Key, gpu.Key, metric.Get("unit").Text(), gpu))
			}
		}
	}
	return figures
}

func gpuObject(metric, gpu, unit string, v *scan.Value) gpuFigure {
	f := gpuFigure{metric: metric, gpu: gpu, unit: unit, line: v.Line, exact: true}
	if avg := v.Get("avg"); avg.Scalar() {
		f.avg, f.avgLine = string(avg.Raw), avg.Line
	}
	if largest := v.Get("max"); largest.Scalar() {
		f.max, f.maxLine = string(largest.Raw), largest.Line
	}
	return f
}

// isPerfProfile reports whether an object is profile_export.json, in which perf_analyzer saves the arrival times of all
// chunks of all answers. genai-perf counts the tokens in the texts.
func isPerfProfile(v *scan.Value) bool {
	return v.Get("experiments").At(0).Get("experiment", "mode") != nil
}

// readPerfProfile reads no result: the file has no counts of tokens, and so no figures.
func readPerfProfile(in *draft.File, v *scan.Value) {
	in.NoResult(v.Line, locale.Textf("single answers of perf_analyzer, without tokens; the figures are in profile_export_genai_perf.json"))
}
