package compare

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/magnitude"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Verdict is the result of comparing two figures of a metric.
type Verdict int8

const (
	Same      Verdict = iota // no difference shown
	Better                   // B is better
	Worse                    // B is worse
	Changed                  // they differ, and no direction is better
	Uncertain                // the figures do not support a verdict
	OnlyA                    // B has no figure
	OnlyB                    // A has no figure
)

// Verdicts lists all verdicts in the order in which they are shown.
var Verdicts = []Verdict{Worse, Better, Uncertain, Changed, OnlyA, OnlyB, Same}

// String returns the word used in JSON.
func (v Verdict) String() string {
	return [...]string{"same", "better", "worse", "changed", "uncertain", "only-a", "only-b"}[v]
}

// Ground is what a verdict rests on.
type Ground int8

const (
	Alike    Ground = iota // the medians are closer than the threshold, or equal
	Tested                 // the Mann–Whitney U test, adjusted for the number of tests
	Beyond                 // the medians differ by the threshold or more, and the repeats do not overlap
	Overlaps               // the medians differ by the threshold or more, but the repeats overlap
	Aside                  // a check has excluded one of the figures, or its runs failed or are partial
	Weak                   // a percentile with too few requests
	Unlike                 // the units differ, or the difference cannot be expressed as a ratio
	OneSided               // only one side has a figure
)

// String returns the word used in JSON.
func (g Ground) String() string {
	return [...]string{"alike", "tested", "beyond", "overlaps", "aside", "weak", "unlike", "one-sided"}[g]
}

// Figure is the comparison of a metric for a pair.
type Figure struct {
	Metric  string
	Unit    string
	Better  result.Better
	A, B    Value
	Noise   float64 // the applied threshold
	Verdict Verdict
	Ground  Ground
	Why     locale.Text // why it is uncertain, or why a side has no figure

	stats.Comparison         // its verdict is the one before adjustment
	Q                float64 // P adjusted for all tested figures; 0 if not tested
	counts           bool    // it is a tested figure
}

// Read returns the unit in which the values of both sides are displayed: GB for B.
func (f *Figure) Read() string { return cmp.Or(f.A.read.Name, f.Unit) }

// mixed reports whether the sides have different units.
func (f *Figure) mixed() bool {
	return len(f.A.Runs) > 0 && len(f.B.Runs) > 0 && f.A.Metric.Unit != f.B.Metric.Unit
}

// Apart returns the relative difference of B from A, in either direction: 0.05 for 5 % more or less, infinity
// from zero.
func (f *Figure) Apart() float64 {
	switch {
	case f.HasRatio:
		return math.Abs(f.Ratio - 1)
	case f.A.Median == f.B.Median:
		return 0
	}
	return math.Inf(1)
}

// Value is a metric of a cell: the median of its repeats.
type Value struct {
	stats.Summary
	Runs    []*result.Result // runs that have it and count, in order
	Values  []float64        // of the runs
	Nearest *result.Result   // the run whose value is the median, or the lower of the two middle ones
	Metric  result.Metric    // of that run
	Aside   int              // runs that were left out because others are sound

	reason locale.Text    // why it does not count; then no run is sound
	read   magnitude.Unit // the unit for display, if it is not the metric's own
}

// Text formats a value with the digits of its metric, or in the unit for display.
func (v *Value) Text(value float64) string {
	if v.read.Name != "" {
		return magnitude.Digits(v.read.Of(value))
	}
	m := v.Metric
	m.Value = value
	return m.Digits()
}

// valueOf returns a metric of repeats. Excluded, failed and partial runs count only if there are no others, and
// then support no verdict.
func valueOf(rs []*result.Result, name string) (Value, bool) {
	var v Value
	has := func(r *result.Result) bool { _, ok := r.Metric(name); return ok }
	isSound := slices.ContainsFunc(rs, func(r *result.Result) bool { return has(r) && unsound(r).IsZero() })
	for _, r := range rs {
		reason := unsound(r)
		switch m, ok := r.Metric(name); {
		case ok && isSound && !reason.IsZero():
			v.Aside++
		case ok:
			v.Runs = append(v.Runs, r)
			v.Values = append(v.Values, m.Value)
			if v.reason.IsZero() {
				v.reason = reason
			}
		}
	}
	if len(v.Runs) == 0 {
		return v, false
	}
	v.Summary = stats.Summarize(v.Values)
	order := make([]int, len(v.Values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(v.Values[i], v.Values[j]) })
	v.Nearest = v.Runs[order[(len(order)-1)/2]]
	v.Metric, _ = v.Nearest.Metric(name)
	return v, true
}

// unsound returns why the metrics of a run support no verdict, or an empty text if they do.
func unsound(r *result.Result) locale.Text {
	waived := false
	for i := range r.Checks {
		ck := &r.Checks[i]
		if ck.Severity == result.Error && ck.Waived == "" {
			return locale.T("diff.why.aside", r.ID, ck.ID)
		}
		waived = waived || ck.ID == "consistency.cut-off" && ck.Waived != ""
	}
	switch {
	case r.Status == result.Failed:
		return locale.T("diff.why.failed", r.ID)
	case r.Status == result.Partial && !waived:
		return locale.T("diff.why.partial", r.ID)
	}
	return locale.Text{}
}

// tails lists the percentiles that may be used for p99.
var tails = []string{"p99", "p95", "p90"}

// figures compares the metrics of a pair.
func (c *Comparison) figures(p *Pair) []Figure {
	var out []Figure
	for _, name := range c.metrics(p) {
		f := Figure{Metric: name, Noise: c.Threshold(name)}
		var inA, inB bool
		f.A, inA = valueOf(p.A, name)
		f.B, inB = valueOf(p.B, name)
		if !inA && !inB {
			continue
		}
		from := f.A.Metric
		if !inA {
			from = f.B.Metric
		}
		f.Unit, f.Better = from.Unit, from.Better
		if read, other := magnitude.Read(f.Unit, max(math.Abs(f.A.Median), math.Abs(f.B.Median))); other && !f.mixed() {
			f.A.read, f.B.read = read, read
		}
		switch {
		case !inB:
			f.Verdict, f.Ground, f.Why = OnlyA, OneSided, absent(p.B)
		case !inA:
			f.Verdict, f.Ground, f.Why = OnlyB, OneSided, absent(p.A)
		default:
			f.Comparison = stats.Compare(f.A.Values, f.B.Values, f.Noise)
		}
		out = append(out, f)
	}
	return out
}

// absent returns why runs lack a metric, if all of them failed.
func absent(rs []*result.Result) locale.Text {
	if (&Cell{Runs: rs}).Failed() {
		return unsound(rs[0])
	}
	return locale.Text{}
}

// metrics returns the names of the metrics that are compared for a pair.
func (c *Comparison) metrics(p *Pair) []string {
	has := func(rs []*result.Result, name string) bool {
		return slices.ContainsFunc(rs, func(r *result.Result) bool { _, ok := r.Metric(name); return ok })
	}
	if c.options.Metrics != nil {
		return c.options.Metrics
	}
	// A percentile is replaced by the highest of its family that both sides have.
	var names []string
	for _, name := range vocabulary.Listed(vocabulary.Compared) {
		if family, stat, ok := vocabulary.Statistic(name); ok && stat == tails[0] {
			for _, tail := range tails[1:] {
				if !(has(p.A, name) && has(p.B, name)) && has(p.A, family+"_"+tail) && has(p.B, family+"_"+tail) {
					name = family + "_" + tail
				}
			}
		}
		names = append(names, name)
	}
	for _, rs := range [][]*result.Result{p.A, p.B} {
		for _, r := range rs {
			for _, m := range r.Metrics {
				fact := m.Better == result.Neutral && exact(m.Unit) && !strings.HasPrefix(m.Name, "x_") && !m.Derived && m.Name != "peak_concurrency"
				if (c.options.All || fact) && !slices.Contains(names, m.Name) {
					names = append(names, m.Name)
				}
			}
		}
	}
	return names
}

// exact reports whether values of a unit are counts.
func exact(unit string) bool { return unit == "1" || unit == "tok" }

// usualNoise is the usual threshold. tailNoise and farNoise multiply it for some metrics. They are a convention
// of this project: the further out a statistic lies, the fewer requests it rests on.
const (
	usualNoise = 0.03
	tailNoise  = 2 // p75 to p95, the least
	farNoise   = 4 // p99 and above, the greatest; times that are measured once per run
)

// Threshold returns the relative difference of a metric that runs without enough repeats cannot show.
func (c *Comparison) Threshold(metric string) float64 {
	o := &c.options
	family, stat, isLatency := vocabulary.Statistic(metric)
	for _, name := range []string{metric, family} {
		if noise, ok := o.Noises[name]; ok {
			return noise
		}
	}
	usual := cmp.Or(o.Noise, usualNoise)
	if d, known := vocabulary.Define(metric); known && exact(d.Unit) && (d.Unit == "1" || d.Better == result.Neutral) {
		return 0
	}
	rank, isRank := audit.Rank(stat)
	switch {
	case metric == "load_time" || metric == "startup_time" || isLatency && isRank && rank >= 99:
		return farNoise * usual
	case isLatency && (stat == "min" || isRank && rank >= 75):
		return tailNoise * usual
	}
	return usual
}

// conclude sets the verdict of each figure once the number of tests is known.
//
// A difference is shown if the p of the Mann–Whitney U test, adjusted for the number of tests, is below
// stats.Alpha. It is also shown if the medians differ by the threshold or more and the repeats of both sides do
// not overlap; single runs with different values never overlap. If the medians differ that much and the repeats
// overlap, the verdict is uncertain. Other figures are the same.
func (c *Comparison) conclude() {
	var tested []*Figure
	var ps []float64
	for i := range c.Pairs {
		for n := range c.Pairs[i].Figures {
			f := &c.Pairs[i].Figures[n]
			if f.Ground == OneSided || f.Better == result.Neutral {
				continue
			}
			c.Compared++
			if f.Tested() && f.sound() {
				f.counts = true
				tested = append(tested, f)
				ps = append(ps, f.P)
			}
		}
	}
	c.Tested = len(tested)
	for i, q := range stats.Adjusted(ps) {
		tested[i].Q = q
	}
	for i := range c.Pairs {
		figures := c.Pairs[i].Figures
		for n := range figures {
			if figures[n].Ground != OneSided {
				figures[n].judge()
			}
		}
		// Without a better direction, only differences are worth reporting.
		c.Pairs[i].Figures = slices.DeleteFunc(figures, func(f Figure) bool {
			quiet := f.Better == result.Neutral && (f.Verdict == Same || f.Verdict == Uncertain)
			return quiet && !slices.Contains(c.options.Metrics, f.Metric)
		})
		bySize(c.Pairs[i].Figures)
	}
}

// sound reports whether the values of both sides count.
func (f *Figure) sound() bool { return f.A.reason.IsZero() && f.B.reason.IsZero() }

func (f *Figure) judge() {
	a, b := f.A.Median, f.B.Median
	near := a == b || f.HasRatio && f.Noise > 0 && stats.Within(a, b, f.Noise)
	switch {
	case f.A.Metric.Unit == f.B.Metric.Unit && slices.Equal(slices.Sorted(slices.Values(f.A.Values)), slices.Sorted(slices.Values(f.B.Values))): // even if unsound
		f.Verdict, f.Ground = Same, Alike
	case !f.sound():
		f.Verdict, f.Ground, f.Why = Uncertain, Aside, f.A.reason
		if f.Why.IsZero() {
			f.Why = f.B.reason
		}
	case f.mixed():
		f.Verdict, f.Ground = Uncertain, Unlike
		f.Why = locale.T("diff.why.unit", f.A.Metric.Unit, f.B.Metric.Unit)
	case f.counts && f.Q < stats.Alpha && a != b:
		f.Verdict, f.Ground = f.direction(), Tested
	case near:
		f.Verdict, f.Ground = Same, Alike
	case f.weak() != "":
		f.Verdict, f.Ground = Uncertain, Weak
		f.Why = locale.T("diff.why.weak", f.weak())
	case a < 0 || b < 0:
		f.Verdict, f.Ground = Uncertain, Unlike
		f.Why = locale.T("diff.why.ratio")
	case f.withinErrors():
		f.Verdict, f.Ground = Uncertain, Overlaps
		f.Why = locale.T("diff.why.stderr")
	case stats.Overlap(f.A.Values, f.B.Values):
		f.Verdict, f.Ground = Uncertain, Overlaps
		f.Why = locale.T("diff.why.overlap", f.N1, f.N2)
		if f.counts {
			f.Why = locale.T("diff.why.tested", Share(f.P), f.N1, f.N2)
		}
	default:
		f.Verdict, f.Ground = f.direction(), Beyond
	}
}

// withinErrors reports whether the difference in quality of single runs is within their standard errors: less
// than 1.96 times the error of the difference (95 %).
func (f *Figure) withinErrors() bool {
	if f.Metric != "quality" || f.N1 > 1 || f.N2 > 1 {
		return false
	}
	a, inA := f.A.Nearest.Metric("quality_stderr")
	b, inB := f.B.Nearest.Metric("quality_stderr")
	return inA && inB && math.Abs(f.A.Median-f.B.Median) < 1.96*math.Hypot(a.Value, b.Value)
}

// direction returns the verdict for the direction in which B differs from A.
func (f *Figure) direction() Verdict {
	switch {
	case f.Better == result.Neutral:
		return Changed
	case (f.B.Median > f.A.Median) == (f.Better == result.Higher):
		return Better
	}
	return Worse
}

// weak returns the number of requests that a percentile rests on if these are too few and were not repeated, or
// else "".
func (f *Figure) weak() string {
	if f.N1 > 1 && f.N2 > 1 {
		return ""
	}
	for _, v := range []*Value{&f.A, &f.B} {
		if have, need := audit.Samples(v.Nearest, f.Metric); have < need {
			return strconv.Itoa(have)
		}
	}
	return ""
}

// Share formats a probability: 0.029, < 0.001.
func Share(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	return strconv.FormatFloat(p, 'g', 2, 64)
}
