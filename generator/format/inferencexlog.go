package format

import (
	"regexp"
	"strings"
)

// InferenceX's replay of traces logs a period of assessment every half minute and
// sums up at the end. A time stands before every line, figures have commas between
// thousands, and times are in seconds.
//
// The final block begins with "Test Complete". Of a log without it the last lines
// that say "(cumulative)" tell how far the run was. Users are conversations; while
// their subagents run there are more of them than were asked for.
//
// Source: experimental/multiturn/vllm_benchmark, the log it writes.
var replayMarks = []string{"Trace Replay Performance Tester", "Test Complete", "TTFT (cumulative): avg="}

type replayText struct {
	sheet
	above []replaySetting // of the run
	open  bool            // a block of figures
	final bool            // and it is the one at the end
	last  int
}

type replaySetting struct {
	label, value string
	line         int
}

func newReplayText() lineReader { return &replayText{} }

func (t *replayText) begin(in *input) {
	t.in, t.above, t.open, t.final = in, nil, false, false
}

// replayLine takes the time and the level off a line.
var replayLine = regexp.MustCompile(`^\[(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d),\d+\] [A-Z]+ - (.*)$`)

// replaySettings are the rows above the periods.
var replaySettings = map[string]string{
	"Auto-detected model": "model_raw", "Loading tokenizer": "tokenizer", "Start Users": "x_start_users",
	"Max Users": "x_max_users", "Max Context": "x_max_context", "Test Duration": "x_test_duration",
	"Timing Strategy": "x_timing_strategy", "Warm Prefix": "x_warm_prefix", "Replay mode": "x_replay_mode",
}

// replayRows are the rows of the final block, without those of several figures.
var replayRows = map[string]member{
	"Duration":                    {name: "duration", unit: "s"},
	"Total Requests":              {name: "requests_completed"},
	"Total Users Created":         {name: "x_total_users_created", unit: "1"},
	"Peak Concurrent Users":       {name: "x_peak_concurrent_users", unit: "1"},
	"Avg Workload Cache Hit Rate": {name: "x_workload_cache_hit_rate", unit: "%"},
	"Peak Working Set":            {name: "x_peak_working_set", unit: "tok"},
}

func (t *replayText) line(l line) bool {
	m := replayLine.FindSubmatch(l.text)
	if m == nil || !l.ended {
		return true // a line of something else, or one that may be cut
	}
	text := strings.TrimSpace(string(m[3]))
	label, value, _ := labelled(m[3], ":")
	switch {
	case strings.HasPrefix(text, "Trace Replay Performance Tester"):
		t.close()
		t.above = []replaySetting{{"date", string(m[1]) + "T" + string(m[2]), l.number}}
		if _, version, ok := strings.Cut(text, " v"); ok && version != "" {
			t.above = append(t.above, replaySetting{"tool_version", version, l.number})
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
	case replaySettings[label] != "" && value != "" && len(value) <= maxLabel:
		t.above = append(t.above, replaySetting{replaySettings[label], value, l.number})
	}
	return true
}

// block begins a block of figures. Of the periods the last one counts.
func (t *replayText) block(l line) {
	t.reset(t.in, "inferencex", "inferencex-text", l.number)
	t.open, t.final, t.last = true, false, l.number
}

// row reads a row of a block. In a period only what is said of all of the run
// counts.
func (t *replayText) row(label, value string, l line) {
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
			if suffix, ok := statisticName(statistic); ok {
				t.quantity("ttft_"+suffix, label+" "+statistic, text, "s", l)
			}
		}
		if _, count, ok := strings.Cut(value, "("); ok {
			t.quantity("requests_completed", label+" reqs", strings.TrimSuffix(count, " reqs)"), "", l)
		}
	case t.final && label == "Throughput" || label == "Throughput (cumulative)":
		for _, figure := range strings.Split(value, " | ") {
			for suffix, m := range map[string]member{
				" input tok/s": {name: "input_throughput", unit: "tok/s"}, " output tok/s": {name: "output_throughput", unit: "tok/s"},
				" req/s": {name: "request_throughput", unit: "req/s"},
			} {
				if text, ok := strings.CutSuffix(figure, suffix); ok {
					t.quantity(m.name, label+suffix, text, m.unit, l)
				}
			}
		}
	case t.final:
		if m, ok := replayRows[label]; ok {
			t.quantity(m.name, label, value, m.unit, l)
		}
	}
}

// quantity notes a figure, with its unit behind it or not.
func (t *replayText) quantity(name, field, text, unit string, l line) {
	number, given, ok := quantity(text)
	if given == "" || given == "tokens" {
		given = unit
	}
	if ok && t.number(name, given, field, []byte(number), l.number) {
		t.last = l.number
	}
}

// close hands out the block at hand: whole, if it is the final one.
func (t *replayText) close() {
	completed, counted := t.value("requests_completed")
	if t.open && t.hasKnown() && (t.final || counted && completed > 0) {
		users := map[string]string{}
		for _, set := range t.above {
			t.label(set.label, []byte(set.value), set.line)
			users[set.label] = set.value
		}
		if n := users["x_max_users"]; n != "" && n == users["x_start_users"] {
			t.guess("max_concurrency", n, t.start)
		}
		if duration, ok := t.value("duration"); ok && duration > 0 && counted {
			t.derive("request_throughput", completed/duration, "Total Requests / Duration", t.start)
		}
		t.hand(t.last, t.final)
	}
	t.open = false
}

func (t *replayText) end() { t.close() }
