package report

import (
	"math"
	"slices"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/stats"
)

// growth is how a metric of a variant changes from one load to another.
type growth struct {
	variant  int
	low, top figure
	ratio    float64
}

func (c *conclusions) growths(low, high, metric string) []growth {
	var out []growth
	before, _ := c.readings(low, metric)
	after, _ := c.readings(high, metric)
	for _, b := range before {
		for _, a := range after {
			if a.variant == b.variant && b.metric.Value > 0 && a.metric.Value > 0 {
				out = append(out, growth{a.variant, b.figure, a.figure, a.metric.Value / b.metric.Value})
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

// gain tells what several streams bring over one.
func (c *conclusions) gain(low, high string) {
	gs := c.growths(low, high, "output_throughput")
	if len(gs) < 2 {
		return
	}
	most, least := gs[0], gs[len(gs)-1]
	if writeRatio(most.ratio) == writeRatio(least.ratio) {
		return
	}
	key := "finding.gain"
	switch {
	case most.ratio <= 1 || c.d.alike(most.low, most.top):
		key = "finding.gain-none"
	case least.ratio < 1 && !c.d.alike(least.low, least.top):
		key = "finding.gain-loss"
	}
	c.claim(others, "gain", math.Log(most.ratio/least.ratio)/2, locale.T(key, c.loadName(low), c.loadName(high),
		c.name(most.variant), writeRatio(most.ratio), c.name(least.variant), writeRatio(least.ratio)), most.low, most.top, least.low, least.top)
}

// collapse tells whose first token is held up far more than that of the others
// when the load rises.
func (c *conclusions) collapse(low, high string) {
	gs := c.growths(low, high, "ttft_mean")
	if len(gs) < 3 {
		return
	}
	worst, rest := gs[0], gs[1:]
	typical := stats.Summarize(ratios(rest)).Median
	fs := []figure{worst.low, worst.top}
	if worst.ratio > c.d.rules().Outlier*max(typical, 1) {
		c.claim(others, "collapse", math.Log(worst.ratio/typical), locale.T("finding.collapse", c.name(worst.variant), c.loadName(low), c.loadName(high),
			metricName("ttft_mean"), worst.low.said(), worst.top.said(), writeTimes(worst.ratio), writeSpan(rest[len(rest)-1].ratio, rest[0].ratio)), fs...)
		return
	}
	if rest[len(rest)-1].ratio < 1 {
		return // with some it falls
	}
	for _, g := range rest {
		fs = append(fs, g.low, g.top)
	}
	c.claim(others, "collapse", 0.2, locale.T("finding.wait", c.loadName(low), c.loadName(high), metricName("ttft_mean"),
		writeSpan(rest[len(rest)-1].ratio, worst.ratio), c.name(worst.variant)), fs...)
}

func ratios(gs []growth) []float64 {
	var out []float64
	for _, g := range gs {
		out = append(out, g.ratio)
	}
	return out
}

// effects tells, for each setting in which runs differ, what going from one
// level to the next does when everything else is held. What belongs to one
// level each, as a version to its engine, is part of it.
func (c *conclusions) effects(settings, metrics []string) {
	for _, setting := range settings {
		held := []string{c.rows}
		for _, other := range append([]string{c.load}, settings...) {
			if other != "" && other != setting && other != c.rows && !(audit.Explains(setting, other) && c.nested(other, setting)) {
				held = append(held, other)
			}
		}
		levels := c.d.values(c.runs, setting)
		if len(levels) < 2 {
			continue
		}
		for _, g := range c.d.groups(having(c.runs, setting), held) {
			for _, to := range levels[1:] {
				c.effect(g, held, setting, levels[0], to, metrics)
			}
		}
	}
}

// nested tells whether no value of a label occurs with two values of another.
func (c *conclusions) nested(label, in string) bool {
	for _, v := range c.d.values(c.runs, label) {
		if len(c.d.values(withLabel(c.runs, label, v), in)) > 1 {
			return false
		}
	}
	return true
}

// effect tells what one change of a setting does in one stratum. What else the
// runs differ in could have done it as well: then it is not claimed.
func (c *conclusions) effect(g group, held []string, setting, from, to string, metrics []string) {
	a, b := withLabel(g.runs, setting, from), withLabel(g.runs, setting, to)
	if len(a) == 0 || len(b) == 0 || repeats(a, "") != nil || repeats(b, "") != nil {
		return
	}
	c.told[setting] = true
	var parts []locale.Text
	var fs []figure
	effect := 0.0
	for _, name := range metrics {
		x, okX := figureOf(a, name)
		y, okY := figureOf(b, name)
		if !okX || !okY || x.metric.Value <= 0 || y.metric.Value <= 0 || c.d.alike(x, y) {
			continue
		}
		change := y.metric.Value/x.metric.Value - 1
		effect = math.Max(effect, math.Abs(math.Log(1+change)))
		parts = append(parts, locale.T("finding.change", metricName(name), x.metric.Digits(), y.said(), writePercent(change, 1)))
		fs = append(fs, x, y)
	}
	if len(parts) == 0 {
		return
	}
	var stratum []locale.Text
	for i, label := range held {
		if g.values[i] != "" && len(c.d.values(c.runs, label)) > 1 {
			title := c.d.title(label, g.values[i])
			if label != c.load && label != c.rows {
				title = locale.T("finding.held", locale.Inside(locale.LabelName(label)), title)
			}
			stratum = append(stratum, title)
		}
	}
	text := locale.T("finding.effect", locale.LabelName(setting), c.d.title(setting, from), c.d.title(setting, to), locale.List(parts...))
	if len(stratum) > 0 {
		text = locale.T("finding.within", locale.Join(" · ", stratum...), text)
	}
	if mixed := audit.Differences(slices.Concat(a, b), append(held, setting)); len(mixed) > 0 && broken(fs).IsZero() {
		var why []locale.Text
		for _, diff := range mixed {
			why = append(why, c.d.difference(diff, []string{setting}))
		}
		runs, n := ids(fs...)
		c.withheld = append(c.withheld, Finding{Rule: "effect", Text: text, Reason: locale.Sentences(why...), Runs: runs, N: n, Effect: effect})
		return
	}
	c.claim(others, "effect", effect, text, fs...)
}
