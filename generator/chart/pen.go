package chart

import (
	"image/color"
	"math"
)

// pen collects drawing functions, in drawing order.
type pen struct {
	theme Theme
	items []func(canvas)
}

func (p *pen) rect(b box, c color.RGBA) {
	p.items = append(p.items, func(on canvas) { on.rect(b, c) })
}

// rule draws a straight line as a filled box.
func (p *pen) rule(b box, upright bool, c color.RGBA) {
	p.items = append(p.items, func(on canvas) { on.rule(b, upright, c) })
}

func (p *pen) horizontal(x0, x1, y, width float64, c color.RGBA) {
	top := p.snap(y - width/2)
	p.rule(box{x0, top, x1, top + p.snap(width)}, false, c)
}

func (p *pen) vertical(x, y0, y1, width float64, c color.RGBA) {
	left := p.snap(x - width/2)
	p.rule(box{left, y0, left + p.snap(width), y1}, true, c)
}

// snap rounds a length to whole pixels, so that lines of the same width look alike.
func (p *pen) snap(v float64) float64 { return math.Round(v*p.theme.Scale) / p.theme.Scale }

func (p *pen) line(points []point, width float64, dash []float64, c color.RGBA) {
	p.items = append(p.items, func(on canvas) { on.line(points, width, dash, c) })
}

// leader joins a name to the thing it names. It is dotted, unlike all lines of data.
func (p *pen) leader(a, b point) { p.line([]point{a, b}, 1.5, []float64{1, 4}, p.theme.Line) }

// mark draws a shape with a thin edge that separates it from what lies below. A hollow mark shows that its
// value is excluded.
func (p *pen) mark(at point, radius float64, s style, hollow bool) {
	p.shape(at, radius+2, s.shape, p.theme.Background)
	p.shape(at, radius, s.shape, s.colour)
	if hollow {
		p.shape(at, 0.6*radius, s.shape, p.theme.Background)
	}
}

func (p *pen) shape(at point, radius float64, shape int, c color.RGBA) {
	if shapes[shape] == nil {
		p.items = append(p.items, func(on canvas) { on.disc(at, radius, c) })
		return
	}
	corners := make([]point, len(shapes[shape]))
	for i, p := range shapes[shape] {
		corners[i] = point{at.x + p.x*radius, at.y + p.y*radius}
	}
	p.items = append(p.items, func(on canvas) { on.polygon(corners, c) })
}

// whisker draws an interval between two points on a vertical or horizontal line.
func (p *pen) whisker(a, b point, half, width float64, c color.RGBA) {
	if a.x == b.x {
		p.vertical(a.x, min(a.y, b.y), max(a.y, b.y), width, c)
		for _, end := range []point{a, b} {
			p.moved(end, "", func() { p.horizontal(end.x-half, end.x+half, end.y, width, c) })
		}
		return
	}
	p.horizontal(min(a.x, b.x), max(a.x, b.x), a.y, width, c)
	for _, end := range []point{a, b} {
		p.moved(end, "", func() { p.vertical(end.x, end.y-half, end.y+half, width, c) })
	}
}

// markValue draws the mark of a value, with a ring if a check has doubts.
func (p *pen) markValue(at point, radius float64, st style, v value) {
	if v.ringed() {
		p.items = append(p.items, func(on canvas) { on.disc(at, radius*ringReach, p.theme.Muted) })
		p.items = append(p.items, func(on canvas) { on.disc(at, radius*ringReach-2, p.theme.Background) })
	}
	p.mark(at, radius, st, v.hollow)
}

// interval draws an error bar between two heights.
func (p *pen) interval(x, low, high float64, st style) {
	p.whisker(point{x, low}, point{x, high}, 6, 2, st.colour)
}

// bar fills a box, or only its rim if hollow is set.
func (p *pen) bar(b box, c color.RGBA, hollow bool) {
	p.rect(b, c)
	if inner := b.grow(-3); hollow && inner.width() > 0 && inner.height() > 0 {
		p.rect(inner, p.theme.Background)
	}
}

// shapes lists the corners of the marks around the origin, scaled so that they look equally large; the first is
// a disc. Six shapes and seven colours make 42 distinct series.
var shapes = [...][]point{
	nil,
	{{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}},       // diamond
	{{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}}, // square
	{{0, -1.2}, {1.2, 0.88}, {-1.2, 0.88}},               // triangle
	{{-1.2, -0.88}, {1.2, -0.88}, {0, 1.2}},              // triangle, downwards
	star(5, 1.35, 0.62),
}

func star(tips int, outer, inner float64) []point {
	corners := make([]point, 2*tips)
	for i := range corners {
		r := outer
		if i%2 == 1 {
			r = inner
		}
		sin, cos := math.Sincos(math.Pi * float64(i) / float64(tips))
		corners[i] = point{r * sin, -r * cos}
	}
	return corners
}

// reach is how far a mark of radius 1 may extend from its centre.
const reach = 1.35

// style is the look of a series: its colour and the shape of its marks.
type style struct {
	colour color.RGBA
	shape  int
}

func (l *layout) style(series int) style {
	if series >= len(l.series) {
		return l.theme.style(series)
	}
	st := l.theme.style(l.series[series].style)
	if l.series[series].dim {
		st.colour = l.theme.Dominated
	}
	return st
}

// style returns the style of the n-th series, counted from 0. No two are alike before all pairs of colour and
// shape are used: at each common multiple of both numbers, the shapes are shifted by one.
func (t Theme) style(n int) style {
	colours := len(t.Series)
	meet := colours
	for meet%len(shapes) != 0 {
		meet += colours
	}
	return style{t.Series[n%colours], (n + n/meet) % len(shapes)}
}

func (v *value) excluded() bool { return v.hollow && !v.missing }

// ringed reports whether a mark has a ring because a check has doubts.
func (v *value) ringed() bool { return v.ring && !v.hollow && !v.missing }

// ringReach is the radius of a ring around a mark of radius 1.
const ringReach = 1.9

// reach returns how far the mark of a value extends from its centre, for a given radius.
func (v *value) reach(radius float64) float64 {
	if v.ringed() {
		return radius * ringReach
	}
	return radius * reach
}

// frontierColour returns the colour of the only series, or a neutral colour for a frontier through points of
// several series.
func (l *layout) frontierColour() color.RGBA {
	if len(l.series) > 1 {
		return l.theme.Muted
	}
	return l.style(0).colour
}

// dashes is the dash pattern of frontier lines.
var dashes = []float64{9, 7}
