// Package audit checks results before they are compared: against physics, for internal consistency, and against
// each other.
//
// A verdict uses only the metrics and labels of the result itself, so that it can be traced like any number:
// the size of the weights, the bandwidth of the machine and the peak of its tensor cores are labels of the run.
// The formulas and their sources are documented at each rule.
package audit

import (
	"cmp"
	"math"
	"slices"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Report has the verdict of every rule on one result.
type Report struct {
	Raised   []result.Check // failed checks; an error excludes the result
	Passed   []result.Check // rules that hold, with the numbers they used
	Unjudged []result.Check // rules that could not be judged, with the missing fact
}

// Judge applies every rule to one result.
func Judge(r *result.Result) Report {
	c := judge{r: r, facts: factsOf(r, Speculation(r)), all: true}
	c.ask()
	return c.Report
}

// Auditor completes results. It is not safe for concurrent use.
type Auditor struct {
	judge judge
	kinds map[derivation]*result.Kind // of derived metrics
}

// Complete adds derived metrics and the checks that Judge raises to a result. It also sets the label
// speculative_decoding if only another label, a counter or a command shows it.
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

// judge collects the verdicts on one result.
type judge struct {
	Report
	r     *result.Result
	facts facts
	all   bool  // also collect passed and unjudged rules
	rule  *rule // the current rule

	statistics []statistic // of the metrics
	order      []ranked    // of the metrics that have a rank
}

// ask applies every rule of the table to the result.
func (c *judge) ask() {
	c.classify()
	for i := range rules {
		if c.rule = &rules[i]; c.rule.judge != nil {
			c.rule.judge(c)
		}
	}
}

// raise adds a failed check. Its id is that of the rule unless the check has one.
func (c *judge) raise(severity result.Severity, ck result.Check) {
	ck.ID, ck.Severity = cmp.Or(ck.ID, c.rule.id), severity
	c.Raised = append(c.Raised, ck)
}

func (c *judge) pass(text func() locale.Text) {
	if c.all {
		c.Passed = append(c.Passed, result.Check{ID: c.rule.id, Text: text()})
	}
}

// lack reports the fact that the rule needs and the result lacks.
func (c *judge) lack(key string, args ...any) {
	if c.all {
		c.Unjudged = append(c.Unjudged, result.Check{ID: c.rule.id, Text: locale.T(key, args...)})
	}
}

// metric returns a metric of the result; ok is false unless it is positive.
func (c *judge) metric(name string) (result.Metric, bool) {
	m, ok := c.r.Metric(name)
	return m, ok && m.Value > 0
}

// half returns half a unit in the last printed digit: the greatest rounding error of a number. A full-precision
// number was not rounded by the tool, but the sums it is compared with were computed in another order. If it
// has few digits, it was rounded by the script that saved it.
func half(m result.Metric) float64 {
	const unit, chosen = 0.5000001, 8 // the most digits after the point that scripts round to
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
