package nvidia

import (
	"bytes"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
)

// The benchmarks of dusty-nv/jetson-containers (MLC, AWQ, and forks for others) send several prompts to a model one
// after the other, ignore the first one, and print and save averages: "prefill_rate 582.8 tokens/sec". There is one
// stream. A rate of -1 means that the engine does not report it. The times are computed from the rates, and decode_time
// from all generated tokens. The memory is the maximum resident set of the processes, in units of 1024² bytes.
//
// NVIDIA's own pages (Jetson AI Lab) use vLLM's benchmark. The script for llama_cpp measures prompt and answer
// together; the generic formats read its output.
//
// Source: packages/llm/mlc/benchmark.py.
const jetsonHeader = "hostname, api, model, precision, input_tokens, output_tokens, prefill_time, prefill_rate, decode_time, decode_rate"

type jetsonCSV struct {
	draft.Draft
	header  []string
	columns scan.Columns
	cells   []string
}

var jetsonCSVMarks = []string{jetsonHeader}

func newJetsonCSV() draft.LineReader { return &jetsonCSV{} }

func (t *jetsonCSV) Begin(in *draft.File) { *t = jetsonCSV{Draft: t.Emptied(in)} }

// jetsonColumns lists the columns with numbers.
var jetsonColumns = []struct{ column, name, unit string }{
	{"input_tokens", "x_mean_input_len", "tok"},
	{"output_tokens", "x_mean_output_len", "tok"},
	{"prefill_time", "x_prefill_time", "s"},
	{"prefill_rate", "prefill_throughput", "tok/s"},
	{"decode_time", "x_decode_time", "s"},
	{"decode_rate", "decode_throughput", "tok/s"},
	{"memory", "x_memory", "MiB"},
}

func (t *jetsonCSV) Line(l scan.Line) bool {
	t.cells = scan.Commas(t.cells[:0], l.Text, ',')
	cells := t.cells
	switch {
	case bytes.Contains(l.Text, []byte(jetsonHeader)):
		t.header, t.columns = slices.Clone(cells), t.In.Columns(cells)
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

func (t *jetsonCSV) row(cells []string, l scan.Line) {
	head := t.columns
	t.Reset(t.In, "jetson-containers", "jetson-containers-csv", l.Number)
	if !l.Ended { // digits of the last number may be missing
		cells = cells[:len(cells)-1]
	}
	for _, c := range jetsonColumns {
		text := head.Cell(cells, c.column)
		if text == "" || strings.HasPrefix(text, "-") {
			continue
		}
		t.Number(c.name, c.unit, c.column, []byte(text), l.Number)
	}
	if _, reported := t.Value("decode_throughput"); !reported { // decode_time was computed from a rate of -1
		t.Drop("x_decode_time")
	}
	for _, c := range [...]struct{ column, name string }{{"model", "model_raw"}, {"api", "engine"}, {"precision", "x_precision"}} {
		if text := head.Cell(cells, c.column); text != "" {
			t.SetLabel(c.name, []byte(text), l.Number)
		}
	}
	if date := jetsonDate().FindStringSubmatch(head.Cell(cells, "timestamp")); date != nil {
		t.SetLabel("date", []byte(date[1]+"-"+date[2]+"-"+date[3]+"T"+date[4]), l.Number)
	}
	t.Imply("max_concurrency", "1", l.Number)
	if t.HasKnown() {
		t.Emit(l.Number, l.Ended)
	}
}

var jetsonDate = lazy.Regexp(`^(\d{4})(\d\d)(\d\d) (\d\d:\d\d:\d\d)$`)

func (t *jetsonCSV) End() {}

// jetsonAverages reads the printed averages.
type jetsonAverages struct {
	draft.Draft
	open bool
	last int
	gap  int
}

var jetsonTextMarks = []string{"AVERAGE OVER "}

func newJetsonAverages() draft.LineReader { return &jetsonAverages{} }

func (t *jetsonAverages) Begin(in *draft.File) { *t = jetsonAverages{Draft: t.Emptied(in)} }

var (
	jetsonAverage = lazy.Regexp(`^AVERAGE OVER (\d+) RUNS?\s+\(input_tokens=(\d+), output_tokens=(\d+)\)`)
	jetsonRates   = lazy.Regexp(`^(.+?):\s+prefill_time (\S+) sec, prefill_rate (\S+) tokens/sec, decode_time (\S+) sec, decode_rate (\S+) tokens/sec`)
	jetsonMemory  = lazy.Regexp(`^Peak memory usage:\s+(\S+) MB`)
)

func (t *jetsonAverages) Line(l scan.Line) bool {
	text := strings.TrimSpace(string(l.Text))
	if found := jetsonAverage().FindStringSubmatch(text); found != nil {
		t.close()
		t.Reset(t.In, "jetson-containers", "jetson-containers-text", l.Number)
		t.open, t.last, t.gap = true, l.Number, 0
		t.Number("x_runs", "1", "AVERAGE OVER", []byte(found[1]), l.Number)
		t.Number("x_mean_input_len", "tok", "input_tokens", []byte(found[2]), l.Number)
		t.Number("x_mean_output_len", "tok", "output_tokens", []byte(found[3]), l.Number)
		return true
	}
	if !t.open || !l.Ended {
		return t.open
	}
	if found := jetsonRates().FindStringSubmatch(text); found != nil {
		t.SetLabel("model_raw", []byte(found[1]), l.Number)
		for i, c := range jetsonColumns[2:6] {
			if !strings.HasPrefix(found[i+2], "-") {
				t.Number(c.name, c.unit, c.column, []byte(found[i+2]), l.Number)
			}
		}
		t.last, t.gap = l.Number, 0
	} else if found := jetsonMemory().FindStringSubmatch(text); found != nil {
		t.Number("x_memory", "MiB", "Peak memory usage", []byte(found[1]), l.Number)
		t.last = l.Number
		t.close()
	} else if t.gap++; t.gap > 5 {
		t.close()
	}
	return t.open
}

func (t *jetsonAverages) close() {
	if t.open && t.HasKnown() {
		t.Imply("max_concurrency", "1", t.Start)
		t.Emit(t.last, true)
	}
	t.open = false
}

func (t *jetsonAverages) End() { t.close() }
