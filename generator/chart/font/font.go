// Package font sets single lines of text in fonts. A Setter prepares a text for drawing and reports what the
// fonts lack. A Face measures it, breaks it into lines, and returns the coverage of its glyphs.
//
//	regular, bold, err := font.Stacks(own, nil, font.Installed()) // own fonts before the embedded ones
//	setter := font.NewSetter(regular, bold, "en")
//	face := font.Face{Stack: regular, Size: 26}
//	for _, line := range face.Paragraph(setter.Clean(text), 400, 3) {
//		face.Masks(line, left, baseline, scale, stamp) // calls stamp with each glyph
//	}
//	report(setter.Warnings())
//
// Most texts are glyphs side by side (text.go). Texts in scripts that join, reorder or stack letters, or read
// from right to left, are shaped (shape.go, bidi.go). Shaping takes longer, and its libraries are used for
// nothing else.
package font

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"sync"

	"github.com/benchpost/benchpost/generator/chart/raster"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/harfbuzz"
	"github.com/golang/freetype/truetype"
	"golang.org/x/image/math/fixed"
)

// Font is a TrueType or OpenType font. It caches the glyphs it has rasterised, so a font used for many charts
// is best parsed once. It is safe for concurrent use.
type Font struct {
	file  []byte
	sum   string         // of the file
	ttf   *truetype.Font // nil for outlines other than TrueType's
	em    float64        // units per em of its outlines
	thick bool           // drawn bolder than its outlines
	name  string         // file name of an installed font
	ascii [128]glyph

	opening sync.Once
	face    *font.Face // opened when shaping or drawing needs it
	failed  error

	mu     sync.Mutex
	masks  map[maskKey]*raster.Mask
	pen    *glyphPen
	shaper *harfbuzz.Font
	buffer *harfbuzz.Buffer
}

// Parse reads a TrueType or OpenType font. Of a collection it reads the first font.
func Parse(file []byte) (*Font, error) {
	var ttf *truetype.Font
	err := sparing(func() (err error) {
		ttf, err = truetype.Parse(file)
		return err
	})
	if err != nil {
		return parseOpenType(file)
	}
	return newFont(&Font{file: file, ttf: ttf, em: float64(ttf.FUnitsPerEm())}), nil
}

// parseOpenType does what Parse does with the shaping library, which reads more kinds of fonts.
func parseOpenType(file []byte) (*Font, error) {
	f := &Font{file: file}
	if err := f.open(); err != nil {
		return nil, locale.Errorf("neither a TrueType nor an OpenType font: %s", err)
	}
	f.em = float64(f.face.Upem())
	return newFont(f), nil
}

func newFont(f *Font) *Font {
	sum := sha256.Sum256(f.file)
	f.sum, f.masks = hex.EncodeToString(sum[:8]), map[maskKey]*raster.Mask{}
	for r := range f.ascii {
		f.ascii[r] = f.find(rune(r))
	}
	return f
}

// sparing calls f and returns an error if it panics: font libraries panic on some damaged fonts.
func sparing(f func() error) (err error) {
	defer func() {
		if recover() != nil {
			err = errDamaged
		}
	}()
	return f()
}

var errDamaged = locale.Errorf("the font is damaged")

// open parses the font for shaping, for outlines other than TrueType's, and for characters
// beyond U+FFFF.
func (f *Font) open() error {
	f.opening.Do(func() {
		if f.face != nil {
			return
		}
		f.failed = sparing(func() error {
			faces, err := font.ParseTTC(bytes.NewReader(f.file))
			if err != nil {
				return err
			}
			f.face = faces[0]
			return nil
		})
	})
	return f.failed
}

// thicken returns the same font, to be drawn bolder.
func (f *Font) thicken() *Font {
	t := &Font{file: f.file, sum: f.sum, ttf: f.ttf, em: f.em, thick: true, name: f.name, ascii: f.ascii, masks: map[maskKey]*raster.Mask{}}
	if f.ttf == nil {
		t.face = font.NewFace(f.face.Font) // a face is for one goroutine, its font for several
	}
	return t
}

// Sum identifies the font by the contents of its file.
func (f *Font) Sum() string { return f.sum }

// glyph is the index of a rune's glyph in a font, and its width relative to the font size. Index 0 means that
// the font lacks the rune.
type glyph struct {
	index uint32
	width float64
}

// glyph looks up a rune. ASCII, which is most of the text, is cached.
func (f *Font) glyph(r rune) glyph {
	if r >= 0 && int(r) < len(f.ascii) {
		return f.ascii[r]
	}
	return f.find(r)
}

func (f *Font) find(r rune) glyph {
	var g glyph
	if sparing(func() error { g = f.lookUp(r); return nil }) != nil {
		return glyph{}
	}
	return g
}

func (f *Font) lookUp(r rune) glyph {
	if f.ttf == nil {
		index, _ := f.face.Cmap.Lookup(r) // not f.face.Lookup: a face is for one goroutine
		return glyph{uint32(index), float64(f.face.HorizontalAdvance(index)) / f.em}
	}
	index := f.ttf.Index(r)
	if index == 0 && r > 0xffff && f.open() == nil {
		beyond, _ := f.face.Cmap.Lookup(r)
		index = truetype.Index(beyond)
	}
	return glyph{uint32(index), float64(f.ttf.HMetric(fixed.Int26_6(f.em), index).AdvanceWidth) / f.em}
}

// has reports whether the font has all runes of a cluster except invisible ones.
func (f *Font) has(cluster ...rune) bool {
	for _, r := range cluster {
		if f.glyph(r).index == 0 && !unseen(r) {
			return false
		}
	}
	return true
}

// unseen reports whether a rune is invisible and only affects others.
func unseen(r rune) bool {
	return r == zeroWidthNonJoiner || r == zeroWidthJoiner || isolating(r)
}

// isolating reports whether a rune starts or ends an isolated name.
func isolating(r rune) bool { return r == locale.Isolate || r == locale.Release }

// side returns the width of a glyph relative to the font size, and how far left of the pen it is drawn. Chinese
// fonts make the separators · and • as wide as a character; half of that is enough.
func side(r rune, width float64) (advance, shift float64) {
	if (r == '·' || r == '•') && width > 0.5 {
		return 0.5, (width - 0.5) / 2
	}
	return width, 0
}
