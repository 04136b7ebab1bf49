package chart

import (
	"image"
	"image/color"
	"math/rand/v2"
	"slices"
	"testing"
)

// picture returns an image of a size whose pixels are chosen by a function.
func picture(width, height int, pixel func(x, y int) uint8) *image.Paletted {
	m := &image.Paletted{Pix: make([]uint8, width*height), Stride: width, Rect: image.Rect(0, 0, width, height)}
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

// What image/png reads is what was encoded, whatever repeats in it or does not.
func TestEncodePNG(t *testing.T) {
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
		"noise":                         picture(301, 200, func(x, y int) uint8 { return any(x + 301*y) }),
		"columns":                       picture(1200, 100, func(x, y int) uint8 { return any(x) }),
		"stripes":                       picture(64, 64, func(x, y int) uint8 { return uint8(y) }),
		"alike beyond the window":       picture(1300, 80, func(x, y int) uint8 { return any(x + 1300*(y%31)) }),
		"alike across the ends of rows": picture(17, 300, func(x, y int) uint8 { return any((x + 17*y) % 23) }),
		"one colour very rare":          picture(900, 900, func(x, y int) uint8 { return uint8(min(x*y/9000, 40)) / 40 }),
	} {
		t.Run(name, func(t *testing.T) {
			got := decode(t, encodePNG(m))
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

// A canvas that drew another chart before draws as a new one does.
func TestCanvasesAreUsedAgain(t *testing.T) {
	samples := charts()
	want := draw(t, samples["sweep"], "en").PNG
	for _, other := range []string{"columns", "heatmap", "horizontal"} {
		draw(t, samples[other], "zh-CN")
		if got := draw(t, samples["sweep"], "en").PNG; !slices.Equal(got, want) {
			t.Errorf("after %s the chart has other bytes", other)
		}
	}
}
