// Package number formats the numbers of charts: at the ticks of axes, and beside marks.
package number

import (
	"math"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
)

// Prefix shortens the numbers of an axis: 20k for 20,000.
type Prefix struct {
	sign     string
	exponent int
}

// Common returns the prefix for an axis whose labels go up to greatest. There is one if the labels are long
// enough to need it and it shortens all of them.
func Common(greatest, step float64) Prefix {
	for _, p := range []Prefix{{"M", 6}, {"k", 3}} {
		from := max(math.Pow(10, float64(p.exponent)), 10_000)
		if greatest >= from && greatest < 1e9 && step >= 0.01*math.Pow(10, float64(p.exponent)) {
			return p
		}
	}
	return Prefix{}
}

// Label writes a value to the decimal place of its step, 10^exponent.
func (p Prefix) Label(v float64, exponent int) string {
	s := Label(v/math.Pow(10, float64(p.exponent)), exponent-p.exponent)
	if s == "0" {
		return s
	}
	return s + p.sign
}

// Label writes a value to the decimal place of its step, 10^exponent.
func Label(v float64, exponent int) string {
	if v == 0 || math.Abs(v) < math.Pow(10, float64(exponent))/2 {
		return "0"
	}
	if math.Abs(v) < 1e7 && exponent >= -4 {
		return locale.Group(strconv.FormatFloat(v, 'f', max(0, -exponent), 64))
	}
	digits := max(0, int(math.Floor(math.Log10(math.Abs(v))+1e-9))-exponent)
	return shortExponent(strconv.FormatFloat(v, 'e', digits, 64))
}

// shortExponent shortens 5e+06 to 5e6.
func shortExponent(s string) string {
	mantissa, exponent, ok := strings.Cut(s, "e")
	if !ok {
		return s
	}
	n, _ := strconv.Atoi(exponent)
	return mantissa + "e" + strconv.Itoa(n)
}

// Short formats a value that has no label of its own: with four significant digits, or with all digits of a
// whole number.
func Short(v float64) string {
	switch size := math.Abs(v); {
	case v == 0:
		return "0"
	case size < 1e-4 || size >= 1e9:
		return shortExponent(strconv.FormatFloat(v, 'g', 4, 64))
	case size >= 1000:
		return locale.Group(strconv.FormatFloat(v, 'f', 0, 64))
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}
