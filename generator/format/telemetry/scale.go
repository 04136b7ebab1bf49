package telemetry

import (
	"bytes"
	"math"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// scale converts the figures of a column to the unit that is wanted. A figure may have its own unit after it; otherwise
// it is in the unit given. The conversion is looked up once for a column, not for each cell.
type scale struct {
	given, want string
	own         []byte // the unit after the figure that was read last
	known       bool   // the fields below are for this unit
	fits        bool
	shift       int8
	factor      float64
}

func newScale(given, want string) scale { return scale{given: given, want: want} }

// read reads a cell. It returns NaN if the figure is missing, negative (such as -1), or in a unit of another quantity.
func (s *scale) read(cell []byte) float64 {
	n := 0
	for n < len(cell) && (scan.IsDigit(cell[n]) || cell[n] == '.') {
		n++
	}
	switch {
	case len(cell) == 0 || n == 0 && len(cell) == 1:
		return math.NaN() // a dash
	case n < len(cell) && bytes.IndexByte([]byte("+-,eE"), cell[n]) >= 0:
		return measured(string(cell), s.given, s.want) // a sign, thousands or an exponent
	case n == 0:
		return math.NaN()
	}
	own := cell[n:]
	for len(own) > 0 && (own[0] == ' ' || own[0] == '\t') {
		own = own[1:]
	}
	if !s.known || !bytes.Equal(own, s.own) {
		s.own, s.known = append(s.own[:0], own...), true
		s.shift, s.factor, s.fits = conversion(string(bytes.TrimSpace(own)), s.given, s.want)
	}
	f, ok := scan.ParseFigure(cell[:n], s.shift)
	if !ok || !s.fits || !f.Finite {
		return math.NaN()
	}
	return f.Value * s.factor
}

// measured reads a single figure like [scale].
func measured(text, unit, want string) float64 {
	number, own, ok := scan.Quantity(text)
	shift, factor, fits := conversion(own, unit, want)
	f, _ := scan.ParseFigure([]byte(number), shift)
	if !ok || !fits || !f.Finite || f.Value < 0 {
		return math.NaN()
	}
	return f.Value * factor
}

// conversion returns the power of ten and the factor that convert a figure to the unit wanted, and whether both units
// measure the same quantity. The figure is in its own unit, or in the unit given if it has none.
func conversion(own, given, want string) (shift int8, factor float64, fits bool) {
	unit := given
	if own != "" {
		unit = own
	}
	factor = 1
	if plain, times, known := draft.PlainUnit(unit); known && unit != want {
		unit, factor = plain, times
	}
	shift, fits = draft.UnitShift(unit, want)
	return shift, factor, fits
}
