package chart

import (
	"fmt"
	"image/color"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/golang/freetype/raster"
	"github.com/wcharczuk/go-chart/v2/drawing"

	"github.com/benchpost/benchpost/generator/chart/font"
	"github.com/benchpost/benchpost/generator/need"
)

// plain is a canvas that leaves all paths to go-chart and its rasteriser.
type plain struct {
	*paletted
	gc  *drawing.RasterGraphicContext
	ink *ink
}

func newPlain(p *paletted) *plain {
	c := &plain{paletted: p}
	c.gc = drawing.NewRasterGraphicContextWithPainter(p.image, c)
	c.gc.SetFillRule(drawing.FillRuleWinding)
	return c
}

func (p *plain) polygon(corners []point, c color.RGBA) {
	p.trace(corners)
	p.gc.Close()
	p.ink = p.inkOf(c)
	p.gc.Fill()
}

func (p *plain) disc(centre point, radius float64, c color.RGBA) {
	r := radius * p.scale
	p.gc.ArcTo(centre.x*p.scale, centre.y*p.scale, r, r, 0, 2*math.Pi)
	p.ink = p.inkOf(c)
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
	p.ink = p.inkOf(c)
	p.gc.Stroke()
}

func (p *plain) trace(points []point) {
	p.gc.MoveTo(points[0].x*p.scale, points[0].y*p.scale)
	for _, q := range points[1:] {
		p.gc.LineTo(q.x*p.scale, q.y*p.scale)
	}
}

// Paint receives from go-chart's rasteriser what a path covers.
func (p *plain) Paint(spans []raster.Span, _ bool) {
	for _, s := range spans {
		if level := font.Level(s.Alpha); level > 0 {
			row := p.row(max(s.X0, 0), min(s.X1, p.image.Rect.Max.X), s.Y)
			for i := range row {
				p.blend(&row[i], p.ink, level)
			}
		}
	}
}

// SetColor is part of go-chart's Painter.
func (p *plain) SetColor(color.Color) {}

// What coverage draws is what go-chart's rasteriser draws, to the pixel, in all
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
				size := got.image.Rect
				want := newPlain(newPaletted(size.Dx(), size.Dy(), scale, theme.colours()))
				for _, draw := range l.items {
					draw(want)
				}
				if n := difference(got.image, want.image); n != 0 {
					t.Errorf("%d pixels differ", n)
				}
			})
		}
	}
}

// Any path at all, also beyond the canvas, is drawn and leaves nothing behind; one
// inside is drawn as go-chart does.
func TestCoverageOfAnyPath(t *testing.T) {
	t.Parallel()
	const side = 60
	red := rgb(0xff0000)
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 5))
		beyond := -4.0 // so that strokes do not leave it either
		if seed%2 == 1 {
			beyond = 40
		}
		var corners []point
		for range 3 + r.IntN(6) {
			corners = append(corners, point{r.Float64()*(side+2*beyond) - beyond, r.Float64()*(side+2*beyond) - beyond})
		}
		canvas := func() *paletted { return newPaletted(side, side, 1, []color.RGBA{rgb(0xffffff), red}) }
		got, want := canvas(), newPlain(canvas())
		for _, c := range []interface {
			polygon([]point, color.RGBA)
			line([]point, float64, []float64, color.RGBA)
		}{got, want} {
			c.polygon(corners, red)
			c.line(corners, 3, []float64{5, 4}, rgb(0x0000ff))
		}
		if i := slices.IndexFunc(got.coverage.cells, func(v int32) bool { return v != 0 }); i >= 0 {
			t.Errorf("seed %d: cell %d is left over", seed, i)
		}
		if n := difference(got.image, want.image); n != 0 && beyond < 0 {
			t.Errorf("seed %d: %d pixels differ", seed, n)
		}
	}
}
