package dataset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
)

// Explanation explains which results a selector selects, and why not more.
type Explanation struct {
	Selector   result.Selector
	Of         int // number of runs it selects from
	Picked     []*result.Result
	Conditions []Condition          // in the order of the selector
	Differ     []Difference         // labels that distinguish the picked runs
	Lacking    []*result.Result     // picked runs without the metric of the selector
	Excluded   []*result.Result     // picked runs that are excluded
	Auxiliary  []*result.Result     // meet all conditions; picked only by phase, id, tool or format
	Unfinished []*result.Unfinished // unfinished runs that meet all conditions
	Problem    *Problem             // what a block reports if nothing is picked; otherwise nil
}

// Condition is a condition of a selector, with the runs that it excludes.
type Condition struct {
	Text   string // as in a selector: load="high"
	Label  string
	Meet   int      // runs that meet it, regardless of the other conditions
	Only   int      // runs that meet all other conditions but not this one
	Values []Valued // values of the label in the runs counted by Only; if there are none, in all runs
	Near   string   // the most similar value of the label if no run meets the condition; may be ""
}

// Valued is a value of a label and the number of runs that have it. The value "" counts runs without the label.
type Valued struct {
	Value string
	Runs  int
}

// Difference is a label in which runs differ.
type Difference struct {
	Label  string
	Values []Valued
}

// Explain evaluates a selector as Select does, and each of its conditions separately. It returns a problem if
// the selector is invalid, but not if it selects nothing.
func (d *Selection) Explain(where string) (*Explanation, error) {
	sel, err := result.ParseQuery(where)
	if err != nil {
		return nil, wrongSelector(where, err)
	}
	from := d.Results
	if asksAuxiliary(sel) {
		from = slices.Concat(d.Results, d.Auxiliary)
	}
	e := &Explanation{Selector: sel, Of: len(from), Picked: d.Matching(sel)}
	for i := range sel.Matchers {
		e.Conditions = append(e.Conditions, d.condition(from, sel.Matchers, i))
	}
	for _, r := range matching(d.Auxiliary, sel) {
		if !slices.Contains(e.Picked, r) {
			e.Auxiliary = append(e.Auxiliary, r)
		}
	}
	for _, u := range d.Unfinished {
		if r := u.Run(); sel.Match(&r) {
			e.Unfinished = append(e.Unfinished, u)
		}
	}
	for _, r := range e.Picked {
		if r.Excluded() {
			e.Excluded = append(e.Excluded, r)
		}
		if _, ok := r.Metric(sel.Metric); !ok && sel.Metric != "" {
			e.Lacking = append(e.Lacking, r)
		}
	}
	e.Differ = d.Differences(e.Picked)
	switch {
	case len(e.Picked) == 0:
		e.Problem = d.Nothing(sel)
	case len(e.Lacking) == len(e.Picked):
		e.Problem = Lacks(e.Picked, sel.Metric)
	}
	return e, nil
}

// condition evaluates one condition of a selector.
func (d *Selection) condition(from []*result.Result, all []result.Matcher, i int) Condition {
	m := &all[i]
	c := Condition{Text: fmt.Sprintf("%s%s%q", m.Label, m.Op, m.Value), Label: m.Label}
	others := result.Selector{Matchers: slices.Concat(all[:i], all[i+1:])}
	var only []*result.Result
	for _, r := range from {
		if m.Match(r.Label(m.Label)) {
			c.Meet++
		} else if others.Match(r) {
			only = append(only, r)
		}
	}
	if c.Meet == 0 {
		c.Near = settings.Nearest(m.Value, d.Values(from, m.Label))
	}
	c.Only = len(only)
	if len(only) == 0 {
		only = from
	}
	c.Values = d.counted(only, m.Label)
	return c
}

// Differences returns the labels that distinguish results (see Apart), each with its values.
func (d *Selection) Differences(rs []*result.Result) []Difference {
	var out []Difference
	for _, name := range Apart(rs) {
		out = append(out, Difference{name, d.counted(rs, name)})
	}
	return out
}

// counted returns the values of a label with their counts, in the site's order; runs without the label come
// last.
func (d *Selection) counted(rs []*result.Result, label string) []Valued {
	counts := map[string]int{}
	for _, r := range rs {
		counts[r.Label(label)]++
	}
	var out []Valued
	for _, v := range d.Values(rs, label) {
		out = append(out, Valued{v, counts[v]})
	}
	if n := counts[""]; n > 0 {
		out = append(out, Valued{"", n})
	}
	return out
}

// Reason returns why a result is auxiliary, so that selectors do not select it by default.
func Reason(r *result.Result) string {
	phase, ok := r.Labels.Lookup("phase")
	switch {
	case !ok:
		return "telemetry of no run"
	case phase.Value == "superseded" && phase.Pos.File != "" && phase.Pos.File != r.Source.File:
		return "the same as " + phase.Pos.File + ", which counts in its place"
	}
	return "phase=" + result.Quote(phase.Value)
}

// Verdicts returns the checks that exclude a result, in one line.
func Verdicts(r *result.Result) string {
	var texts []string
	for i := range r.Checks {
		if c := &r.Checks[i]; c.Severity == result.Error && c.Waived == "" {
			texts = append(texts, locale.English(c.Text)+" ["+c.ID+"]")
		}
	}
	return strings.Join(texts, "; ")
}
