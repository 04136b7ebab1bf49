package png

import (
	"bytes"
	"image"
	"image/color"
	stdpng "image/png"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/benchpost/benchpost/generator/need"
)

// picture returns an image of a size with the pixels that a function returns.
func picture(width, height int, pixel func(x, y int) uint8) *image.Paletted {
	m := &image.Paletted{Pix: make([]uint8, (width+3)*height), Stride: width + 3, Rect: image.Rect(0, 0, width, height)}
	for i := range 256 {
		m.Palette = append(m.Palette, color.RGBA{uint8(i), uint8(3 * i), uint8(7 * i), 255})
	}
	for y := range height {
		for x := range width {
			m.SetColorIndex(x, y, pixel(x, y))
		}
	}
	return m
}

// TestEncode checks that image/png decodes what was encoded, with and without repeated rows.
func TestEncode(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]uint8, 1<<20)
	for i := range noise {
		noise[i] = uint8(r.IntN(256))
	}
	any := func(i int) uint8 { return noise[i%len(noise)] }
	for name, m := range map[string]*image.Paletted{
		"one pixel":                     picture(1, 1, func(x, y int) uint8 { return 7 }),
		"narrow":                        picture(2, 9, func(x, y int) uint8 { return any(x + 2*y) }),
		"flat":                          picture(700, 500, func(x, y int) uint8 { return 0 }),
		"the last colour":               picture(1300, 40, func(x, y int) uint8 { return 255 - uint8(x/1299) }),
		"noise":                         picture(301, 200, func(x, y int) uint8 { return any(x + 301*y) }),
		"columns":                       picture(1200, 100, func(x, y int) uint8 { return any(x) }),
		"stripes":                       picture(64, 64, func(x, y int) uint8 { return uint8(y) }),
		"alike beyond the window":       picture(1300, 80, func(x, y int) uint8 { return any(x + 1300*(y%31)) }),
		"alike across the ends of rows": picture(17, 300, func(x, y int) uint8 { return any((x + 17*y) % 23) }),
		"one colour very rare":          picture(900, 900, func(x, y int) uint8 { return uint8(min(x*y/9000, 40)) / 40 }),
	} {
		t.Run(name, func(t *testing.T) {
			decoded, err := stdpng.Decode(bytes.NewReader(Encode(m)))
			if err != nil {
				t.Fatal(err)
			}
			got := decoded.(*image.Paletted)
			if got.Rect != m.Rect {
				t.Fatalf("the image is %v, want %v", got.Rect, m.Rect)
			}
			width := m.Rect.Dx()
			for y := range m.Rect.Dy() {
				if !slices.Equal(got.Pix[y*got.Stride:y*got.Stride+width], m.Pix[y*m.Stride:y*m.Stride+width]) {
					t.Fatalf("row %d differs", y)
				}
			}
		})
	}
}

// TestEncodeAllocatesLittle limits the number of allocations for a large picture.
func TestEncodeAllocatesLittle(t *testing.T) {
	need.Allocations(t)
	m := picture(1200, 675, func(x, y int) uint8 { return uint8(x * y / 4096) })
	if n := testing.AllocsPerRun(10, func() { Encode(m) }); n > 40 {
		t.Errorf("%v allocations, want at most 40", n)
	}
}

// TestWhatWasCompressedBeforeLeavesNoTrace checks that the bytes do not depend on pictures that were compressed
// before.
func TestWhatWasCompressedBeforeLeavesNoTrace(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	any := func(x, y int) uint8 { return uint8(r.IntN(3)) }
	var pictures []*image.Paletted
	var first [][]byte
	for range 50 {
		m := picture(1+r.IntN(40), 1+r.IntN(40), any)
		pictures, first = append(pictures, m), append(first, Encode(m))
	}
	for i, m := range slices.Backward(pictures) {
		if !bytes.Equal(Encode(m), first[i]) {
			t.Fatalf("a picture of %v has other bytes", m.Rect)
		}
	}
}
