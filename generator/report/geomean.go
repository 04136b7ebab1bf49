package report

import (
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
)

// geomean adds a last row that says what the others come to: of each directed
// figure the geometric mean of the ratios to the baseline. Ratios that rest on
// a figure which could not be the best are left out, and a note tells how many
// rows stand behind a mean.
func (t *Table) geomean(percent bool) {
	var base *Row
	for i := range t.Rows {
		if t.Rows[i].Baseline {
			base = &t.Rows[i]
		}
	}
	mean := Row{Summary: true, Cells: make([]Cell, len(t.Columns))}
	mean.Cells[0].Text = locale.T("report.geomean")
	for c, col := range t.Columns {
		if col.Metric == "" || col.Better == result.Neutral {
			continue
		}
		var ratios []float64
		for i := range t.Rows {
			cell, of := &t.Rows[i].Cells[c], &base.Cells[c]
			if !t.Rows[i].Baseline && cell.contests() && of.contests() && cell.Value > 0 && of.Value > 0 {
				ratios = append(ratios, cell.Value/of.Value)
			}
		}
		mean.Cells[c] = t.meanCell(ratios, len(t.Rows)-1, percent, "report.geomean")
	}
	t.Rows = append(t.Rows, mean)
}

// meanCell is the geometric mean of the ratios that hold, of all that there
// could be. Its notes are the words called so.
func (t *Table) meanCell(ratios []float64, all int, percent bool, words string) Cell {
	mean, ok := stats.GeoMean(ratios)
	if !ok {
		return Cell{Missing: true, Notes: []int{t.note(result.Info, locale.T(words+".none"))}}
	}
	note := locale.T(words+".all", all)
	if len(ratios) < all {
		note = locale.T(words+".part", len(ratios), all)
	}
	return Cell{Text: change(mean, 1, percent), Value: mean, Numeric: true, Notes: []int{t.note(result.Info, note)}}
}
