package vllm

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/result"
)

// SGLang's bench_one_batch (bench_latency until 0.4) runs batches of one size on the model, without a server. Its text
// output has a group of lines for each batch:
//
//	Prefill. latency: 0.08342 s, throughput:  12274.51 token/s
//	Decode 0. Batch size: 4, latency: 0.01211 s, throughput:    330.31 token/s
//	Decode.  median latency: 0.01043 s, median throughput:    383.51 token/s
//	Total. latency:  0.237 s, throughput:   4590.70 token/s
//
// The first group, between "Warmup ..." and "Benchmark ...", is the warm-up, with at most 32 tokens of output. The
// results file does not contain it. Every step generates one token for each sequence, so the median of the steps is the
// median ITL.
//
// The total latency is that of the whole batch, measured once.
//
// Source: python/sglang/bench_one_batch.py.
func isOneBatch(v *scan.Value) bool {
	return v.Has("batch_size", "total_latency") && v.Get("prefill_latency") != nil
}

func readOneBatch(in *draft.File, v *scan.Value) {
	s := in.Begin("sglang-one-batch", "sglang-one-batch-jsonl", v.Line)
	takeSet(s, v, []draft.Member{
		{Key: "run_name", Name: "x_run_name"},
		{Key: "batch_size", Name: "batch_size"},
		{Key: "input_len", Name: "input_len"},
		{Key: "output_len", Name: "output_len"},
		{Key: "prefill_latency", Name: "x_prefill_latency", Unit: "s"},
		{Key: "prefill_throughput", Name: "prefill_throughput", Unit: "tok/s"},
		{Key: "median_decode_latency", Name: "itl_p50", Unit: "s"},
		{Key: "median_decode_throughput", Name: "decode_throughput", Unit: "tok/s"},
		{Key: "total_latency", Name: "batch_latency_mean", Unit: "s"},
		{Key: "overall_throughput", Name: "total_throughput", Unit: "tok/s"},
	})
	s.Rest(v, 0)
	s.Imply("engine", "sglang", v.Line)
	s.EmitObject(v)
}

var oneBatchMarks = []string{"Prefill. latency:", "Warmup ...", "Benchmark ...", "bench_one_batch", "bench_latency"}

var OneBatchCommands = [][]byte{[]byte("bench_one_batch"), []byte("bench_one_batch.py"), []byte("bench_latency"), []byte("bench_latency.py")}

// oneBatchText reads the lines of bench_one_batch.
type oneBatchText struct {
	draft.Draft
	commands draft.Commands
	open     bool
	warmup   bool
	last     int
	gap      int
}

func newOneBatchText() draft.LineReader {
	return &oneBatchText{commands: draft.Commands{Names: OneBatchCommands, Engine: true, Repeats: true, Mismatch: otherBatch, Complete: warmupIsShorter}}
}

func (t *oneBatchText) Begin(in *draft.File) {
	t.In, t.open, t.warmup = in, false, false
	t.commands.Begin(in)
}

func (t *oneBatchText) Line(l scan.Line) bool {
	text := bytes.TrimSpace(l.Text)
	switch {
	case t.commands.Continued():
		t.commands.Line(text, l.Number)
	case bytes.HasSuffix(text, []byte("Warmup ...")):
		t.close()
		t.warmup = true
	case bytes.HasSuffix(text, []byte("Benchmark ...")):
		t.close()
		t.warmup = false
	case bytes.Contains(text, []byte("Prefill. latency:")):
		t.close()
		t.Reset(t.In, "sglang-one-batch", "sglang-one-batch-text", l.Number)
		t.open = true
		t.step(text, l, "x_prefill_latency", "prefill_throughput")
	case !t.open:
		t.commands.Line(text, l.Number)
	case bytes.Contains(text, []byte("Decode.  median latency:")):
		t.step(text, l, "itl_p50", "decode_throughput")
	case bytes.Contains(text, []byte("Total. latency:")):
		t.step(text, l, "batch_latency_mean", "total_throughput")
		t.close()
	case bytes.Contains(text, []byte("Decode ")):
		if _, rest, ok := strings.Cut(string(text), "Batch size: "); ok && l.Ended {
			size, _, _ := strings.Cut(rest, ",")
			t.SetLabel("batch_size", []byte(size), l.Number)
			t.last = l.Number
		}
		t.gap = 0
	default:
		t.gap++
	}
	if t.gap > maxNoise {
		t.close()
	}
	return t.open || t.commands.Continued()
}

// step reads the latency and the throughput of a line.
func (t *oneBatchText) step(text []byte, l scan.Line, latency, throughput string) {
	t.gap, t.last = 0, l.Number
	for part := range strings.SplitSeq(string(text), ",") {
		label, value, _ := scan.Labelled([]byte(part), ":")
		number, unit, ok := scan.Quantity(value)
		if _, sure := draft.UnitShift(unit, "tok/s"); ok && sure && strings.HasSuffix(label, "throughput") {
			t.Number(throughput, unit, label, []byte(number), l.Number)
		} else if ok && unit == "s" && strings.HasSuffix(label, "latency") {
			t.Number(latency, unit, label, []byte(number), l.Number)
		}
	}
}

func (t *oneBatchText) close() {
	if t.open && len(t.Metrics) > 0 {
		if t.warmup {
			t.Imply("phase", "warmup", t.Start)
		}
		t.Imply("engine", "sglang", t.Start)
		_, whole := t.Value("batch_latency_mean")
		t.Emit(t.last, whole)
		t.commands.Made(1, t.Start)
	}
	t.open, t.gap = false, 0
}

func (t *oneBatchText) End() {
	t.close()
	t.commands.Settle()
}

// warmupIsShorter removes the output length of a warm-up, which is shorter than the requested length.
func warmupIsShorter(d *draft.Draft, _ *draft.Settings) {
	if d.Label("phase") == "warmup" {
		d.Labels = slices.DeleteFunc(d.Labels, func(l result.Label) bool { return l.Name == "output_len" })
	}
}

// otherBatch reports whether the tokens of a batch (latency × throughput, of the prefill and of the whole batch) differ
// from those that a command requests.
func otherBatch(d *draft.Draft, s *draft.Settings) bool {
	number := func(label string) float64 {
		n, _ := strconv.ParseFloat(s.One(label), 64)
		return n
	}
	batch, input, output := number("batch_size"), number("input_len"), number("output_len")
	if d.Label("phase") == "warmup" {
		output = 0
	}
	for _, of := range []struct {
		latency, throughput string
		tokens              float64
		known               bool
	}{
		{"x_prefill_latency", "prefill_throughput", batch * input, batch > 0 && input > 0},
		{"batch_latency_mean", "total_throughput", batch * (input + output), batch > 0 && input > 0 && output > 0},
	} {
		latency, timed := d.Value(of.latency)
		throughput, ok := d.Value(of.throughput)
		if tokens := latency / 1000 * throughput; timed && ok && of.known && math.Abs(tokens-of.tokens) > 0.1*of.tokens {
			return true
		}
	}
	return false
}
