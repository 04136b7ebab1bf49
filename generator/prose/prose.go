// Package prose holds what an author typed against the runs: a number with a
// unit in the text of a post that no selected run supports is a warning.
//
// A number is supported when, to the digits it is written with, it is a
// metric of a run or a figure of a label, the difference, the ratio or the
// relative change of one metric between two comparable runs, or one as a part
// of the other. A number whose unit nothing measures cannot be checked and
// passes. A post names the numbers that come from elsewhere in its front
// matter, as unchecked = ["130 W"].
package prose

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/document"
	"github.com/benchpost/benchpost/generator/result"
)

// Check judges the numbers of a post, in the order of its passages.
func (f *Figures) Check(d *document.Document) []result.Message {
	accepted := map[string]bool{} // as written → found in the prose
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
			var fault, hint string
			if i >= 2 && n.isStep(text, ns[i-2], ns[i-1]) {
				fault, hint = n.judgeStep(text, ns[i-2], ns[i-1])
			} else {
				fault, hint = f.judge(n, text)
			}
			if fault != "" {
				ms = append(ms, result.Message{Pos: passage.At(n.at), Severity: result.Warning, ID: "prose.unsupported",
					Text: fmt.Sprintf(fault, written),
					Hint: fmt.Sprintf("%s; if it is from elsewhere, add it to the front matter: unchecked = [%q]", hint, written)})
			}
		}
	}
	for _, text := range d.Front.Unchecked {
		if !accepted[squeezed(text)] {
			ms = append(ms, result.Message{Pos: d.Front.UncheckedPos, Severity: result.Warning, ID: "prose.unused",
				Text: fmt.Sprintf("unchecked lists %q, which is no number with a unit in the prose", text),
				Hint: "write it as the prose has it, with its unit, or take it out"})
		}
	}
	return ms
}

// squeezed makes texts that differ in white space alone equal.
func squeezed(text string) string { return strings.Join(strings.Fields(text), "") }

// isStep tells that a percentage is said of the two figures before it: "from
// 251.56 tok/s to 298.07 tok/s (18.5%)".
func (n number) isStep(text string, from, to number) bool {
	between, after := text[from.end:max(from.end, to.start)], text[to.end:max(to.end, n.start)]
	return n.unit.dim == percent && !from.isRelative() && !from.ranged && !to.ranged && from.unit.dim == to.unit.dim &&
		len(between) <= 30 && containsAny(between, "至", "到", "to ", "→") && !strings.ContainsAny(between, ",，、;；") &&
		len(after) <= 30 && !strings.ContainsAny(after, ",，。;；") && strings.ContainsAny(after, "(（")
}

// judgeStep holds a percentage against the two figures it is said of, each of
// which may be rounded.
func (n number) judgeStep(text string, from, to number) (fault, hint string) {
	a, b := from.value*from.unit.factor, to.value*to.unit.factor
	slack := from.step/from.value/2 + to.step/to.value/2
	for _, r := range n.readings(text) {
		if x := b / a; r.rel == quotient && x*(1+slack) >= r.lo && x*(1-slack) <= r.hi {
			return "", ""
		}
	}
	return "%q is not the change it is said to be", fmt.Sprintf("from %s to %s is %+.3g%%: write it as an inline value, `= output_throughput{…} / output_throughput{…} | +%%`",
		text[from.start:from.end], text[to.start:to.end], 100*(b/a-1))
}

// reading is one way to understand a number: as a figure, or as the relation
// of a figure to another.
type reading struct {
	rel          relation
	lo, want, hi float64
	amount       float64 // of what is said: want, or of 1.185 the 0.185 above one
	form         string  // of an inline value, with places for the two figures
}

// isRelative tells a percentage or a ratio, which may be of any dimension.
func (n number) isRelative() bool { return n.unit.dim == percent || n.unit.dim == ratio }

// judge says what is wrong with a number, with a place for it as written, and
// what the runs have instead; nothing when they support it or cannot tell.
func (f *Figures) judge(n number, text string) (fault, hint string) {
	f.prepare()
	if !n.isRelative() && !f.held[n.unit.dim] || n.isRelative() && !slices.ContainsFunc(f.series, f.isComparable) {
		return "", ""
	}
	readings := n.readings(text)
	for _, r := range readings {
		if _, ok := f.value(n.unit.dim, r.lo, r.want, r.hi); r.rel == itself && ok {
			return "", ""
		}
	}
	s := f.scopeOf(n, text)
	for _, r := range readings {
		if r.rel == itself {
			continue
		}
		if _, _, ok := s.pair(r.rel, r.lo, r.want, r.hi); ok {
			return "", ""
		}
	}
	fault = "no selected run supports %q"
	switch {
	case n.ranged:
		fault = "no selected run supports the " + n.digits + " of %q"
	case n.isRelative():
		fault = "no two comparable runs support %q"
	}
	return fault, f.offer(n, s, readings)
}

// readings gives the ways to understand a number. Percentages and ratios that
// are said to be approximate but have three digits or more are taken at their
// digits, give or take one in the last: within 5% there is always some pair
// of runs.
func (n number) readings(text string) []reading {
	lo, hi := n.value-n.step/2, n.value+n.step
	about := n.about
	if about && n.isRelative() && n.figures >= 3 {
		lo, about = n.value-n.step, false
	}
	switch {
	case n.bound > 0:
		hi = 2 * n.value
	case n.bound < 0:
		lo, hi = n.value/2, n.value+n.step/2
	case about:
		lo, hi = min(lo, 0.95*n.value), max(hi, 1.05*n.value)
	}
	// Rounding cannot be told from cutting off: from half a digit below to,
	// but without, a whole one above. Figures were read from decimals, whose
	// last bits say nothing.
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
		part := scaled(quotient, 0.01, "%s / %s | %%")
		readings := []reading{scaled(itself, 1, ""), {quotient, 1 + part.lo, 1 + part.want, 1 + part.hi, part.want, "%s / %s | +%%"}}
		if part.want < 1 {
			readings = append(readings, reading{quotient, 1 - part.hi, 1 - part.want, 1 - part.lo, part.want, "%s / %s | +%%"})
		}
		if !n.isChange(text) {
			readings = append(readings, part)
		}
		return readings
	}
	readings := []reading{scaled(itself, n.unit.factor, "")}
	if n.unit.binary != 0 && n.unit.binary != n.unit.factor {
		readings = append(readings, scaled(itself, n.unit.binary, ""))
	}
	return append(readings, scaled(gap, n.unit.factor, "%s - %s | unit"))
}

// changes are words that tell a change from a part of a whole.
var changes = []string{
	"提升", "提高", "增加", "增长", "上升", "升高", "减少", "减小", "降低", "降至", "下降", "缩短", "缩小", "快", "慢", "高", "低", "多", "少", "大", "小", "省",
	"increase", "improve", "gain", "rise", "raise", "grow", "reduc", "decrease", "drop", "fall", "fell", "cut", "save", "shrink",
	"higher", "lower", "faster", "slower", "more", "less", "larger", "smaller", "longer", "shorter", "better", "worse", " by ",
}

// isChange tells whether the words beside a percentage speak of a change, and
// not of a part as in "最高的 82%" or "82% of the highest".
func (n number) isChange(text string) bool {
	before := strings.ToLower(strings.TrimRight(text[max(0, n.start-24):n.start], blanks))
	after := strings.ToLower(strings.TrimLeft(text[n.end:min(len(text), n.end+16)], blanks))
	if strings.HasSuffix(before, "的") || strings.HasPrefix(after, "of ") {
		return false
	}
	return containsAny(before, changes...) || containsAny(after, changes...) || endsWithAny(before, "+", "−", "-")
}

// offer says what the runs have within 15% of a number, and how to write it so
// that it stays theirs. A difference is no clue to what was meant.
func (f *Figures) offer(n number, s scope, readings []reading) string {
	best, off := "", 0.15
	for _, r := range readings {
		width := off * r.amount
		switch r.rel {
		case itself:
			if p, ok := f.value(n.unit.dim, r.want-width, r.want, r.want+width); ok {
				best, off = f.offerFigure(n, p), math.Abs(p.value-r.want)/r.amount
			}
		case quotient:
			if p, base, ok := s.pair(quotient, r.want-width, r.want, r.want+width); ok && !p.worked && !base.worked {
				best, off = f.offerPair(r, p, base), math.Abs(p.value/base.value-r.want)/r.amount
			}
		}
	}
	if best != "" {
		return best
	}
	form := "| unit"
	switch n.unit.dim {
	case percent:
		form = "/ output_throughput{…} | +%"
	case ratio:
		form = "/ output_throughput{…} | ×"
	}
	return fmt.Sprintf("the runs have nothing near it: write what they have as an inline value, `= %s{…} %s`", f.example(n.unit.dim), form)
}

// example names a metric or label of a dimension, the most usual first.
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

// expression selects a figure in an inline value.
func (f *Figures) expression(p point) string {
	return fmt.Sprintf("%s{id=%q}", p.of.name, f.results[p.run].ID)
}

func (f *Figures) offerFigure(n number, p point) string {
	r := f.results[p.run]
	m, ok := r.Metric(p.of.name)
	switch {
	case p.worked:
		return fmt.Sprintf("%s over the repeats of %s is near it: write `= %s{…} | unit`", p.of.name, r.ID, p.of.name)
	case !ok:
		return fmt.Sprintf("the runs have %s (%s of %s): write `= %s`", r.Label(p.of.name), p.of.name, r.ID, f.expression(p))
	}
	form := "unit"
	if m.Unit == "ms" && n.unit.factor == 1e3 {
		form = "s"
	}
	return fmt.Sprintf("the runs have %s %s (%s, %s, line %d): write `= %s | %s`", m.Digits(), m.Unit, p.of.name, r.ID, m.Line, f.expression(p), form)
}

func (f *Figures) offerPair(r reading, p, base point) string {
	x := p.value / base.value
	var said string
	switch {
	case strings.HasSuffix(r.form, "×"):
		said = fmt.Sprintf("%.3g×", x)
	case strings.HasSuffix(r.form, "- 1"):
		said = fmt.Sprintf("%.3g times as much again", x-1)
	case strings.HasSuffix(r.form, "+%%"):
		said = fmt.Sprintf("%+.3g%%", 100*(x-1))
	default:
		said = fmt.Sprintf("%.3g%%", 100*x)
	}
	return fmt.Sprintf("the runs have %s (%s, %s against %s): write `= %s`", said, p.of.name, f.results[p.run].ID, f.results[base.run].ID,
		fmt.Sprintf(r.form, f.expression(p), f.expression(base)))
}
