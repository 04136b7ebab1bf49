package report

import (
	"math"
	"slices"
	"strconv"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// aside tells which runs are set aside, and why: nothing else of them counts.
func (c *conclusions) aside() {
	for i, g := range c.variants {
		var struck []*result.Result
		for _, r := range g.runs {
			if r.Excluded() {
				struck = append(struck, r)
			}
		}
		slices.SortFunc(struck, result.Compare)
		var at []locale.Text
		for _, load := range c.loads {
			if load != "" && len(withLabel(struck, c.load, load)) > 0 {
				at = append(at, c.loadName(load))
			}
		}
		if len(struck) == 0 {
			continue
		}
		why := reasons([]figure{{runs: struck}}, result.Error)
		text := locale.T("finding.aside", c.name(i), len(struck), why)
		if len(at) > 0 {
			text = locale.T("finding.aside-at", c.name(i), len(struck), locale.List(at...), why)
		}
		f := Finding{Rule: "aside", Text: text}
		for _, r := range struck {
			f.Runs = append(f.Runs, r.ID)
		}
		c.claims = append(c.claims, claim{f, warned, float64(len(struck))})
	}
}

// compareVariants compares the variants with one another.
func (c *conclusions) compareVariants() {
	for _, load := range c.loads {
		sound, aside := c.readings(load, c.decides(load))
		sound = ranked(sound)
		c.leader(load, sound, ranked(aside))
		c.baseline(load, sound)
		c.indistinct(load, sound)
		if c.alone(load) {
			c.bandwidth(load)
		}
	}
	c.outdoneEverywhere()
	if len(c.loads) == 2 {
		low, high := c.loads[0], c.loads[1]
		if c.alone(high) {
			low, high = high, low
		}
		if c.alone(low) && !c.alone(high) {
			c.gain(low, high)
			c.collapse(low, high)
		}
	}
}

// leader tells who is the best of the sound variants, and by how much. When a
// variant that is set aside reads better, that claim is withheld.
func (c *conclusions) leader(load string, sound, aside []reading) {
	if len(aside) > 0 && len(sound) > 0 && better(aside[0].metric.Better, aside[0].metric.Value, sound[0].metric.Value) {
		a, b := aside[0], sound[0]
		if i := slices.IndexFunc(sound, func(r reading) bool { return r.variant == c.base }); i >= 0 {
			b = sound[i]
		}
		c.claim(others, "leader", logRatio(a.figure, b.figure), c.within(load, locale.T("finding.leads",
			c.name(a.variant), metricName(a.metric.Name), a.said(), c.versus(a, b))), a.figure, b.figure)
	}
	if len(sound) < 2 {
		return
	}
	top := 1
	for top < len(sound) && c.d.alike(sound[0].figure, sound[top].figure) {
		top++
	}
	if slices.ContainsFunc(sound[top:], func(r reading) bool { return c.d.alike(sound[0].figure, r.figure) }) {
		return // repeats of one scatter so widely that there is no order
	}
	if top == len(sound) {
		return // indistinct says so
	}
	best, next := sound[0], sound[top]
	if top > 1 {
		text := locale.T("finding.lead-together", c.listed(sound[:top]), metricName(best.metric.Name), spanOf(sound[:top]), c.versus(best, next))
		if !c.level(sound[:top]) || slices.ContainsFunc(sound[1:top], func(r reading) bool { return c.d.alike(r.figure, next.figure) }) {
			text = locale.T("finding.lead-level", c.name(best.variant), metricName(best.metric.Name), c.listed(sound[1:top]), spanOf(sound[:top]), c.versus(best, next))
		}
		c.claim(headed, "leader", logRatio(best.figure, next.figure), c.within(load, text), figures(sound[:top+1])...)
		return
	}
	c.claim(headed, "leader", logRatio(best.figure, next.figure), c.within(load, locale.T("finding.leads",
		c.name(best.variant), metricName(best.metric.Name), best.said(), c.versus(best, next))), best.figure, next.figure)
}

// level tells whether no two of ranked readings can be told apart. Of single
// runs the first and the last decide.
func (c *conclusions) level(rs []reading) bool {
	single := !slices.ContainsFunc(rs, func(r reading) bool { return len(r.values) > 1 })
	for i := range rs {
		for j := i + 1; j < len(rs); j++ {
			if !(single && (i > 0 || j < len(rs)-1)) && !c.d.alike(rs[i].figure, rs[j].figure) {
				return false
			}
		}
	}
	return true
}

// baseline tells how the sound variants stand to the baseline.
func (c *conclusions) baseline(load string, sound []reading) {
	i := slices.IndexFunc(sound, func(r reading) bool { return r.variant == c.base })
	if i < 0 || len(sound) < 3 || slices.ContainsFunc(sound, func(r reading) bool { return r.metric.Value <= 0 }) {
		return
	}
	base := sound[i]
	words := [...]string{"finding.better", "finding.worse", "finding.all-better", "finding.all-worse"}
	if isSpeed(base.metric.Unit) {
		words = [...]string{"finding.faster", "finding.slower", "finding.all-faster", "finding.all-slower"}
	}
	var faster, level, slower []reading
	for _, r := range sound {
		switch {
		case r.variant == c.base:
		case c.d.alike(base.figure, r.figure):
			level = append(level, r)
		case better(r.metric.Better, r.metric.Value, base.metric.Value):
			faster = append(faster, r)
		default:
			slower = append(slower, r)
		}
	}
	speed := func(r reading) float64 { return math.Exp(logRatio(r.figure, base.figure)) }
	var parts []locale.Text
	effect := 0.0
	switch of := len(sound) - 1; {
	case len(faster) == of && of > 1:
		c.against(load, base, math.Log(speed(faster[0])), locale.T(words[2], of, writeRatio(speed(faster[0])), c.name(faster[0].variant)), sound)
		return
	case len(slower) == of && of > 1:
		last := slower[of-1]
		c.against(load, base, -math.Log(speed(last)), locale.T(words[3], of, writeRatio(speed(last)), c.name(last.variant)), sound)
		return
	}
	if len(faster) > 0 {
		parts = append(parts, locale.T(words[0], len(faster), writeRatio(speed(faster[0])), c.name(faster[0].variant)))
		effect = math.Log(speed(faster[0]))
	}
	if len(level) > 0 {
		said := locale.T("finding.level", len(level), writePlain(c.d.rules().Noise))
		if slices.ContainsFunc(level, func(r reading) bool {
			return math.Abs(logRatio(r.figure, base.figure)) >= math.Log(1+c.d.rules().Noise)
		}) {
			said = locale.T("finding.undecided", len(level))
		}
		parts = append(parts, said)
	}
	if n := len(slower); n > 0 {
		last := slower[n-1]
		parts = append(parts, locale.T(words[1], n, writeRatio(speed(last)), c.name(last.variant)))
		effect = math.Max(effect, -math.Log(speed(last)))
	}
	c.against(load, base, effect, locale.T("finding.of", len(sound)-1, clauses(parts...)), sound)
}

// isSpeed tells whether what has a unit is faster when it is better.
func isSpeed(unit string) bool {
	return slices.Contains([]string{"ms", "s", "tok/s", "req/s", "tok/s/user"}, unit)
}

// against is the claim of how variants stand to the baseline.
func (c *conclusions) against(load string, base reading, effect float64, how locale.Text, sound []reading) {
	c.claim(others, "baseline", effect, c.within(load, locale.T("finding.baseline", c.name(c.base), base.said(), metricName(base.metric.Name), how)), figures(sound)...)
}

// indistinct tells which variants can not be told apart.
func (c *conclusions) indistinct(load string, sound []reading) {
	for i := 0; i < len(sound); {
		n := i + 1
		for n < len(sound) && c.level(sound[i:n+1]) {
			n++
		}
		if n-i > 1 && (i > 0 || n == len(sound)) { // those at the top are told by leader
			_, least := ids(figures(sound[i:n])...)
			c.claim(others, "indistinct", 0.1, c.within(load, locale.T("finding.indistinct",
				c.listed(sound[i:n]), metricName(sound[i].metric.Name), spanOf(sound[i:n]), strconv.Itoa(least))), figures(sound[i:n])...)
		}
		i = n
	}
}

// bandwidth tells what size buys a single stream: near the limit of memory TPOT
// follows the size of the weights.
func (c *conclusions) bandwidth(load string) {
	sound, _ := c.readings(load, "mbu")
	var near, far []reading
	for _, r := range sound {
		if r.metric.Value >= 100*c.d.rules().Limit {
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
		values[i] = r.metric.Value / 100
	}
	text := locale.T("finding.bandwidth", len(near), len(sound), shares(slices.Min(values), slices.Max(values)))
	if large, small, ok := c.extremes(near); ok {
		a, okA := figureOf(c.at(c.variants[large], load), "tpot_mean")
		b, okB := figureOf(c.at(c.variants[small], load), "tpot_mean")
		if okA && okB && a.metric.Value > b.metric.Value {
			text = locale.Sentences(text, locale.T("finding.size", c.sizeOf(large), c.sizeOf(small), c.name(large), c.name(small), a.said(), b.said()))
		}
	}
	if n := len(far); n > 0 {
		far = ranked(far)
		text = locale.Sentences(text, locale.T("finding.far", c.listed(far), shares(far[n-1].metric.Value/100, far[0].metric.Value/100), n))
	}
	c.claim(others, "bandwidth", 0.9, c.within(load, text), figures(sound)...)
}

// oneBandwidth tells whether the runs of readings read memory equally fast.
func oneBandwidth(rs []reading) bool {
	of := func(r *result.Result) string {
		return r.Label("memory_bandwidth") + " " + r.Label("accelerators") + " " + r.Label("parallelism")
	}
	return !slices.ContainsFunc(rs, func(r reading) bool { return of(r.runs[0]) != of(rs[0].runs[0]) })
}

// extremes gives the largest and the smallest variant among readings.
func (c *conclusions) extremes(rs []reading) (large, small int, ok bool) {
	large, small = -1, -1
	size := func(i int) float64 {
		v, _ := audit.Quantity(c.variants[i].runs[0].Label("weight_size"))
		return v
	}
	for _, r := range rs {
		if size(r.variant) == 0 {
			continue
		}
		if large < 0 || size(r.variant) > size(large) {
			large = r.variant
		}
		if small < 0 || size(r.variant) < size(small) {
			small = r.variant
		}
	}
	return large, small, large >= 0 && size(large) > size(small)
}

func (c *conclusions) sizeOf(i int) locale.Text {
	return c.d.title("weight_size", c.variants[i].runs[0].Label("weight_size"))
}

// outdoneEverywhere tells which variants something smaller beats at every load.
func (c *conclusions) outdoneEverywhere() {
	p := &portfolio{field: c.field, size: "weight_size"}
	p.weigh()
	var worse, by []int
	var fs []figure
	for i := range c.variants {
		if i == c.base {
			continue
		}
		all, n := true, 0
		var beaten []int
		for l := range p.loads {
			switch v := p.said[l][i]; v.rule {
			case "":
			case "dominated":
				n++
				beaten = append(beaten, v.by)
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
		for l := range p.loads {
			for _, k := range append([]int{i}, beaten...) {
				if v := p.said[l][k]; v.runs != nil {
					fs = append(fs, v.figure)
				}
			}
		}
	}
	if len(worse) > 0 {
		c.claim(others, "dominated", 0.4, locale.T("finding.dominated", p.names(worse), len(worse), p.names(by)), fs...)
	}
}
