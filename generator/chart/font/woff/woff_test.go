package woff

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/golang/freetype/truetype"
	"golang.org/x/image/font"
	"golang.org/x/image/math/fixed"
)

func fonts(t testing.TB) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob("../*.woff2")
	if err != nil || len(names) == 0 {
		t.Fatalf("no fonts: %v", err)
	}
	files := map[string][]byte{}
	for _, name := range names {
		if files[filepath.Base(name)], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// glyphs returns the number of glyphs of a font, according to its table maxp.
func glyphs(sfnt []byte) int {
	at := 12
	for string(sfnt[at:at+4]) != "maxp" {
		at += 16
	}
	offset := binary.BigEndian.Uint32(sfnt[at+8:])
	return int(binary.BigEndian.Uint16(sfnt[offset+4:]))
}

// TestOutlinesAreRestored checks that each glyph of the fonts can be read, and lies about within the bounds
// that the font states. One wrong coordinate would move all points after it.
func TestOutlinesAreRestored(t *testing.T) {
	t.Parallel()
	for name, file := range fonts(t) {
		sfnt, err := Decode(file)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if name == "NotoSansKR-Regular.woff2" { // has outlines of another format, which are not transformed
			if !bytes.HasPrefix(sfnt, []byte("OTTO")) {
				t.Errorf("%s begins with %q", name, sfnt[:4])
			}
			continue
		}
		f, err := truetype.Parse(sfnt)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		em := fixed.Int26_6(f.FUnitsPerEm())
		all, about := f.Bounds(em), em/10 // parts of glyphs may be placed a little outside
		shapes := 0
		for i := range truetype.Index(glyphs(sfnt)) {
			var g truetype.GlyphBuf
			if err := g.Load(f, em, i, font.HintingNone); err != nil {
				t.Fatalf("%s: glyph %d: %v", name, i, err)
			}
			if len(g.Points) == 0 {
				continue
			}
			shapes++
			for _, p := range g.Points {
				if p.X < all.Min.X-about || p.X > all.Max.X+about || p.Y < all.Min.Y-about || p.Y > all.Max.Y+about {
					t.Fatalf("%s: glyph %d has a point at %d, %d, outside of %v", name, i, p.X, p.Y, all)
				}
			}
		}
		if shapes < 60 {
			t.Errorf("%s: %d glyphs have a shape", name, shapes)
		}
	}
}

// TestBrokenFilesAreErrors checks that truncated or modified files are errors or other fonts, and never panic.
func TestBrokenFilesAreErrors(t *testing.T) {
	t.Parallel()
	file := fonts(t)["NotoSansHebrew-Regular.woff2"]
	random := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		broken := bytes.Clone(file)
		for range 1 + random.IntN(3) {
			broken[random.IntN(min(len(broken), 400))] = byte(random.Uint32())
		}
		Decode(broken) // must return
	}
	for n := range len(file) {
		if _, err := Decode(file[:n]); err == nil {
			t.Fatalf("%d of %d bytes are a font", n, len(file))
		}
	}
	// The same for the content of the compressed part.
	r := reader{b: file}
	r.bytes(len(file))
	if r.failed || len(r.bytes(1)) != 1 || !r.failed {
		t.Error("a reader does not notice its end")
	}
}
