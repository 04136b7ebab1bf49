package dataset

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/magnitude"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// direction returns the better direction of a metric.
func direction(rs []*result.Result, metric string) result.Better {
	for _, r := range rs {
		if m, ok := r.Metric(metric); ok {
			return m.Better
		}
	}
	d, _ := vocabulary.Define(metric)
	return d.Better
}

// Alike reports whether two figures are equal or not significantly different.
func (d *Selection) Alike(a, b Figure) bool {
	return a.Metric.Value == b.Metric.Value || stats.Compare(a.Values, b.Values, d.Thresholds().Noise).Verdict == stats.Same
}

// Text formats a figure with its unit: 298.07 tok/s. Long times are in seconds, bytes in a readable unit.
func (f Figure) Text() locale.Text {
	_, text := Beside(f.Metric, f.Metric)
	return locale.Lit(text)
}

// Beside formats two values of a metric for one sentence, in the same unit: the first without the unit, and the
// second with it.
func Beside(a, b result.Metric) (digits, with string) {
	unit, write := b.Unit, result.Metric.Digits
	greatest := max(math.Abs(a.Value), math.Abs(b.Value))
	if read, other := magnitude.Read(unit, greatest); other {
		unit, write = read.Name, func(m result.Metric) string { return magnitude.Digits(read.Of(m.Value)) }
	} else if unit == "ms" && greatest >= 10000 {
		unit, write = "s", func(m result.Metric) string { return strconv.FormatFloat(m.Value/1000, 'f', 1, 64) }
	}
	switch unit {
	case "1", "":
		return write(a), write(b)
	case "%":
		return write(a), write(b) + "%"
	}
	return write(a), write(b) + " " + unit
}

// IDs returns the ids of the runs of some figures, and the least number of repeats.
func IDs(fs ...Figure) (runs []string, n int) {
	n = math.MaxInt
	for _, f := range fs {
		n = min(n, len(f.Runs))
		for _, r := range f.Runs {
			if !slices.Contains(runs, r.ID) {
				runs = append(runs, r.ID)
			}
		}
	}
	slices.SortFunc(runs, result.NaturalCompare)
	return runs, n
}

// Coordinate returns a metric, or the number in a label, as a number and as text.
func Coordinate(rs []*result.Result, name string) (v float64, digits string, ok bool) {
	if f, ok := FigureOf(rs, name); ok {
		return f.Metric.Value, f.Metric.Digits(), true
	}
	v, decimals, _, ok := Number(rs[0].Label(name))
	return v, strconv.FormatFloat(v, 'f', decimals, 64), ok
}

// Figure is the value of a metric over the repeats of one run: the median of n values, which is the value
// itself for n = 1.
type Figure struct {
	Metric  result.Metric
	Runs    []*result.Result // the runs with the value; the one nearest to it first
	Values  []float64        // values of the runs, in their order in the dataset
	LeftOut int              // excluded repeats, if others are sound
	Broken  int              // failed or partial repeats, if others are complete
}

// FigureOf returns the figure of a metric for a set of repeats; ok is false if no run has it. Excluded, failed
// and partial repeats count only if there are no others.
func FigureOf(rs []*result.Result, name string) (Figure, bool) {
	if len(rs) == 1 { // the usual case
		m, ok := rs[0].Metric(name)
		if !ok {
			return Figure{Metric: m}, false
		}
		return Figure{Metric: m, Runs: rs[:1:1], Values: []float64{m.Value}}, true
	}
	f := Figure{Metric: result.NoMetric}
	var ms []result.Metric
	sound, complete := false, false
	for _, r := range rs {
		if _, ok := r.Metric(name); ok && r.Status == result.Complete {
			complete = true
		}
	}
	for _, r := range rs {
		if _, ok := r.Metric(name); ok && !r.Excluded() && (!complete || r.Status == result.Complete) {
			sound = true
		}
	}
	for _, r := range rs {
		m, ok := r.Metric(name)
		switch {
		case !ok:
		case complete && r.Status != result.Complete:
			f.Broken++
		case sound && r.Excluded():
			f.LeftOut++
		default:
			ms = append(ms, m)
			f.Runs = append(f.Runs, r)
			f.Values = append(f.Values, m.Value)
		}
	}
	if len(ms) == 0 {
		return f, false
	}
	order := make([]int, len(ms))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ms[a].Value, ms[b].Value) })
	mid := order[(len(order)-1)/2]
	f.Metric = ms[mid]
	if len(order)%2 == 0 {
		f.Metric.Value = (ms[mid].Value + ms[order[len(order)/2]].Value) / 2
	}
	f.Runs[0], f.Runs[mid] = f.Runs[mid], f.Runs[0] // the run of the median represents the cell
	return f, true
}

// Excluded reports whether the value comes from excluded runs.
func (f Figure) Excluded() bool { return slices.ContainsFunc(f.Runs, (*result.Result).Excluded) }

// Better reports whether a is better than b in the metric's direction.
func Better(dir result.Better, a, b float64) bool {
	return dir == result.Higher && a > b || dir == result.Lower && a < b
}

// AnyHas reports whether any of the runs has a metric.
func AnyHas(rs []*result.Result, metric string) bool {
	return slices.ContainsFunc(rs, func(r *result.Result) bool { _, ok := r.Metric(metric); return ok })
}

// Commonest returns the metric that most runs have, the first of several, or "" if no run has any.
func Commonest(rs []*result.Result, metrics []string) string {
	best, most := "", 0
	for _, name := range metrics {
		n := 0
		for _, r := range rs {
			if _, ok := r.Metric(name); ok {
				n++
			}
		}
		if n > most {
			best, most = name, n
		}
	}
	return best
}

// Holds reports whether there is a value and it is not excluded.
func (f Figure) Holds() bool { return f.Runs != nil && !f.Excluded() }

// AllExcluded reports whether all runs are excluded.
func AllExcluded(rs []*result.Result) bool {
	return !slices.ContainsFunc(rs, func(r *result.Result) bool { return !r.Excluded() })
}

// ScoresHigher reports whether one quality score is higher than another by more than two standard errors of
// their difference or, if these are unknown, by more than noise.
func ScoresHigher(a, b Figure, noise float64) bool {
	difference := a.Metric.Value - b.Metric.Value
	x, ok := FigureOf(a.Runs, "quality_stderr")
	y, both := FigureOf(b.Runs, "quality_stderr")
	if ok && both {
		return difference > 2*math.Hypot(x.Metric.Value, y.Metric.Value)
	}
	return difference > 0 && stats.Compare(a.Values, b.Values, noise).Verdict != stats.Same
}
