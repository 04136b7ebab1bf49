package dataset

import (
	"bytes"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// dimension is a set of units that can be converted into one another, each as a multiple of the base.
type dimension struct {
	base  string
	units map[string]string
}

// Currencies are not a dimension, because their rates change.
var dimensions = []dimension{
	{"s", map[string]string{"s": "1", "ms": "1e-3", "us": "1e-6", "µs": "1e-6", "μs": "1e-6", "ns": "1e-9", "min": "60", "h": "3600"}},
	{"B", map[string]string{"B": "1", "kB": "1e3", "KB": "1e3", "MB": "1e6", "GB": "1e9", "TB": "1e12", "KiB": "1024", "MiB": "1048576", "GiB": "1073741824", "TiB": "1099511627776"}},
	{"J", map[string]string{"J": "1", "mJ": "1e-3", "kJ": "1e3", "Wh": "3600", "kWh": "3600000"}},
	{"W", map[string]string{"W": "1", "mW": "1e-3", "kW": "1e3"}},
	{"Hz", map[string]string{"Hz": "1", "kHz": "1e3", "MHz": "1e6", "GHz": "1e9"}},
}

// BaseUnit returns the base of a unit's dimension: s for ms, B/s for GB/s. A unit without a dimension is its
// own base.
func BaseUnit(unit string) string {
	amount, per := parted(unit)
	for _, d := range dimensions {
		if d.units[amount] != "" {
			return d.base + per
		}
	}
	return unit
}

// parted splits a rate: GB/s into GB and /s.
func parted(unit string) (amount, per string) {
	if i := strings.IndexByte(unit, '/'); i > 0 {
		return unit[:i], unit[i:]
	}
	return unit, ""
}

// Convert converts a value to another unit, exactly rounded: 1.9 s is 1900 ms. It returns false for unknown
// units and for units of different dimensions.
func Convert(v float64, from, to string) (float64, bool) {
	c, ok := ConversionOf(from, to)
	if !ok {
		return 0, false
	}
	return c.Of(v)
}

// Conversion is a conversion from one unit to another.
type Conversion struct {
	places int      // by how many places the decimal point moves to the right
	factor *big.Rat // nil if only the decimal point moves
	same   bool     // the units are equal
}

// ConversionOf returns the conversion between two units, or false as Convert does.
func ConversionOf(from, to string) (Conversion, bool) {
	if from == to {
		return Conversion{same: true}, true
	}
	from, per := parted(from)
	to, perToo := parted(to)
	if per != perToo {
		return Conversion{}, false
	}
	for _, d := range dimensions {
		a, known := d.units[from]
		b, also := d.units[to]
		if !known || !also {
			continue
		}
		if shift, decimal := powerOfTen(a); decimal {
			if back, decimal := powerOfTen(b); decimal {
				return Conversion{places: shift - back}, true
			}
		}
		x, _ := new(big.Rat).SetString(a)
		y, _ := new(big.Rat).SetString(b)
		return Conversion{factor: x.Quo(x, y)}, true
	}
	return Conversion{}, false
}

// Of converts a value. It returns false for an infinite value or NaN, unless the units are equal.
func (c Conversion) Of(v float64) (float64, bool) {
	switch {
	case c.same:
		return v, true
	case c.factor == nil:
		return shifted(v, c.places)
	}
	exact, ok := new(big.Rat).SetString(strconv.FormatFloat(v, 'g', -1, 64))
	if !ok {
		return 0, false
	}
	out, _ := exact.Mul(exact, c.factor).Float64()
	return out, true
}

// Places returns by how many places the decimal point moves to the right, or false if other digits change.
func (c Conversion) Places() (places int, ok bool) { return c.places, c.factor == nil }

// powerOfTen parses 1, 1e3 and 1e-6.
func powerOfTen(factor string) (exponent int, ok bool) {
	if factor == "1" {
		return 0, true
	}
	digits, ok := strings.CutPrefix(factor, "1e")
	if !ok {
		return 0, false
	}
	exponent, err := strconv.Atoi(digits)
	return exponent, err == nil
}

// shifted moves the decimal point of a number to the right. It returns false for an infinite value or NaN.
func shifted(v float64, places int) (float64, bool) {
	if out, ok := shiftedShort(v, places); ok {
		return out, true
	}
	var room [32]byte
	text := strconv.AppendFloat(room[:0], v, 'e', -1, 64)
	e := bytes.IndexByte(text, 'e')
	if e < 0 {
		return 0, false
	}
	exponent, err := strconv.Atoi(string(text[e+1:]))
	if err != nil {
		return 0, false
	}
	out, err := strconv.ParseFloat(string(strconv.AppendInt(text[:e+1], int64(exponent+places), 10)), 64)
	return out, err == nil
}

// shiftedShort does what shifted does for numbers of few digits, which most tools print, and returns false for
// others. Such a number is a whole number over a power of ten, both exact, so the result is rounded only once.
func shiftedShort(v float64, places int) (float64, bool) {
	for digits := range 5 {
		whole := math.Round(v * tens[digits])
		if !(math.Abs(whole) < 1e15) {
			break
		}
		if whole/tens[digits] != v {
			continue
		}
		if right := places - digits; right >= 0 && right < len(tens) {
			return whole * tens[right], true
		} else if right < 0 && -right < len(tens) {
			return whole / tens[-right], true
		}
		break
	}
	return 0, false
}

// tens has the powers of ten that a float64 represents exactly.
var tens = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// Uniform returns results in which each metric has only one unit, as far as units can be converted: that of the
// vocabulary, or else that of the first result with the metric. Results with other units are copied. Values
// that cannot be converted, such as currencies, stay, and OneUnit rejects them.
func Uniform(rs []*result.Result) []*result.Result { return new(Units).Uniform(rs, rs) }

// Units caches the units of metrics between calls of its method. The zero value is empty.
type Units struct{ known map[string]string } // unit by metric, if each metric has only one; otherwise nil

// Uniform does what the function Uniform does. fresh must contain the results that are new since the last call.
func (u *Units) Uniform(rs, fresh []*result.Result) []*result.Result {
	if u.known != nil && u.fit(fresh) {
		return rs
	}
	units := map[string]string{} // unit of the first result with the metric
	var mixed map[string]string  // the target unit of metrics with several units
	for _, r := range rs {
		for i := range r.Metrics {
			m := &r.Metrics[i]
			if first, seen := units[m.Name]; !seen {
				units[m.Name] = m.Unit
			} else if first != m.Unit {
				if mixed == nil {
					mixed = map[string]string{}
				}
				mixed[m.Name] = wanted(m.Name, first)
			}
		}
	}
	if u.known = units; mixed == nil {
		return rs
	}
	u.known = nil
	out := slices.Clone(rs)
	for i, r := range rs {
		for k := range r.Metrics {
			m := r.Metrics[k]
			to, several := mixed[m.Name]
			v, ok := Convert(m.Value, m.Unit, to)
			if !several || !ok || m.Unit == to {
				continue
			}
			if out[i] == r {
				converted := *r
				converted.Metrics = slices.Clone(r.Metrics)
				out[i] = &converted
			}
			m.Value, m.Kind = v, m.With(func(k *result.Kind) { k.Unit = to })
			if m.Decimals != result.FullPrecision {
				_, digits, _ := strings.Cut(strconv.FormatFloat(v, 'f', -1, 64), ".")
				m.Decimals = int8(min(len(digits), 12))
			}
			out[i].Metrics[k] = m
		}
	}
	return out
}

// fit records the units of some results and reports whether they agree with the known ones.
func (u *Units) fit(rs []*result.Result) bool {
	for _, r := range rs {
		for i := range r.Metrics {
			m := &r.Metrics[i]
			if unit, seen := u.known[m.Name]; !seen {
				u.known[m.Name] = m.Unit
			} else if unit != m.Unit {
				return false
			}
		}
	}
	return true
}

// wanted returns the unit that a metric is converted to.
func wanted(name, first string) string {
	if def, known := vocabulary.Define(name); known {
		if _, ok := Convert(1, first, def.Unit); ok {
			return def.Unit
		}
	}
	return first
}

// OneUnit checks that results have each metric in one unit, because values in different units are never
// compared.
func OneUnit(rs []*result.Result, names ...string) error {
	for _, name := range names {
		var units []string
		var where []locale.Text
		for _, r := range rs {
			m, ok := r.Metric(name)
			if !ok || slices.Contains(units, m.Unit) {
				continue
			}
			units = append(units, m.Unit)
			at := r.ID
			if pos := r.At(m); pos.File != "" {
				at = pos.String()
			}
			where = append(where, locale.Textf("%s in %s", orNone(m.Unit), at))
		}
		if len(units) < 2 {
			continue
		}
		said := make([]locale.Text, len(units))
		for i, unit := range units {
			said[i] = orNone(unit)
		}
		return Lackf(locale.Textf("select runs of one unit with where, or declare prices in one currency; there is %s", locale.FewTexts(where, 4)),
			"%s is in %s", name, locale.List(said...))
	}
	return nil
}

func orNone(unit string) locale.Text {
	if unit == "" {
		return locale.Textf("no unit")
	}
	return locale.Lit(unit)
}
