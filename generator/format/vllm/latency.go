package vllm

import (
	"bytes"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/result"
)

// vLLM's latency benchmark (benchmark_latency.py, "vllm bench latency" since 2025) runs batches of one size on the
// engine, without a server. A latency is the time of a whole batch, from its start to its last token.
//
// The text output is
//
//	Avg latency: 4.944929537673791 seconds
//	10% percentile latency: 4.894104263186454 seconds
//
// and so on for 25, 50, 75, 90 and, since 0.5.1, 99. The file (--output-json, since 0.4.3) has the same figures and the
// latency of every iteration. The output does not contain the model, the batch size or the lengths. In a log, these are
// in the arguments above the result: "Namespace(…)" until 0.10, or the command.
//
// Source: vllm/benchmarks/latency.py.
func isVLLMLatency(v *scan.Value) bool {
	return v.Get("latencies") != nil || v.Get("percentiles") != nil
}

func readVLLMLatency(in *draft.File, v *scan.Value) {
	s := in.Begin("vllm-latency", "vllm-latency-json", v.Line)
	s.Take("batch_latency_mean", "s", v.Get("avg_latency"))
	s.Statistics("batch_latency", "s", v.Get("percentiles"))
	if all := v.Get("latencies"); all.Is() && all.Numbers.Size() > 0 {
		s.Derive("x_iterations", float64(all.Numbers.Size()), "number of latencies", all.Line)
		all.Used = true
	}
	v.Get("avg_latency").Use()
	v.Get("percentiles").Use()
	s.Rest(v, 0)
	s.Imply("engine", "vllm", v.Line)
	s.EmitObject(v)
}

var latencyMarks = []string{"Avg latency: ", "Namespace(", "bench latency", "benchmark_latency.py", "LLM engine (v"}

var LatencyCommands = [][]byte{[]byte("bench latency"), []byte("benchmark_latency.py")}

// latencyText reads the lines of the latency benchmark.
type latencyText struct {
	draft.Draft
	above     engineContext
	open      bool
	announced bool // the lines above show that the latency benchmark was started
	last      int
	gap       int
}

func newLatencyText() draft.LineReader { return &latencyText{} }

func (t *latencyText) Begin(in *draft.File) {
	t.In, t.open = in, false
	t.above.begin(in, LatencyCommands, "num_iters=")
}

func (t *latencyText) Line(l scan.Line) bool {
	before, text, ok := strings.Cut(string(l.Text), " latency: ")
	number, unit, isNumber := scan.Quantity(text)
	share, percentile := strings.CutSuffix(before, "% percentile")
	switch {
	case !ok || unit != "seconds" || !isNumber:
		if t.gap++; t.gap > draft.MaxGap || t.above.begins(l.Text) {
			t.close()
		}
		return t.above.context(l) || t.open
	case strings.HasSuffix(before, "Avg"):
		t.close()
		t.Reset(t.In, "vllm-latency", "vllm-latency-text", l.Number)
		t.open, t.announced = true, t.above.asked()
		t.above.settle(&t.Draft)
		t.Number("batch_latency_mean", "s", "Avg latency", []byte(number), l.Number)
	case t.open && percentile && l.Ended:
		share = share[strings.LastIndexAny(share, " \t>:")+1:]
		if statistic, ok := draft.StatisticName(share); ok {
			t.Number("batch_latency_"+statistic, "s", share+"% percentile latency", []byte(number), l.Number)
		}
	default:
		return t.open
	}
	t.last, t.gap = l.Number, 0
	return true
}

// close emits the result. Other tools also print an average latency, so an average without percentiles counts only if
// vLLM's own arguments are above it.
func (t *latencyText) close() {
	if t.open && (len(t.Metrics) > 1 || t.announced) {
		t.Imply("engine", "vllm", t.Start)
		t.Emit(t.last, true)
		t.above.commands.Made(1, t.Start)
	}
	t.open, t.gap = false, 0
}

func (t *latencyText) End() {
	t.close()
	t.above.commands.Settle()
}

// engineContext holds what the lines above a result say about a benchmark that runs the engine itself: its arguments,
// its command and the engine's version.
type engineContext struct {
	in       *draft.File
	commands draft.Commands
	argument []byte         // an argument that no other benchmark has
	printed  draft.Settings // the printed arguments
	version  string
	at       int // line of the version
}

func (c *engineContext) begin(in *draft.File, commands [][]byte, argument string) {
	*c = engineContext{in: in, commands: c.commands, argument: []byte(argument), printed: draft.Settings{List: c.printed.List[:0], Engine: true}}
	c.commands.Names, c.commands.Engine, c.commands.Repeats, c.commands.Complete = commands, true, true, engineOf
	c.commands.Begin(in)
}

// engineOf removes the guess that vLLM ran the model if the command names another backend.
func engineOf(d *draft.Draft, _ *draft.Settings) {
	if backend := d.Label("backend"); backend != "" && !strings.HasPrefix(backend, "vllm") {
		d.Labels = slices.DeleteFunc(d.Labels, func(l result.Label) bool { return l.Name == "engine" && l.Origin == result.Guessed })
	}
}

// begins reports whether a line shows that another run was started.
func (c *engineContext) begins(text []byte) bool {
	return draft.CommandFlags(text, c.commands.Names) >= 0 || c.isNamespace(text)
}

func (c *engineContext) isNamespace(text []byte) bool {
	return bytes.Contains(text, []byte("Namespace(")) && bytes.Contains(text, c.argument)
}

// context reads a line that is not part of a result. It reports whether the reader needs the next line.
func (c *engineContext) context(l scan.Line) bool {
	text := bytes.TrimSpace(l.Text)
	if c.commands.Line(text, l.Number) {
		c.printed.Reset(0)
		c.version = ""
		return c.commands.Continued()
	}
	if c.isNamespace(text) {
		_, arguments, _ := bytes.Cut(text, []byte("Namespace("))
		c.commands.Known()
		c.printed.Reset(l.Number)
		c.printed.ReadNamespace(c.in, arguments, l.Number)
		c.version = ""
	}
	if _, after, ok := bytes.Cut(text, []byte("LLM engine (v")); ok {
		if version, _, closed := bytes.Cut(after, []byte(")")); closed && len(version) < scan.MaxField {
			c.version, c.at = string(version), l.Number
		}
	}
	return false
}

// asked reports whether the lines above show that the benchmark was started.
func (c *engineContext) asked() bool { return c.printed.Line > 0 || c.commands.Waiting() }

// settle writes the settings printed above a run to its draft and forgets them, unless a command is waiting for
// results: several results may follow one command of a page.
func (c *engineContext) settle(s *draft.Draft) {
	c.printed.Labels(s)
	if c.version != "" {
		s.SetLabel("engine_version", []byte(c.version), c.at)
	}
	if !c.commands.Waiting() {
		c.printed.Reset(0)
		c.version = ""
	}
}
