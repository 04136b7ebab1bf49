package llamacpp

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// exllamaText reads the speeds that ExLlamaV2's test_inference.py measures (-ps, -s):
//
//	-- Model: /models/Llama-3-8B-exl2
//	-- Measuring prompt speed...
//	** Length   512 tokens:    7434.2341 t/s
//	-- Measuring token speed...
//	** Position   128 + 128 tokens:  144.9382 t/s
//
// and those that ExLlamaV3's eval/perf.py measures. Its prompts begin at position 0, and it generates 100 tokens after
// the context:
//
//	-- Bitrate: 4.01 bpw / 6.00 bpw (head)
//	Length    1024:    6233.01 tokens/s
//	Context   1024:      86.05 tokens/s
//
// Each line is a result: a prompt of that length, or that many tokens generated one by one after the position. Only the
// last folder of the model's path is kept.
//
// Source: test_inference.py of ExLlamaV2, eval/perf.py of ExLlamaV3.
type exllamaText struct {
	draft.Draft
	model    draft.Setting
	bitrate  draft.Setting
	commands draft.Commands
}

var exllamaMarks = []string{"-- Model: ", "** Length ", "** Position ", exllamaBitrate, "Length  ", "Context  ", "eval/perf.py"}

const exllamaBitrate = "-- Bitrate: "

func newExllamaText() draft.LineReader { return &exllamaText{} }

func (t *exllamaText) Begin(in *draft.File) {
	*t = exllamaText{Draft: t.Emptied(in), commands: draft.Commands{Names: [][]byte{[]byte("eval/perf.py")}, Repeats: true,
		Own: map[string]string{"m": "model_raw", "model_dir": "model_raw", "cq": "x_cache_quant", "cache_quant": "x_cache_quant",
			"chunk_size": "x_chunk_size", "tp": "x_tensor_parallel"}}}
	t.commands.Begin(in)
}

func (t *exllamaText) End() { t.commands.Settle() }

func (t *exllamaText) Line(l scan.Line) bool {
	text := strings.TrimSpace(string(l.Text))
	if model, ok := strings.CutPrefix(text, "-- Model: "); ok {
		model = strings.TrimRight(model, "/")
		t.model = draft.NewSetting("model_raw", model[strings.LastIndexByte(model, '/')+1:], l.Number)
		return false
	}
	if bitrate, ok := strings.CutPrefix(text, exllamaBitrate); ok {
		t.bitrate = draft.NewSetting("x_bitrate", bitrate, l.Number)
		return false
	}
	if t.commands.Line(l.Text, l.Number) {
		t.bitrate = draft.Setting{}
		return t.commands.Continued()
	}
	if t.ofV3(text, l) {
		return false
	}
	what, speed, ok := strings.Cut(text, " tokens:")
	number, hasUnit := strings.CutSuffix(strings.TrimSpace(speed), " t/s")
	if !ok || !hasUnit || !l.Ended {
		return false
	}
	t.Reset(t.In, "exllamav2", "exllamav2-text", l.Number)
	words := strings.Fields(what)
	switch {
	case len(words) == 3 && words[1] == "Length":
		t.SetText("input_len", words[2], l.Number)
		t.Number("prefill_throughput", "t/s", "Length", []byte(number), l.Number)
	case len(words) == 5 && words[1] == "Position" && words[3] == "+":
		t.SetText("context_depth", words[2], l.Number)
		t.SetText("output_len", words[4], l.Number)
		t.Number("decode_throughput", "t/s", "Position", []byte(number), l.Number)
	}
	if t.HasKnown() {
		t.SetText(t.model.Label, t.model.Value, t.model.Line)
		t.Imply("engine", "exllamav2", l.Number)
		t.Imply("max_concurrency", "1", l.Number)
		t.Emit(l.Number, true)
	}
	return false
}

// ofV3 reads a row of ExLlamaV3.
func (t *exllamaText) ofV3(text string, l scan.Line) bool {
	row, hasUnit := strings.CutSuffix(text, " tokens/s")
	what, number, ok := strings.Cut(row, ":")
	if !ok || !hasUnit || !l.Ended {
		return false
	}
	words := strings.Fields(what)
	if len(words) != 2 || !isCount([]byte(words[1])) {
		return false
	}
	label, metric := "input_len", "prefill_throughput"
	switch words[0] {
	case "Length":
	case "Context":
		label, metric = "context_depth", "decode_throughput"
	default:
		return false
	}
	t.Reset(t.In, "exllamav3", "exllamav3-text", l.Number)
	t.SetText(label, words[1], l.Number)
	if !t.Number(metric, "tok/s", words[0], []byte(strings.TrimSpace(number)), l.Number) {
		return false
	}
	t.SetText(t.bitrate.Label, t.bitrate.Value, t.bitrate.Line)
	t.Imply("engine", "exllamav3", l.Number)
	t.Imply("max_concurrency", "1", l.Number)
	t.Emit(l.Number, true)
	t.commands.Made(1, l.Number)
	return true
}
