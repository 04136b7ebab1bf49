package dataset

import (
	"slices"
	"strconv"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/result"
)

// filed are the labels of where a run was filed and of what a machine costs: they tell runs apart, and say nothing of
// what was measured.
var filed = []string{"campaign", "phase", "price_per_hour", "price_date"}

// Conditions returns what runs of several campaigns have to agree in to be summed up as one: the labels in which
// repeats agree (see Repeats) but for that of the campaign, in one spelling. Where no label says how long prompts or
// answers are, their mean lengths are among them, in steps as wide as those of repeats may be apart.
func Conditions(r *result.Result) result.Labels {
	out := make(result.Labels, 0, len(r.Labels)+2)
	for _, l := range r.Labels {
		if l.Value != "" && tellsApart(l) && !slices.Contains(filed, l.Name) {
			out = append(out, result.Label{Name: l.Name, Value: audit.Spelling(r, l.Name, l.Value)})
		}
	}
	if r.Label("dataset") != "" {
		return out
	}
	for _, length := range []struct {
		label, count string
		tolerance    float64
	}{{"input_len", inputTokens, promptTolerance}, {"output_len", outputTokens, answerTolerance}} {
		if mean := eachRequest(r, length.count); mean > 0 && r.Label(length.label) == "" {
			out.Set(result.Label{Name: length.label, Value: "≈" + stepOf(mean, length.tolerance)})
		}
	}
	return out
}

// stepOf names the step that a number is in, by the middle of it; each step is so many times as wide as the one before.
func stepOf(v, factor float64) string {
	from := 1.0
	for from*factor <= v {
		from *= factor
	}
	for from > v {
		from /= factor
	}
	middle := from * (1 + factor) / 2
	if middle < 100 {
		return strconv.FormatFloat(middle, 'g', 3, 64)
	}
	return strconv.FormatFloat(middle, 'f', 0, 64)
}
