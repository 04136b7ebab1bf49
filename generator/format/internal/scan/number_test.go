package scan

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/benchpost/benchpost/generator/result"
)

func TestParseFigure(t *testing.T) {
	for _, test := range []struct {
		text     string
		shift    int8
		value    float64
		decimals int8
	}{
		{"100", 0, 100, 0},
		{"22.59", 0, 22.59, 2},
		{"-0.00", 0, 0, 2},
		{"-3.5", 0, -3.5, 1},
		{"+7", 0, 7, 0},
		{".5", 0, 0.5, 1},
		{"6.97", 3, 6970, 0},
		{"0.0312", 3, 31.2, 1},
		{"1500", -3, 1.5, 3},
		{"0.29139942955225706", 3, 291.39942955225706, result.FullPrecision},
		{"50247.94960021973", 0, 50247.94960021973, result.FullPrecision},
		{"12345678901234567890", 0, 12345678901234567890, 0},
		{"1e-3", 0, 0.001, result.FullPrecision},
		{"1.5E+3", 3, 1.5e6, result.FullPrecision},
	} {
		f, ok := ParseFigure([]byte(test.text), test.shift)
		if !ok || f != (Figure{Value: test.value, Decimals: test.decimals, Finite: true}) {
			t.Errorf("%s shifted by %d is %+v, %v", test.text, test.shift, f, ok)
		}
	}
	for _, text := range []string{"nan", "NaN", "-inf", "Infinity", "1e999", "-1e999"} {
		if f, ok := ParseFigure([]byte(text), 0); !ok || f.Finite {
			t.Errorf("%s is %+v, %v", text, f, ok)
		}
	}
	for _, text := range []string{"", "-", ".", "e5", "1e", "1e+", "1.2.3", "12/14", "1,000", "xxx", "1e5.5", "--1", "infinit", "1-2", "0x10", "1_0",
		"12345678901234567890123456789012345678901"} {
		if f, ok := ParseFigure([]byte(text), 0); ok {
			t.Errorf("%q is %+v", text, f)
		}
	}
}

// TestParseFigureIsExact checks that the fast path for numbers with few digits is as exact as the standard library.
func TestParseFigureIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200_000 {
		text := strconv.FormatFloat(rng.ExpFloat64()*1000, 'f', rng.IntN(12), 64)
		shift := int8(rng.IntN(7) - 3)
		want, _ := strconv.ParseFloat(text+"e"+strconv.Itoa(int(shift)), 64)
		if f, _ := ParseFigure([]byte(text), shift); f.Value != want {
			t.Fatalf("%s shifted by %d is %v, not %v", text, shift, f.Value, want)
		}
	}
}

// TestParseNumberIsExact checks that a number of any length is exact to the last bit.
func TestParseNumberIsExact(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range 200_000 {
		text := strconv.FormatFloat(rng.ExpFloat64()*1000, 'f', i%22, 64)
		if i%3 == 0 { // as Python prints it
			text = strconv.FormatFloat(rng.Float64()/float64(1+i%1000), 'f', -1, 64)
		}
		if i%5 == 0 {
			text = "-" + text
		}
		want, _ := strconv.ParseFloat(text, 64)
		if got, ok := ParseNumber([]byte(text)); !ok || got != want {
			t.Fatalf("%s is %v, not %v", text, got, want)
		}
	}
	for _, text := range []string{"", "-", ".", "1.2.3", "1-2", "x"} {
		if v, ok := ParseNumber([]byte(text)); ok {
			t.Errorf("%q is %v", text, v)
		}
	}
}
