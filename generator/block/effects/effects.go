// Package effects shows the effect of settings: factors at levels, in strata of all other factors.
package effects

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
)

// Spec holds the keys of the block effects.
type Spec struct {
	Where   string
	Factors []string       // labels of the settings
	Metrics []string       // what they act on; by default the usualEffects that the runs have
	Within  []string       // labels reported separately; by default load and scenario if they have several values
	From    map[string]any // factor → the level to compare with; by default the first in the site's order
	Caption string
	Notes   []string
	Accept  []string // settings in which the runs may differ
}

// usualEffects are the default metrics.
var usualEffects = []string{"output_throughput", "ttft_mean", "tpot_mean"}

// Table shows the effects of settings. For each change of one setting it shows the change of every metric in each
// stratum of the other settings, the mean over the strata, and the interaction of two settings.
func Table(d *dataset.Selection, s Spec) (*builder.Table, error) {
	rs, err := d.Select(s.Where)
	if err != nil {
		return nil, err
	}
	x, err := newExperiment(d, rs, s)
	if err != nil {
		return nil, err
	}
	t := builder.NewTable("effects", locale.Lit(s.Caption))
	for _, name := range x.within {
		t.Columns = append(t.Columns, builder.Header(d, x.runs, builder.Heading{Name: name, Label: true}, "", nil))
	}
	t.Columns = append(t.Columns, report.Column{Title: locale.T("effects.change")})
	if len(x.factors) > 1 {
		t.Columns = append(t.Columns, report.Column{Title: locale.T("effects.others")})
	}
	for _, name := range x.metrics {
		t.Columns = append(t.Columns, builder.Header(d, x.runs, builder.Heading{Name: name}, "", nil))
	}
	for _, g := range d.Groups(x.runs, x.within) {
		b, err := x.layOut(g)
		if err != nil {
			return nil, err
		}
		if err := b.fill(t); err != nil {
			return nil, err
		}
	}
	if len(t.Rows) == 0 {
		return nil, dataset.About("factors", dataset.Lackf(locale.Textf("settings that change together show no effect of either: measure one more combination, or select with where runs that differ in one of them"),
			"no two of the selected runs differ in one of %s alone", strings.Join(x.factors, ", ")))
	}
	t.Compared = builder.Comparison{Runs: x.runs, Laid: slices.Concat(x.factors, x.within), Accept: s.Accept}
	for _, n := range s.Notes {
		t.Note(result.Info, locale.Lit(n))
	}
	return t, nil
}

// experiment is a set of runs, laid out by the levels of factors.
type experiment struct {
	d       *dataset.Selection
	runs    []*result.Result
	factors []string
	levels  [][]string // by factor; the others are compared with the first
	metrics []string
	within  []string
}

// newExperiment selects the runs that have every factor. It returns an error if a factor has only one level.
func newExperiment(d *dataset.Selection, rs []*result.Result, s Spec) (*experiment, error) {
	x := &experiment{d: d, runs: rs, factors: s.Factors, metrics: s.Metrics, within: s.Within}
	if len(s.Factors) == 0 {
		return nil, dataset.Wrongf(locale.Textf(`for example factors = ["power_mode", "clocks"]`), "factors is missing")
	}
	for i, name := range s.Factors {
		if _, label := dataset.Known(rs, name); !label {
			return nil, dataset.About("factors", dataset.Unknown(rs, name))
		}
		if slices.Contains(s.Factors[:i], name) {
			return nil, dataset.About("factors", dataset.Wrongf(locale.Textf("name each once"), "factors names %q twice", name))
		}
		x.runs = dataset.Having(x.runs, name)
	}
	for _, name := range s.Factors {
		levels := d.Values(x.runs, name)
		if len(levels) < 2 {
			return nil, dataset.About("factors", dataset.Lackf(locale.Textf("an effect needs two: select more with where, or leave it out of factors"),
				"%q has one level among the selected runs: %s", name, locale.Few(levels, 1)))
		}
		x.levels = append(x.levels, levels)
	}
	if err := x.startFrom(s.From); err != nil {
		return nil, dataset.About("from", err)
	}
	if s.Within == nil {
		for _, name := range []string{"load", "scenario"} {
			if len(d.Values(x.runs, name)) > 1 && !slices.Contains(s.Factors, name) {
				x.within = append(x.within, name)
			}
		}
	}
	for _, name := range x.within {
		if _, label := dataset.Known(rs, name); !label {
			return nil, dataset.About("within", dataset.Unknown(rs, name))
		}
		if slices.Contains(s.Factors, name) {
			return nil, dataset.About("within", dataset.Wrongf(locale.Textf("a factor is compared, not reported separately"), "%q is among factors and within", name))
		}
	}
	if len(s.Metrics) == 0 {
		x.metrics = slices.DeleteFunc(slices.Clone(usualEffects), func(m string) bool { return !dataset.AnyHas(x.runs, m) })
		if len(x.metrics) == 0 {
			return nil, dataset.Wrongf(locale.Textf(`for example metrics = ["decode_throughput"]`), "metrics is missing, and the runs have none of %s", locale.Commas(usualEffects...))
		}
	}
	for _, name := range x.metrics {
		if metric, _ := dataset.Known(rs, name); !metric {
			return nil, dataset.About("metrics", dataset.Unknown(rs, name))
		}
		if err := dataset.OneUnit(x.runs, name); err != nil {
			return nil, dataset.About("metrics", err)
		}
	}
	return x, nil
}

// startFrom moves the levels that the author chose for comparison to the front.
func (x *experiment) startFrom(from map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(from)) {
		f := slices.Index(x.factors, name)
		if f < 0 {
			return dataset.Wrongf(locale.Textf("factors: %s", locale.Commas(x.factors...)), "from names %q, which is not a factor", name)
		}
		level := fmt.Sprint(from[name])
		i := slices.Index(x.levels[f], level)
		if i < 0 {
			return dataset.Lackf(locale.Textf("values of %s: %s", name, locale.Few(x.levels[f], 12)), "from = %q is not a level of %s", level, name)
		}
		x.levels[f] = slices.Insert(slices.Delete(x.levels[f], i, i+1), 0, level)
	}
	return nil
}

// trials are the runs of an experiment that are reported together.
type trials struct {
	*experiment
	part         dataset.Group                        // a group by the labels of within
	combinations []stats.Observation                  // the measured combinations; their values are not used
	figures      map[string]map[string]dataset.Figure // metric → combination of levels → figure
	observations map[string][]stats.Observation       // metric → the same as numbers
}

// layOut gathers the figures of a group. The runs of a combination must be repeats of each other. Figures that are not
// above zero count as not measured, since ratios of them cannot be reported.
func (x *experiment) layOut(within dataset.Group) (*trials, error) {
	b := &trials{experiment: x, part: within, figures: map[string]map[string]dataset.Figure{}, observations: map[string][]stats.Observation{}}
	for _, g := range x.d.Groups(within.Runs, x.factors) {
		if err := dataset.Repeats(g.Runs, dataset.Place(slices.Concat(x.within, x.factors), slices.Concat(within.Values, g.Values))); err != nil {
			return nil, err
		}
		b.combinations = append(b.combinations, stats.Observation{Levels: g.Values, Value: 1})
		for _, m := range x.metrics {
			f, ok := dataset.FigureOf(g.Runs, m)
			if !ok || f.Metric.Value <= 0 {
				continue
			}
			if b.figures[m] == nil {
				b.figures[m] = map[string]dataset.Figure{}
			}
			b.figures[m][combination(g.Values)] = f
			b.observations[m] = append(b.observations[m], stats.Observation{Levels: g.Values, Value: f.Metric.Value})
		}
	}
	return b, nil
}

func combination(levels []string) string { return strings.Join(levels, "\x00") }

// analyse returns the effects and the interactions of observations.
func (x *experiment) analyse(observations []stats.Observation) ([]stats.Effect, error) {
	design, err := stats.NewDesign(x.levels, observations)
	if err != nil {
		return nil, err
	}
	return append(design.Effects(), design.Interactions()...), nil
}

// fill adds the rows of a group to a table: the strata and their mean, for each effect and then for each interaction.
func (b *trials) fill(t *builder.Table) error {
	rows, err := b.analyse(b.combinations)
	if err != nil {
		return err
	}
	found := map[string][]stats.Effect{}
	for _, m := range b.metrics {
		if found[m], err = b.analyse(b.observations[m]); err != nil {
			return err
		}
	}
	for _, e := range rows {
		change := report.Cell{Text: b.change(e.Changes[0])}
		if len(e.Changes) == 2 {
			change.Text = locale.T("effects.interaction", b.change(e.Changes[0]), b.change(e.Changes[1]))
			change.Notes = append(change.Notes, t.Note(result.Info, locale.T("effects.interaction.note")))
		}
		if e.Incomplete > 0 {
			change.Notes = append(change.Notes, t.Note(result.Info, locale.T("effects.incomplete", e.Incomplete)))
		}
		ratios := map[string][]float64{}
		for _, s := range e.Strata {
			row := b.row(change, b.held(s.Levels))
			shown := map[*result.Result]bool{}
			for _, m := range b.metrics {
				cell := b.cell(t, found[m], e, s, m, shown)
				if builder.Contests(&cell) {
					ratios[m] = append(ratios[m], cell.Value)
				}
				row.Cells = append(row.Cells, cell)
			}
			t.Rows = append(t.Rows, row)
		}
		if len(e.Strata) > 1 {
			mean := "effects.mean"
			if len(e.Changes) == 2 {
				mean = "effects.mean-interaction"
			}
			row := b.row(change, report.Cell{Text: locale.T(mean)})
			row.Summary = true
			for _, m := range b.metrics {
				row.Cells = append(row.Cells, t.MeanCell(ratios[m], len(e.Strata), true, "effects.mean"))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	b.unshown(t, rows)
	return nil
}

// row returns the first cells of a row: the labels of within, the change, and the levels of the other factors.
func (b *trials) row(change, held report.Cell) report.Row {
	var row report.Row
	for _, name := range b.within {
		row.Cells = append(row.Cells, builder.LabelCell(b.d, b.part.Runs, name, false))
	}
	row.Cells = append(row.Cells, change)
	if len(b.factors) > 1 {
		row.Cells = append(row.Cells, held)
	}
	return row
}

// change describes the change of a factor from one level to another.
func (x *experiment) change(c stats.Change) locale.Text {
	name := x.factors[c.Factor]
	return locale.T("effects.from-to", locale.LabelName(name), x.d.Title(name, c.From), x.d.Title(name, c.To))
}

// held lists the levels of the factors that do not change. The cell is empty if there are none.
func (x *experiment) held(levels []string) report.Cell {
	var words []locale.Text
	for i, level := range levels {
		if level != "" {
			words = append(words, locale.T("effects.at", locale.LabelName(x.factors[i]), x.d.Title(x.factors[i], level)))
		}
	}
	return report.Cell{Text: locale.Join(" · ", words...)}
}

// cell returns the cell of a metric for an effect or interaction in a stratum. It shows the ratio, and the figures
// before and after; for an interaction the effects of the first change before and after the second. The cell links to
// the run after the changes, and has the faults of all its runs.
func (b *trials) cell(t *builder.Table, found []stats.Effect, e stats.Effect, s stats.Stratum, metric string, shown map[*result.Result]bool) report.Cell {
	ratio, ok := ratioOf(found, e.Changes, s.Levels)
	if !ok {
		return report.Cell{Missing: true}
	}
	var fs []dataset.Figure
	for _, levels := range corners(e.Changes, s.Levels) {
		fs = append(fs, b.figures[metric][combination(levels)])
	}
	first, last := fs[0], fs[len(fs)-1]
	c := report.Cell{
		Text:    locale.Lit(builder.Percent(ratio-1, 1)),
		Value:   ratio,
		Numeric: true,
		Run:     last.Runs[0].ID,
		Source:  last.Runs[0].At(last.Metric),
		Field:   last.Metric.Field,
	}
	if len(e.Changes) == 1 {
		c.Change = locale.Lit(first.Metric.Digits() + " → " + last.Metric.Digits())
		if cmp := stats.Compare(first.Values, last.Values, b.d.Thresholds().Noise); cmp.Tested() && cmp.Verdict == stats.Same {
			c.Text = locale.Lit("~")
			c.Notes = append(c.Notes, t.Note(result.Info, locale.T("report.same")))
		}
	} else {
		alone := func(from, to dataset.Figure) string { return builder.Percent(to.Metric.Value/from.Metric.Value-1, 1) }
		c.Change = locale.Lit(alone(fs[0], fs[1]) + " → " + alone(fs[2], fs[3]))
	}
	for _, f := range fs {
		r := f.Runs[0]
		c.Excluded = c.Excluded || f.Excluded()
		t.Judged(&c, f.Runs, metric, !shown[r])
		t.Sampled(&c, r, metric)
		shown[r] = true
		if c.Samples == nil || len(f.Values) < len(c.Samples) {
			c.Samples = f.Values
		}
		if len(f.Values) > 1 {
			c.Notes = append(c.Notes, t.Note(result.Info, locale.T("report.repeats", len(f.Values))))
		}
		if f.LeftOut > 0 {
			c.Notes = append(c.Notes, t.Note(result.Warning, locale.T("report.aside", f.LeftOut)))
		}
	}
	slices.Sort(c.Notes)
	c.Notes = slices.Compact(c.Notes)
	return c
}

// ratioOf returns the ratio of a change in a stratum.
func ratioOf(effects []stats.Effect, changes []stats.Change, levels []string) (float64, bool) {
	for _, e := range effects {
		if !slices.Equal(e.Changes, changes) {
			continue
		}
		for _, s := range e.Strata {
			if slices.Equal(s.Levels, levels) {
				return s.Ratio, true
			}
		}
	}
	return 0, false
}

// corners returns the combinations that changes pass through in a stratum. One change has two: from and to. Two changes
// have four: before both, after the first, after the second, and after both.
func corners(changes []stats.Change, levels []string) [][]string {
	start := slices.Clone(levels)
	for _, c := range changes {
		start[c.Factor] = c.From
	}
	out := [][]string{start}
	for _, c := range changes {
		for _, at := range out {
			moved := slices.Clone(at)
			moved[c.Factor] = c.To
			out = append(out, moved)
		}
	}
	return out
}

// unshown notes the changes of one factor that no two runs of the group show without another change.
func (b *trials) unshown(t *builder.Table, rows []stats.Effect) {
	for f, levels := range b.levels {
		for _, to := range levels[1:] {
			c := stats.Change{Factor: f, From: levels[0], To: to}
			if slices.ContainsFunc(rows, func(e stats.Effect) bool { return slices.Equal(e.Changes, []stats.Change{c}) }) {
				continue
			}
			text := locale.T("effects.none", b.change(c))
			var within []locale.Text
			for i, name := range b.within {
				within = append(within, b.d.Title(name, b.part.Values[i]))
			}
			if len(within) > 0 {
				text = locale.T("differ.within", locale.Join(" · ", within...), text)
			}
			t.Note(result.Info, text)
		}
	}
}
