package format

import (
	"math"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
)

// A benchmark may print its result and also save it, and a page or a log may hold both. They are one result: it has the
// saved figures, which have all their digits, and the settings of both.

// joinPrinted joins each printed result of a file with the saved result of the same run.
func (in *input) joinPrinted() {
	all := in.Out.Results
	places := func(is func(*result.Result) bool) (places []int) {
		for i := range all {
			if is(&all[i]) {
				places = append(places, i)
			}
		}
		return places
	}
	saved := places(isSaved)
	if saved == nil {
		return
	}
	printed := places(func(r *result.Result) bool { return strings.HasSuffix(r.Format, "-text") })
	joined := map[int]bool{}
	for _, i := range saved {
		to := &all[i]
		at := slices.IndexFunc(printed, func(n int) bool { return isSameRun(&all[n], to) })
		if at < 0 {
			continue
		}
		n := printed[at]
		for _, l := range all[n].Labels {
			if _, known := to.Labels.Lookup(l.Name); !known {
				to.Labels.Set(l)
			}
		}
		joined[n], printed = true, slices.Delete(printed, at, at+1)
	}
	if len(joined) == 0 {
		return
	}
	kept := all[:0]
	for i := range all {
		if !joined[i] {
			kept = append(kept, all[i])
		}
	}
	clear(all[len(kept):])
	in.Out.Results = kept
}

func isSaved(r *result.Result) bool {
	return strings.HasSuffix(r.Format, "-json") || strings.HasSuffix(r.Format, "-jsonl")
}

// isSameRun reports whether a printed result and a saved result are of the same run: the tool is the same, at least
// five figures are common, all common figures are equal to the printed precision, and no settings differ.
func isSameRun(printed, saved *result.Result) bool {
	const enough = 5
	if printed.Tool != saved.Tool {
		return false
	}
	common := 0
	for i := range printed.Metrics {
		m := &printed.Metrics[i]
		other, ok := saved.Metric(m.Name)
		if !ok || m.Derived {
			continue
		}
		if math.Abs(other.Value-m.Value) > 0.51*math.Pow10(-int(max(m.Decimals, 0))) {
			return false
		}
		common++
	}
	if common < enough {
		return false
	}
	for i := range printed.Labels {
		l := &printed.Labels[i]
		if other, ok := saved.Labels.Lookup(l.Name); ok && other.Value != l.Value && l.Origin == result.Measured && other.Origin == result.Measured {
			return false
		}
	}
	return true
}
