package rundir

import (
	"time"

	"github.com/benchpost/benchpost/generator/result"
)

// recorded returns the time in which a run's command was at work, where "benchpost
// record" noted it.
func recorded(r *result.Result) (result.Period, bool) {
	from, err1 := time.Parse(time.RFC3339, r.Labels.Get("x_started"))
	to, err2 := time.Parse(time.RFC3339, r.Labels.Get("x_ended"))
	return result.Period{From: from, To: to, Zoned: true}, err1 == nil && err2 == nil
}

// recording reports whether a file says that a command is at work whose end nobody has
// noted.
func recording(f *file) bool {
	return f.out.Captured.Get("x_started") != "" && f.out.Captured.Get("x_ended") == ""
}

// inClock returns a time as a clock with a zone shows it, or one without. What lies
// between the two is known where the run's command was recorded with its zone.
func inClock(p result.Period, zoned bool, r *result.Result) (result.Period, bool) {
	if p.Zoned == zoned {
		return p, true
	}
	command, ok := recorded(r)
	_, seconds := command.From.Zone()
	offset := time.Duration(seconds) * time.Second
	if zoned {
		offset = -offset
	}
	return result.Period{From: p.From.Add(offset).UTC(), To: p.To.Add(offset).UTC(), Zoned: zoned}, ok
}
