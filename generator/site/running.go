package site

import (
	"strconv"

	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
)

// markRunning marks the runs that are still running, according to alive. In a file that is being written, only the last
// run can be running: a run without a result, or one whose result is being printed. The latter is added to the
// unfinished runs. markRunning reports whether any run is running.
func markRunning(set *rundir.Dataset, results []*result.Result, alive func(file string) bool) (any bool) {
	if alive == nil {
		return false
	}
	last := map[string]int{} // last line of a run in each file with a candidate
	for i := range set.Unfinished {
		at := set.Unfinished[i].Source
		last[at.File] = max(last[at.File], at.Line)
	}
	for _, r := range results {
		if r.Status == result.Partial {
			last[r.Source.File] = max(last[r.Source.File], r.Source.Line)
		}
	}
	if len(last) == 0 {
		return false
	}
	for _, r := range results {
		if at, ok := last[r.Source.File]; ok {
			last[r.Source.File] = max(at, r.Source.Line)
		}
	}
	for i := range set.Unfinished {
		u := &set.Unfinished[i]
		u.Running = u.Source.Line == last[u.Source.File] && !u.HasEnded() && alive(u.Source.File)
		any = any || u.Running
	}
	for _, r := range results {
		if r.Status == result.Partial && r.Source.Line == last[r.Source.File] && r.Label("x_ended") == "" && alive(r.Source.File) {
			set.Unfinished = append(set.Unfinished, printing(r))
			any = true
		}
	}
	return any
}

// printing returns the unfinished run for a result that is not complete yet.
func printing(r *result.Result) result.Unfinished {
	u := result.Unfinished{ID: r.ID, Source: r.Source, Tool: r.Tool, Labels: r.Labels, Left: -1, Unit: "req/s", Running: true}
	if m, ok := r.Metric("requests_completed"); ok {
		u.Done = int(m.Value)
	}
	if total, err := strconv.Atoi(r.Label("num_prompts")); err == nil && total >= u.Done {
		u.Total = total
	}
	return u
}
