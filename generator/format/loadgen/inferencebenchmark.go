package loadgen

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// AI-Hypercomputer's inference-benchmark (from Google's GKE, based on vLLM's first serving benchmark) prints a list for
// each model and one for all models:
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
// Rates are per minute until 2025 and per second since then ("Requests/sec"). The list for all models has the name
// "weighted". The rate of requests counts those sent, so it is the rate of completed requests only if none failed. The
// time per output token is the latency divided by all tokens, the first included.
//
// Lists of the first version have no title and begin with "Total time".
//
// Source: benchmark_serving.py, print_and_save_result.
type inferenceBenchmarkText struct {
	draft.Draft
	open bool
	last int
	gap  int
	rate struct { // of the requests sent
		text, unit, label string
		line              int
	}
	done, sent string
	answers    int // line of done and sent
}

var inferenceBenchmarkMarks = []string{"====Result for Model:", "Total time: "}

func newInferenceBenchmarkText() draft.LineReader { return &inferenceBenchmarkText{} }

func (t *inferenceBenchmarkText) Begin(in *draft.File) { t.In, t.open = in, false }

var inferenceBenchmarkRows = map[string]draft.Member{
	"Total time":        {Name: "duration", Unit: "s"},
	"Output_tokens/min": {Name: "output_throughput", Unit: "tok/min"},
	"Input_tokens/min":  {Name: "input_throughput", Unit: "tok/min"},
	"Tokens/min":        {Name: "total_throughput", Unit: "tok/min"},
	"Output_tokens/sec": {Name: "output_throughput", Unit: "tok/s"},
	"Input_tokens/sec":  {Name: "input_throughput", Unit: "tok/s"},
	"Tokens/sec":        {Name: "total_throughput", Unit: "tok/s"},
	"Cost $/1k tokens":  {Name: "x_cost_per_1k_tokens", Unit: "$"},

	"Average Time to First Token (s)":                                     {Name: "ttft_mean", Unit: "s"},
	"Average Inter-Token Latency (s)":                                     {Name: "itl_mean", Unit: "s"},
	"Average Time Per Output Token (s)":                                   {Name: "tpot_mean", Unit: "s"},
	"Average seconds/token (includes waiting time on server)":             {Name: "x_time_per_token_mean", Unit: "s"},
	"Average milliseconds/request (includes waiting time on server)":      {Name: "e2el_mean", Unit: "ms"},
	"Average seconds/request (includes waiting time on server)":           {Name: "e2el_mean", Unit: "s"},
	"Average milliseconds/output_token (includes waiting time on server)": {Name: "tpot_incl_ttft_mean", Unit: "ms"},
	"Average seconds/output_token (includes waiting time on server)":      {Name: "tpot_incl_ttft_mean", Unit: "s"},
	"Average input length":                                                {Name: "x_mean_input_len", Unit: "tok"},
	"Average output length":                                               {Name: "x_mean_output_len", Unit: "tok"},
}

func (t *inferenceBenchmarkText) Line(l scan.Line) bool {
	label, text, ok := scan.Labelled(l.Text, ":")
	number, unit, isNumber := scan.Quantity(text)
	row, known := inferenceBenchmarkRows[label]
	model, titled := strings.CutPrefix(strings.TrimSpace(string(l.Text)), "====Result for Model: ")
	switch {
	case titled:
		t.begun(l.Number)
		t.Fact([]byte("model"), []byte(model))
		if model = strings.TrimRight(model, "="); model != "weighted" {
			t.SetLabel("model_raw", []byte(model), l.Number)
		}
	case label == "Total time" && ok && unit == "s" && !t.fresh():
		t.begun(l.Number)
		t.Number("duration", "s", label, []byte(number), l.Number)
	case !t.open:
		return false
	case label == "Successful/total requests":
		if done, sent, ok := strings.Cut(text, "/"); ok && l.Ended {
			t.done, t.sent, t.answers = done, sent, l.Number
			t.Number("requests_completed", "1", label, []byte(done), l.Number)
			t.SetLabel("num_prompts", []byte(sent), l.Number)
		}
	case label == "Requests/min" || label == "Requests/sec":
		if isNumber && l.Ended {
			t.rate.text, t.rate.label, t.rate.line = number, label, l.Number
			t.rate.unit = map[string]string{"Requests/min": "req/min", "Requests/sec": "req/s"}[label]
		}
	case known && isNumber && l.Ended && (unit == "" || unit == row.Unit):
		t.Number(row.Name, row.Unit, label, []byte(number), l.Number)
	case label == "Errors":
	default:
		if t.gap++; t.gap > draft.MaxGap {
			t.close()
		}
		return t.open
	}
	t.last, t.gap = l.Number, 0
	return true
}

// fresh reports whether only the title of a list has been read.
func (t *inferenceBenchmarkText) fresh() bool { return t.open && len(t.Metrics) == 0 }

func (t *inferenceBenchmarkText) begun(line int) {
	t.close()
	t.Reset(t.In, "inference-benchmark", "inference-benchmark-text", line)
	t.open, t.rate.text, t.sent, t.done = true, "", "", ""
}

func (t *inferenceBenchmarkText) close() {
	if _, ok := t.Value("output_throughput"); t.open && ok {
		t.requests()
		t.DropUnmeasured()
		_, whole := t.Value("tpot_incl_ttft_mean")
		t.Emit(t.last, whole)
	}
	t.open, t.gap = false, 0
}

// requests adds the rate of requests. If some failed, it is the rate of requests sent and gets a name of its own.
func (t *inferenceBenchmarkText) requests() {
	done, ok := scan.ParseFigure([]byte(t.done), 0)
	sent, counted := scan.ParseFigure([]byte(t.sent), 0)
	if ok && counted && sent.Value >= done.Value {
		t.Derive("requests_failed", sent.Value-done.Value, "total requests less the successful", t.answers)
	}
	name := "request_throughput"
	switch duration, _ := t.Value("duration"); {
	case t.done != t.sent:
		name = "x_" + draft.Snake(t.rate.label)
	case ok && t.rate.unit == "req/min" && duration > 0: // too few digits to be divided by 60
		name = "x_" + draft.Snake(t.rate.label)
		t.Derive("request_throughput", done.Value/duration, "successful requests / total time", t.answers)
	}
	if t.rate.text != "" {
		t.Number(name, t.rate.unit, t.rate.label, []byte(t.rate.text), t.rate.line)
	}
}

func (t *inferenceBenchmarkText) End() { t.close() }
