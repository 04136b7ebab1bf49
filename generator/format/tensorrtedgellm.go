package format

import (
	"strings"
)

// TensorRT Edge-LLM's llm_inference prints and saves a profile. Its times are
// those of the GPU, of a stage for a whole batch, whose size it does not tell:
// neither the time of a run nor that of a token is what a client sees, so that
// they keep the tool's names. The tokens generated do not count the first, which
// is sampled after the prefill. Each profile is of several runs.
//
// With speculation the acceptance "rate" is tokens per iteration, which is the
// acceptance length here. Memory is unified on Jetson; of a discrete GPU it is
// told apart from the CPU's. MB in the text stands for MiB; the bytes are taken.
//
// Source: examples/utils/profileFormatter.cpp (2026).
type edgeText struct {
	sheet
	open    bool
	section string
	last    int
	gap     int
}

var edgeMarks = []string{"=== Performance Summary ===", "=== LLM Prefill ===", "=== LLM Generation ("}

func newEdgeText() lineReader { return &edgeText{} }

func (t *edgeText) begin(in *input) { *t = edgeText{sheet: sheet{in: in}} }

// edgeRows are the rows by section: "p" prefill, "g" generation, "m" memory.
var edgeRows = map[string]struct{ name, unit string }{
	"p Reused Tokens":          {"x_prefill_reused_tokens", "tok"},
	"p Computed Tokens":        {"x_prefill_computed_tokens", "tok"},
	"p Average Tokens per Run": {"x_prefill_average_tokens_per_run", "tok"},
	"p Average Time per Run":   {"x_prefill_average_time_per_run", "ms"},
	"p Tokens/Second":          {"prefill_throughput", "tok/s"},
	"p Average Time per Token": {"x_prefill_average_time_per_token", "ms"},
	"g Generated Tokens":       {"x_generated_tokens", "tok"},
	"g Average Tokens per Run": {"x_generation_average_tokens_per_run", "tok"},
	"g Tokens/Second":          {"decode_throughput", "tok/s"},
	"g Average Time per Token": {"x_generation_average_time_per_token", "ms"},
	// with speculation
	"g Total Iterations":                               {"x_generation_iterations", "1"},
	"g Total Generated Tokens":                         {"x_generated_tokens", "tok"},
	"g Average Acceptance Rate":                        {"acceptance_length", ""},
	"g Overall Tokens/Second (excluding base prefill)": {"decode_throughput", "tok/s"},
	"m Peak Unified Memory":                            {"memory_used_max", "bytes"},
	"m Peak GPU Memory":                                {"memory_used_max", "bytes"},
	"m Peak CPU Memory":                                {"x_peak_cpu_memory", "B"},
}

func (t *edgeText) line(l line) bool {
	text := strings.TrimSpace(string(l.text))
	title := strings.TrimSpace(strings.Trim(text, "="))
	switch {
	case strings.HasPrefix(text, "=== ") && strings.HasSuffix(text, " ==="):
		if _, prefilled := t.value("prefill_throughput"); title == "Performance Summary" || t.open && title == "LLM Prefill" && prefilled {
			t.close()
		}
		if !t.open {
			t.reset(t.in, "tensorrt-edge-llm", "tensorrt-edge-llm-text", l.number)
			t.open, t.last = true, l.number
		}
		t.section, t.gap = edgeSection(title), 0
		return true
	case !t.open:
		return false
	case title == "" && len(text) > 20: // the line below the summary
		t.last = l.number
		t.close()
		return false
	}
	if label, value, ok := labelled(l.text, ":"); ok && l.ended && t.row(label, value, l) {
		t.last, t.gap = l.number, 0
	} else if t.gap++; t.gap > 20 {
		t.close()
	}
	return t.open
}

func edgeSection(title string) string {
	switch {
	case title == "LLM Prefill":
		return "p "
	case strings.HasPrefix(title, "LLM Generation"), strings.HasSuffix(title, "Generation") && title != "Talker Audio Generation":
		return "g "
	case title == "Memory Usage":
		return "m "
	}
	return "" // images and sound
}

func (t *edgeText) row(label, value string, l line) bool {
	row, ok := edgeRows[t.section+label]
	if stage, isStage := strings.CutSuffix(label, " - Total Runs"); isStage && (stage == "LLM Prefill" || stage == "LLM Generation") {
		runs, _, _ := strings.Cut(value, ",")
		return t.number("x_"+snake(stage)+"_runs", "1", label, []byte(runs), l.number)
	}
	if !ok || t.section == "" {
		return false
	}
	if t.section == "m " { // 4330.18 MB (4540526592 bytes)
		_, value = bracketed(value)
	}
	number, unit, ok := quantity(value)
	if !ok || unit != "" && unit != row.unit && row.unit != "B" {
		return false
	}
	return t.number(row.name, row.unit, label, []byte(number), l.number)
}

func (t *edgeText) close() {
	if t.open && t.hasKnown() {
		t.imply("engine", "tensorrt-edge-llm", t.start)
		_, whole := t.value("memory_used_max") // the last part
		t.hand(t.last, whole)
	} else if t.open {
		t.in.noResult(t.start, "a profile of TensorRT Edge-LLM without figures")
	}
	t.open = false
}

func (t *edgeText) end() { t.close() }

// edgeGenerations are the keys of the generation, with speculation or without.
var edgeGenerations = []string{"generation", "eagle_generation", "mtp_generation", "spec_decode_generation"}

func isEdgeProfile(v *value) bool {
	if !v.get("prefill", "tokens_per_second").is() {
		return false
	}
	for _, key := range edgeGenerations {
		if v.get(key, "total_runs").is() {
			return true
		}
	}
	return v.get("stages") != nil
}

func readEdgeProfile(in *input, v *value) {
	s := in.begin("tensorrt-edge-llm", "tensorrt-edge-llm-json", v.line)
	s.takeAll(v.get("prefill"), []member{
		{"tokens_per_second", "prefill_throughput", "tok/s"},
		{"computed_tokens", "x_prefill_computed_tokens", "tok"},
		{"reused_tokens", "x_prefill_reused_tokens", "tok"},
		{"average_tokens_per_run", "x_prefill_average_tokens_per_run", "tok"},
		{"average_time_per_run_ms", "x_prefill_average_time_per_run", "ms"},
		{"average_time_per_token_ms", "x_prefill_average_time_per_token", "ms"},
		{"total_runs", "x_llm_prefill_runs", "1"},
	})
	for _, key := range edgeGenerations {
		s.takeAll(v.get(key), []member{
			{"tokens_per_second", "decode_throughput", "tok/s"},
			{"overall_tokens_per_second_excluding_base_prefill", "decode_throughput", "tok/s"},
			{"average_acceptance_rate", "acceptance_length", ""},
			{"generated_tokens", "x_generated_tokens", "tok"},
			{"total_generated_tokens", "x_generated_tokens", "tok"},
			{"total_iterations", "x_generation_iterations", "1"},
			{"average_tokens_per_run", "x_generation_average_tokens_per_run", "tok"},
			{"average_time_per_token_ms", "x_generation_average_time_per_token", "ms"},
			{"total_runs", "x_llm_generation_runs", "1"},
		})
	}
	s.takeAll(v, []member{
		{"peak_unified_memory_bytes", "memory_used_max", "bytes"},
		{"peak_gpu_memory_bytes", "memory_used_max", "bytes"},
		{"peak_cpu_memory_bytes", "x_peak_cpu_memory", "B"},
	})
	for stage := range v.get("stages").children() {
		id := snake(stage.get("stage_id").string())
		for statistic := range stage.get("gpu_time_stats").children() {
			spelt, isTime := strings.CutSuffix(statistic.key, "_ms")
			if name, ok := statisticName(spelt); ok && isTime && id != "" {
				s.take("x_"+id+"_gpu_time_"+name, "ms", statistic)
			}
		}
	}
	s.imply("engine", "tensorrt-edge-llm", v.line)
	s.finish(v)
}
