package format

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// SGLang's bench_one_batch_server sends one batch to a server, SGLang's own or,
// since 2026, vLLM's. In its first version (May 2025) the output throughput was
// that of the whole time; since then it is that after the last request's first
// token, the input throughput being that before it: the speeds of decode and of
// prefill. Which of both it is follows from the latency.
//
// The latency is the whole batch's, once. -1 stands for unknown, and so does a
// generation throughput of 0. The cases between "Warmup Begin" and "Warmup End"
// are no measurements. The table at the end of the text says all again, and is
// left.
//
// Source: python/sglang/bench_one_batch_server.py.
func isOneBatchServer(v *value) bool {
	return v.has("batch_size", "latency") && v.get("overall_throughput") != nil
}

func readOneBatchServer(in *input, v *value) {
	s := in.begin("sglang-one-batch-server", "sglang-one-batch-server-jsonl", v.line)
	s.takeSet(v, []member{
		{"run_name", "x_run_name", ""},
		{"batch_size", "batch_size", ""},
		{"input_len", "input_len", ""},
		{"output_len", "output_len", ""},
		{"latency", "batch_latency_mean", "s"},
		{"overall_throughput", "total_throughput", "tok/s"},
		{"input_throughput", "prefill_throughput", "tok/s"},
		{"last_ttft", "x_last_ttft", "s"},
		{"total_output_tokens", "output_tokens", "tok"},
		{"num_early_stopped", "x_num_early_stopped", ""},
		{"steady_state_output_throughput", "x_steady_state_output_throughput", "tok/s"},
		{"steady_state_window_s", "x_steady_state_window", "s"},
		{"cache_hit_rate", "x_cache_hit_rate", "1"},
	})
	if out := v.get("output_throughput"); out.scalar() {
		s.batchOutput(out.path(), string(out.text), out.line)
	}
	for _, m := range []member{{"last_gen_throughput", "x_last_generation_throughput", "tok/s"}, {"acc_length", "acceptance_length", "tok"}} {
		if n, ok := v.get(m.key).float(); ok && n > 0 { // 0 before the server counted any
			s.takeAll(v, []member{m})
		}
	}
	s.guess("engine", "sglang", v.line)
	s.finish(v)
}

// batchOutput notes an output throughput by what it is: over the whole time when
// that gives it, else the speed of decode.
func (s *sheet) batchOutput(field, text string, line int) {
	n, err := strconv.ParseFloat(text, 64)
	latency, timed := s.value("batch_latency_mean")
	batch, _ := strconv.ParseFloat(s.labels.Get("batch_size"), 64)
	length, known := strconv.ParseFloat(s.labels.Get("output_len"), 64)
	switch {
	case err != nil || n <= 0:
		return
	case !timed || latency <= 0 || batch == 0 || known != nil:
		s.number("x_output_throughput", "tok/s", field, []byte(text), line)
	case math.Abs(n*latency/1000/(batch*length)-1) < 0.01:
		s.number("output_throughput", "tok/s", field, []byte(text), line)
	default:
		s.number("decode_throughput", "tok/s", field, []byte(text), line)
	}
}

var oneBatchServerMarks = []string{"batch size: ", "= Warmup Begin =", "= Warmup End "}

// oneBatchServerRows are the rows by their label. What the output throughput is
// shows in the end.
var oneBatchServerRows = map[string]member{
	"batch size":                     {"", "batch_size", ""},
	"input_len":                      {"", "input_len", ""},
	"output_len":                     {"", "output_len", ""},
	"early-stopped requests":         {"", "x_num_early_stopped", ""},
	"latency":                        {"", "batch_latency_mean", "s"},
	"ttft":                           {"", "x_last_ttft", "s"}, // each request overwrote it
	"last_ttft":                      {"", "x_last_ttft", "s"},
	"input throughput":               {"", "prefill_throughput", "tok/s"},
	"output throughput":              {"", "", "tok/s"},
	"(input + output) throughput":    {"", "total_throughput", "tok/s"},
	"last generation throughput":     {"", "x_last_generation_throughput", "tok/s"},
	"steady-state output throughput": {"", "x_steady_state_output_throughput", "tok/s"},
	"acc_length":                     {"", "acceptance_length", "tok"},
	"total output tokens":            {"", "output_tokens", "tok"},
	"cache hit rate":                 {"", "x_cache_hit_rate", "1"},
	"spec_accept_rate":               {"", "x_spec_accept_rate", "1"},
}

// oneBatchServerText reads the lines of bench_one_batch_server.
type oneBatchServerText struct {
	sheet
	open   bool
	warmup bool
	last   int
	gap    int
	output string // the throughput
	at     int    // and its line
}

func newOneBatchServerText() lineReader { return &oneBatchServerText{} }

func (t *oneBatchServerText) begin(in *input) {
	t.in, t.open, t.warmup = in, false, false
}

func (t *oneBatchServerText) line(l line) bool {
	if bytes.Contains(l.text, []byte("= Warmup ")) {
		t.close()
		t.warmup = bytes.Contains(l.text, []byte("Begin"))
		return false
	}
	label, text, _ := labelled(l.text, ":")
	row, known := oneBatchServerRows[label]
	number, unit, ok := quantity(text)
	if label == "batch size" && ok {
		t.close()
		t.reset(t.in, "sglang-one-batch-server", "sglang-one-batch-server-text", l.number)
		t.open, t.output, t.gap = true, "", 0
	}
	if t.open && known && ok && l.ended {
		t.row(label, row, number, unit, l.number)
		t.last, t.gap = l.number, 0
	} else if t.gap++; t.gap > maxGap {
		t.close()
	}
	return t.open
}

func (t *oneBatchServerText) row(label string, row member, number, unit string, line int) {
	unit, _, _ = strings.Cut(unit, " ") // "tok/s over a 2.10 s full-batch window"
	n, _ := strconv.ParseFloat(number, 64)
	switch {
	case n <= 0 && row.unit != "": // unknown
	case row.unit == "":
		t.fact([]byte(label), []byte(number))
		t.label(row.name, []byte(number), line)
	case row.unit == "tok" || row.unit == "1":
		t.number(row.name, row.unit, label, []byte(number), line)
	case row.name == "":
		if _, rate := unitShift(unit, row.unit); rate {
			t.fact([]byte(label), []byte(number))
			t.output, t.at = number, line
		}
	default:
		if _, ok := unitShift(unit, row.unit); ok {
			t.number(row.name, unit, label, []byte(number), line)
		}
	}
}

func (t *oneBatchServerText) close() {
	if _, timed := t.value("batch_latency_mean"); t.open && timed {
		if _, first := t.value("total_throughput"); first && t.output != "" { // printed by the first version alone
			t.number("output_throughput", "tok/s", "output throughput", []byte(t.output), t.at)
		} else {
			t.batchOutput("output throughput", t.output, t.at)
		}
		if t.warmup {
			t.imply("phase", "warmup", t.start)
		}
		t.guess("engine", "sglang", t.start)
		t.hand(t.last, true)
	}
	t.open, t.gap = false, 0
}

func (t *oneBatchServerText) end() { t.close() }
