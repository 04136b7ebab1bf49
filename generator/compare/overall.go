package compare

import (
	"cmp"
	"math"
	"slices"

	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Size returns how far apart the medians are, in either direction and relative to noise: 1 for
// a difference as large as the threshold, 2 for the square of its ratio, infinite from or to zero.
// Of what is counted, where every difference counts, the usual noise is the measure.
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

// rank is the place of a verdict in a table of one pair: what differs, whichever way, before what
// is not known and what shows no difference.
func rank(v Verdict) int {
	if v == Better {
		v = Worse
	}
	return slices.Index(Verdicts, v)
}

// bySize puts the figures of a pair in the order in which they are shown: those that differ first, and
// of these those that differ most relative to noise.
func bySize(figures []Figure) {
	slices.SortStableFunc(figures, func(a, b Figure) int {
		if a.Verdict == Same && b.Verdict == Same {
			return 0
		}
		return cmp.Or(cmp.Compare(rank(a.Verdict), rank(b.Verdict)), cmp.Compare(b.Size(), a.Size()), cmp.Compare(a.Metric, b.Metric))
	})
}

// Overall is what all pairs together show of a metric.
type Overall struct {
	Metric string
	Unit   string
	Better result.Better
	Counts map[Verdict]int // of the pairs that have it

	// Ratio is the geometric mean of B by A over the pairs both of whose figures count, Low and High
	// the extremes; Pairs is how many these are, and all are 0 without any.
	Ratio, Low, High float64
	Pairs            int

	Verdict Verdict // Changed when pairs contradict each other
	Size    float64 // of the ratio, as that of a figure
	Figures []*Figure
}

// Overall sums the pairs up, a metric each, in the order of their figures: the largest difference first.
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

// headline returns the metrics that the sentence on top is about: of a percentile the highest that both
// sides have.
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

// listed returns the metrics that are compared unless all are.
func (o *Options) listed() []string {
	if o.Metrics != nil {
		return slices.Clone(o.Metrics)
	}
	return vocabulary.Listed(vocabulary.Compared)
}
