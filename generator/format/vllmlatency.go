package format

import (
	"bytes"
	"strings"
)

// vLLM's latency benchmark (benchmark_latency.py, "vllm bench latency" since
// 2025) runs batches of one size on the engine, without a server. A latency is a
// whole batch's, from its start to its last token.
//
// Its text is
//
//	Avg latency: 4.944929537673791 seconds
//	10% percentile latency: 4.894104263186454 seconds
//
// and so on for 25, 50, 75, 90 and, since 0.5.1, 99. The file (--output-json,
// since 0.4.3) has the same, and the latency of every iteration. It says nothing
// of the model, the batch size and the lengths: in a log they stand in the
// arguments above, "Namespace(…)" until 0.10, or in the command.
//
// Source: vllm/benchmarks/latency.py.
func isVLLMLatency(v *value) bool {
	return v.get("latencies") != nil || v.get("percentiles") != nil
}

func readVLLMLatency(in *input, v *value) {
	s := in.begin("vllm-latency", "vllm-latency-json", v.line)
	s.take("batch_latency_mean", "s", v.get("avg_latency"))
	s.statistics("batch_latency", "s", v.get("percentiles"))
	if all := v.get("latencies"); all.is() && all.numbers.size() > 0 {
		s.derive("x_iterations", float64(all.numbers.size()), "number of latencies", all.line)
		all.used = true
	}
	v.get("avg_latency").use()
	v.get("percentiles").use()
	s.rest(v, 0)
	s.imply("engine", "vllm", v.line)
	s.finish(v)
}

var latencyMarks = []string{"Avg latency: ", "Namespace(", "bench latency", "benchmark_latency.py", "LLM engine (v"}

var latencyCommands = [][]byte{[]byte("bench latency"), []byte("benchmark_latency.py")}

// latencyText reads the lines of the latency benchmark.
type latencyText struct {
	sheet
	above engineContext
	open  bool
	told  bool // the lines above tell of the benchmark
	last  int
	gap   int
}

func newLatencyText() lineReader { return &latencyText{} }

func (t *latencyText) begin(in *input) {
	t.in, t.open = in, false
	t.above.begin(in, latencyCommands, "num_iters=")
}

func (t *latencyText) line(l line) bool {
	before, text, ok := strings.Cut(string(l.text), " latency: ")
	number, unit, isNumber := quantity(text)
	share, percentile := strings.CutSuffix(before, "% percentile")
	switch {
	case !ok || unit != "seconds" || !isNumber:
		if t.gap++; t.gap > maxGap {
			t.close()
		}
		return t.above.context(l) || t.open
	case strings.HasSuffix(before, "Avg"):
		t.close()
		t.reset(t.in, "vllm-latency", "vllm-latency-text", l.number)
		t.open, t.told = true, t.above.asked.line > 0
		t.above.settle(&t.sheet)
		t.number("batch_latency_mean", "s", "Avg latency", []byte(number), l.number)
	case t.open && percentile && l.ended:
		share = share[strings.LastIndexAny(share, " \t>:")+1:]
		if statistic, ok := statisticName(share); ok {
			t.number("batch_latency_"+statistic, "s", share+"% percentile latency", []byte(number), l.number)
		}
	default:
		return t.open
	}
	t.last, t.gap = l.number, 0
	return true
}

// close hands out what was read. Others print an average latency too: alone it
// counts below vLLM's own arguments.
func (t *latencyText) close() {
	if t.open && (len(t.metrics) > 1 || t.told) {
		t.imply("engine", "vllm", t.start)
		t.hand(t.last, true)
	}
	t.open, t.gap = false, 0
}

func (t *latencyText) end() { t.close() }

// engineContext is what the lines above a result say of a benchmark that runs the
// engine itself: its arguments, and the engine's version.
type engineContext struct {
	in       *input
	commands [][]byte
	argument []byte // one that no other benchmark has
	asked    settings
	version  string
	at       int // the version's line
}

func (c *engineContext) begin(in *input, commands [][]byte, argument string) {
	*c = engineContext{in: in, commands: commands, argument: []byte(argument), asked: settings{list: c.asked.list[:0], engine: true}}
}

// context takes a line that is no result. It reports whether the next line is
// wanted.
func (c *engineContext) context(l line) bool {
	text := bytes.TrimSpace(l.text)
	if c.asked.continued {
		c.asked.readCommand(c.in, bytes.TrimPrefix(text, []byte("> ")), l.number)
		return c.asked.continued
	}
	if i := bytes.Index(text, []byte("Namespace(")); i >= 0 && bytes.Contains(text, c.argument) {
		c.asked.reset(l.number)
		c.asked.readNamespace(c.in, text[i+len("Namespace("):], l.number)
		c.version = ""
	}
	if i := commandFlags(text, c.commands); i >= 0 {
		c.asked.reset(l.number)
		c.asked.command = true
		c.asked.readCommand(c.in, text[i:], l.number)
		c.version = ""
	}
	if _, after, ok := bytes.Cut(text, []byte("LLM engine (v")); ok {
		if version, _, closed := bytes.Cut(after, []byte(")")); closed && len(version) < maxField {
			c.version, c.at = string(version), l.number
		}
	}
	return c.asked.continued
}

// settle writes what is known of the run that begins, and forgets it. A command
// of a page may be followed by several results.
func (c *engineContext) settle(s *sheet) {
	if !c.asked.command || s.start-c.asked.line <= maxDistance {
		c.asked.labels(s)
	}
	if c.version != "" {
		s.label("engine_version", []byte(c.version), c.at)
	}
	if !c.asked.command {
		c.asked.reset(0)
		c.version = ""
	}
}
