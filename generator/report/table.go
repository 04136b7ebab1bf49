// Package report holds the types of what is shown: tables, charts, findings and
// values inside prose. They know no layout and no language; what they say is
// locale.Text, and every figure keeps the run it comes from. Package block makes
// them; page, blogpost, chart and export show them.
package report

import (
	"slices"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Align is the side a column's text is on.
type Align int

const (
	Left Align = iota
	Right
	Center
)

// Table is the one model behind every table, whatever it is rendered to.
type Table struct {
	Kind    string      // as the block it is of; "summary" for a plain one
	Caption locale.Text // may be empty
	Columns []Column
	Rows    []Row
	Answers []Finding // what the table comes to, said below it; may be empty
	Notes   []Note    // numbered from 1 by position; cells refer to them
}

// Noted reports whether a cell has a note of some severity, or a worse one.
func (t *Table) Noted(c *Cell, least result.Severity) bool {
	return slices.ContainsFunc(c.Notes, func(n int) bool {
		return n >= 1 && n <= len(t.Notes) && t.Notes[n-1].Severity >= least
	})
}

// Column is a header: its words, and the unit that goes with them.
type Column struct {
	Group  locale.Text // is over this and its neighbours of the same group; may be empty
	Title  locale.Text
	Unit   string // "" when none; never repeated in the cells
	Align  Align
	Metric string        // the metric shown, "" for labels
	Better result.Better // direction, for a mark in the header
}

// Row is a line of the table. A excluded row stays visible, struck.
type Row struct {
	Cells    []Cell
	Anchor   string // by which links name the row; "" for none
	Excluded bool
	Baseline bool // the row others are compared with
	Summary  bool // what rows above come to, as their mean: no run is behind it
}

// Cell is one entry.
type Cell struct {
	Text    locale.Text
	Missing bool    // no run has this value; shown as an em dash
	Value   float64 // for sorting; meaningful when Numeric
	Numeric bool
	Best    bool        // best of its column
	Change  locale.Text // ratio or per cent against the baseline; may be empty
	Run     string      // id of the result the figure comes from, "" when none
	Others  []string    // ids of the others that it rests on: the repeats
	Source  result.Position
	Field   string // the tool's name of the figure
	URL     string // a link the site's author gave, as a model's page
	Notes   []int  // numbers of Table.Notes

	Rule string      // the stated rule that gave a verdict, as "tradeoff.fastest"; "" for figures
	Why  locale.Text // what the verdict rests on, shown on hover

	Spark *Spark // the course that the entry is the end of, drawn before its text; nil for none

	Spread locale.Text // of repeats: how many, from where to where; shown on hover

	Doubted bool      // a warning concerns the figure: never best
	Weak    bool      // from too few samples for what it claims: shown greyed
	Samples []float64 // the values of the repeats; nil when the table is finished
	P       float64   // of the test against what Change is against; 0 for none and when the table is finished

	Excluded bool // a check of severity error excludes its run: shown struck, never best
}

// Note is a footnote.
type Note struct {
	Severity result.Severity
	Text     locale.Text
}
