package rundir

import (
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/format"
)

// TestUndatedTelemetryIsJoinedByTheTimeOfDay checks that telemetry with only a time of day gets the day of its runs,
// also if it began on the day before. At another hour it belongs to no run.
func TestUndatedTelemetryIsJoinedByTheTimeOfDay(t *testing.T) {
	t.Parallel()
	undated := func(clock time.Duration) format.Output {
		out := power(idleBusyIdle...)
		out.Traces[0].Start, out.Traces[0].Undated, out.Traces[0].SinceMidnight = time.Time{}, true, clock
		return out
	}
	toMidnight := 12 * 3600.0
	for _, c := range []struct {
		name  string
		clock time.Duration
		runs  map[string]format.Output
		want  string
	}{
		{"the same hour", 12 * time.Hour, map[string]format.Output{"run.json": run(10, 30)}, "run 1600"},
		{"over midnight", 24*time.Hour - 15*time.Second, map[string]format.Output{"run.json": run(toMidnight-5, toMidnight+15)}, "run 1600"},
		{"a run that began after midnight", 24*time.Hour - 5*time.Second, map[string]format.Output{"run.json": run(toMidnight+5, toMidnight+25)}, "run 1600"},
		{"another hour", 15*time.Hour + 20*time.Minute, map[string]format.Output{"run.json": run(10, 30)}, "power.log 2060"},
		{"one of two runs", 12 * time.Hour, map[string]format.Output{"a.json": run(10, 30), "b.json": run(4000, 4020)}, "a 1600"},
		{"no run that notes a time", 12 * time.Hour, map[string]format.Output{"run.json": run(0, 0)}, "run 1600"},
	} {
		c.runs["power.log"] = undated(c.clock)
		if got := reported(found(t, c.runs), "energy"); got != c.want {
			t.Errorf("%s: energy %q, not %q", c.name, got, c.want)
		}
	}
}

// TestPowerIsTheAcceleratorsBeforeTheProcessors checks that a run gets the power of the accelerator if both that and
// the processor's package were watched, whatever the names of the files.
func TestPowerIsTheAcceleratorsBeforeTheProcessors(t *testing.T) {
	t.Parallel()
	of := func(scope string, watts float64) format.Output {
		out := power(steady(41, watts)...)
		out.Traces[0].Channels[0].Scope = scope
		return out
	}
	for _, scope := range []string{"package", "wall"} {
		d := found(t, map[string]format.Output{"run.json": run(10, 30), "a.log": of(scope, 200), "b.log": of("gpu", 350)})
		if got := reported(d, "power_mean"); got != "run 350" {
			t.Errorf("%s: %q", scope, got)
		}
	}
}
