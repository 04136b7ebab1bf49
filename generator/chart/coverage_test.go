package chart

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"maps"
	"math"
	"slices"
	"testing"

	freetype "github.com/golang/freetype/raster"
	"github.com/wcharczuk/go-chart/v2/drawing"

	"github.com/benchpost/benchpost/generator/chart/raster"
	"github.com/benchpost/benchpost/generator/need"
)

// plain is a canvas that draws all paths with go-chart and its rasteriser.
type plain struct {
	*paletted
	gc     *drawing.RasterGraphicContext
	colour color.RGBA
}

func newPlain(p *paletted) *plain {
	c := &plain{paletted: p}
	c.gc = drawing.NewRasterGraphicContextWithPainter(p.Image, c)
	c.gc.SetFillRule(drawing.FillRuleWinding)
	return c
}

func (p *plain) polygon(corners []point, c color.RGBA) {
	p.trace(corners)
	p.gc.Close()
	p.colour = c
	p.gc.Fill()
}

func (p *plain) disc(centre point, radius float64, c color.RGBA) {
	r := radius * p.scale
	p.gc.ArcTo(centre.x*p.scale, centre.y*p.scale, r, r, 0, 2*math.Pi)
	p.colour = c
	p.gc.Fill()
}

func (p *plain) line(points []point, width float64, dash []float64, c color.RGBA) {
	var scaled []float64
	for _, d := range dash {
		scaled = append(scaled, d*p.scale)
	}
	p.trace(points)
	p.gc.SetLineWidth(width * p.scale)
	p.gc.SetLineDash(scaled, 0)
	p.colour = c
	p.gc.Stroke()
}

func (p *plain) trace(points []point) {
	p.gc.MoveTo(points[0].x*p.scale, points[0].y*p.scale)
	for _, q := range points[1:] {
		p.gc.LineTo(q.x*p.scale, q.y*p.scale)
	}
}

// Paint receives the coverage of a path from go-chart's rasteriser.
func (p *plain) Paint(spans []freetype.Span, _ bool) {
	for _, s := range spans {
		run := &raster.Mask{Bounds: image.Rect(s.X0, s.Y, s.X1, s.Y+1)}
		run.Levels = bytes.Repeat([]byte{raster.Level(s.Alpha)}, run.Bounds.Dx())
		p.Stamp(run, image.Point{}, p.colour)
	}
}

// SetColor is part of go-chart's Painter.
func (p *plain) SetColor(color.Color) {}

// TestCoverageIsThatOfGoChart checks that coverage draws the same pixels as go-chart's rasteriser, for all
// samples at several scales.
func TestCoverageIsThatOfGoChart(t *testing.T) {
	t.Parallel()
	scales := []float64{0.3, 1, 4.0 / 3}
	for i, name := range slices.Sorted(maps.Keys(charts())) {
		for k, scale := range scales {
			t.Run(fmt.Sprintf("%s/%.1f", name, scale), func(t *testing.T) {
				if i%len(scales) != k {
					need.Thorough(t, "the sample is drawn at another scale")
				}
				t.Parallel()
				theme := DefaultTheme()
				theme.Scale = scale
				l := arrangedIn(t, charts()[name], "en", theme)
				got := l.paint()
				size := got.Image.Rect
				want := newPlain(newPaletted(size.Dx(), size.Dy(), scale, theme.colours()))
				for _, draw := range l.items {
					draw(want)
				}
				if n := difference(got.Image, want.Image); n != 0 {
					t.Errorf("%d pixels differ", n)
				}
			})
		}
	}
}
