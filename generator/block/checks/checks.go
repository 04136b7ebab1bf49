// Package checks lists what the checks found about runs: a row for each finding, with the runs it concerns.
package checks

import (
	"cmp"
	"slices"

	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// Spec holds the keys of the block checks.
type Spec struct {
	Where   string
	Caption string
	Notes   []string
}

// mostNamed is the number of runs that a row names.
const mostNamed = 4

// Table lists what checks found about the selected runs, errors first. Findings of one check that are shares of a limit
// share a row. Waived findings are shown with the reason. If there are no findings, the table has one row that says so.
func Table(d *dataset.Selection, s Spec) (*builder.Table, error) {
	rs, err := d.Select(s.Where)
	if err != nil {
		return nil, err
	}
	t := builder.NewTable("checks", locale.Lit(s.Caption))
	t.Columns = []report.Column{{Title: locale.T("checks.severity")}, {Title: locale.T("checks.found")}, {Title: locale.T("checks.runs")}}
	for _, f := range found(rs) {
		t.Rows = append(t.Rows, f.row(d))
	}
	if len(t.Rows) == 0 {
		t.Rows = []report.Row{{Cells: []report.Cell{{Missing: true}, {Text: locale.T("checks.none", len(rs))}, {Missing: true}}}}
	}
	for _, n := range s.Notes {
		t.Note(result.Info, locale.Lit(n))
	}
	return t, nil
}

// finding is a row: what was found, and the runs it concerns.
type finding struct {
	severity result.Severity
	text     locale.Text
	runs     []*result.Result
}

// found returns the findings of checks: errors first, then those that concern most runs. It skips those of severity
// info.
func found(rs []*result.Result) []finding {
	var rulings builder.Rulings
	var runs [][]*result.Result
	var waived []finding
	for _, r := range rs {
		for i := range r.Checks {
			ck := &r.Checks[i]
			switch {
			case ck.Severity == result.Info:
			case ck.Waived != "":
				text := locale.Sentences(ck.Text, locale.T("report.waived", ck.ID, ck.Waived))
				at := slices.IndexFunc(waived, func(f finding) bool { return locale.English(f.text) == locale.English(text) })
				if at < 0 {
					at = len(waived)
					waived = append(waived, finding{result.Info, text, nil})
				}
				waived[at].runs = append(waived[at].runs, r)
			default:
				at := rulings.Add(ck)
				if at == len(runs) {
					runs = append(runs, nil)
				}
				if !slices.Contains(runs[at], r) {
					runs[at] = append(runs[at], r)
				}
			}
		}
	}
	var out []finding
	for i := range rulings {
		out = append(out, finding{rulings.Severity(i), rulings.Words(i), runs[i]})
	}
	out = append(out, waived...)
	slices.SortStableFunc(out, func(a, b finding) int {
		return cmp.Or(cmp.Compare(b.severity, a.severity), cmp.Compare(len(b.runs), len(a.runs)))
	})
	return out
}

// row returns the row of a finding. The cell of the runs links to each of them.
func (f finding) row(d *dataset.Selection) report.Row {
	var names []locale.Text
	for _, r := range f.runs {
		names = append(names, name(d, r))
	}
	names = d.Distinct(f.runs, names)
	names = names[:min(mostNamed, len(names))]
	who := locale.List(names...)
	if more := len(f.runs) - mostNamed; more > 0 {
		who = locale.T("checks.more", locale.List(names...), more)
	}
	cell := report.Cell{Text: who, Run: f.runs[0].ID}
	for _, r := range f.runs[1:] {
		cell.Others = append(cell.Others, r.ID)
	}
	return report.Row{Cells: []report.Cell{{Text: locale.T("checks." + f.severity.String())}, {Text: f.text}, cell}}
}

// name returns the name of a run in a row: its model and load, or else its id.
func name(d *dataset.Selection, r *result.Result) locale.Text {
	model := r.Label("model")
	if model == "" {
		return locale.Lit(r.ID)
	}
	words := []locale.Text{d.Title("model", model)}
	for _, label := range []string{"load", "scenario", "max_concurrency"} {
		if v := r.Label(label); v != "" {
			return locale.Join(" · ", append(words, d.Held(label, v))...)
		}
	}
	return words[0]
}
