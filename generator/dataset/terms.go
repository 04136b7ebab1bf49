package dataset

import (
	"slices"

	"github.com/benchpost/benchpost/generator/result"
)

// SameTerms reports whether results in the same order differ in nothing but what was measured and checked: they have the
// same ids, labels and metrics, whose values may differ. What follows from the labels is the same then, so
// are their Neighbours. Only those that are others are looked at.
func SameTerms(before, now []*result.Result) bool {
	return slices.EqualFunc(before, now, func(a, b *result.Result) bool { return a == b || sameTerms(a, b) })
}

func sameTerms(a, b *result.Result) bool {
	return a.ID == b.ID && a.Source.File == b.Source.File && a.Tool == b.Tool && a.Format == b.Format && a.Status == b.Status &&
		a.Auxiliary() == b.Auxiliary() &&
		slices.EqualFunc(a.Labels, b.Labels, func(x, y result.Label) bool { return x.Name == y.Name && x.Value == y.Value && x.Origin == y.Origin }) &&
		slices.EqualFunc(a.Metrics, b.Metrics, func(x, y result.Metric) bool {
			return x.Name == y.Name && x.Unit == y.Unit && x.Better == y.Better && (x.Value == y.Value || x.Name != inputTokens && x.Name != outputTokens)
		}) &&
		slices.EqualFunc(a.Distributions, b.Distributions, func(x, y result.Distribution) bool { return x.Family == y.Family })
}

// Metrics by which the lengths of requests are known where no label names them.
const inputTokens, outputTokens = "input_tokens", "output_tokens"
