package chart

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"image"
	"image/color"
	"sync"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/golang/freetype/raster"
	"github.com/golang/freetype/truetype"
	"github.com/klauspost/compress/zstd"
	"github.com/wcharczuk/go-chart/v2/drawing"
	"golang.org/x/image/math/fixed"
)

// The embedded fonts are Noto Sans SC (SIL Open Font License, font/OFL.txt),
// cut as docs/fonts.md describes and compressed. Each is decompressed when it is
// first drawn with.
var (
	//go:embed font/NotoSansSC-Regular.ttf.zst
	regularZst []byte
	//go:embed font/NotoSansSC-Bold.ttf.zst
	boldZst []byte

	embeddedRegular = sync.OnceValues(func() (*Font, error) { return embedded(regularZst) })
	embeddedBold    = sync.OnceValues(func() (*Font, error) { return embedded(boldZst) })
)

// Font is a TrueType font. It remembers the glyphs it has rasterised, so a
// font used for many charts is best parsed once. It may be used by several
// goroutines.
type Font struct {
	ttf   *truetype.Font
	sum   string // of the file
	ascii [128]glyph

	mu    sync.Mutex
	masks map[maskKey]*mask
	pen   *glyphPen
}

// ParseFont reads a TrueType font with glyf outlines; OpenType fonts with CFF
// outlines are not supported.
func ParseFont(ttf []byte) (*Font, error) {
	f, err := truetype.Parse(ttf)
	if err != nil {
		return nil, locale.Errorf("not a TrueType font: %s", err)
	}
	sum := sha256.Sum256(ttf)
	font := &Font{ttf: f, sum: hex.EncodeToString(sum[:8]), masks: map[maskKey]*mask{}}
	for r := range font.ascii {
		font.ascii[r] = font.find(rune(r))
	}
	return font, nil
}

// embedded parses a compressed font.
func embedded(compressed []byte) (*Font, error) {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	ttf, err := z.DecodeAll(compressed, nil)
	if err != nil {
		return nil, err
	}
	return ParseFont(ttf)
}

// glyph is which of a font's glyphs a rune has, and its width as a part of the
// font size.
type glyph struct {
	index truetype.Index
	width float64
}

// glyph looks a rune up; those of ASCII, which are most, are at hand.
func (f *Font) glyph(r rune) glyph {
	if r >= 0 && int(r) < len(f.ascii) {
		return f.ascii[r]
	}
	return f.find(r)
}

func (f *Font) find(r rune) glyph {
	em := fixed.Int26_6(f.ttf.FUnitsPerEm())
	index := f.ttf.Index(r)
	return glyph{index, float64(f.ttf.HMetric(em, index).AdvanceWidth) / float64(em)}
}

func (f *Font) has(r rune) bool { return f.glyph(r).index != 0 }

// advance returns the width of a glyph as a part of the font size, and how far
// left of the pen it is drawn. Chinese fonts make the separators · and • as
// wide as a character; half of that is enough.
func (f *Font) advance(r rune) (width, shift float64) {
	width = f.glyph(r).width
	if (r == '·' || r == '•') && width > 0.5 {
		return 0.5, (width - 0.5) / 2
	}
	return width, 0
}

// maskKey names a rasterised glyph: size in 1/64 px, and how many quarters of
// a pixel it stands right of the pixel grid.
type maskKey struct {
	glyph    truetype.Index
	size     fixed.Int26_6
	quarters int
}

// mask is the coverage of a glyph in steps from 0 to opaque, row by row;
// bounds are relative to the pen.
type mask struct {
	bounds image.Rectangle
	levels []uint8
}

func (f *Font) mask(r rune, size fixed.Int26_6, quarters int) *mask {
	key := maskKey{f.glyph(r).index, size, quarters}
	f.mu.Lock()
	defer f.mu.Unlock()
	m := f.masks[key]
	if m == nil {
		if f.pen == nil || f.pen.size < size {
			f.pen = newGlyphPen(f.ttf, size)
		}
		m = f.pen.draw(r, size, quarters)
		f.masks[key] = m
	}
	return m
}

// glyphPen draws single glyphs through go-chart's rasteriser. It is the
// Painter of its own context and so receives the coverage, not colours.
type glyphPen struct {
	size     fixed.Int26_6 // the largest it has room for
	gc       *drawing.RasterGraphicContext
	coverage *image.Alpha
	touched  image.Rectangle
}

func newGlyphPen(ttf *truetype.Font, size fixed.Int26_6) *glyphPen {
	side := 3 * size.Ceil() // a glyph reaches at most one em beyond its em square
	p := &glyphPen{size: size, coverage: image.NewAlpha(image.Rect(0, 0, side, side))}
	p.gc = drawing.NewRasterGraphicContextWithPainter(p.coverage, p)
	p.gc.SetFont(ttf)
	p.gc.SetDPI(64) // go-chart multiplies points and DPI to 26.6 pixels: so size is in pixels
	// The strokes of Noto Sans SC overlap; even-odd would punch holes.
	p.gc.SetFillRule(drawing.FillRuleWinding)
	return p
}

func (p *glyphPen) draw(r rune, size fixed.Int26_6, quarters int) *mask {
	p.touched = image.Rectangle{}
	clear(p.coverage.Pix)
	origin := p.size.Ceil()
	p.gc.SetFontSize(float64(size) / 64)
	// The error is a glyph whose outline cannot be read: it stays blank.
	if _, err := p.gc.CreateStringPath(string(r), float64(origin)+float64(quarters)/4, float64(2*origin)); err != nil {
		p.gc.BeginPath()
		return &mask{}
	}
	p.gc.Fill()
	m := &mask{bounds: p.touched.Sub(image.Pt(origin, 2*origin))}
	for y := p.touched.Min.Y; y < p.touched.Max.Y; y++ {
		row := p.coverage.Pix[p.coverage.PixOffset(p.touched.Min.X, y):p.coverage.PixOffset(p.touched.Max.X, y)]
		m.levels = append(m.levels, row...)
	}
	return m
}

// Paint is the coverage the rasteriser found, by spans.
func (p *glyphPen) Paint(spans []raster.Span, done bool) {
	for _, s := range spans {
		p.touched = p.touched.Union(image.Rect(s.X0, s.Y, s.X1, s.Y+1))
		level := coverageLevel(s.Alpha)
		for x := s.X0; x < s.X1; x++ {
			p.coverage.Pix[p.coverage.PixOffset(x, s.Y)] = level
		}
	}
}

// SetColor is part of go-chart's Painter; coverage has no colour.
func (p *glyphPen) SetColor(color.Color) {}
