package report

import "github.com/benchpost/benchpost/generator/locale"

// Spark is a series drawn as small as a word. Its last level is set off from the values before.
type Spark struct {
	Places    []float64 // x positions, ascending
	Values    []float64 // one for each place
	Low, High float64   // range of the height; contains all values
	Level     int       // index of the first value of the last level; 0 if there is only one level
	Verdict   Verdict   // of the step to that level
	Text      locale.Text
}

// Verdict classifies a change of level.
type Verdict string

const (
	Steady      Verdict = ""            // no change of level
	Regression  Verdict = "regression"  // for the worse, supported by the runs
	Improvement Verdict = "improvement" // for the better, supported by the runs
	Shift       Verdict = "shift"       // in a metric without a better direction, supported by the runs
	Unsettled   Verdict = "unsettled"   // not yet supported by the runs
)
