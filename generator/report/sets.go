package report

import (
	"maps"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/result"
)

// tellsRepeats are the labels that tell repeats of one run apart.
var tellsRepeats = map[string]bool{"repeat": true, "date": true, "published": true, "source": true, "past_commit": true}

// TellsRepeats tells whether runs may differ in a label and still be repeats of
// one another.
func TellsRepeats(label string) bool { return tellsRepeats[label] }

// RepeatSets numbers results by the run they are repeats of, from 0 in order of
// appearance: equal in every label but those that tell repeats apart, and alike
// in what they measure.
func RepeatSets(rs []*result.Result) []int {
	sets := make([]int, len(rs))
	type kind struct {
		first *result.Result
		set   int
	}
	kinds := map[string][]kind{} // by what the labels say
	next := 0
	for i, r := range rs {
		var key strings.Builder
		labels := maps.Collect(r.Labels.Values())
		for _, name := range slices.Sorted(maps.Keys(labels)) {
			if !TellsRepeats(name) && name != "power_scope" && !strings.HasPrefix(name, "x_") {
				key.WriteString(name + "\x00" + labels[name] + "\x00")
			}
		}
		same := kinds[key.String()]
		at := slices.IndexFunc(same, func(k kind) bool { return MeasureAlike(k.first, r) })
		if at < 0 {
			at = len(same)
			same = append(same, kind{r, next})
			kinds[key.String()] = same
			next++
		}
		sets[i] = same[at].set
	}
	return sets
}

// LabelFigure gives the figure that a label's value holds and its unit, one unit
// for all values of a label: sizes in GB, parameters in G (10⁹), else as written.
func LabelFigure(label, value string) (figure float64, unit string, ok bool) {
	switch label {
	case "weight_size", "active_weight_size", "memory":
		v, ok := audit.Quantity(value)
		return v / 1e9, "GB", ok
	case "params", "active_params":
		v, ok := audit.Parameters(value)
		return v / 1e9, "G", ok
	}
	v, _, unit, ok := labelNumber(value)
	return v, unit, ok
}
