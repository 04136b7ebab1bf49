package llamacpp

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
)

// koboldText reads the line that KoboldCpp prints for each answer (koboldAnswer), and the block that it prints with
// --benchmark:
//
//	Benchmark Completed - v1.93.2 Results:
//	======
//	Flags: …
//	Model: Llama-3-8B-Q4_K_M
//	MaxCtx: 4096
//	GenAmount: 100
//	-----
//	ProcessingTime: 1.875s
//	ProcessingSpeed: 2131.20T/s
//	GenerationTime: 2.220s
//	GenerationSpeed: 45.05T/s
//	TotalTime: 4.095s
//
// The line of the benchmark's answer is above the block. The prompt fills the context except for the tokens to
// generate. The total covers only processing and generation. The flags contain paths of the machine and are left out.
//
// Source: koboldcpp.py, gpttype_adapter.cpp.
type koboldText struct {
	draft.Draft
	open           bool
	answered       bool // the draft is an answer, perhaps that of the benchmark below it
	last, gap      int
	model, version draft.Setting // as printed when the program starts
	commands       draft.Commands
}

const (
	koboldVersion = "Welcome to KoboldCpp - Version "
	koboldModel   = "Loading Text Model: "
	koboldFull    = "Completed - v" // followed by a version
)

var koboldMarks = []string{"Benchmark " + koboldFull, "Benchmark Completed - Results", "CtxLimit:", "ContextLimit:", koboldVersion, koboldModel, "koboldcpp"}

// koboldCommands lists the names of the program.
var koboldCommands = [][]byte{[]byte("koboldcpp"), []byte("koboldcpp.py"), []byte("koboldcpp.exe"), []byte("koboldcpp-linux-x64"),
	[]byte("koboldcpp-mac-arm64"), []byte("koboldcpp_nocuda.exe"), []byte("koboldcpp_rocm.exe"), []byte("koboldcpp-nocuda.exe")}

var koboldArguments = map[string]string{
	"model": "model_raw", "gpulayers": "gpu_layers", "contextsize": "context_size", "threads": "threads",
}

func newKoboldText() draft.LineReader { return &koboldText{} }

func (t *koboldText) Begin(in *draft.File) {
	*t = koboldText{Draft: t.Emptied(in), commands: draft.Commands{Names: koboldCommands, Own: koboldArguments, Repeats: true}}
	t.commands.Begin(in)
}

var koboldRows = map[string]draft.Member{
	"Timestamp":       {Name: "date"},
	"Backend":         {Name: "backend"},
	"Layers":          {Name: "gpu_layers"},
	"Model":           {Name: "model_raw"},
	"MaxCtx":          {Name: "context_size"},
	"GenAmount":       {Name: "output_len"},
	"ProcessingTime":  {Name: "x_processing_time", Unit: "s"},
	"ProcessingSpeed": {Name: "prefill_throughput", Unit: "tok/s"},
	"GenerationTime":  {Name: "x_generation_time", Unit: "s"},
	"GenerationSpeed": {Name: "decode_throughput", Unit: "tok/s"},
	"TotalTime":       {Name: "duration", Unit: "s"},
}

// koboldAnswer matches the line below an answer. Its optional parts depend on the version: in 2023 only the times per
// token, since 2025 only the speeds. Cached tokens are not processed. The total is the time of processing and
// generation; its speed is that of the answer's tokens.
//
//	CtxLimit:1127/8192, Amt:128/512, Init:0.02s, Process:0.81s (0.8ms/T = 1233.33T/s), Generate:3.51s (27.4ms/T = 36.47T/s), Total:4.32s (29.63T/s)
var koboldAnswer = lazy.Regexp(`(?:CtxLimit|ContextLimit): ?(\d+)/(\d+), (?:Amt: ?(\d+)/(\d+), )?(?:Init: ?([\d.]+)s, )?` +
	`Process(?:ing)?: ?([\d.]+)s \((?:([\d.]+)ms/T)?(?: = )?(?:([\d.]+)T/s)?\), ` +
	`Generat(?:e|ion): ?([\d.]+)s \((?:([\d.]+)ms/T)?(?: = )?(?:([\d.]+)T/s)?\), Total: ?([\d.]+)s(?: \(([\d.]+)T/s\))?`)

// koboldFields lists the groups of koboldAnswer in order.
var koboldFields = []draft.Member{
	{Key: "CtxLimit, used", Name: "x_context_used", Unit: "tok"}, {Name: "context_size"},
	{Key: "Amt", Name: "output_tokens", Unit: "tok"}, {Name: "output_len"}, {Key: "Init", Name: "x_init_time", Unit: "s"},
	{Key: "Process", Name: "x_processing_time", Unit: "s"}, {Key: "Process, per token", Name: "x_processing_time_per_token", Unit: "ms"},
	{Key: "Process, T/s", Name: "prefill_throughput", Unit: "tok/s"},
	{Key: "Generate", Name: "x_generation_time", Unit: "s"}, {Key: "Generate, per token", Name: "tpot_mean", Unit: "ms"},
	{Key: "Generate, T/s", Name: "decode_throughput", Unit: "tok/s"},
	{Key: "Total", Name: "duration", Unit: "s"}, {Key: "Total, T/s", Name: "output_throughput", Unit: "tok/s"},
}

// answer reads the line below an answer, and returns false for any other line.
func (t *koboldText) answer(l scan.Line) bool {
	if !bytes.Contains(l.Text, []byte("Limit:")) {
		return false
	}
	groups := koboldAnswer().FindSubmatch(l.Text)
	if groups == nil {
		return false
	}
	t.close()
	t.Reset(t.In, "koboldcpp", "koboldcpp-text", l.Number)
	for i, f := range koboldFields {
		switch group := groups[i+1]; {
		case len(group) == 0:
		case f.Unit == "":
			t.SetText(f.Name, string(group), l.Number)
		default:
			t.Number(f.Name, f.Unit, f.Key, group, l.Number)
		}
	}
	if each, ok := t.Value("x_processing_time_per_token"); ok && len(groups[8]) == 0 && each > 0 {
		t.Derive("prefill_throughput", 1000/each, "1000 / Process, per token", l.Number)
	}
	if each, ok := t.Value("tpot_mean"); ok && len(groups[11]) == 0 && each > 0 {
		t.Derive("decode_throughput", 1000/each, "1000 / Generate, per token", l.Number)
	}
	for _, above := range []draft.Setting{t.model, t.version} {
		t.SetText(above.Label, above.Value, above.Line)
	}
	t.Imply("engine", "koboldcpp", l.Number)
	t.Imply("max_concurrency", "1", l.Number)
	t.answered, t.last = true, l.Number
	return true
}

// context reads a line that has the version, the model or the command of the answers below it.
func (t *koboldText) context(l scan.Line) bool {
	if _, version, ok := bytes.Cut(l.Text, []byte(koboldVersion)); ok {
		t.model, t.version = draft.Setting{}, draft.NewSetting("engine_version", string(version), l.Number)
		return true
	}
	if _, model, ok := bytes.Cut(l.Text, []byte(koboldModel)); ok {
		t.model = draft.NewSetting("model_raw", string(model), l.Number)
		return true
	}
	return t.commands.Line(l.Text, l.Number)
}

func (t *koboldText) Line(l scan.Line) bool {
	if t.answered && len(bytes.TrimSpace(l.Text)) > 0 && !bytes.Contains(l.Text, []byte("Benchmark Completed - ")) {
		t.close()
	}
	if (t.In.Marked || t.commands.Continued()) && (t.answer(l) || t.context(l)) {
		return t.open || t.answered || t.commands.Continued()
	}
	if t.In.Marked && bytes.Contains(l.Text, []byte("Benchmark Completed - ")) {
		if !t.answered {
			t.close()
			t.Reset(t.In, "koboldcpp", "koboldcpp-text", l.Number)
		}
		t.open, t.answered, t.gap, t.last = true, false, 0, l.Number
		if _, version, ok := strings.Cut(string(l.Text), koboldFull); ok {
			version, _, _ = strings.Cut(version, " ")
			t.SetLabel("engine_version", []byte(version), l.Number)
		}
		return true
	}
	label, value, ok := scan.Labelled(l.Text, ":")
	row, known := koboldRows[label]
	_, again := t.Value(row.Name)
	switch {
	case !t.open:
		return t.answered
	case !ok || !known || !l.Ended:
		if t.gap++; t.gap > draft.MaxGap {
			t.close()
		}
		return t.open
	case row.Unit == "":
		t.SetText(row.Name, value, l.Number)
	case !again: // unless it is known from the line of the answer
		t.Number(row.Name, row.Unit, label, []byte(strings.TrimRight(value, "sT/")), l.Number)
	}
	t.last, t.gap = l.Number, 0
	if label == "TotalTime" {
		t.close()
	}
	return t.open
}

func (t *koboldText) close() {
	if t.answered {
		t.Emit(t.last, true)
		t.commands.Made(1, t.last)
	}
	if t.open && t.HasKnown() {
		context, err1 := strconv.Atoi(t.Label("context_size"))
		generated, err2 := strconv.Atoi(t.Label("output_len"))
		if err1 == nil && err2 == nil && context > generated {
			t.Imply("input_len", strconv.Itoa(context-generated), t.Start)
		}
		t.Imply("engine", "koboldcpp", t.Start)
		t.Imply("max_concurrency", "1", t.Start)
		_, whole := t.Value("duration")
		t.Emit(t.last, whole)
		t.commands.Made(1, t.Start)
	}
	t.open, t.answered = false, false
}

func (t *koboldText) End() {
	t.close()
	t.commands.Settle()
}
