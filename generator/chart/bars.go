package chart

import (
	"image/color"

	"github.com/benchpost/benchpost/generator/chart/font"
	"github.com/benchpost/benchpost/generator/report"
)

// barChart is a chart of bars.
type barChart struct{ *layout }

// bars draws upright bars if names and value labels have room below and above them, and horizontal bars
// otherwise. Values that differ too much to be compared by length are drawn as dots on a logarithmic axis.
func (l barChart) bars() {
	if l.farApart() {
		if l.y.scale == report.Auto {
			l.notes = append(l.notes, l.words.Words("chart.apart", logSpan))
		}
		dotChart(l).dots()
		return
	}
	s := l.valueSpan()
	s.add(0)
	top := l.header(l.barKeys())
	if !l.columns(s, top) {
		l.horizontalBars(s, top)
	}
}

// farApart reports whether the values differ too much for bars to be compared by length.
func (l *layout) farApart() bool {
	values, _ := l.span((*value).getY)
	return l.valueScale(l.y, values).log
}

// endMark is the radius of the ringed mark beyond the end of a bar in doubt, and endGap is its distance from
// the bar.
const (
	endMark = 5
	endGap  = 4
)

// barEnd draws the interval of the repeats over the end of a bar and, when a check has doubts, a ringed mark
// beyond it. at returns the middle of the bar at a place on its axis. barEnd returns how far they extend along
// the axis.
func (l barChart) barEnd(v value, a axis, thick float64, at func(float64) point) span {
	end := a.at(v.y)
	reached := span{end, end}
	if v.spread && v.high > v.low {
		low, high := a.at(v.low), a.at(v.high)
		half := min(8, thick/2-2)
		l.whisker(at(low), at(high), half+2, 6, l.theme.Background) // visible on any colour
		l.whisker(at(low), at(high), half, 2, l.theme.Ink)
		reached.add(low)
		reached.add(high)
	}
	if v.ringed() {
		off, edge := endGap+endMark*ringReach, reached.max
		if (a.end < a.start) != (v.y < 0) {
			off, edge = -off, reached.min
		}
		l.moved(at(edge), "", func() { l.markValue(at(edge+off), endMark, style{l.theme.Muted, 0}, v) })
		reached.add(edge + off - endMark*ringReach)
		reached.add(edge + off + endMark*ringReach)
	}
	return reached
}

// endRoom returns how much room the marks at the ends of bars need beyond them.
func (l barChart) endRoom() float64 {
	if l.ringed() {
		return endGap + 2*endMark*ringReach
	}
	return 0
}

// barOf draws the bar of a value with everything that belongs to it. It calls label to write the value label,
// with how far these parts extend along the axis.
func (l barChart) barOf(name string, v value, series int, b box, base point, a axis, thick float64, at func(float64) point, label func(reached span)) {
	l.filled(l.card(series, &v, name, l.valueRow(&v, v.label)), func() {
		l.bar(b, l.style(series).colour, v.hollow)
		reached := l.barEnd(v, a, thick, at)
		l.moved(base, "", func() { l.seriesMark(base, b, series, v.hollow) })
		l.moved(at(a.at(v.y)), "", func() { label(reached) })
	})
}

// seriesMark draws the mark of a series in its bar, if it fits.
func (l barChart) seriesMark(at point, b box, series int, hollow bool) {
	if len(l.series) == 1 || !square(at, reach*barMark+3).within(b) {
		return
	}
	c := l.theme.Background
	if hollow {
		c = l.style(series).colour
	}
	l.shape(at, barMark, l.style(series).shape, c)
}

// columns draws upright bars. If names or value labels would not fit, it draws nothing and returns false.
func (l barChart) columns(s span, top float64) bool {
	const gap = 3 // between the bars of a group
	title := l.small.Paragraph(l.axisTitle(l.y, false), l.width-2*margin, 2)
	titleTop := top + 8
	top = titleTop + float64(len(title))*l.small.LineHeight() + 12
	pad := 1.3*l.small.Size + l.endRoom() // for value labels
	padBelow := 0.0
	if s.min < 0 {
		padBelow = pad
	}
	below := func(lines int) float64 { return 12 + float64(lines)*l.text.LineHeight() }
	upright := func(lines int) (axis, []tick) {
		bottom := max(top+300, float64(l.theme.Height)-l.footHeight()-below(lines))
		a := axis{start: bottom, end: top, whole: l.counts(l.y, (*value).getY)}.fit(s, padBelow, pad)
		return a, a.ticks(func(_, _ string) float64 { return 2.2 * l.small.Size })
	}
	// How many lines the names take depends on the gutter to their left.
	_, one := upright(1)
	_, two := upright(2)
	left, right := margin+max(l.gutter(one), l.gutter(two)), l.width-margin
	group := (right - left) / float64(len(l.categories))
	pitch := min(0.84*group/float64(len(l.series)), 120)

	names, most, fits := l.columnNames(group - 16)
	room := pitch - 4
	if len(l.series) == 1 {
		room = group - 12
	}
	if !fits || l.widestLabel() > room {
		return false
	}

	l.paragraph(title, l.small, margin, titleTop, l.theme.Muted)
	a, ticks := upright(most)
	bottom := a.start
	plot := box{left, top, right, bottom}
	zero := a.at(0)
	l.inPlot(plot, func() {
		l.gridAcross(a, ticks, plot)
		for i, name := range l.categories {
			x := left + (float64(i)+0.5)*group - pitch*float64(len(l.series))/2
			for k, series := range l.series {
				l.column(name, series.values[i], k, x+gap/2.0, x+pitch-gap/2.0, zero, a)
				x += pitch
			}
			centre := left + (float64(i)+0.5)*group
			l.still(func() {
				for n, line := range names[i] {
					l.write(line, l.text, centre-l.text.Width(line)/2, bottom+12+float64(n)*l.text.LineHeight()+font.Ascent*l.text.Size, l.theme.Ink)
				}
			})
		}
		l.horizontal(left, right, zero, 2, l.theme.Line)
	})
	l.footer(bottom + below(most))
	return true
}

// columnNames wraps the names below columns into one or two lines, if they fit.
func (l barChart) columnNames(width float64) (names [][]string, most int, fits bool) {
	most = 1
	for _, name := range l.categories {
		lines, fits := l.text.Wrap(name, width)
		if !fits || len(lines) > 2 {
			return nil, 0, false
		}
		names, most = append(names, lines), max(most, len(lines))
	}
	return names, most, true
}

func (l barChart) column(name string, v value, series int, x0, x1, zero float64, a axis) {
	centre, end := (x0+x1)/2, a.at(v.y)
	write := func(s string, baseline float64, c color.RGBA) {
		l.label(s, l.small, centre-l.small.Width(s)/2, baseline, c)
	}
	if v.missing {
		s := l.words.Words("chart.missing")
		if l.small.Width(s) > x1-x0 {
			s = "—"
		}
		l.beside(series, point{centre, zero}, func() { write(s, zero-10, l.theme.Muted) })
		return
	}
	b := box{x0, min(zero, end), x1, max(zero, end)}
	base := point{centre, zero - 18}
	if v.y < 0 {
		base.y = zero + 18
	}
	l.barOf(name, v, series, b, base, a, x1-x0, func(place float64) point { return point{centre, place} }, func(reached span) {
		baseline := reached.min - 8
		if v.y < 0 {
			baseline = reached.max + 6 + font.Ascent*l.small.Size
		}
		write(v.label, baseline, l.theme.Ink)
	})
}

// horizontalBars draws a row for each category. The canvas grows with the number of rows.
func (l barChart) horizontalBars(s span, top float64) {
	const gap = 3
	n := float64(len(l.series))
	thin := max(1.2*l.small.Size, 20) // keeps the labels of neighbours apart
	r := l.newRows(top, func(stretch float64) float64 {
		return n*thin*min(stretch, 1.5) + 16
	}, 0)

	pad := l.widestLabel() + 16 + l.endRoom()
	padLeft := 0.0
	if s.min < 0 {
		padLeft = pad
	}
	a := axis{start: r.plot.x0, end: r.plot.x1, whole: l.counts(l.y, (*value).getY)}.fit(s, padLeft, pad)
	zero := a.at(0)
	l.inPlot(r.plot, func() {
		l.grid(a, r.plot)
		for i, name := range l.categories {
			row := r.row(i)
			thick := min((row.height()-16)/n, 1.5*thin)
			y := row.centre().y - thick*n/2
			for k, series := range l.series {
				l.horizontalBar(name, series.values[i], k, y+gap/2.0, y+thick-gap/2.0, zero, a)
				y += thick
			}
		}
		l.vertical(zero, r.plot.y0, r.plot.y1, 2, l.theme.Line)
	})
	l.axisBelow(l.y, a, r.plot)
}

func (l barChart) horizontalBar(name string, v value, series int, y0, y1, zero float64, a axis) {
	baseline := (y0+y1)/2 + font.Middle*l.small.Size
	if v.missing {
		l.beside(series, point{zero, (y0 + y1) / 2}, func() {
			l.label(l.words.Words("chart.missing"), l.small, zero+10, baseline, l.theme.Muted)
		})
		return
	}
	end := a.at(v.y)
	b := box{min(zero, end), y0, max(zero, end), y1}
	middle := (y0 + y1) / 2
	base := point{zero + 18, middle}
	if v.y < 0 {
		base.x = zero - 18
	}
	l.barOf(name, v, series, b, base, a, y1-y0, func(place float64) point { return point{place, middle} }, func(reached span) {
		left := reached.max + 8
		if v.y < 0 {
			left = reached.min - 8 - l.small.Width(v.label)
		}
		l.label(v.label, l.small, left, baseline, l.theme.Ink)
	})
}
