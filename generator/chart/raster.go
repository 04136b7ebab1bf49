package chart

import (
	"image"
	"image/color"
	"math"

	"github.com/golang/freetype/raster"
	"github.com/wcharczuk/go-chart/v2/drawing"
	"golang.org/x/image/math/fixed"
)

// canvas is what a scene is drawn on. Lengths are layout units.
type canvas interface {
	rect(b box, c color.RGBA)
	polygon(corners []point, c color.RGBA)
	disc(centre point, radius float64, c color.RGBA)
	line(points []point, width float64, dash []float64, c color.RGBA)
	text(s string, left, baseline float64, f face, c color.RGBA)
}

// opaque is the highest level of coverage. Sixteen levels keep edges smooth
// and a chart within the 256 colours of a palette.
const opaque = 15

func coverageLevel(alpha uint32) uint8 { return uint8((alpha*opaque + 0x7fff) / 0xffff) }

// paletted is a canvas of at most 256 colours. Curves and strokes are
// rasterised by go-chart's drawing package, whose Painter it is; rectangles
// and glyphs it fills by itself.
type paletted struct {
	scale float64 // pixels per layout unit
	image *image.Paletted
	gc    *drawing.RasterGraphicContext
	inks  map[color.RGBA]*ink
	ink   *ink // of the path being drawn
	known map[color.RGBA]uint8
}

// ink is a colour and what it gives over each colour of the palette at each
// level of coverage; 0 where that is not known yet.
type ink struct {
	colour color.RGBA
	index  uint8
	over   [256][opaque]uint8
}

// newPaletted gives an empty canvas of the first colour. The colours go into
// the palette before all blends.
func newPaletted(width, height int, scale float64, colours []color.RGBA) *paletted {
	p := &paletted{
		scale: scale,
		image: image.NewPaletted(image.Rect(0, 0, width, height), make(color.Palette, 0, 256)),
		inks:  map[color.RGBA]*ink{},
		known: map[color.RGBA]uint8{},
	}
	p.gc = drawing.NewRasterGraphicContextWithPainter(p.image, p)
	p.gc.SetFillRule(drawing.FillRuleWinding)
	for _, c := range colours {
		p.index(c)
	}
	return p
}

// index finds a colour in the palette, adds it while there is room, and
// settles for the nearest one after that.
func (p *paletted) index(c color.RGBA) uint8 {
	i, ok := p.known[c]
	if !ok {
		if len(p.image.Palette) < cap(p.image.Palette) {
			i = uint8(len(p.image.Palette))
			p.image.Palette = append(p.image.Palette, c)
		} else {
			i = uint8(p.image.Palette.Index(c))
		}
		p.known[c] = i
	}
	return i
}

func (p *paletted) inkOf(c color.RGBA) *ink {
	k := p.inks[c]
	if k == nil {
		k = &ink{colour: c, index: p.index(c)}
		p.inks[c] = k
	}
	return k
}

// blend lays ink over a pixel at a level from 1 to opaque.
func (p *paletted) blend(pixel *uint8, k *ink, level uint8) {
	if level == opaque {
		*pixel = k.index
		return
	}
	known := &k.over[*pixel][level]
	if *known == 0 {
		under := p.image.Palette[*pixel].(color.RGBA)
		mix := func(u, o uint8) uint8 {
			return uint8((int(u)*(opaque-int(level)) + int(o)*int(level) + opaque/2) / opaque)
		}
		*known = p.index(color.RGBA{mix(under.R, k.colour.R), mix(under.G, k.colour.G), mix(under.B, k.colour.B), 255})
	}
	*pixel = *known
}

// rect fills a rectangle whose sides stand on the pixel grid, so that thin
// lines stay sharp; it is never thinner than a pixel.
func (p *paletted) rect(b box, c color.RGBA) {
	r := image.Rectangle{p.pixel(b.x0, b.y0), p.pixel(b.x1, b.y1)}
	r.Max.X, r.Max.Y = max(r.Max.X, r.Min.X+1), max(r.Max.Y, r.Min.Y+1)
	r = r.Intersect(p.image.Rect)
	index := p.inkOf(c).index
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := p.image.Pix[p.image.PixOffset(r.Min.X, y):p.image.PixOffset(r.Max.X, y)]
		for i := range row {
			row[i] = index
		}
	}
}

func (p *paletted) pixel(x, y float64) image.Point {
	return image.Pt(int(math.Round(x*p.scale)), int(math.Round(y*p.scale)))
}

func (p *paletted) polygon(corners []point, c color.RGBA) {
	p.path(corners)
	p.gc.Close()
	p.ink = p.inkOf(c)
	p.gc.Fill()
}

func (p *paletted) disc(centre point, radius float64, c color.RGBA) {
	r := radius * p.scale
	p.gc.ArcTo(centre.x*p.scale, centre.y*p.scale, r, r, 0, 2*math.Pi)
	p.ink = p.inkOf(c)
	p.gc.Fill()
}

func (p *paletted) line(points []point, width float64, dash []float64, c color.RGBA) {
	scaled := make([]float64, len(dash))
	for i, d := range dash {
		scaled[i] = d * p.scale
	}
	p.path(points)
	p.gc.SetLineWidth(width * p.scale)
	p.gc.SetLineDash(scaled, 0)
	p.ink = p.inkOf(c)
	p.gc.Stroke()
}

func (p *paletted) path(points []point) {
	p.gc.MoveTo(points[0].x*p.scale, points[0].y*p.scale)
	for _, q := range points[1:] {
		p.gc.LineTo(q.x*p.scale, q.y*p.scale)
	}
}

// Paint receives from go-chart's rasteriser what a path covers.
func (p *paletted) Paint(spans []raster.Span, done bool) {
	for _, s := range spans {
		level := coverageLevel(s.Alpha)
		s.X0, s.X1 = max(s.X0, 0), min(s.X1, p.image.Rect.Max.X)
		if level == 0 || s.X0 >= s.X1 {
			continue
		}
		row := p.image.Pix[p.image.PixOffset(s.X0, s.Y):p.image.PixOffset(s.X1, s.Y)]
		for i := range row {
			p.blend(&row[i], p.ink, level)
		}
	}
}

// SetColor is part of go-chart's Painter; the canvas sets its ink itself.
func (p *paletted) SetColor(color.Color) {}

func (p *paletted) text(s string, left, baseline float64, f face, c color.RGBA) {
	k := p.inkOf(c)
	pen, y := left*p.scale, int(math.Round(baseline*p.scale))
	size := fixed.Int26_6(math.Round(f.size * p.scale * 64))
	for _, r := range s {
		font := f.font(r)
		advance, shift := font.advance(r)
		quarter := int(math.Round((pen - shift*f.size*p.scale) * 4))
		p.stamp(font.mask(r, size, quarter&3), image.Pt(quarter>>2, y), k)
		pen += advance * f.size * p.scale
	}
}

func (p *paletted) stamp(m *mask, at image.Point, k *ink) {
	full := m.bounds.Add(at)
	visible := full.Intersect(p.image.Rect)
	for y := visible.Min.Y; y < visible.Max.Y; y++ {
		row := p.image.Pix[p.image.PixOffset(visible.Min.X, y):p.image.PixOffset(visible.Max.X, y)]
		from := (y-full.Min.Y)*full.Dx() + visible.Min.X - full.Min.X
		for i, level := range m.levels[from : from+len(row)] {
			if level != 0 {
				p.blend(&row[i], k, level)
			}
		}
	}
}
