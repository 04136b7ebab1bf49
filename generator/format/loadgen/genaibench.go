package loadgen

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
)

// genai-bench (SGLang project) writes a folder for each experiment: a file for each pair of traffic scenario and load,
// and experiment_metadata.json, which describes what was measured.
//
// Times are in seconds unless "_time_unit" is "ms". TPOT is (latency − TTFT) / (tokens − 1) of a request, and the
// inference speed is its inverse. In files with a run_duration (since 2025), throughputs are tokens divided by the
// duration of the run. In older files this holds only for the total: the output throughput excludes the waits for first
// tokens, and the input throughput includes only these waits. Both keep their names, and the duration follows from
// requests_per_minute.
//
// An embedding has no output: the first token is the end of the request, and all other figures are zero.
//
// Source: genai_bench/metrics/, docs/getting-started/metrics-definition.md.
func isGenAIBench(v *scan.Value) bool {
	return v.Get("aggregated_metrics", "stats") != nil
}

func readGenAIBench(in *draft.File, v *scan.Value) {
	s := in.Begin("genai-bench", "genai-bench-json", v.Line)
	m := v.Get("aggregated_metrics")
	unit := "s"
	if u := v.Get("_time_unit"); u.Is() {
		unit = u.Text()
	} else if v.Cut {
		in.NoResult(v.Line, locale.Textf("cut off before the unit of its times"))
		return
	}
	s.TakeAll(m, []draft.Member{
		{Key: "scenario", Name: "x_traffic_scenario"},
		{Key: "iteration_type", Name: "x_iteration_type"},
		{Key: "run_duration", Name: "duration", Unit: "s"}, // in seconds, whatever the unit of the latencies
		{Key: "num_completed_requests", Name: "requests_completed"},
		{Key: "num_error_requests", Name: "requests_failed"},
		{Key: "num_requests", Name: "x_num_requests", Unit: "1"},
		{Key: "requests_per_second", Name: "request_throughput", Unit: "req/s"},
		{Key: "requests_per_minute", Name: "request_throughput", Unit: "req/min"},
		{Key: "mean_total_tokens_throughput_tokens_per_s", Name: "total_throughput", Unit: "tok/s"},
		{Key: "stats.num_input_tokens.sum", Name: "input_tokens", Unit: "tok"},
		{Key: "stats.num_input_tokens.mean", Name: "x_mean_input_len", Unit: "tok"},
	})
	own := ""
	if !m.Has("run_duration") {
		own = "x_mean_"
	}
	s.Take(own+"input_throughput", "tok/s", m.Get("mean_input_throughput_tokens_per_s"))
	s.Statistics("e2el", unit, m.Get("stats", "e2e_latency"))
	if tokens, ok := m.Get("stats", "num_output_tokens", "sum").Float(); ok && tokens > 0 {
		s.TakeAll(m, []draft.Member{
			{Key: "mean_output_throughput_tokens_per_s", Name: own + "output_throughput", Unit: "tok/s"},
			{Key: "stats.num_output_tokens.sum", Name: "output_tokens", Unit: "tok"},
			{Key: "stats.num_output_tokens.mean", Name: "x_mean_output_len", Unit: "tok"},
			{Key: "stats.output_inference_speed.mean", Name: "output_throughput_per_user", Unit: "tok/s"},
		})
		s.Statistics("ttft", unit, m.Get("stats", "ttft"))
		s.Statistics("tpot", unit, m.Get("stats", "tpot"))
		s.DropUnmeasured()
	}
	genAIBenchLoad(s, m)
	done, counted := s.Value("requests_completed")
	if rate := m.Get("requests_per_minute"); counted && rate.Is() {
		if perMinute, ok := rate.Float(); ok && perMinute > 0 {
			s.Derive("duration", 60*done/perMinute, "num_completed_requests / requests_per_minute", rate.Line)
		}
	}
	s.EmitObject(v)
}

// genAIBenchLoad sets the load of the run, and the lengths of a scenario with fixed lengths: D(100,200).
func genAIBenchLoad(s *draft.Draft, m *scan.Value) {
	driven := m.Get("iteration_type").Text()
	for _, load := range []draft.Member{
		{Key: "num_concurrency", Name: "max_concurrency"}, {Key: "batch_size", Name: "batch_size"}, {Key: "request_rate", Name: "request_rate"},
	} {
		if v := m.Get(load.Key); v.Is() && (driven == "" || driven == load.Key) {
			s.Set(load.Name, v)
		}
	}
	scenario := m.Get("scenario")
	lengths, ok := strings.CutPrefix(scenario.Text(), "D(")
	in, out, two := strings.Cut(strings.TrimSuffix(lengths, ")"), ",")
	if ok && two && isCount(in) && isCount(out) {
		s.SetLabel("input_len", []byte(in), scenario.Line)
		s.SetLabel("output_len", []byte(out), scenario.Line)
	}
}

func isCount(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// experiment_metadata.json applies to all runs of its folder.
func isGenAIBenchMetadata(v *scan.Value) bool {
	return v.Get("traffic_scenario") != nil && v.Get("cmd") != nil
}

func readGenAIBenchMetadata(in *draft.File, v *scan.Value) {
	in.Out.CapturedOf = "genai-bench"
	for _, m := range []draft.Member{
		{Key: "model", Name: "model_raw"},
		{Key: "server_engine", Name: "engine"},
		{Key: "server_version", Name: "engine_version"},
		{Key: "server_gpu_type", Name: "gpu"},
		{Key: "server_gpu_count", Name: "accelerators"},
		{Key: "benchmark_version", Name: "tool_version"},
		{Key: "server_model_tokenizer", Name: "tokenizer"},
		{Key: "api_backend", Name: "backend"},
		{Key: "api_model_name", Name: "x_served_model_name"},
		{Key: "task", Name: "x_task"},
		{Key: "dataset_path", Name: "dataset_path"},
		{Key: "max_time_per_run_s", Name: "x_max_time_per_run_s"},
		{Key: "max_requests_per_run", Name: "x_max_requests_per_run"},
		{Key: "warmup_ratio", Name: "x_warmup_ratio"},
		{Key: "cooldown_ratio", Name: "x_cooldown_ratio"},
	} {
		found := v.Get(m.Key)
		if !found.Scalar() {
			continue
		}
		text := string(found.Raw)
		if m.Name == "engine" {
			text = strings.ToLower(text)
		}
		in.Capture("genai-bench-metadata-json", m.Name, text, found.Line)
	}
}
