package format

import (
	"bytes"
	"math"
	"slices"
	"strings"
)

// TensorRT-LLM's trtllm-bench logs its statistics in parts, each under a heading
// between two lines of "=". Up to 0.17 there are no percentiles and the counts
// stand in the overview; "Token Throughput" is then that of the output. From 0.18
// the counts come first, the total throughput is input and output together, and
// percentiles are those of the nearest rank. Times of the tokens are printed with
// --streaming alone. From 1.1 there are the machine and, with speculation, the
// drafts.
//
// The number of concurrent requests is measured, not asked for. The throughput
// per user is over the whole request, its wait included; the speed per user is
// that of the tokens after the first. --report_json saves the same by other names.
//
// Source: tensorrt_llm/bench/dataclasses/reporting.py, statistics.py.
type trtllmText struct {
	sheet
	open  bool
	seen  map[string]bool // headings
	whole bool
	last  int
	gap   int
}

var trtllmMarks = []string{"= PERFORMANCE OVERVIEW", "= REQUEST DETAILS", "= WORLD + RUNTIME INFORMATION", "= ENGINE DETAILS",
	"= PYTORCH BACKEND", "= PyTorch backend", "= MACHINE DETAILS"}

func newTRTLLMText() lineReader { return &trtllmText{} }

func (t *trtllmText) begin(in *input) { *t = trtllmText{sheet: sheet{in: in}} }

// trtllmRows are the rows that have a number, by what is printed before the unit
// in brackets.
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
	"Per GPU Output Throughput":            {"output_throughput_per_accelerator", "tok/s"},
	"Total Latency":                        {"duration", "ms"},
	"Average request latency":              {"e2el_mean", "ms"},
	"Average time-to-first-token [TTFT]":   {"ttft_mean", "ms"},
	"Average time-per-output-token [TPOT]": {"tpot_mean", "ms"},
}

// trtllmFamilies are the distributions, "[TTFT] P90    : 3.5".
var trtllmFamilies = map[string]struct{ family, unit string }{
	"[Latency]": {"e2el", "ms"},
	"[TTFT]":    {"ttft", "ms"},
	"[TPOT]":    {"tpot", "ms"},
	"[GTPS]":    {"x_generation_throughput", "tok/s"},
	"[DAR]":     {"x_draft_acceptance_rate", "ratio"},
	"[AL]":      {"x_acceptance_length", "tok"}, // of the requests, each with the same weight
}

// trtllmSettings are the rows that tell of the run.
var trtllmSettings = map[string]string{
	"Model": "model_raw", "Quantization": "quantization", "Dtype": "x_dtype", "KV Cache Dtype": "x_kv_cache_dtype",
	"TensorRT-LLM Version": "engine_version", "TensorRT LLM Version": "engine_version",
	"Max Runtime Batch Size": "x_max_batch_size", "Max Runtime Tokens": "x_max_num_tokens",
	"Scheduling Policy": "x_scheduling_policy", "KV Memory Percentage": "x_kv_memory_percentage",
	"Issue Rate (req/sec)": "x_issue_rate", "Dataset Path": "x_dataset_path",
	"TP Size": "tp", "PP Size": "pp", "EP Size": "ep",
}

func (t *trtllmText) line(l line) bool {
	text := strings.TrimSpace(string(l.text))
	if heading, ok := strings.CutPrefix(text, "= "); ok && (t.open || slices.Contains(trtllmMarks, text)) {
		t.heading(heading, l)
		return t.open
	}
	if !t.open {
		return false
	}
	t.gap++
	label, value, ok := labelled(l.text, ":")
	switch {
	case ok && l.ended && !isMissing(value):
		t.row(label, value, l)
	case ok && !l.ended:
		t.whole = false
	case strings.Contains(text, ", memory ") && t.seen["MACHINE DETAILS"] && !t.seen["REQUEST DETAILS"]:
		gpu, _, _ := strings.Cut(text, ", memory ")
		t.label("x_gpu", []byte(gpu), l.number)
		t.last, t.gap = l.number, 0
	}
	if t.gap > 40 { // the statistics of the dataset are a table of their own
		t.close()
	}
	return t.open
}

// heading begins a part, and a result when the part was there before.
func (t *trtllmText) heading(heading string, l line) {
	heading = strings.ToUpper(strings.TrimSpace(heading))
	first := heading == "ENGINE DETAILS" || heading == "PYTORCH BACKEND"
	if t.open && (t.seen[heading] || first && t.seen["PERFORMANCE OVERVIEW"]) {
		t.close()
	}
	if !t.open {
		t.reset(t.in, "trtllm-bench", "trtllm-bench-text", l.number)
		t.open, t.whole, t.seen, t.last = true, true, map[string]bool{}, l.number
	}
	t.seen[heading] = true
	t.gap = 0
}

func (t *trtllmText) row(label, value string, l line) {
	number, rest, isNumber := quantity(value)
	isNumber = isNumber && rest == ""
	title, unit := bracketed(label)
	n := len(t.metrics) + len(t.labels)
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
		t.number(row.name, trtllmUnit(unit), label, []byte(number), l.number)
	case isFamily && isNumber:
		if statistic, ok := statisticName(strings.TrimSpace(statistic)); ok {
			t.number(family.family+"_"+statistic, family.unit, label, []byte(number), l.number)
		}
	case isSetting && setting == "tp" || setting == "pp" || setting == "ep":
		t.parallel(setting, value, l.number)
	case isSetting:
		t.label(setting, []byte(value), l.number)
	}
	if len(t.metrics)+len(t.labels) > n {
		t.last, t.gap = l.number, 0
	}
}

// trtllmUnit writes a unit as others do.
func trtllmUnit(unit string) string {
	switch unit {
	case "tokens/sec/gpu":
		return "tps/gpu"
	case "tokens":
		return "tok"
	}
	return unit
}

// parallel adds one kind of parallelism, as tp4-pp2. One device is none.
func (s *sheet) parallel(kind, size string, line int) {
	if n, ok := parseNumber([]byte(size)); !ok || n < 1 || n == 1 && kind != "tp" {
		return
	}
	joined := kind + size
	if before, known := s.labels.Lookup("parallelism"); known {
		joined = before.Value + "-" + joined
	}
	s.label("parallelism", []byte(joined), line)
}

func (t *trtllmText) close() {
	if t.open && t.seen["PERFORMANCE OVERVIEW"] && t.hasKnown() {
		t.trtllmDerived(t.start)
		_, done := t.value("duration")
		t.hand(t.last, t.whole && done)
	} else if t.open {
		t.in.noResult(t.start, "the log of trtllm-bench ends before its statistics")
	}
	t.open = false
}

func (t *trtllmText) end() { t.close() }

// trtllmDerived adds what follows from the figures: the totals of tokens, of which
// the means are printed with four digits, and the engine.
func (s *sheet) trtllmDerived(line int) {
	s.imply("engine", "tensorrt-llm", line)
	requests, counted := s.value("requests_completed")
	for _, side := range []string{"input", "output"} {
		mean, known := s.value("x_mean_" + side + "_len")
		if total := math.Round(mean * requests); counted && known && requests < 5000 {
			s.derive(side+"_tokens", total, "requests · average "+side+" length", line)
		}
	}
}

func isTRTLLMReport(v *value) bool {
	return v.get("world_info", "tp_size").is() && v.get("performance", "request_throughput_req_s").is()
}

func readTRTLLMReport(in *input, v *value) {
	s := in.begin("trtllm-bench", "trtllm-bench-json", v.line)
	s.takeAll(v, []member{
		{"request_info.num_requests", "requests_completed", ""},
		{"request_info.avg_num_concurrent_requests", "effective_concurrency", ""},
		{"request_info.avg_input_length", "x_mean_input_len", "tok"},
		{"request_info.avg_output_length", "x_mean_output_len", "tok"},
		{"performance.total_latency_ms", "duration", "ms"},
		{"performance.request_throughput_req_s", "request_throughput", "req/s"},
		{"performance.system_output_throughput_tok_s", "output_throughput", "tok/s"},
		{"performance.system_total_throughput_tok_s", "total_throughput", "tok/s"},
		{"performance.output_throughput_per_user_tok_s", "x_per_user_output_throughput", "tok/s/user"},
		{"performance.output_throughput_per_gpu_tok_s", "output_throughput_per_accelerator", "tok/s"},
		{"streaming_metrics.token_output_speed_tok_s", "output_throughput_per_user", "tok/s"},
		{"engine.model", "model_raw", ""},
		{"engine.version", "engine_version", ""},
		{"engine.backend", "x_backend", ""},
		{"engine.dtype", "x_dtype", ""},
		{"engine.kv_cache_dtype", "x_kv_cache_dtype", ""},
		{"engine.quantization", "quantization", ""},
		{"world_info.max_batch_size", "x_max_batch_size", ""},
		{"world_info.max_num_tokens", "x_max_num_tokens", ""},
		{"world_info.scheduling_policy", "x_scheduling_policy", ""},
		{"world_info.issue_rate", "x_issue_rate", ""},
		{"world_info.world_size", "x_world_size", ""},
		{"machine.name", "x_gpu", ""},
	})
	for _, kind := range []string{"tp", "pp", "ep"} {
		if size := v.get("world_info", kind+"_size"); size.scalar() {
			s.parallel(kind, string(size.text), size.line)
		}
	}
	s.statistics("e2el", "ms", v.get("performance", "request_latency_percentiles_ms"))
	s.statistics("ttft", "ms", v.get("streaming_metrics", "ttft_percentiles"))
	s.statistics("tpot", "ms", v.get("streaming_metrics", "tpot_percentiles"))
	s.takeAll(v, []member{ // unless the distribution is there
		{"performance.avg_request_latency_ms", "e2el_mean", "ms"},
		{"streaming_metrics.avg_ttft_ms", "ttft_mean", "ms"},
		{"streaming_metrics.avg_tpot_ms", "tpot_mean", "ms"},
	})
	s.trtllmDerived(v.line)
	s.finish(v)
}

// gptManager reads what TensorRT-LLM's gptManagerBenchmark prints:
// "[BENCHMARK] avg_sequence_latency(ms) 12.34". Token throughput is that of the
// generated tokens, inter-token latency (E2EL − TTFT)/(N − 1) of a request.
// The number of samples is printed twice and without those that failed.
//
// Source: benchmarks/cpp/gptManagerBenchmark.cpp.
type gptManager struct {
	sheet
	open bool
	last int
	gap  int
}

var gptManagerMarks = []string{"[BENCHMARK] "}

func newGPTManager() lineReader { return &gptManager{} }

func (t *gptManager) begin(in *input) { *t = gptManager{sheet: sheet{in: in}} }

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

func (t *gptManager) line(l line) bool {
	at := bytes.Index(l.text, []byte("[BENCHMARK] "))
	if at < 0 {
		if t.gap++; t.gap > 10 {
			t.close()
		}
		return t.open
	}
	text := strings.TrimSpace(string(l.text[at+len("[BENCHMARK] "):]))
	space := strings.LastIndexByte(text, ' ')
	if space < 0 || !l.ended {
		return t.open
	}
	label, number := strings.TrimSpace(text[:space]), text[space+1:]
	row, known := gptManagerRows[label]
	statistic, family, _ := strings.Cut(label, "_")
	if family = gptManagerFamilies[family]; !known && family != "" {
		if statistic, ok := statisticName(statistic); ok {
			row.name, row.unit, known = family+"_"+statistic, "ms", true
		}
	}
	if !known {
		return t.open
	}
	if _, again := t.value("duration"); !t.open || again && row.name == "requests_completed" {
		t.close()
		t.reset(t.in, "gptmanagerbenchmark", "gptmanagerbenchmark-text", l.number)
		t.open = true
	}
	t.number(row.name, row.unit, label, []byte(number), l.number)
	t.last, t.gap = l.number, 0
	return true
}

func (t *gptManager) close() {
	if t.open && t.hasKnown() {
		t.imply("engine", "tensorrt-llm", t.start)
		_, whole := t.value("e2el_p50") // the last of what is always printed
		t.hand(t.last, whole)
	}
	t.open = false
}

func (t *gptManager) end() { t.close() }
