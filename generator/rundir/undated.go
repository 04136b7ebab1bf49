package rundir

import (
	"time"

	"github.com/benchpost/benchpost/generator/result"
)

// date sets the day of a trace that notes only the time of day. Candidates are the day on which a run near it began and
// the day before; date takes the one on which the trace overlaps the most runs. Without a run that has a period, the
// day stays unknown.
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

// local returns the period of a run by the clock of the trace's machine; false when it is unknown.
func (t *trace) local(r *result.Result) (result.Period, bool) {
	if r.Period.To.IsZero() {
		return result.Period{}, false
	}
	return inClock(r.Period, false, r)
}
