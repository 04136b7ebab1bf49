package font

import (
	"image"
	"image/color"

	"github.com/benchpost/benchpost/generator/chart/raster"
	gotext "github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	freetype "github.com/golang/freetype/raster"
	"github.com/golang/freetype/truetype"
	"github.com/wcharczuk/go-chart/v2/drawing"
	hinting "golang.org/x/image/font"
	"golang.org/x/image/math/fixed"
)

// maskKey identifies a rasterised glyph: its size in 1/64 px, and how many quarters of a pixel it is right of
// the pixel grid.
type maskKey struct {
	glyph    uint32
	size     fixed.Int26_6
	quarters int
}

func (f *Font) mask(index uint32, size fixed.Int26_6, quarters int) *raster.Mask {
	key := maskKey{index, size, quarters}
	f.mu.Lock()
	defer f.mu.Unlock()
	m := f.masks[key]
	if m == nil {
		if f.pen == nil || f.pen.size < size {
			f.pen = newGlyphPen(size)
		}
		m = f.pen.draw(f, index, size, quarters)
		f.masks[key] = m
	}
	return m
}

// outline adds the outline of a glyph at a size to a path. A glyph that cannot be read is blank.
func (f *Font) outline(path drawing.PathBuilder, index uint32, size fixed.Int26_6, x, y float64) {
	sparing(func() error {
		if f.ttf == nil {
			f.curves(path, index, float64(size)/64/f.em, x, y)
			return nil
		}
		var glyph truetype.GlyphBuf
		if err := glyph.Load(f.ttf, size, truetype.Index(index), hinting.HintingNone); err != nil {
			return err
		}
		from := 0
		for _, to := range glyph.Ends {
			drawing.DrawContour(path, glyph.Points[from:to], x, y)
			from = to
		}
		return nil
	})
}

// curves does what outline does for a font that is not TrueType.
func (f *Font) curves(path drawing.PathBuilder, index uint32, scale, x, y float64) {
	outline, ok := f.face.GlyphData(gotext.GID(index)).(gotext.GlyphOutline)
	if !ok {
		return
	}
	for i, s := range outline.Segments {
		at := func(i int) (float64, float64) { return x + float64(s.Args[i].X)*scale, y - float64(s.Args[i].Y)*scale }
		x0, y0 := at(0)
		x1, y1 := at(1)
		x2, y2 := at(2)
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			if i > 0 {
				path.Close()
			}
			path.MoveTo(x0, y0)
		case opentype.SegmentOpLineTo:
			path.LineTo(x0, y0)
		case opentype.SegmentOpQuadTo:
			path.QuadCurveTo(x0, y0, x1, y1)
		case opentype.SegmentOpCubeTo:
			path.CubicCurveTo(x0, y0, x1, y1, x2, y2)
		}
	}
	if len(outline.Segments) > 0 {
		path.Close()
	}
}

// glyphPen draws single glyphs with go-chart's rasteriser. It is the Painter of its own context, so it receives
// coverage instead of colours.
type glyphPen struct {
	size     fixed.Int26_6 // the largest size it has room for
	gc       *drawing.RasterGraphicContext
	coverage *image.Alpha
	touched  image.Rectangle
}

func newGlyphPen(size fixed.Int26_6) *glyphPen {
	side := 3 * size.Ceil() // a glyph reaches at most one em beyond its em square
	p := &glyphPen{size: size, coverage: image.NewAlpha(image.Rect(0, 0, side, side))}
	p.gc = drawing.NewRasterGraphicContextWithPainter(p.coverage, p)
	// The strokes of Noto Sans SC overlap; even-odd would punch holes.
	p.gc.SetFillRule(drawing.FillRuleWinding)
	return p
}

// thickness is how much bolder a thick font is drawn, relative to the font size.
const thickness = 0.04

func (p *glyphPen) draw(f *Font, index uint32, size fixed.Int26_6, quarters int) *raster.Mask {
	p.touched = image.Rectangle{}
	clear(p.coverage.Pix)
	origin := p.size.Ceil()
	x, y := float64(origin)+float64(quarters)/4, float64(2*origin)
	if f.thick {
		half := thickness / 2 * float64(size) / 64
		f.outline(p.gc, index, size, x-half, y)
		f.outline(p.gc, index, size, x+half, y)
	} else {
		f.outline(p.gc, index, size, x, y)
	}
	p.gc.Fill()
	m := &raster.Mask{Bounds: p.touched.Sub(image.Pt(origin, 2*origin))}
	for y := p.touched.Min.Y; y < p.touched.Max.Y; y++ {
		row := p.coverage.Pix[p.coverage.PixOffset(p.touched.Min.X, y):p.coverage.PixOffset(p.touched.Max.X, y)]
		m.Levels = append(m.Levels, row...)
	}
	return m
}

// Paint records the coverage that the rasteriser found, span by span.
func (p *glyphPen) Paint(spans []freetype.Span, done bool) {
	for _, s := range spans {
		p.touched = p.touched.Union(image.Rect(s.X0, s.Y, s.X1, s.Y+1))
		level := raster.Level(s.Alpha)
		for x := s.X0; x < s.X1; x++ {
			p.coverage.Pix[p.coverage.PixOffset(x, s.Y)] = level
		}
	}
}

// SetColor is part of go-chart's Painter; coverage has no colour.
func (p *glyphPen) SetColor(color.Color) {}
