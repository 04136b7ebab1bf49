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

// Round writes a number with the given decimals and rounds half away from zero: 1.125 becomes 1.13, 0.25 becomes 0.3.
// It rounds the value of 15 significant digits, so that errors of binary arithmetic have no effect.
func Round(v float64, decimals int) string {
	// All ways of rounding agree, unless the remainder is half a digit or nearly so.
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

// Ratio writes a quotient with three significant digits, or with two decimals between 0.1 and 1: 361×, 12.3×, 3.61×,
// 0.91×, 0.0244×.
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

// Percent writes a relative change with its sign. It uses the minus sign U+2212: +18.5%, −42.9%.
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

// Shares writes a range of shares in per cent, or one value if both look alike.
func Shares(low, top float64) string {
	a, b := Round(100*low, 0), Round(100*top, 0)
	if a == b {
		return a + "%"
	}
	return a + "–" + b + "%"
}

// Number writes a number that an author chose, in its shortest form.
func Number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// Significant writes a calculated number with three significant digits.
func Significant(v float64) string {
	if v == 0 {
		return "0"
	}
	digits := 2 - int(math.Floor(math.Log10(math.Abs(v))))
	return strings.Replace(Round(v, max(0, min(digits, 12))), "-", "−", 1)
}
