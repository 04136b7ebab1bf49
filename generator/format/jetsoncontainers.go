package format

import (
	"regexp"
	"strings"
)

// The benchmarks of dusty-nv/jetson-containers (MLC, AWQ, and forks for others)
// put several prompts to a model one after the other, leave the first out, and
// print and save averages: "prefill_rate 582.8 tokens/sec". One stream; a rate of
// -1 is one that the engine does not tell. The times are computed from the rates,
// and decode_time from all tokens that were generated. The memory is the largest
// resident set of the processes, in units of 1024² bytes.
//
// NVIDIA's own pages (Jetson AI Lab) use vLLM's benchmark. The script for
// llama_cpp measures prompt and answer in one and is left to the generic formats.
//
// Source: packages/llm/mlc/benchmark.py.
const jetsonHeader = "hostname, api, model, precision, input_tokens, output_tokens, prefill_time, prefill_rate, decode_time, decode_rate"

type jetsonCSV struct {
	sheet
	header []string
}

var jetsonCSVMarks = []string{jetsonHeader}

func newJetsonCSV() lineReader { return &jetsonCSV{} }

func (t *jetsonCSV) begin(in *input) { *t = jetsonCSV{sheet: sheet{in: in}} }

// jetsonColumns are the columns that have a number.
var jetsonColumns = []struct{ column, name, unit string }{
	{"input_tokens", "x_mean_input_len", "tok"},
	{"output_tokens", "x_mean_output_len", "tok"},
	{"prefill_time", "x_prefill_time", "s"},
	{"prefill_rate", "prefill_throughput", "tok/s"},
	{"decode_time", "x_decode_time", "s"},
	{"decode_rate", "decode_throughput", "tok/s"},
	{"memory", "x_memory", "MiB"},
}

func (t *jetsonCSV) line(l line) bool {
	cells := commas(nil, l.text, ',')
	switch {
	case strings.Contains(string(l.text), jetsonHeader):
		t.header = cells
	case t.header == nil:
		return false
	case len(cells) == 1 && cells[0] == "":
	case len(cells) < len(t.header)-1, len(cells) > len(t.header):
		t.header = nil
	default:
		t.row(cells, l)
	}
	return t.header != nil
}

func (t *jetsonCSV) row(cells []string, l line) {
	head := newColumns(t.header)
	t.reset(t.in, "jetson-containers", "jetson-containers-csv", l.number)
	if !l.ended { // its last number may have lost digits
		cells = cells[:len(cells)-1]
	}
	for _, c := range jetsonColumns {
		text := head.cell(cells, c.column)
		if text == "" || strings.HasPrefix(text, "-") {
			continue
		}
		t.number(c.name, c.unit, c.column, []byte(text), l.number)
	}
	if _, told := t.value("decode_throughput"); !told { // computed from the rate of -1
		t.drop("x_decode_time")
	}
	for column, name := range map[string]string{"model": "model_raw", "api": "engine", "precision": "x_precision"} {
		if text := head.cell(cells, column); text != "" {
			t.label(name, []byte(text), l.number)
		}
	}
	if date := jetsonDate.FindStringSubmatch(head.cell(cells, "timestamp")); date != nil {
		t.label("date", []byte(date[1]+"-"+date[2]+"-"+date[3]+"T"+date[4]), l.number)
	}
	t.imply("max_concurrency", "1", l.number)
	if t.hasKnown() {
		t.hand(l.number, l.ended)
	}
}

var jetsonDate = regexp.MustCompile(`^(\d{4})(\d\d)(\d\d) (\d\d:\d\d:\d\d)$`)

func (t *jetsonCSV) end() {}

// jetsonAverages reads the averages as printed.
type jetsonAverages struct {
	sheet
	open bool
	last int
	gap  int
}

var jetsonTextMarks = []string{"AVERAGE OVER "}

func newJetsonAverages() lineReader { return &jetsonAverages{} }

func (t *jetsonAverages) begin(in *input) { *t = jetsonAverages{sheet: sheet{in: in}} }

var (
	jetsonAverage = regexp.MustCompile(`^AVERAGE OVER (\d+) RUNS?\s+\(input_tokens=(\d+), output_tokens=(\d+)\)`)
	jetsonRates   = regexp.MustCompile(`^(.+?):\s+prefill_time (\S+) sec, prefill_rate (\S+) tokens/sec, decode_time (\S+) sec, decode_rate (\S+) tokens/sec`)
	jetsonMemory  = regexp.MustCompile(`^Peak memory usage:\s+(\S+) MB`)
)

func (t *jetsonAverages) line(l line) bool {
	text := strings.TrimSpace(string(l.text))
	if found := jetsonAverage.FindStringSubmatch(text); found != nil {
		t.close()
		t.reset(t.in, "jetson-containers", "jetson-containers-text", l.number)
		t.open, t.last, t.gap = true, l.number, 0
		t.number("x_runs", "1", "AVERAGE OVER", []byte(found[1]), l.number)
		t.number("x_mean_input_len", "tok", "input_tokens", []byte(found[2]), l.number)
		t.number("x_mean_output_len", "tok", "output_tokens", []byte(found[3]), l.number)
		return true
	}
	if !t.open || !l.ended {
		return t.open
	}
	if found := jetsonRates.FindStringSubmatch(text); found != nil {
		t.label("model_raw", []byte(found[1]), l.number)
		for i, c := range jetsonColumns[2:6] {
			if !strings.HasPrefix(found[i+2], "-") {
				t.number(c.name, c.unit, c.column, []byte(found[i+2]), l.number)
			}
		}
		t.last, t.gap = l.number, 0
	} else if found := jetsonMemory.FindStringSubmatch(text); found != nil {
		t.number("x_memory", "MiB", "Peak memory usage", []byte(found[1]), l.number)
		t.last = l.number
		t.close()
	} else if t.gap++; t.gap > 5 {
		t.close()
	}
	return t.open
}

func (t *jetsonAverages) close() {
	if t.open && t.hasKnown() {
		t.imply("max_concurrency", "1", t.start)
		t.hand(t.last, true)
	}
	t.open = false
}

func (t *jetsonAverages) end() { t.close() }
