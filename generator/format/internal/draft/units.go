package draft

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Snake converts a tool's own name to snake case: "Output Token Throughput/GPU" becomes
// "output_token_throughput_per_gpu".
func Snake(name string) string {
	if isSnake(name) {
		return name
	}
	var b strings.Builder
	b.Grow(len(name) + len("_per"))
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

// isSnake reports whether a name has only lower-case letters, digits and single underscores between them.
func isSnake(name string) bool {
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z', scan.IsDigit(c):
		case c != '_' || i == 0 || i == len(name)-1 || name[i-1] == '_':
			return false
		}
	}
	return true
}

// LatencyName returns the name of a statistic of a latency: "Median" and "TTFT" give "ttft_p50", "p99.9" and "tpot"
// give "tpot_p99_9".
func LatencyName(statistic, family string) (string, bool) {
	family = strings.ToLower(family)
	switch family {
	case "client queue time", "client_queue_time":
		family = "queue"
	case "e2e latency", "e2e_latency": // SGLang's words
		family = "e2el"
	}
	statistic, ok := StatisticName(statistic)
	name := family + "_" + statistic
	if _, _, known := vocabulary.Statistic(name); !ok || !known || family == "batch_latency" {
		return "", false
	}
	return name, true
}

// StatisticName returns the suffix of a statistic in any tool's spelling: avg, Median, std_dev, P99.9, p999, 50%, 90.0.
func StatisticName(spelt string) (string, bool) {
	if n := wholePercentile(spelt); n > 0 {
		return percentiles[n], true
	}
	var room [32]byte
	switch string(scan.AppendLower(room[:0], spelt)) {
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
	if !strings.ContainsAny(spelt, "0123456789") {
		return "", false
	}
	digits := strings.TrimPrefix(strings.TrimSuffix(strings.ToLower(spelt), "%"), "p")
	digits = strings.Replace(strings.Replace(digits, "_", ".", 1), "p", ".", 1) // p99_9, p99p9
	if digits == "" || !scan.IsDigit(digits[0]) || !scan.IsDigit(digits[len(digits)-1]) {
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

// percentiles lists the suffixes of whole percentiles.
var percentiles = func() (names [100]string) {
	for n := range names {
		names[n] = "p" + strconv.Itoa(n)
	}
	return names
}()

// wholePercentile returns the percentile for p99, P99, 99 or 99%, and 0 for other texts. It handles the most frequent
// spellings quickly.
func wholePercentile(spelt string) (n int) {
	if spelt != "" && spelt[0]|0x20 == 'p' {
		spelt = spelt[1:]
	}
	spelt = strings.TrimSuffix(spelt, "%")
	if len(spelt) > 2 {
		return 0
	}
	for _, c := range []byte(spelt) {
		if !scan.IsDigit(c) {
			return 0
		}
		n = 10*n + int(c-'0')
	}
	return n
}

// UnitShift returns the power of ten that converts a figure from one unit to another, and whether the units measure the
// same quantity. A count has no unit.
func UnitShift(from, to string) (shift int8, ok bool) {
	if from == to {
		return 0, true
	}
	from = strings.TrimSpace(from)
	u, known := unitNamed(from)
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

// unitNamed returns a unit by one of its spellings. It tries the exact spelling before the lower-case one, because mJ
// and MJ differ.
func unitNamed(spelt string) (unit, bool) {
	u, known := units[spelt]
	if !known {
		var room [32]byte
		u, known = units[string(scan.AppendLower(room[:0], spelt))]
	}
	return u, known
}

// unit is a unit of the vocabulary, and the power of ten that converts a figure to it.
type unit struct {
	unit  string
	shift int8
}

// units maps tools' spellings of units to the units of the vocabulary. UnitShift converts latencies further to
// milliseconds.
var units = map[string]unit{
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

// PlainUnit returns, for a unit that no power of ten converts to one of the vocabulary, a plain unit and the factor for
// figures.
func PlainUnit(unit string) (plain string, factor float64, ok bool) {
	var room [16]byte
	switch string(scan.AppendLower(room[:0], unit)) {
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

// UnitOf returns the unit of the vocabulary for a tool's spelling, and the power of ten that converts a figure to it.
func UnitOf(spelt string) (unit string, shift int8, ok bool) {
	u, ok := units[spelt]
	return u.unit, u.shift, ok
}

// ownFigure converts a figure under the tool's own name to the unit used for such names: durations to milliseconds,
// sizes to bytes. A name that ends in its unit keeps that unit.
func (m *Meaning) ownFigure(f scan.Figure, written []byte) (scan.Figure, string) {
	if m.own.name != m.Name || m.own.given != m.Unit {
		m.own = kept{name: m.Name, given: m.Unit, unit: m.Unit, factor: 1}
		if to, shift, factor := ownUnit(m.Unit); to != m.Unit && !strings.HasSuffix(m.Name, "_"+strings.ToLower(m.Unit)) {
			m.own.unit, m.own.shift, m.own.factor = to, shift, factor
		}
	}
	if m.own.unit == m.Unit {
		return f, m.Unit
	}
	exact, ok := scan.ParseFigure(written, m.own.shift)
	switch {
	case m.own.shift == 0:
	case ok:
		f.Value = exact.Value
		if f.Decimals != result.FullPrecision {
			f.Decimals = exact.Decimals
		}
	default:
		f.Value *= math.Pow10(int(m.own.shift))
	}
	if m.own.factor != 1 {
		f.Value *= m.own.factor
		f.Decimals = result.FullPrecision
	}
	return f, m.own.unit
}

// kept caches the unit in which figures of a tool's own name and unit are kept, and the conversion to it.
type kept struct {
	name, given string
	unit        string
	shift       int8
	factor      float64
}

// ownUnit returns the unit in which durations and sizes are kept, with the power of ten and the factor to convert to
// it. Other units are returned unchanged.
func ownUnit(unit string) (to string, shift int8, factor float64) {
	if plain, factor, ok := PlainUnit(unit); ok {
		switch plain {
		case "s":
			return "ms", 3, factor
		case "B":
			return "B", 0, factor
		}
		return unit, 0, 1
	}
	switch u, _ := unitNamed(unit); u.unit {
	case "s":
		return "ms", u.shift + 3, 1
	case "B":
		return "B", u.shift, 1
	}
	return unit, 0, 1
}
