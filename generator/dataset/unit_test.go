package dataset

import (
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

func of(id, name string, value float64, unit string, decimals int8) *result.Result {
	return &result.Result{ID: id, Source: result.Position{File: "runs/" + id + ".log", Line: 1},
		Metrics: []result.Metric{{Kind: &result.Kind{Name: name, Unit: unit}, Value: value, Decimals: decimals, Line: 7}}}
}

func TestConvert(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		v        float64
		from, to string
		want     float64
		ok       bool
	}{
		{1.9, "s", "ms", 1900, true}, {1900000000, "ns", "s", 1.9, true}, {0.1, "ms", "µs", 100, true}, {1, "GiB", "B", 1 << 30, true},
		{1.5, "GB", "B", 1.5e9, true}, {2, "kWh", "J", 7.2e6, true}, {3, "tok/s", "tok/s", 3, true},
		{1, "USD", "CNY", 0, false}, {1, "s", "B", 0, false}, {1, "tok/s", "req/s", 0, false},
	} {
		if got, ok := Convert(c.v, c.from, c.to); got != c.want || ok != c.ok {
			t.Errorf("%g %s is %g %s, %v", c.v, c.from, got, c.to, ok)
		}
	}
}

// TestConvertingBackChangesNothing checks that converting a value between decimal units and back returns the
// same value, to the last bit.
func TestConvertingBackChangesNothing(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 9))
	for range 5000 {
		v := float64(random.IntN(1e9)) / 1000
		there, _ := Convert(v, "s", "ns")
		if back, _ := Convert(there, "ns", "s"); back != v {
			t.Fatalf("%g comes back as %g", v, back)
		}
	}
}

// TestUnitsOfOneMetric checks that values in convertible units are made uniform, and values in several
// currencies rejected.
func TestUnitsOfOneMetric(t *testing.T) {
	t.Parallel()
	times := Uniform([]*result.Result{of("a", "x_eval_duration", 1.90, "s", 2), of("b", "x_eval_duration", 1900000000, "ns", 0)})
	if err := OneUnit(times, "x_eval_duration"); err != nil || times[1].Metrics[0].Value != 1.9 || times[1].Metrics[0].Digits() != "1.9" {
		t.Errorf("%v: %+v", err, times[1].Metrics[0])
	}
	latencies := Uniform([]*result.Result{of("a", "ttft_mean", 0.1234, "s", 4), of("b", "ttft_mean", 98.7, "ms", 1)})
	if m := latencies[0].Metrics[0]; m.Unit != "ms" || m.Digits() != "123.4" {
		t.Errorf("a known metric is in %s: %s", m.Unit, m.Digits())
	}
	costs := []*result.Result{of("a", "cost_per_million_output_tokens", 6.74, "USD", 2), of("b", "cost_per_million_output_tokens", 9.32, "CNY", 2)}
	if got := Uniform(costs); got[1].Metrics[0].Unit != "CNY" {
		t.Error("a currency was converted")
	}
	var p *Problem
	if err := OneUnit(costs, "cost_per_million_output_tokens"); !errors.As(err, &p) || p.Error() != "cost_per_million_output_tokens is in USD and CNY" ||
		!strings.Contains(locale.English(p.Hint), "CNY in runs/b.log:7") {
		t.Errorf("%+v", p)
	}
	alike := []*result.Result{of("a", "x", 1, "s", 0), of("b", "x", 2, "s", 0)}
	if got := Uniform(alike); &got[0] != &alike[0] {
		t.Error("what is alike was copied")
	}
}

// TestShiftedShort checks that shiftedShort returns the same as moving the decimal point in the digits.
func TestShiftedShort(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	short := 0
	for range 200_000 {
		v := math.Round(random.Float64()*math.Pow10(random.IntN(18))) / math.Pow10(random.IntN(8))
		if random.IntN(4) == 0 {
			v = -random.NormFloat64()
		}
		places := random.IntN(40) - 20
		got, ok := shiftedShort(v, places)
		if !ok {
			continue
		}
		short++
		digits, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
		power, _ := strconv.Atoi(exponent)
		if want, _ := strconv.ParseFloat(digits+"e"+strconv.Itoa(power+places), 64); got != want {
			t.Fatalf("%v by %d places is %v, not %v", v, places, got, want)
		}
	}
	if short < 50_000 {
		t.Errorf("%d of the numbers are short", short)
	}
	for _, v := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
		if _, ok := shiftedShort(v, 3); ok {
			t.Errorf("%v has few digits", v)
		}
	}
}
