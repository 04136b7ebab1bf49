package chart

import (
	"cmp"
	"github.com/benchpost/benchpost/generator/chart/font"
	"slices"
)

const dotRadius = 9

// dotChart is a chart of dots in rows.
type dotChart struct{ *layout }

// dots draws a row for each category with a mark for each series, joined by a guide. Values are written beside
// the outermost marks of a row, and above the marks in between where there is room. On a narrow canvas all
// values are above the marks, because labels at both sides would leave the marks too little room.
func (l dotChart) dots() {
	values, _ := l.span((*value).getY)
	a := l.valueScale(l.y, values)
	a.whole = l.counts(l.y, (*value).getY)
	s := l.reached(a, values)
	if !a.log && s.min > 0 && (s.min < s.max/2 || s.min == s.max) {
		s.add(0)
	}
	base, lead := 2.0, 0.0
	above := l.labelledAbove()
	if len(l.series) > 2 || above {
		base, lead = 2.7, 10 // room for a line of labels above the marks
	}
	missing := l.words.Words("chart.missing")
	aside := 0.0
	if most := l.mostMissing(); most > 0 {
		aside = 12 + l.small.Width(missing)
		if len(l.series) > 1 {
			aside += absentStep * float64(most)
		}
	}
	r := l.newRows(l.header(l.markKeys(dotRadius))+lead, func(stretch float64) float64 {
		return base * l.small.Size * stretch
	}, aside)

	a = l.dotAxis(a, s, r.plot, above)
	l.inPlot(r.plot, func() {
		l.grid(a, r.plot)
		if (!a.log || a.zero > 0) && s.min <= 0 && s.max >= 0 {
			l.vertical(a.at(0), r.plot.y0, r.plot.y1, 2, l.theme.Line)
		}
		for i := range l.categories {
			row := r.row(i)
			l.horizontal(row.x0, row.x1, row.centre().y, 1, l.theme.Grid)
		}
		for i := range l.categories {
			l.dotRow(i, r.row(i), a, above)
			l.still(func() { l.absent(i, r.row(i).centre().y, l.width-margin-l.small.Width(missing)) })
		}
	})
	l.axisBelow(l.y, a, r.plot)
}

// dotAxis leaves room for labels at both sides, but starts at zero if no label needs room to the left of it.
func (l dotChart) dotAxis(a axis, s span, plot box, above bool) axis {
	a.start, a.end = plot.x0, plot.x1
	pad := l.dotPad()
	labels := pad + l.widestLabel()
	if above {
		labels = pad
		if !a.log && s.min == 0 {
			return a.fit(s, 0, pad)
		}
	}
	single := l.mostSeries() == 1
	if !a.log && s.min == 0 {
		a := a.fit(s, 0, labels)
		if single || l.common == nil && !l.some(func(v *value) bool {
			return !v.missing && a.at(v.y)-pad-l.small.Width(v.label) < plot.x0
		}) {
			return a
		}
	}
	if single {
		return a.fit(s, pad, labels)
	}
	return a.fit(s, labels, labels)
}

// dotPad returns the room that a mark itself needs at an end of its row.
func (l dotChart) dotPad() float64 {
	if l.ringed() {
		return dotRadius*ringReach + 10
	}
	return dotRadius*reach + 10
}

// labelledAbove reports whether labels at both sides of the marks would take more than a third of the canvas
// width that the names leave.
func (l dotChart) labelledAbove() bool {
	_, names := l.rowNames()
	return l.mostSeries() > 1 && 2*(l.dotPad()+l.widestLabel()) > (l.width-2*margin-names)/3
}

// dot is a mark in a row.
type dot struct {
	series int
	at     point
	value  value
}

func (l dotChart) dotRow(i int, row box, a axis, above bool) {
	var ds []dot
	for k, series := range l.series {
		if v := series.values[i]; !v.missing {
			ds = append(ds, dot{k, point{a.at(v.y), row.centre().y}, v})
		}
	}
	if len(ds) == 0 {
		return
	}
	slices.SortStableFunc(ds, func(a, b dot) int { return cmp.Compare(a.at.x, b.at.x) })
	last := len(ds) - 1
	l.horizontal(ds[0].at.x, ds[last].at.x, row.centre().y, 3, l.theme.Line)
	reached := span{ds[0].at.x, ds[last].at.x}
	for _, d := range ds {
		if v := d.value; v.spread && v.high > v.low {
			low, high := a.at(v.low), a.at(v.high)
			l.ofSeries(d.series, func() { l.whisker(point{low, d.at.y}, point{high, d.at.y}, 7, 3, l.style(d.series).colour) })
			reached.add(low)
			reached.add(high)
		}
	}
	var marks []box
	for _, d := range ds {
		c := l.card(d.series, &d.value, l.categories[i], l.valueRow(&d.value, d.value.label))
		l.pointed(c, d.at, d.value.reach(dotRadius), func() { l.markValue(d.at, dotRadius, l.style(d.series), d.value) })
		r := d.value.reach(dotRadius)
		marks = append(marks, square(d.at, r))
		reached.add(d.at.x - r)
		reached.add(d.at.x + r)
	}
	if above {
		l.endsAbove(ds[0], ds[last], row)
	} else {
		baseline := row.centre().y + font.Middle*l.small.Size
		l.dotLabel(ds[last], reached.max+7, baseline)
		if last > 0 {
			l.dotLabel(ds[0], reached.min-7-l.small.Width(ds[0].value.label), baseline)
		}
	}
	for _, d := range ds[1:max(1, last)] {
		left, baseline := d.at.x-l.small.Width(d.value.label)/2, d.above()
		b := boxOf(l.small, d.value.label, left, baseline)
		if l.free(box{b.x0 - 8, b.y0, b.x1 + 8, b.y1}) && !slices.ContainsFunc(marks, b.overlaps) {
			l.dotLabel(d, left, baseline)
		}
	}
}

// dotLabel writes the value of a mark.
func (l dotChart) dotLabel(d dot, left, baseline float64) {
	l.beside(d.series, d.at, func() { l.label(d.value.label, l.small, left, baseline, l.theme.Ink) })
}

// above returns the baseline of a label above a mark.
func (d dot) above() float64 { return d.at.y - d.value.reach(dotRadius) - 7 }

// endsAbove writes the values of the outermost marks above them, moved apart if they would touch, and within
// the row.
func (l dotChart) endsAbove(first, last dot, row box) {
	a, b := l.small.Width(first.value.label), l.small.Width(last.value.label)
	left, right := first.at.x-a/2, last.at.x-b/2
	if first == last {
		l.dotLabel(last, max(row.x0, min(right, row.x1-b)), last.above())
		return
	}
	gap := l.small.Size / 2
	if short := left + a + gap - right; short > 0 {
		left, right = left-short/2, right+short/2
	}
	left = max(left, row.x0)
	right = min(max(right, left+a+gap), row.x1-b)
	left = min(left, right-gap-a)
	l.dotLabel(first, left, first.above())
	l.dotLabel(last, right, last.above())
}

// absentStep is the width of one mark beside "no data".
const absentStep = 2.4 * dotRadius * reach

// absent writes "no data" at the right of a row that lacks values, with the marks of the series that lack them.
func (l dotChart) absent(i int, y, words float64) {
	var missing []int
	for k, series := range l.series {
		if series.values[i].missing {
			missing = append(missing, k)
		}
	}
	if len(missing) == 0 {
		return
	}
	l.write(l.words.Words("chart.missing"), l.small, words, y+font.Middle*l.small.Size, l.theme.Muted)
	if len(l.series) == 1 {
		return
	}
	for n, k := range missing {
		x := words - 10 - absentStep*(float64(len(missing)-n)-0.5)
		l.mark(point{x, y}, 0.8*dotRadius, l.style(k), false)
	}
}
