// Package raster paints paths, rectangles and glyphs on pictures of at most 256 colours. Lengths are pixels.
// Go-chart's drawing package turns curves and strokes into straight lines, whose coverage is painted.
package raster

import (
	"image"
	"image/color"
	"math"
	"runtime"
	"slices"

	"github.com/wcharczuk/go-chart/v2/drawing"
)

// Opaque is the highest level of coverage. Eight levels keep edges smooth, and a chart within the 256 colours
// of a palette. Sixteen levels look the same at three times the size, but make pictures a tenth larger.
const Opaque = 7

// Level returns the level for a coverage from 0 to 0xffff.
func Level(alpha uint32) uint8 { return uint8((alpha*Opaque + 0x7fff) / 0xffff) }

// Mask has levels of coverage, row by row. The bounds of a glyph's mask are relative to the pen.
type Mask struct {
	Bounds image.Rectangle
	Levels []uint8
}

// Canvas is a picture that is being painted.
type Canvas struct {
	Image    *image.Paletted
	coverage *coverage
	stroker  *drawing.LineStroker // to coverage
	inks     map[color.RGBA]*ink
	spare    []*ink // unused inks of earlier pictures
	circles  map[float64][]point
	known    map[color.RGBA]uint8
}

// ink is a colour with its blends. over has, for each colour of the palette below and each level of coverage,
// the index of the blend plus one, or 0 if it has not been computed yet.
type ink struct {
	colour color.RGBA
	index  uint8
	over   [256][Opaque + 1]uint16
}

// point is a place relative to the centre of a circle.
type point struct{ x, y float64 }

// canvases is a pool of canvases, which are reused for any size: the pixels and their coverage are most of the
// memory a chart takes. A sync.Pool would lose them to the garbage collector, which runs every few charts. A
// card needs two canvases at a time.
var canvases = make(chan *Canvas, 2*runtime.NumCPU())

func newCanvas() *Canvas {
	c := &Canvas{
		Image: &image.Paletted{Palette: make(color.Palette, 0, 256)}, coverage: new(coverage),
		inks: map[color.RGBA]*ink{}, known: map[color.RGBA]uint8{}, circles: map[float64][]point{},
	}
	c.stroker = drawing.NewLineStroker(drawing.RoundCap, drawing.RoundJoin, c.coverage)
	return c
}

// New returns a canvas filled with the first colour. The colours are added to the palette before any blends.
func New(width, height int, colours []color.RGBA) *Canvas {
	var c *Canvas
	select {
	case c = <-canvases:
	default:
		c = newCanvas()
	}
	c.Image.Rect, c.Image.Stride = image.Rect(0, 0, width, height), width
	c.Image.Pix = slices.Grow(c.Image.Pix[:0], width*height)[:width*height]
	clear(c.Image.Pix)
	c.Image.Palette = c.Image.Palette[:0]
	c.coverage.resize(width, height)
	for _, k := range c.inks {
		c.spare = append(c.spare, k)
	}
	clear(c.inks)
	clear(c.known)
	for _, colour := range colours {
		c.index(colour)
	}
	return c
}

// Release makes the canvas available for another picture.
func (c *Canvas) Release() {
	select {
	case canvases <- c:
	default:
	}
}

// Copy copies the picture of another canvas to a place on this one.
func (c *Canvas) Copy(from *Canvas, left, top int) {
	var to [256]uint8
	for i, colour := range from.Image.Palette {
		to[i] = c.index(color.RGBAModel.Convert(colour).(color.RGBA))
	}
	size := from.Image.Rect.Size()
	for y := range size.Y {
		row := c.Image.Pix[(top+y)*c.Image.Stride+left:]
		for x, i := range from.Image.Pix[y*from.Image.Stride:][:size.X] {
			row[x] = to[i]
		}
	}
}

// index returns the index of a colour in the palette. It adds the colour if there is room, or else returns the
// nearest one.
func (c *Canvas) index(colour color.RGBA) uint8 {
	i, ok := c.known[colour]
	if !ok {
		if len(c.Image.Palette) < cap(c.Image.Palette) {
			i = uint8(len(c.Image.Palette))
			c.Image.Palette = append(c.Image.Palette, colour)
		} else {
			i = c.nearest(colour)
		}
		c.known[colour] = i
	}
	return i
}

func (c *Canvas) nearest(colour color.RGBA) uint8 {
	best, least := 0, math.MaxInt
	for i, other := range c.Image.Palette {
		o := other.(color.RGBA)
		r, g, b := int(o.R)-int(colour.R), int(o.G)-int(colour.G), int(o.B)-int(colour.B)
		if d := r*r + g*g + b*b; d < least {
			best, least = i, d
		}
	}
	return uint8(best)
}

func (c *Canvas) inkOf(colour color.RGBA) *ink {
	k := c.inks[colour]
	if k == nil {
		if n := len(c.spare); n > 0 {
			k, c.spare = c.spare[n-1], c.spare[:n-1]
		} else {
			k = new(ink)
		}
		*k = ink{colour: colour, index: c.index(colour)}
		c.inks[colour] = k
	}
	return k
}

// blend paints ink over pixels at a level from 1 to Opaque.
func (c *Canvas) blend(pixels []uint8, k *ink, level uint8) {
	if level == Opaque {
		for i := range pixels {
			pixels[i] = k.index
		}
		return
	}
	for i, under := range pixels {
		if known := k.over[under][level%(Opaque+1)]; known != 0 {
			pixels[i] = uint8(known - 1)
		} else {
			pixels[i] = c.mix(under, k, level)
		}
	}
}

// mix computes and caches the blend of an ink over a pixel.
func (c *Canvas) mix(pixel uint8, k *ink, level uint8) uint8 {
	under := c.Image.Palette[pixel].(color.RGBA)
	mix := func(u, o uint8) uint8 {
		return uint8((int(u)*(Opaque-int(level)) + int(o)*int(level) + Opaque/2) / Opaque)
	}
	mixed := c.index(color.RGBA{mix(under.R, k.colour.R), mix(under.G, k.colour.G), mix(under.B, k.colour.B), 255})
	k.over[pixel][level] = uint16(mixed) + 1
	return mixed
}

// Rect fills a rectangle, clipped to the canvas.
func (c *Canvas) Rect(r image.Rectangle, colour color.RGBA) {
	r = r.Intersect(c.Image.Rect)
	if r.Empty() {
		return
	}
	first := c.row(r.Min.X, r.Max.X, r.Min.Y)
	index := c.inkOf(colour).index
	for i := range first {
		first[i] = index
	}
	for y := r.Min.Y + 1; y < r.Max.Y; y++ {
		copy(c.row(r.Min.X, r.Max.X, y), first)
	}
}

// row returns the pixels of a row from x0 to before x1.
func (c *Canvas) row(x0, x1, y int) []uint8 {
	from := c.Image.PixOffset(x0, y)
	return c.Image.Pix[from : from+x1-x0]
}

// Outline returns the pen for a closed path. Paint paints it.
func (c *Canvas) Outline() drawing.Flattener { return c.coverage }

// Stroke returns the pen for a line of the given width, dashed if there are dashes. Paint paints it.
func (c *Canvas) Stroke(width float64, dashes []float64) drawing.Flattener {
	c.stroker.HalfLineWidth = width / 2
	if len(dashes) > 0 {
		return drawing.NewDashVertexConverter(dashes, 0, c.stroker)
	}
	return c.stroker
}

// Disc fills a circle. The outlines are cached, because most marks of a chart have one of a few sizes.
func (c *Canvas) Disc(x, y, radius float64, colour color.RGBA) {
	circle := c.circles[radius]
	if circle == nil {
		if len(c.circles) == mostCircles {
			clear(c.circles)
		}
		var found outline
		found.LineTo(drawing.TraceArc(&found, 0, 0, radius, radius, 0, 2*math.Pi, 1))
		circle = found
		c.circles[radius] = circle
	}
	c.coverage.MoveTo(x+radius, y)
	for _, p := range circle {
		c.coverage.LineTo(x+p.x, y+p.y)
	}
	c.Paint(colour)
}

const mostCircles = 64

// outline collects the corners of a path.
type outline []point

// LineTo is part of drawing.Liner.
func (o *outline) LineTo(x, y float64) { *o = append(*o, point{x, y}) }

// Paint fills what the pens have drawn since the last call.
func (c *Canvas) Paint(colour color.RGBA) {
	k := c.inkOf(colour)
	c.coverage.paint(func(y, x0, x1 int, level uint8) { c.blend(c.row(x0, x1, y), k, level) })
}

// Stamp paints a mask whose origin is at a place.
func (c *Canvas) Stamp(m *Mask, at image.Point, colour color.RGBA) {
	k := c.inkOf(colour)
	full := m.Bounds.Add(at)
	visible := full.Intersect(c.Image.Rect)
	for y := visible.Min.Y; y < visible.Max.Y; y++ {
		row := c.row(visible.Min.X, visible.Max.X, y)
		from := (y-full.Min.Y)*full.Dx() + visible.Min.X - full.Min.X
		for i, level := range m.Levels[from : from+len(row)] {
			if level == 0 {
				continue
			}
			if known := k.over[row[i]][level%(Opaque+1)]; known != 0 {
				row[i] = uint8(known - 1)
			} else {
				row[i] = c.mix(row[i], k, level)
			}
		}
	}
}
