package draft

import (
	"strings"

	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Meaning is the meaning of a row of a table, or of a key of JSON.
type Meaning struct {
	Kind    meaningKind
	Field   string // as the tool writes it
	Name    string // of the metric or label
	Unit    string
	Better  result.Better
	Shift   int8 // power of ten from the tool's unit to the unit of the vocabulary
	Closing bool // a table may end with this row
	Sglang  sign // whether the row identifies SGLang's table

	kind *result.Kind // cached kind of its figures
	own  kept         // cached unit of figures under the tool's own name
}

// sign tells whether a row identifies a table as SGLang's.
type sign uint8

const (
	anyones     sign = iota
	SglangFirst      // if it is the first row
	SglangRow        // at any place
)

type meaningKind uint8

const (
	KindUnknown meaningKind = iota // a metric or a label of the tool's own
	KindMetric
	KindLabel
	KindGroup // the title of the rows below it
)

// MetricIn returns the meaning of a known metric in the given unit. It returns false if the unit does not fit.
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

// Known returns the meaning of a name in the given unit, and the factor for its figures if a power of ten is not
// enough.
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
