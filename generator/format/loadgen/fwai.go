package loadgen

import (
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// fw-ai/benchmark is a locust script (llm_bench/load_test.py). It reports a run three times, and writes a time series:
//
//   - a block "==== Summary ====" with lines "Key : value" on the console, which is printed only if no request failed;
//   - the same figures as a row of --summary-file, a CSV;
//   - locust's own *_stats.csv. The script's measurements are its rows of type METRIC: the columns named response time
//     hold statistics of latencies in ms, or of token counts. The row POST is the time to the headers of the reply, and
//     Aggregated mixes all rows. Neither is a latency of a request, so both are not read;
//   - *_stats_history.csv, which has only Aggregated once a second and is not read.
//
// Locust rounds medians and percentiles to two digits. Latency Per Token divides the time after the first token by all
// tokens, not by those after the first, so it is not TPOT. Overall Latency Per Token divides the whole time. Values
// that were not measured, such as the tokens of a reranker, are 0 or empty.
//
// Source: fw-ai/benchmark, llm_bench/load_test.py; locust/stats.py.
var fwAIMarks = []string{"= Summary ="}

var fwAICSVMarks = []string{"Provider,Model,Prompt Tokens", "Type,Name,Request Count", "Timestamp,User Count,Type,Name"}

// fwAIMetrics maps the script's measurements.
var fwAIMetrics = map[string]struct{ name, unit string }{
	"time_to_first_token":       {"ttft", "ms"},
	"total_latency":             {"e2el", "ms"},
	"latency_per_token":         {"x_latency_per_token", "ms"},
	"overall_latency_per_token": {"tpot_incl_ttft", "ms"},
	"num_tokens":                {"x_mean_output_len", "tok"},
	"completion_tokens":         {"x_mean_output_len", "tok"},
	"prompt_tokens":             {"x_mean_input_len", "tok"},
}

// fwAISettings maps the settings in the summary.
var fwAISettings = map[string]string{
	"provider": "x_provider", "model": "model_raw", "generation_tokens": "output_len", "stream": "streaming",
	"temperature": "temperature", "logprobs": "x_logprobs", "num_documents": "x_num_documents",
	"tokens_per_document": "x_tokens_per_document",
}

type fwAI struct {
	draft.Draft
	form    fwAIForm
	columns scan.Columns
	header  []string
	cells   []string // of the current line
	rate    float64  // finished requests per second
	tokens  float64  // mean tokens of an answer
	last    int
}

type fwAIForm int

const (
	fwAINone fwAIForm = iota
	fwAISummary
	fwAISummaryFile
	fwAIStats
)

func newFwAI() draft.LineReader { return &fwAI{} }

func (t *fwAI) Begin(in *draft.File) { t.In, t.form = in, fwAINone }
func (t *fwAI) End() {
	t.close(t.form == fwAIStats)
}

func (t *fwAI) Line(l scan.Line) bool {
	text := strings.TrimSpace(string(l.Text))
	if form := fwAIBegins(text); form != fwAINone {
		t.close(true)
		t.form, t.rate, t.tokens, t.last = form, 0, 0, l.Number
		t.header = scan.Commas(nil, l.Text, ',')
		t.columns = t.In.Columns(t.header)
		t.Reset(t.In, "fw-ai-benchmark", fwAIFormats[form], l.Number)
		return true
	}
	if strings.HasPrefix(text, "Timestamp,User Count,Type,Name") {
		t.In.NoResult(l.Number, locale.Textf("locust's time series mixes times of all kinds; the figures are in its stats.csv and in the summary"))
		return t.form != fwAINone
	}
	switch t.form {
	case fwAISummary:
		return t.summaryLine(text, l)
	case fwAISummaryFile:
		return t.summaryRow(l)
	case fwAIStats:
		return t.statsRow(l)
	}
	return false
}

var fwAIFormats = map[fwAIForm]string{
	fwAISummary: "fw-ai-benchmark-text", fwAISummaryFile: "fw-ai-benchmark-csv", fwAIStats: "fw-ai-benchmark-csv",
}

func fwAIBegins(text string) fwAIForm {
	switch {
	case strings.Trim(text, "= ") == "Summary" && strings.HasPrefix(text, "====="):
		return fwAISummary
	case strings.HasPrefix(text, "Provider,Model,Prompt Tokens"):
		return fwAISummaryFile
	case strings.HasPrefix(text, "Type,Name,Request Count"):
		return fwAIStats
	}
	return fwAINone
}

// summaryLine reads a line of the block. A line of equals signs ends the block.
func (t *fwAI) summaryLine(text string, l scan.Line) bool {
	key, value, ok := scan.Labelled(l.Text, ":")
	if ok && l.Ended {
		t.summaryValue(key, value, l.Number)
		t.last = l.Number
		return true
	}
	closing := text != "" && strings.Trim(text, "=") == ""
	if closing {
		t.last = l.Number
	}
	t.close(closing)
	return false
}

// summaryRow reads a row of the summary file. Each run appends a row.
func (t *fwAI) summaryRow(l scan.Line) bool {
	t.cells = scan.Commas(t.cells[:0], l.Text, ',')
	cells := t.cells
	if len(cells) != len(t.header) || !l.Ended {
		t.form = fwAINone
		return false
	}
	t.Reset(t.In, "fw-ai-benchmark", "fw-ai-benchmark-csv", l.Number)
	for i, key := range t.header {
		t.summaryValue(key, cells[i], l.Number)
	}
	t.last = l.Number
	t.close(true)
	t.form, t.Metrics = fwAISummaryFile, t.Metrics[:0] // for the next row
	return true
}

func (t *fwAI) summaryValue(key, value string, line int) {
	own, statistic := draft.Snake(key), "mean"
	if p, rest, ok := strings.Cut(key, " "); ok {
		if s, isStatistic := draft.StatisticName(p); isStatistic {
			own, statistic = draft.Snake(rest), s
		}
	}
	if label, ok := fwAISettings[own]; ok {
		t.SetText(label, value, line)
		return
	}
	if m, ok := fwAIMetrics[own]; ok {
		t.statistic(m.name, m.unit, statistic, key, value, line)
		return
	}
	switch own {
	case "concurrency":
		t.concurrency(value, line)
	case "num_requests":
		t.Number("requests_completed", "", key, []byte(value), line)
	case "qps":
		t.Number("request_throughput", "req/s", key, []byte(value), line)
		t.rate, _ = strconv.ParseFloat(value, 64)
	}
}

// concurrency reads "8", or "QPS 2.5 constant" for a run with a fixed rate.
func (t *fwAI) concurrency(value string, line int) {
	if rate, ok := strings.CutPrefix(value, "QPS "); ok {
		number, distribution, _ := strings.Cut(rate, " ")
		t.SetText("request_rate", number, line)
		t.SetText("x_qps_distribution", distribution, line)
		return
	}
	t.SetText("max_concurrency", value, line)
}

// statistic adds one figure of a measurement, if it was measured.
func (t *fwAI) statistic(name, unit, statistic, field, value string, line int) {
	f, ok := scan.ParseFigure([]byte(value), 0)
	if !ok || f.Finite && f.Value == 0 {
		return
	}
	if strings.HasPrefix(name, "x_mean_") { // only the mean of counts is read
		if statistic == "mean" {
			t.Number(name, unit, field, []byte(value), line)
			if name == "x_mean_output_len" {
				t.tokens = f.Value
			}
		}
		return
	}
	t.Number(name+"_"+statistic, unit, field, []byte(value), line)
}

// statsRow reads a row of locust's statistics.
func (t *fwAI) statsRow(l scan.Line) bool {
	t.cells = scan.Commas(t.cells[:0], l.Text, ',')
	cells := t.cells
	if len(cells) < len(t.header) || !l.Ended {
		t.close(len(strings.TrimSpace(string(l.Text))) == 0)
		return false
	}
	t.last = l.Number
	kind, name := cells[0], cells[1]
	count := t.columns.Cell(cells, "request count")
	if kind != "METRIC" {
		if failures, ok := scan.ParseFigure([]byte(t.columns.Cell(cells, "failure count")), 0); ok && kind != "" && failures.Value > 0 {
			t.Number("requests_failed", "", kind+" Failure Count", []byte(t.columns.Cell(cells, "failure count")), l.Number)
		}
		return true
	}
	m, known := fwAIMetrics[name]
	if n, ok := scan.ParseFigure([]byte(count), 0); !known || !ok || n.Value == 0 {
		return true
	}
	for _, c := range [...][2]string{{"average response time", "mean"}, {"min response time", "min"}, {"max response time", "max"}} {
		t.statistic(m.name, m.unit, c[1], name+" "+c[0], t.columns.Cell(cells, c[0]), l.Number)
	}
	for i, column := range t.header {
		if statistic, ok := draft.StatisticName(column); ok && column != "100%" && strings.HasSuffix(column, "%") && !scan.IsMissing(cells[i]) {
			t.statistic(m.name, m.unit, statistic, name+" "+column, cells[i], l.Number)
		}
	}
	if name == "total_latency" { // counts the successful requests
		rate := t.columns.Cell(cells, "requests/s")
		t.Number("requests_completed", "", name+" Request Count", []byte(count), l.Number)
		if f, ok := scan.ParseFigure([]byte(rate), 0); ok && f.Value > 0 {
			t.Number("request_throughput", "req/s", name+" Requests/s", []byte(rate), l.Number)
			t.rate = f.Value
		}
	}
	return true
}

// close emits the result. Statistics without the script's measurements are those of another locust test.
func (t *fwAI) close(whole bool) {
	if t.form == fwAINone {
		return
	}
	_, measured := t.Value("e2el_mean")
	switch {
	case !measured && t.form == fwAIStats:
		t.In.NoResult(t.Start, locale.Textf("locust statistics without the rows METRIC of an LLM benchmark"))
	case measured:
		if _, streamed := t.Value("ttft_mean"); !streamed { // the time after the first token is invalid
			t.Metrics = slices.DeleteFunc(t.Metrics, func(m result.Metric) bool { return strings.HasPrefix(m.Name, "x_latency_per_token") })
		}
		if t.rate > 0 && t.tokens > 0 {
			t.Derive("output_throughput", t.rate*t.tokens, "mean tokens of an answer * requests per second", t.last)
		}
		t.Emit(t.last, whole)
	}
	t.form = fwAINone
}
