package llamacpp

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// mnnText reads what MNN's llm_demo prints after it has run a file of prompts:
//
//	#################################
//	prompt tokens num = 15
//	decode tokens num = 127
//	 vision time = 0.00 s
//	prefill time = 0.35 s
//	 decode time = 6.81 s
//	 sample time = 0.04 s
//	prefill speed = 42.86 tok/s
//	 decode speed = 18.64 tok/s
//	##################################
//
// Counts and times are sums over all prompts, which run one after the other. Each speed is a count over a time.
//
// Source: transformers/llm/engine/demo/llm_demo.cpp.
type mnnText struct {
	draft.Draft
	open      bool
	last, gap int
}

var mnnMarks = []string{"prompt tokens num"}

func newMNNText() draft.LineReader { return &mnnText{} }

func (t *mnnText) Begin(in *draft.File) { *t = mnnText{Draft: t.Emptied(in)} }

var mnnRows = map[string]draft.Member{
	"prompt tokens num":  {Name: "input_tokens", Unit: "tok"},
	"decode tokens num":  {Name: "output_tokens", Unit: "tok"},
	"output tokens num":  {Name: "output_tokens", Unit: "tok"}, // in earlier versions
	"prefill time":       {Name: "x_prefill_time", Unit: "s"},
	"first prefill time": {Name: "x_first_prefill_time", Unit: "s"},
	"decode time":        {Name: "x_decode_time", Unit: "s"},
	"sample time":        {Name: "x_sample_time", Unit: "s"},
	"vision time":        {Name: "x_vision_time", Unit: "s"},
	"audio time":         {Name: "x_audio_time", Unit: "s"},
	"prefill speed":      {Name: "prefill_throughput", Unit: "tok/s"},
	"decode speed":       {Name: "decode_throughput", Unit: "tok/s"},
}

func (t *mnnText) Line(l scan.Line) bool {
	label, value, ok := scan.Labelled(l.Text, "=")
	row, known := mnnRows[label]
	number, unit, isNumber := scan.Quantity(value)
	switch {
	case ok && label == "prompt tokens num" && isNumber && unit == "" && l.Ended:
		t.close()
		t.Reset(t.In, "mnn-llm", "mnn-llm-text", l.Number)
		t.open = true
	case !t.open:
		return false
	case !known || !isNumber || !l.Ended:
		if t.gap++; t.gap > draft.MaxGap {
			t.close()
		}
		return t.open
	}
	if strings.Trim(number, "0.") != "" { // zero means that there was no such part
		t.Number(row.Name, row.Unit, label, []byte(number), l.Number)
	}
	t.last, t.gap = l.Number, 0
	if label == "decode speed" {
		t.close()
	}
	return t.open
}

func (t *mnnText) close() {
	if _, whole := t.Value("decode_throughput"); t.open && t.HasKnown() {
		t.Imply("engine", "mnn", t.Start)
		t.Imply("max_concurrency", "1", t.Start)
		t.Emit(t.last, whole)
	}
	t.open = false
}

func (t *mnnText) End() { t.close() }
