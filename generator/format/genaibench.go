package format

import (
	"strings"
)

// genai-bench (SGLang project) writes a folder for each experiment: a file for
// each pair of traffic scenario and load, and experiment_metadata.json, which
// says what was measured.
//
// Times are in seconds unless "_time_unit" says "ms". TPOT is (latency − TTFT) /
// (tokens − 1) of a request, its inverse the inference speed. Throughputs are
// tokens over the duration of the run since that is written (run_duration,
// 2025). Before, only the total was: the output throughput left out the waits for
// first tokens, and the input throughput everything else. Those keep their own
// names, and requests_per_minute tells how long it took.
//
// An embedding has no output: its first token is its end, and all else is zero.
//
// Source: genai_bench/metrics/, docs/getting-started/metrics-definition.md.
func isGenAIBench(v *value) bool {
	return v.get("aggregated_metrics", "stats") != nil
}

func readGenAIBench(in *input, v *value) {
	s := in.begin("genai-bench", "genai-bench-json", v.line)
	m := v.get("aggregated_metrics")
	unit := "s"
	if u := v.get("_time_unit"); u.is() {
		unit = u.string()
	}
	s.takeAll(m, []member{
		{"scenario", "x_traffic_scenario", ""},
		{"iteration_type", "x_iteration_type", ""},
		{"run_duration", "duration", "s"}, // whatever the unit of the latencies
		{"num_completed_requests", "requests_completed", ""},
		{"num_error_requests", "requests_failed", ""},
		{"num_requests", "x_num_requests", "1"},
		{"requests_per_second", "request_throughput", "req/s"},
		{"requests_per_minute", "request_throughput", "req/min"},
		{"mean_total_tokens_throughput_tokens_per_s", "total_throughput", "tok/s"},
		{"stats.num_input_tokens.sum", "input_tokens", "tok"},
		{"stats.num_input_tokens.mean", "x_mean_input_len", "tok"},
	})
	own := ""
	if !m.has("run_duration") {
		own = "x_mean_"
	}
	s.take(own+"input_throughput", "tok/s", m.get("mean_input_throughput_tokens_per_s"))
	s.statistics("e2el", unit, m.get("stats", "e2e_latency"))
	if tokens, ok := m.get("stats", "num_output_tokens", "sum").float(); ok && tokens > 0 {
		s.takeAll(m, []member{
			{"mean_output_throughput_tokens_per_s", own + "output_throughput", "tok/s"},
			{"stats.num_output_tokens.sum", "output_tokens", "tok"},
			{"stats.num_output_tokens.mean", "x_mean_output_len", "tok"},
			{"stats.output_inference_speed.mean", "output_throughput_per_user", "tok/s"},
		})
		s.statistics("ttft", unit, m.get("stats", "ttft"))
		s.statistics("tpot", unit, m.get("stats", "tpot"))
		s.dropUnmeasured()
	}
	s.genAIBenchLoad(m)
	done, counted := s.value("requests_completed")
	if rate := m.get("requests_per_minute"); counted && rate.is() {
		if perMinute, ok := rate.float(); ok && perMinute > 0 {
			s.derive("duration", 60*done/perMinute, "num_completed_requests / requests_per_minute", rate.line)
		}
	}
	s.finish(v)
}

// genAIBenchLoad notes what drove the run, and the lengths that a scenario of
// fixed ones asks for: D(100,200).
func (s *sheet) genAIBenchLoad(m *value) {
	driven := m.get("iteration_type").string()
	for _, load := range []member{
		{key: "num_concurrency", name: "max_concurrency"}, {key: "batch_size", name: "batch_size"}, {key: "request_rate", name: "request_rate"},
	} {
		if v := m.get(load.key); v.is() && (driven == "" || driven == load.key) {
			s.setting(load.name, v)
		}
	}
	scenario := m.get("scenario")
	lengths, ok := strings.CutPrefix(scenario.string(), "D(")
	in, out, two := strings.Cut(strings.TrimSuffix(lengths, ")"), ",")
	if ok && two && isCount(in) && isCount(out) {
		s.label("input_len", []byte(in), scenario.line)
		s.label("output_len", []byte(out), scenario.line)
	}
}

func isCount(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// experiment_metadata.json holds for all runs of its folder.
func isGenAIBenchMetadata(v *value) bool {
	return v.get("traffic_scenario") != nil && v.get("cmd") != nil
}

func readGenAIBenchMetadata(in *input, v *value) {
	for _, m := range []member{
		{key: "model", name: "model_raw"},
		{key: "server_engine", name: "engine"},
		{key: "server_version", name: "engine_version"},
		{key: "server_gpu_type", name: "x_gpu"},
		{key: "server_gpu_count", name: "accelerators"},
		{key: "benchmark_version", name: "tool_version"},
		{key: "server_model_tokenizer", name: "tokenizer"},
		{key: "api_backend", name: "x_api_backend"},
		{key: "api_model_name", name: "x_served_model_name"},
		{key: "task", name: "x_task"},
		{key: "dataset_path", name: "x_dataset_path"},
		{key: "max_time_per_run_s", name: "x_max_time_per_run_s"},
		{key: "max_requests_per_run", name: "x_max_requests_per_run"},
		{key: "warmup_ratio", name: "x_warmup_ratio"},
		{key: "cooldown_ratio", name: "x_cooldown_ratio"},
	} {
		found := v.get(m.key)
		if !found.scalar() {
			continue
		}
		text := string(found.text)
		if m.name == "engine" {
			text = strings.ToLower(text)
		}
		in.capture("genai-bench-metadata-json", m.name, text, found.line)
	}
}
