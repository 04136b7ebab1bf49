package chart

import (
	"math"
)

// binChart is a histogram.
type binChart struct{ *layout }

// histogram draws bars over a value axis. Each value has the edges of its bar and its share of the total.
// Several series are drawn one above another.
func (l binChart) histogram() {
	sx := l.binSpan()
	sy, _ := l.span((*value).getY)
	top := l.header(nil)
	top = l.paragraph(l.small.Paragraph(l.axisTitle(l.y, false), l.width-2*margin, 2), l.small, margin, top+8, l.theme.Muted) + 14
	if len(l.bands) > 0 {
		top += 1.2 * l.small.LineHeight() // for the names of guides
	}
	room := max(260, float64(l.theme.Height)-l.footHeight()-l.axisHeight()-top)
	lead := 0.0
	if len(l.series) > 1 {
		lead = 1.3 * l.text.Size
	}
	each := max(120, room/float64(len(l.series)))
	y := newAxis(false, span{0, max(0, sy.max)}, each-lead-6, 0, 0, 8)
	ticks := y.ticks(func(_, _ string) float64 { return 2 * l.small.Size })
	plot := box{margin + l.gutter(ticks), top, l.width - margin - inset, top + each*float64(len(l.series))}
	x := newAxis(l.logarithmic(l.x, sx), sx, plot.x0, plot.x1, 4, 4)
	l.inPlot(plot, func() {
		l.grid(x, plot)
		l.drawBins(x, y, ticks, plot, each, lead)
		l.guides(x, plot)
	})
	l.axisBelow(l.x, x, plot)
}

// drawBins draws the bars of the series, one series above another.
func (l binChart) drawBins(x, y axis, ticks []tick, plot box, each, lead float64) {
	for i, series := range l.series {
		part := box{plot.x0, plot.y0 + each*float64(i) + lead, plot.x1, plot.y0 + each*float64(i+1) - 6}
		if lead > 0 {
			name := l.text.NameLine(series.name, plot.width())
			l.still(func() {
				l.keyed(series.name, box{part.x0, part.y0 - 6 - l.text.Size, part.x0 + 4 + l.text.Width(name), part.y0}, func() {
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
			l.filled(l.card(i, &v, series.name, bin, row{l.y.title, l.y.write(v.y, "")}), func() {
				l.rect(b, l.style(i).colour)
				if v.hollow {
					l.rect(b.grow(-2), l.theme.Background)
				}
			})
		}
		l.horizontal(part.x0, part.x1, part.y1, 2, l.theme.Line)
	}
}

// guides draws a line at each percentile, and its name above the plot if there is room.
func (l binChart) guides(x axis, plot box) {
	end := math.Inf(-1)
	for _, b := range l.bands {
		at := x.at(b.from)
		if at < plot.x0 || at > plot.x1 {
			continue
		}
		l.line([]point{{at, plot.y0}, {at, plot.y1}}, 2, dashes, l.theme.Ink)
		width := l.small.Width(b.text)
		left := min(max(at-width/2, margin), l.width-margin-width)
		if left >= end+l.small.Size/2 {
			l.moved(point{at, plot.y0}, "x", func() { l.write(b.text, l.small, left, plot.y0-0.35*l.small.LineHeight(), l.theme.Ink) })
			end = left + width
		}
	}
}
