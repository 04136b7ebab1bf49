package compare

import (
	"cmp"
	"math"
	"slices"

	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Size returns how far the medians are apart, in either direction and relative to noise: 1 for a difference as
// large as the threshold, 2 for the square of its ratio, infinity from or to zero. For counts, where every
// difference counts, it is relative to the usual noise.
func (f *Figure) Size() float64 {
	switch {
	case f.HasRatio:
		return sizeOf(f.Ratio, f.Noise)
	case f.Ground == OneSided || f.A.Median == f.B.Median:
		return 0
	}
	return math.Inf(1)
}

func sizeOf(ratio, noise float64) float64 {
	return math.Abs(math.Log(ratio)) / math.Log1p(cmp.Or(noise, usualNoise))
}

// rank returns the position of a verdict in a table of one pair: differences in either direction come before
// uncertain figures and figures without a difference.
func rank(v Verdict) int {
	if v == Better {
		v = Worse
	}
	return slices.Index(Verdicts, v)
}

// bySize sorts the figures of a pair for display: differences first, the largest relative to noise before
// others.
func bySize(figures []Figure) {
	slices.SortStableFunc(figures, func(a, b Figure) int {
		if a.Verdict == Same && b.Verdict == Same {
			return 0
		}
		return cmp.Or(cmp.Compare(rank(a.Verdict), rank(b.Verdict)), cmp.Compare(b.Size(), a.Size()), cmp.Compare(a.Metric, b.Metric))
	})
}

// Overall is what all pairs together show about a metric.
type Overall struct {
	Metric string
	Unit   string
	Better result.Better
	Counts map[Verdict]int // verdicts of the pairs that have it

	// Ratio is the geometric mean of B/A over the pairs in which both values count; Low and High are its
	// extremes, and Pairs is the number of these pairs. All are 0 if there are none.
	Ratio, Low, High float64
	Pairs            int

	Verdict Verdict // Changed if pairs contradict each other
	Size    float64 // size of the ratio, as Figure.Size
	Figures []*Figure
}

// Overall summarises the pairs by metric, in the order of their figures: the largest difference first.
func (c *Comparison) Overall() []Overall {
	var out []Overall
	at := map[string]int{}
	for i := range c.Pairs {
		for n := range c.Pairs[i].Figures {
			f := &c.Pairs[i].Figures[n]
			k, known := at[f.Metric]
			if !known {
				k = len(out)
				at[f.Metric] = k
				out = append(out, Overall{Metric: f.Metric, Unit: f.Unit, Better: f.Better, Counts: map[Verdict]int{}})
			}
			out[k].Figures = append(out[k].Figures, f)
		}
	}
	for i := range out {
		out[i].conclude()
	}
	slices.SortStableFunc(out, func(a, b Overall) int {
		if a.Verdict == Same && b.Verdict == Same {
			return 0
		}
		return cmp.Or(cmp.Compare(rank(a.Verdict), rank(b.Verdict)), cmp.Compare(b.Size, a.Size), cmp.Compare(a.Metric, b.Metric))
	})
	return out
}

func (o *Overall) conclude() {
	var ratios []float64
	for _, f := range o.Figures {
		o.Counts[f.Verdict]++
		if f.HasRatio && f.sound() && f.Ground != Unlike && f.Ground != OneSided {
			ratios = append(ratios, f.Ratio)
		}
	}
	if mean, ok := stats.GeoMean(ratios); ok {
		o.Ratio, o.Low, o.High, o.Pairs = mean, slices.Min(ratios), slices.Max(ratios), len(ratios)
		o.Size = sizeOf(mean, o.Figures[0].Noise)
	}
	if len(o.Figures) == 1 {
		o.Verdict, o.Size = o.Figures[0].Verdict, o.Figures[0].Size()
		return
	}
	better, worse := o.Counts[Better], o.Counts[Worse]
	rises := o.Ratio > 1 == (o.Better == result.Higher)
	switch {
	case better > 0 && worse == 0 && (o.Pairs == 0 || rises):
		o.Verdict = Better
	case worse > 0 && better == 0 && (o.Pairs == 0 || !rises):
		o.Verdict = Worse
	case better > 0 || worse > 0 || o.Counts[Changed] > 0:
		o.Verdict = Changed
	case o.Counts[Same] > 0:
		o.Verdict = Same
	default:
		o.Verdict = o.Figures[0].Verdict
	}
}

// headline returns the metrics that the sentence at the top is about. For percentiles it is the highest that
// both sides have.
func (c *Comparison) headline(all []Overall) []string {
	names := c.options.listed()
	for i, name := range names {
		family, stat, ok := vocabulary.Statistic(name)
		if !ok || stat != tails[0] {
			continue
		}
		for _, tail := range tails {
			if slices.ContainsFunc(all, func(o Overall) bool { return o.Metric == family+"_"+tail && o.inBoth() }) {
				names[i] = family + "_" + tail
				break
			}
		}
	}
	return names
}

// inBoth reports whether some pair has the metric on both sides.
func (o *Overall) inBoth() bool {
	return slices.ContainsFunc(o.Figures, func(f *Figure) bool { return f.Ground != OneSided })
}

// listed returns the metrics that are compared by default.
func (o *Options) listed() []string {
	if o.Metrics != nil {
		return slices.Clone(o.Metrics)
	}
	return vocabulary.Listed(vocabulary.Compared)
}
