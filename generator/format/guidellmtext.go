package format

import (
	"regexp"
	"slices"
	"strings"
)

// GuideLLM prints tables with a row for each benchmark of the sweep, and joins
// cells of headers with as many bars as columns they span: "TTFT (ms)   |||".
//
// In 0.2 and 0.3 there are two, "Benchmarks Info:" and "Benchmarks Stats:", without
// bars at the ends. Request latency is in seconds there, whatever its header says
// in 0.2. Tot Tok/sec counts every prompt twice in 0.2 and is not read; Out Tok/sec
// leaves out the wait for the first token (guidellm.go).
//
// From 0.4 on there are five or more, each with three rows of headers. They have
// medians and p95 of the completed requests, and rates of all of them; how many
// completed is not told, and the rate at which requests were to be sent neither. A
// page may leave tables out.
//
// Rows of the tables that follow one another belong together by their order. Source:
// benchmark/output.py, benchmark/outputs/console.py.
var guideTitles = []string{"Benchmarks Metadata", "Benchmarks Info", "Benchmarks Stats",
	"Run Summary Info", "Request Token Statistics", "Request Latency Statistics", "Server Throughput Statistics"}

// guideTextMarks are parts of the titles that have little in common with the lines
// of a server's log.
var guideTextMarks = []string{"Benchmarks Metadata:", "Benchmarks Info:", "Benchmarks Stats:",
	"Summary Info", "Token Statistics (", "Latency Statistics (", "Throughput Statistics"}

type guideText struct {
	in       *input
	runs     []guideRun // one for each row
	titles   []string   // of the tables read so far
	title    string     // of the table being read
	header   [][]string // its rows
	row      int        // of the next row
	idle     int        // lines since the last of a table
	metadata strings.Builder
	inside   bool // of the metadata
	metaLine int
}

type guideRun struct {
	sheet
	name string
	last int
}

const guideGap = 40 // lines between two tables: as many as the tables of words and images take

func newGuideText() lineReader { return &guideText{} }

func (t *guideText) begin(in *input) {
	*t = guideText{in: in}
}

func (t *guideText) line(l line) bool {
	text := strings.TrimSpace(strings.TrimLeft(string(l.text), "#> \t"))
	if title := guideTitle(text); title != "" {
		t.table(title, l)
		return true
	}
	if len(t.titles) == 0 {
		return false // a page that speaks of the tables
	}
	if t.inside {
		t.metadata.WriteString(text + " ")
		if t.idle++; t.idle > guideGap {
			t.inside = false
		}
		return true
	}
	cells, ok := guideCells(text)
	switch {
	case t.title != "" && ok:
		t.idle = 0
		t.cells(cells, l)
		return true
	case t.title != "" && len(t.header) > 0 && text == "":
		t.title = ""
	}
	if t.idle++; t.idle > guideGap {
		t.close()
		return false
	}
	return true
}

// guideTitle gives the name of a table whose title the line is.
func guideTitle(text string) string {
	text = strings.TrimSpace(strings.TrimLeft(text, "ℹ*# "))
	for _, title := range guideTitles {
		rest, ok := strings.CutPrefix(text, title)
		switch strings.TrimRight(rest, "*: ") {
		case "", " (Completed Requests)", " (All Requests)":
			if ok {
				return title
			}
		}
	}
	return ""
}

// guideCells splits a row of a table, and reports false for lines that are none.
// Rules are rows without a cell.
func guideCells(text string) ([]string, bool) {
	if text == "" || strings.Trim(text, "=-|+ ") == "" {
		return nil, text != ""
	}
	if !strings.Contains(text, "|") {
		return nil, false
	}
	if rest, ok := strings.CutPrefix(text, "|"); ok {
		text = strings.TrimSuffix(rest, "|")
	}
	cells := strings.Split(text, "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells, true
}

// table begins a table. One that was there before belongs to another run.
func (t *guideText) table(title string, l line) {
	if slices.Contains(t.titles, title) || title == "Benchmarks Metadata" || title == "Run Summary Info" {
		t.close()
	}
	t.titles = append(t.titles, title)
	t.title, t.header, t.row, t.idle = title, nil, 0, 0
	if t.inside = title == "Benchmarks Metadata"; t.inside {
		t.title, t.metaLine = "", l.number
		t.metadata.Reset()
	}
}

// cells reads a row of the table: a rule, one of its headers, or a benchmark.
func (t *guideText) cells(cells []string, l line) {
	old := strings.HasPrefix(t.title, "Benchmarks")
	headers := 3
	if old {
		headers = 2
	}
	switch {
	case len(cells) == 0:
	case len(t.header) < headers:
		if old && len(t.header) == 1 && cells[0] != "Benchmark" || !old && len(t.header) == 0 && cells[0] != "Benchmark" ||
			len(t.header) > 0 && len(cells) != len(t.header[0]) {
			t.title = "" // wrapped by the terminal, or not the tool's
			return
		}
		t.header = append(t.header, spanned(cells))
	case len(cells) != len(t.header[0]) || cells[0] == "" || !l.ended:
		t.title = ""
	default:
		t.benchmark(cells, l)
	}
}

// spanned fills the cells that a header spans.
func spanned(cells []string) []string {
	out := slices.Clone(cells)
	for i := 1; i < len(out); i++ {
		if out[i] == "" {
			out[i] = out[i-1]
		}
	}
	return out
}

// guideColumns are the columns of the tables: their headers joined, the name here
// and the unit.
var guideColumns = map[string]member{
	"Benchmarks Info|Metadata|Duration (s)":      {name: "duration", unit: "s"},
	"Benchmarks Info|Requests Made|Comp":         {name: "requests_completed"},
	"Benchmarks Info|Requests Made|Inc":          {name: "x_requests_incomplete", unit: "1"},
	"Benchmarks Info|Requests Made|Err":          {name: "requests_failed"},
	"Benchmarks Info|Prompt Tok/Req|Comp":        {name: "x_mean_input_len", unit: "tok"},
	"Benchmarks Info|Output Tok/Req|Comp":        {name: "x_mean_output_len", unit: "tok"},
	"Benchmarks Info|Prompt Tok Total|Comp":      {name: "input_tokens", unit: "tok"},
	"Benchmarks Info|Output Tok Total|Comp":      {name: "output_tokens", unit: "tok"},
	"Benchmarks Stats|Request Stats|Per Second":  {name: "x_requests_per_second_mean", unit: "req/s"},
	"Benchmarks Stats|Request Stats|Concurrency": {name: "effective_concurrency"},
	"Benchmarks Stats|Out Tok/sec|mean":          {name: "x_output_tokens_per_second_mean", unit: "tok/s"},

	"Run Summary Info|Timings|Dur|Sec":                        {name: "duration", unit: "s"},
	"Run Summary Info|Input Tokens|Comp|Tot":                  {name: "input_tokens", unit: "tok"},
	"Run Summary Info|Output Tokens|Comp|Tot":                 {name: "output_tokens", unit: "tok"},
	"Request Token Statistics|Input Tok|Per Req|Mdn":          {name: "x_median_input_len", unit: "tok"},
	"Request Token Statistics|Output Tok|Per Req|Mdn":         {name: "x_median_output_len", unit: "tok"},
	"Server Throughput Statistics|Requests|Concurrency|Mean":  {name: "effective_concurrency"},
	"Server Throughput Statistics|Requests|Per Sec|Mean":      {name: "x_requests_per_second_all_mean", unit: "req/s"},
	"Server Throughput Statistics|Input Tokens|Per Sec|Mean":  {name: "x_prompt_tokens_per_second_all_mean", unit: "tok/s"},
	"Server Throughput Statistics|Output Tokens|Per Sec|Mean": {name: "x_output_tokens_per_second_all_mean", unit: "tok/s"},
	"Server Throughput Statistics|Total Tokens|Per Sec|Mean":  {name: "x_tokens_per_second_all_mean", unit: "tok/s"},
}

// guideFamilies are the latencies of both, with the unit of their figures.
var guideFamilies = map[string]member{
	"Req Latency (ms)":  {name: "e2el", unit: "s"}, // sic
	"Req Latency (sec)": {name: "e2el", unit: "s"},
	"TTFT (ms)":         {name: "ttft", unit: "ms"},
	"ITL (ms)":          {name: "itl", unit: "ms"},
	"TPOT (ms)":         {name: "x_time_per_output_token", unit: "ms"},

	"Request Latency|Sec": {name: "e2el", unit: "s"},
	"TTFT|ms":             {name: "ttft", unit: "ms"},
	"TTFOT|ms":            {name: "x_time_to_first_output_token", unit: "ms"},
	"ITL|ms":              {name: "itl", unit: "ms"},
	"TPOT|ms":             {name: "tpot_incl_ttft", unit: "ms"},
}

// benchmark reads one row.
func (t *guideText) benchmark(cells []string, l line) {
	if t.row == len(t.runs) {
		run := guideRun{name: cells[0]}
		run.reset(t.in, "guidellm", "guidellm-text", l.number)
		run.guideStrategyText(cells[0], l.number)
		t.runs = append(t.runs, run)
	}
	run := &t.runs[t.row]
	if run.name != cells[0] {
		t.title = "" // not the same sweep
		return
	}
	t.row++
	run.last = l.number
	for i := 1; i < len(cells); i++ {
		path := t.title
		for _, row := range t.header {
			path += "|" + row[i]
		}
		if m, ok := guideColumns[path]; ok && !isMissing(cells[i]) {
			run.number(m.name, m.unit, path, []byte(cells[i]), l.number)
			continue
		}
		family, statistic := path[len(t.title)+1:], ""
		if cut := strings.LastIndexByte(family, '|'); cut >= 0 {
			family, statistic = family[:cut], family[cut+1:]
		}
		if m, ok := guideFamilies[family]; ok && !isMissing(cells[i]) {
			run.latency(m, statistic, path, cells, i, l)
		}
	}
}

// latency notes a statistic of a latency. The first of its family, the mean or the
// median, is zero when it was not measured.
func (r *guideRun) latency(m member, statistic, path string, cells []string, i int, l line) {
	if statistic == "Mdn" {
		statistic = "median"
	}
	suffix, ok := statisticName(statistic)
	first := m.name + "_mean"
	if suffix == "p95" {
		first = m.name + "_p50"
	}
	if _, measured := r.value(first); !ok || strings.Trim(cells[i], "0.") == "" || (suffix == "p95" || suffix == "p99") && !measured {
		return
	}
	r.number(m.name+"_"+suffix, m.unit, path, []byte(cells[i]), l.number)
}

// settings of 0.2 and 0.3, in the lines above the tables.
var guideSettings = []struct {
	pattern *regexp.Regexp
	label   string
}{
	{regexp.MustCompile(`backend_model='([^']+)'`), "model_raw"},
	{regexp.MustCompile(`backend_type='([^']+)'`), "x_backend"},
	{regexp.MustCompile(` processor='([^']+)'`), "tokenizer"},
	{regexp.MustCompile(`max_number=([0-9]+)`), "num_prompts"},
	{regexp.MustCompile(`max_duration=([0-9.]+)`), "x_max_seconds"},
}

var guideLoaderData = regexp.MustCompile(` data='([^']+)'`)

// close hands out the benchmarks of the tables so far.
func (t *guideText) close() {
	metadata := t.metadata.String()
	for i := range t.runs {
		run := &t.runs[i]
		input, hasInput := run.value("input_tokens")
		output, hasOutput := run.value("output_tokens")
		if _, known := run.value("requests_completed"); !known && hasInput && hasOutput && input == 0 && output == 0 {
			run.derive("requests_completed", 0, "no token of a completed request", run.start)
		}
		if n, known := run.value("requests_completed"); known && n == 0 {
			run.dropRates()
		} else {
			run.ratesOverDuration(run.start)
		}
		for _, set := range guideSettings {
			if m := set.pattern.FindStringSubmatch(metadata); m != nil && len(m[1]) <= maxLabel {
				run.label(set.label, []byte(m[1]), t.metaLine)
			}
		}
		if m := guideLoaderData.FindStringSubmatch(metadata); m != nil {
			run.guideData(m[1], t.metaLine)
		}
		if run.hasKnown() {
			run.hand(run.last, true)
		}
	}
	t.runs, t.titles, t.title, t.inside = nil, nil, "", false
	t.metadata.Reset()
}

// dropRates drops the zeros that stand beside no completed request.
func (s *sheet) dropRates() {
	for _, name := range []string{"effective_concurrency", "x_requests_per_second_mean", "x_output_tokens_per_second_mean",
		"x_mean_input_len", "x_mean_output_len", "x_median_input_len", "x_median_output_len"} {
		for i := range s.metrics {
			if s.metrics[i].Name == name && s.metrics[i].Value == 0 {
				s.metrics = slices.Delete(s.metrics, i, i+1)
				break
			}
		}
	}
}

func (t *guideText) end() { t.close() }
