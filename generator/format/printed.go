package format

import (
	"math"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
)

// A benchmark may print its result and save it, and a page or a log may hold both. They are
// one result: the saved figures, which have all their digits, with the settings of both.

// joinPrinted joins the results of a file that were printed with those that were saved.
func (in *input) joinPrinted() {
	isText := func(r result.Result) bool { return strings.HasSuffix(r.Format, "-text") }
	all := in.Out.Results
	if !slices.ContainsFunc(all, isText) || !slices.ContainsFunc(all, func(r result.Result) bool { return isSaved(&r) }) {
		return
	}
	joined := map[int]bool{}
	for i := range all {
		saved := &all[i]
		if !isSaved(saved) {
			continue
		}
		for n := range all {
			if printed := &all[n]; isText(*printed) && !joined[n] && isSameRun(printed, saved) {
				for _, l := range printed.Labels {
					if _, known := saved.Labels.Lookup(l.Name); !known {
						saved.Labels.Set(l)
					}
				}
				joined[n] = true
				break
			}
		}
	}
	kept := all[:0]
	for i, r := range all {
		if !joined[i] {
			kept = append(kept, r)
		}
	}
	in.Out.Results = kept
}

func isSaved(r *result.Result) bool {
	return strings.HasSuffix(r.Format, "-json") || strings.HasSuffix(r.Format, "-jsonl")
}

// isSameRun reports whether what was printed is what was saved: the same tool, settings
// that do not differ, and enough figures that are equal in the digits that were printed.
func isSameRun(printed, saved *result.Result) bool {
	const enough = 5
	if printed.Tool != saved.Tool {
		return false
	}
	for _, l := range printed.Labels {
		if other, ok := saved.Labels.Lookup(l.Name); ok && other.Value != l.Value && l.Origin == result.Measured && other.Origin == result.Measured {
			return false
		}
	}
	common := 0
	for _, m := range printed.Metrics {
		other, ok := saved.Metric(m.Name)
		if !ok || m.Derived {
			continue
		}
		if math.Abs(other.Value-m.Value) > 0.51*math.Pow10(-int(max(m.Decimals, 0))) {
			return false
		}
		common++
	}
	return common >= enough
}
