package report

import (
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Block is an evaluated report block of a post. Exactly one field is set, except that a chart may have a table below
// it.
type Block struct {
	Table    *Table
	Findings *Findings
	Chart    *Chart
	Raw      []Raw
}

// Raw is a run's own output, shown as the tool printed it.
type Raw struct {
	Title  locale.Text // the values of the labels asked for; may be empty
	Result *result.Result
}

// Practice is one of the ways to compare runs.
type Practice struct {
	ID          string
	Title, Text locale.Text
}

// RunChart is a chart of one run.
type RunChart struct {
	Name  string // name of its file: cdf, ttft, power
	Trace bool   // x is the time of the run; otherwise its requests
	Chart Chart
}

// View holds the charts and tables of some runs that are shown without an author's block. They are made like the blocks
// of a post, so the same rules apply to them.
type View struct {
	Title  locale.Text // may be empty
	Charts []*Chart
	Tables []*Table
}
