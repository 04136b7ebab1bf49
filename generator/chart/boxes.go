package chart

import "github.com/benchpost/benchpost/generator/chart/font"

// boxChart is a chart of boxes in rows.
type boxChart struct{ *layout }

// boxes draws a row for each category with a box for each series. A box extends from the 25th to the 75th
// percentile, with the median as a line in it and whiskers to the 5th and the 95th percentile.
func (l boxChart) boxes() {
	s := l.boxSpan()
	a := axis{log: l.logarithmic(l.y, s)}
	if !a.log && s.min > 0 && s.min < s.max/2 {
		s.add(0)
	}
	l.notes = append(l.notes, l.words.Words("chart.boxes"))
	each := 1.5 * l.small.Size
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
						l.label(l.words.Words("chart.missing"), l.small, r.plot.x0+8, centre+font.Middle*l.small.Size, l.theme.Muted)
					})
				} else {
					l.around(l.boxCard(k, v, l.categories[i]), boxExtent(v, a, centre, min(step*0.62, 30)), func() {
						l.boxAt(v, a, centre, min(step*0.62, 30), l.style(k))
					})
				}
			}
		}
	})
	l.axisBelow(l.y, a, r.plot)
}

// boxCard describes the quantiles of a box.
func (l boxChart) boxCard(series int, v value, title string) card {
	say := l.words.Words
	return l.card(series, &v, title,
		row{say("chart.median"), l.y.write(v.five[2], "")},
		row{say("chart.half"), l.extent(v.five[1], v.five[3], l.y)},
		row{say("chart.most"), l.extent(v.five[0], v.five[4], l.y)})
}

// leastBox is the width of a box whose values are all equal.
const leastBox = 4

// boxExtent returns the area of a box with its whiskers.
func boxExtent(v value, a axis, centre, height float64) box {
	return box{a.at(v.five[0]), centre - height/2, a.at(v.five[4]), centre + height/2}
}

func (l boxChart) boxAt(v value, a axis, centre, height float64, st style) {
	at := func(i int) float64 { return a.at(v.five[i]) }
	l.horizontal(at(0), at(4), centre, 2, st.colour)
	for _, i := range []int{0, 4} {
		l.vertical(at(i), centre-height/3, centre+height/3, 2, st.colour)
	}
	body := box{at(1), centre - height/2, max(at(3), at(1)+leastBox), centre + height/2}
	l.rect(body, st.colour)
	median := l.theme.Background
	if inside := body.grow(-2); v.hollow && inside.width() > 0 {
		l.rect(inside, l.theme.Background)
		median = st.colour
	}
	if body.width() > 2*leastBox { // in a narrower box, only the line would be visible
		l.vertical(at(2), body.y0, body.y1, 3, median)
	}
	if len(l.series) > 1 {
		l.moved(point{at(2), centre}, "", func() { l.mark(point{at(2), centre}, boxMark, st, v.hollow) })
	}
}
