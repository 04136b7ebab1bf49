// Package builder makes tables and charts: cells of figures, headers, axes, numbers as text, and the footnotes about
// what checks found. Every kind of block uses it. A Table or Chart is filled and then finished. Finishing adds the
// notes that depend on all cells.
package builder

import (
	"slices"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// Table is a table under construction.
type Table struct {
	report.Table
	Compared Comparison

	marks    marks
	noted    map[string]int // number of a footnote by its English text
	farApart []locale.Text  // what cells say about repeats measured far apart
}

// NewTable returns an empty table.
func NewTable(kind string, caption locale.Text) *Table {
	return &Table{Table: report.Table{Kind: kind, Caption: caption}}
}

// Chart is a chart under construction.
type Chart struct {
	report.Chart
	Compared Comparison
	Metrics  []string // the metrics that are drawn
	Repeats  []int    // number of repeats behind each point
	Below    *Table   // table with values read off the chart; nil for none

	// The kinds of error bars in the chart. Intervals: some points have enough repeats for an interval of the median.
	// Ranges: some points show the range of all repeats.
	Intervals, Ranges bool

	LeftOut bool // some median omits a repeat that a check has excluded

	FarApart []locale.Text // what to say about repeats measured far apart

	unplaced []unplaced
}

// Finish completes a table. It adds what checks say about the cells, in which settings the runs differ, and how often
// they were repeated.
func (t *Table) Finish(d *dataset.Selection, fence result.Position) (*report.Table, []result.Message) {
	t.settle()
	t.tested()
	t.repeated()
	var ms []result.Message
	if len(t.Compared.Runs) > 1 {
		var notes []locale.Text
		notes, ms = unlike(d, t.Compared, fence)
		for _, n := range notes {
			t.Note(result.Warning, n)
		}
		t.single(d.Thresholds().Noise)
	}
	ms = append(ms, farApart(t.farApart, fence)...)
	for i := range t.Rows { // the samples are no longer needed, and a site has many tables
		for j := range t.Rows[i].Cells {
			t.Rows[i].Cells[j].Samples = nil
		}
	}
	return &t.Table, ms
}

// Finish completes a chart. It adds what checks say about the runs, and in which settings they differ.
func (c *Chart) Finish(d *dataset.Selection, fence result.Position) (*report.Chart, []result.Message) {
	c.Notes = append(c.Notes, c.Remarks()...)
	notes, ms := unlike(d, c.Compared, fence)
	absent, warnings := c.notPlaced(fence)
	c.Notes, ms = slices.Concat(c.Notes, notes, absent), append(ms, warnings...)
	for _, n := range c.FarApart {
		c.Notes = append(c.Notes, locale.Sentences(n))
	}
	return &c.Chart, append(ms, farApart(c.FarApart, fence)...)
}

// FarApart is the id of the warning that runs measured at very different times are pooled.
const FarApart = "compare.dates"

// farApart warns the author of a block once about repeats that were measured far apart.
func farApart(notes []locale.Text, fence result.Position) []result.Message {
	if len(notes) == 0 {
		return nil
	}
	return []result.Message{{Pos: fence, Severity: result.Warning, ID: FarApart,
		Text: locale.Textf("runs of very different dates are treated as repeats: %s", notes[0]),
		Hint: locale.Textf("a note says so; name dates in where, make date a row or column, or declare engine_version if it changed")}}
}

// Shown returns the finished table, nil for none.
func (t *Table) Shown() *report.Table {
	if t == nil {
		return nil
	}
	return &t.Table
}
