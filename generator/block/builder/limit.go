package builder

import (
	"math"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Limit is a bound on a metric: its maximum, or its minimum if higher is better.
type Limit struct {
	Name  string
	Value float64
	Unit  string
	Dir   result.Better
}

// ReadLimit parses a limit on a metric as authors write it: 500, or "500 ms".
func ReadLimit(rs []*result.Result, name, text string) (Limit, error) {
	number, _, unit, ok := dataset.Number(text)
	if !ok || math.IsInf(number, 0) {
		return Limit{}, dataset.Wrongf(locale.Textf(`for example limits = { ttft_p99 = 500, weight_size = "8 G" }`), "the limit %s = %q has no number", name, text)
	}
	def, known := vocabulary.Define(name)
	if !known || def.Better == result.Neutral {
		return Limit{}, dataset.Unknown(rs, name)
	}
	if err := dataset.OneUnit(rs, name); err != nil {
		return Limit{}, err
	}
	want := def.Unit
	for _, r := range rs {
		if m, ok := r.Metric(name); ok {
			want = m.Unit // for costs this is the currency
			break
		}
	}
	if unit != "" && unit != want {
		return Limit{}, dataset.Wrongf(locale.Textf("write it in %s", want), "the limit %s = %q is not in the unit of the metric", name, text)
	}
	return Limit{name, number, want, def.Better}, nil
}

// Meets reports whether a value is within the limit.
func (l Limit) Meets(v float64) bool { return !dataset.Better(l.Dir, l.Value, v) }

// Bound returns the limit without its metric: ≤ 500 ms.
func (l Limit) Bound() locale.Text {
	sign := "≤ "
	if l.Dir == result.Higher {
		sign = "≥ "
	}
	return locale.Lit(sign + l.Digits())
}

// Digits returns the value of the limit with its unit.
func (l Limit) Digits() string {
	if l.Unit == "" || l.Unit == "1" {
		return Number(l.Value)
	}
	return Number(l.Value) + " " + l.Unit
}

// Words returns the limit with its metric: mean TTFT ≤ 500 ms.
func (l Limit) Words() locale.Text {
	return locale.Join(" ", locale.Outside(locale.MetricName(l.Name)), l.Bound())
}
