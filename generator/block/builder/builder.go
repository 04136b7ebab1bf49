// Package builder makes tables and charts: cells of figures, headers, axes,
// numbers in words, and the footnotes of what checks found. Every kind of block
// uses it. A Table or Chart is filled and then finished, which adds the notes
// that all of its cells are needed for.
package builder

import (
	"slices"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// Table is a table while it is made.
type Table struct {
	report.Table
	Compared Comparison

	marks    marks
	noted    map[string]int // the number of a footnote by what it says in English
	farApart []locale.Text  // what cells say of repeats that were measured far apart
}

// NewTable begins a table.
func NewTable(kind string, caption locale.Text) *Table {
	return &Table{Table: report.Table{Kind: kind, Caption: caption}}
}

// Chart is a chart while it is made.
type Chart struct {
	report.Chart
	Compared Comparison
	Metrics  []string // that are drawn
	Repeats  []int    // behind each point
	Below    *Table   // what is read off the chart; nil for none

	// What the error bars are: some points have repeats enough for an interval
	// of the median, others show the range of all.
	Intervals, Ranges bool

	LeftOut bool // some median is without a repeat that a check has excluded

	FarApart []locale.Text // what to say of repeats that were measured far apart

	unplaced []unplaced
}

// Finish completes a table: what checks say of its cells, in what its runs
// differ, and how often they were repeated.
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
	for i := range t.Rows { // a site has many tables: what was needed on the way goes
		for j := range t.Rows[i].Cells {
			t.Rows[i].Cells[j].Samples = nil
		}
	}
	return &t.Table, ms
}

// Finish completes a chart: what checks say of its runs, and in what they
// differ.
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

// FarApart is the id of the warning that runs are pooled which were measured at
// very different times.
const FarApart = "compare.dates"

// farApart warns the author of a block once of repeats that were measured far
// apart.
func farApart(notes []locale.Text, fence result.Position) []result.Message {
	if len(notes) == 0 {
		return nil
	}
	return []result.Message{{Pos: fence, Severity: result.Warning, ID: FarApart,
		Text: locale.Textf("runs of very different dates are treated as repeats: %s", notes[0]),
		Hint: locale.Textf("a note says so; name dates in where, make date a row or column, or declare engine_version if it changed")}}
}

// Shown is the table as it is shown; nil for none.
func (t *Table) Shown() *report.Table {
	if t == nil {
		return nil
	}
	return &t.Table
}
