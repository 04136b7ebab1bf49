package vllm

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// vLLM's startup benchmark ("vllm bench startup", since 2026) starts the engine several times with empty caches (cold)
// and several times with filled caches (warm). Each kind is a result of its own, with the label x_startup.
//
// Times are in seconds. They include the compilation, whose time is zero if nothing was compiled.
//
// Source: vllm/benchmarks/startup.py.
func readVLLMStartup(in *draft.File, v *scan.Value) {
	for _, kind := range []string{"cold", "warm"} {
		mean := v.Get("avg_" + kind + "_startup_time")
		if !mean.Is() {
			continue
		}
		s := in.Begin("vllm-startup", "vllm-startup-json", v.Line)
		s.Take("startup_time", "s", mean)
		startupPercentiles(s, "x_startup_time", v.Get(kind+"_startup_percentiles"))
		if compilation := v.Get("avg_" + kind + "_compilation_time"); compiled(compilation) {
			s.Take("x_compilation_time", "s", compilation)
			startupPercentiles(s, "x_compilation_time", v.Get(kind+"_compilation_percentiles"))
		}
		s.SetLabel("x_startup", []byte(kind), mean.Line)
		s.Imply("engine", "vllm", v.Line)
		s.EmitObject(v)
	}
}

// compiled reports whether a compilation time was measured.
func compiled(v *scan.Value) bool {
	seconds, ok := v.Float()
	return ok && seconds > 0
}

func startupPercentiles(s *draft.Draft, name string, v *scan.Value) {
	for child := range v.Children() {
		if statistic, ok := draft.StatisticName(child.Key); ok {
			s.Take(name+"_"+statistic, "s", child)
		}
	}
}

var startupMarks = []string{"STARTUP TIME BENCHMARK RESULTS"}

// startupText reads
//
//	COLD STARTUP:
//	Avg total startup time: 61.32 seconds
//	Avg compilation time:   20.11 seconds
//	Startup time percentiles:
//	  10%: 60.80 seconds
//	Compilation time percentiles:
//	  10%: 19.90 seconds
type startupText struct {
	draft.Draft
	awake bool
	open  bool
	group string // whose percentiles follow
	last  int
}

func newStartupText() draft.LineReader { return &startupText{} }

func (t *startupText) Begin(in *draft.File) { t.In, t.awake, t.open = in, false, false }

func (t *startupText) Line(l scan.Line) bool {
	text := strings.TrimSpace(string(l.Text))
	if strings.HasSuffix(text, startupMarks[0]) {
		t.close(false)
		t.awake = true
		return true
	}
	kind, heads := strings.CutSuffix(text, " STARTUP:")
	label, rest, _ := scan.Labelled(l.Text, ":")
	number, unit, ok := scan.Quantity(rest)
	switch {
	case heads && (kind == "COLD" || kind == "WARM"):
		t.close(true)
		t.Reset(t.In, "vllm-startup", "vllm-startup-text", l.Number)
		t.SetLabel("x_startup", []byte(strings.ToLower(kind)), l.Number)
		t.open, t.group = true, ""
	case !t.open || text == "":
		return t.awake
	case label == "Startup time percentiles":
		t.group = "x_startup_time"
	case label == "Compilation time percentiles":
		t.group = "x_compilation_time"
	case !ok || unit != "seconds" || !l.Ended:
		t.close(strings.HasPrefix(text, "="))
		t.awake = false
	case label == "Avg total startup time":
		t.Number("startup_time", "s", label, []byte(number), l.Number)
	case label == "Avg compilation time":
		t.compilation("x_compilation_time", label, number, l.Number)
	case t.group != "":
		if statistic, ok := draft.StatisticName(label); ok {
			t.compilation(t.group+"_"+statistic, label, number, l.Number)
		}
	}
	if t.open {
		t.last = l.Number
	}
	return t.awake
}

// compilation adds a time unless it is zero, which means that nothing was compiled.
func (t *startupText) compilation(name, label, number string, line int) {
	if strings.Trim(number, "0.") != "" {
		t.Number(name, "s", label, []byte(number), line)
	}
}

func (t *startupText) close(whole bool) {
	if _, ok := t.Value("startup_time"); t.open && ok {
		t.Imply("engine", "vllm", t.Start)
		t.Emit(t.last, whole)
	}
	t.open = false
}

func (t *startupText) End() { t.close(false) }
