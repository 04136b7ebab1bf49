package builder

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// DigitsAs writes a value with the digits of a metric.
func DigitsAs(m result.Metric, v float64) string {
	m.Value = v
	return m.Digits()
}

// Round writes a number with so many decimals as a reader rounds what is printed:
// 1.125 is 1.13, 0.25 is 0.3. What calculating in binary adds after 15 digits
// does not count.
func Round(v float64, decimals int) string {
	// Unless what is left out is half a digit or nearly so, all ways of rounding agree.
	if scaled := math.Abs(v) * math.Pow10(decimals); 0 < scaled && scaled < 1e9 && math.Abs(scaled-math.Floor(scaled)-0.5) > 1e-5 {
		return strconv.FormatFloat(v, 'f', decimals, 64)
	}
	exact, ok := new(big.Rat).SetString(strconv.FormatFloat(v, 'e', 14, 64))
	if !ok {
		return strconv.FormatFloat(v, 'f', decimals, 64)
	}
	return exact.FloatString(decimals)
}

// Share writes a small share in per cent.
func Share(q float64) string {
	if q < 0.1 {
		return Round(100*q, 1) + "%"
	}
	return Round(100*q, 0) + "%"
}

// Change writes v against base: "3.61×", or "+18.5%" with percent.
func Change(v, base float64, percent bool) locale.Text {
	if base == 0 {
		return locale.Text{}
	}
	if percent {
		return locale.Lit(Percent(v/base-1, 1))
	}
	return locale.Lit(Ratio(v / base))
}

// Ratio writes a quotient with three significant digits, between 0.1 and one
// with two decimals: 361×, 12.3×, 3.61×, 0.91×, 0.0244×.
func Ratio(q float64) string {
	switch {
	case q < 0:
		return "−" + Ratio(-q)
	case q > 0 && q < 0.1:
		return Significant(q) + "×"
	case q < 10:
		return Round(q, 2) + "×"
	case q < 100:
		return Round(q, 1) + "×"
	}
	return Round(q, 0) + "×"
}

// Percent writes a relative change with its sign, using the minus sign
// proper: +18.5%, −42.9%.
func Percent(q float64, decimals int) string {
	s := Round(100*max(q, -q), decimals) + "%"
	switch {
	case strings.Trim(s, "0.%") == "":
		return "±" + s
	case q < 0:
		return "−" + s
	}
	return "+" + s
}

// Plain writes a round share: 3%.
func Plain(q float64) string { return strconv.FormatFloat(100*q, 'f', -1, 64) + "%" }

// Shares writes a range of shares in per cent, one when both are alike.
func Shares(low, top float64) string {
	a, b := Round(100*low, 0), Round(100*top, 0)
	if a == b {
		return a + "%"
	}
	return a + "–" + b + "%"
}

// Number writes a number that somebody chose, in its shortest form.
func Number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// Significant writes a calculated number with three significant digits.
func Significant(v float64) string {
	if v == 0 {
		return "0"
	}
	digits := 2 - int(math.Floor(math.Log10(math.Abs(v))))
	return strings.Replace(Round(v, max(0, min(digits, 12))), "-", "−", 1)
}
