package format

import (
	"strings"
)

// MLPerf's LoadGen writes mlperf_log_summary.txt: "MLPerf Results Summary", then
// lines "key : value" in three parts, latencies in ns. Since 4.0 runs of language
// models add tokens and first tokens; for other models there is none and no token
// rate follows. Where tokens were not counted but taken from a sample's average the
// lines say "(inferred)". A server's rate of tokens comes twice. Offline all queries
// are sent at once, so that a latency is mostly a place in the queue, and MultiStream
// times several samples together: those keep names of their own. Whether a result is VALID is a matter of MLPerf's rules (duration,
// latency bounds); an INVALID run was measured all the same and is labelled so.
//
// Time to Output Token is (latency - first token) / (tokens - 1) of a sample.
//
// Source: mlcommons/inference, loadgen/results.cc, loadgen.cc.
var mlperfMarks = []string{"MLPerf Results Summary", ":::MLLOG"}

type mlperf struct {
	sheet
	open     bool
	latency  string // the name of a latency in this scenario
	server   bool
	complete bool // the parameters, which are the last part, have begun
	last     int
}

func newMLPerf() lineReader { return &mlperf{} }

func (t *mlperf) begin(in *input) { t.in, t.open = in, false }
func (t *mlperf) end()            { t.close() }

func (t *mlperf) line(l line) bool {
	text := strings.TrimSpace(string(l.text))
	switch {
	case text == "MLPerf Results Summary":
		t.close()
		t.reset(t.in, "mlperf", "mlperf-text", l.number)
		t.open, t.latency, t.server, t.complete, t.last = true, "e2el", false, false, l.number
		return true
	case strings.HasPrefix(text, ":::MLLOG"):
		t.in.noResult(l.number, "MLPerf's log of events; the figures are in mlperf_log_summary.txt beside it")
		return t.open
	case !t.open:
		return false
	case text == "Test Parameters Used":
		t.complete = true
	case strings.HasPrefix(text, "No warnings"), strings.HasPrefix(text, "No errors"), strings.HasPrefix(text, "```"):
		t.close()
		return t.open
	}
	key, value, ok := labelled(l.text, ":")
	if !ok || value == "" || !l.ended {
		return true
	}
	if key == "Result is" && value != "VALID" && value != "INVALID" {
		t.open = false
		t.in.noResult(t.start, "placeholders, not figures")
		return false
	}
	t.last = l.number
	if t.complete {
		t.parameter(key, value, l.number)
	} else {
		t.figure(key, value, l.number)
	}
	return true
}

// mlperfLabels are the settings of the first part.
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

func (t *mlperf) figure(key, value string, line int) {
	if label, ok := mlperfLabels[key]; ok {
		t.said(label, value, line)
		if key == "Scenario" {
			switch strings.ReplaceAll(value, " ", "") {
			case "Offline":
				t.latency = "x_offline_latency"
			case "MultiStream": // of several samples together
				t.latency = "x_query_latency"
			case "SingleStream":
				t.imply("max_concurrency", "1", line)
			case "Server":
				t.server = true
			}
		}
		return
	}
	if rate, ok := mlperfRates[key]; ok {
		if key == "Scheduled samples per second" || !isZero(value) {
			t.number(rate.name, rate.unit, key, []byte(value), line)
		}
		return
	}
	name, ok := strings.CutSuffix(key, "(ns)")
	if !ok {
		return
	}
	statistic, of, ok := strings.Cut(strings.TrimSpace(name), " ")
	of = strings.ToLower(strings.TrimPrefix(strings.TrimSpace(of), "percentile "))
	statistic, isStatistic := statisticName(statistic)
	family, unit := map[string]string{
		"latency": t.latency, "first token latency": "ttft", "time to output token": "tpot",
	}[of], "ns"
	if ok && isStatistic && family != "" && !isZero(value) {
		t.number(family+"_"+statistic, unit, key, []byte(value), line)
	}
}

// parameter notes a setting of the last part.
func (t *mlperf) parameter(key, value string, line int) {
	switch key {
	case "target_qps":
		if t.server {
			t.said("request_rate", value, line)
		} else {
			t.said("x_target_qps", value, line)
		}
	case "samples_per_query", "min_query_count", "max_query_count", "performance_sample_count", "max_async_queries":
		t.said("x_"+key, value, line)
	case "ttft_latency (ns)", "tpot_latency (ns)", "target_latency (ns)", "min_duration (ms)", "max_duration (ms)":
		t.said("x_"+snake(key), value, line)
	}
}

func (t *mlperf) close() {
	if t.open && t.hasKnown() {
		t.hand(t.last, t.complete)
	} else if t.open {
		t.in.noResult(t.start, "an MLPerf summary without figures")
	}
	t.open = false
}

// isZero tells a zero, however it is written.
func isZero(text string) bool {
	f, ok := parseFigure([]byte(text), 0)
	return ok && f.finite && f.value == 0
}
