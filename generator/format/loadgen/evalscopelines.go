package loadgen

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// evalScopeLines reads the summary that EvalScope (llmuses at first) printed until November 2024, before it printed
// grids:
//
//	Benchmarking summary:
//	 Time taken for tests: 22.512 seconds
//	 …
//	 Average latency: 14.140
//	 Throughput(average output tokens per second): 891.275
//	 …
//	 Percentile of time to first token:
//	     p50: 2.7137
//
// Times are in seconds. The time per output token is the duration of the run divided by all tokens. It keeps the tool's
// name, as in the first grids. A package is a chunk of the stream. Percentiles use the nearest rank and cover
// successful requests; they are missing if there were few requests.
//
// Source: evalscope/perf/http_client.py.
type evalScopeLines struct {
	draft.Draft
	open, whole bool
	family      string // of the percentiles that follow
	commands    draft.Commands
	last, gap   int
}

var evalScopeLinesMarks = []string{"Benchmarking summary", "evalscope perf", "llmuses perf"}

var evalScopeLinesCommands = [][]byte{[]byte("evalscope perf"), []byte("llmuses perf")}

func newEvalScopeLines() draft.LineReader { return &evalScopeLines{} }

func (t *evalScopeLines) Begin(in *draft.File) {
	*t = evalScopeLines{Draft: t.Emptied(in), commands: draft.Commands{Names: evalScopeLinesCommands, Own: EvalScopeArgs, Repeats: true}}
	t.commands.Begin(in)
}

// evalScopeLineNames maps the rows of the summary. Rows without a unit are counts.
var evalScopeLineNames = map[string]draft.Member{
	"Time taken for tests": {Name: "duration", Unit: "s"},
	"Succeed requests":     {Name: "requests_completed"},
	"Failed requests":      {Name: "requests_failed"},
	"Average QPS":          {Name: "request_throughput", Unit: "req/s"},
	"Average latency":      {Name: "e2el_mean", Unit: "s"},
	"Throughput(average output tokens per second)": {Name: "output_throughput", Unit: "tok/s"},
	"Average time to first token":                  {Name: "ttft_mean", Unit: "s"},
	"Average input tokens per request":             {Name: "x_mean_input_len", Unit: "tok"},
	"Average output tokens per request":            {Name: "x_mean_output_len", Unit: "tok"},
	"Average time per output token":                {Name: "x_time_per_output_token_mean", Unit: "s"},
	"Average package per request":                  {Name: "x_average_package_per_request", Unit: "1"},
	"Average package latency":                      {Name: "x_average_package_latency", Unit: "s"},
}

func (t *evalScopeLines) Line(l scan.Line) bool {
	if t.commands.Continued() || draft.CommandFlags(l.Text, evalScopeLinesCommands) >= 0 {
		t.close()
		t.commands.Line(l.Text, l.Number)
		return t.commands.Continued()
	}
	label, value, ok := scan.Labelled(l.Text, ":")
	switch {
	case strings.HasSuffix(label, "Benchmarking summary") && value == "":
		t.close()
		t.Reset(t.In, "evalscope", "evalscope-lines-text", l.Number)
		t.open, t.whole, t.family, t.last, t.gap = true, false, "", l.Number, 0
		return true
	case !t.open:
		return false
	case ok && t.row(label, value, l):
		t.last, t.gap = l.Number, 0
	case strings.Contains(string(l.Text), "Too little data to calculate quantiles"):
		t.last, t.whole = l.Number, true
		t.close()
	default:
		if t.gap++; t.gap > draft.MaxGap {
			t.close()
		}
	}
	return t.open
}

func (t *evalScopeLines) row(label, value string, l scan.Line) bool {
	switch label {
	case "Percentile of time to first token":
		t.family = "ttft"
		return true
	case "Percentile of request latency":
		t.family = "e2el"
		return true
	case "Number of concurrency":
		if l.Ended {
			t.SetText("max_concurrency", value, l.Number)
		}
		return true
	case "Expected number of requests":
		if l.Ended {
			t.SetText("num_prompts", value, l.Number)
		}
		return true
	}
	row, known := evalScopeLineNames[label]
	if statistic, isStatistic := draft.StatisticName(label); !known && isStatistic && t.family != "" {
		row, known = draft.Member{Name: t.family + "_" + statistic, Unit: "s"}, true
		t.whole = t.whole || t.family == "e2el" && statistic == "p99" && l.Ended
	}
	if !known {
		return label == "Total requests"
	}
	number, _, isNumber := scan.Quantity(value)
	if isNumber && l.Ended && !isZero(number) || isNumber && l.Ended && row.Unit == "" {
		t.Number(row.Name, row.Unit, label, []byte(number), l.Number)
	}
	return true
}

func (t *evalScopeLines) close() {
	if t.open && t.HasKnown() {
		evalScopeClose(&t.Draft)
		t.Emit(t.last, t.whole)
		t.commands.Made(1, t.Start)
	}
	t.open = false
}

func (t *evalScopeLines) End() {
	t.close()
	t.commands.Settle()
}
