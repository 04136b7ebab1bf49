package chart

import (
	"cmp"
	"math"
	"slices"

	"github.com/benchpost/benchpost/generator/chart/font"
	"github.com/benchpost/benchpost/generator/chart/stack"
)

const leastSlope = 80 // least distance of the categories of a narrow chart

// slopeChart is a chart of slopes.
type slopeChart struct{ *layout }

// slope draws the categories beside each other and a line for each series from one to the next, with name and
// value at both ends. It shows how the change of one setting affects each series.
func (l slopeChart) slope() {
	if names := l.gaps(); len(names) > 0 {
		l.notes = append(l.notes, l.words.Words("chart.missing.points", l.words.List(names)))
	}
	dimMost(l.layout, l.change, "chart.steepest")
	values, _ := l.span((*value).getY)
	y := axis{log: l.logarithmic(l.y, values)}
	s := l.reached(y, values)
	last := len(l.categories) - 1
	names := make([]string, len(l.series))
	const aside = 30 + 3*nameMark
	figures, widest := 0.0, 0.0
	for _, series := range l.series {
		figures = max(figures, l.slopeWidth("", series.values[0]), l.slopeWidth("", series.values[last]))
		widest = max(widest, l.small.Width(series.name))
	}
	room := l.width - 2*(margin+aside+figures) - leastSlope
	twice := widest <= min(0.26*l.width, room/2) // otherwise only the right end has names
	// If a line has no right end for its name, all names are in the legend.
	keyed := !twice && slices.ContainsFunc(l.series, func(s series) bool { return s.values[last].missing })
	left, right := figures, 0.0
	for i, series := range l.series {
		if !keyed {
			names[i] = l.small.NameLine(series.name, max(60, min(0.5*l.width, room)))
		}
		if twice {
			left = max(left, l.slopeWidth(names[i], series.values[0]))
		}
		right = max(right, l.slopeWidth(names[i], series.values[last]))
	}
	top := l.header(l.lineKeys(keyed))
	top = l.paragraph(l.small.Paragraph(l.axisTitle(l.y, y.log), l.width-2*margin, 2), l.small, margin, top+8, l.theme.Muted) + 14
	head := 1.3 * l.text.LineHeight()
	line := 1.15 * l.small.Size
	height := max(300, float64(l.theme.Height)-l.footHeight()-top-head-10, line*float64(len(l.series))*1.15)
	plot := box{0, top + head, 0, top + head + height}
	y.start, y.end = plot.y1, plot.y0
	y = y.fit(s, 12, 12)

	plot.x0, plot.x1 = margin+left+aside, l.width-margin-right-aside
	step := 0.0
	if last > 0 {
		step = plot.width() / float64(last)
	}
	column := func(i int) float64 { return plot.x0 + step*float64(i) }
	end := 0.0 // right end of the previous name
	for i, name := range l.categories {
		l.vertical(column(i), plot.y0, plot.y1, 1.5, l.theme.Grid)
		name = l.text.NameLine(name, max(120, 0.9*step))
		width := l.text.Width(name)
		at := min(max(column(i)-width/2, margin), l.width-margin-width)
		if width > 0.9*step { // outside of the lines is room
			switch i {
			case 0:
				at = max(margin, column(i)+lineRadius-width)
			case last:
				at = min(column(i)-lineRadius, l.width-margin-width)
			}
		}
		if i == last && at < end {
			at, name = end, l.text.NameLine(name, l.width-margin-end)
		}
		l.write(name, l.text, at, top+font.Ascent*l.text.Size, l.theme.Ink)
		end = at + width + l.text.Size
	}
	seen := box{plot.x0 - lineRadius*ringReach, plot.y0, plot.x1 + lineRadius*ringReach, plot.y1}
	l.inPlot(seen, func() {
		l.along("y", y, nil, func() {}) // no grid is drawn, because values are at the ends
		order := behind(l.series)
		for _, i := range order {
			l.ofSeries(i, func() { l.slopeLines(i, column, y) })
		}
		for _, i := range order {
			for k, v := range l.series[i].values {
				if v.missing {
					continue
				}
				if v.spread && v.high > v.low {
					l.ofSeries(i, func() { l.interval(column(k), y.at(v.low), y.at(v.high), l.style(i)) })
				}
				at := point{column(k), y.at(v.y)}
				c := l.card(i, &v, l.categories[k], l.valueRow(&v, v.label))
				l.pointed(c, at, v.reach(lineRadius), func() { l.markValue(at, lineRadius, l.style(i), v) })
			}
		}
		l.slopeEnds(names, last, plot, y, false)
		if !twice {
			clear(names)
		}
		l.slopeEnds(names, 0, plot, y, true)
	})
	l.footer(plot.y1 + 10)
}

// change returns the relative change between both ends of a line.
func (l slopeChart) change(i int) float64 {
	values := l.series[i].values
	a, b := values[0], values[len(l.categories)-1]
	if a.missing || b.missing || a.hollow || b.hollow {
		return 0
	}
	return math.Abs(b.y-a.y) / max(math.Abs(a.y), math.Abs(b.y), 1/extreme)
}

// slopeLines joins the values of a series.
func (l slopeChart) slopeLines(series int, column func(int) float64, y axis) {
	values := l.series[series].values
	for k := 1; k < len(values); k++ {
		a, b := values[k-1], values[k]
		if !a.missing && !b.missing && !a.hollow && !b.hollow {
			l.line([]point{{column(k - 1), y.at(a.y)}, {column(k), y.at(b.y)}}, lineWidth, nil, l.style(series).colour)
		}
	}
}

// slopeWidth returns the width of the text at an end.
func (l slopeChart) slopeWidth(name string, v value) float64 {
	switch {
	case v.missing:
		return 0
	case name == "":
		return l.small.Width(v.label)
	}
	return l.small.Width(v.label) + l.small.Width("  "+name)
}

// slopeLabel writes a value next to the line and the name beyond it, as two texts because names may run from
// right to left.
func (l slopeChart) slopeLabel(name string, v value, x, baseline float64, left bool) {
	at := x + l.slopeWidth(name, v) - l.small.Width(v.label)
	if !left {
		at, x = x, x+l.slopeWidth(name, v)-l.small.Width(name)
	}
	l.write(v.label, l.small, at, baseline, l.theme.Ink)
	if name != "" {
		l.write(name, l.small, x, baseline, l.theme.Ink)
	}
}

// slopeEnds writes the labels of one category, moved apart if they would touch.
func (l slopeChart) slopeEnds(names []string, category int, plot box, y axis, left bool) {
	var order []int
	for i := range l.series {
		if !l.series[i].values[category].missing {
			order = append(order, i)
		}
	}
	height := func(i int) float64 { return y.at(l.series[i].values[category].y) }
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(height(i), height(k)) })
	heights := make([]float64, len(order))
	for n, i := range order {
		heights[n] = height(i)
	}
	for n, at := range stack.Places(heights, 1.15*l.small.Size, plot.y0, plot.y1) {
		i := order[n]
		v := l.series[i].values[category]
		width := l.slopeWidth(names[i], v)
		edge, outwards := plot.x1, 1.0
		if left {
			edge, outwards = plot.x0, -1
		}
		x := edge + outwards*(26+3*nameMark)
		if left {
			x -= width
		}
		l.moved(point{edge, heights[n]}, "", func() {
			if math.Abs(at-heights[n]) > 3 {
				l.ofSeries(i, func() {
					l.leader(point{edge + outwards*(lineRadius*reach+2), heights[n]}, point{edge + outwards*22, at})
				})
			}
			draw := func() {
				l.mark(point{edge + outwards*(22+1.5*nameMark), at}, nameMark, l.style(i), false)
				l.slopeLabel(names[i], v, x, at+font.Middle*l.small.Size, left)
			}
			if names[i] == "" {
				l.ofSeries(i, draw)
			} else {
				l.keyed(l.series[i].name, box{x, at - l.small.Size/2, x + width, at + l.small.Size/2}, draw)
			}
		})
	}
}
