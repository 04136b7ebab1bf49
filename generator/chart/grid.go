package chart

// inset keeps half a tick label's room right of a plot, besides the margin.
const inset = 12

// needBeside is the room of tick labels beside each other.
func (l *layout) needBeside(a, b string) float64 {
	return max((l.small.width(a)+l.small.width(b))/2+l.small.size, min(100, l.width/10))
}

// grid draws the vertical lines of an axis below the plot, with its labels.
func (l *layout) grid(a axis, plot box) {
	l.along("x", a, nil, func() { l.gridLines(a, plot) })
}

func (l *layout) gridLines(a axis, plot box) {
	for _, t := range a.ticks(l.needBeside) {
		if t.label == "" {
			l.vertical(t.at, plot.y0, plot.y1, 1, l.theme.MinorGrid)
			continue
		}
		l.vertical(t.at, plot.y0, plot.y1, 1.5, l.theme.Grid)
		l.write(t.label, l.small, t.at-l.small.width(t.label)/2, plot.y1+10+ascent*l.small.size, l.theme.Muted)
	}
}

// gutter is the room tick labels take left of a plot.
func (l *layout) gutter(ticks []tick) float64 {
	widest := 0.0
	for _, t := range ticks {
		widest = max(widest, l.small.width(t.label)+14)
	}
	return widest
}

// gridAcross draws the horizontal lines of an axis left of the plot, with its
// labels.
func (l *layout) gridAcross(a axis, ticks []tick, plot box) {
	l.along("y", a, nil, func() { l.gridRows(ticks, plot) })
}

func (l *layout) gridRows(ticks []tick, plot box) {
	for _, t := range ticks {
		if t.label == "" {
			l.horizontal(plot.x0, plot.x1, t.at, 1, l.theme.MinorGrid)
			continue
		}
		l.horizontal(plot.x0, plot.x1, t.at, 1.5, l.theme.Grid)
		l.write(t.label, l.small, plot.x0-14-l.small.width(t.label), t.at+middle*l.small.size, l.theme.Muted)
	}
}

// axisHeight is the room of tick labels and title below a plot.
func (l *layout) axisHeight() float64 { return 10 + 2*l.small.lineHeight() + 6 }

// axisBelow writes the title of the axis below a plot and ends the canvas.
func (l *layout) axisBelow(q quantity, a axis, plot box) {
	l.footer(l.axisName(q, a, plot))
}

// axisName writes the title of the axis below a plot and gives the place below.
func (l *layout) axisName(q quantity, a axis, plot box) float64 {
	title := nameLines(l.axisTitle(q, a.log), l.small, l.width-2*margin, 1)
	for _, line := range title {
		width := l.small.width(line)
		left := min(max(plot.centre().x-width/2, margin), l.width-margin-width)
		l.write(line, l.small, left, plot.y1+10+l.small.lineHeight()+6+ascent*l.small.size, l.theme.Muted)
	}
	return plot.y1 + l.axisHeight()
}
