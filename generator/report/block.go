package report

import (
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Block is a report block of a post, evaluated: exactly one field is set, but that a chart may
// have a table below it.
type Block struct {
	Table    *Table
	Findings *Findings
	Chart    *Chart
	Raw      []Raw
}

// Raw is a run's own output, to be shown as the tool printed it.
type Raw struct {
	Title  locale.Text // the values of the labels asked for; may be empty
	Result *result.Result
}

// Practice is one of the ways in which runs are compared.
type Practice struct {
	ID          string
	Title, Text locale.Text
}

// RunChart is a chart of one run.
type RunChart struct {
	Name  string // of its file: cdf, ttft, power
	Trace bool   // over the time of the run; else over its requests
	Chart Chart
}

// View is what there is to say of some runs when no author has asked for
// anything. It is made of the blocks that a post has, so that the same rules
// hold for it.
type View struct {
	Title  locale.Text // may be empty
	Charts []*Chart
	Tables []*Table
}
