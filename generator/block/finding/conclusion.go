package finding

import (
	"math"
	"slices"
	"strconv"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/block/tradeoff"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// excluded reports which runs are excluded, and why. They appear in no other claim.
func (c *conclusions) excluded() {
	for i, g := range c.Variants {
		var struck []*result.Result
		for _, r := range g.Runs {
			if r.Excluded() {
				struck = append(struck, r)
			}
		}
		slices.SortFunc(struck, result.Compare)
		var at []locale.Text
		for _, load := range c.Loads {
			if load != "" && len(dataset.WithLabel(struck, c.Load, load)) > 0 {
				at = append(at, c.LoadName(load))
			}
		}
		if len(struck) == 0 {
			continue
		}
		why := builder.Reasons([]dataset.Figure{{Runs: struck}}, result.Error)
		text := locale.T("finding.aside", c.Name(i), len(struck), why)
		if len(at) > 0 {
			text = locale.T("finding.aside-at", c.Name(i), len(struck), locale.List(at...), why)
		}
		f := report.Finding{Rule: "aside", Text: text}
		for _, r := range struck {
			f.Runs = append(f.Runs, r.ID)
		}
		c.claims = append(c.claims, claim{f, warned, float64(len(struck))})
	}
}

// compareVariants makes the claims that compare the variants.
func (c *conclusions) compareVariants() {
	for _, load := range c.Loads {
		sound, excluded := c.Readings(load, c.Decides(load))
		sound = dataset.Ranked(sound)
		c.leader(headed, load, sound, dataset.Ranked(excluded))
		c.baseline(load, sound)
		c.indistinct(load, sound)
		c.consumption(load)
		if c.Alone(load) {
			c.bandwidth(load)
		}
	}
	c.scores()
	c.outdoneEverywhere()
	if len(c.Loads) == 2 {
		low, high := c.Loads[0], c.Loads[1]
		if c.Alone(high) {
			low, high = high, low
		}
		if c.Alone(low) && !c.Alone(high) {
			c.gain(low, high)
			c.collapse(low, high)
		}
	}
}

// leader reports the best of the sound variants, and its lead. If an excluded variant reads better, the claim that it
// leads is withheld.
func (c *conclusions) leader(tier int, load string, sound, excluded []dataset.Reading) {
	if len(excluded) > 0 && len(sound) > 0 && dataset.Better(excluded[0].Metric.Better, excluded[0].Metric.Value, sound[0].Metric.Value) {
		a, b := excluded[0], sound[0]
		if i := slices.IndexFunc(sound, func(r dataset.Reading) bool { return r.Variant == c.Base }); i >= 0 {
			b = sound[i]
		}
		c.claim(others, "leader", logRatio(a.Figure, b.Figure), c.within(load, locale.T("finding.leads",
			c.Name(a.Variant), metricName(a.Metric.Name), a.Text(), c.versus(a, b))), a.Figure, b.Figure)
	}
	if len(sound) < 2 {
		return
	}
	top := 1
	for top < len(sound) && c.alike(sound[0].Figure, sound[top].Figure) {
		top++
	}
	if slices.ContainsFunc(sound[top:], func(r dataset.Reading) bool { return c.alike(sound[0].Figure, r.Figure) }) {
		return // the repeats of one variant vary so widely that there is no order
	}
	if top == len(sound) {
		return // indistinct reports this
	}
	best, next := sound[0], sound[top]
	if top > 1 {
		text := locale.T("finding.lead-together", c.listed(sound[:top]), metricName(best.Metric.Name), spanOf(sound[:top]), c.versus(best, next))
		if !c.level(sound[:top]) || slices.ContainsFunc(sound[1:top], func(r dataset.Reading) bool { return c.alike(r.Figure, next.Figure) }) {
			text = locale.T("finding.lead-level", c.Name(best.Variant), metricName(best.Metric.Name), c.listed(sound[1:top]), spanOf(sound[:top]), c.versus(best, next))
		}
		c.claim(tier, "leader", logRatio(best.Figure, next.Figure), c.within(load, text), figures(sound[:top+1])...)
		return
	}
	c.claim(tier, "leader", logRatio(best.Figure, next.Figure), c.within(load, locale.T("finding.leads",
		c.Name(best.Variant), metricName(best.Metric.Name), best.Text(), c.versus(best, next))), best.Figure, next.Figure)
}

// level reports whether no two of ranked readings can be told apart. For single runs it compares only the first and the
// last.
func (c *conclusions) level(rs []dataset.Reading) bool {
	single := !slices.ContainsFunc(rs, func(r dataset.Reading) bool { return len(r.Values) > 1 })
	for i := range rs {
		for j := i + 1; j < len(rs); j++ {
			if !(single && (i > 0 || j < len(rs)-1)) && !c.alike(rs[i].Figure, rs[j].Figure) {
				return false
			}
		}
	}
	return true
}

// baseline reports how the sound variants compare with the baseline.
func (c *conclusions) baseline(load string, sound []dataset.Reading) {
	i := slices.IndexFunc(sound, func(r dataset.Reading) bool { return r.Variant == c.Base })
	if i < 0 || len(sound) < 3 || slices.ContainsFunc(sound, func(r dataset.Reading) bool { return r.Metric.Value <= 0 }) {
		return
	}
	base := sound[i]
	speed := func(r dataset.Reading) float64 { return math.Exp(logRatio(r.Figure, base.Figure)) }
	words := [...]string{"finding.better", "finding.worse", "finding.all-better", "finding.all-worse", "finding.both-better", "finding.both-worse", "finding.one-better", "finding.one-worse"}
	if isSpeed(base.Metric.Unit) {
		words = [...]string{"finding.faster", "finding.slower", "finding.all-faster", "finding.all-slower", "finding.both-faster", "finding.both-slower", "finding.one-faster", "finding.one-slower"}
	}
	all := func(key int, of int, r dataset.Reading) locale.Text {
		if of == 2 {
			return locale.T(words[key+2], builder.Ratio(speed(r)), c.Name(r.Variant))
		}
		return locale.T(words[key], of, builder.Ratio(speed(r)), c.Name(r.Variant))
	}
	some := func(key int, of int, r dataset.Reading) locale.Text {
		if of == 1 {
			key += 6
		}
		return locale.T(words[key], of, builder.Ratio(speed(r)), c.Name(r.Variant))
	}
	var faster, level, slower []dataset.Reading
	for _, r := range sound {
		switch {
		case r.Variant == c.Base:
		case c.alike(base.Figure, r.Figure):
			level = append(level, r)
		case dataset.Better(r.Metric.Better, r.Metric.Value, base.Metric.Value):
			faster = append(faster, r)
		default:
			slower = append(slower, r)
		}
	}
	var parts []locale.Text
	effect := 0.0
	switch of := len(sound) - 1; {
	case len(faster) == of && of > 1:
		c.against(load, base, math.Log(speed(faster[0])), all(2, of, faster[0]), sound)
		return
	case len(slower) == of && of > 1:
		last := slower[of-1]
		c.against(load, base, -math.Log(speed(last)), all(3, of, last), sound)
		return
	}
	if len(faster) > 0 {
		parts = append(parts, some(0, len(faster), faster[0]))
		effect = math.Log(speed(faster[0]))
	}
	if len(level) > 0 {
		text := locale.T("finding.level", len(level), builder.Plain(c.Selection.Thresholds().Noise))
		if slices.ContainsFunc(level, func(r dataset.Reading) bool {
			return math.Abs(logRatio(r.Figure, base.Figure)) >= math.Log(1+c.Selection.Thresholds().Noise)
		}) {
			text = locale.T("finding.undecided", len(level))
		}
		parts = append(parts, text)
	}
	if n := len(slower); n > 0 {
		last := slower[n-1]
		parts = append(parts, some(1, n, last))
		effect = math.Max(effect, -math.Log(speed(last)))
	}
	c.against(load, base, effect, locale.T("finding.of", len(sound)-1, builder.Clauses(parts...)), sound)
}

// isSpeed reports whether a better value in a unit means faster.
func isSpeed(unit string) bool {
	return slices.Contains([]string{"ms", "s", "tok/s", "req/s", "tok/s/user"}, unit)
}

// against claims how variants compare with the baseline.
func (c *conclusions) against(load string, base dataset.Reading, effect float64, how locale.Text, sound []dataset.Reading) {
	c.claim(others, "baseline", effect, c.within(load, locale.T("finding.baseline", c.Name(c.Base), base.Text(), metricName(base.Metric.Name), how)), figures(sound)...)
}

// consumption reports the variants that need the least energy and money per token at a load.
func (c *conclusions) consumption(load string) {
	for _, metric := range []string{"energy_per_output_token", "cost_per_million_output_tokens"} {
		if metric == c.Decides(load) || dataset.OneUnit(dataset.WithLabel(c.Runs, c.Load, load), metric) != nil {
			continue
		}
		sound, excluded := c.Readings(load, metric)
		c.leader(others, load, dataset.Ranked(sound), dataset.Ranked(excluded))
	}
}

// scores reports for each task the variant with the best answers, and those that cannot be told apart from it.
func (c *conclusions) scores() {
	for _, task := range tradeoff.Tasks(c.Selection) {
		var of []dataset.Reading
		for i := range c.Variants {
			if f, ok := tradeoff.Quality(c.Field, i, task); ok && f.Holds() {
				of = append(of, dataset.Reading{Figure: f, Variant: i})
			}
		}
		if of = dataset.Ranked(of); len(of) < 2 {
			continue
		}
		level := 1
		for level < len(of) && !dataset.ScoresHigher(of[0].Figure, of[level].Figure, c.Selection.Thresholds().Noise) {
			level++
		}
		name := metricName("quality")
		if task != "" {
			name = c.Selection.Title("task", task)
		}
		switch {
		case level == len(of):
			c.claim(others, "score", 0.3, locale.T("finding.score-level", name, c.listed(of), spanOf(of)), figures(of)...)
		case level > 1:
			c.claim(others, "score", 0.5, locale.T("finding.score-together", name, c.listed(of[:level]), spanOf(of[:level]), c.Name(of[level].Variant), of[level].Text()), figures(of[:level+1])...)
		default:
			c.claim(others, "score", 0.5, locale.T("finding.score", name, c.Name(of[0].Variant), of[0].Text(), c.Name(of[1].Variant), of[1].Text()), figures(of[:2])...)
		}
	}
}

// indistinct reports groups of variants that cannot be told apart.
func (c *conclusions) indistinct(load string, sound []dataset.Reading) {
	for i := 0; i < len(sound); {
		n := i + 1
		for n < len(sound) && c.level(sound[i:n+1]) {
			n++
		}
		if n-i > 1 && (i > 0 || n == len(sound)) { // leader reports those at the top
			_, least := dataset.IDs(figures(sound[i:n])...)
			c.claim(others, "indistinct", 0.1, c.within(load, locale.T("finding.indistinct",
				c.listed(sound[i:n]), metricName(sound[i].Metric.Name), spanOf(sound[i:n]), strconv.Itoa(least))), figures(sound[i:n])...)
		}
		i = n
	}
}

// bandwidth reports how size affects a single stream: near the memory limit, TPOT follows the size of the weights.
func (c *conclusions) bandwidth(load string) {
	sound, _ := c.Readings(load, "mbu")
	var near, far []dataset.Reading
	for _, r := range sound {
		if r.Metric.Value >= 100*c.Selection.Thresholds().Limit {
			near = append(near, r)
		} else {
			far = append(far, r)
		}
	}
	if len(near) < 3 || !oneBandwidth(near) {
		return
	}
	values := make([]float64, len(near))
	for i, r := range near {
		values[i] = r.Metric.Value / 100
	}
	text := locale.T("finding.bandwidth", len(near), len(sound), builder.Shares(slices.Min(values), slices.Max(values)))
	if large, small, ok := c.extremes(near); ok {
		a, okA := dataset.FigureOf(c.At(c.Variants[large], load), "tpot_mean")
		b, okB := dataset.FigureOf(c.At(c.Variants[small], load), "tpot_mean")
		if okA && okB && a.Metric.Value > b.Metric.Value {
			text = locale.Sentences(text, locale.T("finding.size", c.sizeOf(large), c.sizeOf(small), c.Name(large), c.Name(small), a.Text(), b.Text()))
		}
	}
	if n := len(far); n > 0 {
		far = dataset.Ranked(far)
		text = locale.Sentences(text, locale.T("finding.far", c.listed(far), builder.Shares(far[n-1].Metric.Value/100, far[0].Metric.Value/100), n))
	}
	c.claim(others, "bandwidth", 0.9, c.within(load, text), figures(sound)...)
}

// oneBandwidth reports whether the runs of readings have the same memory bandwidth.
func oneBandwidth(rs []dataset.Reading) bool {
	of := func(r *result.Result) string {
		return r.Label("memory_bandwidth") + " " + r.Label("accelerators") + " " + r.Label("parallelism")
	}
	return !slices.ContainsFunc(rs, func(r dataset.Reading) bool { return of(r.Runs[0]) != of(rs[0].Runs[0]) })
}

// extremes returns the largest and the smallest variant among readings.
func (c *conclusions) extremes(rs []dataset.Reading) (large, small int, ok bool) {
	large, small = -1, -1
	size := func(i int) float64 {
		v, _ := audit.Quantity(c.Variants[i].Runs[0].Label("weight_size"))
		return v
	}
	for _, r := range rs {
		if size(r.Variant) == 0 {
			continue
		}
		if large < 0 || size(r.Variant) > size(large) {
			large = r.Variant
		}
		if small < 0 || size(r.Variant) < size(small) {
			small = r.Variant
		}
	}
	return large, small, large >= 0 && size(large) > size(small)
}

func (c *conclusions) sizeOf(i int) locale.Text {
	return c.Selection.Title("weight_size", c.Variants[i].Runs[0].Label("weight_size"))
}

// ofWeights lists the labels whose values are variants of weights. For other labels, such as machines or versions, the
// size is not compared.
var ofWeights = []string{"model", "base_model", "quantization", "weight_size", "params"}

// outdoneEverywhere reports variants of weights that a smaller variant of the same model beats at every load. It does
// not compare different models, since a smaller model is expected to be faster.
func (c *conclusions) outdoneEverywhere() {
	if !slices.Contains(ofWeights, c.Rows) || len(c.Selection.Values(c.Runs, "weight_size")) < 2 {
		return
	}
	p := &tradeoff.Portfolio{Field: c.Field, Size: "weight_size"}
	p.Rivals = func(a, b int) bool { return audit.SameModel(c.Variants[a].Runs[0], c.Variants[b].Runs[0]) }
	p.Weigh()
	var worse, by []int
	var fs []dataset.Figure
	for i := range c.Variants {
		if i == c.Base {
			continue
		}
		all, n := true, 0
		var beaten []int
		for l := range p.Loads {
			switch v := p.Verdicts[l][i]; v.Rule {
			case "":
			case "dominated":
				n++
				beaten = append(beaten, v.By)
			default:
				all = false
			}
		}
		if !all || n == 0 {
			continue
		}
		worse = append(worse, i)
		for _, b := range beaten {
			if !slices.Contains(by, b) {
				by = append(by, b)
			}
		}
		for l := range p.Loads {
			for _, k := range append([]int{i}, beaten...) {
				if v := p.Verdicts[l][k]; v.Runs != nil {
					fs = append(fs, v.Figure)
				}
			}
		}
	}
	if len(worse) > 0 {
		c.claim(others, "dominated", 0.4, locale.T("finding.dominated", p.Names(worse), len(worse), p.Names(by)), fs...)
	}
}
