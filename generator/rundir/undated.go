package rundir

import (
	"time"

	"github.com/benchpost/benchpost/generator/result"
)

// date gives a trace that notes only the time of day the day on which it was taken
// during the most of the runs near it: that on which a run began, or the one
// before. Without a run that notes when it was made the day stays unknown.
func (t *trace) date(near []*result.Result) {
	if !t.Undated {
		return
	}
	const day = 24 * time.Hour
	length := time.Duration(t.Times[len(t.Times)-1] * float64(time.Second))
	var best time.Time
	most := -1
	for _, r := range near {
		period, ok := t.local(r)
		if !ok {
			continue
		}
		for _, start := range []time.Time{
			period.From.Truncate(day).Add(t.SinceMidnight),
			period.From.Truncate(day).Add(t.SinceMidnight - day),
		} {
			during := 0
			for _, other := range near {
				if p, ok := t.local(other); ok && p.To.After(start) && p.From.Before(start.Add(length)) {
					during++
				}
			}
			if during > most {
				best, most = start, during
			}
		}
	}
	if most >= 0 {
		dated := *t.Trace // what was read may be shared
		dated.Start = best
		t.Trace = &dated
	}
}

// local returns when a run was made by the clock of the trace's machine; false when
// the run does not note it.
func (t *trace) local(r *result.Result) (result.Period, bool) {
	if r.Period.To.IsZero() {
		return result.Period{}, false
	}
	return inClock(r.Period, false, r)
}
