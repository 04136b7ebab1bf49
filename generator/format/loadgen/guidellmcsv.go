package loadgen

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// GuideLLM's CSV has a row for each benchmark. Latencies of requests are in seconds, the others in milliseconds. All
// percentiles of a latency are in one cell, as a list.
//
// In 0.2 and 0.3 there is one row of headers, with status, metric and statistic together: "Successful Time to first
// token ms mean". Since 0.4 there are three: group, status with unit, and statistic. Cells of settings hold JSON.
//
// The headers are those of the first benchmark, but the tool omits from each row the groups in which everything is
// zero. If a row has another length than the headers, or requests of other statuses than the first row, its cells do
// not match the headers from the first group on. Then only the counts, which come before, are read.
//
// The CSV has no totals. They are computed: the mean of the successful requests times their number, which must be a
// whole number.
//
// Source: benchmark/output.py, benchmark/outputs/csv.py.
var guideCSVMarks = []string{"Type,Run Id,Id,Name,", "Run Info,Run Info,"}

type guideCSV struct {
	draft.Draft
	header  [][]string
	wanted  int // number of rows of headers
	columns scan.Columns
	cells   []string
	unread  bool    // headers without a row so far
	kinds   [2]bool // whether the first row has incomplete and errored requests
	begins  int
}

func newGuideCSV() draft.LineReader { return &guideCSV{} }

func (t *guideCSV) Begin(in *draft.File) {
	t.In, t.wanted, t.unread = in, 0, false
}

func (t *guideCSV) Line(l scan.Line) bool {
	if len(bytes.TrimSpace(l.Text)) == 0 { // between CR and LF
		return t.wanted > 0
	}
	t.cells = scan.Commas(t.cells[:0], l.Text, ',')
	switch {
	case strings.HasPrefix(string(l.Text), guideCSVMarks[0]):
		t.headers(l, 1)
	case strings.HasPrefix(string(l.Text), guideCSVMarks[1]):
		t.headers(l, 3)
	case t.wanted == 0:
		return false
	case len(t.header) < t.wanted:
		if len(t.cells) != len(t.header[0]) {
			t.wanted = 0
			return false
		}
	default:
		return t.row(l)
	}
	t.header = append(t.header, slices.Clone(t.cells))
	if len(t.header) == t.wanted {
		joined := make([]string, len(t.header[0]))
		for i := range joined {
			for _, row := range t.header {
				joined[i] += "|" + row[i]
			}
			joined[i] = strings.TrimRight(joined[i][1:], "|")
		}
		t.columns = t.In.Columns(joined)
		t.unread = true
	}
	return true
}

func (t *guideCSV) headers(l scan.Line, rows int) {
	t.header, t.wanted, t.columns, t.begins = t.header[:0], rows, nil, l.Number
}

// row reads one benchmark.
func (t *guideCSV) row(l scan.Line) bool {
	count := "request counts|successful"
	if t.wanted == 1 {
		count = "successful requests"
	}
	at, ok := t.columns[count]
	if !ok || at >= len(t.cells) || len(t.cells) < 8 {
		t.wanted = 0
		return false
	}
	first := t.unread
	t.unread = false
	t.Reset(t.In, "guidellm", "guidellm-csv", l.Number)
	if t.wanted == 1 {
		t.oldRow(l)
	} else {
		t.newRow(l, first)
	}
	if t.wanted == 3 && t.hasCompleted() && !t.inStep(first) && l.Ended {
		t.In.Message(l.Number, result.Warning, "format.row-length", locale.Textf("the row may have other columns than the headers say"),
			locale.Textf("the tool leaves out groups of zeros; the figures behind the counts are not read"))
	}
	t.Emit(l.Number, l.Ended)
	return true
}

func (t *guideCSV) cell(name string) string { return t.columns.Cell(t.cells, name) }

// figure reads the figure of a column. A rate of zero is not a measurement.
func (t *guideCSV) figure(name, unit, column string, l scan.Line) {
	cell := t.cell(column)
	if cell == "" || strings.HasSuffix(unit, "/s") && strings.Trim(cell, "0.") == "" {
		return
	}
	t.Number(name, unit, column, []byte(cell), l.Number)
}

// setting reads a column as a label.
func (t *guideCSV) setting(name, column string, l scan.Line) {
	if cell := t.cell(column); cell != "" && len(cell) <= draft.MaxLabel {
		t.SetLabel(name, []byte(cell), l.Number)
	}
}

// date reads the start of a benchmark, which is in the local time of the machine.
func (t *guideCSV) date(column string, l scan.Line) {
	if cell := t.cell(column); len(cell) == len("2006-01-02 15:04:05") {
		t.SetLabel("date", []byte(strings.Replace(cell, " ", "T", 1)), l.Number)
	}
}

// inStep reports whether the cells of a row match the headers. They do in the first row, from which the headers were
// made, and in rows with the same length and statuses.
func (t *guideCSV) inStep(first bool) bool {
	incomplete, _ := t.Value("x_requests_incomplete")
	errored, _ := t.Value("requests_failed")
	kinds := [2]bool{incomplete > 0, errored > 0}
	if first {
		t.kinds = kinds
	}
	return len(t.cells) == len(t.header[0]) && kinds == t.kinds
}

// hasCompleted reports whether any request was completed, so that the row has figures.
func (t *guideCSV) hasCompleted() bool {
	completed, ok := t.Value("requests_completed")
	return ok && completed > 0
}

func (t *guideCSV) oldRow(l scan.Line) {
	t.figure("requests_completed", "", "successful requests", l)
	t.figure("requests_failed", "", "errored requests", l)
	t.figure("x_requests_incomplete", "1", "incomplete requests", l)
	t.figure("duration", "s", "duration", l)
	guideStrategyText(&t.Draft, t.cell("name"), l.Number)
	t.date("start time", l)
	t.setting("x_profile", "profile", l)
	worker := t.cell("worker")
	if model := jsonMember(worker, "backend_model"); model != "" {
		t.SetLabel("model_raw", []byte(model), l.Number)
	} else if model := jsonMember(t.cell("backend"), "model"); model != "" {
		t.SetLabel("model_raw", []byte(model), l.Number)
	}
	if data := jsonMember(t.cell("request loader"), "data"); data != "" {
		guideData(&t.Draft, data, l.Number)
	} else if data := t.cell("generator data"); data != "" {
		guideData(&t.Draft, data, l.Number)
	}
	if !t.hasCompleted() || len(t.cells) != len(t.header[0]) {
		return
	}
	perToken := "tpot_incl_ttft"
	if worker != "" {
		perToken = "x_time_per_output_token"
	}
	t.latency("e2el", "s", "successful request latency ", " [min, 0.1, 1, 5, 10, 25, 75, 90, 95, 99, max]", l)
	for _, f := range []struct{ family, column string }{
		{"ttft", "successful time to first token ms "}, {"itl", "successful inter token latency ms "},
		{perToken, "successful time per output token ms "},
	} {
		t.latency(f.family, "ms", f.column, " [min, 0.1, 1, 5, 10, 25, 75, 90, 95, 99, max]", l)
	}
	t.totals("successful prompt token count mean", "successful output token count mean", l)
	t.figure("effective_concurrency", "", "successful request concurrency mean", l)
	t.figure("x_requests_per_second_mean", "req/s", "successful requests per second mean", l)
	t.figure("x_output_tokens_per_second_mean", "tok/s", "successful output tokens per second mean", l)
}

func (t *guideCSV) newRow(l scan.Line, first bool) {
	t.figure("requests_completed", "", "request counts|successful", l)
	t.figure("requests_failed", "", "request counts|errored", l)
	t.figure("x_requests_incomplete", "1", "request counts|incomplete", l)
	t.figure("duration", "s", "timings|duration|sec", l)
	t.date("timings|start time", l)
	t.profile(l)
	if model := jsonMember(t.cell("run info|backend"), "model"); model != "" {
		t.SetLabel("model_raw", []byte(model), l.Number)
	}
	if version := jsonMember(t.cell("runtime info|metadata"), "guidellm_version"); version != "" && t.inStep(first) {
		t.SetLabel("tool_version", []byte(version), l.Number)
	}
	guideData(&t.Draft, jsonMember(t.cell("run info|requests"), "data"), l.Number)
	if !t.hasCompleted() || !t.inStep(first) {
		return
	}
	t.latency("e2el", "s", "request latency|successful sec|", "percentiles", l)
	t.latency("ttft", "ms", "time to first token|successful ms|", "percentiles", l)
	t.latency("itl", "ms", "inter token latency|successful ms|", "percentiles", l)
	t.latency("tpot_incl_ttft", "ms", "time per output token|successful ms|", "percentiles", l)
	t.totals("token metrics|successful input tokens|mean", "token metrics|successful output tokens|mean", l)
	t.figure("effective_concurrency", "", "server throughput|successful concurrency|mean", l)
	t.figure("x_requests_per_second_mean", "req/s", "server throughput|successful requests/sec|mean", l)
	t.figure("x_output_tokens_per_second_mean", "tok/s", "token throughput|successful output tokens/sec|mean", l)
	t.figure("x_prompt_tokens_per_second_mean", "tok/s", "token throughput|successful input tokens/sec|mean", l)
	t.figure("x_tokens_per_second_mean", "tok/s", "token throughput|successful total tokens/sec|mean", l)
	t.figure("x_output_tokens_per_iteration_mean", "tok", "token streaming|successful output tokens/iter|mean", l)
}

// profile reads the strategy of a row: the column has only its kind, while the profile lists all strategies with their
// rates.
func (t *guideCSV) profile(l scan.Line) {
	kind := t.cell("benchmark|strategy")
	var profile struct {
		Limit     *json.Number `json:"max_concurrency"`
		Completed []struct {
			Kind    string       `json:"type_"`
			Streams *json.Number `json:"streams"`
			Rate    *json.Number `json:"rate"`
		} `json:"completed_strategies"`
	}
	at, limit := "", ""
	if json.Unmarshal([]byte(t.cell("run info|profile")), &profile) == nil {
		if profile.Limit != nil {
			limit = profile.Limit.String()
		}
		index, err := strconv.Atoi(t.cell("run info|run index"))
		if err == nil && index >= 0 && index < len(profile.Completed) && profile.Completed[index].Kind == kind {
			for _, n := range []*json.Number{profile.Completed[index].Rate, profile.Completed[index].Streams} {
				if n != nil {
					at = n.String()
				}
			}
		}
	}
	guideStrategy(&t.Draft, kind, at, limit, l.Number)
}

// guidePercentiles lists the percentiles in a cell with a list.
var guidePercentiles = []string{"min", "p0_1", "p1", "p5", "p10", "p25", "p75", "p90", "p95", "p99", "max"}

// latency reads the statistics of a latency: the columns that begin with its name and the column of percentiles. A mean
// of zero means that the latency was not measured, and a minimum of zero that some requests were not measured.
func (t *guideCSV) latency(family, unit, column, percentiles string, l scan.Line) {
	list := strings.Split(strings.Trim(t.cell(strings.TrimRight(column, " ")+percentiles), "[]"), ",")
	mean, err := strconv.ParseFloat(t.cell(column+"mean"), 64)
	if err != nil || mean == 0 || len(list) != len(guidePercentiles) {
		return
	}
	if least, err := strconv.ParseFloat(list[0], 64); err != nil || least == 0 && (family == "ttft" || family == "tpot_incl_ttft") {
		t.In.Message(l.Number, result.Warning, draft.UnmeasuredID, locale.Textf("%scounts requests that were not measured as 0", column),
			locale.Textf("its figures are left out"))
		return
	}
	t.figure(family+"_mean", unit, column+"mean", l)
	t.figure(family+"_p50", unit, column+"median", l)
	t.figure(family+"_std", unit, column+"std dev", l)
	for i, cell := range list {
		t.Number(family+"_"+guidePercentiles[i], unit, column+guidePercentiles[i], []byte(strings.TrimSpace(cell)), l.Number)
	}
}

// totals derives the tokens of all requests from their mean, and the rates from these totals.
func (t *guideCSV) totals(input, output string, l scan.Line) {
	completed, _ := t.Value("requests_completed")
	for _, tokens := range []struct{ total, mean, column string }{
		{"input_tokens", "x_mean_input_len", input}, {"output_tokens", "x_mean_output_len", output},
	} {
		t.figure(tokens.mean, "tok", tokens.column, l)
		mean, ok := t.Value(tokens.mean)
		if total := math.Round(mean * completed); ok && math.Abs(mean*completed-total) < 1e-3 {
			t.Derive(tokens.total, total, tokens.column+" × requests_completed", l.Number)
		}
	}
	ratesOverDuration(&t.Draft, l.Number)
}

// jsonMember returns a string member of a JSON object in a cell, or "".
func jsonMember(cell, key string) string {
	var object map[string]any
	if json.Unmarshal([]byte(cell), &object) != nil {
		return ""
	}
	text, _ := object[key].(string)
	return text
}

func (t *guideCSV) End() {
	if t.unread {
		t.In.NoResult(t.begins, locale.Textf("headers of guidellm-csv without a row"))
	}
	t.wanted = 0
}
