// Package chart draws chart specifications as PNG and as SVG.
//
// Drawing takes three steps. A figure is the specification in one language, ready to be drawn (figure.go). A
// layout places everything (layout.go, and a file for each kind, listed in kinds.go). A canvas draws it
// (raster.go and package raster for PNG, svg.go and package svg for SVG). Between figure and canvas, each layer
// uses the one before:
//
//	pen        shapes in drawing order, and groups of them (pen.go, reader.go)
//	lettering  texts that do not overlap (lettering.go, package font)
//	axes       grids, labels and titles of axes (grid.go, axis.go)
//	layout     title, legend, notes and source around a plot (layout.go, legend.go, rows.go)
//	lineChart… the plot of one kind (lines.go, bars.go, …)
//
// The SVG has data for the script that makes charts in pages interactive (reader.go). Outlines and glyphs are
// drawn with go-chart's drawing package; its ready-made charts are not used.
package chart

import (
	"math"
	"slices"

	"github.com/benchpost/benchpost/generator/chart/png"
	"github.com/benchpost/benchpost/generator/chart/raster"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// Image is a drawn chart.
type Image struct {
	PNG           []byte
	SVG           []byte   // the same drawing, for a page: without its notes
	Narrow        []byte   // the chart for a narrow page, nil if the theme is as narrow; SVG has the data of its marks
	Notes         []string // written below the chart in the PNG: what readers should know about it, and its source
	Width, Height int      // pixels
	Warnings      []result.Message
}

// Limits on what can still be read, and drawn in reasonable time.
const (
	mostRows   = 500 // bars, or rows of dots
	mostPoints = 500
	mostCells  = 20_000 // cells of a heat map; with that many, numbers do not fit
)

// Draw draws a chart in the printer's language. The same arguments give the same bytes. Warnings report what
// could not be shown as requested. An error means that there is no image, because the theme is invalid or the
// chart is too large to be read.
func Draw(c report.Chart, p locale.Printer, t Theme) (Image, error) {
	l, err := lay(c, p, t)
	if err != nil {
		return Image{}, err
	}
	image := sketch(l, c, p)
	image.PNG = encoded(l)
	return image, nil
}

// Sketch draws a chart as Draw does, but without the PNG. It is for pages that embed the SVG, and for pages
// that are needed at once.
func Sketch(c report.Chart, p locale.Printer, t Theme) (Image, error) {
	l, err := lay(c, p, t)
	if err != nil {
		return Image{}, err
	}
	return sketch(l, c, p), nil
}

// Picture draws a chart as Draw does, but returns only the PNG.
func Picture(c report.Chart, p locale.Printer, t Theme) (Image, error) {
	l, err := lay(c, p, t)
	if err != nil {
		return Image{}, err
	}
	image := l.describe()
	image.PNG = encoded(l)
	return image, nil
}

// describe returns the notes, the size and the warnings of a chart without drawing it.
func (l *layout) describe() Image {
	width, height := l.pixels()
	return Image{Notes: l.noted(), Width: width, Height: height, Warnings: l.warnings()}
}

// sketch draws both SVGs of a chart that has been laid out.
func sketch(l *layout, c report.Chart, p locale.Printer) Image {
	image, alt := l.describe(), p.Say(c.Alt)
	var marks []*card
	image.SVG, marks = l.vectors(alt, nil)
	if narrow := narrowForm(c, p, l.theme); narrow != nil {
		image.Narrow, _ = narrow.vectors(alt, marks)
	}
	return image
}

func encoded(l *layout) []byte {
	canvas := l.paint()
	defer canvas.Release()
	return png.Encode(canvas.Image)
}

// NarrowWidth is the width, in layout units, of a chart for a phone. Text of the usual size is then eleven
// pixels high on a page 360 pixels wide.
const NarrowWidth = 640

// narrowForm lays out a chart again for narrow pages, where the text of a wide picture would be half as high.
// Texts without room are left out, because a reader can point at their values. narrowForm returns nil if the
// theme is already as narrow, or if the chart cannot be laid out.
func narrowForm(c report.Chart, p locale.Printer, t Theme) *layout {
	if t.Width <= NarrowWidth {
		return nil
	}
	t.Width = NarrowWidth
	l, err := lay(c, p, t)
	if err != nil {
		return nil
	}
	return l
}

// lay lays out all parts of a chart.
func lay(c report.Chart, p locale.Printer, t Theme) (*layout, error) {
	c = c.Readable()
	l, err := newLayout(c, p, t)
	if err != nil {
		return nil, err
	}
	if len(c.Panels) > 0 {
		return l, panelChart{l}.panels(c, p)
	}
	return l, l.arrange()
}

// paint draws the laid-out chart on a canvas of pixels.
func (l *layout) paint() *raster.Canvas {
	width, height := l.pixels()
	canvas := newPaletted(width, height, l.theme.Scale, l.theme.colours())
	for _, draw := range l.items {
		draw(canvas)
	}
	return canvas.Canvas
}

// pixels returns the size of the picture.
func (l *layout) pixels() (width, height int) {
	return int(math.Round(l.width * l.theme.Scale)), int(math.Round(l.height * l.theme.Scale))
}

// vectors draws the chart as SVG, without the notes, which a page has as text. It returns the marks of the SVG.
// wide holds the marks of the wide form when the narrow form is drawn, which does not repeat their data.
func (l *layout) vectors(alt string, wide []*card) (svg []byte, marks []*card) {
	on := newVector(l.width, l.bare, l.small.Size, l.theme, alt, l.full)
	on.wide = wide
	for i, draw := range l.items {
		if i < l.footFrom || i >= l.footTo {
			draw(on)
		}
	}
	marks = on.marks
	return on.end(), marks
}

// noted returns the notes and then the source, the order in which they are written.
func (l *layout) noted() []string {
	if l.source == "" {
		return l.notes
	}
	return append(slices.Clone(l.notes), l.source)
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
	if l.kind == report.Lines {
		points = len(l.series) // a line is thinned to what its pixels can show
	}
	most := mostPoints
	if l.kind == report.HeatMap {
		most = mostCells
	}
	if rows > mostRows || points > most {
		return locale.Errorf("a chart of %d points in %d categories is unreadable; show fewer", points, len(l.categories))
	}
	any := l.some(func(v *value) bool { return !v.missing })
	switch {
	case kinds[l.kind].draw == nil:
		return locale.Errorf("no chart is of kind %q", l.kind)
	case !any:
		l.empty()
	default:
		kinds[l.kind].draw(l)
	}
	return nil
}

// Key returns a cache key for a chart in a language and a theme. It covers everything that affects the picture:
// equal keys mean equal pictures.
func Key(c report.Chart, p locale.Printer, t Theme) []byte {
	c = c.Readable()
	var s result.Stamper
	s.Text(p.Lang(), p.Say(c.Alt))
	s.Stamp(t.stamp())
	if l, err := newLayout(c, p, t); err == nil {
		s.Value(l.figure)
		s.Value(l.set.Sums())
	}
	s.Int(len(c.Panels))
	s.Bool(c.Lanes)
	for _, panel := range c.Panels {
		s.Text(p.Say(panel.Title))
		s.Bytes(Key(panel.Chart, p, t))
	}
	sum := s.Sum()
	return sum[:]
}

// Key returns a cache key for a card, as the function Key does for a chart.
func (c Card) Key(p locale.Printer, t Theme) []byte {
	var s result.Stamper
	s.Text("card", p.Lang())
	s.Stamp(t.stamp())
	if c.Chart != nil {
		s.Bytes(Key(*c.Chart, p, t))
	}
	s.Text(c.Title, c.Text, c.Site, c.Date)
	if l, err := newLayout(report.Chart{}, p, t); err == nil {
		for _, text := range []string{c.Title, c.Text, c.Site} {
			l.set.Clean(text)
		}
		s.Value(l.set.Sums())
	}
	sum := s.Sum()
	return sum[:]
}
