package llamacpp

import (
	"bytes"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/result"
)

// openVINOText reads what OpenVINO GenAI's benchmark_genai prints: mean and standard deviation over the iterations of
// one prompt. There is a version in Python and one in C++.
//
// Its throughput is 1000/TPOT, so it is the speed of decoding. TPOT excludes the first token. The spread of TPOT is
// that of single tokens, not of requests, so it keeps its own name. If only one token was generated there is no TPOT:
// the tool prints −1, and formerly printed TTFT in its place.
//
// "Throughput : 12 ± 1 tokens/s" has a space before the colon in Python. The README of 2024 has the unit there:
// "Throughput tokens/s: 12 ± 1".
//
// Source: samples/*/text_generation/benchmark_genai.*, src/cpp/src/perf_metrics.cpp.
type openVINOText struct {
	draft.Draft
	open  bool
	last  int
	gap   int
	above []draft.Setting

	commands draft.Commands
}

var openVINOMarks = []string{"Load time:", "Generate time:", "openvino runtime version:", "Prompt token size:", "Output token size:", "benchmark_genai"}

// openVINORow is a parsed row: "TPOT: 30.12 ± 1.05 ms/token", "Throughput tokens/s: 33.2".
type openVINORow struct {
	label         string
	value, spread []byte
	unit          string // from the label, or after the figures
	closed        bool   // a unit follows the figures
}

// openVINORowOf parses a line, and returns false if it is not a row.
func openVINORowOf(line []byte) (row openVINORow, ok bool) {
	const white = " \t\n\f\r"
	label, rest, ok := bytes.Cut(line, []byte(":"))
	label, ofLabel := bytes.CutSuffix(bytes.Trim(label, white), []byte(" tokens/s"))
	if row.label = string(label); ofLabel {
		row.unit = "tokens/s"
	}
	row.value, rest = figureAt(bytes.TrimLeft(rest, white))
	for _, sign := range []string{" ±", " Â±"} {
		if behind, spread := bytes.CutPrefix(rest, []byte(sign)); spread {
			behind = bytes.TrimPrefix(behind, []byte(" "))
			if row.spread, rest = figureAt(behind); row.spread == nil {
				rest, ok = bytes.CutPrefix(bytes.TrimPrefix(behind, []byte("-")), []byte("nan"))
			}
			break
		}
	}
	for _, unit := range []string{" ms/token", " ms", " tokens/s"} {
		if behind, found := bytes.CutPrefix(rest, []byte(unit)); found && !row.closed {
			row.unit, row.closed, rest = row.unit+unit[1:], true, behind
		}
	}
	return row, ok && row.value != nil && len(bytes.TrimLeft(rest, white)) == 0
}

// figureAt returns the figure at the beginning of text, or nil if there is none, and the text after it.
func figureAt(text []byte) (figure, rest []byte) {
	n := 0
	if len(text) > 0 && text[0] == '-' {
		n = 1
	}
	digits := n
	for n < len(text) && (scan.IsDigit(text[n]) || text[n] == '.') {
		n++
	}
	if n == digits {
		return nil, text
	}
	return text[:n], text[n:]
}

var openVINORows = map[string]struct{ mean, spread, unit string }{
	"Output token size":           {"x_mean_output_len", "", "tok"},
	"Load time":                   {"load_time", "", "ms"},
	"Generate time":               {"e2el_mean", "e2el_std", "ms"},
	"Tokenization time":           {"x_tokenization_time", "x_tokenization_time_std", "ms"},
	"Detokenization time":         {"x_detokenization_time", "x_detokenization_time_std", "ms"},
	"Embeddings preparation time": {"x_embeddings_preparation_time", "x_embeddings_preparation_time_std", "ms"},
	"TTFT":                        {"ttft_mean", "ttft_std", "ms"},
	"TPOT":                        {"tpot_mean", "x_tpot_std", "ms"},
	"Throughput":                  {"decode_throughput", "x_throughput_std", "tokens/s"},
}

const maxOpenVINOGap = 3

func newOpenVINOText() draft.LineReader { return &openVINOText{} }

func (t *openVINOText) Begin(in *draft.File) {
	*t = openVINOText{Draft: t.Draft, commands: newOpenVINOCommands()}
	t.In = in
	t.commands.Begin(in)
}

func (t *openVINOText) Line(l scan.Line) bool {
	if t.commands.Continued() || draft.CommandFlags(l.Text, openVINOCommands) >= 0 {
		t.close()
		t.commands.Line(l.Text, l.Number)
		return t.commands.Continued()
	}
	if label, value, ok := scan.Labelled(l.Text, ":"); ok {
		switch label {
		case "openvino runtime version":
			t.close()
			t.above = append(t.above[:0], draft.NewSetting("engine_version", value, l.Number))
		case "Prompt token size":
			t.close()
			t.above = append(t.above, draft.NewSetting("input_len", value, l.Number))
		}
	}
	found, ok := openVINORowOf(l.Text)
	row, known := openVINORows[found.label]
	unit := strings.TrimSuffix(found.unit, "/token")
	if unit == "" {
		unit = "tok" // a count
	}
	if !ok || !known || unit != row.unit || !l.Ended && !found.closed {
		return t.strange()
	}
	if _, again := t.Value(row.mean); again {
		t.close()
	}
	if !t.open {
		t.Reset(t.In, "openvino-genai", "openvino-genai-text", l.Number)
		t.open = true
	}
	t.last, t.gap = l.Number, 0
	if found.value[0] != '-' { // −1 means not measured
		t.Number(row.mean, row.unit, found.label, found.value, l.Number)
		if spread, ok := scan.ParseFigure(found.spread, 0); ok && spread.Finite && spread.Value > 0 {
			t.Number(row.spread, strings.Replace(row.unit, "tokens", "tok", 1), found.label+" ±", found.spread, l.Number)
		}
	}
	if row.mean == "decode_throughput" {
		t.close()
	}
	return t.open
}

func (t *openVINOText) strange() bool {
	if t.gap++; t.gap > maxOpenVINOGap {
		t.close()
	}
	return t.open
}

// close emits the block. A block with only load and generation time is dropped: any program may print these.
func (t *openVINOText) close() {
	if !t.open {
		return
	}
	t.open = false
	ttft, first := t.Value("ttft_mean")
	_, generated := t.Value("e2el_mean")
	if !first || !generated {
		return
	}
	if tpot, ok := t.Value("tpot_mean"); ok && tpot == ttft { // only one token was generated
		t.Metrics = slices.DeleteFunc(t.Metrics, func(m result.Metric) bool {
			return strings.Contains(m.Name, "tpot") || strings.Contains(m.Name, "throughput")
		})
	}
	for _, s := range t.above {
		t.SetLabel(s.Label, []byte(s.Value), s.Line)
	}
	t.above = nil
	t.Imply("engine", "openvino", t.Start)
	t.Imply("max_concurrency", "1", t.Start)
	t.Emit(t.last, true)
	t.commands.Made(1, t.Start)
}

func (t *openVINOText) End() {
	t.close()
	t.commands.Settle()
}
