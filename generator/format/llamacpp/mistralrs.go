package llamacpp

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// mistralRSText reads the table of "mistralrs bench", which runs one stream at a time:
//
//	Model: org/model
//	Iterations: 3
//	│ Test                       ┆ T/s         ┆ Latency               │
//	│ Prefill (2048 tokens)      ┆ 103.3 ± 2.8 ┆ 19841.33 ms (prefill) │   since 2026 "TTFT (2048 input tokens)", "… ms TTFT"
//	│ Decode (256 tokens @ d512) ┆ 19.4 ± 0.2  ┆ 51.43 ms/T            │   and "… ms TPOT"
//
// and the table of mistralrs-bench before 2025, whose t/s is the rate of each request:
//
//	| model     | backend | test   | t/s          | ms/t         | concurrency | throughput/s |
//	| org/model | CUDA    | tg 128 | 73.838±0.496 | 13.544±0.092 |           1 |     73.83816 |
//
// Each row is a result. A row of several requests at once has their total rate and the rate of each, like the rows of
// llama-benchy.
//
// Source: mistralrs-cli/src/commands/bench.rs, mistralrs-bench/src/main.rs.
type mistralRSText struct {
	draft.Draft
	settings []draft.Setting // apply to the rows that follow
	version  draft.Setting
	header   []string
	start    int // line where the table begins
	rows     int
	gap      int // lines since the last line that was read
	commands draft.Commands
}

const mistralRSVersion = "mistral.rs version: "

var mistralRSMarks = []string{"Benchmark Results", "┆ T/s ", "| ms/t ", mistralRSVersion, "mistralrs bench", "mistralrs-bench"}

// mistralRSSettings maps lines above a table to labels.
var mistralRSSettings = map[string]string{"Model": "model_raw", "Adapter": "x_adapter", "Iterations": "x_iterations"}

const mistralRSGap = 20 // lines of the log that may lie between lines of a table

func newMistralRSText() draft.LineReader { return &mistralRSText{} }

func (t *mistralRSText) Begin(in *draft.File) {
	*t = mistralRSText{Draft: t.Emptied(in), commands: draft.Commands{Repeats: true, Mismatch: isOfOtherModel, Names: [][]byte{[]byte("mistralrs bench"), []byte("mistralrs-bench")},
		Own: map[string]string{"m": "model_raw", "model_id": "model_raw", "isq": "quantization", "quant": "quantization", "cpu": "x_cpu", "device_layers": "x_device_layers"}}}
	t.commands.Begin(in)
}

// isOfOtherModel reports whether a command names a different model than the table.
func isOfOtherModel(d *draft.Draft, s *draft.Settings) bool {
	asked := s.Get("model_raw")
	return asked != "" && asked != d.Label("model_raw")
}

func (t *mistralRSText) End() {
	t.close()
	t.commands.Settle()
}

func (t *mistralRSText) Line(l scan.Line) bool {
	if t.commands.Line(l.Text, l.Number) {
		t.close()
		return t.commands.Continued()
	}
	text := strings.TrimSpace(string(l.Text))
	if _, version, ok := strings.Cut(text, mistralRSVersion); ok {
		t.version = draft.NewSetting("engine_version", version, l.Number)
		return t.start > 0
	}
	if text == "Benchmark Results" {
		t.close()
		t.start = l.Number
		return true
	}
	cells, isRow := scan.Pipes(nil, l.Text)
	name, value, _ := strings.Cut(text, ": ")
	label := mistralRSSettings[name]
	t.gap++
	switch {
	case isRow && isMistralRSHead(cells):
		if t.header != nil || t.start == 0 {
			t.close()
			t.start = l.Number
		}
		t.header, t.gap = cells, 0
	case isRow && t.header != nil && len(cells) == len(t.header) && l.Ended:
		t.row(cells, l.Number)
		t.gap = 0
	case label != "" && t.start > 0 && t.header == nil && l.Ended:
		t.settings = append(t.settings, draft.NewSetting(label, value, l.Number))
	case t.gap > mistralRSGap:
		t.close()
	}
	return t.start > 0
}

// isMistralRSHead reports whether cells are the names of columns.
func isMistralRSHead(cells []string) bool {
	head := strings.Join(cells, " ")
	return head == "Test T/s Latency" || head == "model backend test t/s ms/t concurrency throughput/s"
}

// row reads a row: a test and its speed.
func (t *mistralRSText) row(cells []string, line int) {
	t.Reset(t.In, "mistralrs-bench", "mistralrs-bench-text", line)
	if len(cells) == 3 {
		t.test(cells, line)
	} else {
		t.earlier(cells, line)
	}
	if !t.HasKnown() {
		return
	}
	for _, s := range append(t.settings, t.version) {
		t.SetText(s.Label, s.Value, s.Line)
	}
	t.Imply("engine", "mistral.rs", line)
	t.Emit(line, true)
	t.rows++
}

// test reads a row of the current table.
func (t *mistralRSText) test(cells []string, line int) {
	name, about, ok := strings.Cut(strings.TrimSuffix(cells[0], ")"), " (")
	words := strings.Fields(about)
	rate, spread := scan.PlusMinus(cells[1])
	latency, unit, isTime := scan.Quantity(cells[2])
	if !ok || len(words) == 0 || !isCount([]byte(words[0])) || !isTime || !strings.HasPrefix(unit, "ms") {
		return
	}
	switch name {
	case "Prefill", "TTFT":
		t.SetText("input_len", words[0], line)
		t.Number("prefill_throughput", "tok/s", "T/s", []byte(rate), line)
		t.Number("x_prefill_throughput_std", "tok/s", "T/s ±", []byte(spread), line)
		if strings.Contains(unit, "TTFT") {
			t.Number("ttft_mean", "ms", "Latency", []byte(latency), line)
		} else {
			t.Number("x_prefill_time", "ms", "Latency", []byte(latency), line)
		}
	case "Decode":
		t.SetText("output_len", words[0], line)
		if depth, ok := strings.CutPrefix(words[len(words)-1], "d"); ok {
			t.SetText("context_depth", depth, line)
		}
		t.Number("decode_throughput", "tok/s", "T/s", []byte(rate), line)
		t.Number("x_decode_throughput_std", "tok/s", "T/s ±", []byte(spread), line)
		t.Number("tpot_mean", "ms", "Latency", []byte(latency), line)
	}
	t.Imply("max_concurrency", "1", line)
}

// earlier reads a row of the table before 2025.
func (t *mistralRSText) earlier(cells []string, line int) {
	kind, length, ok := strings.Cut(cells[2], " ")
	if !ok || !isCount([]byte(length)) || !isCount([]byte(cells[5])) {
		return
	}
	t.SetText("model_raw", cells[0], line)
	t.SetText("backend", cells[1], line)
	t.SetText("max_concurrency", cells[5], line)
	rate, spread := scan.PlusMinus(cells[3])
	each, _ := scan.PlusMinus(cells[4])
	total, request := "prefill_throughput", "x_pp_req_throughput"
	switch kind {
	case "pp":
		t.SetText("input_len", length, line)
	case "tg":
		total, request = "decode_throughput", "output_throughput_per_user"
		t.SetText("output_len", length, line)
		t.Number("tpot_mean", "ms", "ms/t", []byte(each), line)
	default:
		return
	}
	if cells[5] == "1" {
		t.Number(total, "tok/s", "t/s", []byte(rate), line)
		t.Number("x_"+total+"_std", "tok/s", "t/s ±", []byte(spread), line)
		return
	}
	t.Number(total, "tok/s", "throughput/s", []byte(cells[6]), line)
	t.Number(request, "tok/s", "t/s", []byte(rate), line)
	t.Number("x_"+strings.TrimPrefix(request, "x_")+"_std", "tok/s", "t/s ±", []byte(spread), line)
}

// close ends a table.
func (t *mistralRSText) close() {
	if t.rows > 0 {
		t.commands.Made(t.rows, t.start)
		t.version = draft.Setting{}
	}
	t.start, t.header, t.settings, t.rows, t.gap = 0, nil, t.settings[:0], 0, 0
}
