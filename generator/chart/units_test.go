package chart

import (
	"math"
	"regexp"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/report"
)

// times returns a copy of a chart with the values of the y axis multiplied by a power of ten, in the given
// unit.
func times(c report.Chart, power int, unit string, scale report.Scale) report.Chart {
	by := math.Pow10(power)
	axis := &c.Y
	if c.Kind == report.Histogram {
		axis = &c.X
	}
	axis.Unit, axis.Scale = unit, scale
	var series []report.Series
	for _, s := range c.Series {
		var points []report.Point
		for _, p := range s.Points {
			p.Low, p.High, p.Digits = by*p.Low, by*p.High, [2]string{}
			if c.Kind != report.Histogram {
				p.Y = by * p.Y
			}
			if c.Kind != report.Scatter && c.Kind != report.Curves {
				p.Label = locale.Text{}
			}
			for i := range p.Five {
				p.Five[i] *= by
			}
			points = append(points, p)
		}
		s.Points = points
		series = append(series, s)
	}
	c.Series, c.Levels, c.Notes = series, nil, nil
	var panels []report.Panel
	for _, panel := range c.Panels {
		panel.Chart = times(panel.Chart, power, unit, scale)
		panels = append(panels, panel)
	}
	c.Panels = panels
	return c
}

// said matches the texts of a drawing and the values on the cards of its marks.
var said = regexp.MustCompile(`<(?:text|tspan)[^>]*>([^<]*)|data-(?:rows|units)="([^"]*)"`)

var exponent = regexp.MustCompile(`\d[eE][-+]?\d`)

// TestNoChartWritesAnExponent checks that no kind of chart writes numbers with an exponent: at an axis, beside
// a mark, in a legend or on a card.
func TestNoChartWritesAnExponent(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{"B", "ms", "J/tok", "req/s"} {
		t.Run(unit, func(t *testing.T) {
			t.Parallel()
			if unit != "B" {
				need.Thorough(t, "bytes have most units")
			}
			for name, c := range charts() {
				for power := -9; power <= 12; power += 3 {
					for _, scale := range []report.Scale{report.Auto, report.Log} {
						if scale == report.Auto || c.Kind != report.GroupedBars && power%6 == 0 {
							checkExponents(t, name, times(c, power, unit, scale))
						}
					}
				}
			}
		})
	}
}

func checkExponents(t *testing.T, name string, c report.Chart) {
	t.Helper()
	image, err := Sketch(c, printer(t, "en"), DefaultTheme())
	if err != nil {
		t.Fatal(err)
	}
	for _, svg := range [][]byte{image.SVG, image.Narrow} {
		for _, m := range said.FindAllSubmatch(svg, -1) {
			if text := string(m[1]) + string(m[2]); exponent.MatchString(text) {
				t.Errorf("%s in %s (scale %q): %q", name, c.Y.Unit, c.Y.Scale, text)
			}
		}
	}
}
