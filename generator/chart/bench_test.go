package chart

import (
	"maps"
	"slices"
	"testing"
)

// sizes are those reports have: the theme's own, and wider ones for slides.
func sizes() map[string]Theme {
	wide := DefaultTheme()
	wide.Scale = 4.0 / 3
	return map[string]Theme{"1200": DefaultTheme(), "1600": wide}
}

func BenchmarkDraw(b *testing.B) {
	p := printer(b, "zh-CN")
	for _, name := range slices.Sorted(maps.Keys(charts())) {
		c := charts()[name]
		for _, width := range slices.Sorted(maps.Keys(sizes())) {
			theme := sizes()[width]
			b.Run(name+"/"+width, func(b *testing.B) {
				b.ReportAllocs()
				size := 0
				for b.Loop() {
					img, err := Draw(c, p, theme)
					if err != nil {
						b.Fatal(err)
					}
					size = len(img.PNG)
				}
				b.ReportMetric(float64(size), "B/png")
			})
		}
	}
}

// BenchmarkVectors is a chart of a page of its own, in both widths.
func BenchmarkVectors(b *testing.B) {
	p := printer(b, "zh-CN")
	for _, name := range slices.Sorted(maps.Keys(charts())) {
		c := charts()[name]
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := Vectors(c, p, DefaultTheme()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkEncode is the encoder's share of a chart.
func BenchmarkEncode(b *testing.B) {
	for _, name := range []string{"columns", "dots", "sweep", "heatmap"} {
		for _, width := range slices.Sorted(maps.Keys(sizes())) {
			canvas := arrangedIn(b, charts()[name], "zh-CN", sizes()[width]).paint()
			b.Run(name+"/"+width, func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(len(canvas.image.Pix)))
				for b.Loop() {
					encodePNG(canvas.image)
				}
			})
		}
	}
}
