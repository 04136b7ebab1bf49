package builder

import (
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
)

// MeanCell returns the cell of the geometric mean of the ratios that count, out of all possible ones. words is the
// prefix of the message keys of its notes.
func (t *Table) MeanCell(ratios []float64, all int, percent bool, words string) report.Cell {
	mean, ok := stats.GeoMean(ratios)
	if !ok {
		return report.Cell{Missing: true, Notes: []int{t.Note(result.Info, locale.T(words+".none"))}}
	}
	note := locale.T(words+".all", all)
	if len(ratios) < all {
		note = locale.T(words+".part", len(ratios), all)
	}
	return report.Cell{Text: Change(mean, 1, percent), Value: mean, Numeric: true, Notes: []int{t.Note(result.Info, note)}}
}
