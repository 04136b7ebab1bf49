// Package chart draws chart specifications as PNG and as SVG.
//
// A chart goes through three steps: a figure is the specification in one language,
// fit to be drawn (figure.go); a layout gives everything its place (layout.go, and a
// file for each kind, which kinds.go lists); a canvas draws it (raster.go and package raster
// for PNG, svg.go and package svg). Between figure and canvas, each layer uses the one before:
//
//	pen        shapes, in drawing order, and what they have in common (pen.go, reader.go)
//	lettering  texts, none over another (lettering.go, package font)
//	axes       grids, labels and titles of axes (grid.go, axis.go)
//	layout     title, legend, notes and source around a plot (layout.go, legend.go, rows.go)
//	lineChart… what a kind has between them (lines.go, bars.go, …)
//
// The SVG carries what a reader can do with it in a page (reader.go). Outlines and
// glyphs are those of go-chart's drawing package; its stock charts are not used.
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
	Narrow        []byte   // the same chart for a narrow page, nil where the theme is as narrow; what its marks tell, SVG has
	Notes         []string // below the chart in the PNG: what to know of it, and its source
	Width, Height int      // pixels
	Warnings      []result.Message
}

// What can still be read, and drawn in reasonable time.
const (
	mostRows   = 500 // bars, or rows of dots
	mostPoints = 500
	mostCells  = 20_000 // of a heat map, which has no numbers in them then
)

// Draw draws a chart in the printer's language. The same arguments give the
// same bytes. What could not be shown as asked for is reported in the warnings;
// an error means there is no image, because the theme is impossible or the
// chart too large to be read.
func Draw(c report.Chart, p locale.Printer, t Theme) (Image, error) {
	l, err := lay(c, p, t)
	if err != nil {
		return Image{}, err
	}
	image := sketch(l, c, p)
	image.PNG = encoded(l)
	return image, nil
}

// Sketch draws a chart as Draw does, but for the PNG: for a page that is wanted at once, and for
// pages that hold the chart themselves.
func Sketch(c report.Chart, p locale.Printer, t Theme) (Image, error) {
	l, err := lay(c, p, t)
	if err != nil {
		return Image{}, err
	}
	return sketch(l, c, p), nil
}

// Picture draws a chart as Draw does, as PNG alone.
func Picture(c report.Chart, p locale.Printer, t Theme) (Image, error) {
	l, err := lay(c, p, t)
	if err != nil {
		return Image{}, err
	}
	image := l.describe()
	image.PNG = encoded(l)
	return image, nil
}

// describe returns what is known of a picture without drawing it.
func (l *layout) describe() Image {
	width, height := l.pixels()
	return Image{Notes: l.noted(), Width: width, Height: height, Warnings: l.warnings()}
}

// sketch draws both SVGs of a chart that was laid out.
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

// NarrowWidth is how many units wide a chart for a phone is: text of the usual size
// is then eleven pixels high on a page of 360.
const NarrowWidth = 640

// narrowForm lays a chart out anew for narrow pages: in a picture made for wide ones text
// would be half as high. A text without room there is left out, as a reader can point at its
// value. It is nil for a theme that is as narrow.
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

// lay gives all parts of a chart their places.
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

// paint draws what was laid out.
func (l *layout) paint() *raster.Canvas {
	width, height := l.pixels()
	canvas := newPaletted(width, height, l.theme.Scale, l.theme.colours())
	for _, draw := range l.items {
		draw(canvas)
	}
	return canvas.Canvas
}

// pixels is the size of the picture.
func (l *layout) pixels() (width, height int) {
	return int(math.Round(l.width * l.theme.Scale)), int(math.Round(l.height * l.theme.Scale))
}

// vectors draws it as SVG, without the notes: a page has them as text. It returns the marks in it, of
// which a narrow form does not repeat what those of the wide one tell.
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

// noted returns the notes and the source, in the order in which they are written.
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
		points = len(l.series) // of a line, only what a pixel shows is drawn
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

// Key is made of all that decides how a chart looks in a language and a theme: equal
// keys, equal pictures.
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

// Key is that of a card.
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
