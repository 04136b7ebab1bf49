package report

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
)

// aChart returns a chart of a kind with a figure in each place, times a power of ten.
func aChart(kind ChartKind, unit string, power int) Chart {
	by := func(v float64) float64 { return v * math.Pow10(power) }
	c := Chart{Kind: kind, X: Axis{Unit: unit}, Y: Axis{Unit: unit}, Size: Axis{Unit: unit},
		Levels: []Level{{Across: true, At: by(3)}, {At: by(4)}}, Bands: []Band{{From: by(1), To: by(2)}}}
	for i := range 3 {
		v := by(1.5 + float64(i))
		c.Series = append(c.Series, Series{Points: []Point{
			{X: v, Y: v, Low: v / 2, High: v, Spread: true, Size: v, Five: [5]float64{v, v, v, v, v}, Label: locale.Lit("label"), Digits: [2]string{"x", "y"}},
			{X: v, Missing: true},
		}})
	}
	return c
}

var everyKind = []ChartKind{GroupedBars, Dots, Scatter, Lines, Curves, Boxes, Histogram, HeatMap, Slope}

// TestAxesAreReadInOneUnit checks that all values on an axis have the same unit, and that the original chart, which
// data is made from, is unchanged.
func TestAxesAreReadInOneUnit(t *testing.T) {
	t.Parallel()
	for _, kind := range everyKind {
		for _, unit := range []string{"B", "ms", "tok", "USD"} {
			for power := -12; power <= 12; power += 3 {
				c := aChart(kind, unit, power)
				read := c.Readable()
				if !reflect.DeepEqual(c, aChart(kind, unit, power)) {
					t.Fatalf("%s, 10^%d %s: the chart itself was changed", kind, power, unit)
				}
				p, q := c.Series[0].Points[0], read.Series[0].Points[0]
				by := p.Y / q.Y
				alike := func(what string, before, after float64) {
					if math.Abs(before/after/by-1) > 1e-9 {
						t.Errorf("%s, 10^%d %s: %s is %g %s where y is %g", kind, power, unit, what, after, read.Y.Unit, q.Y)
					}
				}
				alike("x", p.X, q.X)
				alike("the size", p.Size, q.Size)
				alike("the lower end", p.Low, q.Low)
				alike("the upper end", p.High, q.High)
				alike("a quantile", p.Five[4], q.Five[4])
				alike("a level", c.Levels[0].At, read.Levels[0].At)
				alike("a level of x", c.Levels[1].At, read.Levels[1].At)
				alike("a band", c.Bands[0].To, read.Bands[0].To)
				if named := kind == Scatter || kind == Curves; by != 1 && (locale.English(q.Label) == "label") != named {
					t.Errorf("%s, 10^%d %s: the label is %q", kind, power, unit, locale.English(q.Label))
				}
				if by != 1 && q.Digits == p.Digits || (by == 1) != (read.Y.Unit == unit) {
					t.Errorf("%s: %g %s is written %q %s", kind, p.Y, unit, q.Digits, read.Y.Unit)
				}
			}
		}
	}
}

// TestSmallChartsShareAUnit checks that panels share a unit, except lanes, whose quantities differ.
func TestSmallChartsShareAUnit(t *testing.T) {
	t.Parallel()
	c := Chart{Panels: []Panel{{Chart: aChart(Lines, "B", 7)}, {Chart: aChart(Lines, "B", 9)}}}
	for lanes, want := range map[bool]string{false: "GB GB, GB GB", true: "GB MB, GB GB"} {
		c.Lanes = lanes
		a, b := c.Readable().Panels[0].Chart, c.Readable().Panels[1].Chart
		if got := fmt.Sprintf("%s %s, %s %s", a.X.Unit, a.Y.Unit, b.X.Unit, b.Y.Unit); got != want {
			t.Errorf("with lanes %v, the axes are read in %s, want %s", lanes, got, want)
		}
	}
}

// TestPlacesStay checks that named places, times, and values written by authors are not treated as quantities.
func TestPlacesStay(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Chart){
		"ticks":   func(c *Chart) { c.Ticks = []Tick{{At: 1}} },
		"time":    func(c *Chart) { c.X.Scale = Time },
		"written": func(c *Chart) { c.X.Written = true },
	} {
		c := aChart(Lines, "B", 9)
		change(&c)
		if read := c.Readable(); read.X.Unit != "B" || read.Series[0].Points[0].X != c.Series[0].Points[0].X || read.Y.Unit != "GB" {
			t.Errorf("%s: x is read in %s, y in %s", name, read.X.Unit, read.Y.Unit)
		}
	}
}
