package report

import (
	"github.com/benchpost/benchpost/generator/locale"
)

// Findings holds what a set of runs shows, in sentences.
type Findings struct {
	Title    locale.Text // may be empty
	Claims   []Finding   // the most important first
	Withheld []Finding   // claims that the figures suggest but checks do not allow
	Limits   []Finding   // what the data cannot show
}

// Finding is one claim: a sentence and the runs it rests on.
type Finding struct {
	Rule   string      // the rule that made it, e.g. "leader"
	Text   locale.Text // one or two sentences
	Reason locale.Text // for a withheld finding: why it is not claimed; for an answer: what else was considered
	Runs   []string    // ids of the results it rests on, in order
	N      int         // the smallest number of repeats behind any of its figures
	Effect float64     // size of the claimed effect, as the logarithm of a ratio; 0 if there is none
}
