package loadgen

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
)

// MLPerf's LoadGen writes mlperf_log_summary.txt: "MLPerf Results Summary", then lines "key : value" in three parts.
// Latencies are in ns. Since 4.0, runs of language models also have tokens and first tokens; runs of other models have
// no token rates. If tokens were not counted but estimated from the average of a sample, the lines contain
// "(inferred)". In the Server scenario the token rate is printed twice. In the Offline scenario all queries are sent at
// once, so a latency is mostly time in the queue. MultiStream measures several samples together. The latencies of these
// two scenarios get names of their own. Whether a result is VALID depends on MLPerf's rules (duration, latency bounds).
// An INVALID run was measured all the same, and gets a label.
//
// Time to Output Token is (latency - first token) / (tokens - 1) of a sample. Since 6.0, its mean, minimum and maximum
// are called "Time per Output Token".
//
// Source: mlcommons/inference, loadgen/results.cc, loadgen.cc.
var mlperfMarks = []string{mlperfTitle, mlperfFirst, ":::MLLOG"}

const (
	mlperfTitle = "MLPerf Results Summary"
	mlperfFirst = "SUT name :" // the first row, for summaries without the title
)

type mlperf struct {
	draft.Draft
	open     bool
	latency  string // name of the latency in this scenario
	server   bool
	complete bool // the parameters, which are the last part, have begun
	last     int
}

func newMLPerf() draft.LineReader { return &mlperf{} }

func (t *mlperf) Begin(in *draft.File) { t.In, t.open = in, false }
func (t *mlperf) End()                 { t.close() }

func (t *mlperf) Line(l scan.Line) bool {
	text := strings.TrimSpace(string(l.Text))
	switch {
	case text == mlperfTitle:
		t.begin(l.Number)
		return true
	case strings.HasPrefix(text, mlperfFirst) && (!t.open || t.complete):
		t.begin(l.Number)
	case strings.HasPrefix(text, ":::MLLOG"):
		t.In.NoResult(l.Number, locale.Textf("MLPerf's log of events; the figures are in mlperf_log_summary.txt beside it"))
		return t.open
	case !t.open:
		return false
	case text == "Test Parameters Used":
		t.complete = true
	case strings.HasPrefix(text, "No warnings"), strings.HasPrefix(text, "No errors"), strings.HasPrefix(text, "```"):
		t.close()
		return t.open
	}
	key, value, ok := scan.Labelled(l.Text, ":")
	if !ok || value == "" || !l.Ended {
		return true
	}
	if key == "Result is" && value != "VALID" && value != "INVALID" {
		t.open = false
		t.In.NoResult(t.Start, locale.Textf("placeholders, not figures"))
		return false
	}
	t.last = l.Number
	if t.complete {
		t.parameter(key, value, l.Number)
	} else {
		t.figure(key, value, l.Number)
	}
	return true
}

func (t *mlperf) begin(line int) {
	t.close()
	t.Reset(t.In, "mlperf", "mlperf-text", line)
	t.open, t.latency, t.server, t.complete, t.last = true, "e2el", false, false, line
}

// mlperfLabels maps the settings in the first part.
var mlperfLabels = map[string]string{
	"SUT name": "x_sut_name", "Scenario": "x_scenario", "Mode": "x_mode", "Result is": "x_result",
	"Performance constraints satisfied": "x_performance_constraints_satisfied",
	"Min duration satisfied":            "x_min_duration_satisfied",
	"Min queries satisfied":             "x_min_queries_satisfied",
	"Early stopping satisfied":          "x_early_stopping_satisfied",
}

var mlperfRates = map[string]struct{ name, unit string }{
	"Samples per second":                     {"request_throughput", "req/s"},
	"Completed samples per second":           {"request_throughput", "req/s"},
	"Scheduled samples per second":           {"x_scheduled_samples_per_second", "req/s"},
	"QPS w/ loadgen overhead":                {"request_throughput", "req/s"},
	"QPS w/o loadgen overhead":               {"x_qps_without_loadgen_overhead", "req/s"},
	"Tokens per second":                      {"output_throughput", "tok/s"},
	"Completed tokens per second":            {"output_throughput", "tok/s"},
	"TPS w/ loadgen overhead":                {"output_throughput", "tok/s"},
	"TPS w/o loadgen overhead":               {"x_tps_without_loadgen_overhead", "tok/s"},
	"Tokens per second (inferred)":           {"x_tokens_per_second_inferred", "tok/s"},
	"Completed tokens per second (inferred)": {"x_completed_tokens_per_second_inferred", "tok/s"},
}

// queryLatency is the latency of a query with several samples.
const queryLatency = "x_query_latency"

func (t *mlperf) figure(key, value string, line int) {
	if label, ok := mlperfLabels[key]; ok {
		t.SetText(label, value, line)
		if key == "Scenario" {
			switch strings.ReplaceAll(value, " ", "") {
			case "Offline":
				t.latency = "x_offline_latency"
			case "MultiStream": // measures several samples together
				t.latency = queryLatency
			case "SingleStream":
				t.Imply("max_concurrency", "1", line)
			case "Server":
				t.server = true
			}
		}
		return
	}
	if rate, ok := mlperfRates[key]; ok {
		if key == "Scheduled samples per second" || !isZero(value) {
			t.Number(rate.name, rate.unit, key, []byte(value), line)
		}
		return
	}
	name, ok := strings.CutSuffix(key, "(ns)")
	if !ok {
		return
	}
	statistic, of, ok := strings.Cut(strings.TrimSpace(name), " ")
	of = strings.ToLower(strings.TrimPrefix(strings.TrimSpace(of), "percentile "))
	statistic, isStatistic := draft.StatisticName(statistic)
	family, unit := map[string]string{
		"latency": t.latency, "first token latency": "ttft", "time to output token": "tpot", "time per output token": "tpot",
	}[of], "ns"
	if ok && isStatistic && family != "" && !isZero(value) {
		t.Number(family+"_"+statistic, unit, key, []byte(value), line)
	}
}

// parameter reads a setting in the last part.
func (t *mlperf) parameter(key, value string, line int) {
	switch key {
	case "target_qps":
		if t.server {
			t.SetText("request_rate", value, line)
		} else {
			t.SetText("x_target_qps", value, line)
		}
	case "samples_per_query", "min_query_count", "max_query_count", "performance_sample_count", "max_async_queries":
		t.SetText("x_"+key, value, line)
	case "ttft_latency (ns)", "tpot_latency (ns)", "target_latency (ns)", "min_duration (ms)", "max_duration (ms)":
		t.SetText("x_"+draft.Snake(key), value, line)
	}
}

func (t *mlperf) close() {
	if t.open && (t.HasKnown() || t.latency == queryLatency && len(t.Metrics) > 0) {
		t.Emit(t.last, t.complete)
	} else if t.open {
		t.In.NoResult(t.Start, locale.Textf("an MLPerf summary without figures"))
	}
	t.open = false
}

// isZero reports whether a figure is zero.
func isZero(text string) bool {
	f, ok := scan.ParseFigure([]byte(text), 0)
	return ok && f.Finite && f.Value == 0
}
