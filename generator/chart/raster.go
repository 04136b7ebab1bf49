package chart

import (
	"image"
	"image/color"
	"math"
	"slices"
	"sync"

	"github.com/benchpost/benchpost/generator/chart/font"
	"github.com/wcharczuk/go-chart/v2/drawing"
)

// canvas is what a scene is drawn on. Lengths are layout units.
type canvas interface {
	rect(b box, c color.RGBA)
	polygon(corners []point, c color.RGBA)
	disc(centre point, radius float64, c color.RGBA)
	line(points []point, width float64, dash []float64, c color.RGBA)
	text(s string, left, baseline float64, f font.Face, c color.RGBA)
	rule(b box, upright bool, c color.RGBA) // a line along a side of the canvas
	open(g group)                           // what is drawn until it is closed belongs together
	close()
}

// paletted is a canvas of at most 256 colours. Go-chart's drawing package turns
// curves and strokes into outlines and draws the glyphs that are stamped.
type paletted struct {
	scale    float64 // pixels per layout unit
	image    *image.Paletted
	coverage *coverage
	inks     map[color.RGBA]*ink
	spare    []*ink // of charts before
	known    map[color.RGBA]uint8
}

// ink is a colour and what it becomes over each colour of the palette at each
// level of coverage, plus one; 0 where that is not known yet.
type ink struct {
	colour color.RGBA
	index  uint8
	over   [256][font.Opaque + 1]uint16
}

// canvases serve one chart after the other, whatever their sizes: the pixels are most of
// the memory a chart takes.
var canvases = sync.Pool{New: func() any {
	return &paletted{
		image: &image.Paletted{Palette: make(color.Palette, 0, 256)}, coverage: new(coverage),
		inks: map[color.RGBA]*ink{}, known: map[color.RGBA]uint8{},
	}
}}

// newPaletted returns an empty canvas of the first colour. The colours go into
// the palette before all blends.
func newPaletted(width, height int, scale float64, colours []color.RGBA) *paletted {
	p := canvases.Get().(*paletted)
	p.image.Rect, p.image.Stride = image.Rect(0, 0, width, height), width
	p.image.Pix = slices.Grow(p.image.Pix[:0], width*height)[:width*height]
	clear(p.image.Pix)
	p.image.Palette = p.image.Palette[:0]
	p.coverage.resize(width, height)
	for _, k := range p.inks {
		p.spare = append(p.spare, k)
	}
	clear(p.inks)
	clear(p.known)
	p.scale = scale
	for _, c := range colours {
		p.index(c)
	}
	return p
}

// copy puts the picture of another canvas at a place of this one.
func (p *paletted) copy(from *paletted, left, top int) {
	var to [256]uint8
	for i, c := range from.image.Palette {
		to[i] = p.index(color.RGBAModel.Convert(c).(color.RGBA))
	}
	size := from.image.Rect.Size()
	for y := range size.Y {
		row := p.image.Pix[(top+y)*p.image.Stride+left:]
		for x, c := range from.image.Pix[y*from.image.Stride:][:size.X] {
			row[x] = to[c]
		}
	}
}

// release hands the canvas back for another chart.
func (p *paletted) release() { canvases.Put(p) }

// index finds a colour in the palette, adds it while there is room, and
// settles for the nearest one after that.
func (p *paletted) index(c color.RGBA) uint8 {
	i, ok := p.known[c]
	if !ok {
		if len(p.image.Palette) < cap(p.image.Palette) {
			i = uint8(len(p.image.Palette))
			p.image.Palette = append(p.image.Palette, c)
		} else {
			i = p.nearest(c)
		}
		p.known[c] = i
	}
	return i
}

func (p *paletted) nearest(c color.RGBA) uint8 {
	best, least := 0, math.MaxInt
	for i, other := range p.image.Palette {
		o := other.(color.RGBA)
		r, g, b := int(o.R)-int(c.R), int(o.G)-int(c.G), int(o.B)-int(c.B)
		if d := r*r + g*g + b*b; d < least {
			best, least = i, d
		}
	}
	return uint8(best)
}

func (p *paletted) inkOf(c color.RGBA) *ink {
	k := p.inks[c]
	if k == nil {
		if n := len(p.spare); n > 0 {
			k, p.spare = p.spare[n-1], p.spare[:n-1]
		} else {
			k = new(ink)
		}
		*k = ink{colour: c, index: p.index(c)}
		p.inks[c] = k
	}
	return k
}

// blend lays ink over a pixel at a level from 1 to opaque.
func (p *paletted) blend(pixel *uint8, k *ink, level uint8) {
	if level == font.Opaque {
		*pixel = k.index
	} else if known := k.over[*pixel][level]; known != 0 {
		*pixel = uint8(known - 1)
	} else {
		*pixel = p.mix(*pixel, k, level)
	}
}

// mix finds out what a colour becomes over another.
func (p *paletted) mix(pixel uint8, k *ink, level uint8) uint8 {
	under := p.image.Palette[pixel].(color.RGBA)
	mix := func(u, o uint8) uint8 {
		return uint8((int(u)*(font.Opaque-int(level)) + int(o)*int(level) + font.Opaque/2) / font.Opaque)
	}
	mixed := p.index(color.RGBA{mix(under.R, k.colour.R), mix(under.G, k.colour.G), mix(under.B, k.colour.B), 255})
	k.over[pixel][level] = uint16(mixed) + 1
	return mixed
}

// rect fills a rectangle whose sides stand on the pixel grid, so that thin
// lines stay sharp; it is never thinner than a pixel.
func (p *paletted) rect(b box, c color.RGBA) {
	r := image.Rectangle{p.pixel(b.x0, b.y0), p.pixel(b.x1, b.y1)}
	r.Max.X, r.Max.Y = max(r.Max.X, r.Min.X+1), max(r.Max.Y, r.Min.Y+1)
	r = r.Intersect(p.image.Rect)
	if r.Empty() {
		return
	}
	first := p.row(r.Min.X, r.Max.X, r.Min.Y)
	index := p.inkOf(c).index
	for i := range first {
		first[i] = index
	}
	for y := r.Min.Y + 1; y < r.Max.Y; y++ {
		copy(p.row(r.Min.X, r.Max.X, y), first)
	}
}

func (p *paletted) rule(b box, _ bool, c color.RGBA) { p.rect(b, c) }

// In a picture nothing can be pointed at.
func (p *paletted) open(group) {}
func (p *paletted) close()     {}

// row returns the pixels of a row from x0 to before x1.
func (p *paletted) row(x0, x1, y int) []uint8 {
	from := p.image.PixOffset(x0, y)
	return p.image.Pix[from : from+x1-x0]
}

func (p *paletted) pixel(x, y float64) image.Point {
	return image.Pt(int(math.Round(x*p.scale)), int(math.Round(y*p.scale)))
}

func (p *paletted) polygon(corners []point, c color.RGBA) {
	path := p.path(corners)
	path.Close()
	p.fill(path, c)
}

func (p *paletted) disc(centre point, radius float64, c color.RGBA) {
	path, r := new(drawing.Path), radius*p.scale
	path.ArcTo(centre.x*p.scale, centre.y*p.scale, r, r, 0, 2*math.Pi)
	p.fill(path, c)
}

func (p *paletted) fill(path *drawing.Path, c color.RGBA) {
	drawing.Flatten(path, p.coverage, 1)
	p.paint(c)
}

func (p *paletted) line(points []point, width float64, dash []float64, c color.RGBA) {
	stroker := drawing.NewLineStroker(drawing.RoundCap, drawing.RoundJoin, p.coverage)
	stroker.HalfLineWidth = width * p.scale / 2
	var liner drawing.Flattener = stroker
	if len(dash) > 0 {
		scaled := make([]float64, len(dash))
		for i, d := range dash {
			scaled[i] = d * p.scale
		}
		liner = drawing.NewDashVertexConverter(scaled, 0, stroker)
	}
	drawing.Flatten(p.path(points), liner, 1)
	p.paint(c)
}

func (p *paletted) path(points []point) *drawing.Path {
	path := new(drawing.Path)
	path.MoveTo(points[0].x*p.scale, points[0].y*p.scale)
	for _, q := range points[1:] {
		path.LineTo(q.x*p.scale, q.y*p.scale)
	}
	return path
}

// paint lays a colour over what a path covers.
func (p *paletted) paint(c color.RGBA) {
	k := p.inkOf(c)
	p.coverage.paint(func(y, x0, x1 int, level uint8) {
		row := p.row(x0, x1, y)
		for i := range row {
			p.blend(&row[i], k, level)
		}
	})
}

func (p *paletted) text(s string, left, baseline float64, f font.Face, c color.RGBA) {
	k := p.inkOf(c)
	f.Masks(s, left, baseline, p.scale, func(m *font.Mask, at image.Point) { p.stamp(m, at, k) })
}

func (p *paletted) stamp(m *font.Mask, at image.Point, k *ink) {
	full := m.Bounds.Add(at)
	visible := full.Intersect(p.image.Rect)
	for y := visible.Min.Y; y < visible.Max.Y; y++ {
		row := p.row(visible.Min.X, visible.Max.X, y)
		from := (y-full.Min.Y)*full.Dx() + visible.Min.X - full.Min.X
		for i, level := range m.Levels[from : from+len(row)] {
			if level != 0 {
				p.blend(&row[i], k, level)
			}
		}
	}
}
