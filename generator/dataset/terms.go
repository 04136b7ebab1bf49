package dataset

import (
	"slices"

	"github.com/benchpost/benchpost/generator/result"
)

// SameTerms reports whether results in the same order have the same ids, labels and metrics, so that only
// measured values and checks differ. The numbers of input and output tokens must be equal, too. Everything that
// follows from labels is then the same, including their Neighbours. Identical pointers are not compared
// further.
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

// Metrics that determine the lengths of requests if no label states them.
const inputTokens, outputTokens = "input_tokens", "output_tokens"
