package draft

import (
	"strings"

	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Meaning is what a row of a table, or a key of JSON, stands for.
type Meaning struct {
	Kind    meaningKind
	Field   string // as the tool writes it
	Name    string // of the metric or label
	Unit    string
	Better  result.Better
	Shift   int8 // power of ten from the tool's unit to ours
	Closing bool // a table may end with it
	Sglang  sign // whose table it shows

	kind *result.Kind // of its figures, since the last one
	own  kept         // the same of those under the tool's own name
}

// sign reports whether a row shows that a table is SGLang's.
type sign uint8

const (
	anyones     sign = iota
	SglangFirst      // as the first row
	SglangRow        // wherever it is
)

type meaningKind uint8

const (
	KindUnknown meaningKind = iota // a metric or a label of the tool's own
	KindMetric
	KindLabel
	KindGroup // heads the rows below it
)

// MetricIn is the meaning of a figure of a known metric in some unit.
func MetricIn(unit, name string) (Meaning, bool) {
	def, ok := vocabulary.Define(name)
	if !ok {
		return Meaning{}, false
	}
	shift, ok := UnitShift(unit, def.Unit)
	_, statistic, latency := vocabulary.Statistic(name)
	return Meaning{Kind: KindMetric, Name: name, Unit: def.Unit, Better: def.Better, Shift: shift,
		Closing: latency && strings.HasPrefix(statistic, "p")}, ok
}

// Known is the meaning of a name in a unit, and what a figure is to be
// multiplied with where a power of ten does not do.
func Known(name, unit string) (m Meaning, factor float64, ok bool) {
	if strings.HasPrefix(name, "x_") {
		return Meaning{Kind: KindMetric, Name: name, Unit: unit}, 1, true
	}
	if m, ok = MetricIn(unit, name); ok {
		return m, 1, true
	}
	if plain, factor, found := PlainUnit(unit); found {
		m, ok = MetricIn(plain, name)
		return m, factor, ok
	}
	return m, 1, false
}
