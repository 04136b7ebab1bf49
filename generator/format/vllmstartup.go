package format

import (
	"strings"
)

// vLLM's startup benchmark ("vllm bench startup", since 2026) starts the engine
// several times, with its caches emptied (cold) and not (warm). Either is a result
// of its own, told apart by the label x_startup.
//
// Times are in seconds; the compilation's part of them is zero where nothing is
// compiled.
//
// Source: vllm/benchmarks/startup.py.
func readVLLMStartup(in *input, v *value) {
	for _, kind := range []string{"cold", "warm"} {
		mean := v.get("avg_" + kind + "_startup_time")
		if !mean.is() {
			continue
		}
		s := in.begin("vllm-startup", "vllm-startup-json", v.line)
		s.take("startup_time", "s", mean)
		s.startupPercentiles("x_startup_time", v.get(kind+"_startup_percentiles"))
		if compilation := v.get("avg_" + kind + "_compilation_time"); s.compiled(compilation) {
			s.take("x_compilation_time", "s", compilation)
			s.startupPercentiles("x_compilation_time", v.get(kind+"_compilation_percentiles"))
		}
		s.label("x_startup", []byte(kind), mean.line)
		s.imply("engine", "vllm", v.line)
		s.finish(v)
	}
}

// compiled tells whether a time of compilation was measured.
func (s *sheet) compiled(v *value) bool {
	seconds, ok := v.float()
	return ok && seconds > 0
}

func (s *sheet) startupPercentiles(name string, v *value) {
	for child := range v.children() {
		if statistic, ok := statisticName(child.key); ok {
			s.take(name+"_"+statistic, "s", child)
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
	sheet
	awake bool
	open  bool
	group string // whose percentiles follow
	last  int
}

func newStartupText() lineReader { return &startupText{} }

func (t *startupText) begin(in *input) { t.in, t.awake, t.open = in, false, false }

func (t *startupText) line(l line) bool {
	text := strings.TrimSpace(string(l.text))
	if strings.HasSuffix(text, startupMarks[0]) {
		t.close(false)
		t.awake = true
		return true
	}
	kind, heads := strings.CutSuffix(text, " STARTUP:")
	label, rest, _ := labelled(l.text, ":")
	number, unit, ok := quantity(rest)
	switch {
	case heads && (kind == "COLD" || kind == "WARM"):
		t.close(true)
		t.reset(t.in, "vllm-startup", "vllm-startup-text", l.number)
		t.label("x_startup", []byte(strings.ToLower(kind)), l.number)
		t.open, t.group = true, ""
	case !t.open || text == "":
		return t.awake
	case label == "Startup time percentiles":
		t.group = "x_startup_time"
	case label == "Compilation time percentiles":
		t.group = "x_compilation_time"
	case !ok || unit != "seconds" || !l.ended:
		t.close(strings.HasPrefix(text, "="))
		t.awake = false
	case label == "Avg total startup time":
		t.number("startup_time", "s", label, []byte(number), l.number)
	case label == "Avg compilation time":
		t.compilation("x_compilation_time", label, number, l.number)
	case t.group != "":
		if statistic, ok := statisticName(label); ok {
			t.compilation(t.group+"_"+statistic, label, number, l.number)
		}
	}
	if t.open {
		t.last = l.number
	}
	return t.awake
}

// compilation notes a time unless it is none.
func (t *startupText) compilation(name, label, number string, line int) {
	if strings.Trim(number, "0.") != "" {
		t.number(name, "s", label, []byte(number), line)
	}
}

func (t *startupText) close(whole bool) {
	if _, ok := t.value("startup_time"); t.open && ok {
		t.imply("engine", "vllm", t.start)
		t.hand(t.last, whole)
	}
	t.open = false
}

func (t *startupText) end() { t.close(false) }
