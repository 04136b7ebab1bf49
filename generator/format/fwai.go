package format

import (
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
)

// fw-ai/benchmark is a locust script (llm_bench/load_test.py). It tells of a run
// three times, and of a time series:
//
//   - a block "==== Summary ====" of "Key : value" lines on the console, printed
//     only when no request failed;
//   - the same as a row of --summary-file, a CSV;
//   - locust's own *_stats.csv, in which the script's measurements are rows of the
//     type METRIC: the columns called response times hold their statistics, in ms,
//     or counts of tokens. The row POST is the time to the headers of the reply, and
//     Aggregated mixes all of them: neither is a latency of a request;
//   - *_stats_history.csv, Aggregated alone once a second, which gives nothing.
//
// Locust rounds medians and percentiles to two digits. Latency Per Token divides
// the time after the first token by all tokens, not by those after the first, so
// that it is no TPOT; Overall Latency Per Token divides the whole time. What was not
// measured, as the tokens of a reranker, is 0 or empty.
//
// Source: fw-ai/benchmark, llm_bench/load_test.py; locust/stats.py.
var fwAIMarks = []string{"= Summary ="}

var fwAICSVMarks = []string{"Provider,Model,Prompt Tokens", "Type,Name,Request Count", "Timestamp,User Count,Type,Name"}

// fwAIMetrics are the script's measurements.
var fwAIMetrics = map[string]struct{ name, unit string }{
	"time_to_first_token":       {"ttft", "ms"},
	"total_latency":             {"e2el", "ms"},
	"latency_per_token":         {"x_latency_per_token", "ms"},
	"overall_latency_per_token": {"tpot_incl_ttft", "ms"},
	"num_tokens":                {"x_mean_output_len", "tok"},
	"completion_tokens":         {"x_mean_output_len", "tok"},
	"prompt_tokens":             {"x_mean_input_len", "tok"},
}

// fwAISettings are the settings of the summary.
var fwAISettings = map[string]string{
	"provider": "x_provider", "model": "model_raw", "generation_tokens": "output_len", "stream": "x_stream",
	"temperature": "x_temperature", "logprobs": "x_logprobs", "num_documents": "x_num_documents",
	"tokens_per_document": "x_tokens_per_document",
}

type fwAI struct {
	sheet
	form    fwAIForm
	columns columns
	header  []string
	rate    float64 // of the requests that finished, per second
	tokens  float64 // of an answer, on average
	last    int
}

type fwAIForm int

const (
	fwAINone fwAIForm = iota
	fwAISummary
	fwAISummaryFile
	fwAIStats
)

func newFwAI() lineReader { return &fwAI{} }

func (t *fwAI) begin(in *input) { t.in, t.form = in, fwAINone }
func (t *fwAI) end() {
	t.close(t.form == fwAIStats)
}

func (t *fwAI) line(l line) bool {
	text := strings.TrimSpace(string(l.text))
	if form := fwAIBegins(text); form != fwAINone {
		t.close(true)
		t.form, t.rate, t.tokens, t.last = form, 0, 0, l.number
		t.header = commas(nil, l.text, ',')
		t.columns = newColumns(t.header)
		t.reset(t.in, "fw-ai-benchmark", fwAIFormats[form], l.number)
		return true
	}
	if strings.HasPrefix(text, "Timestamp,User Count,Type,Name") {
		t.in.noResult(l.number, "locust's time series mixes times of all kinds; the figures are in its stats.csv and in the summary")
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

// summaryLine reads a line of the block, up to its closing rule.
func (t *fwAI) summaryLine(text string, l line) bool {
	key, value, ok := labelled(l.text, ":")
	if ok && l.ended {
		t.summaryValue(key, value, l.number)
		t.last = l.number
		return true
	}
	closing := text != "" && strings.Trim(text, "=") == ""
	if closing {
		t.last = l.number
	}
	t.close(closing)
	return false
}

// summaryRow reads a row of the file that runs are appended to.
func (t *fwAI) summaryRow(l line) bool {
	cells := commas(nil, l.text, ',')
	if len(cells) != len(t.header) || !l.ended {
		t.form = fwAINone
		return false
	}
	t.reset(t.in, "fw-ai-benchmark", "fw-ai-benchmark-csv", l.number)
	for i, key := range t.header {
		t.summaryValue(key, cells[i], l.number)
	}
	t.last = l.number
	t.close(true)
	t.form, t.metrics = fwAISummaryFile, t.metrics[:0] // for the next row
	return true
}

func (t *fwAI) summaryValue(key, value string, line int) {
	own, statistic := snake(key), "mean"
	if p, rest, ok := strings.Cut(key, " "); ok {
		if s, isStatistic := statisticName(p); isStatistic {
			own, statistic = snake(rest), s
		}
	}
	if label, ok := fwAISettings[own]; ok {
		t.said(label, value, line)
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
		t.number("requests_completed", "", key, []byte(value), line)
	case "qps":
		t.number("request_throughput", "req/s", key, []byte(value), line)
		t.rate, _ = strconv.ParseFloat(value, 64)
	}
}

// concurrency reads "8", and "QPS 2.5 constant" of a run at a fixed rate.
func (t *fwAI) concurrency(value string, line int) {
	if rate, ok := strings.CutPrefix(value, "QPS "); ok {
		number, distribution, _ := strings.Cut(rate, " ")
		t.said("request_rate", number, line)
		t.said("x_qps_distribution", distribution, line)
		return
	}
	t.said("max_concurrency", value, line)
}

// statistic notes one figure of a measurement, if it was measured.
func (t *fwAI) statistic(name, unit, statistic, field, value string, line int) {
	f, ok := parseFigure([]byte(value), 0)
	if !ok || f.finite && f.value == 0 {
		return
	}
	if strings.HasPrefix(name, "x_mean_") { // of counts, the mean alone
		if statistic == "mean" {
			t.number(name, unit, field, []byte(value), line)
			if name == "x_mean_output_len" {
				t.tokens = f.value
			}
		}
		return
	}
	t.number(name+"_"+statistic, unit, field, []byte(value), line)
}

// statsRow reads a row of locust's statistics.
func (t *fwAI) statsRow(l line) bool {
	cells := commas(nil, l.text, ',')
	if len(cells) < len(t.header) || !l.ended {
		t.close(len(strings.TrimSpace(string(l.text))) == 0)
		return false
	}
	t.last = l.number
	kind, name := cells[0], cells[1]
	count := t.columns.cell(cells, "request count")
	if kind != "METRIC" {
		if failures, ok := parseFigure([]byte(t.columns.cell(cells, "failure count")), 0); ok && kind != "" && failures.value > 0 {
			t.number("requests_failed", "", kind+" Failure Count", []byte(t.columns.cell(cells, "failure count")), l.number)
		}
		return true
	}
	m, known := fwAIMetrics[name]
	if n, ok := parseFigure([]byte(count), 0); !known || !ok || n.value == 0 {
		return true
	}
	for _, c := range [...][2]string{{"average response time", "mean"}, {"min response time", "min"}, {"max response time", "max"}} {
		t.statistic(m.name, m.unit, c[1], name+" "+c[0], t.columns.cell(cells, c[0]), l.number)
	}
	for i, column := range t.header {
		if statistic, ok := statisticName(column); ok && column != "100%" && strings.HasSuffix(column, "%") && !isMissing(cells[i]) {
			t.statistic(m.name, m.unit, statistic, name+" "+column, cells[i], l.number)
		}
	}
	if name == "total_latency" { // of the requests that succeeded
		rate := t.columns.cell(cells, "requests/s")
		t.number("requests_completed", "", name+" Request Count", []byte(count), l.number)
		if f, ok := parseFigure([]byte(rate), 0); ok && f.value > 0 {
			t.number("request_throughput", "req/s", name+" Requests/s", []byte(rate), l.number)
			t.rate = f.value
		}
	}
	return true
}

// close hands out what was read. Without the script's measurements it is a locust
// test of something else.
func (t *fwAI) close(whole bool) {
	if t.form == fwAINone {
		return
	}
	_, measured := t.value("e2el_mean")
	switch {
	case !measured && t.form == fwAIStats:
		t.in.noResult(t.start, "locust statistics without the rows METRIC of an LLM benchmark")
	case measured:
		if _, streamed := t.value("ttft_mean"); !streamed { // then there is no first token to count from
			t.metrics = slices.DeleteFunc(t.metrics, func(m result.Metric) bool { return strings.HasPrefix(m.Name, "x_latency_per_token") })
		}
		if t.rate > 0 && t.tokens > 0 {
			t.derive("output_throughput", t.rate*t.tokens, "mean tokens of an answer * requests per second", t.last)
		}
		t.hand(t.last, whole)
	}
	t.form = fwAINone
}
