package scan

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
)

// Figure is a number as a tool wrote it.
type Figure struct {
	Value    float64
	Decimals int8
	Finite   bool // false for NaN and the infinities, which are not figures to report
}

// ParseFigure reads the whole of b as a number. The value is multiplied by
// ten to the power of shift, exactly: 6.97 seconds are 6970 milliseconds.
func ParseFigure(b []byte, shift int8) (Figure, bool) {
	if len(b) == 0 || len(b) > 40 {
		return Figure{}, false
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
			return Figure{}, isNotFinite(b)
		}
	}
	if digits == 0 {
		return Figure{}, false
	}
	if exponent || digits > 15 {
		return parseLongFigure(b, shift, exponent, decimals)
	}
	// Below 2^53, so that both operands are exact and the result is rounded once.
	f := Figure{Finite: true, Value: float64(mantissa), Decimals: int8(max(0, decimals-int64(shift)))}
	if n := int(decimals) - int(shift); n > 0 {
		f.Value /= math.Pow10(n)
	} else {
		f.Value *= math.Pow10(-n)
	}
	if b[0] == '-' && mantissa != 0 { // TPOT of one token is -0.00
		f.Value = -f.Value
	}
	return f, true
}

// ParseNumber reads a decimal number, as [strconv.ParseFloat] would. It is for lists
// of thousands: where all digits make a whole number that a float holds exactly, it
// needs one division of two exact numbers.
func ParseNumber(b []byte) (float64, bool) {
	var mantissa int64
	digits, decimals := 0, -1
	for i, c := range b {
		switch {
		case '0' <= c && c <= '9':
			mantissa = mantissa*10 + int64(c-'0')
			digits++
			if decimals >= 0 {
				decimals++
			}
		case c == '.' && decimals < 0:
			decimals = 0
		case c == '-' && i == 0:
		default:
			f, ok := ParseFigure(b, 0) // an exponent, or no number
			return f.Value, ok && f.Finite
		}
	}
	switch {
	case digits == 0:
		return 0, false
	case digits > 18 || mantissa > 1<<53:
		v, err := strconv.ParseFloat(string(b), 64)
		return v, err == nil
	}
	v := float64(mantissa)
	if decimals > 0 {
		v /= math.Pow10(decimals)
	}
	if b[0] == '-' {
		v = -v
	}
	return v, true
}

// parseLongFigure reads what does not fit a whole number, or has an exponent.
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
		if decimals > 0 { // more digits than anyone chooses to print: all of a binary float
			f.Decimals = result.FullPrecision
		}
		if shift != 0 {
			text += "e" + strconv.Itoa(int(shift))
		}
	}
	var err error
	if f.Value, err = strconv.ParseFloat(text, 64); err != nil {
		return Figure{}, errors.Is(err, strconv.ErrRange) // infinite, and no figure
	}
	return f, true
}

func isNotFinite(b []byte) bool {
	b = bytes.TrimLeft(b, "+-")
	return bytes.EqualFold(b, []byte("nan")) || bytes.EqualFold(b, []byte("inf")) ||
		bytes.EqualFold(b, []byte("infinity"))
}

// PlainNumber writes a label's number in its shortest form, so that 10.00 and
// 10 are the same label; anything else is given as it is.
func PlainNumber(b []byte) []byte {
	if len(bytes.TrimLeft(b, "123456789")) == 0 {
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
