package builder

import (
	"math"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/magnitude"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/stats"
)

// Readable converts bytes and operations to a readable unit. All columns of one metric get the same unit and number of
// decimals. It must run before MarkBest, which may add decimals.
func (t *Table) Readable() {
	for i := range t.Columns {
		column := t.Columns[i]
		if column.Metric == "" {
			continue
		}
		columns, cells := t.of(column.Metric, column.Unit)
		least, greatest := extremes(cells)
		unit, other := magnitude.Read(column.Unit, greatest)
		if !other {
			continue
		}
		decimals := decimalsFor(unit.Of(least), unit.Of(greatest))
		for _, c := range columns {
			c.Unit = unit.Name
		}
		for _, c := range cells {
			read(c, unit, decimals)
		}
	}
}

// of returns the columns of a metric that are in a unit, and the figures in them.
func (t *Table) of(metric, unit string) (columns []*report.Column, cells []*report.Cell) {
	for i := range t.Columns {
		if t.Columns[i].Metric != metric || t.Columns[i].Unit != unit {
			continue
		}
		columns = append(columns, &t.Columns[i])
		for n := range t.Rows {
			if c := &t.Rows[n].Cells[i]; c.Numeric && !c.Missing {
				cells = append(cells, c)
			}
		}
	}
	return columns, cells
}

// extremes returns the smallest nonzero and the greatest absolute value of some figures.
func extremes(cells []*report.Cell) (least, greatest float64) {
	for _, c := range cells {
		size := math.Abs(c.Value)
		if greatest = max(greatest, size); size > 0 && (least == 0 || size < least) {
			least = size
		}
	}
	return least, greatest
}

// decimalsFor returns the number of decimals with which the greatest figure has three digits and the least two, between
// 1 and 4.
func decimalsFor(least, greatest float64) int {
	digits := func(v float64, significant int) int { return significant - 1 - int(math.Floor(math.Log10(v))) }
	return min(max(1, digits(greatest, 3), digits(least, 2)), 4)
}

// read converts a figure, its repeats and its spread to a unit.
func read(c *report.Cell, unit magnitude.Unit, decimals int) {
	interval := strings.TrimPrefix(locale.English(c.Text), figure(c))
	c.Value = unit.Of(c.Value)
	c.Text = locale.Lit(Round(c.Value, decimals) + interval)
	c.Samples = slices.Clone(c.Samples) // the original belongs to the dataset
	for i := range c.Samples {
		c.Samples[i] = unit.Of(c.Samples[i])
	}
	if s := stats.Summarize(c.Samples); s.N > 1 {
		c.Spread = locale.T("report.spread", s.N, Round(s.Low, decimals), Round(s.High, decimals), Share(s.CV))
	}
}
