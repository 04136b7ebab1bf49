// Package chart draws chart specifications as PNG images.
//
// A chart goes through three steps: a figure says the specification in one
// language (figure.go), a layout gives everything its place (layout.go, and a
// file for each kind), and a canvas draws it (raster.go). Paths and glyphs are
// rasterised by go-chart's drawing package; its stock charts are not used.
package chart

import (
	"fmt"
	"math"

	"benchpost/generator/bench"
	"benchpost/generator/locale"
	"benchpost/generator/report"
)

// Image is a drawn chart.
type Image struct {
	PNG           []byte
	Width, Height int // pixels
	Warnings      []bench.Message
}

// What can still be read, and drawn in reasonable time.
const (
	mostRows   = 500 // bars, or rows of dots
	mostPoints = 500
)

// Draw draws a chart in the printer's language. The same arguments give the
// same bytes. What could not be shown as asked for is told in the warnings;
// an error means there is no image, because the theme is impossible or the
// chart too large to be read.
func Draw(c report.Chart, p locale.Printer, t Theme) (Image, error) {
	l, err := newLayout(c, p, t)
	if err != nil {
		return Image{}, err
	}
	if err := l.arrange(); err != nil {
		return Image{}, err
	}
	width, height := int(math.Round(l.width*t.Scale)), int(math.Round(l.height*t.Scale))
	canvas := newPaletted(width, height, t.Scale, t.colours())
	for _, draw := range l.items {
		draw(canvas)
	}
	return Image{PNG: encodePNG(canvas.image), Width: width, Height: height, Warnings: l.warnings()}, nil
}

// arrange lays the chart out according to its kind.
func (l *layout) arrange() error {
	rows, points := len(l.categories), 0
	for _, s := range l.series {
		points += len(s.values)
	}
	if l.kind == report.GroupedBars {
		rows = points
	}
	if rows > mostRows || points > mostPoints {
		return fmt.Errorf("a chart of %d points in %d categories cannot be read; show fewer", points, len(l.categories))
	}
	any := l.some(func(v value) bool { return !v.missing })
	switch {
	case l.kind != report.GroupedBars && l.kind != report.Dots && l.kind != report.Scatter:
		return fmt.Errorf("no chart is of kind %q", l.kind)
	case !any:
		l.empty()
	case l.kind == report.GroupedBars:
		l.bars()
	case l.kind == report.Dots:
		l.dots()
	case l.kind == report.Scatter:
		l.scatter()
	}
	return nil
}
