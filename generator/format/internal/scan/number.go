package scan

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
)

// Figure is a number as a tool wrote it.
type Figure struct {
	Value    float64
	Decimals int8
	Finite   bool // false for NaN and the infinities, which are not reported as figures
}

// ParseFigure parses all of b as a number. The value is multiplied by ten to the power of shift, exactly: 6.97 seconds
// are 6970 milliseconds.
func ParseFigure(b []byte, shift int8) (Figure, bool) {
	if len(b) == 0 || len(b) > 40 {
		return Figure{}, false
	}
	var mantissa, digits, decimals int64
	point, exponent := false, false
	for i, c := range b {
		switch {
		case '0' <= c && c <= '9':
			mantissa = mantissa*10 + int64(c-'0') // valid with few digits only
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
			return Figure{}, isNotFinite(b)
		}
	}
	if digits == 0 {
		return Figure{}, false
	}
	if scale := int(decimals) - int(shift); digits > 15 && digits <= 18 && !exponent && decimals > 0 && scale >= 0 && scale < len(powers) {
		f := Figure{Finite: true, Value: scaled(uint64(mantissa), scale), Decimals: result.FullPrecision} // as in parseLongFigure
		if b[0] == '-' {
			f.Value = -f.Value
		}
		return f, true
	}
	if exponent || digits > 15 {
		return parseLongFigure(b, shift, exponent, decimals)
	}
	// The mantissa is below 2^53, so both operands are exact and the result is rounded once.
	f := Figure{Finite: true, Value: float64(mantissa), Decimals: int8(max(0, decimals-int64(shift)))}
	if n := int(decimals) - int(shift); n > 0 {
		f.Value /= math.Pow10(n)
	} else {
		f.Value *= math.Pow10(-n)
	}
	if b[0] == '-' && mantissa != 0 { // tools print -0.00 as the TPOT of one token
		f.Value = -f.Value
	}
	return f, true
}

// ParseNumber parses a decimal number with the result of [strconv.ParseFloat]. It is for lists of thousands of numbers.
func ParseNumber(b []byte) (float64, bool) {
	v, n := number(b)
	if n > 0 && n == len(b) {
		return v, true
	}
	f, ok := ParseFigure(b, 0) // an exponent, or no number
	return f.Value, ok && f.Finite
}

// number parses the decimal number at the beginning of a text, and returns its length in bytes, 0 if there is none. It
// collects the digits as an integer, eight at a time, and divides once by a power of ten, so that the result is rounded
// once.
func number(b []byte) (v float64, n int) {
	var mantissa uint64
	if len(b) > 0 && b[0] == '-' {
		n = 1
	}
	first, point := n, -1
	if n+1 < len(b) && b[n+1] == '.' && IsDigit(b[n]) { // the form of most fractions
		mantissa, point, n = uint64(b[n]-'0'), n+1, n+2
	}
	for n < len(b) {
		if n+wordSize <= len(b) {
			word := binary.LittleEndian.Uint64(b[n:])
			k := countDigits(word)
			n += k
			if k == wordSize {
				mantissa = mantissa*1e8 + digits(word)
				continue
			}
			if k > 0 {
				mantissa = mantissa*powers[k] + digits(word<<(8*(wordSize-k))) // the digits, with leading zeros
			}
		} else {
			for ; n < len(b) && IsDigit(b[n]); n++ {
				mantissa = mantissa*10 + uint64(b[n]-'0')
			}
		}
		if point >= 0 || n == len(b) || b[n] != '.' {
			break
		}
		point = n
		n++
	}
	count, decimals := n-first, 0
	if point >= 0 {
		count--
		decimals = n - point - 1
	}
	switch {
	case count == 0:
		return 0, 0
	case count > len(powers)-1: // more digits than an integer holds
		var err error
		if v, err = strconv.ParseFloat(string(b[first:n]), 64); err != nil {
			return 0, 0
		}
	default:
		v = scaled(mantissa, decimals)
	}
	if first == 1 {
		v = -v
	}
	return v, n
}

// powers lists the powers of ten that fit into a uint64.
var powers = func() (p [20]uint64) {
	p[0] = 1
	for i := range len(p) - 1 {
		p[i+1] = 10 * p[i]
	}
	return p
}()

// scaled returns an integer divided by a power of ten, rounded once.
func scaled(number uint64, decimals int) float64 {
	switch {
	case decimals == 0:
		return float64(number)
	case number <= 1<<53: // both are exact
		return float64(number) / float64(powers[decimals])
	}
	return quotient(number, powers[decimals])
}

// quotient divides two integers other than 0 and rounds once: the quotient has at least 62 bits, and its last bit is
// also set if there is a remainder; a float has 53 bits.
func quotient(a, b uint64) float64 {
	shiftA, shiftB := bits.LeadingZeros64(a), bits.LeadingZeros64(b)
	a, b = a<<shiftA, b<<shiftB
	q, rest := bits.Div64(a>>1, a<<63, b)
	q = q>>1 | q&1
	if rest != 0 {
		q |= 1
	}
	const bias, mantissaBits = 1023, 52
	return float64(int64(q)) * math.Float64frombits(uint64(bias+shiftB-shiftA-62)<<mantissaBits)
}

const wordSize = 8 // bytes

// countDigits returns the number of leading bytes of a word that are digits. The lowest byte is the first.
func countDigits(word uint64) int {
	const zeros, above, high = 0x3030303030303030, 0x7676767676767676, 0x8080808080808080
	word ^= zeros
	return bits.TrailingZeros64((word+above|word)&high) / 8
}

// digits returns the number written as eight digits. The lowest byte is the first digit.
func digits(word uint64) uint64 {
	const mask = 0x000000ff000000ff
	word &= 0x0f0f0f0f0f0f0f0f
	word = word*10 + word>>8 // values of pairs
	return (word&mask*(100+1000000<<32) + word>>16&mask*(1+10000<<32)) >> 32
}

// parseLongFigure parses a number that does not fit into an integer, or has an exponent.
func parseLongFigure(b []byte, shift int8, exponent bool, decimals int64) (Figure, bool) {
	text, f := string(b), Figure{Finite: true, Decimals: int8(max(0, decimals-int64(shift)))}
	if exponent {
		mantissa, power, _ := strings.Cut(strings.ToLower(text), "e")
		n, err := strconv.Atoi(power)
		if err != nil {
			return Figure{}, false
		}
		text = mantissa + "e" + strconv.Itoa(n+int(shift))
		f.Decimals = result.FullPrecision
	} else {
		if decimals > 0 { // more digits than anyone chooses to print: all digits of a binary float
			f.Decimals = result.FullPrecision
		}
		if shift != 0 {
			text += "e" + strconv.Itoa(int(shift))
		}
	}
	var err error
	if f.Value, err = strconv.ParseFloat(text, 64); err != nil {
		return Figure{}, errors.Is(err, strconv.ErrRange) // infinite, not a figure
	}
	return f, true
}

func isNotFinite(b []byte) bool {
	for len(b) > 0 && (b[0] == '+' || b[0] == '-') {
		b = b[1:]
	}
	return (len(b) == len("nan") || len(b) == len("infinity")) && (bytes.EqualFold(b, []byte("nan")) || bytes.EqualFold(b, []byte("inf")) ||
		bytes.EqualFold(b, []byte("infinity")))
}

// PlainNumber returns a label's number in its shortest form, so that 10.00 and 10 are the same label. It returns other
// values unchanged.
func PlainNumber(b []byte) []byte {
	if isShortest(b) {
		return b
	}
	f, ok := ParseFigure(b, 0)
	switch {
	case ok && f.Finite:
		return strconv.AppendFloat(nil, f.Value, 'f', -1, 64)
	case bytes.EqualFold(b, []byte("infinity")):
		return []byte("inf")
	}
	return b
}

// isShortest reports whether a text is an integer in its shortest form.
func isShortest(b []byte) bool {
	const exact = 15 // digits that a float holds
	for i, c := range b {
		if !IsDigit(c) || c == '0' && (i == 0 || len(b) > exact) {
			return false
		}
	}
	return true
}

// CommaNumber parses a number with commas: "1,234.56" and "1,234,567" have commas between thousands, "1234,56" and
// "1.234,56" a decimal comma. "1,234" is ambiguous and rejected.
func CommaNumber(text string) (string, bool) {
	if strings.Trim(text, "+-0123456789.,") != "" {
		return "", false
	}
	whole, fraction, _ := strings.Cut(text, ",")
	switch {
	case strings.Count(text, ",") == 1 && strings.Contains(whole, "."): // 1.234,56
		if grouped := strings.ReplaceAll(whole, ".", ","); IsGrouped(grouped) && !strings.Contains(fraction, ".") {
			return strings.ReplaceAll(whole, ".", "") + "." + fraction, true
		}
		return "", false
	case IsGrouped(text) && (strings.Count(text, ",") > 1 || strings.Contains(fraction, ".")):
		return strings.ReplaceAll(text, ",", ""), true
	case strings.Count(text, ",") == 1 && len(fraction) != 3 && !strings.Contains(fraction, "."):
		return whole + "." + fraction, true
	}
	return "", false
}
