// Package prose compares the numbers that an author typed with the runs. It warns about a number with a unit in
// the text of a post that no selected run supports.
//
// A number is supported if, to the precision it is written with, it is a metric of a run, a numeric label, or
// the difference, ratio, relative change or percentage of one metric between two comparable runs. Numbers in
// words count, such as "doubles" and 三成. The words of a sentence limit what its numbers can be: a model, a
// metric, a base of comparison, a rise or a fall. A bound ("more than 90") is supported by a figure near it. A
// number in a unit that nothing measures cannot be checked and passes. So does a number whose sentence is
// ambiguous: a correct number must not cause a warning. A post lists numbers from other sources in its front
// matter, as unchecked = ["130 W"].
package prose

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/document"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Check returns warnings about the numbers of a post, in the order of its passages.
func (f *Figures) Check(d *document.Document) []result.Message {
	accepted := map[string]bool{} // number as written → whether the prose contains it
	for _, text := range d.Front.Unchecked {
		accepted[squeezed(text)] = false
	}
	var ms []result.Message
	for _, passage := range d.Prose() {
		text := passage.Text
		ns := numbers(text)
		for i, n := range ns {
			written := text[n.start:n.end]
			if _, ok := accepted[squeezed(written)]; ok {
				accepted[squeezed(written)] = true
				continue
			}
			written = strings.Join(strings.Fields(written), " ")
			var fault, hint locale.Text
			if i >= 2 && n.isStep(text, ns[i-2], ns[i-1]) {
				fault, hint = n.judgeStep(written, text, ns[i-2], ns[i-1])
			} else {
				fault, hint = f.judge(n, written, text)
			}
			if !fault.IsZero() {
				ms = append(ms, result.Message{Pos: passage.At(n.at), Severity: result.Warning, ID: "prose.unsupported",
					Text: fault,
					Hint: locale.Textf("%s; if it is from elsewhere, add it to the front matter: unchecked = [%q]", hint, written)})
			}
		}
	}
	for _, text := range d.Front.Unchecked {
		if !accepted[squeezed(text)] {
			ms = append(ms, result.Message{Pos: d.Front.UncheckedPos, Severity: result.Warning, ID: "prose.unused",
				Text: locale.Textf("unchecked lists %q, which is not a number with a unit in the prose", text),
				Hint: locale.Textf("write it as the prose has it, with its unit, or take it out")})
		}
	}
	return ms
}

// squeezed removes white space, so that texts that differ only in white space become equal.
func squeezed(text string) string { return strings.Join(strings.Fields(text), "") }

// isStep reports whether n is the change between the two numbers before it: "from 251.56 tok/s to 298.07 tok/s
// (18.5%)", "从 63.61 ms 降至 23.09 ms，降幅 63.7%".
func (n number) isStep(text string, from, to number) bool {
	between, after := text[from.end:max(from.end, to.start)], text[to.end:max(to.end, n.start)]
	if !n.isRelative() || n.worded || from.isRelative() || from.ranged != to.ranged || from.unit.dim != to.unit.dim {
		return false
	}
	if from.ranged { // "from 63.6 to 23.1 ms" has no unit between
		between = text[from.at:to.at]
		if before := text[max(0, from.start-12):from.start]; !containsAny(before, "从", "由", "from") {
			return false
		}
	} else if !containsAny(between, "至", "到", "to ", "→") {
		return false
	}
	if len(between) > 30 || strings.ContainsAny(between, ",，、;；") || len(after) > 40 {
		return false
	}
	return strings.ContainsAny(after, "(（") && !strings.ContainsAny(after, ",，。;；") ||
		beginsWithAny(strings.TrimLeft(after, blanks+",，"), "降幅", "涨幅", "增幅", "提升", "提高", "下降", "降低", "减少", "缩短", "增加", "增长", "a drop", "a reduction", "a rise", "an increase", "a gain", "or ", "down ", "up ", "that is")
}

// judgeStep compares a change with the two numbers that it is between. Each of them may be rounded.
func (n number) judgeStep(written, text string, from, to number) (fault, hint locale.Text) {
	a, b := from.value*from.unit.factor, to.value*to.unit.factor
	slack := from.step/from.value/2 + to.step/to.value/2
	part := n.direction(text, sentence{}) == isPart
	for _, r := range n.readings(text, sentence{}) {
		if r.form == asPart && !part {
			continue
		}
		x := b / a
		if n.unit.dim == ratio && x < 1 && r.want > 1 { // "a third" also means "3 times lower"
			x = 1 / x
		}
		if r.rel == quotient && x*(1+slack) >= r.lo && x*(1-slack) <= r.hi {
			return locale.Text{}, locale.Text{}
		}
	}
	return locale.Textf("%q is not the change between the figures before it", written), locale.Textf("from %s to %s is %+.3g%%: write it as an inline value, `= output_throughput{…} / output_throughput{…} | +%%`",
		text[from.start:from.end], text[to.start:to.end], 100*(b/a-1))
}

// reading is one way to understand a number: as a figure, or as the relation of a figure to another.
type reading struct {
	rel          relation
	lo, want, hi float64
	amount       float64 // size of the statement: want, or 0.185 for a want of 1.185
	form         string  // inline value, with %s for the two figures
}

// asPart is the inline value of one figure as a percentage of another.
const asPart = "%s / %s | %%"

// isRelative reports whether the number is a percentage or a ratio. Such numbers may refer to any dimension.
func (n number) isRelative() bool { return n.unit.dim == percent || n.unit.dim == ratio }

// judge returns what is wrong with a number, and what the runs have instead. It returns nothing if the runs
// support the number or cannot decide.
func (f *Figures) judge(n number, written, text string) (fault, hint locale.Text) {
	f.prepare()
	if !n.isRelative() && !f.held[n.unit.dim] || n.isRelative() && !slices.ContainsFunc(f.series, f.isComparable) {
		return locale.Text{}, locale.Text{}
	}
	sent := f.sentenceOf(n, text)
	if n.worded && !sent.isMeasured() || n.bound != 0 && containsAny(sent.text, thresholds...) {
		return locale.Text{}, locale.Text{}
	}
	readings, values := n.readings(text, sent), f.valuesOf(n, sent)
	for _, r := range readings {
		if _, ok := f.value(n.unit.dim, r.lo, r.want, r.hi, values); r.rel == itself && ok {
			return locale.Text{}, locale.Text{}
		}
	}
	s := f.scopeOf(n, sent)
	swap := n.swaps(sent)
	for _, r := range readings {
		if r.rel == itself {
			continue
		}
		if _, _, ok := s.pair(r.rel, r.lo, r.want, r.hi, swap); ok {
			return locale.Text{}, locale.Text{}
		}
	}
	for _, r := range readings {
		if p, ok := f.value(n.unit.dim, r.lo, r.want, r.hi, valueScope{}); r.rel == itself && ok && !p.worked {
			return locale.Textf("%q does not belong to what the sentence names", written), locale.Textf("it is %s of %s; %s", p.of.name, f.results[p.run].ID, f.offer(n, values, s, swap, readings))
		}
	}
	fault = locale.Textf("no selected run supports %q", written)
	switch {
	case n.ranged:
		fault = locale.Textf("no selected run supports the %s of %q", n.digits, written)
	case n.isRelative():
		fault = locale.Textf("no two comparable runs support %q", written)
	}
	return fault, f.offer(n, values, s, swap, readings)
}

// thresholds are words that show that a sentence states a requirement, not a measurement.
var thresholds = []string{"要求", "目标", "上限", "下限", "阈值", "限制", "预算", "应", "须", "需要", "希望", "slo", "requirement", "require", "limit", "target", "threshold", "budget",
	"must", "should", "need", "goal", "would"}

// swaps reports whether either of two runs may be the base of a ratio: "is 3.6 times slower than", "differ by
// 3.6 times", "TTFT is 3.6 times better".
func (n number) swaps(s sentence) bool {
	if containsAny(s.plain, "相差", "差距", "差了", "differ", "apart", "gap", "ratio", "低", "少", "小", "短", "降", "减", "慢", "省", "lower", "less", "smaller", "shorter", "slower", "reduc", "fewer", "worse") {
		return true
	}
	better := containsAny(s.plain, "快", "好", "优", "提速", "加速", "改善", "faster", "better", "improve", "speed", "quick")
	return better && !isOfRates(s)
}

// isOfRates reports whether higher is better for all metrics of a sentence.
func isOfRates(s sentence) bool {
	subjects := about(s.text)
	return len(subjects) > 0 && !slices.ContainsFunc(subjects, func(m string) bool {
		return !strings.Contains(m, "throughput") && m != "goodput"
	})
}

// readings returns the ways to understand a number. A percentage or ratio that is stated as approximate but has
// at least three digits is matched to its last digit, ± one: within 5% there is always some pair of runs.
func (n number) readings(text string, s sentence) []reading {
	lo, hi := n.value-n.step/2, n.value+n.step
	about := n.about
	if about && n.isRelative() && n.figures >= 3 {
		lo, about = n.value-n.step, false
	}
	unit := n.roundTo()
	switch {
	case n.bound > 0:
		hi = min(n.value+unit, 1.5*n.value)
	case n.bound < 0:
		lo, hi = max(n.value-unit, n.value/2), n.value+n.step/2
	case n.worded && n.unit.dim == percent:
		lo, hi = n.value-5, n.value+5
	case n.worded:
		lo, hi = 0.9*n.value, 1.1*n.value
	case about:
		lo, hi = min(lo, 0.95*n.value), max(hi, 1.05*n.value)
	}
	if n.worded && (n.bound != 0 || n.about) {
		switch {
		case n.bound > 0 && n.unit.dim == percent:
			lo, hi = n.value, n.value+10
		case n.bound > 0:
			lo, hi = n.value, 1.5*n.value
		case n.bound < 0:
			lo, hi = 0.6*n.value, n.value
		default:
			lo, hi = 0.85*n.value, 1.15*n.value
		}
	}
	// Authors may round or truncate: the range extends half a digit below the number and a whole digit above
	// it. Figures were parsed from decimals, so the last bits are not significant.
	lo, hi = lo*(1-1e-9), hi*(1-1e-9)
	scaled := func(rel relation, factor float64, form string) reading {
		return reading{rel, lo * factor, n.value * factor, hi * factor, n.value * factor, form}
	}

	switch n.unit.dim {
	case ratio:
		readings := []reading{scaled(quotient, 1, "%s / %s | ×")}
		if n.grown {
			readings = append(readings, reading{quotient, 1 + lo, 1 + n.value, 1 + hi, n.value, "%s / %s - 1"})
		}
		return readings
	case percent:
		part := scaled(quotient, 0.01, asPart)
		up := reading{quotient, 1 + part.lo, 1 + part.want, 1 + part.hi, part.want, "%s / %s | +%%"}
		down := reading{quotient, 1 - part.hi, 1 - part.want, 1 - part.lo, part.want, "%s / %s | +%%"}
		readings := []reading{scaled(itself, 1, "")}
		way := n.direction(text, s)
		if way != falls && way != isPart {
			readings = append(readings, up)
		}
		if way != rises && way != isPart && part.want < 1 {
			readings = append(readings, down)
		}
		if way == isPart || way == unknown {
			readings = append(readings, part)
		}
		return readings
	}
	readings := []reading{scaled(itself, n.unit.factor, "")}
	if n.unit.binary != 0 && n.unit.binary != n.unit.factor {
		readings = append(readings, scaled(itself, n.unit.binary, ""))
	}
	if s.clause == "" || containsAny(s.plain, differences...) {
		readings = append(readings, scaled(gap, n.unit.factor, "%s - %s | unit"))
	}
	return readings
}

// roundTo returns how far a figure may be from a bound that an author states for it: up to the next number that
// is equally round, and at least a tenth. "More than 90" may be 98, and "more than 200" may be 290.
func (n number) roundTo() float64 {
	unit := n.step
	if !strings.Contains(n.digits, ".") && !n.worded {
		for unit < n.value/10 && math.Mod(n.value, 10*unit) == 0 {
			unit *= 10
		}
		if math.Mod(n.value, 10*unit) == 5*unit && unit < n.value/5 {
			unit *= 5
		}
		for 10*unit <= n.value && math.Mod(n.value, 10*unit) == 0 {
			unit *= 10
		}
	}
	return max(unit, n.value/10)
}

// differences are words of a clause that states how far two figures are apart.
var differences = []string{"多", "少", "高", "低", "快", "慢", "大", "小", "差", "省", "增", "减", "降", "升", "缩", "短", "长", "额外", "再", "又",
	"more", "less", "higher", "lower", "faster", "slower", "larger", "smaller", "longer", "shorter", "gap", "differ", "save", "saving", "extra", "additional", "another", " by ",
	"apart", "cost", "gain", "add", "increas", "decreas", "reduc", "drop", "fall", "fell", "rise", "rose", "overhead", "heavier", "lighter", "fewer", "+", "−"}

// way is the meaning of a percentage.
type way int

const (
	unknown way = iota
	changes     // a change in an unknown direction
	rises
	falls
	better // a rise if higher is better
	worse
	isPart // one figure as a percentage of another: "falls to 84%", "82% of the highest"
)

// ways lists the words beside a percentage with the meaning they give it.
var ways = []struct {
	way   way
	words []string
}{
	{rises, []string{"增加", "增长", "增幅", "涨幅", "上升", "上涨", "升高", "高", "多", "大", "长", "increas", "rise", "rose", "rising", "raise", "raising", "grow", "grew", "higher", "more", "larger", "longer", "up"}},
	{falls, []string{"减少", "减小", "减幅", "降低", "降幅", "下降", "缩短", "缩小", "低", "少", "小", "短", "省", "降", "reduc", "decreas", "drop", "fall", "fell", "cut", "sav", "shrink", "shrank", "lower", "less", "smaller", "shorter", "down"}},
	{better, []string{"提升", "提高", "改善", "领先", "快", "improv", "gain", "faster", "better", "speed"}},
	{worse, []string{"落后", "慢", "slower", "worse"}},
	{changes, []string{"differ", "相差", "变化", "change"}},
}

// in returns the meaning of a word in a sentence. better means rises if higher is better for all its metrics.
func (w way) in(s sentence) way {
	switch {
	case w != better && w != worse:
		return w
	case !isOfRates(s):
		return changes
	case w == better:
		return rises
	}
	return falls
}

// softeners are words that may stand between a number and the word that gives it a meaning.
var softeners = []string{"约为", "约", "近", "大约", "将近", "接近", "about", "around", "roughly", "nearly", "almost", "approximately", "some", "~", "≈", "了", "more than", "less than", "over", "under", "at least",
	"超过", "不到", "不足", "至少", "高达", "多达", "高于", "低于", "大于", "小于", "多于", "少于", "a", "an", "the"}

// trimSoftened removes words such as "about" from the end of a text.
func trimSoftened(s string) string {
	for trimmed := true; trimmed; {
		trimmed = false
		for _, word := range softeners {
			rest, ok := strings.CutSuffix(s, word)
			if ok && (word[0] >= 0x80 || rest == "" || !isWord(rest[len(rest)-1])) {
				s, trimmed = strings.TrimRight(rest, blanks), true
			}
		}
	}
	for _, amount := range []string{"幅为", "幅达", "幅达到", "幅度为", "幅度达"} {
		if rest, ok := strings.CutSuffix(s, amount); ok {
			return rest + "幅"
		}
	}
	return s
}

// direction returns the meaning of a percentage by the words beside it: those directly after it, or else the
// nearest before it.
func (n number) direction(text string, s sentence) way {
	before := lower(strings.TrimRight(text[max(0, n.start-60):n.start], blanks))
	for _, end := range []string{",", ".", ";", ":", "，", "。", "；", "：", "、", "（", "("} {
		if i := strings.LastIndex(before, end); i >= 0 {
			before = before[i+len(end):]
		}
	}
	after := lower(strings.TrimLeft(text[n.end:min(len(text), n.end+24)], blanks))
	bare := trimSoftened(before)
	bare, by := strings.CutSuffix(bare, " by")
	bare = trimSoftened(strings.TrimRight(bare, blanks))
	switch {
	case strings.HasSuffix(before, "的"), beginsWithAny(after, "of "),
		!by && endsWithAny(bare, "降至", "降到", "升至", "升到", "增至", "减至", "缩至", "为", " to", "相当于", "只有", "仅有", "仅", "达到"):
		return isPart
	case strings.HasSuffix(bare, "+"):
		return rises
	case endsWithAny(bare, "−", "-"):
		return falls
	}
	if n.bound > 0 {
		after = strings.TrimPrefix(after, "多")
	}
	rest := strings.TrimLeft(strings.TrimPrefix(after, "的"), blanks)
	for _, w := range ways {
		if beginsWithAny(rest, w.words...) && !beginsWithAny(rest, "up to", "more than", "less than", "多个", "大部分", "多数", "大小", "长度") {
			return w.way.in(s)
		}
	}
	found, at := unknown, -1
	for _, w := range ways {
		for _, word := range w.words {
			if i := strings.LastIndex(bare, word); i > at && (word[0] >= 0x80 || i == 0 || !isWord(bare[i-1])) {
				found, at = w.way.in(s), i
			}
		}
	}
	if found == unknown && by {
		return changes
	}
	return found
}

// offer returns a hint with the figure of the runs that is within 15% of a number, and the inline value for it.
// Differences are not offered, because a near difference does not show what was meant.
func (f *Figures) offer(n number, values valueScope, s scope, swap bool, readings []reading) locale.Text {
	var best locale.Text
	off := 0.15
	for _, r := range readings {
		width := off * r.amount
		switch r.rel {
		case itself:
			if p, ok := f.value(n.unit.dim, r.want-width, r.want, r.want+width, values); ok {
				best, off = f.offerFigure(n, p), math.Abs(p.value-r.want)/r.amount
			}
		case quotient:
			if p, base, ok := s.pair(quotient, r.want-width, r.want, r.want+width, swap); ok && !p.worked && !base.worked {
				best, off = f.offerPair(r, p, base), math.Abs(p.value/base.value-r.want)/r.amount
			}
		}
	}
	if !best.IsZero() {
		return best
	}
	form := "| unit"
	switch n.unit.dim {
	case percent:
		form = "/ output_throughput{…} | +%"
	case ratio:
		form = "/ output_throughput{…} | ×"
	}
	return locale.Textf("the runs have nothing near it: write what they have as an inline value, `= %s{…} %s`", f.example(n.unit.dim), form)
}

// example returns the name of a metric or label of a dimension, the most common first.
func (f *Figures) example(dim dimension) string {
	names := []string{"output_throughput", "ttft_mean", "weight_size"}
	for _, s := range f.series {
		if s.dim == dim {
			names = append(names, s.name)
		}
	}
	i := slices.IndexFunc(names, func(name string) bool {
		return slices.ContainsFunc(f.series, func(s *series) bool { return s.name == name && s.dim == dim })
	})
	return names[max(0, i)]
}

// expression returns the selection of a figure for an inline value.
func (f *Figures) expression(p point) string {
	return fmt.Sprintf("%s{id=%q}", p.of.name, f.results[p.run].ID)
}

func (f *Figures) offerFigure(n number, p point) locale.Text {
	r := f.results[p.run]
	m, ok := r.Metric(p.of.name)
	switch {
	case p.worked:
		return locale.Textf("%s over the repeats of %s is near it: write `= %s{…} | unit`", p.of.name, r.ID, p.of.name)
	case !ok:
		return locale.Textf("the runs have %s (%s of %s): write `= %s`", r.Label(p.of.name), p.of.name, r.ID, f.expression(p))
	}
	form := "unit"
	if m.Unit == "ms" && n.unit.factor == 1e3 {
		form = "s"
	}
	return locale.Textf("the runs have %s %s (%s, %s, line %d): write `= %s | %s`", m.Digits(), m.Unit, p.of.name, r.ID, m.Line, f.expression(p), form)
}

func (f *Figures) offerPair(r reading, p, base point) locale.Text {
	x := p.value / base.value
	var said locale.Text
	switch {
	case strings.HasSuffix(r.form, "×"):
		said = locale.Textf("%.3g×", x)
	case strings.HasSuffix(r.form, "- 1"):
		said = locale.Textf("%.3g times as much again", x-1)
	case strings.HasSuffix(r.form, "+%%"):
		said = locale.Textf("%+.3g%%", 100*(x-1))
	default:
		said = locale.Textf("%.3g%%", 100*x)
	}
	return locale.Textf("the runs have %s (%s, %s against %s): write `= %s`", said, p.of.name, f.results[p.run].ID, f.results[base.run].ID,
		fmt.Sprintf(r.form, f.expression(p), f.expression(base)))
}
