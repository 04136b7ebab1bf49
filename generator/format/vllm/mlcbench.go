package vllm

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// MLC-LLM's benchmark (python -m mlc_llm.bench, since autumn 2024) prints a block for each load:
//
//	================ Benchmark Result ================
//	Total requests:                          100
//	Output token throughput per GPU (tok/s): 850.11
//	--------- Time to First Token (TTFT, ms) ---------
//	Mean:                                    120.00
//
// Latencies are in milliseconds. With --include-server-metrics a second block has the server's own metrics, which are
// not read. The JSON report, and the CSV of several reports, are in seconds.
//
// Its inter-token latency is the latency divided by all tokens, the first included, which is called tpot_incl_ttft
// here. Its time per output token excludes the tokens of the first chunk: this is TPOT. A TTFT of 0 means that the
// answer was not streamed.
//
// Source: python/mlc_llm/bench/request_record.py, request_processor.py.
var mlcFamilies = map[string]string{
	"time_to_first_token_s":   "ttft",
	"time_per_output_token_s": "tpot",
	"inter_token_latency_s":   "tpot_incl_ttft",
	"end_to_end_latency_s":    "e2el",
}

var mlcMembers = []draft.Member{
	{Key: "num_completed_requests", Name: "requests_completed"},
	{Key: "num_total_requests", Name: "num_prompts"},
	{Key: "duration", Name: "duration", Unit: "s"},
	{Key: "num_gpus", Name: "accelerators"},
	{Key: "total_input_tokens", Name: "input_tokens", Unit: "tok"},
	{Key: "total_output_tokens", Name: "output_tokens", Unit: "tok"},
	{Key: "request_throughput", Name: "request_throughput", Unit: "req/s"},
	{Key: "input_token_throughput", Name: "input_throughput", Unit: "tok/s"},
	{Key: "input_token_throughput_per_gpu", Name: "x_input_token_throughput_per_gpu", Unit: "tok/s"},
	{Key: "output_token_throughput", Name: "output_throughput", Unit: "tok/s"},
	{Key: "output_token_throughput_per_gpu", Name: "output_throughput_per_accelerator", Unit: "tok/s"},
}

func isMLCBench(v *scan.Value) bool {
	return v.Has("num_completed_requests", "num_total_requests") && v.Get("time_to_first_token_s") != nil
}

func readMLCBench(in *draft.File, v *scan.Value) {
	s := in.Begin("mlc-llm-bench", "mlc-llm-bench-json", v.Line)
	s.TakeAll(v, mlcMembers)
	for child := range v.Children() {
		if family, ok := mlcFamilies[child.Key]; ok {
			s.Statistics(family, "s", child)
		}
	}
	s.TakeAll(v, []draft.Member{
		{Key: "input_tokens.mean", Name: "x_mean_input_len", Unit: "tok"},
		{Key: "output_tokens.mean", Name: "x_mean_output_len", Unit: "tok"},
	})
	mlcFeature(s, v.Get("exec_feature"))
	mlcFailed(s, v.Line)
	s.DropUnmeasured()
	s.EmitObject(v)
}

// mlcFeature sets the load, which the tool calls an execution feature: {"num_concurrent_requests": 16}, or
// {"request_rate": 4}.
func mlcFeature(s *draft.Draft, v *scan.Value) {
	s.TakeAll(v, []draft.Member{
		{Key: "num_concurrent_requests", Name: "max_concurrency"},
		{Key: "request_rate", Name: "request_rate"},
	})
}

// mlcFailed derives the number of requests that were sent but not completed.
func mlcFailed(s *draft.Draft, line int) {
	done, ok := s.Value("requests_completed")
	if sent, known := scan.ParseFigure([]byte(s.Labels.Get("num_prompts")), 0); ok && known && sent.Value >= done {
		s.Derive("requests_failed", sent.Value-done, "all requests less those completed", line)
	}
}

var mlcMarks = []string{"= Benchmark Result =", "Fixing number of concurrent requests:", "Fixing request rate:"}

// mlcText reads the blocks.
type mlcText struct {
	draft.Draft
	open   bool
	family string // whose statistics the rows are, "" above the first section
	last   int
	gap    int
	load   draft.Setting // load of the next block, printed above it
}

func newMLCText() draft.LineReader { return &mlcText{} }

func (t *mlcText) Begin(in *draft.File) { t.In, t.open, t.load = in, false, draft.Setting{} }

var mlcRows = map[string]draft.Member{
	"Total requests":                          {Name: "num_prompts"},
	"Num GPUs":                                {Name: "accelerators"},
	"Completed requests":                      {Name: "requests_completed", Unit: "1"},
	"Duration (s)":                            {Name: "duration", Unit: "s"},
	"Total input tokens":                      {Name: "input_tokens", Unit: "tok"},
	"Total output tokens":                     {Name: "output_tokens", Unit: "tok"},
	"Request throughput (req/s)":              {Name: "request_throughput", Unit: "req/s"},
	"Input token throughput (tok/s)":          {Name: "input_throughput", Unit: "tok/s"},
	"Input token throughput per GPU (tok/s)":  {Name: "x_input_token_throughput_per_gpu", Unit: "tok/s"},
	"Output token throughput (tok/s)":         {Name: "output_throughput", Unit: "tok/s"},
	"Output token throughput per GPU (tok/s)": {Name: "output_throughput_per_accelerator", Unit: "tok/s"},
}

var mlcSections = map[string]string{
	"Time to First Token (TTFT, ms)":   "ttft",
	"Time per Output Token (TPOT, ms)": "tpot",
	"Inter-Token Latency (ms)":         "tpot_incl_ttft",
	"End-to-End Latency (ms)":          "e2el",
	"Input Tokens":                     "x_input_len",
	"Output Tokens":                    "x_output_len",
}

func (t *mlcText) Line(l scan.Line) bool {
	text := strings.TrimSpace(string(l.Text))
	label, value, ok := scan.Labelled(l.Text, ":")
	number, _, isNumber := scan.Quantity(value)
	section, heads := mlcSections[strings.TrimSpace(strings.Trim(text, "-"))]
	row, known := mlcRows[label]
	statistic, isStatistic := draft.StatisticName(label)
	switch {
	case strings.Trim(text, "=") == " Benchmark Result ":
		t.close(false)
		t.Reset(t.In, "mlc-llm-bench", "mlc-llm-bench-text", l.Number)
		t.open, t.family = true, ""
	case !t.open:
		if isNumber && strings.HasSuffix(label, "Fixing number of concurrent requests") {
			t.load = draft.NewSetting("max_concurrency", number, l.Number)
		} else if isNumber && strings.HasSuffix(label, "Fixing request rate") {
			t.load = draft.NewSetting("request_rate", number, l.Number)
		}
		return false
	case heads && strings.HasPrefix(text, "-"):
		t.family = section
	case isRule([]byte(text)) || strings.HasPrefix(text, "```"):
		t.last = l.Number
		t.close(true)
	case !ok || !isNumber || !l.Ended:
		if t.gap++; t.gap > maxNoise {
			t.close(false)
		}
		return t.open
	case t.family == "" && known && row.Unit == "":
		t.Fact([]byte(label), []byte(number))
		t.SetLabel(row.Name, []byte(number), l.Number)
	case t.family == "" && known:
		t.Number(row.Name, row.Unit, label, []byte(number), l.Number)
	case strings.HasPrefix(t.family, "x_"):
		if statistic == "mean" {
			t.Number("x_mean_"+strings.TrimPrefix(t.family, "x_"), "tok", label, []byte(number), l.Number)
		}
	case t.family != "" && isStatistic:
		t.Number(t.family+"_"+statistic, "ms", label, []byte(number), l.Number)
	}
	if t.open {
		t.last, t.gap = l.Number, 0
	}
	return t.open
}

func (t *mlcText) close(whole bool) {
	if _, ok := t.Value("requests_completed"); t.open && ok {
		mlcFailed(&t.Draft, t.Start)
		if t.load.Value != "" {
			t.SetLabel(t.load.Label, []byte(t.load.Value), t.load.Line)
		}
		t.DropUnmeasured()
		t.Emit(t.last, whole)
	}
	t.open, t.gap, t.load = false, 0, draft.Setting{}
}

func (t *mlcText) End() { t.close(false) }

var mlcColumnMarks = []string{"time_to_first_token_s.mean"}

// mlcTable reads the CSV, whose columns are the report's keys joined with dots.
type mlcTable struct {
	draft.Draft
	header []string
	cells  []string // of the current line
	last   int      // line of the latest row
}

func newMLCTable() draft.LineReader { return &mlcTable{} }

func (t *mlcTable) Begin(in *draft.File) { t.In, t.header = in, nil }

func (t *mlcTable) Line(l scan.Line) bool {
	row := scan.Commas(t.cells[:0], l.Text, ',')
	t.cells = row
	switch {
	case len(l.Text) == 0 && l.Number == t.last: // between CR and LF
	case strings.Contains(string(l.Text), mlcColumnMarks[0]):
		t.header = append(t.header[:0], row...)
	case len(row) == len(t.header) && len(row) > 1:
		if !l.Ended {
			row[len(row)-1] = "" // digits may be missing
		}
		t.row(row, l)
	default:
		t.header = nil
	}
	t.last = l.Number
	return t.header != nil
}

func (t *mlcTable) row(row []string, l scan.Line) {
	t.Reset(t.In, "mlc-llm-bench", "mlc-llm-bench-csv", l.Number)
	for i, key := range t.header {
		if scan.IsMissing(row[i]) {
			continue
		}
		group, rest, dotted := strings.Cut(key, ".")
		statistic, isStatistic := draft.StatisticName(rest[strings.LastIndexByte(rest, '.')+1:])
		family, latency := mlcFamilies[group]
		switch {
		case latency && isStatistic:
			t.Number(family+"_"+statistic, "s", key, []byte(row[i]), l.Number)
		case (group == "input_tokens" || group == "output_tokens") && rest == "mean":
			t.Number("x_mean_"+strings.TrimSuffix(group, "_tokens")+"_len", "tok", key, []byte(row[i]), l.Number)
		case key == "exec_feature.num_concurrent_requests":
			t.SetLabel("max_concurrency", []byte(row[i]), l.Number)
		case key == "exec_feature.request_rate":
			t.SetLabel("request_rate", []byte(row[i]), l.Number)
		case !dotted:
			t.member(key, row[i], l.Number)
		}
	}
	mlcFailed(&t.Draft, l.Number)
	t.DropUnmeasured()
	t.Emit(l.Number, l.Ended)
}

// member reads a column that is not a statistic.
func (t *mlcTable) member(key, cell string, line int) {
	for _, m := range mlcMembers {
		if m.Key != key {
			continue
		}
		if _, ok := vocabulary.Define(m.Name); ok || m.Unit != "" {
			t.Number(m.Name, m.Unit, key, []byte(cell), line)
		} else {
			t.Fact([]byte(key), []byte(cell))
			t.SetLabel(m.Name, []byte(cell), line)
		}
	}
}

func (t *mlcTable) End() {}
