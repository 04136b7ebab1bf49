package chart

import "image/color"

const pointRadius = 9.5

// scatter draws points on two value axes, each named beside its mark. The
// canvas grows when the names need it.
func (l *layout) scatter() {
	if names := l.unplaced(); len(names) > 0 {
		l.notes = append(l.notes, l.words.Words("chart.missing.points", l.words.List(names)))
	}
	sx, _ := l.span(value.getX)
	sy, _ := l.span(value.getY)
	logX, logY := l.logarithmic(l.x, sx), l.logarithmic(l.y, sy)
	top := l.header(l.markKeys(pointRadius))
	top = l.paragraph(paragraph(l.axisTitle(l.y, logY), l.small, l.width-2*margin, 2), l.small, margin, top+8, l.theme.Muted) + 14

	height := max(320, float64(l.theme.Height)-l.footHeight()-l.axisHeight()-top)
	most := height + float64(l.theme.Height)
	f := l.newField(sx, sy, logX, logY, top, height)
	for f.left() > 0 && height*1.25 <= most {
		height *= 1.25
		f = l.newField(sx, sy, logX, logY, top, height)
	}
	f.draw()
	l.axisBelow(l.x, f.x, f.plot)
}

// unplaced names the points without a value.
func (l *layout) unplaced() []string {
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

// field is a scatter's plot of one height.
type field struct {
	*layout
	plot   box
	x, y   axis
	yTicks []tick
	points []spot // the dominated first, so that what matters lies on top
	names  face
	placer placer // wants a place for every point with a name, in their order
}

// spot is a point in its place.
type spot struct {
	value
	at    point
	style style
	ink   color.RGBA
	name  string
}

func (l *layout) newField(sx, sy span, logX, logY bool, top, height float64) *field {
	f := &field{layout: l, names: l.text}
	f.y = valueAxis(logY, sy, top+height, top)
	f.yTicks = f.y.ticks(func(_, _ string) float64 { return 2 * l.small.size })
	f.plot = box{margin + l.gutter(f.yTicks), top, l.width - margin - inset, top + height}
	f.x = valueAxis(logX, sx, f.plot.x0, f.plot.x1)
	for _, grey := range []bool{true, false} {
		for k, s := range l.series {
			for _, v := range s.values {
				if v.missing || v.grey != grey {
					continue
				}
				p := spot{value: v, at: f.place(v), style: l.style(k), ink: l.theme.Ink}
				if grey {
					p.style.colour, p.ink = l.theme.Dominated, l.theme.Muted
				}
				f.points = append(f.points, p)
			}
		}
	}
	if len(f.points) > 12 {
		f.names = l.small
	}
	f.placer = placer{plot: f.plot.grow(-3), lines: f.frontierLine()}
	for i := range f.points {
		p := &f.points[i]
		mark := square(p.at, 1.2*pointRadius)
		f.placer.marks = append(f.placer.marks, mark)
		if p.label != "" {
			p.name = nameLines(p.label, f.names, 0.4*f.plot.width(), 1)[0]
			f.placer.want(mark, f.names.width(p.name), (ascent+descent)*f.names.size, p.grey)
		}
	}
	f.placer.place()
	return f
}

// valueAxis keeps marks off the edges. Zero is shown where it is near.
func valueAxis(log bool, s span, start, end float64) axis {
	const pad = 3.5 * pointRadius
	if !log && s.min > 0 && s.min < 0.35*s.max {
		s.add(0)
	}
	if !log && s.min == 0 {
		return newAxis(log, s, start, end, 0, pad)
	}
	return newAxis(log, s, start, end, pad, pad)
}

func (f *field) place(v value) point { return point{f.x.at(v.x), f.y.at(v.y)} }

func (f *field) frontierLine() []segment {
	var line []segment
	for i := 1; i < len(f.frontier); i++ {
		values := f.series[0].values
		line = append(line, segment{f.place(values[f.frontier[i-1]]), f.place(values[f.frontier[i]])})
	}
	return line
}

// left counts the names without a place.
func (f *field) left() int {
	n := 0
	for _, w := range f.placer.wanted {
		if w.chosen == nil {
			n++
		}
	}
	return n
}

func (f *field) draw() {
	l := f.layout
	l.grid(f.x, f.plot)
	l.gridAcross(f.yTicks, f.plot)
	l.horizontal(f.plot.x0, f.plot.x1, f.plot.y1, 2, l.theme.Line)
	if line := f.placer.lines; len(line) > 0 {
		corners := []point{line[0].a}
		for _, s := range line {
			corners = append(corners, s.b)
		}
		l.line(corners, 2.5, dashes, l.style(0).colour)
	}
	for _, p := range f.points {
		l.mark(p.at, pointRadius, p.style, p.hollow)
	}
	for _, w := range f.placer.wanted {
		if w.chosen != nil && w.chosen.leader != nil {
			l.line([]point{w.chosen.leader.a, w.chosen.leader.b}, 1.5, nil, l.theme.Line)
		}
	}
	next := 0
	for _, p := range f.points {
		if p.name == "" {
			continue
		}
		if chosen := f.placer.wanted[next].chosen; chosen != nil {
			l.label(p.name, f.names, chosen.box.x0, chosen.box.y0+ascent*f.names.size, p.ink)
		} else {
			l.crowded = append(l.crowded, p.name)
		}
		next++
	}
}
