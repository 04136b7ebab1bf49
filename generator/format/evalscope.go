package format

import (
	"bytes"
	"strconv"
	"strings"
)

// EvalScope's perf prints two grids, "Benchmarking summary" of keys and values and
// "Percentile results", and saves them as benchmark_summary.json and
// benchmark_percentile.json; a log has the arguments before them as JSON. The unit is
// part of the key, and changed: "Average time to first token (s)" is "TTFT (ms)"
// since 2026, while latency stays in seconds. The newer percentile grid has metrics
// down and percentiles across.
//
// Oldest is the layout with "Throughput(average tokens/s)" (2024): there a time per
// output token was the wall time divided by all tokens, which is no TPOT. Without
// streaming the time to first token is the latency, and stands for nothing. -1 and
// 0 are not measured; a request rate of -1 is no limit. Rates and token counts of
// single requests, by percentile, are left out.
//
// Source: modelscope/evalscope, evalscope/perf/utils/{benchmark_util,db_util,
// perf_constants,perf_models}.py.
var evalScopeMarks = []string{"Benchmarking summary", "Percentile results", "Time taken for tests (s)", "Test Duration (s)",
	"evalscope - INFO - {", "Starting benchmark with args", "evalscope perf"}

var evalScopeCommands = [][]byte{[]byte("evalscope perf")}

// evalScopeKeys are the rows of the summary without their unit, in small letters.
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

// evalScopeSummary notes one row of the summary, if it is one.
func (s *sheet) evalScopeSummary(key, value string, line int) bool {
	own, unit := evalScopeUnit(key)
	if label, ok := evalScopeLabels[own]; ok {
		switch {
		case label == "request_rate" && value != "" && (value[0] == '-' || strings.EqualFold(value, "inf")):
			s.said(label, "inf", line)
		case value != "" && value[0] != '-' && !isZero(value):
			s.said(label, value, line)
		}
		return true
	}
	name, ok := evalScopeKeys[own]
	if !ok {
		return false
	}
	if own == "throughput" || own == "average qps" {
		s.said("x_layout", "2024", line)
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
	return s.number(name, unit, key, []byte(value), line)
}

// evalScopeUnit splits "TTFT (ms)" and "Throughput(average tokens/s)".
func evalScopeUnit(key string) (own, unit string) {
	own, unit, _ = strings.Cut(strings.TrimSuffix(key, ")"), "(")
	return strings.ToLower(strings.TrimSpace(own)), strings.TrimPrefix(strings.TrimSpace(unit), "average ")
}

var evalScopeFamilies = map[string]string{"ttft": "ttft", "itl": "itl", "tpot": "tpot", "latency": "e2el"}

// evalScopePercentile notes a figure of the percentile grid.
func (s *sheet) evalScopePercentile(column, percentile, value string, line int) {
	own, unit := evalScopeUnit(column)
	family, ok := evalScopeFamilies[own]
	statistic, isStatistic := statisticName(percentile)
	if ok && isStatistic && !isMissing(value) && !isZero(value) && !strings.HasPrefix(value, "-") {
		s.number(family+"_"+statistic, unit, column+" "+percentile, []byte(value), line)
	}
}

// evalScopeClose takes out what was not measured, and gives what is not TPOT a
// name of its own.
func (s *sheet) evalScopeClose() {
	ttft, ok1 := s.value("ttft_mean")
	latency, ok2 := s.value("e2el_mean")
	notStreamed := ok1 && ok2 && ttft >= latency
	old := s.labelText("x_layout") != ""
	kept := s.metrics[:0]
	for _, m := range s.metrics {
		family, statistic, _ := strings.Cut(m.Name, "_")
		if notStreamed && (family == "ttft" || family == "tpot" || family == "itl") {
			continue
		}
		if old && family == "tpot" {
			m.Name, m.Better = "x_time_per_output_token_"+statistic, 0
		}
		kept = append(kept, m)
	}
	s.metrics = kept
}

// evalScopeArgs are the arguments that say something of the run.
var evalScopeArgs = map[string]string{
	"model": "model_raw", "dataset": "dataset", "max_tokens": "output_len", "seed": "seed", "stream": "x_stream",
	"api": "x_api", "temperature": "x_temperature", "prefix_length": "x_prefix_length", "tokenizer_path": "tokenizer",
	"min_prompt_length": "x_min_prompt_length", "max_prompt_length": "x_max_prompt_length", "min_tokens": "x_min_tokens",
}

// evalScopeText reads the console.
type evalScopeText struct {
	sheet
	open       bool
	percentile []string // the header of the percentile grid being read
	args       []goConfig
	inArgs     bool
	asked      settings // of the command above
	last, gap  int
}

func newEvalScopeText() lineReader { return &evalScopeText{} }

func (t *evalScopeText) begin(in *input) {
	*t = evalScopeText{sheet: sheet{in: in}, asked: settings{own: evalScopeArgs}}
}
func (t *evalScopeText) end() { t.close() }

func (t *evalScopeText) line(l line) bool {
	const nearby = 6 // lines between the two grids
	text := strings.TrimSpace(string(l.text))
	if strings.HasSuffix(text, "evalscope - INFO - {") || strings.Contains(text, "Starting benchmark with args") {
		t.inArgs, t.gap = true, 0
		return true
	}
	if t.inArgs {
		return t.argument(text, l.number)
	}
	if i := commandFlags(l.text, evalScopeCommands); i >= 0 || t.asked.continued {
		if i >= 0 {
			t.close()
			t.asked.reset(l.number)
		}
		t.asked.readCommand(t.in, bytes.TrimSpace(l.text[max(i, 0):]), l.number)
		return t.asked.continued
	}
	cells, ok := pipes(nil, l.text)
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
	case isDivider(cells):
	case cells[0] == "Percentile" || cells[0] == "Percentiles" || cells[0] == "Metric" && len(cells) > 2:
		t.percentile = cells
	case t.percentile != nil:
		t.percentiles(cells, l)
	case len(cells) == 2:
		t.summary(cells[0], cells[1], l)
	}
	return true
}

// argument reads a line of the JSON of arguments that a log has.
func (t *evalScopeText) argument(text string, line int) bool {
	key, value, ok := strings.Cut(strings.TrimSuffix(text, ","), ":")
	key, value = strings.Trim(key, `" `), strings.Trim(value, `" `)
	if label := evalScopeArgs[key]; ok && label != "" {
		t.args = append(t.args, goConfig{label, value, line})
	}
	t.inArgs = text != "}"
	return true
}

// summary reads a row of the first grid. The duration heads it.
func (t *evalScopeText) summary(key, value string, l line) {
	own, _ := evalScopeUnit(key)
	if evalScopeKeys[own] == "duration" || !t.open && evalScopeKeys[own] != "" {
		t.close()
		t.reset(t.in, "evalscope", "evalscope-text", l.number)
		t.open = true
	}
	if !t.open {
		return
	}
	if counts := strings.Split(value, " / "); key == "Total / Success / Failed" && len(counts) == 3 {
		t.evalScopeSummary("Total Requests", counts[0], l.number)
		t.evalScopeSummary("Success Requests", counts[1], l.number)
		t.evalScopeSummary("Failed Requests", counts[2], l.number)
		t.last = l.number
	} else if t.evalScopeSummary(key, value, l.number) {
		t.last = l.number
	}
}

func (t *evalScopeText) percentiles(cells []string, l line) {
	if !t.open || len(cells) != len(t.percentile) {
		return
	}
	for i, head := range t.percentile[1:] {
		if t.percentile[0] == "Metric" {
			t.evalScopePercentile(cells[0], head, cells[i+1], l.number)
		} else {
			t.evalScopePercentile(head, cells[0], cells[i+1], l.number)
		}
	}
	t.last = l.number
}

func (t *evalScopeText) close() {
	if t.open && t.hasKnown() {
		t.evalScopeClose()
		for _, a := range t.args {
			if a.value != "null" && (a.key != "x_max_prompt_length" || len(a.value) < 10) {
				t.said(a.key, a.value, a.line)
			}
		}
		if t.start-t.asked.line <= maxDistance {
			t.asked.labels(&t.sheet)
		}
		t.hand(t.last, true)
	}
	t.open, t.percentile = false, nil
}

// isEvalScopeSummary knows the keys that both generations of the file begin with.
func isEvalScopeSummary(v *value) bool {
	return v.has("Time taken for tests (s)", "Succeed requests") || v.has("Test Duration (s)", "Success Requests")
}

func readEvalScopeSummary(in *input, v *value) {
	s := in.begin("evalscope", "evalscope-json", v.line)
	for m := range v.children() {
		if m.scalar() {
			s.evalScopeSummary(m.key, string(m.text), m.line)
		}
	}
	s.evalScopeClose()
	s.finish(v)
}

// evalScopePercentiles reads benchmark_percentile.json: a list of an object for
// each percentile, or one object of columns. It is a file of its own beside the
// summary and says nothing of the load, so that it is a result of its own.
type evalScopePercentiles struct {
	in    *input
	sheet sheet
	last  int
	cut   bool
}

func newEvalScopePercentiles(in *input) objectReader { return &evalScopePercentiles{in: in} }

func isEvalScopePercentile(v *value) bool {
	return (v.has("Percentiles") || v.has("Percentile")) &&
		(v.has("TTFT (s)") || v.has("TTFT (ms)") || v.has("Latency (s)"))
}

func (e *evalScopePercentiles) object(v *value) {
	if e.last == 0 {
		e.sheet.reset(e.in, "evalscope", "evalscope-percentile-json", v.line)
	}
	e.last, e.cut = v.last, e.cut || v.cut
	names := v.get("Percentiles")
	if names == nil {
		names = v.get("Percentile")
	}
	for column := range v.children() {
		if names.kind == jsonString && column.kind == jsonNumber {
			e.sheet.evalScopePercentile(column.key, names.string(), string(column.text), column.line)
			continue
		}
		if names.kind != '[' || column.numbers == nil {
			continue
		}
		for i, x := range column.numbers.values {
			e.sheet.evalScopePercentile(column.key, names.at(i).string(), strconv.FormatFloat(x, 'g', -1, 64), column.line)
		}
	}
}

func (e *evalScopePercentiles) end() {
	if e.last > 0 {
		e.sheet.hand(e.last, !e.cut)
	}
}

// readEvalScopeArgs takes benchmark_args.json for what it says of the run beside it.
func readEvalScopeArgs(in *input, v *value) {
	for m := range v.children() {
		if label := evalScopeArgs[m.key]; label != "" && m.scalar() {
			in.capture("evalscope-args-json", label, string(m.text), m.line)
		}
	}
}

func isEvalScopeArgs(v *value) bool { return v.has("url", "parallel", "number", "api") }
