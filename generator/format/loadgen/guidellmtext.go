package loadgen

import (
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/locale"
)

// GuideLLM prints tables with a row for each benchmark of the sweep. A header cell ends with as many bars as it spans
// columns: "TTFT (ms)   |||".
//
// In 0.2 and 0.3 there are two tables, "Benchmarks Info:" and "Benchmarks Stats:", without bars at the ends of lines.
// Request latency is in seconds there, although the header in 0.2 says ms. Tot Tok/sec counts every prompt twice in 0.2
// and is not read. Out Tok/sec excludes the wait for the first token (guidellm.go).
//
// Since 0.4 there are five or more tables, each with three rows of headers. They have medians and p95 of the completed
// requests, and rates of all requests. They contain neither the number of completed requests nor the requested rate.
// Pages may omit tables.
//
// Rows of successive tables are matched by their order.
//
// Source: benchmark/output.py, benchmark/outputs/console.py.
var guideTitles = []string{"Benchmarks Metadata", "Benchmarks Info", "Benchmarks Stats",
	"Run Summary Info", "Request Token Statistics", "Request Latency Statistics", "Server Throughput Statistics"}

// guideTextMarks are parts of the titles that are rare in the log of a server.
var guideTextMarks = []string{"Benchmarks Metadata:", "Benchmarks Info:", "Benchmarks Stats:",
	"Summary Info", "Token Statistics", "Latency Statistics", "Throughput Statistics"}

type guideText struct {
	in       *draft.File
	runs     []guideRun // one for each row
	titles   []string   // of the tables read so far
	title    string     // of the table being read
	header   [][]string // the rows of headers
	row      int        // index of the next row
	idle     int        // lines since the last line of a table
	metadata strings.Builder
	inside   bool // in the lines of the metadata
	metaLine int
}

type guideRun struct {
	draft.Draft
	name string
	last int
}

const guideGap = 40 // maximum number of lines between two tables, which covers the tables of words and images

func newGuideText() draft.LineReader { return &guideText{} }

func (t *guideText) Begin(in *draft.File) {
	*t = guideText{in: in}
}

func (t *guideText) Line(l scan.Line) bool {
	text := strings.TrimSpace(strings.TrimLeft(string(l.Text), "#> \t"))
	if title := guideTitle(text); title != "" {
		t.table(title, l)
		return true
	}
	if len(t.titles) == 0 {
		return false // a page that mentions the tables
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

// guideTitle returns the table whose title a line is, or "". It accepts titles that an author has numbered: "Request
// Latency Statistics 2 (Completed Requests)".
func guideTitle(text string) string {
	text = strings.TrimSpace(strings.TrimLeft(text, "ℹ*#- "))
	for _, title := range guideTitles {
		rest, ok := strings.CutPrefix(text, title)
		rest = strings.TrimRight(rest, "*: ")
		if ok && (rest == "" || strings.HasSuffix(rest, " (Completed Requests)") || strings.HasSuffix(rest, " (All Requests)")) {
			return title
		}
	}
	return ""
}

// guideCells splits a row of a table. It returns false for other lines. A rule is a row without cells.
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

// table begins a table. A second table with the same title belongs to another run.
func (t *guideText) table(title string, l scan.Line) {
	if slices.Contains(t.titles, title) || title == "Benchmarks Metadata" || title == "Run Summary Info" {
		t.close()
	}
	t.titles = append(t.titles, title)
	t.title, t.header, t.row, t.idle = title, nil, 0, 0
	if t.inside = title == "Benchmarks Metadata"; t.inside {
		t.title, t.metaLine = "", l.Number
		t.metadata.Reset()
	}
}

// cells reads a row of the table: a rule, a row of headers, or a benchmark.
func (t *guideText) cells(cells []string, l scan.Line) {
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
			t.title = ""
			t.in.NoResult(l.Number, locale.Textf("a table of GuideLLM with other headers than the tool's, or broken by a window"))
			return
		}
		t.header = append(t.header, spanned(cells))
	case len(cells) != len(t.header[0]) || cells[0] == "" || !l.Ended:
		t.title = ""
	default:
		t.benchmark(cells, l)
	}
}

// spanned fills the empty cells that a header spans.
func spanned(cells []string) []string {
	out := slices.Clone(cells)
	for i := 1; i < len(out); i++ {
		if out[i] == "" {
			out[i] = out[i-1]
		}
	}
	return out
}

// guideColumns maps the columns of the tables. The keys are the title and the headers.
var guideColumns = map[string]draft.Member{
	"Benchmarks Info|Metadata|Duration (s)":      {Name: "duration", Unit: "s"},
	"Benchmarks Info|Requests Made|Comp":         {Name: "requests_completed"},
	"Benchmarks Info|Requests Made|Inc":          {Name: "x_requests_incomplete", Unit: "1"},
	"Benchmarks Info|Requests Made|Err":          {Name: "requests_failed"},
	"Benchmarks Info|Prompt Tok/Req|Comp":        {Name: "x_mean_input_len", Unit: "tok"},
	"Benchmarks Info|Output Tok/Req|Comp":        {Name: "x_mean_output_len", Unit: "tok"},
	"Benchmarks Info|Prompt Tok Total|Comp":      {Name: "input_tokens", Unit: "tok"},
	"Benchmarks Info|Output Tok Total|Comp":      {Name: "output_tokens", Unit: "tok"},
	"Benchmarks Stats|Request Stats|Per Second":  {Name: "x_requests_per_second_mean", Unit: "req/s"},
	"Benchmarks Stats|Request Stats|Concurrency": {Name: "effective_concurrency"},
	"Benchmarks Stats|Out Tok/sec|mean":          {Name: "x_output_tokens_per_second_mean", Unit: "tok/s"},

	"Run Summary Info|Timings|Dur|Sec":                        {Name: "duration", Unit: "s"},
	"Run Summary Info|Input Tokens|Comp|Tot":                  {Name: "input_tokens", Unit: "tok"},
	"Run Summary Info|Output Tokens|Comp|Tot":                 {Name: "output_tokens", Unit: "tok"},
	"Request Token Statistics|Input Tok|Per Req|Mdn":          {Name: "x_median_input_len", Unit: "tok"},
	"Request Token Statistics|Output Tok|Per Req|Mdn":         {Name: "x_median_output_len", Unit: "tok"},
	"Server Throughput Statistics|Requests|Concurrency|Mean":  {Name: "effective_concurrency"},
	"Server Throughput Statistics|Requests|Per Sec|Mean":      {Name: "x_requests_per_second_all_mean", Unit: "req/s"},
	"Server Throughput Statistics|Input Tokens|Per Sec|Mean":  {Name: "x_prompt_tokens_per_second_all_mean", Unit: "tok/s"},
	"Server Throughput Statistics|Output Tokens|Per Sec|Mean": {Name: "x_output_tokens_per_second_all_mean", Unit: "tok/s"},
	"Server Throughput Statistics|Total Tokens|Per Sec|Mean":  {Name: "x_tokens_per_second_all_mean", Unit: "tok/s"},
}

// guideFamilies maps the latencies in both versions of the tables, with the unit of the figures.
var guideFamilies = map[string]draft.Member{
	"Req Latency (ms)":  {Name: "e2el", Unit: "s"}, // sic
	"Req Latency (sec)": {Name: "e2el", Unit: "s"},
	"TTFT (ms)":         {Name: "ttft", Unit: "ms"},
	"ITL (ms)":          {Name: "itl", Unit: "ms"},
	"TPOT (ms)":         {Name: "x_time_per_output_token", Unit: "ms"},

	"Request Latency|Sec": {Name: "e2el", Unit: "s"},
	"TTFT|ms":             {Name: "ttft", Unit: "ms"},
	"TTFOT|ms":            {Name: "x_time_to_first_output_token", Unit: "ms"},
	"ITL|ms":              {Name: "itl", Unit: "ms"},
	"TPOT|ms":             {Name: "tpot_incl_ttft", Unit: "ms"},
}

// benchmark reads one row.
func (t *guideText) benchmark(cells []string, l scan.Line) {
	if t.row == len(t.runs) {
		run := guideRun{name: cells[0]}
		run.Reset(t.in, "guidellm", "guidellm-text", l.Number)
		guideStrategyText(&run.Draft, cells[0], l.Number)
		t.runs = append(t.runs, run)
	}
	run := &t.runs[t.row]
	if run.name != cells[0] {
		t.title = "" // another sweep
		return
	}
	t.row++
	run.last = l.Number
	for i := 1; i < len(cells); i++ {
		path := t.title
		for _, row := range t.header {
			path += "|" + row[i]
		}
		if m, ok := guideColumns[path]; ok && !scan.IsMissing(cells[i]) {
			run.Number(m.Name, m.Unit, path, []byte(cells[i]), l.Number)
			continue
		}
		family, statistic := path[len(t.title)+1:], ""
		if cut := strings.LastIndexByte(family, '|'); cut >= 0 {
			family, statistic = family[:cut], family[cut+1:]
		}
		if m, ok := guideFamilies[family]; ok && !scan.IsMissing(cells[i]) {
			run.latency(m, statistic, path, cells, i, l)
		}
	}
}

// latency reads a statistic of a latency. If the latency was not measured, the first statistic, which is the mean or
// the median, is zero.
func (r *guideRun) latency(m draft.Member, statistic, path string, cells []string, i int, l scan.Line) {
	if statistic == "Mdn" {
		statistic = "median"
	}
	suffix, ok := draft.StatisticName(statistic)
	first := m.Name + "_mean"
	if suffix == "p95" {
		first = m.Name + "_p50"
	}
	if _, measured := r.Value(first); !ok || strings.Trim(cells[i], "0.") == "" || (suffix == "p95" || suffix == "p99") && !measured {
		return
	}
	r.Number(m.Name+"_"+suffix, m.Unit, path, []byte(cells[i]), l.Number)
}

// guideSettings lists the settings in 0.2 and 0.3, which are in the lines above the tables.
var guideSettings = []struct {
	pattern func() *lazy.Pattern
	label   string
}{
	{lazy.Regexp(`backend_model='([^']+)'`), "model_raw"},
	{lazy.Regexp(`backend_type='([^']+)'`), "backend"},
	{lazy.Regexp(` processor='([^']+)'`), "tokenizer"},
	{lazy.Regexp(`max_number=([0-9]+)`), "num_prompts"},
	{lazy.Regexp(`max_duration=([0-9.]+)`), "x_max_seconds"},
}

var guideLoaderData = lazy.Regexp(` data='([^']+)'`)

// close emits the benchmarks read so far.
func (t *guideText) close() {
	metadata := t.metadata.String()
	for i := range t.runs {
		run := &t.runs[i]
		input, hasInput := run.Value("input_tokens")
		output, hasOutput := run.Value("output_tokens")
		if _, known := run.Value("requests_completed"); !known && hasInput && hasOutput && input == 0 && output == 0 {
			run.Derive("requests_completed", 0, "no token of a completed request", run.Start)
		}
		if n, known := run.Value("requests_completed"); known && n == 0 {
			dropRates(&run.Draft)
		} else {
			ratesOverDuration(&run.Draft, run.Start)
		}
		for _, set := range guideSettings {
			if m := set.pattern().FindStringSubmatch(metadata); m != nil && len(m[1]) <= draft.MaxLabel {
				run.SetLabel(set.label, []byte(m[1]), t.metaLine)
			}
		}
		if m := guideLoaderData().FindStringSubmatch(metadata); m != nil {
			guideData(&run.Draft, m[1], t.metaLine)
		}
		if run.HasKnown() {
			run.Emit(run.last, true)
		}
	}
	t.runs, t.titles, t.title, t.inside = nil, nil, "", false
	t.metadata.Reset()
}

// dropRates removes the zeros of a benchmark without a completed request.
func dropRates(s *draft.Draft) {
	for _, name := range []string{"effective_concurrency", "x_requests_per_second_mean", "x_output_tokens_per_second_mean",
		"x_mean_input_len", "x_mean_output_len", "x_median_input_len", "x_median_output_len"} {
		for i := range s.Metrics {
			if s.Metrics[i].Name == name && s.Metrics[i].Value == 0 {
				s.Metrics = slices.Delete(s.Metrics, i, i+1)
				break
			}
		}
	}
}

func (t *guideText) End() { t.close() }
