package dataset

import (
	"slices"
	"strconv"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/result"
)

// filed lists labels about where a run was filed and what a machine costs. They distinguish runs but say
// nothing about the measurement.
var filed = []string{"campaign", "phase", "price_per_hour", "price_date"}

// Conditions returns the labels in which runs of several campaigns have to agree to be summarised together, in
// a uniform spelling: the labels in which repeats agree (see Repeats), except the campaign. If no label states
// the length of prompts or answers, it adds their mean length, rounded to steps as wide as the tolerance for
// repeats.
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

// stepOf returns the middle of the step that contains a number. Each step is wider than the one before by the
// given factor.
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
