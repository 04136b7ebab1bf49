package builder

import (
	"fmt"
	"math"
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

// Share writes a small share in per cent.
func Share(q float64) string {
	if q < 0.1 {
		return strconv.FormatFloat(100*q, 'f', 1, 64) + "%"
	}
	return strconv.FormatFloat(100*q, 'f', 0, 64) + "%"
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

// Ratio writes a quotient with three significant digits, two decimals at the
// least below ten: 3.61×, 12.3×, 0.09×.
func Ratio(q float64) string {
	switch {
	case q >= 100:
		return fmt.Sprintf("%.0f×", q)
	case q >= 10:
		return fmt.Sprintf("%.1f×", q)
	case q < 0:
		return "−" + Ratio(-q)
	}
	return fmt.Sprintf("%.2f×", q)
}

// Percent writes a relative change with its sign, using the minus sign
// proper: +18.5%, −42.9%.
func Percent(q float64, decimals int) string {
	s := strconv.FormatFloat(100*max(q, -q), 'f', decimals, 64) + "%"
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
	a, b := math.Round(100*low), math.Round(100*top)
	if a == b {
		return fmt.Sprintf("%.0f%%", a)
	}
	return fmt.Sprintf("%.0f–%.0f%%", a, b)
}

// Number writes a number that somebody chose, in its shortest form.
func Number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// Significant writes a calculated number with three significant digits.
func Significant(v float64) string {
	if v == 0 {
		return "0"
	}
	digits := 2 - int(math.Floor(math.Log10(math.Abs(v))))
	return strings.Replace(strconv.FormatFloat(v, 'f', max(0, min(digits, 12)), 64), "-", "−", 1)
}
