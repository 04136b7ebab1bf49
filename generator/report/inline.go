package report

import (
	"slices"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Unlike is the id of the warning that runs are compared which differ in more
// than what is laid out.
const Unlike = "compare.unlike"

// Inline is an inline value, evaluated.
type Inline struct {
	Text   string
	Runs   []*result.Result // whose figures it is made of, each once
	Unlike []locale.Text    // settings in which they differ, though no selector names them and the author does not know
}

// Excluded reports whether a check excluded one of the runs.
func (in Inline) Excluded() bool {
	return slices.ContainsFunc(in.Runs, (*result.Result).Excluded)
}

// Warning is what the author has to know of a value whose runs are not alike.
func (in Inline) Warning(pos result.Position) (result.Message, bool) {
	return result.Message{Pos: pos, Severity: result.Warning, ID: Unlike,
		Text: locale.Textf("the runs of this value differ in other settings. %s", locale.Sentences(in.Unlike...)),
		Hint: locale.Textf("say so in the text, or compare runs with the same settings")}, len(in.Unlike) > 0
}
