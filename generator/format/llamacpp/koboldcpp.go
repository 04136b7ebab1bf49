package llamacpp

import (
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// koboldText reads what KoboldCpp prints with --benchmark:
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
// The prompt fills the context up to what is generated. The total leaves out everything
// but the two. The flags hold paths of the machine and are left out.
//
// Source: koboldcpp.py.
type koboldText struct {
	draft.Draft
	open      bool
	last, gap int
}

var koboldMarks = []string{"Benchmark Completed - v", "Benchmark Completed - Results"}

func newKoboldText() draft.LineReader { return &koboldText{} }

func (t *koboldText) Begin(in *draft.File) { *t = koboldText{Draft: t.Emptied(in)} }

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

func (t *koboldText) Line(l scan.Line) bool {
	if t.In.Marked {
		t.close()
		t.Reset(t.In, "koboldcpp", "koboldcpp-text", l.Number)
		t.open, t.gap, t.last = true, 0, l.Number
		if _, version, ok := strings.Cut(string(l.Text), "Completed - v"); ok {
			version, _, _ = strings.Cut(version, " ")
			t.SetLabel("engine_version", []byte(version), l.Number)
		}
		return true
	}
	label, value, ok := scan.Labelled(l.Text, ":")
	row, known := koboldRows[label]
	switch {
	case !t.open:
		return false
	case !ok || !known || !l.Ended:
		if t.gap++; t.gap > draft.MaxGap {
			t.close()
		}
		return t.open
	case row.Unit == "":
		t.SetText(row.Name, value, l.Number)
	default:
		t.Number(row.Name, row.Unit, label, []byte(strings.TrimRight(value, "sT/")), l.Number)
	}
	t.last, t.gap = l.Number, 0
	if label == "TotalTime" {
		t.close()
	}
	return t.open
}

func (t *koboldText) close() {
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
	}
	t.open = false
}

func (t *koboldText) End() { t.close() }
