package chart

import (
	"image"
	"image/color"
	"math"
	"slices"

	"github.com/benchpost/benchpost/generator/chart/font"
	"github.com/benchpost/benchpost/generator/chart/raster"
	"github.com/wcharczuk/go-chart/v2/drawing"
)

// canvas is a surface for drawing. Lengths are layout units.
type canvas interface {
	rect(b box, c color.RGBA)
	polygon(corners []point, c color.RGBA)
	disc(centre point, radius float64, c color.RGBA)
	line(points []point, width float64, dash []float64, c color.RGBA)
	text(s string, left, baseline float64, f font.Face, c color.RGBA)
	rule(b box, upright bool, c color.RGBA) // a line along a side of the canvas
	open(g group)                           // begins a group, which close ends
	close()
	silent() bool // ignores groups
}

// paletted is a canvas of pixels.
type paletted struct {
	*raster.Canvas
	scale float64 // pixels per layout unit
}

func newPaletted(width, height int, scale float64, colours []color.RGBA) *paletted {
	return &paletted{raster.New(width, height, colours), scale}
}

// rect fills a rectangle whose sides are on the pixel grid, so that thin
// lines stay sharp; it is never thinner than a pixel.
func (p *paletted) rect(b box, c color.RGBA) {
	r := image.Rectangle{p.pixel(b.x0, b.y0), p.pixel(b.x1, b.y1)}
	r.Max.X, r.Max.Y = max(r.Max.X, r.Min.X+1), max(r.Max.Y, r.Min.Y+1)
	p.Rect(r, c)
}

func (p *paletted) rule(b box, _ bool, c color.RGBA) { p.rect(b, c) }

// A picture has no interactive parts, so groups are ignored.
func (p *paletted) open(group)   {}
func (p *paletted) close()       {}
func (p *paletted) silent() bool { return true }

func (p *paletted) pixel(x, y float64) image.Point {
	return image.Pt(int(math.Round(x*p.scale)), int(math.Round(y*p.scale)))
}

func (p *paletted) polygon(corners []point, c color.RGBA) {
	pen := p.Outline()
	p.trace(pen, corners)
	pen.LineTo(corners[0].x*p.scale, corners[0].y*p.scale)
	p.Paint(c)
}

func (p *paletted) disc(centre point, radius float64, c color.RGBA) {
	p.Disc(centre.x*p.scale, centre.y*p.scale, radius*p.scale, c)
}

func (p *paletted) line(points []point, width float64, dash []float64, c color.RGBA) {
	if p.scale != 1 {
		dash = slices.Clone(dash)
		for i := range dash {
			dash[i] *= p.scale
		}
	}
	pen := p.Stroke(width*p.scale, dash)
	p.trace(pen, points)
	pen.End()
	p.Paint(c)
}

func (p *paletted) trace(pen drawing.Flattener, points []point) {
	pen.MoveTo(points[0].x*p.scale, points[0].y*p.scale)
	for _, q := range points[1:] {
		pen.LineTo(q.x*p.scale, q.y*p.scale)
	}
}

func (p *paletted) text(s string, left, baseline float64, f font.Face, c color.RGBA) {
	f.Masks(s, left, baseline, p.scale, func(m *raster.Mask, at image.Point) { p.Stamp(m, at, c) })
}
