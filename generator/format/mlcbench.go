package format

import (
	"strings"

	"github.com/benchpost/benchpost/generator/vocabulary"
)

// MLC-LLM's benchmark (python -m mlc_llm.bench, since autumn 2024) prints a block
// for each load
//
//	================ Benchmark Result ================
//	Total requests:                          100
//	Output token throughput per GPU (tok/s): 850.11
//	--------- Time to First Token (TTFT, ms) ---------
//	Mean:                                    120.00
//
// in milliseconds, and, with --include-server-metrics, one of the server's own
// view, which is left. A report as JSON, and the CSV of several, has seconds.
//
// Its inter-token latency is the latency over the tokens, the first included: our
// tpot_incl_ttft. Its time per output token leaves out the tokens of the first
// chunk: TPOT. A TTFT of 0 stands for an answer that was not streamed.
//
// Source: python/mlc_llm/bench/request_record.py, request_processor.py.
var mlcFamilies = map[string]string{
	"time_to_first_token_s":   "ttft",
	"time_per_output_token_s": "tpot",
	"inter_token_latency_s":   "tpot_incl_ttft",
	"end_to_end_latency_s":    "e2el",
}

var mlcMembers = []member{
	{"num_completed_requests", "requests_completed", ""},
	{"num_total_requests", "num_prompts", ""},
	{"duration", "duration", "s"},
	{"num_gpus", "accelerators", ""},
	{"total_input_tokens", "input_tokens", "tok"},
	{"total_output_tokens", "output_tokens", "tok"},
	{"request_throughput", "request_throughput", "req/s"},
	{"input_token_throughput", "input_throughput", "tok/s"},
	{"input_token_throughput_per_gpu", "x_input_token_throughput_per_gpu", "tok/s"},
	{"output_token_throughput", "output_throughput", "tok/s"},
	{"output_token_throughput_per_gpu", "output_throughput_per_accelerator", "tok/s"},
}

func isMLCBench(v *value) bool {
	return v.has("num_completed_requests", "num_total_requests") && v.get("time_to_first_token_s") != nil
}

func readMLCBench(in *input, v *value) {
	s := in.begin("mlc-llm-bench", "mlc-llm-bench-json", v.line)
	s.takeAll(v, mlcMembers)
	for child := range v.children() {
		if family, ok := mlcFamilies[child.key]; ok {
			s.statistics(family, "s", child)
		}
	}
	s.takeAll(v, []member{
		{"input_tokens.mean", "x_mean_input_len", "tok"},
		{"output_tokens.mean", "x_mean_output_len", "tok"},
	})
	s.mlcFeature(v.get("exec_feature"))
	s.mlcFailed(v.line)
	s.dropUnmeasured()
	s.finish(v)
}

// mlcFeature notes the load, which the tool calls a feature of the execution:
// {"num_concurrent_requests": 16}, or {"request_rate": 4}.
func (s *sheet) mlcFeature(v *value) {
	s.takeAll(v, []member{
		{"num_concurrent_requests", "max_concurrency", ""},
		{"request_rate", "request_rate", ""},
	})
}

// mlcFailed counts what was sent and not completed.
func (s *sheet) mlcFailed(line int) {
	done, ok := s.value("requests_completed")
	if sent, known := parseFigure([]byte(s.labels.Get("num_prompts")), 0); ok && known && sent.value >= done {
		s.derive("requests_failed", sent.value-done, "all requests less those completed", line)
	}
}

var mlcMarks = []string{"= Benchmark Result =", "Fixing number of concurrent requests:", "Fixing request rate:"}

// mlcText reads the block.
type mlcText struct {
	sheet
	open   bool
	family string // of the rows, "" above the first section
	last   int
	gap    int
	load   setting // what was told of the next block
}

func newMLCText() lineReader { return &mlcText{} }

func (t *mlcText) begin(in *input) { t.in, t.open, t.load = in, false, setting{} }

var mlcRows = map[string]member{
	"Total requests":                          {"", "num_prompts", ""},
	"Num GPUs":                                {"", "accelerators", ""},
	"Completed requests":                      {"", "requests_completed", "1"},
	"Duration (s)":                            {"", "duration", "s"},
	"Total input tokens":                      {"", "input_tokens", "tok"},
	"Total output tokens":                     {"", "output_tokens", "tok"},
	"Request throughput (req/s)":              {"", "request_throughput", "req/s"},
	"Input token throughput (tok/s)":          {"", "input_throughput", "tok/s"},
	"Input token throughput per GPU (tok/s)":  {"", "x_input_token_throughput_per_gpu", "tok/s"},
	"Output token throughput (tok/s)":         {"", "output_throughput", "tok/s"},
	"Output token throughput per GPU (tok/s)": {"", "output_throughput_per_accelerator", "tok/s"},
}

var mlcSections = map[string]string{
	"Time to First Token (TTFT, ms)":   "ttft",
	"Time per Output Token (TPOT, ms)": "tpot",
	"Inter-Token Latency (ms)":         "tpot_incl_ttft",
	"End-to-End Latency (ms)":          "e2el",
	"Input Tokens":                     "x_input_len",
	"Output Tokens":                    "x_output_len",
}

func (t *mlcText) line(l line) bool {
	text := strings.TrimSpace(string(l.text))
	label, value, ok := labelled(l.text, ":")
	number, _, isNumber := quantity(value)
	section, heads := mlcSections[strings.TrimSpace(strings.Trim(text, "-"))]
	row, known := mlcRows[label]
	statistic, isStatistic := statisticName(label)
	switch {
	case strings.Trim(text, "=") == " Benchmark Result ":
		t.close(false)
		t.reset(t.in, "mlc-llm-bench", "mlc-llm-bench-text", l.number)
		t.open, t.family = true, ""
	case !t.open:
		if isNumber && strings.HasSuffix(label, "Fixing number of concurrent requests") {
			t.load = newSetting("max_concurrency", number, l.number)
		} else if isNumber && strings.HasSuffix(label, "Fixing request rate") {
			t.load = newSetting("request_rate", number, l.number)
		}
		return false
	case heads && strings.HasPrefix(text, "-"):
		t.family = section
	case isRule([]byte(text)) || strings.HasPrefix(text, "```"):
		t.last = l.number
		t.close(true)
	case !ok || !isNumber || !l.ended:
		if t.gap++; t.gap > maxNoise {
			t.close(false)
		}
		return t.open
	case t.family == "" && known && row.unit == "":
		t.fact([]byte(label), []byte(number))
		t.label(row.name, []byte(number), l.number)
	case t.family == "" && known:
		t.number(row.name, row.unit, label, []byte(number), l.number)
	case strings.HasPrefix(t.family, "x_"):
		if statistic == "mean" {
			t.number("x_mean_"+strings.TrimPrefix(t.family, "x_"), "tok", label, []byte(number), l.number)
		}
	case t.family != "" && isStatistic:
		t.number(t.family+"_"+statistic, "ms", label, []byte(number), l.number)
	}
	if t.open {
		t.last, t.gap = l.number, 0
	}
	return t.open
}

func (t *mlcText) close(whole bool) {
	if _, ok := t.value("requests_completed"); t.open && ok {
		t.mlcFailed(t.start)
		if t.load.value != "" {
			t.label(t.load.label, []byte(t.load.value), t.load.line)
		}
		t.dropUnmeasured()
		t.hand(t.last, whole)
	}
	t.open, t.gap, t.load = false, 0, setting{}
}

func (t *mlcText) end() { t.close(false) }

var mlcColumnMarks = []string{"time_to_first_token_s.mean"}

// mlcTable reads the CSV, whose columns are the report's keys joined with dots.
type mlcTable struct {
	sheet
	header []string
	last   int // line of the latest row
}

func newMLCTable() lineReader { return &mlcTable{} }

func (t *mlcTable) begin(in *input) { t.in, t.header = in, nil }

func (t *mlcTable) line(l line) bool {
	row := commas(nil, l.text, ',')
	switch {
	case len(l.text) == 0 && l.number == t.last: // between CR and LF
	case strings.Contains(string(l.text), mlcColumnMarks[0]):
		t.header = row
	case len(row) == len(t.header) && len(row) > 1:
		if !l.ended {
			row[len(row)-1] = "" // it may lack digits
		}
		t.row(row, l)
	default:
		t.header = nil
	}
	t.last = l.number
	return t.header != nil
}

func (t *mlcTable) row(row []string, l line) {
	t.reset(t.in, "mlc-llm-bench", "mlc-llm-bench-csv", l.number)
	for i, key := range t.header {
		if isMissing(row[i]) {
			continue
		}
		group, rest, dotted := strings.Cut(key, ".")
		statistic, isStatistic := statisticName(rest[strings.LastIndexByte(rest, '.')+1:])
		family, latency := mlcFamilies[group]
		switch {
		case latency && isStatistic:
			t.number(family+"_"+statistic, "s", key, []byte(row[i]), l.number)
		case (group == "input_tokens" || group == "output_tokens") && rest == "mean":
			t.number("x_mean_"+strings.TrimSuffix(group, "_tokens")+"_len", "tok", key, []byte(row[i]), l.number)
		case key == "exec_feature.num_concurrent_requests":
			t.label("max_concurrency", []byte(row[i]), l.number)
		case key == "exec_feature.request_rate":
			t.label("request_rate", []byte(row[i]), l.number)
		case !dotted:
			t.member(key, row[i], l.number)
		}
	}
	t.mlcFailed(l.number)
	t.dropUnmeasured()
	t.hand(l.number, l.ended)
}

// member notes a column that is no statistic.
func (t *mlcTable) member(key, cell string, line int) {
	for _, m := range mlcMembers {
		if m.key != key {
			continue
		}
		if _, ok := vocabulary.Define(m.name); ok || m.unit != "" {
			t.number(m.name, m.unit, key, []byte(cell), line)
		} else {
			t.fact([]byte(key), []byte(cell))
			t.label(m.name, []byte(cell), line)
		}
	}
}

func (t *mlcTable) end() {}
