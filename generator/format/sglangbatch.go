package format

import (
	"bytes"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
)

// SGLang's bench_one_batch (bench_latency until 0.4) runs batches of one size on
// the model, without a server. Its text has a group of lines for each:
//
//	Prefill. latency: 0.08342 s, throughput:  12274.51 token/s
//	Decode 0. Batch size: 4, latency: 0.01211 s, throughput:    330.31 token/s
//	Decode.  median latency: 0.01043 s, median throughput:    383.51 token/s
//	Total. latency:  0.237 s, throughput:   4590.70 token/s
//
// The first group, between "Warmup ..." and "Benchmark ...", is the warm-up, with
// at most 32 tokens of output; the file of results leaves it out. Every step
// yields one token for each sequence, so the median of the steps is the median
// ITL.
//
// The latency in total is the whole batch's, once.
//
// Source: python/sglang/bench_one_batch.py.
func isOneBatch(v *value) bool {
	return v.has("batch_size", "total_latency") && v.get("prefill_latency") != nil
}

func readOneBatch(in *input, v *value) {
	s := in.begin("sglang-one-batch", "sglang-one-batch-jsonl", v.line)
	s.takeSet(v, []member{
		{"run_name", "x_run_name", ""},
		{"batch_size", "batch_size", ""},
		{"input_len", "input_len", ""},
		{"output_len", "output_len", ""},
		{"prefill_latency", "x_prefill_latency", "s"},
		{"prefill_throughput", "prefill_throughput", "tok/s"},
		{"median_decode_latency", "itl_p50", "s"},
		{"median_decode_throughput", "decode_throughput", "tok/s"},
		{"total_latency", "batch_latency_mean", "s"},
		{"overall_throughput", "total_throughput", "tok/s"},
	})
	s.rest(v, 0)
	s.imply("engine", "sglang", v.line)
	s.finish(v)
}

var oneBatchMarks = []string{"Prefill. latency:", "Warmup ...", "Benchmark ...", "bench_one_batch", "bench_latency"}

var oneBatchCommands = [][]byte{[]byte("bench_one_batch"), []byte("bench_one_batch.py"), []byte("bench_latency"), []byte("bench_latency.py")}

// oneBatchText reads the lines of bench_one_batch.
type oneBatchText struct {
	sheet
	asked  settings
	open   bool
	warmup bool
	last   int
	gap    int
}

func newOneBatchText() lineReader { return &oneBatchText{} }

func (t *oneBatchText) begin(in *input) {
	t.in, t.open, t.warmup = in, false, false
	t.asked.engine = true
	t.asked.reset(0)
}

func (t *oneBatchText) line(l line) bool {
	text := bytes.TrimSpace(l.text)
	switch {
	case t.asked.continued:
		t.asked.readCommand(t.in, text, l.number)
	case bytes.HasSuffix(text, []byte("Warmup ...")):
		t.close()
		t.warmup = true
	case bytes.HasSuffix(text, []byte("Benchmark ...")):
		t.close()
		t.warmup = false
	case bytes.Contains(text, []byte("Prefill. latency:")):
		t.close()
		t.reset(t.in, "sglang-one-batch", "sglang-one-batch-text", l.number)
		t.open = true
		t.asked.labels(&t.sheet)
		t.step(text, l, "x_prefill_latency", "prefill_throughput")
	case !t.open:
		if i := commandFlags(text, oneBatchCommands); i >= 0 {
			t.asked.reset(l.number)
			t.asked.readCommand(t.in, text[i:], l.number)
		}
	case bytes.Contains(text, []byte("Decode.  median latency:")):
		t.step(text, l, "itl_p50", "decode_throughput")
	case bytes.Contains(text, []byte("Total. latency:")):
		t.step(text, l, "batch_latency_mean", "total_throughput")
		t.close()
	case bytes.Contains(text, []byte("Decode ")):
		if _, rest, ok := strings.Cut(string(text), "Batch size: "); ok && l.ended {
			size, _, _ := strings.Cut(rest, ",")
			t.label("batch_size", []byte(size), l.number)
			t.last = l.number
		}
		t.gap = 0
	default:
		t.gap++
	}
	if t.gap > maxNoise {
		t.close()
	}
	return t.open || t.asked.continued
}

// step takes a line's latency and throughput.
func (t *oneBatchText) step(text []byte, l line, latency, throughput string) {
	t.gap, t.last = 0, l.number
	for part := range strings.SplitSeq(string(text), ",") {
		label, value, _ := labelled([]byte(part), ":")
		number, unit, ok := quantity(value)
		if _, sure := unitShift(unit, "tok/s"); ok && sure && strings.HasSuffix(label, "throughput") {
			t.number(throughput, unit, label, []byte(number), l.number)
		} else if ok && unit == "s" && strings.HasSuffix(label, "latency") {
			t.number(latency, unit, label, []byte(number), l.number)
		}
	}
}

func (t *oneBatchText) close() {
	if t.open && len(t.metrics) > 0 {
		if t.warmup {
			t.imply("phase", "warmup", t.start)
			t.labels = slices.DeleteFunc(t.labels, func(l result.Label) bool { return l.Name == "output_len" }) // it is shorter
		}
		t.imply("engine", "sglang", t.start)
		_, whole := t.value("batch_latency_mean")
		t.hand(t.last, whole)
	}
	t.open, t.gap = false, 0
}

func (t *oneBatchText) end() { t.close() }
