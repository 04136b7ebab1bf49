package chart

import (
	"math"
	"slices"

	"github.com/benchpost/benchpost/generator/chart/font"
)

const (
	thinLine  = 1.5 // line of one configuration among others
	frontLine = 4.5 // frontier line of all configurations
)

// curveChart is a chart of curves: lines on two value axes, with points named after the steps of a sweep.
type curveChart struct{ *layout }

// curves draws one curve for each series, or one for each part of a series and the frontier of all its parts.
// Points are named where no leader is needed; the cards of all points have the names.
func (l curveChart) curves() {
	sx, _ := l.span((*value).getX)
	values, _ := l.span((*value).getY)
	x, y := axis{log: l.logarithmic(l.x, sx)}, axis{log: l.logarithmic(l.y, values)}
	sy := l.reached(y, values)
	for _, one := range l.levels { // a level far from all values would leave them no room
		s := &sx
		if one.across {
			s = &sy
		}
		if one.at > s.min/3 && one.at < 3*s.max {
			s.add(one.at)
		}
	}
	top := l.header(l.keys())
	top = l.paragraph(l.small.Paragraph(l.axisTitle(l.y, y.log), l.width-2*margin, 2), l.small, margin, top+8, l.theme.Muted) + 14
	if slices.ContainsFunc(l.levels, func(one bound) bool { return !one.across }) {
		top += 1.2 * l.small.LineHeight()
	}
	around := top + l.axisHeight() + l.footHeight()
	height := max(320, float64(l.theme.Height)-around)
	if !l.inPanel {
		height = max(height, min(around, 0.8*float64(l.theme.Height))) // the plot takes half of the canvas
	}
	y.start, y.end = top+height, top
	y = scatterChart(l).valueAxis(y, sy)
	yTicks := y.ticks(func(_, _ string) float64 { return 2 * l.small.Size })
	plot := box{margin + l.gutter(yTicks), top, l.width - margin - inset, top + height}
	x.start, x.end = plot.x0, plot.x1
	x = scatterChart(l).valueAxis(x, sx)

	p := placer{plot: plot.grow(-3), near: true}
	l.inPlot(plot, func() {
		l.grid(x, plot)
		l.gridAcross(y, yTicks, plot)
		l.still(func() { l.horizontal(plot.x0, plot.x1, plot.y1, 2, l.theme.Line) })
		for _, one := range l.levels {
			l.level(one, x, y, plot, &p)
		}
		for i := range l.series {
			l.ofSeries(i, func() { l.joined(i, x, y, &p) })
		}
		for i := range l.series {
			l.marks(i, x, y, &p)
		}
		for _, one := range l.levels {
			l.levelName(one, x, y, plot, &p)
		}
		l.names(x, y, &p)
	})
	l.axisBelow(l.x, x, plot)
}

// keys returns the legend of curves.
func (l curveChart) keys() []key {
	keys := l.lineKeys(true)
	if len(l.frontier) > 0 {
		keys = append(keys, key{l.words.Words("chart.frontier"), false, func(at point) {
			l.line([]point{{at.x - 17, at.y}, {at.x + 17, at.y}}, frontLine, nil, l.theme.Muted)
		}})
	}
	return keys
}

// level draws a line through the plot at a value of an axis.
func (l curveChart) level(one bound, x, y axis, plot box, p *placer) {
	line := segment{point{x.at(one.at), plot.y0}, point{x.at(one.at), plot.y1}}
	if one.across {
		line = segment{point{plot.x0, y.at(one.at)}, point{plot.x1, y.at(one.at)}}
	}
	if line.extent().within(plot) {
		l.line([]point{line.a, line.b}, 2, dashes, l.theme.Muted)
		p.lines = append(p.lines, line)
	}
}

// levelName names a level. The name of a level on the x axis is written above the plot, that of a level on the
// y axis where it covers the fewest lines and marks, as far right as possible.
func (l curveChart) levelName(one bound, x, y axis, plot box, p *placer) {
	name := l.small.NameLine(one.text, 0.6*plot.width())
	width := l.small.Width(name)
	if at := x.at(one.at); !one.across {
		if at >= plot.x0 && at <= plot.x1 {
			left := min(max(at-width/2, margin), l.width-margin-width)
			l.moved(point{at, plot.y0}, "x", func() { l.write(name, l.small, left, plot.y0-0.35*l.small.LineHeight(), l.theme.Ink) })
		}
		return
	}
	at := y.at(one.at)
	baseline := at - 0.4*l.small.Size
	best, least := plot.x1-width-6, math.MaxInt
	for left := best; left >= plot.x0+6 && least > 0; left -= l.small.Size {
		b := boxOf(l.small, name, left, baseline)
		n := 0
		for _, line := range p.lines {
			if line.meets(b) {
				n++
			}
		}
		for _, m := range p.marks {
			if m.overlaps(b) {
				n++
			}
		}
		if n < least {
			best, least = left, n
		}
	}
	if b := boxOf(l.small, name, best, baseline); b.within(plot) {
		p.marks = append(p.marks, b)
		l.moved(point{plot.x1, at}, "y", func() { l.label(name, l.small, best, baseline, l.theme.Ink) })
	}
}

// joined draws the lines of a series, and the frontier of its parts.
func (l curveChart) joined(i int, x, y axis, p *placer) {
	st, width := l.style(i), float64(lineWidth)
	front := slices.IndexFunc(l.frontier, func(f front) bool { return f.series == i })
	if front >= 0 {
		width = thinLine
	}
	draw := func(points []point, width float64) {
		for k := 1; k < len(points); k++ {
			p.lines = append(p.lines, segment{points[k-1], points[k]})
		}
		if len(points) > 1 {
			l.line(points, width, lineDashes[i/len(l.theme.Series)%len(lineDashes)], st.colour)
		}
	}
	var run []point
	part := ""
	for _, v := range l.series[i].values {
		if v.missing || v.hollow || v.part != part { // excluded values are not joined to others
			draw(run, width)
			run = nil
		}
		if part = v.part; !v.missing && !v.hollow {
			run = append(run, point{x.at(v.x), y.at(v.y)})
		}
	}
	draw(run, width)
	if front >= 0 {
		var corners []point
		for _, v := range l.frontier[front].values {
			corners = append(corners, point{x.at(v.x), y.at(v.y)})
		}
		draw(corners, frontLine)
	}
	for _, v := range l.series[i].values {
		if v.spread && !v.missing && v.high > v.low {
			l.interval(x.at(v.x), y.at(v.low), y.at(v.high), st)
		}
	}
}

// marks draws the points of a series. A point is small where another configuration of the same variant is
// better in both quantities.
func (l curveChart) marks(i int, x, y axis, p *placer) {
	for _, v := range l.series[i].values {
		if v.missing {
			continue
		}
		at, radius := point{x.at(v.x), y.at(v.y)}, float64(lineRadius)
		if v.grey {
			radius *= 0.65
		}
		c := l.card(i, &v, l.words.Words("finding.held", l.sweep, v.label), row{l.words.Words("chart.configuration"), v.part}, l.placeRow(&v), l.valueRow(&v, ""))
		l.pointed(c, at, v.reach(radius), func() { l.markValue(at, radius, l.style(i), v) })
		p.marks = append(p.marks, square(at, radius))
	}
}

// names writes the step beside each point, and the name of the part beside its first point.
func (l curveChart) names(x, y axis, p *placer) {
	type name struct {
		text   string
		series int
		at     point
	}
	face := l.small
	var names []name
	for i, s := range l.series {
		part := ""
		for _, v := range s.values {
			if v.missing || v.label == "" {
				continue
			}
			text, homeless := v.label, 500.0
			if v.part != part {
				text, homeless = v.part+" · "+v.label, 1500
			} else if v.grey {
				homeless = 200
			}
			part = v.part
			at := point{x.at(v.x), y.at(v.y)}
			names = append(names, name{text, i, at})
			p.want(square(at, 1.2*lineRadius), face.Width(text), (font.Ascent+font.Descent)*face.Size, homeless)
		}
	}
	p.place()
	for k, w := range p.wanted {
		chosen := w.chosen
		if chosen == nil {
			continue
		}
		l.beside(names[k].series, names[k].at, func() {
			l.label(names[k].text, face, chosen.box.x0, chosen.box.y0+font.Ascent*face.Size, l.theme.Muted)
		})
	}
}
