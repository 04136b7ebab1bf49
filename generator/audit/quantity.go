package audit

import (
	"math"
	"strconv"
	"strings"
)

// units has the units of numbers in labels, as factors to the base unit. G alone is 10⁹: for parameters, and
// for bytes as model sizes are usually written.
var units = map[string]float64{
	"": 1, "B": 1, "B/s": 1, "W": 1,
	"K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12,
	"kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
	"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
	"MB/s": 1e6, "GB/s": 1e9, "TB/s": 1e12, "GiB/s": 1 << 30, "TiB/s": 1 << 40,
	"GFLOPS": 1e9, "TFLOPS": 1e12, "PFLOPS": 1e15, "TOPS": 1e12,
	"GFLOP/s": 1e9, "TFLOP/s": 1e12, "PFLOP/s": 1e15,
}

// Quantity parses "8.9 G", "273 GB/s" or "257 TFLOPS" and converts it to the base unit: bytes, bytes per
// second, operations per second, a count. For parameters B means a billion, which only the caller can know: see
// Parameters.
func Quantity(s string) (float64, bool) {
	number, unit := split(s)
	if number == "" {
		return 0, false // for example an absent label
	}
	factor, known := units[unit]
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || !known || v <= 0 || math.IsInf(v, 0) {
		return 0, false
	}
	return v * factor, true
}

// Parameters parses a number of parameters: "8.2 G", "8.2B" or "8190735360".
func Parameters(s string) (float64, bool) {
	if number, unit := split(s); unit == "B" {
		s = number + "G"
	}
	return Quantity(s)
}

// bytesOf parses the size of files. A unit directly after the number, as du and ls write it (5.7G), is a power
// of 1024. A unit with a space or a B is a power of 1000, as vendors use it.
func bytesOf(s string) float64 {
	number, unit := split(s)
	if len(unit) == 1 && strings.Contains("KMGT", unit) && strings.HasSuffix(strings.TrimSpace(s), number+unit) {
		unit += "iB"
	}
	v, _ := Quantity(number + unit)
	return v
}

func split(s string) (number, unit string) {
	s = strings.TrimSpace(s)
	i := len(s)
	for i > 0 && s[i-1] != '.' && (s[i-1] < '0' || s[i-1] > '9') {
		i--
	}
	return strings.ReplaceAll(strings.TrimSpace(s[:i]), ",", ""), strings.TrimSpace(s[i:])
}
