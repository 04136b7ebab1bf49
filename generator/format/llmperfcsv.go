package format

import "strings"

// A table of llmperf's summaries lies on its side: a row for each figure, a column
// for each concurrency, the first cell of the header empty. Scripts make it with
// pandas out of what llmperf-bench saves (llmperf.go); some put the unit behind the
// name, "first-time-to-token_mean_in_ms_(ttft)".
//
// It begins with the row of concurrencies.
var llmperfCSVMarks = []string{"concurrency,"}

// llmperfRows are its rows, with "x_" for the mean of what was sent and generated.
var llmperfRows = map[string]member{
	"mean_input_token_length":        {name: "x_mean_input_len", unit: "tok"},
	"mean_output_token_length":       {name: "x_mean_output_len", unit: "tok"},
	"input_token_length":             {name: "input_len"},
	"output_token_length":            {name: "output_len"},
	"first-time-to-token_mean_in_ms": {name: "ttft_mean", unit: "ms"},
	"throughput_token_per_s":         {name: "output_throughput", unit: "tok/s"},
	"latency_ms_per_token":           {name: "tpot_incl_ttft_mean", unit: "ms"},
	"requests_per_minute":            {name: "request_throughput", unit: "req/min"},
}

type llmperfCSV struct {
	in    *input
	runs  []sheet // one for each column
	last  int
	whole bool // the last column
	cells []string
}

func newLLMPerfCSV() lineReader { return &llmperfCSV{} }

func (t *llmperfCSV) begin(in *input) {
	t.in, t.runs = in, nil
}

func (t *llmperfCSV) line(l line) bool {
	if len(strings.TrimSpace(string(l.text))) == 0 {
		return len(t.runs) > 0 // after a carriage return
	}
	t.cells = commas(t.cells[:0], l.text, ',')
	name, _, _ := strings.Cut(t.cells[0], "_(")
	if name == "concurrency" {
		t.end()
		return t.header(l)
	}
	m, known := llmperfRows[name]
	if !known || len(t.cells) != len(t.runs)+1 && l.ended {
		t.end()
		return false
	}
	for i, cell := range t.cells[1:] {
		if i >= len(t.runs) || isMissing(cell) || !l.ended && i == len(t.cells)-2 {
			continue
		}
		if m.unit == "" {
			t.runs[i].label(m.name, []byte(cell), l.number)
			continue
		}
		t.runs[i].number(m.name, m.unit, t.cells[0], []byte(cell), l.number)
	}
	t.last, t.whole = l.number, t.whole && l.ended
	return true
}

// header reads the row of concurrencies, which must be numbers.
func (t *llmperfCSV) header(l line) bool {
	for _, cell := range t.cells[1:] {
		if _, ok := parseFigure([]byte(cell), 0); !ok {
			return false
		}
	}
	t.runs, t.whole = make([]sheet, len(t.cells)-1), true
	for i, cell := range t.cells[1:] {
		t.runs[i].reset(t.in, "llmperf", "llmperf-csv", l.number)
		t.runs[i].fact([]byte("concurrency"), []byte(cell))
		t.runs[i].label("max_concurrency", []byte(cell), l.number)
	}
	return len(t.runs) > 0
}

func (t *llmperfCSV) end() {
	for i := range t.runs {
		if t.runs[i].hasKnown() {
			t.runs[i].hand(t.last, t.whole || i < len(t.runs)-1)
		}
	}
	t.runs = nil
}
