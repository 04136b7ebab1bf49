package dataset

import (
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Plan is a set of planned measurements: every combination of the values of some labels, without exceptions.
// Each combination is a cell.
type Plan struct {
	Name    string
	Title   locale.Text       // may be empty
	Labels  []PlanLabel       // at least one
	Except  []result.Selector // combinations that are not planned
	Repeats int               // runs wanted in each cell; at least 1
	Where   result.Selector   // which runs count
}

// PlanLabel is a label with its planned values, in the order in which they are shown.
type PlanLabel struct {
	Name   string
	Values []string
}
