package vllm

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// SGLang's bench_one_batch_server sends one batch to a server: SGLang's own or, since 2026, vLLM's. In the first
// version (May 2025) the output throughput was over the whole time. Since then, it is over the time after the last
// request's first token, and the input throughput is over the time before it: they are the speeds of decode and of
// prefill. The latency shows which of the two an output throughput is.
//
// The latency is that of the whole batch, measured once. -1 means unknown, and so does a generation throughput of 0.
// The cases between "Warmup Begin" and "Warmup End" are warm-ups. The table at the end of the text repeats the figures
// and is not read.
//
// Source: python/sglang/bench_one_batch_server.py.
func isOneBatchServer(v *scan.Value) bool {
	return v.Has("batch_size", "latency") && v.Get("overall_throughput") != nil
}

func readOneBatchServer(in *draft.File, v *scan.Value) {
	s := in.Begin("sglang-one-batch-server", "sglang-one-batch-server-jsonl", v.Line)
	takeSet(s, v, []draft.Member{
		{Key: "run_name", Name: "x_run_name"},
		{Key: "batch_size", Name: "batch_size"},
		{Key: "input_len", Name: "input_len"},
		{Key: "output_len", Name: "output_len"},
		{Key: "latency", Name: "batch_latency_mean", Unit: "s"},
		{Key: "overall_throughput", Name: "total_throughput", Unit: "tok/s"},
		{Key: "input_throughput", Name: "prefill_throughput", Unit: "tok/s"},
		{Key: "last_ttft", Name: "x_last_ttft", Unit: "s"},
		{Key: "total_output_tokens", Name: "output_tokens", Unit: "tok"},
		{Key: "num_early_stopped", Name: "x_num_early_stopped"},
		{Key: "steady_state_output_throughput", Name: "x_steady_state_output_throughput", Unit: "tok/s"},
		{Key: "steady_state_window_s", Name: "x_steady_state_window", Unit: "s"},
		{Key: "cache_hit_rate", Name: "x_cache_hit_rate", Unit: "1"},
	})
	if out := v.Get("output_throughput"); out.Scalar() {
		batchOutput(s, out.Path(), string(out.Raw), out.Line)
	}
	for _, m := range []draft.Member{{Key: "last_gen_throughput", Name: "x_last_generation_throughput", Unit: "tok/s"}, {Key: "acc_length", Name: "acceptance_length", Unit: "tok"}} {
		if n, ok := v.Get(m.Key).Float(); ok && n > 0 { // 0 until the server has counted tokens
			s.TakeAll(v, []draft.Member{m})
		}
	}
	s.Guess("engine", "sglang", v.Line)
	s.EmitObject(v)
}

// batchOutput adds an output throughput under the name that fits: output_throughput if output tokens / latency gives
// the same figure, else decode_throughput.
func batchOutput(s *draft.Draft, field, text string, line int) {
	n, err := strconv.ParseFloat(text, 64)
	latency, timed := s.Value("batch_latency_mean")
	batch, _ := strconv.ParseFloat(s.Labels.Get("batch_size"), 64)
	length, known := strconv.ParseFloat(s.Labels.Get("output_len"), 64)
	switch {
	case err != nil || n <= 0:
		return
	case !timed || latency <= 0 || batch == 0 || known != nil:
		s.Number("x_output_throughput", "tok/s", field, []byte(text), line)
	case math.Abs(n*latency/1000/(batch*length)-1) < 0.01:
		s.Number("output_throughput", "tok/s", field, []byte(text), line)
	default:
		s.Number("decode_throughput", "tok/s", field, []byte(text), line)
	}
}

var oneBatchServerMarks = []string{"batch size: ", "= Warmup Begin =", "= Warmup End "}

// oneBatchServerRows maps the rows by label. What the output throughput means is decided at the end of the block.
var oneBatchServerRows = map[string]draft.Member{
	"batch size":                     {Name: "batch_size"},
	"input_len":                      {Name: "input_len"},
	"output_len":                     {Name: "output_len"},
	"early-stopped requests":         {Name: "x_num_early_stopped"},
	"latency":                        {Name: "batch_latency_mean", Unit: "s"},
	"ttft":                           {Name: "x_last_ttft", Unit: "s"}, // each request overwrote the value
	"last_ttft":                      {Name: "x_last_ttft", Unit: "s"},
	"input throughput":               {Name: "prefill_throughput", Unit: "tok/s"},
	"output throughput":              {Unit: "tok/s"},
	"(input + output) throughput":    {Name: "total_throughput", Unit: "tok/s"},
	"last generation throughput":     {Name: "x_last_generation_throughput", Unit: "tok/s"},
	"steady-state output throughput": {Name: "x_steady_state_output_throughput", Unit: "tok/s"},
	"acc_length":                     {Name: "acceptance_length", Unit: "tok"},
	"total output tokens":            {Name: "output_tokens", Unit: "tok"},
	"cache hit rate":                 {Name: "x_cache_hit_rate", Unit: "1"},
	"spec_accept_rate":               {Name: "x_spec_accept_rate", Unit: "1"},
}

// oneBatchServerText reads the lines of bench_one_batch_server.
type oneBatchServerText struct {
	draft.Draft
	open   bool
	warmup bool
	last   int
	gap    int
	output string // the output throughput
	at     int    // line of output
}

func newOneBatchServerText() draft.LineReader { return &oneBatchServerText{} }

func (t *oneBatchServerText) Begin(in *draft.File) {
	t.In, t.open, t.warmup = in, false, false
}

func (t *oneBatchServerText) Line(l scan.Line) bool {
	if bytes.Contains(l.Text, []byte("= Warmup ")) {
		t.close()
		t.warmup = bytes.Contains(l.Text, []byte("Begin"))
		return false
	}
	label, text, _ := scan.Labelled(l.Text, ":")
	row, known := oneBatchServerRows[label]
	number, unit, ok := scan.Quantity(text)
	if label == "batch size" && ok {
		t.close()
		t.Reset(t.In, "sglang-one-batch-server", "sglang-one-batch-server-text", l.Number)
		t.open, t.output, t.gap = true, "", 0
	}
	if t.open && known && ok && l.Ended {
		t.row(label, row, number, unit, l.Number)
		t.last, t.gap = l.Number, 0
	} else if t.gap++; t.gap > draft.MaxGap {
		t.close()
	}
	return t.open
}

func (t *oneBatchServerText) row(label string, row draft.Member, number, unit string, line int) {
	unit, _, _ = strings.Cut(unit, " ") // "tok/s over a 2.10 s full-batch window"
	n, _ := strconv.ParseFloat(number, 64)
	switch {
	case n <= 0 && row.Unit != "": // unknown
	case row.Unit == "":
		t.Fact([]byte(label), []byte(number))
		t.SetLabel(row.Name, []byte(number), line)
	case row.Unit == "tok" || row.Unit == "1":
		t.Number(row.Name, row.Unit, label, []byte(number), line)
	case row.Name == "":
		if _, rate := draft.UnitShift(unit, row.Unit); rate {
			t.Fact([]byte(label), []byte(number))
			t.output, t.at = number, line
		}
	default:
		if _, ok := draft.UnitShift(unit, row.Unit); ok {
			t.Number(row.Name, unit, label, []byte(number), line)
		}
	}
}

func (t *oneBatchServerText) close() {
	if _, timed := t.Value("batch_latency_mean"); t.open && timed {
		if _, first := t.Value("total_throughput"); first && t.output != "" { // only the first version printed it
			t.Number("output_throughput", "tok/s", "output throughput", []byte(t.output), t.at)
		} else {
			batchOutput(&t.Draft, "output throughput", t.output, t.at)
		}
		if t.warmup {
			t.Imply("phase", "warmup", t.Start)
		}
		t.Guess("engine", "sglang", t.Start)
		t.Emit(t.last, true)
	}
	t.open, t.gap = false, 0
}

func (t *oneBatchServerText) End() { t.close() }
