package chart

import (
	"testing"

	"benchpost/generator/locale"
)

func BenchmarkDraw(b *testing.B) {
	p, _ := locale.For("zh-CN")
	for _, name := range []string{"columns", "horizontal", "dots", "scatter"} {
		c := charts()[name]
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Draw(c, p, DefaultTheme()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
