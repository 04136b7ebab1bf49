package plot

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/block/condition"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Trade-off curves show one metric against another, joined along a sweep. A variant has a curve for each of its
// configurations, and the frontier of all of them.

const (
	mostCurves = 12   // curves that readers can distinguish
	mostLabels = 10   // labels that distinguish curves
	mostSpots  = 1000 // points in one chart
)

// curve is a variant with its configurations.
type curve struct {
	name  locale.Text
	value string // value of the label that names it; "" if several labels do
	parts []part
}

// part is one configuration of a variant. Its steps are in the order of the swept label.
type part struct {
	name  locale.Text // zero if the variant has only one
	steps []step
}

// step holds the repeats at one value of the swept label.
type step struct {
	at   string
	runs []*result.Result
	x, y dataset.Figure
}

// sound reports whether no check excludes a step.
func (s step) sound() bool { return s.x.Holds() && s.y.Holds() }

// tradeoff fills a chart of curves.
func tradeoff(d *dataset.Selection, c *builder.Chart, rs []*result.Result, s Spec) error {
	s.X, s.Y = cmp.Or(s.X, dataset.Commonest(rs, vocabulary.Listed(vocabulary.CurveX))), cmp.Or(s.Y, dataset.Commonest(rs, vocabulary.Listed(vocabulary.CurveY)))
	if s.X == "" || s.Y == "" {
		return dataset.Lackf(locale.Textf(`for example x = "ttft_mean", y = "output_throughput"`), "the runs have no figures of the usual axes")
	}
	var err error
	for _, of := range []struct {
		axis *report.Axis
		name string
		key  string
	}{{&c.X, s.X, "x"}, {&c.Y, s.Y, "y"}} {
		if metric, label := dataset.Known(rs, of.name); label && !metric {
			return dataset.About(of.key, dataset.Wrongf(locale.Textf(`write kind = "lines" for a metric over a label`), "%q is not a metric", of.name))
		}
		if *of.axis, err = builder.Axis(d, rs, of.name); err != nil {
			return dataset.About(of.key, err)
		}
		of.axis.Scale = report.Scale(s.Scale)
	}
	limits, err := s.levels(d, rs, c)
	if err != nil {
		return err
	}
	have := slices.DeleteFunc(slices.Clone(rs), func(r *result.Result) bool {
		_, x := r.Metric(s.X)
		_, y := r.Metric(s.Y)
		return !x || !y
	})
	if len(have) == 0 {
		return s.nothing(rs, []string{s.X, s.Y})
	}
	if s.Over == "" {
		if s.Over = condition.Along(d, have); s.Over == "" {
			return dataset.Lackf(locale.Textf(`name the label in over, or write kind = "scatter" for single points`), "no setting is swept: no two runs differ only in one label that can be a step")
		}
	} else if _, label := dataset.Known(rs, s.Over); !label {
		return dataset.About("over", dataset.Unknown(rs, s.Over))
	}
	have = dataset.Having(have, s.Over)
	variants, configurations, err := s.laidOut(d, have)
	if err != nil {
		return err
	}
	curves := s.curves(d, have, variants, configurations)
	if err := s.drawable(d, have, curves); err != nil {
		return err
	}
	c.Kind, c.Along = report.Curves, locale.LabelName(s.Over)
	for _, one := range curves {
		c.Series = append(c.Series, one.series(d, c, variants, s.Over))
	}
	if !slices.Contains([]result.Better{c.X.Better, c.Y.Better}, result.Neutral) {
		envelope(c)
	}
	c.Compared, c.Metrics = builder.Comparison{Runs: have, Laid: slices.Concat(variants, configurations, []string{s.Over}), Accept: s.Accept}, []string{s.Y, s.X}
	c.Notes = append(c.Notes, s.explained(rs, have, configurations, c)...)
	if len(limits) > 0 {
		reached(d, c, s, curves, variants, configurations, limits)
	}
	c.Alt = altCurves(c.Readable())
	return nil
}

// laidOut returns the labels that distinguish curves: those of variants, and those of the configurations of a variant.
func (s Spec) laidOut(d *dataset.Selection, rs []*result.Result) (variants, configurations []string, err error) {
	rows := []string{s.Over}
	if s.Series != "" {
		if _, label := dataset.Known(rs, s.Series); !label {
			return nil, nil, dataset.About("series", dataset.Unknown(rs, s.Series))
		}
		rows = append(rows, s.Series)
	}
	for _, name := range s.Configurations {
		if _, label := dataset.Known(rs, name); !label {
			return nil, nil, dataset.About("configurations", dataset.Unknown(rs, name))
		}
	}
	rows = append(rows, s.Configurations...)
	rows, ok := condition.ApartBy(d, rs, rows, "", mostLabels, mostSpots)
	if i := slices.Index(rows, "id"); i > 0 { // only the id distinguishes the runs of a step
		for _, g := range d.Groups(rs, rows[:i]) {
			if err := dataset.Repeats(g.Runs, dataset.Place(rows[:i], g.Values)); err != nil {
				return nil, nil, err
			}
		}
	}
	if !ok {
		return nil, nil, dataset.Lackf(locale.Textf("select fewer with where, or declare in run.toml what distinguishes runs of one step"), "the runs differ in more than curves can show")
	}
	for _, name := range rows[1:] {
		switch {
		case name != s.Series && (slices.Contains(s.Configurations, name) || s.Configurations == nil && condition.Configures(name)):
			configurations = append(configurations, name)
		default:
			variants = append(variants, name)
		}
	}
	return variants, speaking(rs, configurations), nil
}

// speaking replaces the label accelerators by parallelism among the labels of configurations, for example 4 by tp4. It
// does so only if every run has both and the parallelism determines the number of accelerators.
func speaking(rs []*result.Result, labels []string) []string {
	i := slices.Index(labels, "accelerators")
	if i < 0 || len(dataset.Having(rs, "parallelism")) < len(rs) {
		return labels
	}
	of := map[string]string{}
	for _, r := range rs {
		layout, count := r.Label("parallelism"), r.Label("accelerators")
		if known, seen := of[layout]; seen && known != count {
			return labels
		}
		of[layout] = count
	}
	out := slices.Clone(labels)
	out[i] = "parallelism"
	slices.Sort(out)
	return slices.Compact(out)
}

// curves lays out runs as curves by the labels of variants and configurations.
func (s Spec) curves(d *dataset.Selection, rs []*result.Result, variants, configurations []string) []curve {
	var out []curve
	for _, g := range d.Groups(rs, variants) {
		one := curve{name: named(d, variants, g.Values)}
		if one.name.IsZero() {
			one.name = called(d, g.Runs)
		}
		if len(variants) == 1 {
			one.value = g.Values[0]
		}
		parts := d.Groups(g.Runs, configurations)
		for _, of := range parts {
			p := part{}
			if len(parts) > 1 {
				p.name = named(d, configurations, of.Values)
			}
			for _, v := range d.Values(of.Runs, s.Over) {
				here := step{at: v, runs: dataset.WithLabel(of.Runs, s.Over, v)}
				here.x, _ = dataset.FigureOf(here.runs, s.X)
				here.y, _ = dataset.FigureOf(here.runs, s.Y)
				p.steps = append(p.steps, here)
			}
			one.parts = append(one.parts, p)
		}
		out = append(out, one)
	}
	return out
}

// named joins the values of labels.
func named(d *dataset.Selection, labels, values []string) locale.Text {
	var words []locale.Text
	for i, v := range values {
		if v != "" {
			words = append(words, d.Held(labels[i], v))
		}
	}
	if len(words) == 0 {
		return locale.Text{}
	}
	return locale.Join(" · ", words...)
}

// called names the only variant of a chart by a label that its runs share.
func called(d *dataset.Selection, rs []*result.Result) locale.Text {
	for _, label := range []string{"model", "hardware", "engine", "tool"} {
		if values := d.Values(rs, label); len(values) == 1 {
			return d.Title(label, values[0])
		}
	}
	return locale.T("curve.variant")
}

// drawable returns an error if there are too many curves to distinguish, or if no curve has two points.
func (s Spec) drawable(d *dataset.Selection, rs []*result.Result, curves []curve) error {
	if len(curves) > mostCurves {
		return dataset.Wrongf(locale.Textf("name fewer in where, or draw a panel for each value of a label"), "%d curves are too many to distinguish; %d are the limit", len(curves), mostCurves)
	}
	for _, one := range curves {
		for _, p := range one.parts {
			if len(p.steps) > 1 {
				return nil
			}
		}
	}
	return dataset.About("over", dataset.Lackf(locale.Textf("its values: %s", locale.Few(d.Values(rs, s.Over), 6)), "no two runs differ in %s alone: there is nothing to join", s.Over))
}

// series returns the points of a variant, one configuration after another.
func (one curve) series(d *dataset.Selection, c *builder.Chart, variants []string, over string) report.Series {
	out := report.Series{Name: one.name}
	if len(variants) == 1 {
		out.Style = d.Styles[variants[0]][one.value]
	}
	for _, p := range one.parts {
		for _, st := range p.steps {
			at := point(d, c, st.y)
			at.X, at.Digits = st.x.Metric.Value, [2]string{st.x.Metric.Digits(), st.y.Metric.Digits()}
			at.Label, at.Part = d.Title(over, st.at), p.name
			at.Run, at.Others = builder.PageOf(st.runs[0]), builder.Besides(st.runs)
			at.Excluded = !st.sound()
			at.Warned = at.Warned || !builder.InDoubt([]dataset.Figure{st.x}).IsZero()
			out.Points = append(out.Points, at)
		}
	}
	return out
}

// envelope finds the frontier of each variant with several configurations over all its points, and marks the points it
// dominates.
func envelope(c *builder.Chart) {
	directions := []result.Better{c.X.Better, c.Y.Better}
	before := 0
	for _, s := range c.Series {
		var sound []int
		var xy [][]float64
		parts := map[string]bool{}
		for i, p := range s.Points {
			if parts[locale.English(p.Part)] = true; !p.Excluded {
				sound, xy = append(sound, i), append(xy, []float64{p.X, p.Y})
			}
		}
		if len(parts) > 1 {
			var on []int
			for _, k := range stats.Frontier(xy, directions) {
				on = append(on, before+sound[k])
			}
			for k, i := range sound {
				s.Points[i].Dominated = stats.Dominator(xy, directions, k) >= 0
			}
			slices.SortStableFunc(on, func(a, b int) int { return cmp.Compare(s.Points[a-before].X, s.Points[b-before].X) })
			c.Frontier = append(c.Frontier, slices.CompactFunc(on, func(a, b int) bool {
				p, q := s.Points[a-before], s.Points[b-before]
				return p.X == q.X && p.Y == q.Y
			}))
		}
		before += len(s.Points)
	}
}

// explained returns notes: the label along which curves are joined, and the number of runs that are not on them.
func (s Spec) explained(rs, have []*result.Result, configurations []string, c *builder.Chart) []locale.Text {
	notes := []locale.Text{locale.T("curve.joined", locale.Inside(c.Along))}
	if len(c.Frontier) > 0 {
		var names []locale.Text
		for _, name := range configurations {
			names = append(names, locale.Inside(locale.LabelName(name)))
		}
		notes = append(notes, locale.T("curve.envelope", locale.List(names...)))
	}
	if n := len(rs) - len(have); n > 0 {
		notes = append(notes, locale.T("curve.left-out", n))
	}
	return notes
}

// altCurves returns alternative text: where each curve begins and ends.
func altCurves(c report.Chart) locale.Text {
	sentences := []locale.Text{locale.T("alt.curves", builder.WithUnit(c.Y.Title, c.Y.Unit), builder.WithUnit(c.X.Title, c.X.Unit), locale.Inside(c.Along), len(c.Series))}
	for _, s := range c.Series {
		sound := slices.DeleteFunc(slices.Clone(s.Points), func(p report.Point) bool { return p.Excluded })
		if len(sound) < 2 || !sound[0].Part.IsZero() {
			continue
		}
		first, last := sound[0], sound[len(sound)-1]
		sentences = append(sentences, locale.T("alt.curve", s.Name, first.Digits[1], first.Digits[0], first.Label, last.Digits[1], last.Digits[0], last.Label))
	}
	return locale.Sentences(sentences...)
}

// levels parses the limits at which values are read off the curves: those of the block, or else the site's limits on a
// metric of an axis.
func (s Spec) levels(d *dataset.Selection, rs []*result.Result, c *builder.Chart) ([]builder.Limit, error) {
	wanted := map[string]string{}
	for name, v := range s.Limits {
		if name != s.X && name != s.Y {
			return nil, dataset.About("limits", dataset.Wrongf(locale.Textf("limit one of %s", locale.Commas(s.X, s.Y)), "%q is on neither axis", name))
		}
		wanted[name] = fmt.Sprint(v)
	}
	if len(wanted) == 0 {
		for _, name := range []string{s.X, s.Y} {
			if text := d.Limits[name]; text != "" {
				wanted[name] = text
			}
		}
	}
	var out []builder.Limit
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		l, err := builder.ReadLimit(rs, name, wanted[name])
		if err != nil {
			return nil, dataset.About("limits", err)
		}
		out = append(out, l)
		c.Levels = append(c.Levels, report.Level{Across: name == s.Y, At: l.Value, Text: l.Bound()})
	}
	return out, nil
}
