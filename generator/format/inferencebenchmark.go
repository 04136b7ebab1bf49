package format

import (
	"strings"
)

// AI-Hypercomputer's inference-benchmark (Google's GKE, from vLLM's first serving
// benchmark) prints a list for all models and one for each
//
//	====Result for Model: meta-llama/Llama-2-7b-chat-hf====
//	Errors: {'ClientConnectorError': 0, …}
//	Total time: 60.12 s
//	Successful/total requests: 98/100
//	Requests/min: 99.80
//	Output_tokens/min: 20958.08
//	Average Time to First Token (s): 0.21
//	Average milliseconds/request (includes waiting time on server): 4213.11
//
// in rates for a minute, until 2025; since then for a second ("Requests/sec").
// "weighted" is the name of all models together. Requests are those that were
// sent, so their rate is one of completed requests only when none failed. The
// time of an output token is the latency over the tokens, the first included.
//
// Lists of the first version have no title and begin with "Total time".
//
// Source: benchmark_serving.py, print_and_save_result.
type inferenceBenchmarkText struct {
	sheet
	open bool
	last int
	gap  int
	rate struct { // of the requests sent
		text, unit, label string
		line              int
	}
	done, sent string
	answers    int // line of these two
}

var inferenceBenchmarkMarks = []string{"====Result for Model:", "Total time: "}

func newInferenceBenchmarkText() lineReader { return &inferenceBenchmarkText{} }

func (t *inferenceBenchmarkText) begin(in *input) { t.in, t.open = in, false }

var inferenceBenchmarkRows = map[string]member{
	"Total time":        {"", "duration", "s"},
	"Output_tokens/min": {"", "output_throughput", "tok/min"},
	"Input_tokens/min":  {"", "input_throughput", "tok/min"},
	"Tokens/min":        {"", "total_throughput", "tok/min"},
	"Output_tokens/sec": {"", "output_throughput", "tok/s"},
	"Input_tokens/sec":  {"", "input_throughput", "tok/s"},
	"Tokens/sec":        {"", "total_throughput", "tok/s"},
	"Cost $/1k tokens":  {"", "x_cost_per_1k_tokens", "$"},

	"Average Time to First Token (s)":                                     {"", "ttft_mean", "s"},
	"Average Inter-Token Latency (s)":                                     {"", "itl_mean", "s"},
	"Average Time Per Output Token (s)":                                   {"", "tpot_mean", "s"},
	"Average seconds/token (includes waiting time on server)":             {"", "x_seconds_per_token_mean", "s"},
	"Average milliseconds/request (includes waiting time on server)":      {"", "e2el_mean", "ms"},
	"Average seconds/request (includes waiting time on server)":           {"", "e2el_mean", "s"},
	"Average milliseconds/output_token (includes waiting time on server)": {"", "tpot_incl_ttft_mean", "ms"},
	"Average seconds/output_token (includes waiting time on server)":      {"", "tpot_incl_ttft_mean", "s"},
	"Average input length":                                                {"", "x_mean_input_len", "tok"},
	"Average output length":                                               {"", "x_mean_output_len", "tok"},
}

func (t *inferenceBenchmarkText) line(l line) bool {
	label, text, ok := labelled(l.text, ":")
	number, unit, isNumber := quantity(text)
	row, known := inferenceBenchmarkRows[label]
	model, titled := strings.CutPrefix(strings.TrimSpace(string(l.text)), "====Result for Model: ")
	switch {
	case titled:
		t.begun(l.number)
		t.fact([]byte("model"), []byte(model))
		if model = strings.TrimRight(model, "="); model != "weighted" {
			t.label("model_raw", []byte(model), l.number)
		}
	case label == "Total time" && ok && unit == "s" && !t.fresh():
		t.begun(l.number)
		t.number("duration", "s", label, []byte(number), l.number)
	case !t.open:
		return false
	case label == "Successful/total requests":
		if done, sent, ok := strings.Cut(text, "/"); ok && l.ended {
			t.done, t.sent, t.answers = done, sent, l.number
			t.number("requests_completed", "1", label, []byte(done), l.number)
			t.label("num_prompts", []byte(sent), l.number)
		}
	case label == "Requests/min" || label == "Requests/sec":
		if isNumber && l.ended {
			t.rate.text, t.rate.label, t.rate.line = number, label, l.number
			t.rate.unit = map[string]string{"Requests/min": "req/min", "Requests/sec": "req/s"}[label]
		}
	case known && isNumber && l.ended && (unit == "" || unit == row.unit):
		t.number(row.name, row.unit, label, []byte(number), l.number)
	case label == "Errors":
	default:
		if t.gap++; t.gap > maxGap {
			t.close()
		}
		return t.open
	}
	t.last, t.gap = l.number, 0
	return true
}

// fresh tells whether a list has only its title.
func (t *inferenceBenchmarkText) fresh() bool { return t.open && len(t.metrics) == 0 }

func (t *inferenceBenchmarkText) begun(line int) {
	t.close()
	t.reset(t.in, "inference-benchmark", "inference-benchmark-text", line)
	t.open, t.rate.text, t.sent, t.done = true, "", "", ""
}

func (t *inferenceBenchmarkText) close() {
	if _, ok := t.value("output_throughput"); t.open && ok {
		t.requests()
		t.dropUnmeasured()
		_, whole := t.value("tpot_incl_ttft_mean")
		t.hand(t.last, whole)
	}
	t.open, t.gap = false, 0
}

// requests notes the rate of requests, of those sent unless all succeeded.
func (t *inferenceBenchmarkText) requests() {
	done, ok := parseFigure([]byte(t.done), 0)
	sent, counted := parseFigure([]byte(t.sent), 0)
	if ok && counted && sent.value >= done.value {
		t.derive("requests_failed", sent.value-done.value, "total requests less the successful", t.answers)
	}
	name := "request_throughput"
	switch duration, _ := t.value("duration"); {
	case t.done != t.sent:
		name = "x_" + snake(t.rate.label)
	case ok && t.rate.unit == "req/min" && duration > 0: // rounded before it could be divided by 60
		name = "x_" + snake(t.rate.label)
		t.derive("request_throughput", done.value/duration, "successful requests / total time", t.answers)
	}
	if t.rate.text != "" {
		t.number(name, t.rate.unit, t.rate.label, []byte(t.rate.text), t.rate.line)
	}
}

func (t *inferenceBenchmarkText) end() { t.close() }
