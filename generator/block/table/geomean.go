package table

import (
	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// geomean adds a last row: for each directed metric the geometric mean of the ratios to the baseline. It skips ratios
// with a figure that could not be marked as best, and notes how many rows a mean has.
func geomean(t *builder.Table, percent bool) {
	var base *report.Row
	for i := range t.Rows {
		if t.Rows[i].Baseline {
			base = &t.Rows[i]
		}
	}
	mean := report.Row{Summary: true, Cells: make([]report.Cell, len(t.Columns))}
	mean.Cells[0].Text = locale.T("report.geomean")
	for c, col := range t.Columns {
		if col.Metric == "" || col.Better == result.Neutral {
			continue
		}
		var ratios []float64
		for i := range t.Rows {
			cell, of := &t.Rows[i].Cells[c], &base.Cells[c]
			if !t.Rows[i].Baseline && builder.Contests(cell) && builder.Contests(of) && cell.Value > 0 && of.Value > 0 {
				ratios = append(ratios, cell.Value/of.Value)
			}
		}
		mean.Cells[c] = t.MeanCell(ratios, len(t.Rows)-1, percent, "report.geomean")
	}
	t.Rows = append(t.Rows, mean)
}
