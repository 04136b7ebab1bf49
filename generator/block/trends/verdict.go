package trends

import (
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// level is a step of a line, with the values and columns on both sides.
type level struct {
	stats.Step
	over       string        // the label of the line's x axis
	metric     result.Metric // of the first figure after the step
	from, to   string        // medians before and after; to includes the unit
	begin, end int           // columns of the two levels: [begin, Index) and [Index, end)
}

// percent returns the change of level in per cent.
func (l level) percent() string { return builder.Percent(l.After/l.Before-1, 1) }

// span returns the values before and after, with the unit.
func (l level) span() string { return l.from + " → " + l.to }

// settled reports whether the runs support the step.
func (l level) settled() bool { return l.Supported(l.over != "date") }

// verdict returns the verdict of the step.
func (l level) verdict() report.Verdict {
	switch {
	case !l.settled():
		return report.Unsettled
	case l.metric.Better == result.Neutral:
		return report.Shift
	case dataset.Better(l.metric.Better, l.After, l.Before):
		return report.Improvement
	}
	return report.Regression
}

// evidence describes the runs that the verdict rests on, or what is missing.
func (l level) evidence() locale.Text {
	c := l.Comparison
	switch {
	case c.Method == stats.SingleRun:
		return locale.T("trend.single", c.N1, c.N2)
	case !c.Tested():
		return locale.T("trend.few", c.N1, c.N2)
	case !l.settled():
		return locale.T("trend.last", probability(c.P), c.N1, c.N2)
	}
	return locale.T("trend.tested", probability(c.P), c.N1, c.N2)
}

// support returns the cell of the evidence: a sortable p-value, or text.
func (l level) support() report.Cell {
	if !l.settled() {
		return report.Cell{Text: l.evidence()}
	}
	return report.Cell{Text: locale.Lit(strings.TrimPrefix(probability(l.Comparison.P), "= ")), Change: locale.T("trend.runs", l.Comparison.N1, l.Comparison.N2)}
}

// probability writes a p-value with two significant digits, preceded by = or <.
func probability(p float64) string {
	if p < 0.0001 {
		return "< 0.0001"
	}
	return "= " + strconv.FormatFloat(p, 'g', 2, 64)
}

// change is a label whose values differ before and after a step.
type change struct {
	name    string
	was, is []string
}

// changes returns the labels in which the runs on both sides of a step differ. Labels with a tool's own name (x_…)
// count only if they have one value in the whole level before and another in the whole level after, since others may
// change with every run.
func changes(before, after []*result.Result, levelBefore, levelAfter []*result.Result) []change {
	names := dataset.Telling(slices.Concat(before, after))
	for _, r := range slices.Concat(before, after) {
		for _, l := range r.Labels {
			if strings.HasPrefix(l.Name, "x_") && !vocabulary.Incidental(l.Name) {
				names = append(names, l.Name)
			}
		}
	}
	slices.Sort(names)
	var out []change
	for _, name := range slices.Compact(names) {
		c := change{name, dataset.LabelValues(before, name), dataset.LabelValues(after, name)}
		slices.Sort(c.was)
		slices.Sort(c.is)
		own := strings.HasPrefix(name, "x_")
		if slices.Equal(c.was, c.is) || own && (len(dataset.LabelValues(levelBefore, name)) > 1 || len(dataset.LabelValues(levelAfter, name)) > 1) {
			continue
		}
		out = append(out, c)
	}
	return out
}

// words joins the values of one side of a change.
func words(d *dataset.Selection, name string, values []string) locale.Text {
	var titles []locale.Text
	for _, v := range values {
		titles = append(titles, locale.Lit("—"))
		if v != "" {
			titles[len(titles)-1] = d.Title(name, v)
		}
	}
	return locale.Join(" / ", titles...)
}

// changed describes the labels that differ on both sides of a step, with their old and new values.
func changed(d *dataset.Selection, all []change) locale.Text {
	var texts []locale.Text
	for _, c := range all {
		texts = append(texts, locale.T("steps.label", locale.LabelName(c.name), words(d, c.name, c.was), words(d, c.name, c.is)))
	}
	if len(texts) == 0 {
		return locale.T("steps.nothing")
	}
	return locale.Join(" · ", texts...)
}
