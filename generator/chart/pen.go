package chart

import (
	"image/color"
	"math"
)

// pen collects what is drawn, in drawing order.
type pen struct {
	theme Theme
	items []func(canvas)
}

func (p *pen) rect(b box, c color.RGBA) {
	p.items = append(p.items, func(on canvas) { on.rect(b, c) })
}

// rule draws a straight line that fills a box.
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

// snap rounds to whole pixels, so that lines of one width look alike.
func (p *pen) snap(v float64) float64 { return math.Round(v*p.theme.Scale) / p.theme.Scale }

func (p *pen) line(points []point, width float64, dash []float64, c color.RGBA) {
	p.items = append(p.items, func(on canvas) { on.line(points, width, dash, c) })
}

// leader joins a name to what it names: dotted, as no data is.
func (p *pen) leader(a, b point) { p.line([]point{a, b}, 1.5, []float64{1, 4}, p.theme.Line) }

// mark draws a shape with a thin edge that keeps it apart from what lies
// below; a hollow one shows its quarantine.
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

// whisker draws the interval between two points above or beside each other.
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

// markValue draws the mark of a value, with a ring when a check has doubts.
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

// bar fills a box; a hollow one only its rim.
func (p *pen) bar(b box, c color.RGBA, hollow bool) {
	p.rect(b, c)
	if inner := b.grow(-3); hollow && inner.width() > 0 && inner.height() > 0 {
		p.rect(inner, p.theme.Background)
	}
}

// shapes are the corners of marks around the origin, scaled to look equally
// large; the first is a disc. There are six of them and seven colours, so that
// 42 series are distinct.
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

// reach is how far a mark of radius 1 can extend from its centre.
const reach = 1.35

// style is what distinguishes a series from the others.
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

// style returns the look of the n-th series, from 0. No two are alike before all
// pairs of a colour and a shape are used: where both rhythms meet, shapes move on.
func (t Theme) style(n int) style {
	colours := len(t.Series)
	meet := colours
	for meet%len(shapes) != 0 {
		meet += colours
	}
	return style{t.Series[n%colours], (n + n/meet) % len(shapes)}
}

func (v *value) excluded() bool { return v.hollow && !v.missing }

// ringed reports whether a mark has a ring: a check has doubts.
func (v *value) ringed() bool { return v.ring && !v.hollow && !v.missing }

// ringReach is the radius of a ring around a mark of radius 1.
const ringReach = 1.9

// reach is how far the mark of a value of some radius extends from its centre.
func (v *value) reach(radius float64) float64 {
	if v.ringed() {
		return radius * ringReach
	}
	return radius * reach
}

// frontierColour is that of the series, or a neutral one for a frontier through
// the points of several.
func (l *layout) frontierColour() color.RGBA {
	if len(l.series) > 1 {
		return l.theme.Muted
	}
	return l.style(0).colour
}

// dashes are those of a frontier line.
var dashes = []float64{9, 7}
