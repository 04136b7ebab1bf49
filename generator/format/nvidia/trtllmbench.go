package nvidia

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
)

// TensorRT-LLM's trtllm-bench logs its statistics in parts, each with a heading between two lines of "=". Up to 0.17
// there are no percentiles, the overview has the counts, and "Token Throughput" is that of the output. Since 0.18 the
// counts come first, the total throughput includes input and output, and percentiles use the nearest rank. Times of
// tokens are printed only with --streaming. Since 1.1 there are parts with the machine and, with speculation, the
// drafts.
//
// The number of concurrent requests is measured, not requested. The throughput per user is over the whole request,
// including its wait. The speed per user is that of the tokens after the first. --report_json saves the same figures
// under other names.
//
// Source: tensorrt_llm/bench/dataclasses/reporting.py, statistics.py.
type trtllmText struct {
	draft.Draft
	open  bool
	seen  map[string]bool // headings
	whole bool
	bare  bool // without headings: people paste only the rows of the overview
	last  int
	gap   int
}

var trtllmMarks = []string{"= PERFORMANCE OVERVIEW", "= REQUEST DETAILS", "= WORLD + RUNTIME INFORMATION", "= ENGINE DETAILS",
	"= PYTORCH BACKEND", "= PyTorch backend", "= MACHINE DETAILS", trtllmFirstRow}

// trtllmFirstRow begins the overview. maxBareGap is the maximum number of other lines between two rows of an overview
// without its heading.
const (
	trtllmFirstRow = "Request Throughput (req/sec):"
	maxBareGap     = 5
)

func newTRTLLMText() draft.LineReader { return &trtllmText{} }

func (t *trtllmText) Begin(in *draft.File) { *t = trtllmText{Draft: t.Emptied(in)} }

// trtllmRows maps the rows with a number. The keys are the labels without the unit in brackets.
var trtllmRows = map[string]struct{ name, unit string }{
	"Number of requests":                   {"requests_completed", ""},
	"Number of concurrent requests":        {"effective_concurrency", ""},
	"Average Input Length":                 {"x_mean_input_len", "tok"},
	"Average Output Length":                {"x_mean_output_len", "tok"},
	"Request Throughput":                   {"request_throughput", "req/s"},
	"Token Throughput":                     {"output_throughput", "tok/s"},
	"Total Output Throughput":              {"output_throughput", "tok/s"},
	"Total Token Throughput":               {"total_throughput", "tok/s"},
	"Per User Output Throughput":           {"x_per_user_output_throughput", "tok/s/user"},
	"Per User Output Throughput [w/ ctx]":  {"x_per_user_output_throughput", "tok/s/user"},
	"Per User Output Speed":                {"output_throughput_per_user", "tok/s"},
	"Per User Output Speed [1/TPOT]":       {"output_throughput_per_user", "tok/s"}, // 1.0
	"Per GPU Output Throughput":            {"output_throughput_per_accelerator", "tok/s"},
	"Total Latency":                        {"duration", "ms"},
	"Average request latency":              {"e2el_mean", "ms"},
	"Average time-to-first-token [TTFT]":   {"ttft_mean", "ms"},
	"Average time-per-output-token [TPOT]": {"tpot_mean", "ms"},
}

// trtllmFamilies maps the distributions, as in "[TTFT] P90    : 3.5".
var trtllmFamilies = map[string]struct{ family, unit string }{
	"[Latency]": {"e2el", "ms"},
	"[TTFT]":    {"ttft", "ms"},
	"[TPOT]":    {"tpot", "ms"},
	"[GTPS]":    {"x_generation_throughput", "tok/s"},
	"[DAR]":     {"x_draft_acceptance_rate", "ratio"},
	"[AL]":      {"x_acceptance_length", "tok"}, // mean over requests, all with the same weight
}

// trtllmSettings maps the rows that are settings of the run.
var trtllmSettings = map[string]string{
	"Model": "model_raw", "Quantization": "quantization", "Dtype": "dtype", "KV Cache Dtype": "kv_cache_dtype",
	"TensorRT-LLM Version": "engine_version", "TensorRT LLM Version": "engine_version",
	"Max Runtime Batch Size": "max_num_seqs", "Max Runtime Tokens": "max_num_batched_tokens",
	"Scheduling Policy": "scheduling_policy", "KV Memory Percentage": "x_kv_memory_percentage",
	"Issue Rate (req/sec)": "x_issue_rate", "Dataset Path": "dataset_path",
	"TP Size": "tp", "PP Size": "pp", "EP Size": "ep",
}

func (t *trtllmText) Line(l scan.Line) bool {
	text := strings.TrimSpace(string(l.Text))
	if heading, ok := strings.CutPrefix(text, "= "); ok && (t.open || slices.Contains(trtllmMarks, text)) {
		t.heading(heading, l)
		return t.open
	}
	if strings.HasPrefix(text, trtllmFirstRow) && (!t.open || t.bare) {
		t.close(true)
		t.heading("PERFORMANCE OVERVIEW", l)
		t.bare = true
	}
	if !t.open {
		return false
	}
	t.gap++
	label, value, ok := scan.Labelled(l.Text, ":")
	switch {
	case ok && l.Ended && !scan.IsMissing(value):
		t.row(label, value, l)
	case ok && !l.Ended:
		t.whole = false
	case strings.Contains(text, ", memory ") && t.seen["MACHINE DETAILS"] && !t.seen["REQUEST DETAILS"]:
		gpu, _, _ := strings.Cut(text, ", memory ")
		t.SetLabel("gpu", []byte(gpu), l.Number)
		t.last, t.gap = l.Number, 0
	}
	if t.gap > 40 || t.bare && (t.gap > maxBareGap || strings.HasPrefix(text, "```")) { // the statistics of the dataset are a separate table
		t.close(true)
	}
	return t.open
}

// heading begins a part, and a new result if the current one has that part already.
func (t *trtllmText) heading(heading string, l scan.Line) {
	heading = strings.ToUpper(strings.TrimSpace(heading))
	first := heading == "ENGINE DETAILS" || heading == "PYTORCH BACKEND"
	if t.open && (t.seen[heading] || first && t.seen["PERFORMANCE OVERVIEW"]) {
		t.close(true)
	}
	if !t.open {
		t.Reset(t.In, "trtllm-bench", "trtllm-bench-text", l.Number)
		t.open, t.whole, t.bare, t.seen, t.last = true, true, false, map[string]bool{}, l.Number
	}
	t.seen[heading] = true
	t.gap = 0
}

func (t *trtllmText) row(label, value string, l scan.Line) {
	number, rest, isNumber := scan.Quantity(value)
	isNumber = isNumber && rest == ""
	title, unit := bracketed(label)
	n := len(t.Metrics) + len(t.Labels)
	tag, statistic, _ := strings.Cut(label, " ")
	row, isRow := trtllmRows[title]
	family, isFamily := trtllmFamilies[tag]
	setting, isSetting := trtllmSettings[label]
	switch {
	case isRow && isNumber:
		if unit == "" {
			unit = row.unit
		}
		if strings.HasPrefix(row.name, "x_") {
			unit = row.unit
		}
		t.Number(row.name, trtllmUnit(unit), label, []byte(number), l.Number)
	case isFamily && isNumber:
		if statistic, ok := draft.StatisticName(strings.TrimSpace(statistic)); ok {
			t.Number(family.family+"_"+statistic, family.unit, label, []byte(number), l.Number)
		}
	case t.bare: // a setting may be text of the page
	case isSetting && setting == "tp" || setting == "pp" || setting == "ep":
		parallelSize(&t.Draft, setting, value, l.Number)
	case isSetting:
		t.SetLabel(setting, []byte(value), l.Number)
	}
	if len(t.Metrics)+len(t.Labels) > n {
		t.last, t.gap = l.Number, 0
	}
}

// trtllmUnit returns a unit in a spelling that UnitOf knows.
func trtllmUnit(unit string) string {
	switch unit {
	case "tokens/sec/gpu":
		return "tps/gpu"
	case "tokens/sec/user":
		return "tps/user"
	case "tokens":
		return "tok"
	}
	return unit
}

// parallelSize adds one kind of parallelism, as in tp4-pp2. It skips a size of 1, except for tp.
func parallelSize(s *draft.Draft, kind, size string, line int) {
	if n, ok := scan.ParseNumber([]byte(size)); !ok || n < 1 || n == 1 && kind != "tp" {
		return
	}
	joined := kind + size
	if before, known := s.Labels.Lookup("parallelism"); known {
		joined = before.Value + "-" + joined
	}
	s.SetLabel("parallelism", []byte(joined), line)
}

// close emits the result. A result without a duration was cut off. Pasted rows may lack it: they are complete if other
// lines follow.
func (t *trtllmText) close(follow bool) {
	if t.bare && !t.isOverview() {
		t.open = false
	}
	if t.open && t.seen["PERFORMANCE OVERVIEW"] && t.HasKnown() {
		trtllmDerived(&t.Draft, t.Start)
		_, done := t.Value("duration")
		t.Emit(t.last, t.whole && (done || t.bare && follow))
	} else if t.open {
		t.In.NoResult(t.Start, locale.Textf("the log of trtllm-bench ends before its statistics"))
	}
	t.open = false
}

// isOverview reports whether rows without a heading have an output throughput and a figure whose name only trtllm-bench
// uses.
func (t *trtllmText) isOverview() bool {
	_, output := t.Value("output_throughput")
	return output && slices.ContainsFunc([]string{"duration", "x_per_user_output_throughput", "output_throughput_per_accelerator"}, func(name string) bool {
		_, known := t.Value(name)
		return known
	})
}

func (t *trtllmText) End() { t.close(false) }

// trtllmDerived adds the engine, and the total numbers of tokens, computed from their means, which are printed with
// four decimals.
func trtllmDerived(s *draft.Draft, line int) {
	s.Imply("engine", "tensorrt-llm", line)
	requests, counted := s.Value("requests_completed")
	for _, side := range []string{"input", "output"} {
		mean, known := s.Value("x_mean_" + side + "_len")
		if total := math.Round(mean * requests); counted && known && requests < 5000 {
			s.Derive(side+"_tokens", total, "requests · average "+side+" length", line)
		}
	}
}

func isTRTLLMReport(v *scan.Value) bool {
	return v.Get("world_info", "tp_size").Is() && v.Get("performance", "request_throughput_req_s").Is()
}

func readTRTLLMReport(in *draft.File, v *scan.Value) {
	s := in.Begin("trtllm-bench", "trtllm-bench-json", v.Line)
	s.TakeAll(v, []draft.Member{
		{Key: "request_info.num_requests", Name: "requests_completed"},
		{Key: "request_info.avg_num_concurrent_requests", Name: "effective_concurrency"},
		{Key: "request_info.avg_input_length", Name: "x_mean_input_len", Unit: "tok"},
		{Key: "request_info.avg_output_length", Name: "x_mean_output_len", Unit: "tok"},
		{Key: "performance.total_latency_ms", Name: "duration", Unit: "ms"},
		{Key: "performance.request_throughput_req_s", Name: "request_throughput", Unit: "req/s"},
		{Key: "performance.system_output_throughput_tok_s", Name: "output_throughput", Unit: "tok/s"},
		{Key: "performance.system_total_throughput_tok_s", Name: "total_throughput", Unit: "tok/s"},
		{Key: "performance.output_throughput_per_user_tok_s", Name: "x_per_user_output_throughput", Unit: "tok/s/user"},
		{Key: "performance.output_throughput_per_gpu_tok_s", Name: "output_throughput_per_accelerator", Unit: "tok/s"},
		{Key: "streaming_metrics.token_output_speed_tok_s", Name: "output_throughput_per_user", Unit: "tok/s"},
		{Key: "engine.model", Name: "model_raw"},
		{Key: "engine.version", Name: "engine_version"},
		{Key: "engine.backend", Name: "backend"},
		{Key: "engine.dtype", Name: "dtype"},
		{Key: "engine.kv_cache_dtype", Name: "kv_cache_dtype"},
		{Key: "engine.quantization", Name: "quantization"},
		{Key: "world_info.max_batch_size", Name: "max_num_seqs"},
		{Key: "world_info.max_num_tokens", Name: "max_num_batched_tokens"},
		{Key: "world_info.scheduling_policy", Name: "scheduling_policy"},
		{Key: "world_info.issue_rate", Name: "x_issue_rate"},
		{Key: "world_info.world_size", Name: "x_world_size"},
		{Key: "machine.name", Name: "gpu"},
	})
	for _, kind := range []string{"tp", "pp", "ep"} {
		if size := v.Get("world_info", kind+"_size"); size.Scalar() {
			parallelSize(s, kind, string(size.Raw), size.Line)
		}
	}
	s.Statistics("e2el", "ms", v.Get("performance", "request_latency_percentiles_ms"))
	s.Statistics("ttft", "ms", v.Get("streaming_metrics", "ttft_percentiles"))
	s.Statistics("tpot", "ms", v.Get("streaming_metrics", "tpot_percentiles"))
	s.TakeAll(v, []draft.Member{ // only if the distributions lack them
		{Key: "performance.avg_request_latency_ms", Name: "e2el_mean", Unit: "ms"},
		{Key: "streaming_metrics.avg_ttft_ms", Name: "ttft_mean", Unit: "ms"},
		{Key: "streaming_metrics.avg_tpot_ms", Name: "tpot_mean", Unit: "ms"},
	})
	trtllmDerived(s, v.Line)
	s.EmitObject(v)
}

// gptManager reads the output of TensorRT-LLM's gptManagerBenchmark: "[BENCHMARK] avg_sequence_latency(ms) 12.34".
// Token throughput counts generated tokens. Inter-token latency is (E2EL − TTFT)/(N − 1) of a request. The number of
// samples is printed twice and excludes failed ones.
//
// Source: benchmarks/cpp/gptManagerBenchmark.cpp.
type gptManager struct {
	draft.Draft
	open bool
	last int
	gap  int
}

var gptManagerMarks = []string{"[BENCHMARK] "}

func newGPTManager() draft.LineReader { return &gptManager{} }

func (t *gptManager) Begin(in *draft.File) { *t = gptManager{Draft: t.Emptied(in)} }

var gptManagerRows = map[string]struct{ name, unit string }{
	"num_samples":                                 {"requests_completed", ""},
	"num_error_samples":                           {"requests_failed", ""},
	"total_latency(ms)":                           {"duration", "ms"},
	"seq_throughput(seq/sec)":                     {"request_throughput", "req/s"},
	"token_throughput(token/sec)":                 {"output_throughput", "tok/s"},
	"avg_acceptance_rate(tokens/decoding steps)":  {"x_avg_acceptance_rate", "tok/step"},
	"avg_user_tokens_per_second(tokens/sec/user)": {"output_throughput_per_user", "tok/s"},
}

var gptManagerFamilies = map[string]string{
	"sequence_latency(ms)": "e2el", "time_to_first_token(ms)": "ttft", "inter_token_latency(ms)": "tpot",
	"request_queueing_latency(ms)": "queue",
}

func (t *gptManager) Line(l scan.Line) bool {
	at := bytes.Index(l.Text, []byte("[BENCHMARK] "))
	if at < 0 {
		if t.gap++; t.gap > 10 {
			t.close()
		}
		return t.open
	}
	text := strings.TrimSpace(string(l.Text[at+len("[BENCHMARK] "):]))
	space := strings.LastIndexByte(text, ' ')
	if space < 0 || !l.Ended {
		return t.open
	}
	label, number := strings.TrimSpace(text[:space]), text[space+1:]
	row, known := gptManagerRows[label]
	statistic, family, _ := strings.Cut(label, "_")
	if family = gptManagerFamilies[family]; !known && family != "" {
		if statistic, ok := draft.StatisticName(statistic); ok {
			row.name, row.unit, known = family+"_"+statistic, "ms", true
		}
	}
	if !known {
		return t.open
	}
	if _, again := t.Value("duration"); !t.open || again && row.name == "requests_completed" {
		t.close()
		t.Reset(t.In, "gptmanagerbenchmark", "gptmanagerbenchmark-text", l.Number)
		t.open = true
	}
	t.Number(row.name, row.unit, label, []byte(number), l.Number)
	t.last, t.gap = l.Number, 0
	return true
}

func (t *gptManager) close() {
	if t.open && t.HasKnown() {
		t.Imply("engine", "tensorrt-llm", t.Start)
		_, whole := t.Value("e2el_p50") // the last figure that is always printed
		t.Emit(t.last, whole)
	}
	t.open = false
}

func (t *gptManager) End() { t.close() }
