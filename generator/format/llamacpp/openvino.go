package llamacpp

import (
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/result"
)

// openVINOText reads what OpenVINO GenAI's benchmark_genai prints, of which there
// is one in Python and one in C++: mean and standard deviation over the
// iterations, of one prompt.
//
// Its throughput is 1000/TPOT, so it is the speed of decoding. TPOT leaves the
// first token out; its spread is that of single tokens, not of requests, and
// keeps a name of its own. With one token generated there is no TPOT: the tool
// prints −1, and once printed TTFT in its place.
//
// "Throughput : 12 ± 1 tokens/s" has a space before the colon in Python, and the
// README of 2024 has the unit there: "Throughput tokens/s: 12 ± 1".
//
// Source: samples/*/text_generation/benchmark_genai.*, src/cpp/src/perf_metrics.cpp.
type openVINOText struct {
	draft.Draft
	open  bool
	last  int
	gap   int
	above []draft.Setting
}

var openVINOMarks = []string{"Load time:", "Generate time:", "openvino runtime version:", "Prompt token size:", "Output token size:"}

var openVINORow = lazy.Regexp(`^\s*([A-Za-z ]+?)(?: (tokens/s))?\s*:\s*(-?[\d.]+)(?: (?:Â)?± ?(-?[\d.]+|-?nan))?(?: (ms/token|ms|tokens/s))?\s*$`)

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
	*t = openVINOText{Draft: t.Draft}
	t.In = in
}

func (t *openVINOText) Line(l scan.Line) bool {
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
	m := openVINORow().FindSubmatch(l.Text)
	if m == nil {
		return t.strange()
	}
	row, known := openVINORows[string(m[1])]
	unit := strings.TrimSuffix(string(m[2])+string(m[5]), "/token")
	if unit == "" {
		unit = "tok" // a count
	}
	if !known || unit != row.unit || !l.Ended && len(m[5]) == 0 {
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
	if m[3][0] != '-' { // −1 is not measured
		t.Number(row.mean, row.unit, string(m[1]), m[3], l.Number)
		if spread, ok := scan.ParseFigure(m[4], 0); ok && spread.Finite && spread.Value > 0 {
			t.Number(row.spread, strings.Replace(row.unit, "tokens", "tok", 1), string(m[1])+" ±", m[4], l.Number)
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

// close emits the block. Load and generation time alone are any program's.
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
	if tpot, ok := t.Value("tpot_mean"); ok && tpot == ttft { // one token
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
}

func (t *openVINOText) End() { t.close() }
