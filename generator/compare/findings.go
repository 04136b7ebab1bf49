package compare

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
)

// Title returns the title of the comparison: B compared with A.
func (c *Comparison) Title() locale.Text { return locale.T("diff.title", c.B.Name, c.A.Name) }

// Verdict summarises the comparison in a line without a full stop.
func (c *Comparison) Verdict() locale.Text {
	var parts []locale.Text
	say := func(key string, n int) {
		if n > 0 {
			parts = append(parts, locale.T(key, n))
		}
	}
	say("diff.verdict.worse", c.Count(Worse))
	say("diff.verdict.better", c.Count(Better))
	say("diff.verdict.uncertain", c.Count(Uncertain))
	say("diff.verdict.gone", c.Count(OnlyA))
	say("diff.verdict.new", c.Count(OnlyB))
	if c.Count(Same) > 0 && len(parts) == 0 {
		parts = append(parts, locale.T("diff.verdict.same"))
	}
	say("diff.verdict.same.n", c.Count(Same))
	say("diff.verdict.removed", len(c.Removed))
	say("diff.verdict.added", len(c.Added))
	say("diff.verdict.ambiguous", len(c.Ambiguous))
	if slices.ContainsFunc(c.Changed, func(s Shared) bool { return s.Setting }) {
		parts = append(parts, locale.T("diff.verdict.changed"))
	}
	if len(parts) == 0 {
		return locale.T("diff.verdict.none")
	}
	said := parts[0]
	for _, p := range parts[1:] {
		said = locale.T("diff.and", said, p)
	}
	return said
}

// mostClaims is the greatest number of differences in sentences. The tables have all.
const mostClaims = 8

// Findings returns what the comparison shows: the largest differences, worse ones first; claims that are
// withheld because of a check; and limits of the comparison.
func (c *Comparison) Findings() report.Findings {
	var out report.Findings
	for _, v := range []Verdict{Worse, Better} {
		var found []report.Finding
		for i := range c.Pairs {
			for n := range c.Pairs[i].Figures {
				if f := &c.Pairs[i].Figures[n]; f.Verdict == v {
					found = append(found, c.claim(&c.Pairs[i], f))
				}
			}
		}
		largest(found)
		out.Claims = append(out.Claims, found[:min(mostClaims/2, len(found))]...)
	}
	for i := range c.Pairs {
		for n := range c.Pairs[i].Figures {
			f := &c.Pairs[i].Figures[n]
			if f.Ground == Aside && !(f.HasRatio && math.Abs(math.Log(f.Ratio)) < math.Log1p(f.Noise)) && f.A.Median != f.B.Median {
				w := c.claim(&c.Pairs[i], f)
				w.Reason = locale.T("diff.sentence", f.Why)
				out.Withheld = append(out.Withheld, w)
			}
		}
	}
	largest(out.Withheld)
	out.Withheld = out.Withheld[:min(mostClaims, len(out.Withheld))]
	out.Limits = c.limits()
	return out
}

func largest(fs []report.Finding) {
	slices.SortStableFunc(fs, func(a, b report.Finding) int { return cmp.Compare(math.Abs(b.Effect), math.Abs(a.Effect)) })
}

// claim returns one difference as a finding.
func (c *Comparison) claim(p *Pair, f *Figure) report.Finding {
	key := map[Verdict]string{Better: "diff.claim.better", Worse: "diff.claim.worse"}[f.Verdict]
	if key == "" {
		key = "diff.claim.differs"
	}
	effect := 0.0
	if f.HasRatio {
		effect = math.Log(f.Ratio)
	} else {
		effect = math.Inf(1) // a change from or to zero
	}
	from, to := f.A.Text(f.A.Median), withUnit(f.B.Text(f.B.Median), f.Read())
	step := locale.T("diff.claim.step", from, to)
	if change := f.ChangeText(); change != "" {
		step = locale.T("diff.claim.by", from, to, change)
	}
	text := locale.T(key, p.Title, locale.Inside(locale.MetricName(f.Metric)), step)
	finding := report.Finding{Rule: "diff." + f.Verdict.String(), Text: text, N: min(f.N1, f.N2), Effect: effect}
	for _, v := range []struct {
		side *Side
		of   *Value
	}{{&c.A, &f.A}, {&c.B, &f.B}} {
		for _, r := range v.of.Runs {
			if id := v.side.Before + r.ID; !slices.Contains(finding.Runs, id) {
				finding.Runs = append(finding.Runs, id)
			}
		}
	}
	return finding
}

// limits returns what limits the validity of the comparison.
func (c *Comparison) limits() []report.Finding {
	var out []report.Finding
	say := func(rule, key string, args ...any) {
		out = append(out, report.Finding{Rule: "diff." + rule, Text: locale.T(key, args...)})
	}
	for _, ch := range c.Changed {
		if ch.Setting {
			say("setting", "diff.limit.setting", ch.Pairs, locale.Outside(c.ChangeText(ch.Change)))
		}
	}
	for i := range c.Pairs {
		if p := &c.Pairs[i]; p.Lost() {
			say("failed", "diff.limit.failed", p.Title)
		} else if len(p.Mixed) > 0 {
			say("mixed", "diff.limit.mixed", p.Title, labelNames(p.Mixed))
		}
	}
	for i := range c.Ambiguous {
		a := &c.Ambiguous[i]
		if len(a.Differ) > 0 {
			say("ambiguous", "diff.limit.ambiguous", a.Title, len(a.A), len(a.B), labelNames(a.Differ))
		} else {
			say("ambiguous", "diff.limit.alike", a.Title, len(a.A), len(a.B))
		}
	}
	return out
}

func labelNames(labels []string) locale.Text {
	var names []locale.Text
	for _, label := range labels {
		names = append(names, locale.Inside(locale.LabelName(label)))
	}
	return locale.List(names...)
}

// ChangeText returns a change as text: engine version 0.9 → 0.10.
func (c *Comparison) ChangeText(ch Change) locale.Text {
	return locale.T("diff.change", locale.Inside(ChangeName(ch.Label)), c.Value(ch.Label, ch.A), c.Value(ch.Label, ch.B))
}

// Value returns the title of a value of a label in which runs differ.
func (c *Comparison) Value(label, value string) locale.Text {
	if t, ok := c.options.Titles[label][value]; ok {
		return t
	}
	if value == "" {
		return locale.T("diff.untold")
	}
	return locale.LabelValue(label, value)
}

// ChangeName returns the name of a label in which runs differ. The length of answers is one of these, although
// it is measured.
func ChangeName(label string) locale.Text {
	if label == "answer_length" {
		return locale.T("compare.answers")
	}
	return locale.LabelName(label)
}

// ChangeText returns the change from A to B: +18.5%, −42.9%. It returns "" if there is no ratio because a
// median is not positive.
func (f *Figure) ChangeText() string {
	if !f.HasRatio {
		return ""
	}
	change := 100 * (f.Ratio - 1)
	s := strconv.FormatFloat(math.Abs(change), 'f', 1, 64) + "%"
	switch {
	case s == "0.0%":
		return "±0.0%"
	case change < 0:
		return "−" + s
	}
	return "+" + s
}

// Where returns the position of the metric that represents a side.
func (v *Value) Where() result.Position { return v.Nearest.At(v.Metric) }

// withUnit appends a unit to a number.
func withUnit(digits, unit string) string {
	switch unit {
	case "1", "":
		return digits
	case "%":
		return digits + "%"
	}
	return digits + " " + unit
}

// Grounds returns what a verdict rests on.
func (f *Figure) Grounds() locale.Text {
	if !f.Why.IsZero() {
		return f.Why
	}
	switch f.Ground {
	case Tested:
		return locale.T("diff.ground.tested", Share(f.P), f.N1, f.N2)
	case Beyond:
		if f.Noise == 0 {
			return locale.T("diff.ground.counted")
		}
		if f.N1 > 1 || f.N2 > 1 {
			return locale.T("diff.ground.apart", Percent(f.Noise), f.N1, f.N2)
		}
		return locale.T("diff.ground.beyond", Percent(f.Noise))
	case Alike:
		if f.A.Median == f.B.Median {
			return locale.T("diff.ground.equal")
		}
		return locale.T("diff.ground.alike", Percent(f.Noise))
	}
	return locale.Text{}
}

// Doubts returns the ids of the checks of severity warning that concern the figure.
func (f *Figure) Doubts() []string {
	var ids []string
	for _, v := range []*Value{&f.A, &f.B} {
		for _, r := range v.Runs {
			for i := range r.Checks {
				ck := &r.Checks[i]
				if ck.Severity == result.Warning && ck.Waived == "" && ck.Concerns(f.Metric) && !slices.Contains(ids, ck.ID) {
					ids = append(ids, ck.ID)
				}
			}
		}
	}
	return ids
}

// Percent formats a share: 3%.
func Percent(share float64) string {
	return strconv.FormatFloat(math.Round(1e8*share)/1e6, 'f', -1, 64) + "%"
}

// Method describes how the verdicts were reached: what is compared, by which thresholds, and how many
// differences may be due to chance.
func (c *Comparison) Method() []locale.Text {
	var out []locale.Text
	if len(c.Subject) > 0 {
		out = append(out, locale.T("diff.method.subject", labelNames(c.Subject)))
	}
	if c.Compared == 0 {
		return out
	}
	if c.Tested > 0 {
		byChance := strconv.FormatFloat(stats.Alpha*float64(c.Tested), 'g', 2, 64)
		out = append(out, locale.T("diff.method.tested", c.Tested), locale.T("diff.method.chance", byChance))
	}
	if n := c.Compared - c.Tested; c.Tested == 0 {
		out = append(out, locale.T("diff.method.single", n))
	} else if n > 0 {
		out = append(out, locale.T("diff.method.some", n))
	}
	var parts []locale.Text
	for _, t := range c.Thresholds() {
		var names []locale.Text
		for _, name := range t.Metrics {
			names = append(names, locale.Inside(locale.MetricName(name)))
		}
		limit := locale.Lit(Percent(t.Noise))
		if t.Noise == 0 {
			limit = locale.T("diff.method.exact")
		}
		parts = append(parts, locale.T("diff.method.threshold", limit, locale.List(names...)))
	}
	if len(parts) > 0 {
		out = append(out, locale.T("diff.method.noise", Clauses(parts)))
	}
	return append(out, locale.T("diff.method.same"))
}

// Clauses joins clauses. It skips empty ones, and returns an empty text if none is left.
func Clauses(parts []locale.Text) locale.Text {
	parts = slices.DeleteFunc(slices.Clone(parts), locale.Text.IsZero)
	if len(parts) == 0 {
		return locale.Text{}
	}
	said := parts[0]
	for _, p := range parts[1:] {
		said = locale.T("diff.clauses", said, p)
	}
	return said
}

// Threshold is the relative difference from which metrics count as different.
type Threshold struct {
	Noise   float64
	Metrics []string
}

// Thresholds returns the thresholds that were applied, in ascending order.
func (c *Comparison) Thresholds() []Threshold {
	of := map[float64][]string{}
	for i := range c.Pairs {
		for _, f := range c.Pairs[i].Figures {
			if f.Better != result.Neutral && f.Ground != OneSided && !slices.Contains(of[f.Noise], f.Metric) {
				of[f.Noise] = append(of[f.Noise], f.Metric)
			}
		}
	}
	var out []Threshold
	for _, noise := range slices.Sorted(maps.Keys(of)) {
		out = append(out, Threshold{noise, of[noise]})
	}
	return out
}

// Own returns the settings in which a pair differs but not all pairs do.
func (c *Comparison) Own(p *Pair) locale.Text {
	var own []locale.Text
	for _, ch := range p.Changed {
		if ch.Setting && !c.InAll(ch) {
			own = append(own, c.ChangeText(ch))
		}
	}
	return Clauses(own)
}

// Places returns the first file of runs and the number of the others.
func (s *Side) Places(rs []*result.Result) locale.Text {
	var files []string
	for _, r := range rs {
		if at := s.At(result.Position{File: r.Source.File}); !slices.Contains(files, at) {
			files = append(files, at)
		}
	}
	if len(files) > 1 {
		return locale.T("diff.files", files[0], len(files)-1)
	}
	return locale.Lit(files[0])
}

// Places returns the files of a pair, only once if both sides have the same.
func (c *Comparison) Places(p *Pair) locale.Text {
	a, b := c.A.Places(p.A), c.B.Places(p.B)
	if same := (&Side{}).Places(p.A); locale.English(same) == locale.English(b) {
		return b
	}
	return locale.Join(" → ", a, b)
}
