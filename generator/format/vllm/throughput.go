package vllm

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// vLLM's throughput benchmark (benchmark_throughput.py, "vllm bench throughput" since 2025) gives all requests to the
// engine at once, without a server. Its text output is
//
//	Throughput: 4.63 requests/s, 2041.98 tokens/s
//
// Until 0.6.3 the tokens are those of prompts and answers. Since 0.6.4 the line has "total tokens/s", followed by
// "output tokens/s". Since 0.8 the numbers of tokens follow on lines of their own. The file (--output-json) has only
// the total. The progress bar shows estimates of other rates.
//
// The same script can run Hugging Face's models and MII (--backend).
//
// Source: vllm/benchmarks/throughput.py.
func isVLLMThroughput(v *scan.Value) bool {
	return v.Has("num_requests", "requests_per_second") && v.Get("total_num_tokens") != nil
}

func readVLLMThroughput(in *draft.File, v *scan.Value) {
	s := in.Begin("vllm-throughput", "vllm-throughput-json", v.Line)
	s.TakeAll(v, []draft.Member{
		{Key: "elapsed_time", Name: "duration", Unit: "s"},
		{Key: "num_requests", Name: "requests_completed"},
		{Key: "total_num_tokens", Name: "x_total_num_tokens", Unit: "tok"},
		{Key: "requests_per_second", Name: "request_throughput", Unit: "req/s"},
		{Key: "tokens_per_second", Name: "total_throughput", Unit: "tok/s"},
		{Key: "total_input_tokens", Name: "input_tokens", Unit: "tok"}, // this key and the next ones: forks
		{Key: "total_num_prompt_tokens", Name: "input_tokens", Unit: "tok"},
		{Key: "total_output_tokens", Name: "output_tokens", Unit: "tok"},
		{Key: "total_num_output_tokens", Name: "output_tokens", Unit: "tok"},
		{Key: "output_tokens_per_second", Name: "output_throughput", Unit: "tok/s"},
		{Key: "total_tokens_per_second", Name: "total_throughput", Unit: "tok/s"},
	})
	s.Rest(v, 0)
	s.Guess("engine", "vllm", v.Line)
	s.EmitObject(v)
}

var throughputMarks = []string{" requests/s, ", "Namespace(", "bench throughput",
	"benchmark_throughput.py", "LLM engine (v"}

var ThroughputCommands = [][]byte{[]byte("bench throughput"), []byte("benchmark_throughput.py")}

// throughputText reads the lines of the throughput benchmark.
type throughputText struct {
	draft.Draft
	above engineContext
	open  bool
	cut   bool // the last line was cut off
	last  int
	gap   int
}

func newThroughputText() draft.LineReader { return &throughputText{} }

func (t *throughputText) Begin(in *draft.File) {
	t.In, t.open = in, false
	t.above.begin(in, ThroughputCommands, "hf_max_batch_size=")
}

func (t *throughputText) Line(l scan.Line) bool {
	_, rates, ok := strings.Cut(string(l.Text), "Throughput: ")
	_, tokens, counted := strings.Cut(string(l.Text), "Total num ")
	kind, number, _ := scan.Labelled([]byte(tokens), ":")
	switch {
	case ok && strings.Contains(rates, " requests/s, ") && l.Ended:
		t.close()
		t.Reset(t.In, "vllm-throughput", "vllm-throughput-text", l.Number)
		t.open, t.cut = true, false
		t.above.settle(&t.Draft)
		t.rates(rates, l.Number)
	case t.open && counted && !l.Ended:
		t.cut = true
		return true
	case t.open && kind == "prompt tokens":
		t.Number("input_tokens", "tok", "Total num "+kind, []byte(number), l.Number)
	case t.open && kind == "output tokens":
		t.Number("output_tokens", "tok", "Total num "+kind, []byte(number), l.Number)
	default:
		if t.gap++; t.gap > draft.MaxGap || t.above.begins(l.Text) {
			t.close()
		}
		return t.above.context(l) || t.open
	}
	t.last, t.gap = l.Number, 0
	return true
}

// rates reads "4.63 requests/s, 2041.98 total tokens/s, 1010.54 output tokens/s".
func (t *throughputText) rates(text string, line int) {
	for part := range strings.SplitSeq(text, ",") {
		number, unit, ok := scan.Quantity(strings.TrimRight(part, " `*")) // quoted in the text of a page
		if !ok {
			continue
		}
		switch unit {
		case "requests/s":
			t.Number("request_throughput", "req/s", unit, []byte(number), line)
		case "tokens/s", "total tokens/s":
			t.Number("total_throughput", "tok/s", unit, []byte(number), line)
		case "output tokens/s":
			t.Number("output_throughput", "tok/s", unit, []byte(number), line)
		}
	}
}

func (t *throughputText) close() {
	if _, ok := t.Value("total_throughput"); t.open && ok {
		if backend := t.Labels.Get("backend"); backend == "" || strings.HasPrefix(backend, "vllm") {
			t.Guess("engine", "vllm", t.Start)
		}
		t.Emit(t.last, !t.cut)
		t.above.commands.Made(1, t.Start)
	}
	t.open, t.gap = false, 0
}

func (t *throughputText) End() {
	t.close()
	t.above.commands.Settle()
}
