package number

import "testing"

func TestShort(t *testing.T) {
	t.Parallel()
	for v, want := range map[float64]string{
		0: "0", 5: "5", 7.914: "7.914", 298.07: "298.1", -0.5: "-0.5", 0.00012: "0.00012",
		43688.41: "43,688", 1438.24: "1438", 1e-9: "1e-9", 1.2345e12: "1.234e12",
	} {
		if got := Short(v); got != want {
			t.Errorf("Short(%g) = %s, want %s", v, got, want)
		}
	}
}

// TestLabels checks that the numbers of an axis share a prefix if that shortens all of them.
func TestLabels(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		greatest, step, v float64
		exponent          int
		want              string
	}{
		{100, 20, 40, 1, "40"},
		{8000, 2000, 6000, 3, "6000"},
		{80_000, 20_000, 60_000, 4, "60k"},
		{80_000, 20_000, 0, 4, "0"},
		{3e6, 5e5, 1.5e6, 5, "1.5M"},
		{0.3, 0.05, 0.15, -2, "0.15"},
		{8e12, 2e12, 4e12, 12, "4e12"},
		{20_000, 5, 10_005, 0, "10,005"},
	} {
		if got := Common(c.greatest, c.step).Label(c.v, c.exponent); got != c.want {
			t.Errorf("%g up to %g by %g is written %s, want %s", c.v, c.greatest, c.step, got, c.want)
		}
	}
}
