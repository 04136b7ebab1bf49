package vllm

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// llmperfText reads what llmperf's token_benchmark_ray.py prints when it ends. The names are those of the saved summary
// without "results_" (llmperf.go), and have the same meanings:
//
//	Results for token benchmark for org/model queried with the openai api.
//
//	ttft_s
//	    p25 = 0.3101
//	    p50 = 0.3325
//	    mean = 0.3340
//	    …
//	Number Of Errored Requests: 0
//	Overall Output Throughput: 132.50
//	Number Of Completed Requests: 20
//	Completed Requests Per Minute: 24.75
//
// Source: token_benchmark_ray.py.
type llmperfText struct {
	draft.Draft
	open      bool
	family    *draft.Member // whose statistics follow
	last, gap int
	commands  draft.Commands
}

const (
	llmperfHead   = "Results for token benchmark for "
	llmperfScript = "token_benchmark_ray.py"
	maxLLMPerfGap = 12 // maximum number of unknown lines in a row, such as statistics that are not read
)

var llmperfTextMarks = []string{llmperfHead, llmperfScript}

var llmperfArguments = map[string]string{
	"model": "model_raw", "num_concurrent_requests": "max_concurrency", "mean_input_tokens": "input_len",
	"mean_output_tokens": "output_len", "stddev_input_tokens": "x_stddev_input_tokens", "stddev_output_tokens": "x_stddev_output_tokens",
}

// llmperfTotals maps the rows below the statistics.
var llmperfTotals = map[string]draft.Member{
	"Number Of Errored Requests":    {Name: "requests_failed", Unit: "1"},
	"Overall Output Throughput":     {Name: "output_throughput", Unit: "tok/s"},
	"Number Of Completed Requests":  {Name: "requests_completed", Unit: "1"},
	"Completed Requests Per Minute": {Name: "request_throughput", Unit: "req/min"},
}

// llmperfLengths maps the families of which only the mean is read.
var llmperfLengths = map[string]string{"number_input_tokens": "x_mean_input_len", "number_output_tokens": "x_mean_output_len"}

func newLLMPerfText() draft.LineReader { return &llmperfText{} }

func (t *llmperfText) Begin(in *draft.File) {
	*t = llmperfText{Draft: t.Emptied(in), commands: draft.Commands{Names: [][]byte{[]byte(llmperfScript)}, Own: llmperfArguments}}
	t.commands.Begin(in)
}

func (t *llmperfText) Line(l scan.Line) bool {
	text := strings.TrimSpace(string(l.Text))
	switch _, head, isHead := strings.Cut(text, llmperfHead); {
	case isHead:
		t.close(true)
		t.Reset(t.In, "llmperf", "llmperf-text", l.Number)
		t.open, t.family, t.last, t.gap = true, nil, l.Number, 0
		model, _, _ := strings.Cut(head, " queried with ")
		t.SetText("model_raw", model, l.Number)
	case t.commands.Continued() || !t.open || t.In.Marked:
		t.close(true)
		t.commands.Line(l.Text, l.Number)
		return t.commands.Continued()
	case t.row(text, l):
		t.last, t.gap = l.Number, 0
	default:
		if t.gap++; t.gap > maxLLMPerfGap {
			t.close(true)
		}
	}
	return t.open
}

// row reads a line of a block: the name of a family, one of its statistics, or a row below the statistics.
func (t *llmperfText) row(text string, l scan.Line) bool {
	for i := range llmperfFamilies {
		if text == llmperfFamilies[i].Key {
			t.family = &llmperfFamilies[i]
			return true
		}
	}
	if name, ok := llmperfLengths[text]; ok {
		t.family = &draft.Member{Key: text, Name: name, Unit: "tok"}
		return true
	}
	if statistic, value, ok := strings.Cut(text, " = "); ok && t.family != nil && l.Ended {
		name, known := draft.StatisticName(statistic)
		switch own := strings.HasPrefix(t.family.Key, "number_"); {
		case !known || own && name != "mean":
		case own:
			t.Number(t.family.Name, t.family.Unit, t.family.Key+", mean", []byte(value), l.Number)
		default:
			t.Number(t.family.Name+"_"+name, t.family.Unit, t.family.Key+", "+statistic, []byte(value), l.Number)
		}
		return known
	}
	label, value, ok := strings.Cut(text, ": ")
	row, known := llmperfTotals[label]
	if !ok || !known || !l.Ended {
		return false
	}
	t.family = nil
	t.Number(row.Name, row.Unit, label, []byte(value), l.Number)
	if row.Name == "request_throughput" {
		t.last = l.Number
		t.close(true)
	}
	return true
}

// close emits the block. A block that ends before its rates was cut off.
func (t *llmperfText) close(whole bool) {
	if !t.open {
		return
	}
	t.open = false
	if !t.HasKnown() {
		return
	}
	_, rated := t.Value("request_throughput")
	t.Emit(t.last, whole && rated)
	t.commands.Made(1, t.Start)
}

func (t *llmperfText) End() {
	t.close(false)
	t.commands.Settle()
}
