package format

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/format/llamacpp"
	"github.com/benchpost/benchpost/generator/format/quality"
	"github.com/benchpost/benchpost/generator/result"
)

// failures finds the runs of a text that ended with an error. Such a run began (its command, its arguments or the head
// of its table is shown), then a program printed why it ended, and no result follows. The run becomes an unfinished run
// with the reason. Errors quoted in a page are ignored.
type failures struct {
	in     *draft.File
	begun  []beginning
	faults []fault
	asked  draft.Settings // settings of the last run
	stage  int            // the stage the last run has reached
	goesOn bool           // the command of the last run continues in the next line
	trace  bool           // inside a Python traceback; the error follows below it
	left   int            // number of lines still to be read for the last fault
	page   bool
}

// beginning is a line that shows the start of a benchmark run.
type beginning struct {
	tool   string
	line   int
	labels result.Labels
	table  bool // rows with results may precede the fault
}

// fault is the reason why a program ended.
type fault struct {
	line   int
	reason string
	last   []string // the last lines below it
}

const (
	mostFaults = 1000 // per file
	mostBelow  = 40   // lines that are read below a fault
	lastLines  = 3    // how many of these lines are kept
	maxReason  = 200  // bytes kept of a line
)

// starter is a program whose command starts a run.
type starter struct {
	tool   string
	names  [][]byte
	engine bool
	own    map[string]string
}

var starters = []starter{
	{tool: "vllm-latency", names: clientCommands[1], engine: true},
	{tool: "vllm-throughput", names: clientCommands[2], engine: true},
	{tool: "vllm-serve", names: clientCommands[0]},
	{tool: "evalscope", names: clientCommands[3], own: evalScopeClient.own},
	{tool: "genai-perf", names: clientCommands[4], own: genAIPerfClient.own},
	{tool: "llama-bench", names: llamacpp.BenchCommands, own: map[string]string{"m": "model_raw", "model": "model_raw", "hf": "model_raw", "hf_repo": "model_raw",
		"ngl": "gpu_layers", "n_gpu_layers": "gpu_layers", "fa": "flash_attention", "flash_attn": "flash_attention", "p": "input_len", "n_prompt": "input_len"}},
	{tool: "lm-eval", names: quality.LMEvalCommands, own: map[string]string{"tasks": "task", "num_fewshot": "fewshot"}},
}

var (
	llamaHead  = []byte("| model ")
	llamaFirst = []byte("llama-bench: benchmark 1/")
	llamaFrame = []byte("llama-bench() [0x") // from its stack trace, which it prints before the error
)

// reasons lists what programs print when they end. Texts with first set are common words, so they must begin their line
// (a log's prefix may precede them).
var reasons = []struct {
	text  []byte
	first bool
}{
	{[]byte("Traceback (most recent call last):"), true},
	{[]byte("Remote RPC server crashed"), false},
	{[]byte("error: failed to load model"), false},
	{[]byte("error: failed to create context"), false},
	{[]byte("error: unable to load model"), false},
	{[]byte("GGML_ASSERT("), false},
	{[]byte("ErrorOutOfDeviceMemory"), false},
	{[]byte("ErrorDeviceLost"), false},
	{[]byte("CUDA error"), false},
	{[]byte("ROCm error"), false},
	{[]byte("CUDA out of memory"), false},
	{[]byte("HIP out of memory"), false},
	{[]byte("cudaMalloc failed: out of memory"), false},
	{[]byte("terminate called after throwing"), true},
	{[]byte("Segmentation fault"), false},
	{[]byte("(core dumped)"), false},
	{[]byte("Killed"), true},
	{[]byte("Memory access fault by GPU"), false},
	{[]byte("Initial test run failed"), false},
	{[]byte("Connection refused"), false},
	{[]byte("Cannot connect to host"), false},
	{[]byte("All requests failed"), false},
}

// starts lists the heralds that show a run whose command and arguments were not kept.
var starts = slices.DeleteFunc(slices.Clone(heralds), func(h herald) bool { return !bytes.HasPrefix(h.text, startWord) })

var startWord = []byte("Starting ")

// failureMarks lists texts that occur in lines that begin or end a run. All are long enough that other lines are
// skipped quickly. The end of a quotation is found in the lines below such a line.
var failureMarks = func() []string {
	marks := []string{"Namespace(", string(llamaHead), string(llamaFirst), string(llamaFrame)}
	for _, h := range starts {
		marks = append(marks, string(h.text))
	}
	for _, r := range reasons {
		marks = append(marks, string(r.text))
	}
	for _, s := range starters {
		for _, name := range s.names {
			marks = append(marks, string(name))
		}
	}
	return marks
}()

func newFailures() draft.LineReader { return &failures{} }

func (f *failures) Begin(in *draft.File) {
	*f = failures{in: in, begun: f.begun[:0], faults: f.faults[:0], asked: draft.Settings{List: f.asked.List[:0]}}
}

func (f *failures) End() {}

func (f *failures) Line(l scan.Line) bool {
	switch {
	case f.page:
		return false
	case f.left > 0 && isQuoted(l.Text):
		f.page = true
		return false
	case f.goesOn:
		f.flags(bytes.TrimPrefix(bytes.TrimSpace(l.Text), []byte("> ")), l.Number)
		return true
	case f.in.Marked && f.begins(l):
		f.left = mostBelow
		return true
	case f.left > 0:
		f.below(l.Text)
	}
	if f.in.Marked && len(f.begun) > 0 && !f.trace {
		f.fails(l)
	}
	return f.goesOn || f.left > 0
}

// begins handles a line that may begin a run, and reports whether it does.
func (f *failures) begins(l scan.Line) bool {
	if i := bytes.Index(l.Text, []byte("Namespace(")); i >= 0 && isPrinted(l.Text[:i]) && draft.Namespace(l.Text) >= 0 {
		f.begin(beginning{tool: "vllm-serve", line: l.Number}, starter{})
		f.asked.ReadNamespace(f.in, l.Text[i+len("Namespace("):], l.Number)
		return true
	}
	if bytes.HasPrefix(l.Text, llamaHead) && bytes.Contains(l.Text, []byte("| test |")) || bytes.HasPrefix(l.Text, llamaHead) && bytes.Contains(l.Text, []byte(" t/s |")) {
		if n := len(f.begun); n > 0 && f.begun[n-1].tool == "llama-bench" && !f.begun[n-1].table {
			f.begun[n-1].table = true // the table of the command above
			return true
		}
		f.begin(beginning{tool: "llama-bench", line: l.Number, table: true}, starter{})
		return true
	}
	if bytes.HasPrefix(l.Text, llamaFirst) {
		f.begin(beginning{tool: "llama-bench", line: l.Number}, starter{})
		return true
	}
	if bytes.Contains(l.Text, llamaFrame) && len(f.begun) == 0 {
		f.begin(beginning{tool: "llama-bench", line: l.Number, table: true}, starter{})
		return true
	}
	for _, s := range starters {
		if i := draft.CommandFlags(l.Text, s.names); i >= 0 {
			f.begin(beginning{tool: s.tool, line: l.Number}, s)
			f.flags(l.Text[i:], l.Number)
			return true
		}
	}
	return f.starts(l)
}

// starts handles a line that shows progress of a run. It reports whether the line begins a new run: either no run is in
// progress, or the current run has already reached the line's stage.
func (f *failures) starts(l scan.Line) bool {
	i := bytes.Index(l.Text, startWord)
	if i < 0 || !isPrinted(l.Text[:i]) {
		return false
	}
	for _, h := range starts {
		if rest, ok := bytes.CutPrefix(l.Text[i:], h.text); ok && (!h.whole || len(bytes.TrimSpace(rest)) == 0) {
			isNew := !f.goingOn() || f.stage >= h.stage
			if isNew {
				f.begin(beginning{tool: h.of.tool, line: l.Number}, starter{})
			}
			f.stage = h.stage
			return isNew
		}
	}
	return false
}

// goingOn reports whether a run has begun that no fault has ended yet.
func (f *failures) goingOn() bool {
	n := len(f.begun)
	return n > 0 && (len(f.faults) == 0 || f.faults[len(f.faults)-1].line < f.begun[n-1].line)
}

// begin adds a run. It replaces a run that was still in progress.
func (f *failures) begin(b beginning, s starter) {
	if f.goingOn() {
		f.begun = f.begun[:len(f.begun)-1]
	}
	f.begun = append(f.begun, b)
	f.left, f.trace, f.stage = 0, false, argumentsShown
	f.asked = draft.Settings{List: f.asked.List[:0], Engine: s.engine, Own: s.own, Line: b.line}
}

// flags reads a line of the last run's command.
func (f *failures) flags(text []byte, line int) {
	f.asked.ReadCommand(f.in, text, line)
	f.goesOn = f.asked.Continued
}

// fails handles a line that may contain the reason why a run ended. The first of several reasons is used.
func (f *failures) fails(l scan.Line) {
	last := f.begun[len(f.begun)-1]
	if n := len(f.faults); n == mostFaults || n > 0 && f.faults[n-1].line > last.line {
		return
	}
	for i, r := range reasons {
		at := bytes.Index(l.Text, r.text)
		if at < 0 || !isPrinted(l.Text[:at]) || r.first && bytes.IndexByte(bytes.TrimSpace(l.Text[:at]), ' ') >= 0 && !isLogged(l.Text[:at]) {
			continue
		}
		f.faults = append(f.faults, fault{line: l.Number, reason: clipped(l.Text)})
		d := f.in.Begin(last.tool, "", last.line)
		f.asked.Labels(d)
		f.begun[len(f.begun)-1].labels = slices.Clone(d.Labels)
		f.left, f.trace = mostBelow, i == 0
		return
	}
}

// isLogged reports whether the text before a word is the prefix of a log line.
func isLogged(before []byte) bool {
	before = bytes.TrimSpace(before)
	return bytes.HasSuffix(before, []byte("]")) || bytes.HasSuffix(before, []byte(")")) || bytes.HasSuffix(before, []byte(":"))
}

// below reads a line below the last fault. The error that ends a traceback is the first line that is not indented.
func (f *failures) below(text []byte) {
	f.left--
	n := len(f.faults)
	if n == 0 || f.faults[n-1].line < f.begun[len(f.begun)-1].line || len(bytes.TrimSpace(text)) == 0 {
		return
	}
	last := &f.faults[n-1]
	indented := text[0] == ' ' || text[0] == '\t'
	again := bytes.Contains(text, reasons[0].text) || bytes.HasPrefix(text, []byte("During handling")) || bytes.HasPrefix(text, []byte("The above exception"))
	if f.trace && !indented && !again {
		last.reason, f.trace = clipped(text), false
	}
	if last.last = append(last.last, clipped(text)); len(last.last) > lastLines {
		last.last = slices.Delete(last.last, 0, 1)
	}
}

func clipped(text []byte) string {
	return strings.ToValidUTF8(string(scan.Clip(bytes.TrimSpace(text), maxReason)), "\ufffd")
}

// Settle emits the failed runs, once all results and all unfinished runs are known.
func (f *failures) Settle() {
	defer func() { f.in = nil }()
	if f.page {
		return
	}
	for i, b := range f.begun {
		end := math.MaxInt
		if i+1 < len(f.begun) {
			end = f.begun[i+1].line
		}
		at := slices.IndexFunc(f.faults, func(x fault) bool { return x.line > b.line && x.line < end })
		if at < 0 {
			continue
		}
		f.fail(b, f.faults[at], end)
	}
}

// fail emits a failed run. If the run is already known as unfinished, fail adds the failure to it.
func (f *failures) fail(b beginning, x fault, end int) {
	rows := 0
	for _, r := range f.in.Out.Results {
		switch {
		case r.Source.Line <= b.line || r.Source.Line >= end:
		case b.tool != "llama-bench" || r.Source.Line > x.line:
			return // it has its result
		default:
			rows++
		}
	}
	all := f.in.Out.Unfinished
	for i := range all {
		u := &all[i]
		if u.Source.Line >= b.line && u.Source.Line < end {
			if u.Source.Line < x.line {
				u.Failure, u.Last = x.reason, x.last
			}
			return
		}
	}
	unit := "req/s"
	if b.tool == "llama-bench" {
		unit = "test/s"
	}
	f.in.Out.Unfinished = append(all, result.Unfinished{Source: result.Position{File: f.in.Name, Line: x.line}, Tool: b.tool, Labels: b.labels,
		Done: rows, Unit: unit, Left: -1, Failure: x.reason, Last: x.last})
	slices.SortStableFunc(f.in.Out.Unfinished, func(a, b result.Unfinished) int { return cmp.Compare(a.Source.Line, b.Source.Line) })
}
