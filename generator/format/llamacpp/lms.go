package llamacpp

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// lmsText reads what LM Studio's command line prints below an answer, "lms chat MODEL --stats":
//
//	Prediction Stats:
//	  Stop Reason: eosFound
//	  Tokens/Second: 38.42
//	  Time to First Token: 0.215s
//	  Prompt Tokens: 28
//	  Predicted Tokens: 312
//	  Total Tokens: 340
//
// The tool leaves out rows whose values are unknown.
//
// Source: lms, src/subcommands/chat/util.ts.
type lmsText struct {
	draft.Draft
	open  bool
	last  int
	model draft.Setting
}

const lmsHead = "Prediction Stats:"

var lmsMarks = []string{lmsHead, lmsChat.command}

var lmsRows = map[string]draft.Member{
	"Stop Reason":         {Name: "x_stop_reason"},
	"Tokens/Second":       {Name: "decode_throughput", Unit: "tok/s"},
	"Time to First Token": {Name: "ttft_mean", Unit: "s"},
	"Prompt Tokens":       {Name: "input_tokens", Unit: "tok"},
	"Predicted Tokens":    {Name: "output_tokens", Unit: "tok"},
	"Total Tokens":        {},
}

func newLMSText() draft.LineReader { return &lmsText{} }

func (t *lmsText) Begin(in *draft.File) { *t = lmsText{Draft: t.Emptied(in)} }

func (t *lmsText) Line(l scan.Line) bool {
	line := strings.TrimSpace(string(l.Text))
	if model, named := lmsChat.modelIn(l.Text); named {
		t.close()
		t.model = draft.NewSetting("model_raw", model, l.Number)
		return false
	}
	if strings.HasSuffix(line, lmsHead) {
		t.close()
		t.Reset(t.In, "lm-studio", "lm-studio-text", l.Number)
		t.open, t.last = true, l.Number
		return true
	}
	label, value, ok := strings.Cut(line, ": ")
	row, known := lmsRows[label]
	if !t.open || !ok || !known || !l.Ended {
		t.close()
		return false
	}
	t.last = l.Number
	switch {
	case row.Unit != "":
		t.Number(row.Name, row.Unit, label, []byte(strings.TrimSuffix(value, "s")), l.Number)
	case row.Name != "":
		t.SetText(row.Name, value, l.Number)
	}
	return true
}

func (t *lmsText) close() {
	if t.open && t.HasKnown() {
		t.SetText(t.model.Label, t.model.Value, t.model.Line)
		t.Imply("engine", "lm-studio", t.Start)
		t.Imply("max_concurrency", "1", t.Start)
		t.Emit(t.last, true)
	}
	t.open = false
}

func (t *lmsText) End() { t.close() }
