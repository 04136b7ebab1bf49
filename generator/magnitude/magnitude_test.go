package magnitude

import (
	"math"
	"strings"
	"testing"
)

func TestUnits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		unit            string
		least, greatest float64
		want            string
	}{
		{"B", 4e8, 1.4e11, "GB"},
		{"B", 4e6, 9e8, "MB"},
		{"B", 100, 9e9, "kB"}, // 100 B are 0.1 kB
		{"B", 1, 1e12, "MB"},  // no unit suits both
		{"B", 12, 700, "B"},
		{"B/s", 1e12, 3.35e12, "GB/s"},
		{"FLOP/s", 2e13, 2e15, "TFLOP/s"},
		{"MiB", 81_920, 81_920, "MiB"},
		{"MiB", 163_840, 163_840, "GiB"},
		{"ms", 800, 310_566, "ms"}, // as in tools and tables
		{"ms", 1e5, 2.4e6, "s"},
		{"ms", 0.012, 0.05, "µs"},
		{"ms", 1e-5, 0.05, "µs"}, // the next unit would be as far from one
		{"s", 200, 30_000, "s"},
		{"s", 40_000, 200_000, "s"},
		{"s", 40_000, 2_000_000, "h"},
		{"ms", 1e6, 4e6, "s"}, // an hour or two are shown in s
		{"s", 0.01, 0.07, "ms"},
		{"J", 2e5, 4e7, "MJ"},
		{"J/tok", 0.004, 0.06, "mJ/tok"},
		{"W", 300, 12_000, "W"},
		{"MHz", 210, 1980, "MHz"},
		{"tok", 1000, 453_632, "tok"},
		{"tok", 2.5e6, 1.6e8, "M tok"},
		{"tok/s", 1e5, 3e5, "tok/s"},
		{"tok/J", 0.05, 0.2, "tok/J"},
		{"USD", 1e-7, 4e-6, "×10^-6 USD"},
		{"%", 12, 98, "%"},
		{"1", 2e7, 2e8, "×10^6"},
		{"", 0.5, 0.9, ""},
		{"ms", 0, 0, "ms"},
	} {
		if got := For(c.unit, c.least, c.greatest); got.Name != c.want {
			t.Errorf("%g to %g %s are read in %s, want %s", c.least, c.greatest, c.unit, got.Name, c.want)
		}
	}
}

// TestNoFigureNeedsAnExponent: for any unit and size, the greatest figure needs no exponent in the chosen unit,
// the factor matches the unit's name, and a converted figure is not converted again.
func TestNoFigureNeedsAnExponent(t *testing.T) {
	t.Parallel()
	units := []string{"", "1", "%", "USD", "req/s", "tok/s/user"}
	for _, l := range ladders {
		for _, step := range l.steps {
			units = append(units, step.Name, step.Name+"/s")
		}
	}
	for _, unit := range units {
		for power := -40; power <= 40; power++ {
			for _, digit := range []float64{1, 2.5, 9.999} {
				greatest := digit * math.Pow10(power)
				u := For(unit, greatest, greatest)
				v := u.Of(greatest)
				if v < plainLeast || v >= plainMost {
					t.Errorf("%g %s is %g %s", greatest, unit, v, u.Name)
				}
				if written := Digits(v); strings.Contains(written, "e") {
					t.Errorf("%g %s is written %s", greatest, unit, written)
				}
				if again := For(u.Name, v, v); !strings.HasPrefix(u.Name, "×") && again.Name != u.Name {
					t.Errorf("%g %s is read as %g %s, and that in %s", greatest, unit, v, u.Name, again.Name)
				}
				if (u.Name == unit) != (u.Per == 1) {
					t.Errorf("%g %s: %g of it are a %s", greatest, unit, u.Per, u.Name)
				}
			}
		}
	}
}

// TestTheLeastIsReadToo: if figures are far apart, the unit also suits the smallest unless the greatest would
// need an exponent for that.
func TestTheLeastIsReadToo(t *testing.T) {
	t.Parallel()
	for _, l := range ladders {
		for _, step := range l.steps {
			for power := -3; power <= 12; power++ {
				least := math.Pow10(power)
				for apart := 0; apart <= 9; apart++ {
					greatest := least * math.Pow10(apart)
					u := For(step.Name, least, greatest)
					smaller := l.steps[0].Name
					if strings.HasPrefix(u.Name, "×") || u.Name == smaller || u.Of(least) >= plainLeast {
						continue
					}
					i := 0
					for l.steps[i].Name != u.Name {
						i++
					}
					if finer := greatest / u.Per * l.steps[i].Per / l.steps[i-1].Per; finer < longest {
						t.Errorf("%g to %g %s are read in %s, %g to %g", least, greatest, step.Name, u.Name, u.Of(least), u.Of(greatest))
					}
				}
			}
		}
	}
}

func TestDigits(t *testing.T) {
	t.Parallel()
	for v, want := range map[float64]string{
		0: "0", 0.4: "0.4", 0.60632: "0.606", 9.7012: "9.7", 14.553: "14.6", 50: "50", 141.17: "141.2", 2465.331: "2465.3",
		45_363.2: "45,363.2", -3.2: "-3.2", 9.999: "10",
	} {
		if got := Digits(v); got != want {
			t.Errorf("Digits(%g) = %s, want %s", v, got, want)
		}
	}
}

// TestWhatNobodyReads: figures in units that are never displayed are converted unless they are small. Figures
// in other units are not converted by Read.
func TestWhatNobodyReads(t *testing.T) {
	t.Parallel()
	for _, l := range ladders {
		for _, step := range l.steps {
			for _, v := range []float64{0, 7, 4e4, 65.4e9, 3e15} {
				for _, unit := range []string{step.Name, step.Name + "/s"} {
					read, other := Read(unit, v)
					if never := l.most == 0 && step.Per == 1; other != (never && v >= 1e3) {
						t.Errorf("%g %s is read in %s: %t", v, unit, read.Name, other)
					}
					if !other && read != (Unit{unit, 1}) {
						t.Errorf("%g %s is read in %v", v, unit, read)
					}
				}
			}
		}
	}
}
