package format

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
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

// parseNumber reads a plain decimal number, right to the last bit or the one
// before: good enough for one of thousands, and several times faster.
func parseNumber(b []byte) (float64, bool) {
	var mantissa uint64
	digits, decimals := 0, -1
	for i, c := range b {
		switch {
		case '0' <= c && c <= '9':
			mantissa = mantissa*10 + uint64(c-'0')
			digits++
			if decimals >= 0 {
				decimals++
			}
		case c == '.' && decimals < 0:
			decimals = 0
		case c == '-' && i == 0:
		default:
			f, ok := parseFigure(b, 0) // an exponent, or no number
			return f.value, ok && f.finite
		}
	}
	if digits == 0 || digits > 19 || decimals > 22 {
		f, ok := parseFigure(b, 0)
		return f.value, ok && f.finite
	}
	v := float64(mantissa)
	if decimals > 0 {
		v /= pow10[decimals]
	}
	if b[0] == '-' {
		v = -v
	}
	return v, true
}

var pow10 = func() (powers [23]float64) {
	for i := range powers {
		powers[i] = math.Pow10(i)
	}
	return powers
}()

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
		f.decimals = result.FullPrecision
	} else {
		if decimals > 0 { // more digits than anyone chooses to print: all of a binary float
			f.decimals = result.FullPrecision
		}
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
	family = strings.ToLower(family)
	switch family {
	case "client queue time", "client_queue_time":
		family = "queue"
	case "e2e latency", "e2e_latency": // SGLang's words
		family = "e2el"
	}
	statistic, ok := statisticName(statistic)
	name := family + "_" + statistic
	if _, _, known := vocabulary.Statistic(name); !ok || !known || family == "batch_latency" {
		return "", false
	}
	return name, true
}

// statisticName gives the suffix of a statistic, however a tool spells it: avg,
// Median, std_dev, P99.9, p999, 50%, 90.0.
func statisticName(spelt string) (string, bool) {
	spelt = strings.ToLower(spelt)
	switch spelt {
	case "mean", "avg", "average":
		return "mean", true
	case "median":
		return "p50", true
	case "std", "stddev", "std_dev", "stdev", "std dev", "standard_deviation":
		return "std", true
	case "min", "minimum", "lowest":
		return "min", true
	case "max", "maximum", "highest":
		return "max", true
	}
	digits := strings.TrimPrefix(strings.TrimSuffix(spelt, "%"), "p")
	digits = strings.Replace(digits, "_", ".", 1)
	if digits == "" || !isDigit(digits[0]) || !isDigit(digits[len(digits)-1]) {
		return "", false
	}
	if len(digits) == 3 && digits != "100" && !strings.Contains(digits, ".") { // p999 and p001
		digits = digits[:2] + "." + digits[2:]
	}
	share, err := strconv.ParseFloat(digits, 64)
	if err != nil || share > 100 {
		return "", false
	}
	return "p" + strings.ReplaceAll(strconv.FormatFloat(share, 'f', -1, 64), ".", "_"), true
}

// unitShift gives the power of ten that brings a figure of one unit to
// another, and whether they measure the same thing. A count carries no unit.
func unitShift(from, to string) (shift int8, ok bool) {
	if from == to {
		return 0, true
	}
	from = strings.TrimSpace(from)
	u, known := units[from] // mJ and MJ are not the same
	if !known {
		u, known = units[strings.ToLower(from)]
	}
	switch {
	case to == "1" || to == "tok":
		return 0, from == "" || known && u.unit == to
	case !known || u.unit == to:
		return u.shift, known
	case to == "ms" && u.unit == "s":
		return u.shift + 3, true
	}
	return 0, false
}

// units are the ways tools write them, each with the unit of the vocabulary it
// is brought to by a power of ten. Latencies go on to milliseconds.
var units = map[string]struct {
	unit  string
	shift int8
}{
	"s": {"s", 0}, "sec": {"s", 0}, "secs": {"s", 0}, "second": {"s", 0}, "seconds": {"s", 0},
	"ms": {"s", -3}, "msec": {"s", -3}, "milliseconds": {"s", -3},
	"us": {"s", -6}, "µs": {"s", -6}, "μs": {"s", -6}, "usec": {"s", -6}, "microseconds": {"s", -6},
	"ns": {"s", -9}, "nanoseconds": {"s", -9},
	"tok": {"tok", 0}, "token": {"tok", 0}, "tokens": {"tok", 0},
	"requests": {"1", 0},
	"tok/s":    {"tok/s", 0}, "toks/s": {"tok/s", 0}, "token/s": {"tok/s", 0}, "tokens/s": {"tok/s", 0}, "t/s": {"tok/s", 0},
	"tok/sec": {"tok/s", 0}, "tokens/sec": {"tok/s", 0}, "token/sec": {"tok/s", 0}, "tokens-per-sec": {"tok/s", 0},
	"tokens/second": {"tok/s", 0}, "tps": {"tok/s", 0}, "tokens/sec/user": {"tok/s", 0}, "tps/user": {"tok/s", 0},
	"tps/gpu": {"tok/s", 0}, "tokens/secs": {"tok/s", 0}, "tokens per second": {"tok/s", 0},
	"req/s": {"req/s", 0}, "reqs/s": {"req/s", 0}, "request/s": {"req/s", 0}, "requests/s": {"req/s", 0},
	"req/sec": {"req/s", 0}, "requests/sec": {"req/s", 0}, "requests/second": {"req/s", 0}, "infer/sec": {"req/s", 0},
	"w": {"W", 0}, "mW": {"W", -3}, "watt": {"W", 0}, "watts": {"W", 0},
	"j": {"J", 0}, "mJ": {"J", -3}, "kJ": {"J", 3}, "MJ": {"J", 6},
	"b": {"B", 0}, "byte": {"B", 0}, "bytes": {"B", 0}, "kb": {"B", 3}, "mb": {"B", 6}, "gb": {"B", 9},
	"c": {"°C", 0}, "°c": {"°C", 0},
	"%": {"%", 0}, "percent": {"%", 0},
}

// plainUnit gives the unit that a figure is in once it is multiplied with the
// factor, for units that no power of ten brings to ours.
func plainUnit(unit string) (plain string, factor float64, ok bool) {
	switch strings.ToLower(unit) {
	case "kib":
		return "B", 1 << 10, true
	case "mib":
		return "B", 1 << 20, true
	case "gib":
		return "B", 1 << 30, true
	case "tok/min", "tokens/min":
		return "tok/s", 1.0 / 60, true
	case "req/min", "requests/min":
		return "req/s", 1.0 / 60, true
	case "min", "minutes":
		return "s", 60, true
	case "ratio": // 0 to 1
		return "%", 100, true
	case "wh":
		return "J", 3600, true
	}
	return "", 0, false
}
