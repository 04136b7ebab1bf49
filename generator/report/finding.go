package report

import (
	"github.com/benchpost/benchpost/generator/locale"
)

// Findings is what a set of runs shows, in sentences.
type Findings struct {
	Title    locale.Text // may be empty
	Claims   []Finding   // the most telling first
	Withheld []Finding   // what the figures say and the checks forbid to claim
	Limits   []Finding   // what the data cannot say
}

// Finding is one claim: a sentence and the runs it rests on.
type Finding struct {
	Rule   string      // the rule that made it, as "leader"
	Text   locale.Text // one or two sentences
	Reason locale.Text // of a withheld one: why it is not claimed; of an answer: what else was considered
	Runs   []string    // ids of the results it rests on, in order
	N      int         // the fewest repeats any of its figures rests on
	Effect float64     // size of what is claimed, as the logarithm of a ratio; 0 when it is none
}
