// Package audit judges results before they are compared: against
// physics, against themselves, and against each other.
//
// Everything is judged on what a result itself holds, its metrics and labels,
// so that a verdict can be traced like a figure: the size of the weights, the
// bandwidth of the machine and the peak of its tensor cores are labels of the
// run. The formulae and their sources are with each rule.
package audit

import (
	"cmp"
	"math"
	"slices"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Report is what every rule says of one result.
type Report struct {
	Raised   []result.Check // what was found; an error excludes the result
	Passed   []result.Check // rules that hold, with the figures they were judged on
	Unjudged []result.Check // rules that lack a fact, and which
}

// Judge puts one result before every rule.
func Judge(r *result.Result) Report {
	c := judge{r: r, facts: factsOf(r, Speculation(r)), all: true}
	c.ask()
	return c.Report
}

// Auditor completes one result after the other. It serves one goroutine.
type Auditor struct {
	judge judge
	kinds map[derivation]*result.Kind // of derived metrics
}

// Complete adds to a result the metrics that follow from it and the checks that
// Judge raises, and the label speculative_decoding where only another label, a
// counter or a command shows it.
func (a *Auditor) Complete(r *result.Result) {
	how := Speculation(r)
	if how != "" && r.Label("speculative_decoding") == "" {
		r.Labels.Set(result.Label{Name: "speculative_decoding", Value: how, Origin: result.Derived})
	}
	f := factsOf(r, how)
	a.derive(r, f)
	c := &a.judge
	c.Report, c.r, c.facts = Report{}, r, f
	c.ask()
	if len(c.Raised) > 0 {
		r.Checks = slices.Concat(r.Checks, c.Raised)
	}
}

// judge gathers the verdicts on one result.
type judge struct {
	Report
	r     *result.Result
	facts facts
	all   bool  // wanted are passed and unjudged rules, too
	rule  *rule // that is being asked

	statistics []statistic // of the metrics
	order      []ranked    // of those that have a rank
}

// ask puts the result before every rule of the table.
func (c *judge) ask() {
	c.classify()
	for i := range rules {
		if c.rule = &rules[i]; c.rule.judge != nil {
			c.rule.judge(c)
		}
	}
}

// raise reports what the rule found, under its id unless the check has one.
func (c *judge) raise(severity result.Severity, ck result.Check) {
	ck.ID, ck.Severity = cmp.Or(ck.ID, c.rule.id), severity
	c.Raised = append(c.Raised, ck)
}

func (c *judge) pass(text func() locale.Text) {
	if c.all {
		c.Passed = append(c.Passed, result.Check{ID: c.rule.id, Text: text()})
	}
}

// lack reports which fact the rule would need.
func (c *judge) lack(key string, args ...any) {
	if c.all {
		c.Unjudged = append(c.Unjudged, result.Check{ID: c.rule.id, Text: locale.T(key, args...)})
	}
}

// metric returns a positive figure of the result.
func (c *judge) metric(name string) (result.Metric, bool) {
	m, ok := c.r.Metric(name)
	return m, ok && m.Value > 0
}

// half is half a unit in the last printed digit: what rounding may have taken
// from or added to a figure. A binary float was not rounded, but the sums it
// is compared with were made in another order; of few digits it was rounded all
// the same, by the script that saved it.
func half(m result.Metric) float64 {
	const unit, chosen = 0.5000001, 8 // digits behind the point that scripts round to
	if m.Decimals != result.FullPrecision {
		return unit * math.Pow10(-int(m.Decimals))
	}
	exact := 1e-6 * math.Abs(m.Value)
	for digits := range chosen + 1 {
		if scale := math.Pow10(digits); m.Value != 0 && math.Round(m.Value*scale)/scale == m.Value {
			return max(exact, unit/scale)
		}
	}
	return exact
}
