package nvidia

import (
	"bytes"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
)

// Triton's perf_analyzer measures any model on a server and does not know about tokens. Each concurrency or request
// rate is a run of its own. All times are in microseconds.
//
// Its throughput counts inferences: with a batch size of b, a request has b of them. The console shows the batch size.
// The CSV does not; it is read with a batch size of one unless a command line above shows another. Server Queue is the
// mean wait in the server. The rows of the CSV are sorted by throughput.
//
// Source: src/report_writer.cc, src/inference_profiler.cc (2022 to 2025).
type perfAnalyzer struct {
	draft.Draft
	model, engine, batch string
	modelLine, batchLine int
	used                 bool // a table has followed the command
}

var perfCommand = lazy.Regexp(`perf_analyzer\s+(?:.*\s)?-m\s+(\S+)`)
var perfBatch = lazy.Regexp(`\s(?:-b|--batch-size)[ =](\d+)`)
var perfKind = lazy.Regexp(`\s--service-kind[ =](\w+)`)

// command reads the settings in a command line above the figures.
func (p *perfAnalyzer) command(l scan.Line) bool {
	if !bytes.Contains(l.Text, []byte("perf_analyzer ")) {
		return false
	}
	found := perfCommand().FindSubmatch(l.Text)
	if found == nil {
		return false
	}
	p.model, p.modelLine, p.batch, p.engine, p.used = string(found[1]), l.Number, "", "", false
	if b := perfBatch().FindSubmatch(l.Text); b != nil {
		p.batch, p.batchLine = string(b[1]), l.Number
	}
	if kind := perfKind().FindSubmatch(l.Text); kind != nil {
		p.engine = string(kind[1])
	}
	return true
}

// throughput adds the rate of requests, and the rate of inferences if a request has several.
func (p *perfAnalyzer) throughput(text, field string, line int) {
	if p.batch == "" || p.batch == "1" {
		p.Number("request_throughput", "infer/sec", field, []byte(text), line)
		return
	}
	p.Number("x_inference_throughput", "infer/s", field, []byte(text), line)
	size, ok := scan.ParseNumber([]byte(p.batch))
	if rate, known := p.Value("x_inference_throughput"); ok && known && size > 0 {
		p.Derive("request_throughput", rate/size, field+" / batch size", line)
	}
}

func (p *perfAnalyzer) settings() {
	if p.model != "" {
		p.SetLabel("model_raw", []byte(p.model), p.modelLine)
	}
	if p.batch != "" {
		p.SetLabel("batch_size", []byte(p.batch), p.batchLine)
	}
	if p.engine != "" {
		p.SetLabel("x_service_kind", []byte(p.engine), p.modelLine)
	}
}

type perfAnalyzerCSV struct {
	perfAnalyzer
	header  []string
	columns scan.Columns
	cells   []string
}

var perfAnalyzerCSVMarks = []string{"Inferences/Second,Client Send", "perf_analyzer "}

func newPerfAnalyzerCSV() draft.LineReader { return &perfAnalyzerCSV{} }

func (t *perfAnalyzerCSV) Begin(in *draft.File) {
	*t = perfAnalyzerCSV{perfAnalyzer: perfAnalyzer{Draft: t.Emptied(in)}}
}

// perfColumns lists the columns after the load and the throughput.
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

func (t *perfAnalyzerCSV) Line(l scan.Line) bool {
	t.cells = scan.Commas(t.cells[:0], l.Text, ',')
	cells := t.cells
	switch {
	case t.command(l):
		t.header = nil
	case len(cells) > 2 && (cells[0] == "Concurrency" || cells[0] == "Request Rate") && cells[1] == "Inferences/Second":
		t.header, t.columns = slices.Clone(cells), t.In.Columns(cells)
		if t.used { // the command belongs to the previous table
			t.model, t.batch, t.engine = "", "", ""
		}
		t.used = true
	case t.header == nil:
		return false
	case len(bytes.TrimSpace(l.Text)) == 0:
	case len(cells) < 3:
		t.header = nil
	default:
		t.row(cells, l)
	}
	return t.header != nil
}

func (t *perfAnalyzerCSV) row(cells []string, l scan.Line) {
	if !l.Ended { // digits of the last number may be missing
		cells = cells[:len(cells)-1]
	}
	load, rate := cells[0], t.columns.Cell(cells, "inferences/second")
	if _, ok := scan.ParseNumber([]byte(load)); !ok || len(cells) > len(t.header) {
		t.header = nil
		return
	}
	t.Reset(t.In, "perf_analyzer", "perf-analyzer-csv", l.Number)
	if t.header[0] == "Concurrency" {
		t.SetLabel("max_concurrency", []byte(load), l.Number)
	} else {
		t.SetLabel("request_rate", []byte(load), l.Number)
	}
	t.throughput(rate, t.header[1], l.Number)
	for _, c := range perfColumns {
		if text := t.columns.Cell(cells, c.column); text != "" {
			t.Number(c.name, c.unit, c.column, []byte(text), l.Number)
		}
	}
	for i, title := range t.header {
		percentile, ok := strings.CutSuffix(title, " latency")
		statistic, known := draft.StatisticName(percentile)
		if !ok || !known || statistic == "mean" || i >= len(cells) {
			continue
		}
		t.Number("e2el_"+statistic, "us", title, []byte(cells[i]), l.Number)
	}
	t.settings()
	if t.HasKnown() {
		t.Emit(l.Number, len(cells) == len(t.header))
	}
}

func (t *perfAnalyzerCSV) End() {}

// perfAnalyzerText reads the console output: a block for each load and, at the end, a line for each load. A line at the
// end counts only if its load has no block. Its latency is the average unless the user selected a percentile for
// stabilization.
type perfAnalyzerText struct {
	perfAnalyzer
	open    bool
	loads   map[string]bool // loads that have a block
	average bool            // the lines at the end have the average latency
	server  bool            // in the part with the server's figures
	last    int
	gap     int // lines since the last known one
}

var perfAnalyzerTextMarks = []string{"perf_analyzer ", "*** Measurement Settings ***", "Request concurrency: ",
	"inference requests per second", "Inferences/Second vs. Client"}

func newPerfAnalyzerText() draft.LineReader { return &perfAnalyzerText{} }

func (t *perfAnalyzerText) Begin(in *draft.File) {
	*t = perfAnalyzerText{perfAnalyzer: perfAnalyzer{Draft: t.Emptied(in)}, loads: map[string]bool{}}
}

const maxPerfGap = 100 // covers the lines of trials and of the server's models

var (
	perfSummary = lazy.Regexp(`^(Concurrency|Request Rate): ([\d.]+), throughput: ([\d.]+) infer/sec, latency (\d+) usec$`)
	perfSpread  = lazy.Regexp(`^(\d+) usec \(standard deviation (\d+) usec\)$`)
	perfQueue   = lazy.Regexp(`\+ queue (\d+) usec`)
)

func (t *perfAnalyzerText) Line(l scan.Line) bool {
	text := strings.TrimSpace(string(l.Text))
	label, value, _ := scan.Labelled(l.Text, ":")
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
		t.batch, t.batchLine = value, l.Number
	case label == "Request concurrency":
		t.block("max_concurrency", value, l)
	case label == "Request Rate" && strings.Contains(value, " inference requests per second"): // or "seconds"
		rate, _, _ := scan.Quantity(value)
		t.block("request_rate", rate, l)
	case strings.HasPrefix(text, "Inferences/Second vs. Client"):
		t.close()
		t.gap = 0
		t.average = strings.Contains(text, "Client Average")
	case perfSummary().MatchString(text):
		t.summary(text, l)
	case t.open && l.Ended:
		t.row(label, value, text, l)
	}
	return true
}

func (t *perfAnalyzerText) block(name, load string, l scan.Line) {
	t.close()
	if _, ok := scan.ParseNumber([]byte(load)); !ok {
		return
	}
	t.Reset(t.In, "perf_analyzer", "perf-analyzer-text", l.Number)
	t.SetLabel(name, []byte(load), l.Number)
	t.loads[load] = true
	t.open, t.server, t.last, t.gap = true, false, l.Number, 0
}

func (t *perfAnalyzerText) row(label, value, text string, l scan.Line) {
	number, unit, isNumber := scan.Quantity(value)
	n := len(t.Metrics)
	switch {
	case text == "Client:":
		t.server = false
	case text == "Server:", strings.HasPrefix(text, "Composing models"), strings.HasPrefix(text, "Server Prometheus"):
		t.server = text == "Server:"
	case strings.HasPrefix(text, "Pass ["), strings.HasPrefix(text, "["): // trials, warnings
	case t.server && label == "Avg request latency":
		if queue := perfQueue().FindStringSubmatch(value); queue != nil {
			t.Number("queue_mean", "us", "queue", []byte(queue[1]), l.Number)
		}
	case t.server:
	case label == "Request count" && unit == "" && isNumber:
		t.Number("requests_completed", "", label, []byte(number), l.Number)
	case label == "Delayed Request Count" && unit == "" && isNumber: // requests sent later than the rate requires
		t.Number("x_requests_delayed", "1", label, []byte(number), l.Number)
	case label == "Throughput" && unit == "infer/sec":
		t.throughput(number, label, l.Number)
	case label == "Avg latency":
		if found := perfSpread().FindStringSubmatch(value); found != nil {
			t.Number("e2el_mean", "us", label, []byte(found[1]), l.Number)
			t.Number("e2el_std", "us", "standard deviation", []byte(found[2]), l.Number)
		}
	case unit == "usec" && strings.HasSuffix(label, " latency"):
		if statistic, ok := draft.StatisticName(strings.TrimSuffix(label, " latency")); ok {
			t.Number("e2el_"+statistic, unit, label, []byte(number), l.Number)
		}
	}
	if len(t.Metrics) > n {
		t.last = l.Number
	}
}

// summary reads a line at the end.
func (t *perfAnalyzerText) summary(text string, l scan.Line) {
	t.close()
	found := perfSummary().FindStringSubmatch(text)
	if t.gap = 0; t.loads[found[2]] || !l.Ended {
		return
	}
	t.Reset(t.In, "perf_analyzer", "perf-analyzer-text", l.Number)
	if found[1] == "Concurrency" {
		t.SetLabel("max_concurrency", []byte(found[2]), l.Number)
	} else {
		t.SetLabel("request_rate", []byte(found[2]), l.Number)
	}
	t.throughput(found[3], "throughput", l.Number)
	if t.average {
		t.Number("e2el_mean", "us", "latency", []byte(found[4]), l.Number)
	}
	t.settings()
	t.Emit(l.Number, true)
}

func (t *perfAnalyzerText) close() {
	if t.open && t.HasKnown() {
		t.settings()
		_, whole := t.Value("e2el_p50")
		t.Emit(t.last, whole)
	}
	t.open = false
}

func (t *perfAnalyzerText) End() { t.close() }
