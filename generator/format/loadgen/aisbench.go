package loadgen

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// AISBench, the benchmark of the Ascend community, prints two tables in frames. It saves the first as CSV and the
// second as JSON:
//
//	│ Performance Parameters   │ Stage   │ Average     │ Min   │ … │ P99   │  N  │
//	│ TTFT                     │ total   │ 238.6 ms    │ …
//	│ Common Metric            │ Stage   │ Value              │
//	│ Benchmark Duration       │ total   │ 41161.2934 ms      │
//
// TPOT is (E2EL − TTFT)/(output tokens − 1) of each request, ITL the gaps of all requests. "Concurrency" is measured:
// it is the sum of the latencies divided by the duration. "Prefill Token Throughput" is the input tokens divided by the
// sum of all waits for the first token. "OutputTokenThroughput" is the speed of one request, including its wait. Both
// keep the tool's name. The stage is "total", or "stable" for the part between ramp-up and drain.
//
// Source: ais_bench/benchmark/summarizers/default_perf.py, calculators.
type aisTable struct {
	draft.Draft
	form        string // "text", "csv"
	open, whole bool
	header      []string // of the first table; nil in the second
	common      bool     // in the second table
	task        string
	taskLine    int
	last, gap   int
}

const aisTask = "Performance Results of task ["

var (
	aisTextMarks = []string{aisTask, "│ Performance Parameters", "│ Common Metric"}
	aisCSVMarks  = []string{"Performance Parameters,Stage,"}
)

func newAISText() draft.LineReader { return &aisTable{form: "text"} }
func newAISCSV() draft.LineReader  { return &aisTable{form: "csv"} }

func (t *aisTable) Begin(in *draft.File) { *t = aisTable{Draft: t.Emptied(in), form: t.form} }

func (t *aisTable) End() { t.close() }

// aisFamilies maps the rows of the first table that are latencies, or speeds of one request.
var aisFamilies = map[string]string{"E2EL": "e2el", "TTFT": "ttft", "TPOT": "tpot", "ITL": "itl",
	"OutputTokenThroughput": "x_request_output_throughput", "PrefillTokenThroughput": "x_request_prefill_throughput"}

// aisCommon maps the rows of the second table, in lower case.
var aisCommon = map[string]draft.Member{
	"benchmark duration":       {Name: "duration", Unit: "ms"},
	"total requests":           {Name: "num_prompts"},
	"failed requests":          {Name: "requests_failed", Unit: "1"},
	"success requests":         {Name: "requests_completed", Unit: "1"},
	"concurrency":              {Name: "effective_concurrency", Unit: "1"},
	"max concurrency":          {Name: "max_concurrency"},
	"request throughput":       {Name: "request_throughput", Unit: "req/s"},
	"total input tokens":       {Name: "input_tokens", Unit: "tok"},
	"total generated tokens":   {Name: "output_tokens", Unit: "tok"},
	"prefill token throughput": {Name: "x_prefill_token_throughput", Unit: "tok/s"},
	"input token throughput":   {Name: "input_throughput", Unit: "tok/s"},
	"output token throughput":  {Name: "output_throughput", Unit: "tok/s"},
	"total token throughput":   {Name: "total_throughput", Unit: "tok/s"},
}

func (t *aisTable) Line(l scan.Line) bool {
	if _, task, ok := strings.Cut(string(l.Text), aisTask); ok {
		t.close()
		t.task, _, _ = strings.Cut(task, "]")
		t.taskLine = l.Number
		return false
	}
	cells, ok := t.split(l)
	switch {
	case !ok:
		if strings.Trim(strings.TrimSpace(string(l.Text)), "╒╤╕╞╪╡├┼┤╘╧╛─═") != "" {
			t.gap++
		}
		if t.gap > draft.MaxGap || t.form == "csv" {
			t.close()
		}
		return t.open
	case cells[0] == "Performance Parameters" && len(cells) > 3:
		t.close()
		t.begin(l.Number)
		t.header, t.common = cells, false
	case cells[0] == "Common Metric" && len(cells) == 3:
		if !t.open || t.common {
			t.close()
			t.begin(l.Number)
		}
		t.header, t.common = nil, true
	case !t.open:
	case !l.Ended: // digits may be missing
		t.whole = false
	case t.common && len(cells) == 3:
		t.stage(cells[1], l.Number)
		t.whole = aisRow(&t.Draft, cells[0], cells[2], l.Number) || t.whole
	case t.header != nil && len(cells) == len(t.header):
		t.stage(cells[1], l.Number)
		t.statistics(cells, l.Number)
	}
	t.last, t.gap = l.Number, 0
	return t.open
}

func (t *aisTable) split(l scan.Line) ([]string, bool) {
	if t.form == "csv" {
		cells := scan.Commas(nil, l.Text, ',')
		return cells, len(cells) > 3
	}
	return scan.Pipes(nil, l.Text)
}

func (t *aisTable) begin(line int) {
	t.Reset(t.In, "aisbench", "aisbench-"+t.form, line)
	t.open, t.whole, t.gap = true, t.form == "csv", 0
	if t.task != "" && line-t.taskLine <= draft.MaxGap {
		t.SetText("x_task", t.task, t.taskLine)
	}
}

func (t *aisTable) stage(stage string, line int) {
	if stage != "" && t.Label("x_stage") == "" {
		t.SetText("x_stage", stage, line)
	}
}

// statistics reads a row of the first table.
func (t *aisTable) statistics(cells []string, line int) {
	name := aisFamilies[cells[0]]
	if name == "" {
		name = "x_" + draft.Snake(cells[0])
	}
	for i, column := range t.header {
		number, unit, isNumber := scan.Quantity(cells[i])
		statistic, ok := draft.StatisticName(column)
		switch {
		case !ok || !isNumber:
		case cells[0] == "InputTokens" && statistic == "mean":
			t.Number("x_mean_input_len", "tok", cells[0], []byte(number), line)
		case cells[0] == "OutputTokens" && statistic == "mean":
			t.Number("x_mean_output_len", "tok", cells[0], []byte(number), line)
		case cells[0] == "InputTokens" || cells[0] == "OutputTokens":
		default:
			if known, shift, ok := draft.UnitOf(unit); ok && shift == 0 {
				unit = known
			}
			t.Number(name+"_"+statistic, unit, cells[0], []byte(number), line)
		}
	}
}

// aisRow reads a row of the second table. It reports whether the row is the last one.
func aisRow(s *draft.Draft, name, value string, line int) bool {
	row, known := aisCommon[strings.ToLower(name)]
	number, unit, isNumber := scan.Quantity(value)
	switch {
	case !known || !isNumber:
	case row.Unit == "":
		s.SetText(row.Name, number, line)
	default:
		if known, shift, ok := draft.UnitOf(unit); ok && shift == 0 {
			unit = known
		} else if unit == "" {
			unit = row.Unit
		}
		s.Number(row.Name, unit, name, []byte(number), line)
	}
	return row.Name == "total_throughput"
}

func (t *aisTable) close() {
	if t.open && t.HasKnown() {
		t.DropUnmeasured()
		dropUncounted(&t.Draft)
		t.Emit(t.last, t.whole)
	}
	t.open, t.header, t.common = false, nil, false
}

// dropUncounted removes the input tokens, and the figures that include them, if AISBench did not count them, as for
// images. The input is 0 then, and the total has only the output tokens.
func dropUncounted(s *draft.Draft) {
	if n, ok := s.Value("input_tokens"); !ok || n > 0 {
		return
	}
	for _, name := range []string{"input_tokens", "input_throughput", "total_throughput", "x_mean_input_len", "x_prefill_token_throughput"} {
		s.Drop(name)
	}
}

// isAISCommon reports whether an object is the second table as JSON: {"Benchmark Duration": {"total": "12.5 ms"}}.
func isAISCommon(v *scan.Value) bool {
	return v.Get("Benchmark Duration").Is() && v.Get("Benchmark Duration").Kind == '{' && v.Get("Success Requests") != nil
}

func readAISCommon(in *draft.File, v *scan.Value) {
	s := in.Begin("aisbench", "aisbench-json", v.Line)
	for row := range v.Children() {
		for stage := range row.Children() {
			if s.Label("x_stage") == "" {
				s.SetText("x_stage", stage.Key, stage.Line)
			}
			if stage.Key == s.Label("x_stage") {
				aisRow(s, row.Key, stage.AsWritten(), stage.Line)
			}
		}
	}
	dropUncounted(s)
	s.EmitObject(v)
}
