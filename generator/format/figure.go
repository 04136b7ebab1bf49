package format

import (
	"bytes"
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
	point, exponent := -1, false
	for i, c := range b {
		switch {
		case '0' <= c && c <= '9':
		case c == '.' && point < 0 && !exponent:
			point = i
		case (c == 'e' || c == 'E') && i > 0 && !exponent:
			exponent = true
		case (c == '-' || c == '+') && (i == 0 || b[i-1]|0x20 == 'e'):
		default:
			return figure{}, isNotFinite(b)
		}
	}
	f := figure{finite: true}
	switch {
	case exponent:
		f.decimals = bench.FullPrecision
	case point >= 0:
		f.decimals = int8(max(0, len(b)-point-1-int(shift)))
	default:
		f.decimals = max(0, -shift)
	}
	var err error
	switch {
	case shift == 0:
		f.value, err = strconv.ParseFloat(string(b), 64)
	case exponent:
		f.value, err = strconv.ParseFloat(string(b), 64)
		for range shift {
			f.value *= 10
		}
		for range -shift {
			f.value /= 10
		}
	default:
		var digits [48]byte
		shifted := strconv.AppendInt(append(append(digits[:0], b...), 'e'), int64(shift), 10)
		f.value, err = strconv.ParseFloat(string(shifted), 64)
	}
	if err != nil {
		// Out of range is an infinity; a lone sign or point is no number.
		return figure{}, err.(*strconv.NumError).Err == strconv.ErrRange
	}
	f.value += 0 // minus zero, which TPOT of one token gives
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
