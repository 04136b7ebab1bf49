package report

import (
	"slices"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Unlike is the id of the warning that compared runs differ in settings which are not laid out.
const Unlike = "compare.unlike"

// Inline is an evaluated inline value.
type Inline struct {
	Text   string
	Runs   []*result.Result // the runs that the value is computed from, each once
	Unlike []locale.Text    // settings in which the runs differ, not named by a selector nor accepted
}

// Excluded reports whether a check excluded one of the runs.
func (in Inline) Excluded() bool {
	return slices.ContainsFunc(in.Runs, (*result.Result).Excluded)
}

// Warning returns the warning for the author of a value whose runs differ in other settings. It is false if there is
// none.
func (in Inline) Warning(pos result.Position) (result.Message, bool) {
	return result.Message{Pos: pos, Severity: result.Warning, ID: Unlike,
		Text: locale.Textf("the runs of this value differ in other settings. %s", locale.Sentences(in.Unlike...)),
		Hint: locale.Textf("say so in the text, or compare runs with the same settings")}, len(in.Unlike) > 0
}
