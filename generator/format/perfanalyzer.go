package format

import (
	"bytes"
	"regexp"
	"strings"
)

// Triton's perf_analyzer measures any model that a server infers, and knows
// nothing of tokens. Each concurrency or request rate is a run of its own. All
// times are microseconds.
//
// Its throughput counts inferences: with a batch size b a request is b of them.
// The console states the batch size; the CSV does not, and stands for batches of
// one unless a command line above says otherwise. Server Queue is the mean wait
// in the server. The rows of the CSV are in order of rising throughput.
//
// Source: src/report_writer.cc, src/inference_profiler.cc (2022 to 2025).
type perfAnalyzer struct {
	sheet
	model, engine, batch string
	modelLine, batchLine int
	told                 bool // a table came after the command
}

var perfCommand = regexp.MustCompile(`perf_analyzer\s+(?:.*\s)?-m\s+(\S+)`)
var perfBatch = regexp.MustCompile(`\s(?:-b|--batch-size)[ =](\d+)`)
var perfKind = regexp.MustCompile(`\s--service-kind[ =](\w+)`)

// command takes the settings out of a command line above the figures.
func (p *perfAnalyzer) command(l line) bool {
	if !bytes.Contains(l.text, []byte("perf_analyzer ")) {
		return false
	}
	found := perfCommand.FindSubmatch(l.text)
	if found == nil {
		return false
	}
	p.model, p.modelLine, p.batch, p.engine, p.told = string(found[1]), l.number, "", "", false
	if b := perfBatch.FindSubmatch(l.text); b != nil {
		p.batch, p.batchLine = string(b[1]), l.number
	}
	if kind := perfKind.FindSubmatch(l.text); kind != nil {
		p.engine = string(kind[1])
	}
	return true
}

// throughput notes the rate of requests, and that of inferences when a request
// is several.
func (p *perfAnalyzer) throughput(text, field string, line int) {
	if p.batch == "" || p.batch == "1" {
		p.number("request_throughput", "infer/sec", field, []byte(text), line)
		return
	}
	p.number("x_inference_throughput", "infer/s", field, []byte(text), line)
	size, ok := parseNumber([]byte(p.batch))
	if rate, known := p.value("x_inference_throughput"); ok && known && size > 0 {
		p.derive("request_throughput", rate/size, field+" / batch size", line)
	}
}

func (p *perfAnalyzer) settings() {
	if p.model != "" {
		p.label("model_raw", []byte(p.model), p.modelLine)
	}
	if p.batch != "" {
		p.label("batch_size", []byte(p.batch), p.batchLine)
	}
	if p.engine != "" {
		p.label("x_service_kind", []byte(p.engine), p.modelLine)
	}
}

type perfAnalyzerCSV struct {
	perfAnalyzer
	header []string
}

var perfAnalyzerCSVMarks = []string{"Inferences/Second,Client Send", "perf_analyzer "}

func newPerfAnalyzerCSV() lineReader { return &perfAnalyzerCSV{} }

func (t *perfAnalyzerCSV) begin(in *input) {
	*t = perfAnalyzerCSV{perfAnalyzer: perfAnalyzer{sheet: sheet{in: in}}}
}

// perfColumns are the columns after the load and the throughput.
var perfColumns = []struct{ column, name, unit string }{
	{"client send", "x_client_send", "us"},
	{"network+server send/recv", "x_network_and_server_send_recv", "us"},
	{"server queue", "queue_mean", "us"},
	{"server compute input", "x_server_compute_input", "us"},
	{"server compute infer", "x_server_compute_infer", "us"},
	{"server compute output", "x_server_compute_output", "us"},
	{"client recv", "x_client_recv", "us"},
	{"avg latency", "e2el_mean", "us"},
}

func (t *perfAnalyzerCSV) line(l line) bool {
	cells := commas(nil, l.text, ',')
	switch {
	case t.command(l):
		t.header = nil
	case len(cells) > 2 && (cells[0] == "Concurrency" || cells[0] == "Request Rate") && cells[1] == "Inferences/Second":
		t.header = cells
		if t.told { // the command was that of the table before
			t.model, t.batch, t.engine = "", "", ""
		}
		t.told = true
	case t.header == nil:
		return false
	case len(bytes.TrimSpace(l.text)) == 0:
	case len(cells) < 3:
		t.header = nil
	default:
		t.row(cells, l)
	}
	return t.header != nil
}

func (t *perfAnalyzerCSV) row(cells []string, l line) {
	if !l.ended { // its last number may have lost digits
		cells = cells[:len(cells)-1]
	}
	head := newColumns(t.header)
	load, rate := cells[0], head.cell(cells, "inferences/second")
	if _, ok := parseNumber([]byte(load)); !ok || len(cells) > len(t.header) {
		t.header = nil
		return
	}
	t.reset(t.in, "perf_analyzer", "perf-analyzer-csv", l.number)
	if t.header[0] == "Concurrency" {
		t.label("max_concurrency", []byte(load), l.number)
	} else {
		t.label("request_rate", []byte(load), l.number)
	}
	t.throughput(rate, t.header[1], l.number)
	for _, c := range perfColumns {
		if text := head.cell(cells, c.column); text != "" {
			t.number(c.name, c.unit, c.column, []byte(text), l.number)
		}
	}
	for i, title := range t.header {
		percentile, ok := strings.CutSuffix(title, " latency")
		statistic, known := statisticName(percentile)
		if !ok || !known || statistic == "mean" || i >= len(cells) {
			continue
		}
		t.number("e2el_"+statistic, "us", title, []byte(cells[i]), l.number)
	}
	t.settings()
	if t.hasKnown() {
		t.hand(l.number, len(cells) == len(t.header))
	}
}

func (t *perfAnalyzerCSV) end() {}

// perfAnalyzerText reads what the console shows: a block for each load, and at
// the end a line for each. The lines count only where there is no block, and
// their latency is the average unless a percentile was asked to stabilise on.
type perfAnalyzerText struct {
	perfAnalyzer
	open    bool
	loads   map[string]bool // that have a block
	average bool            // the lines at the end tell the average latency
	server  bool            // in the part that the server tells
	last    int
	gap     int // lines since one that was understood
}

var perfAnalyzerTextMarks = []string{"perf_analyzer ", "*** Measurement Settings ***", "Request concurrency: ",
	"inference requests per second", "Inferences/Second vs. Client"}

func newPerfAnalyzerText() lineReader { return &perfAnalyzerText{} }

func (t *perfAnalyzerText) begin(in *input) {
	*t = perfAnalyzerText{perfAnalyzer: perfAnalyzer{sheet: sheet{in: in}}, loads: map[string]bool{}}
}

const maxPerfGap = 100 // lines of trials and of the server's models

var (
	perfSummary = regexp.MustCompile(`^(Concurrency|Request Rate): ([\d.]+), throughput: ([\d.]+) infer/sec, latency (\d+) usec$`)
	perfSpread  = regexp.MustCompile(`^(\d+) usec \(standard deviation (\d+) usec\)$`)
	perfQueue   = regexp.MustCompile(`\+ queue (\d+) usec`)
)

func (t *perfAnalyzerText) line(l line) bool {
	text := strings.TrimSpace(string(l.text))
	label, value, _ := labelled(l.text, ":")
	if t.gap++; t.gap > maxPerfGap {
		t.close()
		t.gap = 0
		return false
	}
	switch {
	case t.command(l):
		t.gap = 0
	case strings.HasPrefix(text, "*** Measurement Settings"):
		t.close()
		clear(t.loads)
		t.gap = 0
	case label == "Batch size" && !t.open:
		t.batch, t.batchLine = value, l.number
	case label == "Request concurrency":
		t.block("max_concurrency", value, l)
	case label == "Request Rate" && strings.HasSuffix(value, "inference requests per second"):
		rate, _, _ := quantity(value)
		t.block("request_rate", rate, l)
	case strings.HasPrefix(text, "Inferences/Second vs. Client"):
		t.close()
		t.gap = 0
		t.average = strings.Contains(text, "Client Average")
	case perfSummary.MatchString(text):
		t.summary(text, l)
	case t.open && l.ended:
		t.row(label, value, text, l)
	}
	return true
}

func (t *perfAnalyzerText) block(name, load string, l line) {
	t.close()
	if _, ok := parseNumber([]byte(load)); !ok {
		return
	}
	t.reset(t.in, "perf_analyzer", "perf-analyzer-text", l.number)
	t.label(name, []byte(load), l.number)
	t.loads[load] = true
	t.open, t.server, t.last, t.gap = true, false, l.number, 0
}

func (t *perfAnalyzerText) row(label, value, text string, l line) {
	number, unit, isNumber := quantity(value)
	n := len(t.metrics)
	switch {
	case text == "Client:":
		t.server = false
	case text == "Server:", strings.HasPrefix(text, "Composing models"), strings.HasPrefix(text, "Server Prometheus"):
		t.server = text == "Server:"
	case strings.HasPrefix(text, "Pass ["), strings.HasPrefix(text, "["): // trials, warnings
	case t.server && label == "Avg request latency":
		if queue := perfQueue.FindStringSubmatch(value); queue != nil {
			t.number("queue_mean", "us", "queue", []byte(queue[1]), l.number)
		}
	case t.server:
	case label == "Request count" && unit == "" && isNumber:
		t.number("requests_completed", "", label, []byte(number), l.number)
	case label == "Throughput" && unit == "infer/sec":
		t.throughput(number, label, l.number)
	case label == "Avg latency":
		if found := perfSpread.FindStringSubmatch(value); found != nil {
			t.number("e2el_mean", "us", label, []byte(found[1]), l.number)
			t.number("e2el_std", "us", "standard deviation", []byte(found[2]), l.number)
		}
	case unit == "usec" && strings.HasSuffix(label, " latency"):
		if statistic, ok := statisticName(strings.TrimSuffix(label, " latency")); ok {
			t.number("e2el_"+statistic, unit, label, []byte(number), l.number)
		}
	}
	if len(t.metrics) > n {
		t.last = l.number
	}
}

// summary reads a line at the end.
func (t *perfAnalyzerText) summary(text string, l line) {
	t.close()
	found := perfSummary.FindStringSubmatch(text)
	if t.gap = 0; t.loads[found[2]] || !l.ended {
		return
	}
	t.reset(t.in, "perf_analyzer", "perf-analyzer-text", l.number)
	if found[1] == "Concurrency" {
		t.label("max_concurrency", []byte(found[2]), l.number)
	} else {
		t.label("request_rate", []byte(found[2]), l.number)
	}
	t.throughput(found[3], "throughput", l.number)
	if t.average {
		t.number("e2el_mean", "us", "latency", []byte(found[4]), l.number)
	}
	t.settings()
	t.hand(l.number, true)
}

func (t *perfAnalyzerText) close() {
	if t.open && t.hasKnown() {
		t.settings()
		_, whole := t.value("e2el_p50")
		t.hand(t.last, whole)
	}
	t.open = false
}

func (t *perfAnalyzerText) end() { t.close() }
