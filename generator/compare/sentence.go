package compare

import (
	"slices"
	"strconv"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Sentence summarises the comparison in plain words: the difference in throughput or else the largest
// difference, the largest difference in the other direction, whether differing settings may be the cause, what
// is withheld, what the verdicts rest on, and what could not be compared. The script of the page Compare
// produces the same text (page/script/sentence.js).
func (c *Comparison) Sentence() locale.Text {
	of := c.about()
	claim := of.claim(c)
	if claim.IsZero() {
		return locale.Sentences(locale.T("compare.say.nothing"), c.unmatched())
	}
	if of.why.IsZero() || of.compared > 0 {
		claim = c.underSettings(claim)
	}
	sentences := []locale.Text{locale.T("diff.sentence", claim)}
	if !of.why.IsZero() && of.compared > 0 {
		sentences = append(sentences, locale.T("compare.say.withheld", of.withheld, of.why))
	}
	return locale.Sentences(append(sentences, of.basis(), c.unmatched())...)
}

// unmatched returns a sentence about ambiguous cells, which are not compared.
func (c *Comparison) unmatched() locale.Text {
	a, b := 0, 0
	for i := range c.Ambiguous {
		a, b = a+len(c.Ambiguous[i].A), b+len(c.Ambiguous[i].B)
	}
	if a+b == 0 {
		return locale.Text{}
	}
	return locale.T("diff.unmatched", a, c.A.Name, b, c.B.Name)
}

// about has the data of the sentence.
type about struct {
	shown    []Overall // better or worse metrics: throughput first, then the largest difference
	mixed    *Overall  // the first metric that is better in some pairs and worse in others
	compared int       // figures with a verdict
	unsure   int       // uncertain figures
	withheld int       // uncertain figures because of runs that do not count
	why      locale.Text
	reason   locale.Text // of the first uncertain figure
	single   bool        // no figure has repeats
	tested   bool        // all figures have enough repeats to be tested
	low      float64     // low to high: thresholds of the figures that are not tested
	high     float64
}

func (c *Comparison) about() about {
	a := about{single: true, tested: true}
	all := c.Overall()
	headline := c.headline(all)
	for _, o := range all {
		if !slices.Contains(headline, o.Metric) || o.Better == result.Neutral {
			continue
		}
		switch o.Verdict {
		case Better, Worse:
			a.shown = append(a.shown, o)
		case Changed:
			if a.mixed == nil {
				a.mixed = &o
			}
		}
		for _, f := range o.Figures {
			switch {
			case f.Ground == OneSided:
				continue
			case f.Verdict == Uncertain:
				a.unsure++
				if a.reason.IsZero() {
					a.reason = f.Why
				}
				if f.Ground == Aside {
					a.withheld++
					if a.why.IsZero() {
						a.why = f.Why
					}
				}
				continue
			}
			a.compared++
			a.single = a.single && f.N1 == 1 && f.N2 == 1
			a.tested = a.tested && f.counts
			if !f.counts && f.Noise > 0 {
				if a.low == 0 || f.Noise < a.low {
					a.low = f.Noise
				}
				a.high = max(a.high, f.Noise)
			}
		}
	}
	if i := slices.IndexFunc(a.shown, func(o Overall) bool { return o.Metric == "output_throughput" }); i > 0 {
		throughput := a.shown[i]
		a.shown = slices.Insert(slices.Delete(a.shown, i, i+1), 0, throughput)
	}
	return a
}

// claim returns what is better and what is worse, without a full stop, or an empty text if nothing was
// compared.
func (a *about) claim(c *Comparison) locale.Text {
	nameA, nameB := c.A.Name, c.B.Name
	switch {
	case len(a.shown) > 0:
		said := Clauses([]locale.Text{a.shown[0].main(nameA, nameB), a.beside()})
		if n := a.shown[0].Pairs; n > 1 {
			return locale.T("compare.say.mean", n, said)
		}
		return said
	case a.mixed != nil:
		return locale.T("compare.say.against", nameB, nameA, a.mixed.contradictory())
	case a.compared > 0:
		return locale.T("compare.say.same", nameB, nameA)
	case a.unsure > 0:
		return locale.T("compare.say.against", nameB, nameA, locale.T("compare.say.no-verdict", a.reason))
	}
	return locale.Text{}
}

// beside returns the largest difference in the direction opposite to the first one. It returns an empty text if
// that is unknown.
func (a *about) beside() locale.Text {
	first := a.shown[0].Verdict
	if i := slices.IndexFunc(a.shown, func(o Overall) bool { return o.Verdict != first }); i > 0 {
		return a.shown[i].beside()
	}
	switch {
	case a.mixed != nil:
		return a.mixed.contradictory()
	case a.unsure == 0:
		return locale.T("compare.say.none-" + opposite(first))
	}
	return locale.Text{}
}

// contradictory returns the clause that the pairs of a metric contradict each other.
func (o *Overall) contradictory() locale.Text {
	return locale.T("compare.say.mixed", inside(o.Metric), o.Counts[Better], o.Counts[Worse])
}

func opposite(v Verdict) string {
	if v == Better {
		return Worse.String()
	}
	return Better.String()
}

func inside(metric string) locale.Text { return locale.Inside(locale.MetricName(metric)) }

// main returns the clause about a difference with the names of both sides.
func (o *Overall) main(a, b locale.Text) locale.Text {
	form, size := o.form()
	if form == "" {
		return locale.T("compare.say.unlike", inside(o.Metric), b, a, o.word())
	}
	if o.Better == result.Higher && slices.Contains(speeds, o.Unit) {
		return locale.T("compare.say.speed."+form, b, a, size, inside(o.Metric))
	}
	return locale.T("compare.say."+form, inside(o.Metric), b, a, size, o.word())
}

// beside returns the clause about a difference that follows the clause about another metric.
func (o *Overall) beside() locale.Text {
	form, size := o.form()
	if form == "" {
		return locale.T("compare.say.its.unlike", inside(o.Metric), o.word())
	}
	return locale.T("compare.say.its."+form, inside(o.Metric), size, o.word())
}

// Tally returns the number of pairs with each verdict.
func (o *Overall) Tally() locale.Text {
	var parts []locale.Text
	for _, v := range Verdicts {
		if n := o.Counts[v]; n > 0 {
			parts = append(parts, locale.T("diff.tally", locale.T("diff.word."+v.String()), n))
		}
	}
	said := parts[0]
	for _, p := range parts[1:] {
		said = locale.T("diff.and", said, p)
	}
	return said
}

// word returns the word for better or worse.
func (o *Overall) word() locale.Text { return locale.T("compare." + o.Verdict.String()) }

// speeds lists the units of metrics for which higher means faster.
var speeds = []string{"tok/s", "req/s", "tok/s/user"}

// manyTimes is the ratio from which a difference is expressed as a factor.
const manyTimes = 1.5

// form returns how a difference is expressed, and its size: "times" 1.8, "higher" or "lower" by 12%. It returns
// "" if there is no ratio.
func (o *Overall) form() (form, size string) {
	switch {
	case o.Pairs == 0:
		return "", ""
	case o.Ratio >= manyTimes:
		return "times", times(o.Ratio)
	case o.Ratio >= 1:
		return "higher", share(o.Ratio - 1)
	}
	return "lower", share(1 - o.Ratio)
}

// times formats a factor with at least two digits: 1.8, 12, 361.
func times(q float64) string {
	if q < 9.95 {
		return strconv.FormatFloat(q, 'f', 1, 64)
	}
	return strconv.FormatFloat(q, 'f', 0, 64)
}

// share formats a relative difference with about two digits: 4.3%, 12%.
func share(q float64) string {
	if 100*q < 9.95 {
		return strconv.FormatFloat(100*q, 'f', 1, 64) + "%"
	}
	return strconv.FormatFloat(100*q, 'f', 0, 64) + "%"
}

// Ratio formats a quotient: 1.83×.
func Ratio(q float64) string {
	if q < 0.1 {
		return strconv.FormatFloat(q, 'g', 2, 64) + "×"
	}
	return strconv.FormatFloat(q, 'f', 2, 64) + "×"
}

// mostNamed is the greatest number of settings that the sentence names.
const mostNamed = 4

// underSettings adds to a claim whether the known settings are the same.
func (c *Comparison) underSettings(claim locale.Text) locale.Text {
	var names []locale.Text
	for _, label := range slices.Concat(audit.Settings(), slices.Sorted(slices.Values(also))) {
		if slices.ContainsFunc(c.Changed, func(ch Shared) bool { return ch.Setting && ch.Label == label }) {
			names = append(names, locale.Inside(ChangeName(label)))
		}
	}
	switch n := len(names) - mostNamed; {
	case len(names) == 0:
		return locale.T("compare.say.alike", claim)
	case n > 1:
		return locale.T("compare.say.settings", claim, locale.T("differ.many", locale.List(names[:mostNamed]...), n))
	}
	return locale.T("compare.say.settings", claim, locale.List(names...))
}

// basis returns a sentence about what the verdicts rest on.
func (a *about) basis() locale.Text {
	least := Percent(a.low)
	if a.high > a.low {
		least += "–" + Percent(a.high)
	}
	switch {
	case a.compared == 0:
		return locale.Text{}
	case a.tested:
		return locale.T("compare.say.tested")
	case a.low == 0:
		return locale.Text{}
	case a.single:
		return locale.T("compare.say.single", least)
	}
	return locale.T("compare.say.few", least)
}
