package finding

import (
	"math"
	"slices"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/stats"
)

// growth is the change of a metric of a variant from one load to another.
type growth struct {
	variant  int
	low, top dataset.Figure
	ratio    float64
}

func (c *conclusions) growths(low, high, metric string) []growth {
	var out []growth
	before, _ := c.Readings(low, metric)
	after, _ := c.Readings(high, metric)
	for _, b := range before {
		for _, a := range after {
			if a.Variant == b.Variant && b.Metric.Value > 0 && a.Metric.Value > 0 {
				out = append(out, growth{a.Variant, b.Figure, a.Figure, a.Metric.Value / b.Metric.Value})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b growth) int {
		if a.ratio != b.ratio {
			return map[bool]int{true: -1, false: 1}[a.ratio > b.ratio]
		}
		return 0
	})
	return out
}

// gain reports how much several streams increase the throughput of one.
func (c *conclusions) gain(low, high string) {
	gs := c.growths(low, high, "output_throughput")
	if len(gs) < 2 {
		return
	}
	most, least := gs[0], gs[len(gs)-1]
	if builder.Ratio(most.ratio) == builder.Ratio(least.ratio) {
		return
	}
	key := "finding.gain"
	switch {
	case most.ratio <= 1 || c.alike(most.low, most.top):
		key = "finding.gain-none"
	case least.ratio < 1 && !c.alike(least.low, least.top):
		key = "finding.gain-loss"
	}
	c.claim(others, "gain", math.Log(most.ratio/least.ratio)/2, locale.T(key, c.LoadName(low), c.LoadName(high),
		c.Name(most.variant), builder.Ratio(most.ratio), c.Name(least.variant), builder.Ratio(least.ratio)), most.low, most.top, least.low, least.top)
}

// collapse reports the variant whose time to first token grows far more than that of the others when the load rises.
func (c *conclusions) collapse(low, high string) {
	gs := c.growths(low, high, "ttft_mean")
	if len(gs) < 3 {
		return
	}
	worst, rest := gs[0], gs[1:]
	typical := stats.Summarize(ratios(rest)).Median
	fs := []dataset.Figure{worst.low, worst.top}
	if worst.ratio > c.Selection.Thresholds().Outlier*max(typical, 1) {
		c.claim(others, "collapse", math.Log(worst.ratio/typical), locale.T("finding.collapse", c.Name(worst.variant), c.LoadName(low), c.LoadName(high),
			metricName("ttft_mean"), worst.low.Text(), worst.top.Text(), writeTimes(worst.ratio), writeSpan(rest[len(rest)-1].ratio, rest[0].ratio)), fs...)
		return
	}
	if rest[len(rest)-1].ratio < 1 {
		return // for some variants it falls
	}
	for _, g := range rest {
		fs = append(fs, g.low, g.top)
	}
	c.claim(others, "collapse", 0.2, locale.T("finding.wait", c.LoadName(low), c.LoadName(high), metricName("ttft_mean"),
		writeSpan(rest[len(rest)-1].ratio, worst.ratio), c.Name(worst.variant)), fs...)
}

func ratios(gs []growth) []float64 {
	var out []float64
	for _, g := range gs {
		out = append(out, g.ratio)
	}
	return out
}

// effects reports, for each setting in which runs differ, the effect of a change of level while everything else is
// held. Settings that follow from the level, such as the version of an engine, are not held.
func (c *conclusions) effects(settings, metrics []string) {
	for _, setting := range settings {
		held := []string{c.Rows}
		for _, other := range append([]string{c.Load}, settings...) {
			if other != "" && other != setting && other != c.Rows && !(audit.Explains(setting, other) && c.nested(other, setting)) {
				held = append(held, other)
			}
		}
		levels := c.Selection.Values(c.Runs, setting)
		if len(levels) < 2 {
			continue
		}
		for _, g := range c.Selection.Groups(dataset.Having(c.Runs, setting), held) {
			for _, to := range levels[1:] {
				c.effect(g, held, setting, levels[0], to, metrics)
			}
		}
	}
}

// nested reports whether each value of a label occurs with only one value of another.
func (c *conclusions) nested(label, in string) bool {
	for _, v := range c.Selection.Values(c.Runs, label) {
		if len(c.Selection.Values(dataset.WithLabel(c.Runs, label, v), in)) > 1 {
			return false
		}
	}
	return true
}

// effect reports the effect of one change of a setting in one stratum. If the runs also differ in other settings, these
// may be the cause: the claim is withheld.
func (c *conclusions) effect(g dataset.Group, held []string, setting, from, to string, metrics []string) {
	a, b := dataset.WithLabel(g.Runs, setting, from), dataset.WithLabel(g.Runs, setting, to)
	if len(a) == 0 || len(b) == 0 || dataset.Repeats(a, "") != nil || dataset.Repeats(b, "") != nil {
		return
	}
	c.reported[setting] = true
	var parts []locale.Text
	var fs []dataset.Figure
	effect := 0.0
	for _, name := range metrics {
		x, okX := dataset.FigureOf(a, name)
		y, okY := dataset.FigureOf(b, name)
		if !okX || !okY || x.Metric.Value <= 0 || y.Metric.Value <= 0 || c.alike(x, y) {
			continue
		}
		change := y.Metric.Value/x.Metric.Value - 1
		effect = math.Max(effect, math.Abs(math.Log(1+change)))
		before, after := dataset.Beside(x.Metric, y.Metric)
		parts = append(parts, locale.T("finding.change", metricName(name), before, after, builder.Percent(change, 1)))
		fs = append(fs, x, y)
	}
	if len(parts) == 0 {
		return
	}
	var stratum []locale.Text
	for i, label := range held {
		if g.Values[i] != "" && len(c.Selection.Values(c.Runs, label)) > 1 {
			title := c.Selection.Title(label, g.Values[i])
			if label != c.Load && label != c.Rows {
				title = locale.T("finding.held", locale.Inside(locale.LabelName(label)), title)
			}
			stratum = append(stratum, title)
		}
	}
	text := locale.T("finding.effect", locale.LabelName(setting), c.Selection.Title(setting, from), c.Selection.Title(setting, to), locale.List(parts...))
	if len(stratum) > 0 {
		text = locale.T("finding.within", locale.Join(" · ", stratum...), text)
	}
	if mixed := audit.Differences(slices.Concat(a, b), append(held, setting)); len(mixed) > 0 && builder.Broken(fs).IsZero() {
		var why []locale.Text
		for _, diff := range mixed {
			why = append(why, builder.Difference(c.Selection, diff, []string{setting}))
		}
		runs, n := dataset.IDs(fs...)
		c.withheld = append(c.withheld, report.Finding{Rule: "effect", Text: text, Reason: locale.Sentences(why...), Runs: runs, N: n, Effect: effect})
		return
	}
	c.claim(others, "effect", effect, text, fs...)
}
