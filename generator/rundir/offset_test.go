package rundir

import (
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

const hour = 3600

// use returns a file with one sample of power and utilization per second from noon on.
func use(watts, percent []float64) format.Output {
	out := power(watts...)
	trace := &out.Traces[0]
	trace.Channels = append(trace.Channels, result.Channel{Name: "gpu_utilization", Unit: "%", Field: "GPU", Values: percent, Lines: trace.Channels[0].Lines})
	return out
}

// busyAt returns n samples, one per second, that are busy from one second to another.
func busyAt(n, from, to int, idle, busy float64) []float64 {
	return slices.Concat(steady(from, idle), steady(to-from+1, busy), steady(n-to-1, idle))
}

// TestClocksOfTwoZones checks that a trace with an idle device during the run, by both clocks, is joined with a shift
// if exactly one number of whole hours fits. A message reports the shift. Otherwise the trace is not joined.
func TestClocksOfTwoZones(t *testing.T) {
	t.Parallel()
	at := func(n, from, to int) format.Output {
		return use(busyAt(n, from, to, 20, 80), busyAt(n, from, to, 0, 90))
	}
	for name, test := range map[string]struct {
		files map[string]format.Output
		want  string // power_mean by run
		shift string
	}{
		"the clocks agree":           {map[string]format.Output{"a/run.json": run(100, 160), "a/power.log": at(400, 100, 160)}, "a/run 80", ""},
		"two hours ahead":            {map[string]format.Output{"a/run.json": run(100, 160), "a/power.log": at(3*hour, 2*hour+100, 2*hour+160)}, "a/run 80", "+2 h"},
		"two hours behind":           {map[string]format.Output{"a/run.json": run(2*hour+100, 2*hour+160), "a/power.log": at(3*hour, 100, 160)}, "a/run 80", "-2 h"},
		"power alone, ahead":         {map[string]format.Output{"a/run.json": run(100, 160), "a/power.log": power(busyAt(3*hour, hour+100, hour+160, 20, 80)...)}, "a/run 20", ""},
		"half an hour is no zone":    {map[string]format.Output{"a/run.json": run(100, 160), "a/power.log": at(hour, 1900, 1960)}, "a/power.log 21", ""},
		"idle throughout":            {map[string]format.Output{"a/run.json": run(100, 160), "a/power.log": use(steady(400, 20), steady(400, 0))}, "a/power.log 20", ""},
		"busy at every hour: unsure": {map[string]format.Output{"a/run.json": run(100, 160), "a/power.log": use(steadyHours(4), steadyHours(4))}, "", ""},
		"two runs at once":           {map[string]format.Output{"a.json": run(100, 160), "b.json": run(300, 360), "power.log": use(two(20, 80), two(0, 90))}, "a 80; b 80", "+1 h"},
	} {
		d := found(t, test.files)
		got := reported(d, "power_mean")
		if test.want != "" && !strings.HasPrefix(got, test.want) || test.want == "" && strings.Contains(got, "run ") {
			t.Errorf("%s: %q, not %q", name, got, test.want)
		}
		i := slices.IndexFunc(d.Messages, func(m result.Message) bool { return m.ID == "run.telemetry-zone" })
		if (i >= 0) != (test.shift != "") || i >= 0 && !strings.Contains(locale.English(d.Messages[i].Text), test.shift) {
			t.Errorf("%s: %v", name, d.Messages)
		}
	}
}

// two returns samples of a run at 100 s and of one at 300 s, both an hour later than the runs state.
func two(idle, busy float64) []float64 {
	return slices.Concat(steady(hour+100, idle), steady(61, busy), steady(139, idle), steady(61, busy), steady(300, idle))
}

// steadyHours returns samples that are idle for an hour, and then busy for a minute at the same time of each of n
// hours.
func steadyHours(n int) []float64 {
	all := steady(hour, 0)
	for range n {
		all = append(all, busyAt(hour, 100, 160, 0, 90)...)
	}
	return all
}
