package coverage

import (
	"slices"
	"time"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/result"
)

// TimeLeft estimates how long a plan still takes, from the durations of finished runs; from is their number. The
// estimate exists while a run of the plan is in progress and another one is finished.
func TimeLeft(d *dataset.Selection, p dataset.Plan) (left time.Duration, from int, ok bool) {
	cells, _ := cover(&p, d.Results, d.Unfinished)
	return timeLeft(cells, p.Repeats)
}

// timeLeft adds up the remaining time of the running runs and the usual time of the runs to come, one after the other.
// It does not wait for cells that were tried without success.
func timeLeft(cells []planCell, repeats int) (left time.Duration, from int, ok bool) {
	if !anyRunning(cells) {
		return 0, 0, false
	}
	var finished []timed
	for i := range cells {
		for _, r := range cells[i].runs {
			if took := took(r); runState(r) == coverageDone && took > 0 {
				finished = append(finished, timed{cells[i].values, took})
			}
		}
	}
	if len(finished) == 0 {
		return 0, 0, false
	}
	for i := range cells {
		c := &cells[i]
		state, _, done := c.state(repeats)
		if done == 0 && state != coverageMissing && state != coverageRunning {
			continue
		}
		usual := usually(finished, c.values)
		toCome := repeats - done
		for _, u := range c.begun {
			if u.Running && toCome > 0 {
				rest, known := u.Remaining()
				if !known {
					rest = max(0, usual-u.Elapsed)
				}
				left += rest
				toCome--
			}
		}
		left += time.Duration(max(0, toCome)) * usual
	}
	return left, len(finished), true
}

// timed is a finished run: its values of the plan's labels, and how long it measured.
type timed struct {
	values []string
	took   time.Duration
}

// took returns how long a run measured, 0 if unknown.
func took(r *result.Result) time.Duration {
	if m, ok := r.Metric("duration"); ok && m.Value < (1000*24*time.Hour).Seconds() {
		return time.Duration(m.Value * float64(time.Second))
	}
	return r.Period.To.Sub(r.Period.From)
}

// usually returns the median time of the finished runs that share the most labels with a cell.
func usually(finished []timed, values []string) time.Duration {
	most := -1
	var like []time.Duration
	for _, f := range finished {
		shared := 0
		for i := range values {
			if f.values[i] == values[i] {
				shared++
			}
		}
		if shared > most {
			most, like = shared, nil
		}
		if shared == most {
			like = append(like, f.took)
		}
	}
	slices.Sort(like)
	middle := len(like) / 2
	if len(like)%2 == 0 {
		return (like[middle-1] + like[middle]) / 2
	}
	return like[middle]
}
