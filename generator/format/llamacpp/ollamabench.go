package llamacpp

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// ollamaBench reads what Ollama's cmd/bench prints. Each epoch is one answer and has a line for each step, in the form
// of Go's benchmarks or as CSV:
//
//	# Model: gemma3 | Params: 4.3B | Quant: Q4_K_M | Family: gemma3 | Size: 4080218931 | VRAM: 4080218931 | NumCtx: 4096
//	BenchmarkModel/name=gemma3/step=prefill 1 78125.00 ns/token 12800.00 token/sec
//	gemma3,prefill,128,78125.00,12800.00
//
// Each epoch is a result. The count after the name is the number of tokens in CSV and in the first versions, and 1
// otherwise. If a model's memory is more than its memory on the GPU, the rest is in the host's memory.
//
// Source: cmd/bench/bench.go, OutputMetrics, since 0.12.
type ollamaBench struct {
	draft.Draft
	open  bool
	csv   bool
	last  int             // line of the last step
	seen  map[string]bool // steps of the epoch
	about []draft.Setting // what the log states about the model
	spill draft.Setting   // set if a part of the model is in the host's memory
}

const (
	ollamaBenchRow   = "BenchmarkModel/name="
	ollamaBenchHead  = "NAME,STEP,COUNT,NS_PER_COUNT,TOKEN_PER_SEC"
	ollamaBenchModel = "# Model: "
)

var ollamaBenchMarks = []string{ollamaBenchRow, ollamaBenchHead, ollamaBenchModel}

// ollamaSteps maps the steps to their metrics: the time, and the rate and tokens if the step has them.
var ollamaSteps = map[string]struct{ time, rate, tokens string }{
	"prefill":  {"x_prefill_time_per_token", "prefill_throughput", "input_tokens"},
	"generate": {"x_generate_time_per_token", "decode_throughput", "output_tokens"},
	"ttft":     {"ttft_mean", "", ""},
	"load":     {"load_time", "", ""},
	"total":    {"duration", "", ""},
}

var ollamaBenchLabels = map[string]string{"Params": "params", "Quant": "quantization", "Family": "x_family", "NumCtx": "context_size"}

func newOllamaBench() draft.LineReader { return &ollamaBench{} }

func (t *ollamaBench) Begin(in *draft.File) {
	t.In, t.open, t.csv, t.about, t.spill = in, false, false, t.about[:0], draft.Setting{}
}

func (t *ollamaBench) Line(l scan.Line) bool {
	text := string(l.Text)
	if text == ollamaBenchHead {
		t.close()
		t.csv = true
		return true
	}
	if facts, ok := strings.CutPrefix(text, ollamaBenchModel); ok && strings.Contains(facts, " | Quant: ") {
		t.close()
		t.facts(facts, l)
		return true
	}
	model, step, figures := t.row(text)
	if _, known := ollamaSteps[step]; known && len(figures) == 3 {
		t.step(model, step, figures, l)
		return true
	}
	t.close()
	return t.csv && strings.TrimSpace(text) != ""
}

// facts reads what a line states about the model.
func (t *ollamaBench) facts(text string, l scan.Line) {
	t.about, t.spill = t.about[:0], draft.Setting{}
	memory := map[string]string{}
	facts := strings.Split(text, " | ")
	if !l.Ended {
		facts = facts[:len(facts)-1]
	}
	for _, fact := range facts[min(1, len(facts)):] {
		name, value, _ := strings.Cut(fact, ": ")
		memory[name] = value
		if label := ollamaBenchLabels[name]; label != "" && value != "unknown" {
			t.about = append(t.about, draft.NewSetting(label, value, l.Number))
		}
	}
	if size, vram := memory["Size"], memory["VRAM"]; size != "" && vram != "" && size != vram {
		t.spill = draft.NewSetting("cpu_offload", "true", l.Number)
	}
}

// row splits a line into the model, the step, and the step's count, time and rate.
func (t *ollamaBench) row(text string) (model, step string, figures []string) {
	if t.csv {
		cells := strings.Split(text, ",")
		if n := len(cells); n >= 5 {
			return strings.Join(cells[:n-4], ","), cells[n-4], cells[n-3:]
		}
		return "", "", nil
	}
	fields := strings.Fields(text)
	name, ok := "", len(fields) > 0
	if ok {
		name, ok = strings.CutPrefix(fields[0], ollamaBenchRow)
	}
	at := strings.LastIndex(name, "/step=")
	switch {
	case !ok || at < 0:
		return "", "", nil
	case len(fields) == 6 && fields[3] == "ns/token" && fields[5] == "token/sec":
		figures = []string{fields[1], fields[2], fields[4]}
	case len(fields) == 4 && (fields[3] == "ns/op" || fields[3] == "ns/request"):
		figures = []string{fields[1], fields[2], ""}
	}
	return name[:at], name[at+len("/step="):], figures
}

// step records a step. It begins a new epoch if the current one already has this step.
func (t *ollamaBench) step(model, step string, figures []string, l scan.Line) {
	if t.open && (t.seen[step] || t.Label("model_raw") != model) {
		t.close()
	}
	if !t.open {
		t.Reset(t.In, "ollama-bench", "ollama-bench-text", l.Number)
		t.open, t.seen = true, map[string]bool{}
		t.SetLabel("model_raw", []byte(model), l.Number)
		t.Fact([]byte("model"), []byte(model))
	}
	if t.csv && !l.Ended { // the last digits may be missing
		return
	}
	t.seen[step], t.last = true, l.Number
	names := ollamaSteps[step]
	positive := func(name, unit, field, text string) {
		if f, ok := scan.ParseFigure([]byte(text), 0); ok && f.Finite && f.Value > 0 {
			t.Number(name, unit, step+", "+field, []byte(text), l.Number)
		}
	}
	positive(names.time, "ns", "time", figures[1])
	if names.rate != "" {
		positive(names.rate, "tok/s", "token/sec", figures[2])
		if figures[0] != "1" {
			positive(names.tokens, "tok", "count", figures[0])
		}
	}
	if step == "total" {
		t.close()
	}
}

// close emits the epoch.
func (t *ollamaBench) close() {
	if t.open && t.HasKnown() {
		for _, s := range t.about {
			t.SetText(s.Label, s.Value, s.Line)
		}
		t.Imply(t.spill.Label, t.spill.Value, t.spill.Line)
		ollamaLabels(&t.Draft, t.Start)
		t.Emit(t.last, t.seen["total"])
	}
	t.open = false
}

func (t *ollamaBench) End() { t.close() }
