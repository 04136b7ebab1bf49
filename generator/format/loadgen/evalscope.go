package loadgen

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/result"
)

// EvalScope's perf prints two grids, "Benchmarking summary" with keys and values and "Percentile results", and saves
// them as benchmark_summary.json and benchmark_percentile.json. A log has the arguments above them as JSON. The unit is
// part of the key. Keys changed: "Average time to first token (s)" is "TTFT (ms)" since 2026, while latency is still in
// seconds. The newer percentile grid has a row for each metric and a column for each percentile.
//
// The oldest grids (end of 2024) have "Throughput(average tokens/s)". In these, the time per output token is the
// duration of the run divided by all tokens, which is not TPOT. Without streaming, the time to first token is the
// latency and is not read. -1 and 0 mean not measured; a request rate of -1 means no limit. The percentiles of rates
// and token counts of single requests are not read.
//
// Source: modelscope/evalscope, evalscope/perf/utils/{benchmark_util,db_util,perf_constants,perf_models}.py.
var evalScopeMarks = []string{"Benchmarking summary", "Percentile results", "Time taken for tests (s)", "Test Duration (s)",
	"evalscope - INFO - {", "Starting benchmark with args", "evalscope perf"}

var EvalScopeCommands = [][]byte{[]byte("evalscope perf")}

// evalScopeKeys maps the rows of the summary, in lower case and without the unit.
var evalScopeKeys = map[string]string{
	"time taken for tests": "duration", "test duration": "duration",
	"succeed requests": "requests_completed", "success requests": "requests_completed",
	"failed requests":         "requests_failed",
	"output token throughput": "output_throughput", "output throughput": "output_throughput", "throughput": "output_throughput",
	"total token throughput": "total_throughput", "total throughput": "total_throughput",
	"input token throughput": "input_throughput", "input throughput": "input_throughput",
	"request throughput": "request_throughput", "req throughput": "request_throughput", "average qps": "request_throughput",
	"average latency": "e2el_mean", "avg latency": "e2el_mean",
	"average time to first token": "ttft_mean", "ttft": "ttft_mean", "avg ttft": "ttft_mean",
	"average time per output token": "tpot_mean", "tpot": "tpot_mean", "avg tpot": "tpot_mean",
	"average inter-token latency": "itl_mean", "itl": "itl_mean", "avg itl": "itl_mean",
	"average input tokens per request": "x_mean_input_len", "avg input tokens": "x_mean_input_len",
	"average output tokens per request": "x_mean_output_len", "avg output tokens": "x_mean_output_len",
	"average package latency": "x_average_package_latency", "average package per request": "x_average_package_per_request",
	"avg turns/request": "x_avg_turns_per_request", "kv cache hit rate": "x_kv_cache_hit_rate",
	"first-turn ttft": "x_first_turn_ttft", "subsequent-turn ttft": "x_subsequent_turn_ttft",
	"decoded tok/iter": "x_decoded_tok_per_iter", "spec. accept rate": "x_spec_accept_rate",
}

var evalScopeLabels = map[string]string{
	"number of concurrency": "max_concurrency", "concurrency": "max_concurrency",
	"request rate": "request_rate", "total requests": "num_prompts",
}

// evalScopeSummary reads one row of the summary. It reports whether the row is known.
func evalScopeSummary(s *draft.Draft, key, value string, line int) bool {
	own, unit := evalScopeUnit(key)
	if label, ok := evalScopeLabels[own]; ok {
		switch {
		case label == "request_rate" && value != "" && (value[0] == '-' || strings.EqualFold(value, "inf")):
			s.SetText(label, "inf", line)
		case value != "" && value[0] != '-' && !isZero(value):
			s.SetText(label, value, line)
		}
		return true
	}
	name, ok := evalScopeKeys[own]
	if !ok {
		return false
	}
	if own == "throughput" || own == "average qps" {
		s.SetText("x_layout", "2024", line)
	}
	if strings.HasPrefix(value, "-") || isZero(value) && !strings.HasPrefix(name, "requests_") {
		return true
	}
	switch name {
	case "x_mean_input_len", "x_mean_output_len":
		unit = "tok"
	case "request_throughput":
		unit = "req/s"
	}
	return s.Number(name, unit, key, []byte(value), line)
}

// evalScopeUnit splits a key like "TTFT (ms)" or "Throughput(average tokens/s)".
func evalScopeUnit(key string) (own, unit string) {
	own, unit, _ = strings.Cut(strings.TrimSuffix(key, ")"), "(")
	return strings.ToLower(strings.TrimSpace(own)), strings.TrimPrefix(strings.TrimSpace(unit), "average ")
}

var evalScopeFamilies = map[string]string{"ttft": "ttft", "itl": "itl", "tpot": "tpot", "latency": "e2el"}

// evalScopePercentile reads a figure of the percentile grid.
func evalScopePercentile(s *draft.Draft, column, percentile, value string, line int) {
	own, unit := evalScopeUnit(column)
	family, ok := evalScopeFamilies[own]
	statistic, isStatistic := draft.StatisticName(percentile)
	if ok && isStatistic && !scan.IsMissing(value) && !isZero(value) && !strings.HasPrefix(value, "-") {
		s.Number(family+"_"+statistic, unit, column+" "+percentile, []byte(value), line)
	}
}

// evalScopeClose removes latencies of tokens that were not measured, and renames the time per output token of the
// oldest grids, which is not TPOT.
func evalScopeClose(s *draft.Draft) {
	ttft, ok1 := s.Value("ttft_mean")
	latency, ok2 := s.Value("e2el_mean")
	notStreamed := ok1 && ok2 && ttft >= latency
	old := s.Label("x_layout") != ""
	kept := s.Metrics[:0]
	for _, m := range s.Metrics {
		family, statistic, _ := strings.Cut(m.Name, "_")
		if notStreamed && (family == "ttft" || family == "tpot" || family == "itl") {
			continue
		}
		if old && family == "tpot" {
			s.Rename(&m, "x_time_per_output_token_"+statistic, result.Neutral)
		}
		kept = append(kept, m)
	}
	s.Metrics = kept
}

// EvalScopeArgs maps the arguments that describe the run.
var EvalScopeArgs = map[string]string{
	"model": "model_raw", "dataset": "dataset", "max_tokens": "output_len", "seed": "seed", "stream": "streaming",
	"api": "x_api", "temperature": "temperature", "prefix_length": "x_prefix_length", "tokenizer_path": "tokenizer",
	"min_prompt_length": "x_min_prompt_length", "max_prompt_length": "x_max_prompt_length", "min_tokens": "x_min_tokens",
}

// evalScopeText reads the console output.
type evalScopeText struct {
	draft.Draft
	open       bool
	cells      []string // of the current line
	percentile []string // the header of the percentile grid being read
	args       []draft.KeyValue
	inArgs     bool
	commands   draft.Commands
	last, gap  int
}

func newEvalScopeText() draft.LineReader { return &evalScopeText{} }

func (t *evalScopeText) Begin(in *draft.File) {
	*t = evalScopeText{Draft: t.Emptied(in), commands: draft.Commands{Names: EvalScopeCommands, Own: EvalScopeArgs, Repeats: true}}
	t.commands.Begin(in)
}
func (t *evalScopeText) End() {
	t.close()
	t.commands.Settle()
}

func (t *evalScopeText) Line(l scan.Line) bool {
	const nearby = 6 // maximum number of lines between the two grids
	text := strings.TrimSpace(string(l.Text))
	if strings.HasSuffix(text, "evalscope - INFO - {") || strings.Contains(text, "Starting benchmark with args") {
		t.inArgs, t.gap = true, 0
		return true
	}
	if t.inArgs {
		return t.argument(text, l.Number)
	}
	if t.commands.Continued() || draft.CommandFlags(l.Text, EvalScopeCommands) >= 0 {
		t.close()
		t.commands.Line(l.Text, l.Number)
		return t.commands.Continued()
	}
	cells, ok := scan.Pipes(t.cells[:0], l.Text)
	t.cells = cells
	if !ok {
		if strings.Contains(text, "Benchmarking summary") {
			t.close()
		}
		if strings.Trim(text, "+-=┌┬┐├┼┤└┴┘─━╭╮╰╯═") == "" && text != "" {
			return true // a rule of the grid
		}
		t.percentile = nil
		if t.gap++; t.gap > nearby {
			t.close()
			return false
		}
		return true
	}
	t.gap = 0
	switch {
	case scan.IsDivider(cells), !isWholeRow(l):
	case cells[0] == "Percentile" || cells[0] == "Percentiles" || cells[0] == "Metric" && len(cells) > 2:
		t.percentile = slices.Clone(cells)
	case t.percentile != nil:
		t.percentiles(cells, l)
	case len(cells) == 2:
		t.summary(cells[0], cells[1], l)
	}
	return true
}

// isWholeRow reports whether a row of a table is complete. The last cell of an incomplete row may lack digits.
func isWholeRow(l scan.Line) bool {
	text := bytes.TrimSpace(l.Text)
	return l.Ended || bytes.HasSuffix(text, []byte("|")) || bytes.HasSuffix(text, []byte("│"))
}

// argument reads a line of the arguments in a log, which are JSON.
func (t *evalScopeText) argument(text string, line int) bool {
	key, value, ok := strings.Cut(strings.TrimSuffix(text, ","), ":")
	key, value = strings.Trim(key, `" `), strings.Trim(value, `" `)
	if label := EvalScopeArgs[key]; ok && label != "" && value != "null" && (label != "x_max_prompt_length" || len(value) < 10) {
		t.args = slices.DeleteFunc(t.args, func(a draft.KeyValue) bool { return a.Key == label }) // from the previous run
		t.args = append(t.args, draft.KeyValue{Key: label, Value: value, Line: line})
	}
	t.inArgs = text != "}"
	return true
}

// summary reads a row of the first grid, which begins with the duration.
func (t *evalScopeText) summary(key, value string, l scan.Line) {
	own, _ := evalScopeUnit(key)
	if evalScopeKeys[own] == "duration" || !t.open && evalScopeKeys[own] != "" {
		t.close()
		t.Reset(t.In, "evalscope", "evalscope-text", l.Number)
		t.open = true
	}
	if !t.open {
		return
	}
	if counts := strings.Split(value, " / "); key == "Total / Success / Failed" && len(counts) == 3 {
		evalScopeSummary(&t.Draft, "Total Requests", counts[0], l.Number)
		evalScopeSummary(&t.Draft, "Success Requests", counts[1], l.Number)
		evalScopeSummary(&t.Draft, "Failed Requests", counts[2], l.Number)
		t.last = l.Number
	} else if evalScopeSummary(&t.Draft, key, value, l.Number) {
		t.last = l.Number
	}
}

func (t *evalScopeText) percentiles(cells []string, l scan.Line) {
	if !t.open || len(cells) != len(t.percentile) {
		return
	}
	for i, head := range t.percentile[1:] {
		if t.percentile[0] == "Metric" {
			evalScopePercentile(&t.Draft, cells[0], head, cells[i+1], l.Number)
		} else {
			evalScopePercentile(&t.Draft, head, cells[0], cells[i+1], l.Number)
		}
	}
	t.last = l.Number
}

func (t *evalScopeText) close() {
	if t.open && t.HasKnown() {
		evalScopeClose(&t.Draft)
		for _, a := range t.args {
			t.SetText(a.Key, a.Value, a.Line)
		}
		t.Emit(t.last, true)
		t.commands.Made(1, t.Start)
	}
	t.open, t.percentile = false, nil
}

// isEvalScopeSummary reports whether an object has the first keys of either version of the file.
func isEvalScopeSummary(v *scan.Value) bool {
	return v.Has("Time taken for tests (s)", "Succeed requests") || v.Has("Test Duration (s)", "Success Requests")
}

func readEvalScopeSummary(in *draft.File, v *scan.Value) {
	s := in.Begin("evalscope", "evalscope-json", v.Line)
	for m := range v.Children() {
		if m.Scalar() {
			evalScopeSummary(s, m.Key, string(m.Raw), m.Line)
		}
	}
	evalScopeClose(s)
	s.EmitObject(v)
}

// evalScopePercentiles reads benchmark_percentile.json: a list with an object for each percentile, or one object with
// columns. The file does not contain the load, so it is a result of its own, next to that of the summary.
type evalScopePercentiles struct {
	in    *draft.File
	draft draft.Draft
	last  int
	cut   bool
}

func newEvalScopePercentiles(in *draft.File) draft.ObjectReader { return &evalScopePercentiles{in: in} }

func isEvalScopePercentile(v *scan.Value) bool {
	return (v.Has("Percentiles") || v.Has("Percentile")) &&
		(v.Has("TTFT (s)") || v.Has("TTFT (ms)") || v.Has("Latency (s)"))
}

func (e *evalScopePercentiles) Object(v *scan.Value) {
	if e.last == 0 {
		e.draft.Reset(e.in, "evalscope", "evalscope-percentile-json", v.Line)
	}
	e.last, e.cut = v.Last, e.cut || v.Cut
	names := v.Get("Percentiles")
	if names == nil {
		names = v.Get("Percentile")
	}
	for column := range v.Children() {
		if names.Kind == scan.String && column.Kind == scan.Number {
			evalScopePercentile(&e.draft, column.Key, names.Text(), string(column.Raw), column.Line)
			continue
		}
		if names.Kind != '[' || column.Numbers == nil {
			continue
		}
		for i, x := range column.Numbers.Values {
			evalScopePercentile(&e.draft, column.Key, names.At(i).Text(), strconv.FormatFloat(x, 'g', -1, 64), column.Line)
		}
	}
}

func (e *evalScopePercentiles) End() {
	if e.last > 0 {
		e.draft.Emit(e.last, !e.cut)
	}
}

// readEvalScopeArgs reads benchmark_args.json, whose labels are added to the run in the same folder.
func readEvalScopeArgs(in *draft.File, v *scan.Value) {
	in.Out.CapturedOf = "evalscope"
	for m := range v.Children() {
		if label := EvalScopeArgs[m.Key]; label != "" && m.Scalar() {
			in.Capture("evalscope-args-json", label, string(m.Raw), m.Line)
		}
	}
}

func isEvalScopeArgs(v *scan.Value) bool { return v.Has("url", "parallel", "number", "api") }
