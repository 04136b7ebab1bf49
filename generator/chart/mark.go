package chart

import (
	"image/color"
	"math"
	"strings"
)

// shapes are the corners of marks around the origin, scaled to look equally
// large; the first is a disc. There are six of them and seven colours, so that
// 42 series are told apart.
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

// style is what tells a series from the others.
type style struct {
	colour color.RGBA
	shape  int
}

func (l *layout) style(series int) style {
	n := series
	if series < len(l.series) {
		n = l.series[series].style
	}
	return l.theme.style(n)
}

// style gives the look of the n-th series, from 0. No two are alike before all
// pairs of a colour and a shape are used: where both rhythms meet, shapes move on.
func (t Theme) style(n int) style {
	colours := len(t.Series)
	meet := colours
	for meet%len(shapes) != 0 {
		meet += colours
	}
	return style{t.Series[n%colours], (n + n/meet) % len(shapes)}
}

// mark draws a shape with a thin edge that keeps it apart from what lies
// below; a hollow one shows its quarantine.
func (l *layout) mark(at point, radius float64, s style, hollow bool) {
	l.shape(at, radius+2, s.shape, l.theme.Background)
	l.shape(at, radius, s.shape, s.colour)
	if hollow {
		l.shape(at, 0.6*radius, s.shape, l.theme.Background)
	}
}

func (l *layout) shape(at point, radius float64, shape int, c color.RGBA) {
	if shapes[shape] == nil {
		l.items = append(l.items, func(on canvas) { on.disc(at, radius, c) })
		return
	}
	corners := make([]point, len(shapes[shape]))
	for i, p := range shapes[shape] {
		corners[i] = point{at.x + p.x*radius, at.y + p.y*radius}
	}
	l.items = append(l.items, func(on canvas) { on.polygon(corners, c) })
}

// key is an entry of the legend; draw puts its sign at a centre.
type key struct {
	name   string
	series bool // it is of a series, which a reader can hide
	draw   func(at point)
}

// legend writes the keys in as many lines as they need and gives the place
// below them.
func (l *layout) legend(keys []key, top float64) float64 { return l.signs(keys, 15, top) }

// signs writes keys whose signs reach a radius from their centres.
func (l *layout) signs(keys []key, radius, top float64) float64 {
	if len(keys) == 0 {
		return top
	}
	const gap = 34
	sign, line := 2*radius+14, max(l.text.lineHeight()*1.1, 2*radius+4)
	x := float64(margin)
	for _, k := range keys {
		name := strings.Join(nameLines(k.name, l.text, l.width-2*margin-sign, 1), "")
		width := sign + l.text.width(name)
		if x > margin && x+width > l.width-margin {
			x, top = margin, top+line
		}
		draw := func() {
			k.draw(point{x + sign/2 - 5, top + line/2})
			l.write(name, l.text, x+sign, top+line/2+middle*l.text.size, l.theme.Ink)
		}
		if k.series {
			l.keyed(k.name, box{x, top, x + width, top + line}, draw)
		} else {
			draw()
		}
		x += width + gap
	}
	return top + line
}

// markKeys are the legend of a chart of marks: its series when there are
// several, and what hollow and grey mean where they occur.
func (l *layout) markKeys(radius float64) []key {
	var keys []key
	if len(l.series) > 1 {
		for i, s := range l.series {
			keys = append(keys, key{s.name, true, func(at point) { l.mark(at, radius, l.style(i), false) }})
		}
	}
	if len(l.frontier) > 1 {
		keys = append(keys, key{l.words.Words("chart.frontier"), false, func(at point) {
			l.line([]point{{at.x - 17, at.y}, {at.x + 19, at.y}}, 2.5, dashes, l.frontierColour())
		}})
	}
	if l.some(func(v value) bool { return v.grey && !v.missing }) {
		keys = append(keys, key{l.words.Words("chart.dominated"), false, func(at point) {
			l.mark(at, radius, style{l.theme.Dominated, 0}, false)
		}})
	}
	return append(keys, l.doubtKeys(radius)...)
}

func (v value) excluded() bool { return v.hollow && !v.missing }

// ringed tells whether a mark has a ring: a check has doubts.
func (v value) ringed() bool { return v.ring && !v.hollow && !v.missing }

// ringReach is the radius of a ring around a mark of radius 1.
const ringReach = 1.9

// reach is how far the mark of a value of some radius extends from its centre.
func (v value) reach(radius float64) float64 {
	if v.ringed() {
		return radius * ringReach
	}
	return radius * reach
}

// whisker draws the interval between two points above or beside each other.
func (l *layout) whisker(a, b point, half, width float64, c color.RGBA) {
	if a.x == b.x {
		l.vertical(a.x, min(a.y, b.y), max(a.y, b.y), width, c)
		for _, end := range []point{a, b} {
			l.moved(end, "", func() { l.horizontal(end.x-half, end.x+half, end.y, width, c) })
		}
		return
	}
	l.horizontal(min(a.x, b.x), max(a.x, b.x), a.y, width, c)
	for _, end := range []point{a, b} {
		l.moved(end, "", func() { l.vertical(end.x, end.y-half, end.y+half, width, c) })
	}
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
