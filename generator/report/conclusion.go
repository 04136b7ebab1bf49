package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"benchpost/generator/audit"
	"benchpost/generator/bench"
	"benchpost/generator/locale"
	"benchpost/generator/stats"
)

// aside tells which runs are set aside, and why: nothing else of them counts.
func (c *conclusions) aside() {
	for i, g := range c.variants {
		var struck []*bench.Result
		for _, r := range g.runs {
			if r.Quarantined() {
				struck = append(struck, r)
			}
		}
		slices.SortFunc(struck, bench.Compare)
		var at []locale.Text
		for _, load := range c.loads {
			if load != "" && len(withLabel(struck, c.load, load)) > 0 {
				at = append(at, c.loadName(load))
			}
		}
		if len(struck) == 0 {
			continue
		}
		why := reasons([]figure{{runs: struck}}, bench.Error)
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

// within puts the load before a sentence.
func (c *conclusions) within(load string, text locale.Text) locale.Text {
	if load == "" {
		return locale.Outside(text)
	}
	return locale.T("finding.within", c.loadTitle(load), text)
}

// loadTitle names a load. What no words were given for is named with its label:
// concurrency 8.
func (c *conclusions) loadTitle(load string) locale.Text {
	title := c.d.title(c.load, load)
	if c.load == "load" || c.load == "scenario" {
		return title
	}
	return locale.T("finding.held", locale.LabelName(c.load), title)
}

// loadName is the name of a load inside a sentence.
func (c *conclusions) loadName(load string) locale.Text {
	return locale.Inside(c.loadTitle(load))
}

// clauses puts clauses one after another.
func clauses(parts ...locale.Text) locale.Text {
	said := parts[0]
	for _, p := range parts[1:] {
		said = locale.T("finding.clauses", said, p)
	}
	return said
}

// metricName is the name of what readings are of, inside a sentence.
func metricName(name string) locale.Text { return locale.Inside(locale.MetricName(name)) }

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
	of := func(r *bench.Result) string {
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

// limits says what the data can not tell.
func (c *conclusions) limits() {
	for _, diff := range audit.Differences(c.runs, []string{c.rows, c.load}) {
		if c.told[diff.Setting] {
			continue // its effect is
		}
		var rs []*bench.Result
		for _, v := range diff.Values[1:] {
			rs = append(rs, v.Runs...)
		}
		c.limit("unlike", c.d.difference(diff, []string{c.rows, c.load}), rs)
	}
	c.doubtedFirstTokens()
	once := len(c.runs) > 1
	for _, g := range c.variants {
		for _, load := range c.loads {
			once = once && (len(c.at(g, load)) < 2 || repeats(c.at(g, load), "") != nil)
		}
	}
	if once {
		c.limit("single", locale.T("finding.single", writePlain(c.d.rules().Noise)), nil)
	}
	c.fewSamples()
	if len(c.d.values(c.runs, "quantization")) > 1 && !slices.ContainsFunc(c.d.Results, func(r *bench.Result) bool { _, ok := r.Metric("quality"); return ok }) {
		c.limit("quality", locale.T("finding.quality"), nil)
	}
	c.unjudged()
}

// doubtedFirstTokens counts the first tokens that came faster than the prompt
// can be computed, load by load.
func (c *conclusions) doubtedFirstTokens() {
	for _, load := range c.loads {
		n := 0
		var touched []*bench.Result
		var low, top float64
		for _, r := range withLabel(c.runs, c.load, load) {
			if _, ok := r.Metric("ttft_mean"); !ok {
				continue
			}
			n++
			ck := doubts(r, "ttft_mean")
			if ck == nil || ck.ID != "physics.compute-roofline" {
				continue
			}
			share := ck.Figures["share"]
			if len(touched) == 0 {
				low, top = share, share
			}
			low, top = min(low, share), max(top, share)
			touched = append(touched, r)
		}
		if len(touched) > 0 {
			text := locale.T("finding.first-token", len(touched), n, shares(low, top))
			if len(touched) == n && n > 1 {
				text = locale.T("finding.first-token-all", n, shares(low, top))
			}
			c.limit("first-token", c.within(load, text), touched)
		}
	}
}

// fewSamples tells at which loads percentiles rest on too few requests.
func (c *conclusions) fewSamples() {
	var touched []*bench.Result
	var at []locale.Text
	fewest := math.MaxInt
	for _, load := range c.loads {
		before := len(touched)
		for _, r := range withLabel(c.runs, c.load, load) {
			if have, need := audit.Samples(r, "ttft_p99"); have < need {
				if _, ok := r.Metric("ttft_p99"); ok {
					touched = append(touched, r)
					fewest = min(fewest, have)
				}
			}
		}
		if len(touched) > before && load != "" {
			at = append(at, c.loadName(load))
		}
	}
	switch {
	case len(touched) == 0:
	case len(at) == 0 || len(at) == len(c.loads):
		c.limit("samples", locale.T("finding.samples", fewest), touched)
	default:
		c.limit("samples", locale.T("finding.samples-at", fewest, locale.List(at...)), touched)
	}
}

// unjudged tells how many runs physics could not be held against.
func (c *conclusions) unjudged() {
	var touched []*bench.Result
	for _, r := range c.runs {
		if slices.ContainsFunc(audit.Judge(r).Unjudged, func(ck bench.Check) bool { return ck.ID == "physics.memory-roofline" }) {
			touched = append(touched, r)
		}
	}
	if len(touched) > 0 {
		c.limit("unjudged", locale.T("finding.unjudged", len(touched), len(c.runs)), touched)
	}
}

func figures(rs []reading) []figure {
	out := make([]figure, len(rs))
	for i, r := range rs {
		out[i] = r.figure
	}
	return out
}

// listed names the variants of readings.
func (c *conclusions) listed(rs []reading) locale.Text {
	var names []locale.Text
	for _, r := range rs {
		names = append(names, c.name(r.variant))
	}
	if n := len(names) - 6; n > 1 {
		return locale.T("differ.many", locale.List(names[:6]...), n)
	}
	return locale.List(names...)
}

// spanOf writes the least and the greatest of readings with the unit once.
func spanOf(rs []reading) locale.Text {
	low, top := rs[0], rs[0]
	for _, r := range rs {
		if r.metric.Value < low.metric.Value {
			low = r
		}
		if r.metric.Value > top.metric.Value {
			top = r
		}
	}
	if low.metric.Value == top.metric.Value {
		return low.said()
	}
	return locale.Join("–", locale.Lit(low.metric.Digits()), top.said())
}

// logRatio is how much better a is than b, as the logarithm of the ratio; 0
// when there is none.
func logRatio(a, b figure) float64 {
	if a.metric.Value <= 0 || b.metric.Value <= 0 {
		return 0
	}
	v := math.Log(a.metric.Value / b.metric.Value)
	if a.metric.Better == bench.Lower {
		return -v
	}
	return v
}

// versus says how a stands to b: 1.66× that of b (100.70 tok/s), or 6.6% below.
// Beside zero there is no ratio.
func (c *conclusions) versus(a, b reading) locale.Text {
	if a.metric.Value <= 0 || b.metric.Value <= 0 {
		return locale.T("finding.beside", c.name(b.variant), b.said())
	}
	q := a.metric.Value / b.metric.Value
	if a.metric.Better == bench.Lower {
		return locale.T("finding.less", strconv.FormatFloat(100*(1-q), 'f', 1, 64)+"%", c.name(b.variant), b.said())
	}
	return locale.T("finding.times", strings.TrimSuffix(writeRatio(q), "×"), c.name(b.variant), b.said())
}

// writeTimes writes a large ratio without decimals.
func writeTimes(q float64) string {
	if q >= 10 {
		return strconv.FormatFloat(q, 'f', 0, 64) + "×"
	}
	return strconv.FormatFloat(q, 'f', 1, 64) + "×"
}

func writeSpan(low, top float64) string {
	a, b := writeTimes(low), writeTimes(top)
	if a == b {
		return a
	}
	return a[:len(a)-len("×")] + "–" + b
}
