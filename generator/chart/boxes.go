package chart

import (
	"math"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/report"
)

// boxes draws a row for each category with a box for each series: from the 25th
// to the 75th percentile, the median as a line in it, whiskers to the 5th and the
// 95th.
func (l *layout) boxes() {
	s := l.boxSpan()
	a := axis{log: l.logarithmic(l.y, s)}
	if !a.log && s.min > 0 && s.min < s.max/2 {
		s.add(0)
	}
	l.notes = append(l.notes, l.words.Words("chart.boxes"))
	each := 1.5 * l.small.size
	r := l.newRows(l.header(l.boxKeys()), func(stretch float64) float64 {
		return (each*float64(len(l.series)) + 20) * stretch
	}, 0)
	a.start, a.end = r.plot.x0, r.plot.x1
	if !a.log && s.min == 0 {
		a = a.fit(s, 0, 20)
	} else {
		a = a.fit(s, 20, 20)
	}
	l.inPlot(r.plot, func() {
		l.grid(a, r.plot)
		for i := range l.categories {
			row := r.row(i)
			if i > 0 {
				l.horizontal(row.x0, row.x1, row.y0, 1, l.theme.Grid)
			}
			step := min((row.height()-16)/float64(len(l.series)), 2.2*each)
			first := row.centre().y - step*float64(len(l.series)-1)/2
			for k, series := range l.series {
				centre := first + step*float64(k)
				if v := series.values[i]; v.missing {
					l.still(func() {
						l.label(l.words.Words("chart.missing"), l.small, r.plot.x0+8, centre+middle*l.small.size, l.theme.Muted)
					})
				} else {
					l.filled(l.boxCard(k, v, l.categories[i]), boxExtent(v, a, centre, min(step*0.62, 30)), func() {
						l.boxAt(v, a, centre, min(step*0.62, 30), l.style(k))
					})
				}
			}
		}
	})
	l.axisBelow(l.y, a, r.plot)
}

// boxCard tells of the quantiles of a box.
func (l *layout) boxCard(series int, v value, title string) card {
	say := l.words.Words
	return l.card(series, v, title,
		row{say("chart.median"), l.y.write(v.five[2], "")},
		row{say("chart.half"), l.extent(v.five[1], v.five[3], l.y)},
		row{say("chart.most"), l.extent(v.five[0], v.five[4], l.y)})
}

// boxExtent is all that a box with its whiskers takes.
func boxExtent(v value, a axis, centre, height float64) box {
	return box{a.at(v.five[0]), centre - height/2, a.at(v.five[4]), centre + height/2}
}

func (l *layout) boxSpan() span {
	s := span{math.Inf(1), math.Inf(-1)}
	for _, series := range l.series {
		for _, v := range series.values {
			if !v.missing {
				for _, quantile := range v.five {
					s.add(quantile)
				}
			}
		}
	}
	if l.common != nil {
		s.add(l.common.y.min)
		s.add(l.common.y.max)
	}
	return s
}

func (l *layout) boxAt(v value, a axis, centre, height float64, st style) {
	at := func(i int) float64 { return a.at(v.five[i]) }
	l.horizontal(at(0), at(4), centre, 2, st.colour)
	for _, i := range []int{0, 4} {
		l.vertical(at(i), centre-height/3, centre+height/3, 2, st.colour)
	}
	body := box{at(1), centre - height/2, max(at(3), at(1)+2), centre + height/2}
	l.rect(body, st.colour)
	median := l.theme.Background
	if inside := body.grow(-2); v.hollow && inside.width() > 0 {
		l.rect(inside, l.theme.Background)
		median = st.colour
	}
	l.vertical(at(2), body.y0, body.y1, 3, median)
	if len(l.series) > 1 {
		l.moved(point{at(2), centre}, "", func() { l.mark(point{at(2), centre}, boxMark, st, v.hollow) })
	}
}

// boxMark is the radius of the mark on a median that tells the series to those
// who do not see its colour.
const boxMark = 5

// boxKeys are the series, and what an empty box means where one occurs.
func (l *layout) boxKeys() []key {
	var keys []key
	sign := func(at point, st style, hollow bool) {
		b := box{at.x - 14, at.y - 10, at.x + 14, at.y + 10}
		l.rect(b, st.colour)
		if hollow {
			l.rect(b.grow(-2), l.theme.Background)
		}
	}
	if len(l.series) > 1 {
		for i, s := range l.series {
			keys = append(keys, key{s.name, true, func(at point) {
				sign(at, l.style(i), false)
				l.mark(at, boxMark, l.style(i), false)
			}})
		}
	}
	if l.some(value.excluded) {
		keys = append(keys, key{l.words.Words("chart.quarantined"), false, func(at point) { sign(at, style{l.theme.Muted, 0}, true) }})
	}
	return keys
}

// histogram draws bars over a value axis: each value has the edges of its bar and
// the share of all it stands for. Several series lie above each other.
func (l *layout) histogram() {
	sx := l.binSpan()
	sy, _ := l.span(value.getY)
	top := l.header(nil)
	top = l.paragraph(paragraph(l.axisTitle(l.y, false), l.small, l.width-2*margin, 2), l.small, margin, top+8, l.theme.Muted) + 14
	if len(l.bands) > 0 {
		top += 1.2 * l.small.lineHeight() // for the names of guides
	}
	room := max(260, float64(l.theme.Height)-l.footHeight()-l.axisHeight()-top)
	lead := 0.0
	if len(l.series) > 1 {
		lead = 1.3 * l.text.size
	}
	each := max(120, room/float64(len(l.series)))
	y := newAxis(false, span{0, max(0, sy.max)}, each-lead-6, 0, 0, 8)
	ticks := y.ticks(func(_, _ string) float64 { return 2 * l.small.size })
	plot := box{margin + l.gutter(ticks), top, l.width - margin - inset, top + each*float64(len(l.series))}
	x := newAxis(l.logarithmic(l.x, sx), sx, plot.x0, plot.x1, 4, 4)
	l.inPlot(plot, func() {
		l.grid(x, plot)
		l.drawBins(x, y, ticks, plot, each, lead)
		l.guides(x, plot)
	})
	l.axisBelow(l.x, x, plot)
}

// drawBins draws the bars of each series above each other.
func (l *layout) drawBins(x, y axis, ticks []tick, plot box, each, lead float64) {
	for i, series := range l.series {
		part := box{plot.x0, plot.y0 + each*float64(i) + lead, plot.x1, plot.y0 + each*float64(i+1) - 6}
		if lead > 0 {
			name := nameLine(series.name, l.text, plot.width())
			l.still(func() {
				l.keyed(series.name, box{part.x0, part.y0 - 6 - l.text.size, part.x0 + 4 + l.text.width(name), part.y0}, func() {
					l.label(name, l.text, part.x0+4, part.y0-6, l.style(i).colour)
				})
			})
		}
		var moved []tick
		for _, t := range ticks {
			moved = append(moved, tick{t.at + part.y0, t.label})
		}
		l.still(func() { l.gridRows(moved, part) })
		for _, v := range series.values {
			if v.missing || v.y <= 0 {
				continue
			}
			b := box{x.at(v.low) + 0.5, part.y0 + y.at(v.y), x.at(v.high) - 0.5, part.y1}
			bin := row{l.x.title, l.extent(v.low, v.high, l.x)}
			l.filled(l.card(i, v, series.name, bin, row{l.y.title, l.y.write(v.y, "")}), b, func() {
				l.rect(b, l.style(i).colour)
				if v.hollow {
					l.rect(b.grow(-2), l.theme.Background)
				}
			})
		}
		l.horizontal(part.x0, part.x1, part.y1, 2, l.theme.Line)
	}
}

// binSpan is from the first edge of a bar to the last.
func (l *layout) binSpan() span {
	s := span{math.Inf(1), math.Inf(-1)}
	for _, series := range l.series {
		for _, v := range series.values {
			if !v.missing {
				s.add(v.low)
				s.add(v.high)
			}
		}
	}
	if l.common != nil {
		s.add(l.common.x.min)
		s.add(l.common.x.max)
	}
	return s
}

// guides draws a line where a percentile lies, with its name above the plot as
// long as there is room.
func (l *layout) guides(x axis, plot box) {
	end := math.Inf(-1)
	for _, b := range l.bands {
		at := x.at(b.from)
		if at < plot.x0 || at > plot.x1 {
			continue
		}
		l.line([]point{{at, plot.y0}, {at, plot.y1}}, 2, dashes, l.theme.Ink)
		width := l.small.width(b.text)
		left := min(max(at-width/2, margin), l.width-margin-width)
		if left >= end+l.small.size/2 {
			l.moved(point{at, plot.y0}, "x", func() { l.write(b.text, l.small, left, plot.y0-0.35*l.small.lineHeight(), l.theme.Ink) })
			end = left + width
		}
	}
}

// shades is how many colours cells have, from the background towards the first
// colour of the series.
const shades = 9

// heatMap draws a cell for each category and series, the darker the greater, with
// the value written in it.
func (l *layout) heatMap() {
	s, _ := l.span(value.getY)
	scale := axis{log: l.y.scale == report.Log && s.min > 0 || l.y.scale == report.Auto && s.wide(), start: 0, end: 1}.fit(s, 0, 0)
	top := l.header(l.doubtKeysOfCells())
	top = l.paragraph(paragraph(l.axisTitle(l.y, scale.log), l.small, l.width-2*margin, 2), l.small, margin, top+8, l.theme.Muted) + 14
	names, widest := l.rowNames()
	plot := box{margin + widest + 16, top, l.width - margin, 0}
	width := plot.width() / float64(len(l.series))
	above := width < l.widestLabel()+10 // no room beside the names: they stand above their rows
	if above {
		plot.x0 = margin
		width = plot.width() / float64(len(l.series))
	}
	heads := 1
	var titles [][]string
	for _, series := range l.series {
		lines := nameLines(series.name, l.small, width-8, 2)
		titles = append(titles, lines)
		heads = max(heads, len(lines))
	}
	for k, lines := range titles {
		for n, line := range lines {
			baseline := top + float64(heads-len(lines)+n)*1.15*l.small.size + ascent*l.small.size
			l.write(line, l.small, plot.x0+width*(float64(k)+0.5)-l.small.width(line)/2, baseline, l.theme.Muted)
		}
	}
	y := top + float64(heads)*1.15*l.small.size + 10
	height := max(1.9*l.small.size, min(64, (float64(l.theme.Height)-l.footHeight()-y)/float64(len(l.categories))))
	for i, lines := range names {
		if above {
			name := l.shorten(l.categories[i], l.text, plot.width(), 2)
			y = l.paragraph(name, l.text, margin, y+4, l.theme.Ink) + 2
			lines = nil
		}
		rowHeight := max(height, float64(len(lines))*1.15*l.text.size+8)
		baseline := y + rowHeight/2 - 1.15*l.text.size*float64(len(lines)-1)/2 + middle*l.text.size
		for _, line := range lines {
			l.write(line, l.text, plot.x0-16-l.text.width(line), baseline, l.theme.Ink)
			baseline += 1.15 * l.text.size
		}
		for k, series := range l.series {
			cell := box{plot.x0 + width*float64(k), y, plot.x0 + width*float64(k+1), y + rowHeight}.grow(-1.5)
			v := series.values[i]
			if v.missing {
				l.cell(v, cell, scale)
				continue
			}
			l.filled(l.card(k, v, l.cellTitle(i, k), l.valueRow(v, v.label)), cell, func() { l.cell(v, cell, scale) })
		}
		y += rowHeight
	}
	l.footer(y + 6)
}

// cellTitle names a cell by its row and its column.
func (l *layout) cellTitle(category, series int) string {
	return strings.Join(slices.DeleteFunc([]string{l.categories[category], l.series[series].name}, func(s string) bool { return s == "" }), " · ")
}

func (l *layout) cell(v value, b box, scale axis) {
	text, ink := v.label, l.theme.Ink
	switch {
	case v.missing:
		l.rect(b, l.theme.Grid)
		l.rect(b.grow(-1), l.theme.Background)
		text, ink = "–", l.theme.Muted
	case v.hollow:
		l.rect(b, l.theme.Muted)
		l.rect(b.grow(-3), l.theme.Background)
	default:
		level := int(math.Round((0.08 + 0.92*scale.at(v.y)) * shades))
		colour := l.theme.shade(level, shades)
		l.rect(b, colour)
		if contrast(l.theme.Background, colour) > contrast(ink, colour) {
			ink = l.theme.Background
		}
	}
	if l.small.width(text) > b.width()-6 {
		l.crowded = append(l.crowded, text)
		return
	}
	l.write(text, l.small, b.centre().x-l.small.width(text)/2, b.centre().y+middle*l.small.size, ink)
}

func (l *layout) doubtKeysOfCells() []key {
	if !l.some(value.excluded) {
		return nil
	}
	return []key{{l.words.Words("chart.quarantined"), false, func(at point) {
		b := box{at.x - 16, at.y - 11, at.x + 16, at.y + 11}
		l.rect(b, l.theme.Muted)
		l.rect(b.grow(-3), l.theme.Background)
	}}}
}
