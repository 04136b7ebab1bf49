package loadgen

import (
	"bytes"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
)

// InferenceX's replay of traces logs an assessment period every half minute and a summary at the end. Each line begins
// with the time, figures have commas between thousands, and times are in seconds.
//
// The final block begins with "Test Complete". If it is missing, the last lines with "(cumulative)" are used. Users are
// conversations. While subagents of users run, there are more users than requested.
//
// Source: experimental/multiturn/vllm_benchmark, the log it writes.
var replayMarks = []string{"Trace Replay Performance Tester", "Test Complete", "TTFT (cumulative): avg="}

type replayText struct {
	draft.Draft
	above []replaySetting // settings above the blocks
	open  bool            // in a block of figures
	final bool            // the block is the final one
	last  int
}

type replaySetting struct {
	label, value string
	line         int
}

func newReplayText() draft.LineReader { return &replayText{} }

func (t *replayText) Begin(in *draft.File) {
	t.In, t.above, t.open, t.final = in, nil, false, false
}

// replayLine matches a line, with its date, time and text.
var replayLine = lazy.Regexp(`^\[(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d),\d+\] [A-Z]+ - (.*)$`)

// replaySettings maps the rows above the periods.
var replaySettings = map[string]string{
	"Auto-detected model": "model_raw", "Loading tokenizer": "tokenizer", "Start Users": "x_start_users",
	"Max Users": "x_max_users", "Max Context": "x_max_context", "Test Duration": "x_test_duration",
	"Timing Strategy": "x_timing_strategy", "Warm Prefix": "x_warm_prefix", "Replay mode": "x_replay_mode",
}

// replayRows maps the rows of the final block that have one figure.
var replayRows = map[string]draft.Member{
	"Duration":                    {Name: "duration", Unit: "s"},
	"Total Requests":              {Name: "requests_completed"},
	"Total Users Created":         {Name: "x_total_users_created", Unit: "1"},
	"Peak Concurrent Users":       {Name: "x_peak_concurrent_users", Unit: "1"},
	"Avg Workload Cache Hit Rate": {Name: "x_workload_cache_hit_rate", Unit: "%"},
	"Peak Working Set":            {Name: "x_peak_working_set", Unit: "tok"},
}

func (t *replayText) Line(l scan.Line) bool {
	m := replayLine().FindSubmatch(bytes.TrimLeft(l.Text, " \t"))
	if m == nil || !l.Ended {
		return true // another line, or one that may be cut off
	}
	text := strings.TrimSpace(string(m[3]))
	label, value, _ := scan.Labelled(m[3], ":")
	switch {
	case strings.HasPrefix(text, "Trace Replay Performance Tester"):
		t.close()
		t.above = []replaySetting{{"date", string(m[1]) + "T" + string(m[2]), l.Number}}
		if _, version, ok := strings.Cut(text, " v"); ok && version != "" {
			t.above = append(t.above, replaySetting{"tool_version", version, l.Number})
		}
	case text == "Test Complete":
		t.block(l)
		t.final = true
	case strings.HasPrefix(text, "Assessment Period "):
		t.block(l)
	case t.open && t.final && strings.HasPrefix(text, "Results saved to"):
		t.close()
		t.above = nil
	case t.open:
		t.row(label, value, l)
	case replaySettings[label] != "" && value != "" && len(value) <= draft.MaxLabel:
		t.above = append(t.above, replaySetting{replaySettings[label], value, l.Number})
	}
	return true
}

// block begins a block of figures. A new period replaces the previous one.
func (t *replayText) block(l scan.Line) {
	t.Reset(t.In, "inferencex", "inferencex-text", l.Number)
	t.open, t.final, t.last = true, false, l.Number
}

// row reads a row of a block. In a period, only the figures of the whole run so far are read.
func (t *replayText) row(label, value string, l scan.Line) {
	switch {
	case t.final && label == "TTFT avg/p50/p95/max":
		figures := strings.Split(value, " / ")
		for i, name := range []string{"ttft_mean", "ttft_p50", "ttft_p95", "ttft_max"} {
			if i < len(figures) {
				t.quantity(name, label, figures[i], "s", l)
			}
		}
	case label == "TTFT (cumulative)":
		for _, figure := range strings.Split(value, " | ") {
			statistic, text, _ := strings.Cut(figure, "=")
			text, _, _ = strings.Cut(text, " ")
			if suffix, ok := draft.StatisticName(statistic); ok {
				t.quantity("ttft_"+suffix, label+" "+statistic, text, "s", l)
			}
		}
		if _, count, ok := strings.Cut(value, "("); ok {
			t.quantity("requests_completed", label+" reqs", strings.TrimSuffix(count, " reqs)"), "", l)
		}
	case t.final && label == "Throughput" || label == "Throughput (cumulative)":
		for _, figure := range strings.Split(value, " | ") {
			for suffix, m := range map[string]draft.Member{
				" input tok/s": {Name: "input_throughput", Unit: "tok/s"}, " output tok/s": {Name: "output_throughput", Unit: "tok/s"},
				" req/s": {Name: "request_throughput", Unit: "req/s"},
			} {
				if text, ok := strings.CutSuffix(figure, suffix); ok {
					t.quantity(m.Name, label+suffix, text, m.Unit, l)
				}
			}
		}
	case t.final:
		if m, ok := replayRows[label]; ok {
			t.quantity(m.Name, label, value, m.Unit, l)
		}
	}
}

// quantity adds a figure, which may have its unit.
func (t *replayText) quantity(name, field, text, unit string, l scan.Line) {
	number, given, ok := scan.Quantity(text)
	if given == "" || given == "tokens" {
		given = unit
	}
	if ok && t.Number(name, given, field, []byte(number), l.Number) {
		t.last = l.Number
	}
}

// close emits the current block. The result is complete if the block is the final one.
func (t *replayText) close() {
	completed, counted := t.Value("requests_completed")
	if t.open && t.HasKnown() && (t.final || counted && completed > 0) {
		users := map[string]string{}
		for _, set := range t.above {
			t.SetLabel(set.label, []byte(set.value), set.line)
			users[set.label] = set.value
		}
		if n := users["x_max_users"]; n != "" && n == users["x_start_users"] {
			t.Guess("max_concurrency", n, t.Start)
		}
		if duration, ok := t.Value("duration"); ok && duration > 0 && counted {
			t.Derive("request_throughput", completed/duration, "Total Requests / Duration", t.Start)
		}
		t.Emit(t.last, t.final)
	}
	t.open = false
}

func (t *replayText) End() { t.close() }
