package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
)

type effectsSpec struct {
	Where   string
	Factors []string       // labels of the settings
	Metrics []string       // what they act on; those of usualEffects that the runs have when empty
	Within  []string       // labels whose values are reported apart; of load and scenario those with several values when absent
	From    map[string]any // factor → the level the others are compared with; the first in the site's order when absent
	Caption string
	Notes   []string
	Accept  []string // settings in which the runs may differ
}

// usualEffects are the metrics that settings are judged by.
var usualEffects = []string{"output_throughput", "ttft_mean", "tpot_mean"}

// effects shows what settings do: for each change of one setting the change of
// every metric in each stratum of the others, the mean over the strata, and
// how far two settings act on one another.
func (d *Data) effects(s effectsSpec) (*Table, error) {
	rs, err := d.selectSome(s.Where)
	if err != nil {
		return nil, err
	}
	x, err := d.experiment(rs, s)
	if err != nil {
		return nil, err
	}
	t := &Table{Kind: "effects", Caption: locale.Lit(s.Caption)}
	for _, name := range x.within {
		t.Columns = append(t.Columns, d.header(x.runs, column{name: name, label: true}, "", nil))
	}
	t.Columns = append(t.Columns, Column{Title: locale.T("effects.change")})
	if len(x.factors) > 1 {
		t.Columns = append(t.Columns, Column{Title: locale.T("effects.others")})
	}
	for _, name := range x.metrics {
		t.Columns = append(t.Columns, d.header(x.runs, column{name: name}, "", nil))
	}
	for _, g := range d.groups(x.runs, x.within) {
		b, err := x.layOut(g)
		if err != nil {
			return nil, err
		}
		if err := b.fill(t); err != nil {
			return nil, err
		}
	}
	if len(t.Rows) == 0 {
		return nil, about("factors", lack("settings that change together show no effect of either: measure one more combination, or select with where runs that differ in one of them",
			"no two of the selected runs differ in one of %s alone", strings.Join(x.factors, ", ")))
	}
	t.compared = comparison{x.runs, slices.Concat(x.factors, x.within), s.Accept}
	for _, n := range s.Notes {
		t.note(result.Info, locale.Lit(n))
	}
	return t, nil
}

// experiment is runs laid out by the levels of factors.
type experiment struct {
	d       *Data
	runs    []*result.Result
	factors []string
	levels  [][]string // by factor; first the one the others are compared with
	metrics []string
	within  []string
}

// experiment takes the runs that tell every factor. It is a problem when a
// factor has one level only.
func (d *Data) experiment(rs []*result.Result, s effectsSpec) (*experiment, error) {
	x := &experiment{d: d, runs: rs, factors: s.Factors, metrics: s.Metrics, within: s.Within}
	if len(s.Factors) == 0 {
		return nil, problem(`as factors = ["power_mode", "clocks"]`, "factors is missing")
	}
	for i, name := range s.Factors {
		if _, label := known(rs, name); !label {
			return nil, about("factors", unknownName(rs, name))
		}
		if slices.Contains(s.Factors[:i], name) {
			return nil, about("factors", problem("name each once", "factors names %q twice", name))
		}
		x.runs = having(x.runs, name)
	}
	for _, name := range s.Factors {
		levels := d.values(x.runs, name)
		if len(levels) < 2 {
			return nil, about("factors", lack("an effect takes two: select more with where, or leave it out of factors",
				"%q has one level among the selected runs: %s", name, shorten(levels, 1)))
		}
		x.levels = append(x.levels, levels)
	}
	if err := x.startFrom(s.From); err != nil {
		return nil, about("from", err)
	}
	if s.Within == nil {
		for _, name := range []string{"load", "scenario"} {
			if len(d.values(x.runs, name)) > 1 && !slices.Contains(s.Factors, name) {
				x.within = append(x.within, name)
			}
		}
	}
	for _, name := range x.within {
		if _, label := known(rs, name); !label {
			return nil, about("within", unknownName(rs, name))
		}
		if slices.Contains(s.Factors, name) {
			return nil, about("within", problem("a factor is compared, not reported apart", "%q is among factors and within", name))
		}
	}
	if len(s.Metrics) == 0 {
		x.metrics = slices.DeleteFunc(slices.Clone(usualEffects), func(m string) bool { return !anyHas(x.runs, m) })
		if len(x.metrics) == 0 {
			return nil, problem(`as metrics = ["decode_throughput"]`, "metrics is missing, and the runs have none of %s", strings.Join(usualEffects, ", "))
		}
	}
	for _, name := range x.metrics {
		if metric, _ := known(rs, name); !metric {
			return nil, about("metrics", unknownName(rs, name))
		}
	}
	return x, nil
}

// startFrom puts the levels that the author wants the others compared with
// before them.
func (x *experiment) startFrom(from map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(from)) {
		f := slices.Index(x.factors, name)
		if f < 0 {
			return problem("factors: "+strings.Join(x.factors, ", "), "from names %q, which is no factor", name)
		}
		level := fmt.Sprint(from[name])
		i := slices.Index(x.levels[f], level)
		if i < 0 {
			return lack("values of "+name+": "+shorten(x.levels[f], 12), "from = %q is no level of %s", level, name)
		}
		x.levels[f] = slices.Insert(slices.Delete(x.levels[f], i, i+1), 0, level)
	}
	return nil
}

// trials are the runs of an experiment that are reported together.
type trials struct {
	*experiment
	part         group                          // its values are those of the labels reported apart
	combinations []stats.Observation            // that were measured; the value says nothing
	figures      map[string]map[string]figure   // metric → combination of levels → figure
	observations map[string][]stats.Observation // metric → the same as numbers
}

// layOut gathers the figures of a group. The runs of a combination have to be
// repeats of one another. Nothing can be said in ratios of a figure that is not
// above zero, which counts as not measured.
func (x *experiment) layOut(within group) (*trials, error) {
	b := &trials{experiment: x, part: within, figures: map[string]map[string]figure{}, observations: map[string][]stats.Observation{}}
	for _, g := range x.d.groups(within.runs, x.factors) {
		if err := repeats(g.runs, place(slices.Concat(x.within, x.factors), slices.Concat(within.values, g.values))); err != nil {
			return nil, err
		}
		b.combinations = append(b.combinations, stats.Observation{Levels: g.values, Value: 1})
		for _, m := range x.metrics {
			f, ok := figureOf(g.runs, m)
			if !ok || f.metric.Value <= 0 {
				continue
			}
			if b.figures[m] == nil {
				b.figures[m] = map[string]figure{}
			}
			b.figures[m][combination(g.values)] = f
			b.observations[m] = append(b.observations[m], stats.Observation{Levels: g.values, Value: f.metric.Value})
		}
	}
	return b, nil
}

func combination(levels []string) string { return strings.Join(levels, "\x00") }

// analyse gives the effects and the interactions of observations.
func (x *experiment) analyse(observations []stats.Observation) ([]stats.Effect, error) {
	design, err := stats.NewDesign(x.levels, observations)
	if err != nil {
		return nil, err
	}
	return append(design.Effects(), design.Interactions()...), nil
}

// fill adds the rows of a group to a table: of each effect, then of each
// interaction, the strata and their mean.
func (b *trials) fill(t *Table) error {
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
		change := Cell{Text: b.change(e.Changes[0])}
		if len(e.Changes) == 2 {
			change.Text = locale.T("effects.interaction", b.change(e.Changes[0]), b.change(e.Changes[1]))
			change.Notes = append(change.Notes, t.note(result.Info, locale.T("effects.interaction.note")))
		}
		if e.Incomplete > 0 {
			change.Notes = append(change.Notes, t.note(result.Info, locale.T("effects.incomplete", e.Incomplete)))
		}
		ratios := map[string][]float64{}
		for _, s := range e.Strata {
			row := b.row(change, b.held(s.Levels))
			shown := map[*result.Result]bool{}
			for _, m := range b.metrics {
				cell := b.cell(t, found[m], e, s, m, shown)
				if cell.contests() {
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
			row := b.row(change, Cell{Text: locale.T(mean)})
			row.Summary = true
			for _, m := range b.metrics {
				row.Cells = append(row.Cells, t.meanCell(ratios[m], len(e.Strata), true, "effects.mean"))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	b.unshown(t, rows)
	return nil
}

// row begins a row: what is reported apart, the change, and at which levels
// the other factors are held.
func (b *trials) row(change, held Cell) Row {
	var row Row
	for _, name := range b.within {
		row.Cells = append(row.Cells, b.d.labelCell(b.part.runs, name, false))
	}
	row.Cells = append(row.Cells, change)
	if len(b.factors) > 1 {
		row.Cells = append(row.Cells, held)
	}
	return row
}

// change words a factor going from one level to another.
func (x *experiment) change(c stats.Change) locale.Text {
	name := x.factors[c.Factor]
	return locale.T("effects.from-to", locale.LabelName(name), x.d.title(name, c.From), x.d.title(name, c.To))
}

// held words the levels of the factors that do not change; without any the
// cell is empty.
func (x *experiment) held(levels []string) Cell {
	var words []locale.Text
	for i, level := range levels {
		if level != "" {
			words = append(words, locale.T("effects.at", locale.LabelName(x.factors[i]), x.d.title(x.factors[i], level)))
		}
	}
	return Cell{Text: locale.Join(" · ", words...)}
}

// cell is what an effect or interaction comes to in a stratum for a metric,
// and from which figure to which; of an interaction, how the effect of the
// first change goes with the second. It leads to the run after the changes,
// and bears what stands against any of its runs.
func (b *trials) cell(t *Table, found []stats.Effect, e stats.Effect, s stats.Stratum, metric string, shown map[*result.Result]bool) Cell {
	ratio, ok := ratioOf(found, e.Changes, s.Levels)
	if !ok {
		return Cell{Missing: true}
	}
	var fs []figure
	for _, levels := range corners(e.Changes, s.Levels) {
		fs = append(fs, b.figures[metric][combination(levels)])
	}
	first, last := fs[0], fs[len(fs)-1]
	c := Cell{
		Text:    locale.Lit(writePercent(ratio-1, 1)),
		Value:   ratio,
		Numeric: true,
		Run:     last.runs[0].ID,
		Source:  last.runs[0].At(last.metric),
		Field:   last.metric.Field,
	}
	if len(e.Changes) == 1 {
		c.Change = locale.Lit(first.metric.Digits() + " → " + last.metric.Digits())
		if cmp := stats.Compare(first.values, last.values, b.d.rules().Noise); cmp.Tested() && cmp.Verdict == stats.Same {
			c.Text = locale.Lit("~")
			c.Notes = append(c.Notes, t.note(result.Info, locale.T("report.same")))
		}
	} else {
		alone := func(from, to figure) string { return writePercent(to.metric.Value/from.metric.Value-1, 1) }
		c.Change = locale.Lit(alone(fs[0], fs[1]) + " → " + alone(fs[2], fs[3]))
	}
	for _, f := range fs {
		r := f.runs[0]
		c.Excluded = c.Excluded || f.excluded()
		t.judged(&c, f.runs, metric, !shown[r])
		t.sampled(&c, r, metric)
		shown[r] = true
		if c.samples == nil || len(f.values) < len(c.samples) {
			c.samples = f.values
		}
		if len(f.values) > 1 {
			c.Notes = append(c.Notes, t.note(result.Info, locale.T("report.repeats", len(f.values))))
		}
		if f.aside > 0 {
			c.Notes = append(c.Notes, t.note(result.Warning, locale.T("report.aside", f.aside)))
		}
	}
	slices.Sort(c.Notes)
	c.Notes = slices.Compact(c.Notes)
	return c
}

// ratioOf finds what effects say of a change in a stratum.
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

// corners gives the combinations that changes lead through in a stratum: from
// and to of one change; of two before both, after the first, after the second,
// and after both.
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

// unshown names the changes of one factor that no two runs of the group show
// alone.
func (b *trials) unshown(t *Table, rows []stats.Effect) {
	for f, levels := range b.levels {
		for _, to := range levels[1:] {
			c := stats.Change{Factor: f, From: levels[0], To: to}
			if slices.ContainsFunc(rows, func(e stats.Effect) bool { return slices.Equal(e.Changes, []stats.Change{c}) }) {
				continue
			}
			said := locale.T("effects.none", b.change(c))
			var within []locale.Text
			for i, name := range b.within {
				within = append(within, b.d.title(name, b.part.values[i]))
			}
			if len(within) > 0 {
				said = locale.T("differ.within", locale.Join(" · ", within...), said)
			}
			t.note(result.Info, said)
		}
	}
}
