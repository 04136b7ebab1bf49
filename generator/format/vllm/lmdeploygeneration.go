package vllm

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// lmdeployGeneration reads what LMDeploy's profile_generation has printed for each batch and pair of lengths since
// November 2023:
//
//	total time: 5.51s
//	concurrency: 1, test_round: 3
//	input_tokens: 256, output_tokens: 128
//	first_token latency(min, max, ave): 0.045s, 0.047s, 0.046s
//	total_token latency(min, max, ave): 1.833s, 1.846s, 1.839s
//	token_latency percentiles(50%,75%,95%,99%)(s): [0.014, 0.014, 0.02, 0.021]
//	throughput: 69.68 token/s
//
// Since June 2025 the last line is "throughput(output)" and "throughput(total)". The throughput is the output tokens of
// all streams divided by the time. total_token is the latency of a whole request.
//
// Before November 2023 there was one line "concurrency: 8, input_tokens: 1, output_tokens: 2048" ("cocurrency" at
// first), and "elapsed_time:" instead of the total time. In that form the throughput is that of one stream. "token
// latency" is the time of a request after its first token or, without streaming, the time of the whole request. Both
// have names of their own here.
//
// Source: benchmark/profile_generation.py.
type lmdeployGeneration struct {
	draft.Draft
	open, first bool // first: the form before November 2023
	whole       bool
	last, gap   int
	total       string // the time above the block
	totalLine   int
}

var lmdeployGenerationMarks = []string{"total time: ", ", input_tokens: ", ", test_round: "}

func newLMDeployGeneration() draft.LineReader { return &lmdeployGeneration{} }

func (t *lmdeployGeneration) Begin(in *draft.File) {
	*t = lmdeployGeneration{Draft: t.Emptied(in)}
}

func (t *lmdeployGeneration) Line(l scan.Line) bool {
	label, value, ok := scan.Labelled(l.Text, ":")
	switch {
	case !ok:
	case label == "total time":
		t.close()
		t.total, t.totalLine = value, l.Number
		return false
	case label == "concurrency" || label == "cocurrency":
		t.begin(value, l)
	case t.open && l.Ended && t.row(label, value, l):
		t.last, t.gap = l.Number, 0
		return true
	}
	if t.gap++; t.gap > draft.MaxGap {
		t.close()
	}
	return t.open
}

// begin starts a block with "8, test_round: 3" or "8, input_tokens: 1, output_tokens: 2048".
func (t *lmdeployGeneration) begin(value string, l scan.Line) {
	t.close()
	streams, rest, several := strings.Cut(value, ", ")
	if _, ok := scan.ParseFigure([]byte(streams), 0); !ok || !several || !l.Ended {
		return
	}
	t.first = strings.HasPrefix(rest, "input_tokens:")
	if !t.first && !strings.HasPrefix(rest, "test_round:") {
		return
	}
	t.Reset(t.In, "lmdeploy-generation", "lmdeploy-generation-text", l.Number)
	t.open, t.whole, t.gap, t.last = true, false, -1, l.Number
	if t.totalLine == l.Number-1 {
		t.Start = t.totalLine
		t.Number("duration", "s", "total time", []byte(strings.TrimSuffix(t.total, "s")), t.totalLine)
	}
	t.settings("concurrency: "+value, l.Number)
}

// settings reads "a: 1, b: 2".
func (t *lmdeployGeneration) settings(text string, line int) {
	for setting := range strings.SplitSeq(text, ", ") {
		name, value, _ := strings.Cut(setting, ": ")
		if label := lmdeployGenerationLabels[name]; label != "" {
			t.SetText(label, value, line)
		}
	}
}

var lmdeployGenerationLabels = map[string]string{"concurrency": "max_concurrency", "test_round": "x_test_round",
	"input_tokens": "input_len", "output_tokens": "output_len"}

// lmdeployGenerationLists maps the rows with several numbers.
var lmdeployGenerationLists = map[string][]string{
	"first_token latency(min, max, ave)":            {"ttft_min", "ttft_max", "ttft_mean"},
	"total_token latency(min, max, ave)":            {"e2el_min", "e2el_max", "e2el_mean"},
	"token latency(min, max, ave)":                  {"x_token_latency_min", "x_token_latency_max", "x_token_latency_mean"},
	"token_latency percentiles(50%,75%,95%,99%)(s)": {"x_per_token_latency_p50", "x_per_token_latency_p75", "x_per_token_latency_p95", "x_per_token_latency_p99"},
}

func (t *lmdeployGeneration) row(label, value string, l scan.Line) bool {
	number, unit, isNumber := scan.Quantity(value)
	if names := lmdeployGenerationLists[label]; names != nil {
		values := strings.Split(strings.Trim(value, "[] "), ", ")
		for i, v := range values {
			if len(values) == len(names) {
				t.Number(names[i], "s", label, []byte(strings.TrimSuffix(v, "s")), l.Number)
			}
		}
		return true
	}
	switch label {
	case "input_tokens":
		t.settings(label+": "+value, l.Number)
		return true
	case "elapsed_time":
		return isNumber && t.Number("duration", unit, label, []byte(number), l.Number)
	case "throughput(total)":
		return isNumber && t.Number("total_throughput", unit, label, []byte(number), l.Number)
	case "throughput", "throughput(output)":
		name := "output_throughput"
		if t.first {
			name = "x_throughput_per_stream"
		}
		t.whole = isNumber && t.Number(name, "tok/s", label, []byte(number), l.Number)
		return t.whole
	}
	return false
}

func (t *lmdeployGeneration) close() {
	if t.open && t.HasKnown() {
		t.Imply("engine", "lmdeploy", t.Start)
		t.Emit(t.last, t.whole)
	}
	t.open = false
}

func (t *lmdeployGeneration) End() { t.close() }
