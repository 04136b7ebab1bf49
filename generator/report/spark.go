package report

import "github.com/benchpost/benchpost/generator/locale"

// Spark is a series drawn as small as a word: its course, and its last level apart from
// what was before.
type Spark struct {
	Places    []float64 // along, ascending
	Values    []float64 // one for each place
	Low, High float64   // what the height spans; all values are within
	Level     int       // index of the first value of the last level; 0 where there is one level
	Verdict   Verdict   // of the step to that level
	Text      locale.Text
}

// Verdict is what a change of level is called.
type Verdict string

const (
	Steady      Verdict = ""            // no change of level
	Regression  Verdict = "regression"  // for the worse, and the runs support it
	Improvement Verdict = "improvement" // for the better, and the runs support it
	Shift       Verdict = "shift"       // of a metric that has no better direction; the runs support it
	Unsettled   Verdict = "unsettled"   // the runs do not yet support it
)
