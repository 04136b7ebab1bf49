package format

// NVIDIA's genai-perf (2024 and 2025, since replaced by AIPerf) drives Triton's
// perf_analyzer and saves one object of metrics beside its arguments. The
// arguments lie flat in 2024 and in groups since. A server that does not stream
// answers in one piece: the first token is then the last, so that what the file
// calls time to first token is none.
//
// Telemetry is of all GPUs that the server tells of. Up to at least 25.04 only
// the last GPU has other statistics than the average.
//
// Source: genai_perf/export_data/json_exporter.py, telemetry_data_exporter_util.py,
// metrics/telemetry_statistics.py.
func isGenAIPerf(v *value) bool {
	config := v.get("input_config")
	return config != nil && config.kind == '{' && v.get("request_latency", "unit").is() && !isAIPerf(v)
}

func readGenAIPerf(in *input, v *value) {
	s := in.begin("genai-perf", "genai-perf-json", v.line)
	config := v.get("input_config")
	whole := config.get("streaming")
	if whole == nil {
		whole = config.get("endpoint", "streaming")
	}
	streaming := !whole.is() || string(whole.text) != "false"
	for child := range v.children() {
		switch child.key {
		case "time_to_first_token", "time_to_second_token", "inter_token_latency", "output_token_throughput_per_user":
			if !streaming {
				continue
			}
		}
		if child.kind == '{' && child.get("unit").is() {
			s.nvidiaObject(child)
		}
	}
	s.telemetry(genAIPerfGPUs(v.get("telemetry_stats")))
	s.genAIPerfLabels(config)
	s.finish(v)
}

func (s *sheet) genAIPerfLabels(config *value) {
	for _, list := range []*value{config.get("model_names"), config.get("model"), config.get("endpoint", "model_names")} {
		if first := list.at(0); first.string() != "" {
			s.label("model_raw", first.text, first.line)
		}
	}
	s.takeAll(config, []member{
		{"model", "model_raw", ""},
		{"formatted_model_name", "model_raw", ""},
		{"tokenizer", "tokenizer", ""},
		{"tokenizer.name", "tokenizer", ""},
		{"endpoint_type", "x_endpoint_type", ""},
		{"endpoint.type", "x_endpoint_type", ""},
		{"service_kind", "x_service_kind", ""},
		{"endpoint.service_kind", "x_service_kind", ""},
		{"backend", "x_backend", ""},
		{"endpoint.backend", "x_backend", ""},
		{"streaming", "x_streaming", ""},
		{"endpoint.streaming", "x_streaming", ""},
		{"concurrency", "max_concurrency", ""},
		{"perf_analyzer.stimulus.concurrency", "max_concurrency", ""},
		{"request_rate", "request_rate", ""},
		{"perf_analyzer.stimulus.request_rate", "request_rate", ""},
		{"random_seed", "seed", ""},
		{"input.random_seed", "seed", ""},
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
		v := config.get(length.path...)
		if n, ok := v.float(); ok && n > 0 { // -1 leaves the length to the server
			s.setting(length.label, v)
		}
	}
}

// genAIPerfGPUs gives the telemetry: for each quantity its unit, and an object
// for each GPU.
func genAIPerfGPUs(v *value) []gpuFigure {
	var figures []gpuFigure
	for metric := range v.children() {
		for gpu := range metric.children() {
			if gpu.kind == '{' {
				figures = append(figures, gpuObject(metric.key, gpu.key, metric.get("unit").string(), gpu))
			}
		}
	}
	return figures
}

func gpuObject(metric, gpu, unit string, v *value) gpuFigure {
	f := gpuFigure{metric: metric, gpu: gpu, unit: unit, line: v.line, exact: true}
	if avg := v.get("avg"); avg.scalar() {
		f.avg = string(avg.text)
	}
	if largest := v.get("max"); largest.scalar() {
		f.max = string(largest.text)
	}
	return f
}
