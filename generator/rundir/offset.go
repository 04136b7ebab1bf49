package rundir

import (
	"math"
	"slices"
	"time"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// A client in a container often writes UTC, and the telemetry of its host writes local time, both without a zone. Taken
// literally, such a trace shows an idle device during the run, and its power is not that of the run.

const (
	inUse     = 5.0 // % of utilization above which a device is working
	mostHours = 14  // the greatest difference between two time zones that is tried
)

// idleDuring reports whether the device was not in use between two times of the trace. It looks at utilization only,
// because a run may draw little power.
func (t *trace) idleDuring(from, to float64) bool {
	use := t.Channel("gpu_utilization")
	if use == nil {
		return false
	}
	share, n := t.share(use, inUse, from, to)
	return n > 0 && share == 0
}

// share returns the share of a channel's samples above a limit between two times, and the number of these samples.
func (t *trace) share(c *result.Channel, limit, from, to float64) (share float64, n int) {
	first, end := t.Window(from, to)
	over := 0
	for _, v := range c.Values[first:max(first, end)] {
		if math.IsNaN(v) {
			continue
		}
		n++
		if v > limit {
			over++
		}
	}
	return float64(over) / float64(max(n, 1)), n
}

// findShift returns how far the trace's clock is ahead of the clock of the runs near it. It returns 0 unless the device
// was idle during all runs (or the trace covers none of them), and exactly one number of whole hours makes the device
// busy during each run and idle just before or just after it.
func (t *trace) findShift(near []*result.Result) time.Duration {
	c, limit := t.Channel("gpu_utilization"), inUse
	if c == nil {
		if c = t.Channel("power"); c == nil {
			return 0
		}
		limit = idleLimit(c)
	}
	var spans [][2]float64
	last := t.Times[len(t.Times)-1]
	for _, r := range near {
		if t.Start.IsZero() || r.Period.To.IsZero() || t.Zoned || r.Period.Zoned {
			continue
		}
		from, to := r.Period.From.Sub(t.Start).Seconds(), r.Period.To.Sub(t.Start).Seconds()
		if share, n := t.share(c, limit, from, to); n > 0 && share > 0 || to <= from {
			return 0
		}
		spans = append(spans, [2]float64{from, to})
	}
	var found []time.Duration
	for hours := -mostHours; hours <= mostHours && len(spans) > 0 && !math.IsInf(limit, 1); hours++ {
		shift := time.Duration(hours) * time.Hour
		fits := func(span [2]float64) bool {
			from, to := span[0]+shift.Seconds(), span[1]+shift.Seconds()
			share, _ := t.share(c, limit, from, to)
			return from >= 0 && to <= last && share >= 0.8 && (t.idleAt(c, limit, from-edge-1, from-1) || t.idleAt(c, limit, to+1, to+edge+1))
		}
		if hours != 0 && !slices.ContainsFunc(spans, func(span [2]float64) bool { return !fits(span) }) {
			found = append(found, shift)
		}
	}
	if len(found) != 1 {
		return 0
	}
	return found[0]
}

// edge is the length in seconds of the time before or after a run in which the device must be idle.
const edge = 10.0

func (t *trace) idleAt(c *result.Channel, limit, from, to float64) bool {
	share, n := t.share(c, limit, from, to)
	return n >= 3 && share <= 0.2
}

// shifted returns the message for a trace that was joined with its clock shifted by whole hours.
func (t *trace) shifted() result.Message {
	hours := int(t.shift.Hours())
	return result.Message{Pos: t.Source, Severity: result.Warning, ID: "run.telemetry-zone",
		Text: locale.Textf("the clock of these %d samples is assumed to be %+d h off that of the runs: by both clocks the device was idle while they ran, and busy at the shifted time", len(t.Times), hours),
		Hint: locale.Textf("set both to the same time zone, for example TZ=UTC, or record the run with benchpost record")}
}
