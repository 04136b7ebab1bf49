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

// Verdict is what two figures of a metric say of each other.
type Verdict int8

const (
	Same      Verdict = iota // no difference shown
	Better                   // B is better
	Worse                    // B is worse
	Changed                  // they differ, and neither direction is better
	Uncertain                // the figures do not support a verdict
	OnlyA                    // B has no figure
	OnlyB                    // A has none
)

// Verdicts are all of them, in the order in which a reader wants them.
var Verdicts = []Verdict{Worse, Better, Uncertain, Changed, OnlyA, OnlyB, Same}

// String returns the word used in JSON.
func (v Verdict) String() string {
	return [...]string{"same", "better", "worse", "changed", "uncertain", "only-a", "only-b"}[v]
}

// Ground is what a verdict rests on.
type Ground int8

const (
	Alike    Ground = iota // the medians are closer than the threshold, or equal
	Tested                 // the Mann–Whitney U test, adjusted for how much is compared
	Beyond                 // the medians differ by the threshold or more, and the repeats do not overlap
	Overlaps               // the medians differ by the threshold or more, but the repeats overlap
	Aside                  // a check has excluded one of the figures, or its runs did not end
	Weak                   // a percentile of too few requests
	Unlike                 // the units differ, or there is no saying how far apart they are
	OneSided               // only one side has a figure
)

// String returns the word used in JSON.
func (g Ground) String() string {
	return [...]string{"alike", "tested", "beyond", "overlaps", "aside", "weak", "unlike", "one-sided"}[g]
}

// Figure is a metric of a pair.
type Figure struct {
	Metric  string
	Unit    string
	Better  result.Better
	A, B    Value
	Noise   float64 // the threshold in force
	Verdict Verdict
	Ground  Ground
	Why     locale.Text // of an uncertain one

	stats.Comparison         // its verdict is that before adjustment
	Q                float64 // P adjusted for all figures that were tested; 0 when not tested
	counts           bool    // it is one of these
}

// Read returns the unit in which the values of both sides are written: GB for B.
func (f *Figure) Read() string { return cmp.Or(f.A.read.Name, f.Unit) }

// mixed reports whether the sides are in different units.
func (f *Figure) mixed() bool {
	return len(f.A.Runs) > 0 && len(f.B.Runs) > 0 && f.A.Metric.Unit != f.B.Metric.Unit
}

// Apart returns how far B is from A, in either direction and as a share of A: 0.05
// for 5 % more or less; infinite from zero.
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
	Runs    []*result.Result // that have it and count, in order
	Values  []float64        // of the runs
	Nearest *result.Result   // the run whose figure is the median, or the lower of the two middle ones
	Metric  result.Metric    // of that run
	Aside   int              // runs that were left out, because others hold

	reason locale.Text    // why it does not count; the runs are all that there are
	read   magnitude.Unit // of the figure: what it is read in, if not in its own unit
}

// Text writes a value with the digits of its metric, or in the unit in which it is read.
func (v *Value) Text(value float64) string {
	if v.read.Name != "" {
		return magnitude.Digits(v.read.Of(value))
	}
	m := v.Metric
	m.Value = value
	return m.Digits()
}

// valueOf returns a metric of repeats. Runs that are excluded or did not end count only
// where there are no others, and then support no verdict.
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

// unsound returns why the figures of a run support no verdict; nothing when they do.
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

// tails are the percentiles that may be used for p99.
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

// absent returns why runs have no figure, when that is because they came to nothing.
func absent(rs []*result.Result) locale.Text {
	if (&Cell{Runs: rs}).Failed() {
		return unsound(rs[0])
	}
	return locale.Text{}
}

// metrics returns the names of what is compared of a pair.
func (c *Comparison) metrics(p *Pair) []string {
	has := func(rs []*result.Result, name string) bool {
		return slices.ContainsFunc(rs, func(r *result.Result) bool { _, ok := r.Metric(name); return ok })
	}
	if c.options.Metrics != nil {
		return c.options.Metrics
	}
	// A percentile means the highest of its kind that both sides have.
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

// exact reports whether values of a unit are counted.
func exact(unit string) bool { return unit == "1" || unit == "tok" }

// Factors of the usual noise, by what a metric is. They are a convention of this
// project: the further out a statistic lies, the fewer requests it rests on.
const (
	usualNoise = 0.03
	tailNoise  = 2 // p75 to p95, the least
	farNoise   = 4 // p99 and beyond, the greatest; times that are measured once a run
)

// Threshold returns the relative difference that runs without enough repeats cannot show
// for a metric.
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

// conclude gives each figure its verdict, once it is known how many are tested.
//
// A difference is shown by the Mann–Whitney U test when its p, adjusted for the number
// of tests, is below stats.Alpha; or when the medians are apart by the threshold or more
// and the repeats of both sides do not overlap, which single runs never do. When they
// are so far apart and do overlap, nothing is known. The rest is the same.
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
		// Without a direction there is something to say only where they differ.
		c.Pairs[i].Figures = slices.DeleteFunc(figures, func(f Figure) bool {
			quiet := f.Better == result.Neutral && (f.Verdict == Same || f.Verdict == Uncertain)
			return quiet && !slices.Contains(c.options.Metrics, f.Metric)
		})
		bySize(c.Pairs[i].Figures)
	}
}

// sound reports whether both values count.
func (f *Figure) sound() bool { return f.A.reason.IsZero() && f.B.reason.IsZero() }

func (f *Figure) judge() {
	a, b := f.A.Median, f.B.Median
	near := a == b || f.HasRatio && f.Noise > 0 && stats.Within(a, b, f.Noise)
	switch {
	case f.A.Metric.Unit == f.B.Metric.Unit && slices.Equal(slices.Sorted(slices.Values(f.A.Values)), slices.Sorted(slices.Values(f.B.Values))): // whatever they are worth
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

// withinErrors reports whether the quality of single runs differs by less than their standard
// errors let expect: 1.96 times the error of the difference (95 %).
func (f *Figure) withinErrors() bool {
	if f.Metric != "quality" || f.N1 > 1 || f.N2 > 1 {
		return false
	}
	a, inA := f.A.Nearest.Metric("quality_stderr")
	b, inB := f.B.Nearest.Metric("quality_stderr")
	return inA && inB && math.Abs(f.A.Median-f.B.Median) < 1.96*math.Hypot(a.Value, b.Value)
}

// direction returns which way B differs from A.
func (f *Figure) direction() Verdict {
	switch {
	case f.Better == result.Neutral:
		return Changed
	case (f.B.Median > f.A.Median) == (f.Better == result.Higher):
		return Better
	}
	return Worse
}

// weak returns the number of requests that a percentile rests on, when they are too few
// and were not repeated.
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

// Share writes a probability: 0.029, < 0.001.
func Share(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	return strconv.FormatFloat(p, 'g', 2, 64)
}
