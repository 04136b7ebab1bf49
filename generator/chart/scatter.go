package chart

import (
	"cmp"
	"github.com/benchpost/benchpost/generator/chart/font"
	"github.com/benchpost/benchpost/generator/chart/number"
	"image/color"
	"math"
	"slices"
	"strconv"
)

const (
	pointRadius = 9.5
	bubble      = 26 // the largest radius of marks whose area means something
	leastBubble = 4
	endHalf     = 6 // half the width of the end strokes of an interval
)

// scatterChart is a chart of points on two axes.
type scatterChart struct{ *layout }

// scatter draws points on two value axes, each named beside its mark. The canvas grows if the names need room.
// Names that still have none are replaced by numbers, with a key at the foot.
func (l scatterChart) scatter() {
	if names := l.unplaced(); len(names) > 0 {
		l.notes = append(l.notes, l.words.Words("chart.missing.points", l.words.List(names)))
	}
	if l.largest() > 0 {
		l.notes = append(l.notes, l.words.Words("chart.area", l.axisTitle(l.size, false)))
	}
	sx, _ := l.span((*value).getX)
	values, _ := l.span((*value).getY)
	x := axis{log: l.logarithmic(l.x, sx), whole: l.counts(l.x, (*value).getX)}
	y := axis{log: l.logarithmic(l.y, values), whole: l.counts(l.y, (*value).getY)}
	sy := l.reached(y, values)
	top := l.signs(l.sizeKeys(), bubble, l.header(l.markKeys(pointRadius)))
	top = l.paragraph(l.small.Paragraph(l.axisTitle(l.y, y.log), l.width-2*margin, 2), l.small, margin, top+8, l.theme.Muted) + 14

	height := max(320, float64(l.theme.Height)-l.footHeight()-l.axisHeight()-top)
	most := height + float64(l.theme.Height)
	f := l.newField(x, y, sx, sy, top, height)
	for !l.inPanel && f.left() > 0 && height*1.25 <= most { // small charts keep the same height
		height *= 1.25
		f = l.newField(x, y, sx, sy, top, height)
	}
	f.number()
	f.draw()
	l.footer(f.key(l.axisName(l.x, f.x, f.plot)))
}

// radius returns the radius of a mark, whose area is proportional to its size unless the mark would be too
// small to be seen.
func (l scatterChart) radius(size float64) float64 {
	largest := l.largest()
	if largest == 0 {
		return pointRadius
	}
	return max(leastBubble, bubble*math.Sqrt(max(0, size)/largest))
}

// dominatedRadius returns the radius of a dominated mark. With several series, where colours mean series, the
// mark keeps its colour and is smaller instead.
func (l *layout) dominatedRadius(radius float64) float64 {
	if len(l.series) > 1 {
		return 0.65 * radius
	}
	return radius
}

// sizeKeys returns the legend of two round sizes.
func (l scatterChart) sizeKeys() []key {
	largest := l.largest()
	if largest == 0 {
		return nil
	}
	var keys []key
	for _, size := range []float64{roundBelow(largest / 4), roundBelow(largest)} {
		name := number.Short(size)
		if l.size.unit != "" && l.size.unit != "1" {
			name += " " + l.size.unit
		}
		r := l.radius(size)
		keys = append(keys, key{name, false, func(at point) { l.mark(at, r, style{l.theme.Muted, 0}, false) }})
	}
	return keys
}

// roundBelow returns the greatest number not above v that is 1, 2 or 5 times a power of ten.
func roundBelow(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, mantissa := range []float64{5, 2} {
		if mantissa*power <= v {
			return mantissa * power
		}
	}
	return power
}

// unplaced returns the names of points without a value.
func (l scatterChart) unplaced() []string {
	var names []string
	for _, s := range l.series {
		for _, v := range s.values {
			switch {
			case !v.missing || v.label == "":
			case len(l.series) > 1 && s.name != "":
				names = append(names, l.words.Words("chart.axis", v.label, s.name))
			default:
				names = append(names, v.label)
			}
		}
	}
	return names
}

// field is the plot of a scatter chart with a given height.
type field struct {
	scatterChart
	plot     box
	x, y     axis
	yTicks   []tick
	points   []spot // large before small, dominated before others of the same size, so that what matters is on top
	names    font.Face
	numbers  font.Face
	frontier [][]point
	placer   placer // wants a place for every named point, in their order
}

// spot is a point with its place and its look.
type spot struct {
	value
	series   int
	at       point
	radius   float64
	style    style
	ink      color.RGBA
	name     string
	numbered bool
	number   string
}

func (l scatterChart) newField(x, y axis, sx, sy span, top, height float64) *field {
	f := &field{scatterChart: l, names: l.text, numbers: font.Face{Stack: l.heading.Stack, Size: l.small.Size, Bold: true}}
	y.start, y.end = top+height, top
	f.y = l.valueAxis(y, sy)
	f.yTicks = f.y.ticks(func(_, _ string) float64 { return 2 * l.small.Size })
	f.plot = box{margin + l.gutter(f.yTicks), top, l.width - margin - inset, top + height}
	x.start, x.end = f.plot.x0, f.plot.x1
	f.x = l.valueAxis(x, sx)
	for k, s := range l.series {
		for _, v := range s.values {
			if v.missing {
				continue
			}
			p := spot{value: v, series: k, at: f.place(v), radius: l.radius(v.size), style: l.style(k), ink: l.theme.Ink}
			if v.grey {
				p.ink = l.theme.Muted
				if len(l.series) == 1 {
					p.style.colour = l.theme.Dominated
				} else if l.largest() == 0 {
					p.radius = l.dominatedRadius(p.radius)
				}
			}
			f.points = append(f.points, p)
		}
	}
	slices.SortStableFunc(f.points, func(a, b spot) int {
		if a.radius == b.radius && a.grey != b.grey {
			return map[bool]int{true: -1, false: 1}[a.grey]
		}
		return cmp.Compare(b.radius, a.radius)
	})
	if len(f.points) > 12 {
		f.names = l.small
	}
	for _, on := range l.frontier {
		var corners []point
		for _, v := range on.values {
			corners = append(corners, f.place(v))
		}
		f.frontier = append(f.frontier, corners)
	}
	short := map[string]*spot{}
	for i := range f.points {
		p := &f.points[i]
		if p.label == "" {
			continue
		}
		p.name = l.shorten(p.label, f.names, 0.4*f.plot.width(), 1)[0]
		if other := short[p.name]; other == nil {
			short[p.name] = p
		} else if other.label != p.label && len(f.points) <= mostNumbers { // names shortened alike are ambiguous
			p.numbered, other.numbered = true, true
		}
	}
	f.settle()
	return f
}

// valueAxis fits an axis so that marks keep away from the edges. It includes zero if that is near.
func (l scatterChart) valueAxis(a axis, s span) axis {
	pad := 3.5 * pointRadius
	large := l.largest() > 0 || l.some((*value).ringed)
	if large {
		pad = max(pad, ringReach*l.radius(l.largest())+6)
	}
	if !a.log && s.min > 0 && s.min < 0.35*s.max {
		s.add(0)
	}
	if !a.log && s.min == 0 && !large {
		return a.fit(s, 0, pad)
	}
	return a.fit(s, pad, pad)
}

func (f *field) place(v value) point { return point{f.x.at(v.x), f.y.at(v.y)} }

// settle finds places for the names, and for the numbers of the points that have a number instead.
func (f *field) settle() {
	f.placer = placer{plot: f.plot.grow(-3), before: f.placer.wanted}
	for _, corners := range f.frontier {
		for i := 1; i < len(corners); i++ {
			f.placer.lines = append(f.placer.lines, segment{corners[i-1], corners[i]})
		}
	}
	for _, p := range f.points {
		half := 1.2 * p.radius
		if p.ringed() {
			half = p.reach(p.radius)
		}
		f.placer.marks = append(f.placer.marks, square(p.at, half))
		if low, high, ok := f.interval(p); ok {
			f.placer.lines = append(f.placer.lines, segment{low, high})
			for _, end := range []point{low, high} {
				f.placer.lines = append(f.placer.lines, segment{point{end.x - endHalf, end.y}, point{end.x + endHalf, end.y}})
			}
		}
	}
	for i, p := range f.points {
		face, text, homeless := f.names, p.name, 1000.0
		switch {
		case p.numbered:
			face, text, homeless = f.numbers, "00", 3000
		case p.grey:
			homeless = 400
		}
		if text != "" {
			f.placer.want(f.placer.marks[i], face.Width(text), (font.Ascent+font.Descent)*face.Size, homeless)
		}
	}
	f.placer.place()
}

// interval returns the ends of the interval of a point's repeats.
func (f *field) interval(p spot) (low, high point, ok bool) {
	return point{p.at.x, f.y.at(p.low)}, point{p.at.x, f.y.at(p.high)}, p.spread && p.high > p.low
}

// wants returns the named points in the order of the placer.
func (f *field) wants() []*spot {
	var ps []*spot
	for i := range f.points {
		if f.points[i].name != "" {
			ps = append(ps, &f.points[i])
		}
	}
	return ps
}

// left returns the number of names without a place.
func (f *field) left() int {
	n := 0
	for _, w := range f.placer.wanted {
		if w.chosen == nil {
			n++
		}
	}
	return n
}

// mostNumbers is the greatest number of points with a number instead of a name.
const mostNumbers = 99

// number numbers points whose names have no room, from left to right: first the points without a place, then
// also points near them, and all points if that is not enough.
func (f *field) number() {
	named := f.wants()
	for _, near := range []float64{0, 120, 240, math.Inf(1)} {
		if f.left() == 0 || f.left() > mostNumbers || math.IsInf(near, 1) && len(named) > mostNumbers {
			break
		}
		var homeless []point
		for i, w := range f.placer.wanted {
			if w.chosen == nil {
				homeless = append(homeless, named[i].at)
			}
		}
		for _, p := range named {
			p.numbered = p.numbered || slices.ContainsFunc(homeless, func(at point) bool { return distance(at, p.at) <= near })
		}
		f.settle()
		if near >= 240 {
			f.placer.squeeze()
		}
	}
	for i, p := range f.numbered() {
		p.number = strconv.Itoa(i + 1)
	}
}

// numbered returns the points with a number, in the order of the numbers.
func (f *field) numbered() []*spot {
	ps := slices.DeleteFunc(f.wants(), func(p *spot) bool { return !p.numbered })
	slices.SortStableFunc(ps, func(a, b *spot) int {
		return cmp.Or(cmp.Compare(a.at.x, b.at.x), cmp.Compare(a.at.y, b.at.y))
	})
	return ps
}

// key writes below top, in columns, what the numbers mean, and returns the y below it.
func (f *field) key(top float64) float64 {
	const gap = 34
	ps, l := f.numbered(), f.layout
	if len(ps) == 0 {
		return top
	}
	number := f.numbers.Width("00") + 0.5*l.small.Size
	name, room := 0.0, l.width-2*margin
	for _, p := range ps {
		name = max(name, min(room-number, math.Ceil(l.small.Width(p.label))))
	}
	column := number + name + gap
	columns := max(1, math.Floor((room+gap)/column))
	lines := int(math.Ceil(float64(len(ps)) / columns))
	for i, p := range ps {
		left := margin + float64(i/lines)*column
		baseline := top + 10 + float64(i%lines)*l.small.LineHeight() + font.Ascent*l.small.Size
		l.write(p.number, f.numbers, left+f.numbers.Width("00")-f.numbers.Width(p.number), baseline, p.ink)
		l.write(l.shorten(p.label, l.small, name, 1)[0], l.small, left+number, baseline, p.ink)
	}
	return top + 10 + float64(lines)*l.small.LineHeight()
}

func (f *field) draw() {
	f.inPlot(f.plot, f.drawPlot)
}

func (f *field) drawPlot() {
	l := f.layout
	l.grid(f.x, f.plot)
	l.gridAcross(f.y, f.yTicks, f.plot)
	l.still(func() { l.horizontal(f.plot.x0, f.plot.x1, f.plot.y1, 2, l.theme.Line) })
	for _, corners := range f.frontier {
		l.line(corners, 2.5, dashes, l.frontierColour())
	}
	for _, p := range f.points {
		if low, high, ok := f.interval(p); ok {
			l.ofSeries(p.series, func() { l.whisker(low, high, endHalf, 2, p.style.colour) })
		}
		c := l.card(p.series, &p.value, p.label, l.placeRow(&p.value), l.valueRow(&p.value, ""))
		l.pointed(c, p.at, p.reach(p.radius), func() { l.markValue(p.at, p.radius, p.style, p.value) })
	}
	wanted := f.placer.wanted
	for i, p := range f.wants() {
		if chosen := wanted[i].chosen; chosen != nil && chosen.led {
			l.beside(p.series, p.at, func() { l.leader(chosen.leader.a, chosen.leader.b) })
		}
	}
	for i, p := range f.wants() {
		switch chosen := wanted[i].chosen; {
		case chosen == nil:
			l.crowded = append(l.crowded, p.name)
		case p.numbered:
			left := chosen.box.centre().x - f.numbers.Width(p.number)/2
			l.beside(p.series, p.at, func() { l.label(p.number, f.numbers, left, chosen.box.y0+font.Ascent*f.numbers.Size, p.ink) })
		default:
			l.beside(p.series, p.at, func() { l.label(p.name, f.names, chosen.box.x0, chosen.box.y0+font.Ascent*f.names.Size, p.ink) })
		}
	}
}
