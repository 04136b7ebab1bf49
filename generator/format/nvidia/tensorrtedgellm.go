package nvidia

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
)

// TensorRT Edge-LLM's llm_inference prints and saves a profile. Its times are GPU times of a stage for a whole batch,
// and the profile does not contain the batch size. Neither the time of a run nor that of a token is what a client sees,
// so they keep the tool's names. The number of generated tokens does not include the first token, which is sampled
// after the prefill. Each profile covers several runs.
//
// With speculation, the acceptance "rate" is in tokens per iteration, which is the acceptance length here. On Jetson,
// memory is unified. With a discrete GPU, the GPU's and the CPU's memory are separate rows. MB in the text means MiB,
// so the reader uses the bytes.
//
// Source: examples/utils/profileFormatter.cpp (2026).
type edgeText struct {
	draft.Draft
	open    bool
	section string
	last    int
	gap     int
}

var edgeMarks = []string{"=== Performance Summary ===", "=== LLM Prefill ===", "=== LLM Generation ("}

func newEdgeText() draft.LineReader { return &edgeText{} }

func (t *edgeText) Begin(in *draft.File) { *t = edgeText{Draft: t.Emptied(in)} }

// edgeRows maps the rows by section: "p" prefill, "g" generation, "m" memory.
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

func (t *edgeText) Line(l scan.Line) bool {
	text := strings.TrimSpace(string(l.Text))
	title := strings.TrimSpace(strings.Trim(text, "="))
	switch {
	case strings.HasPrefix(text, "=== ") && strings.HasSuffix(text, " ==="):
		if _, prefilled := t.Value("prefill_throughput"); title == "Performance Summary" || t.open && title == "LLM Prefill" && prefilled {
			t.close()
		}
		if !t.open {
			t.Reset(t.In, "tensorrt-edge-llm", "tensorrt-edge-llm-text", l.Number)
			t.open, t.last = true, l.Number
		}
		t.section, t.gap = edgeSection(title), 0
		return true
	case !t.open:
		return false
	case title == "" && len(text) > 20: // the line below the summary
		t.last = l.Number
		t.close()
		return false
	}
	if label, value, ok := scan.Labelled(l.Text, ":"); ok && l.Ended && t.row(label, value, l) {
		t.last, t.gap = l.Number, 0
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

func (t *edgeText) row(label, value string, l scan.Line) bool {
	row, ok := edgeRows[t.section+label]
	if stage, isStage := strings.CutSuffix(label, " - Total Runs"); isStage && (stage == "LLM Prefill" || stage == "LLM Generation") {
		runs, _, _ := strings.Cut(value, ",")
		return t.Number("x_"+draft.Snake(stage)+"_runs", "1", label, []byte(runs), l.Number)
	}
	if !ok || t.section == "" {
		return false
	}
	if t.section == "m " { // 4330.18 MB (4540526592 bytes)
		_, value = bracketed(value)
	}
	number, unit, ok := scan.Quantity(value)
	if !ok || unit != "" && unit != row.unit && row.unit != "B" {
		return false
	}
	return t.Number(row.name, row.unit, label, []byte(number), l.Number)
}

func (t *edgeText) close() {
	if t.open && t.HasKnown() {
		t.Imply("engine", "tensorrt-edge-llm", t.Start)
		_, whole := t.Value("memory_used_max") // the last section
		t.Emit(t.last, whole)
	} else if t.open {
		t.In.NoResult(t.Start, locale.Textf("a profile of TensorRT Edge-LLM without figures"))
	}
	t.open = false
}

func (t *edgeText) End() { t.close() }

// edgeGenerations lists the keys of the generation, with and without speculation.
var edgeGenerations = []string{"generation", "eagle_generation", "mtp_generation", "spec_decode_generation"}

func isEdgeProfile(v *scan.Value) bool {
	if !v.Get("prefill", "tokens_per_second").Is() {
		return false
	}
	for _, key := range edgeGenerations {
		if v.Get(key, "total_runs").Is() {
			return true
		}
	}
	return v.Get("stages") != nil
}

func readEdgeProfile(in *draft.File, v *scan.Value) {
	s := in.Begin("tensorrt-edge-llm", "tensorrt-edge-llm-json", v.Line)
	s.TakeAll(v.Get("prefill"), []draft.Member{
		{Key: "tokens_per_second", Name: "prefill_throughput", Unit: "tok/s"},
		{Key: "computed_tokens", Name: "x_prefill_computed_tokens", Unit: "tok"},
		{Key: "reused_tokens", Name: "x_prefill_reused_tokens", Unit: "tok"},
		{Key: "average_tokens_per_run", Name: "x_prefill_average_tokens_per_run", Unit: "tok"},
		{Key: "average_time_per_run_ms", Name: "x_prefill_average_time_per_run", Unit: "ms"},
		{Key: "average_time_per_token_ms", Name: "x_prefill_average_time_per_token", Unit: "ms"},
		{Key: "total_runs", Name: "x_llm_prefill_runs", Unit: "1"},
	})
	for _, key := range edgeGenerations {
		s.TakeAll(v.Get(key), []draft.Member{
			{Key: "tokens_per_second", Name: "decode_throughput", Unit: "tok/s"},
			{Key: "overall_tokens_per_second_excluding_base_prefill", Name: "decode_throughput", Unit: "tok/s"},
			{Key: "average_acceptance_rate", Name: "acceptance_length"},
			{Key: "generated_tokens", Name: "x_generated_tokens", Unit: "tok"},
			{Key: "total_generated_tokens", Name: "x_generated_tokens", Unit: "tok"},
			{Key: "total_iterations", Name: "x_generation_iterations", Unit: "1"},
			{Key: "average_tokens_per_run", Name: "x_generation_average_tokens_per_run", Unit: "tok"},
			{Key: "average_time_per_token_ms", Name: "x_generation_average_time_per_token", Unit: "ms"},
			{Key: "total_runs", Name: "x_llm_generation_runs", Unit: "1"},
		})
	}
	s.TakeAll(v, []draft.Member{
		{Key: "peak_unified_memory_bytes", Name: "memory_used_max", Unit: "bytes"},
		{Key: "peak_gpu_memory_bytes", Name: "memory_used_max", Unit: "bytes"},
		{Key: "peak_cpu_memory_bytes", Name: "x_peak_cpu_memory", Unit: "B"},
	})
	for stage := range v.Get("stages").Children() {
		id := draft.Snake(stage.Get("stage_id").Text())
		for statistic := range stage.Get("gpu_time_stats").Children() {
			spelt, isTime := strings.CutSuffix(statistic.Key, "_ms")
			if name, ok := draft.StatisticName(spelt); ok && isTime && id != "" {
				s.Take("x_"+id+"_gpu_time_"+name, "ms", statistic)
			}
		}
	}
	s.Imply("engine", "tensorrt-edge-llm", v.Line)
	s.EmitObject(v)
}
