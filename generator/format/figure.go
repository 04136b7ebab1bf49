package format

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode"

	"benchpost/generator/bench"
)

// figure is a number as a tool wrote it.
type figure struct {
	value    float64
	decimals int8
	finite   bool // false for NaN and the infinities, which are not figures to report
}

// parseFigure reads the whole of b as a number. The value is multiplied by
// ten to the power of shift, exactly: 6.97 seconds are 6970 milliseconds.
func parseFigure(b []byte, shift int8) (figure, bool) {
	if len(b) == 0 || len(b) > 40 {
		return figure{}, false
	}
	var mantissa, digits, decimals int64
	point, exponent := false, false
	for i, c := range b {
		switch {
		case '0' <= c && c <= '9':
			mantissa = mantissa*10 + int64(c-'0') // of use with few digits only
			digits++
			if point {
				decimals++
			}
		case c == '.' && !point && !exponent:
			point = true
		case (c == 'e' || c == 'E') && digits > 0 && !exponent:
			exponent = true
		case (c == '-' || c == '+') && (i == 0 || b[i-1]|0x20 == 'e'):
		default:
			return figure{}, isNotFinite(b)
		}
	}
	if digits == 0 {
		return figure{}, false
	}
	if exponent || digits > 15 {
		return parseLongFigure(b, shift, exponent, decimals)
	}
	// Below 2^53, so that both operands are exact and the result is rounded once.
	f := figure{finite: true, value: float64(mantissa), decimals: int8(max(0, decimals-int64(shift)))}
	if n := int(decimals) - int(shift); n > 0 {
		f.value /= math.Pow10(n)
	} else {
		f.value *= math.Pow10(-n)
	}
	if b[0] == '-' && mantissa != 0 { // TPOT of one token is -0.00
		f.value = -f.value
	}
	return f, true
}

// parseLongFigure reads what does not fit a whole number, or has an exponent.
func parseLongFigure(b []byte, shift int8, exponent bool, decimals int64) (figure, bool) {
	text, f := string(b), figure{finite: true, decimals: int8(max(0, decimals-int64(shift)))}
	if exponent {
		mantissa, power, _ := strings.Cut(strings.ToLower(text), "e")
		n, err := strconv.Atoi(power)
		if err != nil {
			return figure{}, false
		}
		text = mantissa + "e" + strconv.Itoa(n+int(shift))
		f.decimals = bench.FullPrecision
	} else if shift != 0 {
		text += "e" + strconv.Itoa(int(shift))
	}
	var err error
	if f.value, err = strconv.ParseFloat(text, 64); err != nil {
		return figure{}, errors.Is(err, strconv.ErrRange) // infinite, and no figure
	}
	return f, true
}

func isNotFinite(b []byte) bool {
	b = bytes.TrimLeft(b, "+-")
	return bytes.EqualFold(b, []byte("nan")) || bytes.EqualFold(b, []byte("inf")) ||
		bytes.EqualFold(b, []byte("infinity"))
}

// plainNumber writes a label's number in its shortest form, so that 10.00 and
// 10 are the same label; anything else is given as it is.
func plainNumber(b []byte) []byte {
	if len(bytes.TrimLeft(b, "123456789")) == 0 {
		return b
	}
	f, ok := parseFigure(b, 0)
	switch {
	case ok && f.finite:
		return strconv.AppendFloat(nil, f.value, 'f', -1, 64)
	case bytes.EqualFold(b, []byte("infinity")):
		return []byte("inf")
	}
	return b
}

// snake writes a tool's own name the way names are written here:
// "Output Token Throughput/GPU" gives "output_token_throughput_per_gpu".
func snake(name string) string {
	var b strings.Builder
	gap := false
	for _, r := range name {
		if r == '/' {
			b.WriteString("_per")
			gap = true
			continue
		}
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte('_')
		}
		gap = false
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// latencyName gives the name of a statistic of a latency: "Median" and "TTFT"
// give "ttft_p50", "p99.9" and "tpot" give "tpot_p99_9".
func latencyName(statistic, family string) (string, bool) {
	statistic, family = strings.ToLower(statistic), strings.ToLower(family)
	if family == "client queue time" || family == "client_queue_time" {
		family = "queue"
	}
	if statistic == "median" {
		statistic = "p50"
	}
	name := family + "_" + strings.ReplaceAll(statistic, ".", "_")
	if _, _, ok := bench.Statistic(name); !ok || family == "batch_latency" {
		return "", false
	}
	return name, true
}

// unitShift gives the power of ten that brings a figure of one unit to
// another, and whether they measure the same thing. A count carries no unit.
func unitShift(from, to string) (shift int8, ok bool) {
	from = strings.ToLower(from)
	if from == to {
		return 0, true
	}
	switch to {
	case "1", "tok":
		return 0, from == ""
	case "tok/s":
		switch from {
		case "tok/s", "toks/s", "token/s", "tokens/s":
			return 0, true
		}
		return 0, false
	case "req/s":
		switch from {
		case "req/s", "reqs/s", "request/s", "requests/s":
			return 0, true
		}
		return 0, false
	}
	scale := map[string]int8{"s": 0, "sec": 0, "seconds": 0, "ms": -3, "us": -6, "µs": -6, "ns": -9}
	a, okA := scale[from]
	b, okB := scale[to]
	return a - b, okA && okB
}
