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

// Readable has bytes and operations in a unit in which they are read, the columns of one metric in the same. It is
// asked for before the best are marked, which may take more digits.
func (t *Table) Readable() {
	units := map[string]magnitude.Unit{} // by metric
	for i := range t.Columns {
		column := &t.Columns[i]
		if _, never := magnitude.Sheet(column.Unit); column.Metric == "" || !never {
			continue
		}
		unit, chosen := units[column.Metric]
		if !chosen {
			most := t.greatest(column.Metric)
			unit = magnitude.For(column.Unit, most, most)
			units[column.Metric] = unit
		}
		column.Unit = unit.Name
		for n := range t.Rows {
			if c := &t.Rows[n].Cells[i]; c.Numeric && !c.Missing {
				read(c, unit)
			}
		}
	}
}

// greatest returns the greatest figure of a metric, in size.
func (t *Table) greatest(metric string) float64 {
	most := 0.0
	for i := range t.Columns {
		for n := range t.Rows {
			if c := &t.Rows[n].Cells[i]; t.Columns[i].Metric == metric && c.Numeric && !c.Missing {
				most = max(most, math.Abs(c.Value))
			}
		}
	}
	return most
}

// read brings a figure, its repeats, and what is said of them to a unit.
func read(c *report.Cell, unit magnitude.Unit) {
	after := strings.TrimPrefix(locale.English(c.Text), figure(c)) // its interval
	c.Value = unit.Of(c.Value)
	c.Text = locale.Lit(magnitude.Digits(c.Value) + after)
	c.Samples = slices.Clone(c.Samples) // which are the dataset's
	for i := range c.Samples {
		c.Samples[i] = unit.Of(c.Samples[i])
	}
	if s := stats.Summarize(c.Samples); s.N > 1 {
		c.Spread = locale.T("report.spread", s.N, magnitude.Digits(s.Low), magnitude.Digits(s.High), Share(s.CV))
	}
}
