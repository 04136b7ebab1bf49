package report

import (
	"math"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// within puts the load before a sentence.
func (c *conclusions) within(load string, text locale.Text) locale.Text {
	if load == "" {
		return locale.Outside(text)
	}
	return locale.T("finding.within", c.loadTitle(load), text)
}

// clauses puts clauses one after another.
func clauses(parts ...locale.Text) locale.Text {
	said := parts[0]
	for _, p := range parts[1:] {
		said = locale.T("finding.clauses", said, p)
	}
	return said
}

// metricName is the name of what readings are of, inside a sentence.
func metricName(name string) locale.Text { return locale.Inside(locale.MetricName(name)) }

func figures(rs []reading) []figure {
	out := make([]figure, len(rs))
	for i, r := range rs {
		out[i] = r.figure
	}
	return out
}

// listed names the variants of readings.
func (c *conclusions) listed(rs []reading) locale.Text {
	var names []locale.Text
	for _, r := range rs {
		names = append(names, c.name(r.variant))
	}
	if n := len(names) - 6; n > 1 {
		return locale.T("differ.many", locale.List(names[:6]...), n)
	}
	return locale.List(names...)
}

// spanOf writes the least and the greatest of readings with the unit once.
func spanOf(rs []reading) locale.Text {
	low, top := rs[0], rs[0]
	for _, r := range rs {
		if r.metric.Value < low.metric.Value {
			low = r
		}
		if r.metric.Value > top.metric.Value {
			top = r
		}
	}
	if low.metric.Value == top.metric.Value {
		return low.said()
	}
	return locale.Join("–", locale.Lit(low.metric.Digits()), top.said())
}

// logRatio is how much better a is than b, as the logarithm of the ratio; 0
// when there is none.
func logRatio(a, b figure) float64 {
	if a.metric.Value <= 0 || b.metric.Value <= 0 {
		return 0
	}
	v := math.Log(a.metric.Value / b.metric.Value)
	if a.metric.Better == result.Lower {
		return -v
	}
	return v
}

// versus says how a stands to b: 1.66× that of b (100.70 tok/s), or 6.6% below.
// Beside zero there is no ratio.
func (c *conclusions) versus(a, b reading) locale.Text {
	if a.metric.Value <= 0 || b.metric.Value <= 0 {
		return locale.T("finding.beside", c.name(b.variant), b.said())
	}
	q := a.metric.Value / b.metric.Value
	if a.metric.Better == result.Lower {
		return locale.T("finding.less", strconv.FormatFloat(100*(1-q), 'f', 1, 64)+"%", c.name(b.variant), b.said())
	}
	return locale.T("finding.times", strings.TrimSuffix(writeRatio(q), "×"), c.name(b.variant), b.said())
}

// writeTimes writes a large ratio without decimals.
func writeTimes(q float64) string {
	if q >= 10 {
		return strconv.FormatFloat(q, 'f', 0, 64) + "×"
	}
	return strconv.FormatFloat(q, 'f', 1, 64) + "×"
}

func writeSpan(low, top float64) string {
	a, b := writeTimes(low), writeTimes(top)
	if a == b {
		return a
	}
	return a[:len(a)-len("×")] + "–" + b
}
