package audit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// statistic is what the name of a metric says about it.
type statistic struct {
	of           *result.Kind
	family, stat string  // "" for a metric that is not a latency
	rank         float64 // −1 for the mean
	isRanked     bool
	whole        string // for TTFT, the same statistic of E2EL; "" for others
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

// ranked is a metric with its rank in the distribution of its family.
type ranked struct {
	family string
	rank   float64
	at     int            // its index among the metrics
	m      *result.Metric // the metric
}

// classify finds the statistics among the metrics of the result, and their order. It reuses those of the
// previous result, because most results have the same metrics.
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
