// Package report holds the types of what is shown: tables, charts, findings and values inside prose. They do not depend
// on a layout or a language: their texts are locale.Text, and every figure keeps the run it comes from. Package block
// makes them; page, blogpost, chart and export show them.
package report

import (
	"slices"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Align is the alignment of a column's text.
type Align int

const (
	Left Align = iota
	Right
	Center
)

// Table is the model of every table, for all output formats.
type Table struct {
	Kind    string      // kind of its block; "summary" for a plain table
	Caption locale.Text // may be empty
	Columns []Column
	Rows    []Row
	Answers []Finding // conclusions from the table, shown below it; may be empty
	Notes   []Note    // numbered from 1; cells refer to the numbers
}

// Noted reports whether a cell has a note of at least the given severity.
func (t *Table) Noted(c *Cell, least result.Severity) bool {
	return slices.ContainsFunc(c.Notes, func(n int) bool {
		return n >= 1 && n <= len(t.Notes) && t.Notes[n-1].Severity >= least
	})
}

// Column is a column's header: its title and unit.
type Column struct {
	Group  locale.Text // header above this and neighbouring columns of the same group; may be empty
	Title  locale.Text
	Unit   string // "" if none; never repeated in the cells
	Align  Align
	Metric string        // the metric shown; "" for labels
	Better result.Better // direction, for a mark in the header
}

// Row is a line of the table. An excluded row stays visible, struck through.
type Row struct {
	Cells    []Cell
	Anchor   string // target of links to the row; "" for none
	Excluded bool
	Baseline bool // the row that others are compared with
	Summary  bool // a summary of the rows above, such as their mean; has no run
}

// Cell is one entry of a table.
type Cell struct {
	Text    locale.Text
	Missing bool    // no run has this value; shown as an em dash
	Value   float64 // for sorting; meaningful when Numeric
	Numeric bool
	Best    bool        // best of its column
	Change  locale.Text // ratio or per cent against the baseline; may be empty
	Run     string      // id of the result the figure comes from; "" if none
	Others  []string    // ids of the other repeats that the figure rests on
	Source  result.Position
	Field   string // the tool's own name of the figure
	URL     string // a link given by the site's author, e.g. to a model's page
	Notes   []int  // indices into Table.Notes, counted from 1

	Rule string      // the rule that gave a verdict, e.g. "tradeoff.fastest"; "" for figures
	Why  locale.Text // what the verdict rests on; shown on hover

	Spark *Spark // the history that ends with this entry, drawn before its text; nil for none

	Spread locale.Text // number and range of the repeats; shown on hover

	Doubted bool      // a warning concerns the figure: never best
	Weak    bool      // computed from too few samples: shown in grey
	Samples []float64 // the values of the repeats; nil when the table is finished
	P       float64   // p-value of the test behind Change; 0 if there is none and when the table is finished

	Excluded bool // a check of severity error excludes its run: shown struck through, never best
}

// Note is a footnote.
type Note struct {
	Severity result.Severity
	Text     locale.Text
}
