package finding

import (
	"math"
	"strings"

	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
)

// within puts the load before a sentence.
func (c *conclusions) within(load string, text locale.Text) locale.Text {
	if load == "" {
		return locale.Outside(text)
	}
	return locale.T("finding.within", c.LoadTitle(load), text)
}

// metricName returns the name of a metric as used inside a sentence.
func metricName(name string) locale.Text { return locale.Inside(locale.MetricName(name)) }

func figures(rs []dataset.Reading) []dataset.Figure {
	out := make([]dataset.Figure, len(rs))
	for i, r := range rs {
		out[i] = r.Figure
	}
	return out
}

// listed names the variants of readings.
func (c *conclusions) listed(rs []dataset.Reading) locale.Text {
	var names []locale.Text
	for _, r := range rs {
		names = append(names, c.Name(r.Variant))
	}
	if n := len(names) - 6; n > 1 {
		return locale.T("differ.many", locale.List(names[:6]...), n)
	}
	return locale.List(names...)
}

// spanOf writes the range of readings, with the unit once.
func spanOf(rs []dataset.Reading) locale.Text {
	low, top := rs[0], rs[0]
	for _, r := range rs {
		if r.Metric.Value < low.Metric.Value {
			low = r
		}
		if r.Metric.Value > top.Metric.Value {
			top = r
		}
	}
	if low.Metric.Value == top.Metric.Value {
		return low.Text()
	}
	from, to := dataset.Beside(low.Metric, top.Metric)
	return locale.Lit(from + "–" + to)
}

// logRatio returns how much better a is than b, as the logarithm of the ratio. It is 0 if there is no ratio.
func logRatio(a, b dataset.Figure) float64 {
	if a.Metric.Value <= 0 || b.Metric.Value <= 0 {
		return 0
	}
	v := math.Log(a.Metric.Value / b.Metric.Value)
	if a.Metric.Better == result.Lower {
		return -v
	}
	return v
}

// versus describes how a compares with b: 1.66× that of b (100.70 tok/s), or 6.6% below. If a value is not above zero,
// it gives no ratio.
func (c *conclusions) versus(a, b dataset.Reading) locale.Text {
	if a.Metric.Value <= 0 || b.Metric.Value <= 0 {
		return locale.T("finding.beside", c.Name(b.Variant), b.Text())
	}
	q := a.Metric.Value / b.Metric.Value
	if stats.Within(a.Metric.Value, b.Metric.Value, c.Selection.Thresholds().Noise) { // only a test can tell them apart
		share := builder.Round(100*math.Abs(1-q), 1) + "%"
		if q < 1 {
			return locale.T("finding.tested-less", share, c.Name(b.Variant), b.Text())
		}
		return locale.T("finding.tested-more", share, c.Name(b.Variant), b.Text())
	}
	if a.Metric.Better == result.Lower {
		return locale.T("finding.less", builder.Round(100*(1-q), 1)+"%", c.Name(b.Variant), b.Text())
	}
	return locale.T("finding.times", strings.TrimSuffix(builder.Ratio(q), "×"), c.Name(b.Variant), b.Text())
}

// writeTimes writes a factor; from 10 on without decimals.
func writeTimes(q float64) string {
	if q >= 10 {
		return builder.Round(q, 0)
	}
	return builder.Round(q, 1)
}

func writeSpan(low, top float64) string {
	a, b := writeTimes(low), writeTimes(top)
	if a == b {
		return a
	}
	return a + "–" + b
}
