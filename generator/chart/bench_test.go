package chart

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/benchpost/benchpost/generator/chart/png"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
)

// sizes has the sizes of reports: the theme's own, and wider ones for slides.
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

// BenchmarkSketch measures a chart of a page of its own, in both widths.
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

// hardest has charts with the greatest allowed number of values.
func hardest() map[string]report.Chart {
	trace := report.Chart{Kind: report.Lines, Form: report.Trace, Title: locale.Lit("100,000 samples")}
	for gpu := range 4 {
		points := make([]report.Point, 25_000)
		for i := range points {
			points[i] = report.Point{X: float64(i) / 10, Y: 300 + 200*math.Sin(float64(i)/500+float64(gpu)) + float64(i*i%97)}
		}
		trace.Series = append(trace.Series, report.Series{Name: locale.Lit(fmt.Sprint("GPU ", gpu)), Points: points})
	}
	cells := report.Chart{Kind: report.HeatMap, Title: locale.Lit("15,000 cells")}
	for column := range 100 {
		cells.Categories = append(cells.Categories, locale.Lit(fmt.Sprint("column ", column)))
	}
	for row := range 150 {
		points := make([]report.Point, 100)
		for i := range points {
			points[i] = report.Point{Y: float64(row * i % 997)}
		}
		cells.Series = append(cells.Series, report.Series{Name: locale.Lit(fmt.Sprint("row ", row)), Points: points})
	}
	return map[string]report.Chart{"trace of 100,000": trace, "heat map of 15,000": cells}
}

// BenchmarkParts measures each step of drawing, for each kind and for the hardest charts.
func BenchmarkParts(b *testing.B) {
	p := printer(b, "zh-CN")
	all := charts()
	maps.Copy(all, hardest())
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := all[name]
		l := arrangedIn(b, c, "zh-CN", DefaultTheme())
		canvas := l.paint()
		steps := map[string]func(){
			"layout": func() { lay(c, p, DefaultTheme()) },
			"paint":  func() { l.paint().Release() },
			"encode": func() { png.Encode(canvas.Image) },
			"svg":    func() { l.vectors(p.Say(c.Alt), nil) },
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
