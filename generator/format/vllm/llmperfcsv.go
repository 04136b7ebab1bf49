package vllm

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// A CSV table of llmperf's summaries is transposed: it has a row for each figure and a column for each concurrency. The
// first cell of the header is empty. Scripts make such tables with pandas from the files of llmperf-bench (llmperf.go).
// Some append the unit to the name: "first-time-to-token_mean_in_ms_(ttft)".
//
// The part that is read begins with the row of concurrencies.
var llmperfCSVMarks = []string{"concurrency,"}

// llmperfRows maps the rows. Names with "x_" are means of the tokens that were sent and generated.
var llmperfRows = map[string]draft.Member{
	"mean_input_token_length":        {Name: "x_mean_input_len", Unit: "tok"},
	"mean_output_token_length":       {Name: "x_mean_output_len", Unit: "tok"},
	"input_token_length":             {Name: "input_len"},
	"output_token_length":            {Name: "output_len"},
	"first-time-to-token_mean_in_ms": {Name: "ttft_mean", Unit: "ms"},
	"throughput_token_per_s":         {Name: "output_throughput", Unit: "tok/s"},
	"latency_ms_per_token":           {Name: "tpot_incl_ttft_mean", Unit: "ms"},
	"requests_per_minute":            {Name: "request_throughput", Unit: "req/min"},
}

type llmperfCSV struct {
	in    *draft.File
	runs  []draft.Draft // one for each column
	last  int
	whole bool // the last column is complete
	cells []string
}

func newLLMPerfCSV() draft.LineReader { return &llmperfCSV{} }

func (t *llmperfCSV) Begin(in *draft.File) {
	t.in, t.runs = in, nil
}

func (t *llmperfCSV) Line(l scan.Line) bool {
	if len(strings.TrimSpace(string(l.Text))) == 0 {
		return len(t.runs) > 0 // between CR and LF
	}
	t.cells = scan.Commas(t.cells[:0], l.Text, ',')
	name, _, _ := strings.Cut(t.cells[0], "_(")
	if name == "concurrency" {
		t.End()
		return t.header(l)
	}
	m, known := llmperfRows[name]
	if !known || len(t.cells) != len(t.runs)+1 && l.Ended {
		t.End()
		return false
	}
	for i, cell := range t.cells[1:] {
		if i >= len(t.runs) || scan.IsMissing(cell) || !l.Ended && i == len(t.cells)-2 {
			continue
		}
		if m.Unit == "" {
			t.runs[i].SetLabel(m.Name, []byte(cell), l.Number)
			continue
		}
		t.runs[i].Number(m.Name, m.Unit, t.cells[0], []byte(cell), l.Number)
	}
	t.last, t.whole = l.Number, t.whole && l.Ended
	return true
}

// header reads the row of concurrencies, which must be numbers.
func (t *llmperfCSV) header(l scan.Line) bool {
	for _, cell := range t.cells[1:] {
		if _, ok := scan.ParseFigure([]byte(cell), 0); !ok {
			return false
		}
	}
	t.runs, t.whole = make([]draft.Draft, len(t.cells)-1), true
	for i, cell := range t.cells[1:] {
		t.runs[i].Reset(t.in, "llmperf", "llmperf-csv", l.Number)
		t.runs[i].Fact([]byte("concurrency"), []byte(cell))
		t.runs[i].SetLabel("max_concurrency", []byte(cell), l.Number)
	}
	return len(t.runs) > 0
}

func (t *llmperfCSV) End() {
	for i := range t.runs {
		if t.runs[i].HasKnown() {
			t.runs[i].Emit(t.last, t.whole || i < len(t.runs)-1)
		}
	}
	t.runs = nil
}
