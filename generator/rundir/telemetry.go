package rundir

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// trace is the telemetry of a file.
type trace struct {
	file *file
	*result.Trace
	shift time.Duration // how far its clock is ahead of that of the runs
}

// joinTelemetry adds to each run the telemetry that was taken during it. A trace belongs to the runs after which it is
// named; otherwise to those in its folder and below during which it was taken, by the clocks of both; otherwise to the
// only run there. A trace that matches no run is returned as a result of its own.
//
// A trace beside an unfinished run is not returned: it waits for the run's result.
func (l *loader) joinTelemetry(n *neighbours) (alone []trace) {
	begun := map[string]bool{} // folders with an unfinished run
	for _, f := range l.files {
		if len(f.out.Unfinished) > 0 || recording(f) {
			begun[path.Dir(f.rel)] = true
		}
	}
	for _, t := range l.traces() {
		near, named := t.near(n)
		t.date(near)
		t.shift = t.findShift(near)
		joined := t.join(near, named)
		if len(joined) > 0 && t.shift != 0 {
			l.messages = append(l.messages, t.shifted())
		}
		switch {
		case len(joined) > 0 || begun[path.Dir(t.file.rel)]:
			l.beside = append(l.beside, Beside{File: t.file.name, Format: t.Format, Runs: joined})
		default:
			alone = append(alone, t)
			if len(near) == 0 {
				continue
			}
			l.messages = append(l.messages, result.Message{Pos: t.Source, Severity: result.Info, ID: "run.telemetry-apart",
				Text: locale.Textf("these %d samples belong to no run: %s", len(t.Times), t.unjoined(near)),
				Hint: locale.Textf("name the file after its run, or put each run into a folder of its own")})
		}
	}
	return alone
}

// traces returns the traces of all files. Traces of processor and wall power come last. So a run gets the power of its
// accelerators or boards where all were watched.
func (l *loader) traces() []trace {
	var first, last []trace
	for _, f := range l.files {
		for i := range f.out.Traces {
			t := trace{file: f, Trace: &f.out.Traces[i]}
			if power := t.Channel("power"); power != nil && (power.Scope == "package" || power.Scope == "wall") {
				last = append(last, t)
			} else {
				first = append(first, t)
			}
		}
	}
	return append(first, last...)
}

// near returns the runs that a trace may belong to: those after which it is named, else those in its folder and below.
func (t *trace) near(n *neighbours) (near []*result.Result, named bool) {
	files := n.named(t.file.rel)
	if named = files != nil; !named {
		files = n.below(path.Dir(t.file.rel))
	}
	for _, f := range files {
		near = append(near, n.runs[f]...)
	}
	return near, named
}

// join adds the trace to the runs it belongs to and returns their ids.
func (t *trace) join(near []*result.Result, named bool) (joined []string) {
	timed := false
	for _, r := range near {
		from, to, ok := t.during(r)
		timed = timed || ok
		if ok && to > from && t.add(r, from, to, near) {
			joined = append(joined, r.ID)
		}
	}
	if len(near) == 1 && !timed {
		if from, to := t.busy(near[0]); t.add(near[0], from, to, nil) {
			joined = append(joined, near[0].ID)
		}
	}
	if joined == nil && named && !timed && sameFile(near) == 1 {
		from, to := t.busy(near[0])
		for _, r := range near { // one run, printed and saved
			if t.add(r, from, to, nil) {
				joined = append(joined, r.ID)
			}
		}
	}
	return joined
}

// sameFile returns the greatest number of runs in one file.
func sameFile(runs []*result.Result) int {
	most, counts := 0, map[string]int{}
	for _, r := range runs {
		counts[r.Source.File]++
		most = max(most, counts[r.Source.File])
	}
	return most
}

// during returns the part of the trace, in seconds from its start, in which a run was measured. It returns false when
// one of the two has no time, or when only one of them has a zone and the offset is unknown.
func (t *trace) during(r *result.Result) (from, to float64, ok bool) {
	if t.Start.IsZero() || r.Period.To.IsZero() {
		return 0, 0, false
	}
	period, ok := inClock(r.Period, t.Zoned, r)
	if !ok {
		return 0, 0, false
	}
	from, to = (period.From.Sub(t.Start) + t.shift).Seconds(), (period.To.Sub(t.Start) + t.shift).Seconds()
	return max(from, 0), min(to, t.Times[len(t.Times)-1]), true
}

// busy returns the part of a trace between the idle times before and after the run. If power does not distinguish idle
// from busy, it returns the time in which the run's command was recorded, else the whole trace.
func (t *trace) busy(r *result.Result) (from, to float64) {
	last := t.Times[len(t.Times)-1]
	power := t.Channel("power")
	limit := math.Inf(1)
	if power != nil {
		limit = idleLimit(power)
	}
	if math.IsInf(limit, 1) {
		if command, ok := recorded(r); ok && !t.Start.IsZero() {
			command, _ = inClock(command, t.Zoned, r)
			from, to := max(command.From.Sub(t.Start).Seconds(), 0), min(command.To.Sub(t.Start).Seconds(), last)
			if first, end := t.Window(from, to); end-first >= 2 {
				return from, to
			}
		}
		return 0, last
	}
	isBusy := func(v float64) bool { return v > limit }
	first := slices.IndexFunc(power.Values, isBusy)
	end := len(power.Values) - 1
	for !isBusy(power.Values[end]) {
		end--
	}
	return t.Times[first], t.Times[end]
}

// idleLimit returns the power up to which a device counts as idle: the 5th percentile of the samples plus a quarter of
// the difference between the 95th and the 5th. It is infinite when idle and busy cannot be distinguished: with fewer
// than minIdle samples, or when the 95th percentile is below 1.5 times the 5th.
func idleLimit(power *result.Channel) float64 {
	var values []float64
	for _, v := range power.Values {
		if !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	if len(values) < minIdle {
		return math.Inf(1)
	}
	quiet, loud := values[len(values)/20], values[len(values)-1-len(values)/20]
	if loud < 1.5*quiet {
		return math.Inf(1)
	}
	return quiet + (loud-quiet)/4
}

// idle returns the mean power before a run: of the idle samples that were not taken during another run. It is NaN when
// there are fewer than minIdle of them.
func (t *trace) idle(power *result.Channel, first int, others []*result.Result) float64 {
	var spans [][2]float64
	for _, r := range others {
		if from, to, ok := t.during(r); ok {
			spans = append(spans, [2]float64{from, to})
		}
	}
	limit := idleLimit(power)
	sum, n := 0.0, 0
	for i, v := range power.Values[:first] {
		at := t.Times[i]
		isRun := func(span [2]float64) bool { return at >= span[0] && at <= span[1] }
		if v <= limit && !slices.ContainsFunc(spans, isRun) { // false for NaN
			sum, n = sum+v, n+1
		}
	}
	if n < minIdle {
		return math.NaN()
	}
	return sum / float64(n)
}

// minIdle is the least number of samples that show an idle time.
const minIdle = 5

// add adds to a run the metrics of a part of the trace, and reports whether it did. A metric from the run's own file
// wins. When near is not nil, the run has a period: the samples must cover nine tenths of it, give or take two gaps of
// result.MaxGap, and the device must have been in use.
func (t *trace) add(r *result.Result, from, to float64, near []*result.Result) bool {
	first, end := t.Window(from, to)
	if end-first < 2 {
		return false
	}
	if span := r.Period.To.Sub(r.Period.From).Seconds(); near != nil && t.Times[end-1]-t.Times[first] < 0.9*span-2*result.MaxGap {
		return false
	}
	if near != nil && t.idleDuring(from, to) {
		return false
	}
	own := t.used(r, first, end)
	added := own.metrics(first, end, from, to)
	if power := own.Channel("power"); power != nil {
		if idle := t.idle(power, first, near); idle < t.Summarize(power, first, end).Mean {
			added = append(added, t.metric("power_idle", "mean of "+power.Field+" before the run", idle, t.Source.Line))
		}
	}
	r.Metrics = slices.Clone(r.Metrics) // what was read may be shared
	for _, m := range added {
		if _, measured := r.Metric(m.Name); !measured {
			r.Metrics = append(r.Metrics, m)
		}
	}
	r.Telemetry = &result.Telemetry{Trace: t.Trace, From: from, To: to}
	labels := slices.Clone(r.Labels)
	if power := t.Channel("power"); power != nil && power.Scope != "" {
		labels.Set(result.Label{Name: "power_scope", Value: power.Scope, Origin: result.Captured, Pos: t.Source})
	}
	for _, label := range own.Labels {
		if _, known := labels.Lookup(label.Name); !known {
			label.Origin = result.Captured
			labels.Set(label)
		}
	}
	r.Labels = labels
	return true
}

// metrics returns the metrics of the samples from first up to end, and the energy between the times from and to.
func (t *trace) metrics(first, end int, from, to float64) []result.Metric {
	var out []result.Metric
	for i := range t.Channels {
		c := &t.Channels[i]
		s := t.Summarize(c, first, end)
		if s.N == 0 {
			continue
		}
		of := fmt.Sprintf(" of %s, %d samples", c.Field, s.N)
		switch c.Name {
		case "power":
			out = append(out, t.metric("power_mean", "mean"+of, s.Mean, s.Line), t.metric("power_max", "max"+of, s.Max, s.MaxLine))
			if joules, seconds := t.Integrate(c, from, to); seconds > 0 && !t.Stepped { // no energy over a gap
				out = append(out, t.metric("energy", fmt.Sprintf("∫ %s dt over %.1f s", c.Field, seconds), joules, s.Line))
			}
		case "gpu_utilization":
			out = append(out, t.metric("gpu_utilization", "mean"+of, s.Mean, s.Line))
		case "memory_used":
			out = append(out, t.metric("memory_used_max", "max"+of, s.Max, s.MaxLine))
		case "temperature":
			out = append(out, t.metric("temperature_max", "max"+of, s.Max, s.MaxLine))
		case "x_throttled":
			out = append(out, t.metric("throttled_share", "share"+of, 100*s.Mean, s.Line))
		default:
			name := strings.TrimPrefix(c.Name, "x_")
			out = append(out, result.Metric{Kind: &result.Kind{Name: "x_" + name + "_mean", Unit: c.Unit, Derived: true, Field: "mean" + of, File: t.file.name},
				Value: s.Mean, Decimals: result.FullPrecision, Line: int32(s.Line)})
		}
	}
	return out
}

func (t *trace) metric(name, field string, v float64, line int) result.Metric {
	def, _ := vocabulary.Define(name)
	return result.Metric{Kind: &result.Kind{Name: name, Unit: def.Unit, Better: def.Better, Derived: true, Field: field, File: t.file.name},
		Value: v, Decimals: result.FullPrecision, Line: int32(line)}
}

// result makes a result from a trace that belongs to no run.
func (t *trace) result() result.Result {
	r := result.Result{Source: t.Source, EndLine: t.EndLine, Tool: t.Tool, Format: t.Format, Labels: slices.Clone(t.Labels)}
	last := t.Times[len(t.Times)-1]
	if !t.Stepped {
		r.Metrics = append(r.Metrics, t.metric("duration", "time from the first to the last sample", last, t.EndLine))
	}
	r.Metrics = append(r.Metrics, t.metrics(0, len(t.Times), 0, last)...)
	if power := t.Channel("power"); power != nil && power.Scope != "" {
		r.Labels.Set(result.Label{Name: "power_scope", Value: power.Scope, Origin: result.Measured, Pos: t.Source})
	}
	for i := range r.Metrics {
		m := &r.Metrics[i]
		m.Kind = m.With(func(k *result.Kind) { k.File = "" }) // the file is that of the result itself
	}
	r.Telemetry = &result.Telemetry{Trace: t.Trace, To: last}
	return r
}

// unjoined says why a trace could not be joined to any of the runs near it.
func (t *trace) unjoined(near []*result.Result) locale.Text {
	switch {
	case t.Start.IsZero() && !t.Undated:
		return locale.Textf("%d runs share its folder, and it has no timestamps", len(near))
	case !slices.ContainsFunc(near, func(r *result.Result) bool { return !r.Period.To.IsZero() }):
		return locale.Textf("%d runs share its folder, and none has a date", len(near))
	case slices.ContainsFunc(near, func(r *result.Result) bool {
		from, to, ok := t.during(r)
		return ok && t.idleDuring(from, to)
	}):
		return locale.Textf("by both clocks its device was idle while the runs beside it were made")
	}
	return locale.Textf("it was recorded at another time than the runs beside it")
}
