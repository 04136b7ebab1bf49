package chart

import (
	"maps"
	"slices"
	"testing"

	"github.com/benchpost/benchpost/generator/chart/png"
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

// BenchmarkSketch is a chart of a page of its own, in both widths.
func BenchmarkSketch(b *testing.B) {
	p := printer(b, "zh-CN")
	for _, name := range slices.Sorted(maps.Keys(charts())) {
		c := charts()[name]
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Sketch(c, p, DefaultTheme()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkParts is what each step of a chart takes, for each kind.
func BenchmarkParts(b *testing.B) {
	p := printer(b, "zh-CN")
	for _, name := range slices.Sorted(maps.Keys(charts())) {
		c := charts()[name]
		l := arrangedIn(b, c, "zh-CN", DefaultTheme())
		canvas := l.paint()
		steps := map[string]func(){
			"layout": func() { lay(c, p, DefaultTheme()) },
			"paint":  func() { l.paint().Release() },
			"encode": func() { png.Encode(canvas.Image) },
			"svg":    func() { l.vectors(p.Say(c.Alt)) },
		}
		for _, step := range slices.Sorted(maps.Keys(steps)) {
			run := steps[step]
			b.Run(name+"/"+step, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					run()
				}
			})
		}
	}
}
