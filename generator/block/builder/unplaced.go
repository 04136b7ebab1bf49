package builder

import (
	"slices"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Unplaced is the id of the message that a chart does not show all selected runs.
const Unplaced = "chart.unplaced"

// unplaced counts runs that have no place in a chart because they lack a label over which it is laid out.
type unplaced struct {
	label string
	runs  int
}

// Place compares the selected runs with those that the chart shows. It counts runs that have a figure but no place in
// the chart, so that readers do not take the chart for all that was measured.
func (c *Chart) Place(selected []*result.Result) {
	shown := map[*result.Result]bool{}
	for _, r := range c.Compared.Runs {
		shown[r] = true
	}
	for _, r := range selected {
		if shown[r] || !slices.ContainsFunc(c.Metrics, func(name string) bool { _, ok := r.Metric(name); return ok }) {
			continue
		}
		lacks := slices.IndexFunc(c.Compared.Laid, func(label string) bool { return label != "" && r.Label(label) == "" })
		if lacks < 0 {
			continue
		}
		label := c.Compared.Laid[lacks]
		i := slices.IndexFunc(c.unplaced, func(u unplaced) bool { return u.label == label })
		if i < 0 {
			i = len(c.unplaced)
			c.unplaced = append(c.unplaced, unplaced{label: label})
		}
		c.unplaced[i].runs++
	}
}

// notPlaced returns notes for readers and messages for the author about the runs that the chart does not show.
func (c *Chart) notPlaced(fence result.Position) (notes []locale.Text, ms []result.Message) {
	for _, u := range c.unplaced {
		name := locale.Inside(locale.LabelName(u.label))
		notes = append(notes, locale.T("chart-note.unplaced", u.runs, name))
		ms = append(ms, result.Message{Pos: fence, Severity: result.Info, ID: Unplaced,
			Text: locale.Textf("%s without the label %s: the chart does not show them", locale.Plural(u.runs, "1 run", "%d runs"), u.label),
			Hint: locale.Textf(`a note says so; declare the label in a run.toml, or leave them out with %s!="" in where`, u.label)})
	}
	return notes, ms
}
