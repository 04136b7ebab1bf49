package llamacpp

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// rkllmText reads what Rockchip's RKLLM runtime logs below an answer (RKLLM_LOG_LEVEL=1). Runtimes for other chips
// print the same:
//
//	I rkllm: rkllm-runtime version: 1.2.1, rknpu driver version: 0.9.8, platform: RK3588
//	I rkllm:  Model init time (ms)  3361.48
//	I rkllm:  Stage         Total Time (ms)  Tokens    Time per Token (ms)      Tokens per Second
//	I rkllm:  Prefill       2201.45          321       6.86                     145.81
//	I rkllm:  Generate      12419.47         102       121.76                   8.21
//	I rkllm:  Peak Memory Usage (GB)
//	I rkllm:  4.55
//
// Both stages together are one result.
type rkllmText struct {
	draft.Draft
	open      bool
	memory    bool // the next line has the memory
	last, gap int
	load      draft.Setting
	runtime   []draft.Setting
}

const (
	rkllmHead    = "Stage         Total Time (ms)"
	rkllmRuntime = "rkllm-runtime version: "
	rkllmLoad    = "Model init time (ms)"
	rkllmMemory  = "Peak Memory Usage (GB)"
)

var rkllmMarks = []string{rkllmHead, rkllmRuntime, rkllmLoad}

func newRKLLMText() draft.LineReader { return &rkllmText{} }

func (t *rkllmText) Begin(in *draft.File) { *t = rkllmText{Draft: t.Emptied(in)} }

func (t *rkllmText) End() { t.close() }

func (t *rkllmText) Line(l scan.Line) bool {
	text := strings.TrimSpace(string(l.Text))
	if _, version, ok := strings.Cut(text, rkllmRuntime); ok {
		t.close()
		t.version(version, l.Number)
		return false
	}
	if _, message, ok := strings.Cut(text, "rkllm: "); ok {
		text = strings.TrimSpace(message)
	}
	words := strings.Fields(text)
	switch {
	case strings.HasPrefix(text, rkllmLoad):
		t.close()
		t.load = draft.NewSetting("load_time", words[len(words)-1], l.Number)
		return false
	case strings.Contains(text, rkllmHead):
		t.close()
		start := l.Number
		if start-t.load.Line <= 2*draft.MaxGap && t.load.Value != "" {
			start = t.load.Line
		}
		t.Reset(t.In, "rkllm", "rkllm-text", start)
		if start < l.Number {
			t.Number("load_time", "ms", rkllmLoad, []byte(t.load.Value), start)
		}
		t.open = true
	case !t.open:
		return false
	case len(words) == 5 && words[0] == "Init": // its other cells are empty
		t.Number("load_time", "ms", words[0], []byte(words[1]), l.Number)
	case len(words) == 5 && l.Ended && t.stage(words, l.Number):
	case text == rkllmMemory:
		t.memory = true
	case t.memory && len(words) == 1 && l.Ended && t.Number("memory_used_max", "GB", rkllmMemory, []byte(words[0]), l.Number):
		t.memory = false
	default:
		if t.gap++; t.gap > 2*draft.MaxGap {
			t.close()
		}
		return t.open
	}
	t.last, t.gap = l.Number, 0
	return true
}

// version records the versions of the runtime and of the driver, and the chip.
func (t *rkllmText) version(text string, line int) {
	t.runtime = t.runtime[:0]
	for part := range strings.SplitSeq("engine_version: "+text, ", ") {
		name, value, ok := strings.Cut(part, ": ")
		label := map[string]string{"engine_version": "engine_version", "rknpu driver version": "x_rknpu_driver", "platform": "x_platform"}[name]
		if ok && label != "" {
			t.runtime = append(t.runtime, draft.NewSetting(label, value, line))
		}
	}
}

// stage reads the row of a stage.
func (t *rkllmText) stage(words []string, line int) bool {
	tokens, speed, time := "input_tokens", "prefill_throughput", "x_prefill_time"
	switch words[0] {
	case "Prefill":
	case "Generate":
		tokens, speed, time = "output_tokens", "decode_throughput", "x_decode_time"
	default:
		return false
	}
	t.Number(tokens, "tok", "Tokens", []byte(words[2]), line)
	t.Number(speed, "tok/s", "Tokens per Second", []byte(words[4]), line)
	t.Number(time, "ms", "Total Time", []byte(words[1]), line)
	return true
}

func (t *rkllmText) close() {
	_, whole := t.Value("decode_throughput")
	if t.open && t.HasKnown() {
		engine := "" // other runtimes print only the table
		for _, s := range t.runtime {
			t.SetText(s.Label, s.Value, s.Line)
			engine = "rkllm"
		}
		t.Imply("engine", engine, t.Start)
		t.Imply("max_concurrency", "1", t.Start)
		t.Emit(t.last, whole)
		t.load = draft.Setting{}
	}
	t.open, t.memory, t.gap = false, false, 0
}
