package format

import (
	"strings"
)

// vLLM's throughput benchmark (benchmark_throughput.py, "vllm bench throughput"
// since 2025) gives all requests to the engine at once, without a server. Its
// text is
//
//	Throughput: 4.63 requests/s, 2041.98 tokens/s
//
// where the tokens are those of prompts and answers, as they were until 0.6.3;
// since 0.6.4 it is "total tokens/s", followed by "output tokens/s", and since
// 0.8 by lines with the numbers of tokens. The file (--output-json) has the total
// alone. Its progress bar estimates other rates.
//
// The same script drives Hugging Face's models and MII (--backend).
//
// Source: vllm/benchmarks/throughput.py.
func isVLLMThroughput(v *value) bool {
	return v.has("num_requests", "requests_per_second") && v.get("total_num_tokens") != nil
}

func readVLLMThroughput(in *input, v *value) {
	s := in.begin("vllm-throughput", "vllm-throughput-json", v.line)
	s.takeAll(v, []member{
		{"elapsed_time", "duration", "s"},
		{"num_requests", "requests_completed", ""},
		{"total_num_tokens", "x_total_num_tokens", "tok"},
		{"requests_per_second", "request_throughput", "req/s"},
		{"tokens_per_second", "total_throughput", "tok/s"},
		{"total_input_tokens", "input_tokens", "tok"}, // these of forks
		{"total_num_prompt_tokens", "input_tokens", "tok"},
		{"total_output_tokens", "output_tokens", "tok"},
		{"total_num_output_tokens", "output_tokens", "tok"},
		{"output_tokens_per_second", "output_throughput", "tok/s"},
		{"total_tokens_per_second", "total_throughput", "tok/s"},
	})
	s.rest(v, 0)
	s.guess("engine", "vllm", v.line)
	s.finish(v)
}

var throughputMarks = []string{" requests/s, ", "Namespace(", "bench throughput",
	"benchmark_throughput.py", "LLM engine (v"}

var throughputCommands = [][]byte{[]byte("bench throughput"), []byte("benchmark_throughput.py")}

// throughputText reads the lines of the throughput benchmark.
type throughputText struct {
	sheet
	above engineContext
	open  bool
	cut   bool // the last line was
	last  int
	gap   int
}

func newThroughputText() lineReader { return &throughputText{} }

func (t *throughputText) begin(in *input) {
	t.in, t.open = in, false
	t.above.begin(in, throughputCommands, "hf_max_batch_size=")
}

func (t *throughputText) line(l line) bool {
	_, rates, ok := strings.Cut(string(l.text), "Throughput: ")
	_, tokens, counted := strings.Cut(string(l.text), "Total num ")
	kind, number, _ := labelled([]byte(tokens), ":")
	switch {
	case ok && strings.Contains(rates, " requests/s, ") && l.ended:
		t.close()
		t.reset(t.in, "vllm-throughput", "vllm-throughput-text", l.number)
		t.open, t.cut = true, false
		t.above.settle(&t.sheet)
		t.rates(rates, l.number)
	case t.open && counted && !l.ended:
		t.cut = true
		return true
	case t.open && kind == "prompt tokens":
		t.number("input_tokens", "tok", "Total num "+kind, []byte(number), l.number)
	case t.open && kind == "output tokens":
		t.number("output_tokens", "tok", "Total num "+kind, []byte(number), l.number)
	default:
		if t.gap++; t.gap > maxGap {
			t.close()
		}
		return t.above.context(l) || t.open
	}
	t.last, t.gap = l.number, 0
	return true
}

// rates takes "4.63 requests/s, 2041.98 total tokens/s, 1010.54 output tokens/s".
func (t *throughputText) rates(text string, line int) {
	for part := range strings.SplitSeq(text, ",") {
		number, unit, ok := quantity(part)
		if !ok {
			continue
		}
		switch unit {
		case "requests/s":
			t.number("request_throughput", "req/s", unit, []byte(number), line)
		case "tokens/s", "total tokens/s":
			t.number("total_throughput", "tok/s", unit, []byte(number), line)
		case "output tokens/s":
			t.number("output_throughput", "tok/s", unit, []byte(number), line)
		}
	}
}

func (t *throughputText) close() {
	if _, ok := t.value("total_throughput"); t.open && ok {
		if backend := t.labels.Get("x_backend"); backend == "" || strings.HasPrefix(backend, "vllm") {
			t.guess("engine", "vllm", t.start)
		}
		t.hand(t.last, !t.cut)
	}
	t.open, t.gap = false, 0
}

func (t *throughputText) end() { t.close() }
