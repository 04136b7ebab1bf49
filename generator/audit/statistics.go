package audit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// statistic is what the name of a metric says of it.
type statistic struct {
	of           *result.Kind
	family, stat string  // "" for no latency
	rank         float64 // −1 for the mean
	isRanked     bool
	whole        string // of a time to the first token the same statistic of whole requests; "" for others
}

func statisticOf(kind *result.Kind) statistic {
	s := statistic{of: kind}
	s.family, s.stat, _ = vocabulary.Statistic(kind.Name)
	if s.rank, s.isRanked = Rank(s.stat); s.stat == "mean" {
		s.rank, s.isRanked = -1, true
	}
	if s.family == "ttft" && s.stat != "std" {
		s.whole = "e2el_" + s.stat
	}
	return s
}

// ranked is a metric at its place in the distribution of its family.
type ranked struct {
	family string
	rank   float64
	at     int            // among the metrics
	m      *result.Metric // that one
}

// classify finds the statistics among the metrics of the result, and their order. Most results have the metrics of
// the one before.
func (c *judge) classify() {
	same := len(c.statistics) == len(c.r.Metrics)
	for i := range c.r.Metrics {
		if kind := c.r.Metrics[i].Kind; i >= len(c.statistics) || c.statistics[i].of != kind {
			c.statistics, same = append(c.statistics[:i], statisticOf(kind)), false
		}
	}
	if same {
		return
	}
	c.statistics, c.order = c.statistics[:len(c.r.Metrics)], c.order[:0]
	for i := range c.statistics {
		if s := &c.statistics[i]; s.isRanked {
			c.order = append(c.order, ranked{family: s.family, rank: s.rank, at: i})
		}
	}
	slices.SortStableFunc(c.order, func(a, b ranked) int {
		return cmp.Or(strings.Compare(a.family, b.family), cmp.Compare(a.rank, b.rank))
	})
}
