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
// Every line is a run of its own: a prompt of that length, or so many tokens generated
// one by one behind the position. Of the model's path the last folder is kept.
//
// Source: test_inference.py.
type exllamaText struct {
	draft.Draft
	model     string
	modelLine int
}

var exllamaMarks = []string{"-- Model: ", "** Length ", "** Position "}

func newExllamaText() draft.LineReader { return &exllamaText{} }

func (t *exllamaText) Begin(in *draft.File) { *t = exllamaText{Draft: t.Emptied(in)} }

func (t *exllamaText) End() {}

func (t *exllamaText) Line(l scan.Line) bool {
	text := strings.TrimSpace(string(l.Text))
	if model, ok := strings.CutPrefix(text, "-- Model: "); ok {
		model = strings.TrimRight(model, "/")
		t.model, t.modelLine = model[strings.LastIndexByte(model, '/')+1:], l.Number
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
		if t.model != "" {
			t.SetText("model_raw", t.model, t.modelLine)
		}
		t.Imply("engine", "exllamav2", l.Number)
		t.Imply("max_concurrency", "1", l.Number)
		t.Emit(l.Number, true)
	}
	return false
}
