package chart

import (
	"cmp"
	"slices"
)

const dotRadius = 9

// dots draws a row for each category with a mark for each series, joined by a
// guide. Values are written beside the outermost marks of a row, and above
// those between where there is room.
func (l *layout) dots() {
	values, _ := l.span(value.getY)
	a := l.valueScale(l.y, values)
	a.whole = l.counts(l.y, value.getY)
	s := l.reached(a, values)
	if !a.log && s.min > 0 && (s.min < s.max/2 || s.min == s.max) {
		s.add(0)
	}
	base, lead := 2.0, 0.0
	if len(l.series) > 2 {
		base, lead = 2.7, 10 // a line of labels above the marks
	}
	missing := l.words.Words("chart.missing")
	aside := 0.0
	if most := l.mostMissing(); most > 0 {
		aside = 12 + l.small.width(missing)
		if len(l.series) > 1 {
			aside += absentStep * float64(most)
		}
	}
	r := l.newRows(l.header(l.markKeys(dotRadius))+lead, func(stretch float64) float64 {
		return base * l.small.size * stretch
	}, aside)

	a = l.dotAxis(a, s, r.plot)
	l.grid(a, r.plot)
	if (!a.log || a.zero > 0) && s.min <= 0 && s.max >= 0 {
		l.vertical(a.at(0), r.plot.y0, r.plot.y1, 2, l.theme.Line)
	}
	for i := range l.categories {
		row := r.row(i)
		l.horizontal(row.x0, row.x1, row.centre().y, 1, l.theme.Grid)
	}
	for i := range l.categories {
		l.dotRow(i, r.row(i), a)
		l.absent(i, r.row(i).centre().y, l.width-margin-l.small.width(missing))
	}
	l.axisBelow(l.y, a, r.plot)
}

// dotAxis leaves room for labels at both sides, but begins at zero where no
// label needs room left of it.
func (l *layout) dotAxis(a axis, s span, plot box) axis {
	a.start, a.end = plot.x0, plot.x1
	pad := dotRadius*reach + 10
	if l.some(value.ringed) {
		pad = dotRadius*ringReach + 10
	}
	labels := pad + l.widestLabel()
	if !a.log && s.min == 0 {
		a := a.fit(s, 0, labels)
		if len(l.series) == 1 || !l.some(func(v value) bool {
			return !v.missing && a.at(v.y)-pad-l.small.width(v.label) < plot.x0
		}) {
			return a
		}
	}
	if len(l.series) == 1 {
		return a.fit(s, pad, labels)
	}
	return a.fit(s, labels, labels)
}

// dot is a mark in a row.
type dot struct {
	series int
	at     point
	value  value
}

func (l *layout) dotRow(i int, row box, a axis) {
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
			l.whisker(point{low, d.at.y}, point{high, d.at.y}, 7, 3, l.style(d.series).colour)
			reached.add(low)
			reached.add(high)
		}
	}
	var marks []box
	for _, d := range ds {
		l.markValue(d.at, dotRadius, l.style(d.series), d.value)
		r := d.value.reach(dotRadius)
		marks = append(marks, square(d.at, r))
		reached.add(d.at.x - r)
		reached.add(d.at.x + r)
	}
	for n, d := range ds {
		width := l.small.width(d.value.label)
		baseline := d.at.y + middle*l.small.size
		switch {
		case n == last:
			l.label(d.value.label, l.small, reached.max+7, baseline, l.theme.Ink)
		case n == 0:
			l.label(d.value.label, l.small, reached.min-7-width, baseline, l.theme.Ink)
		default:
			left, baseline := d.at.x-width/2, d.at.y-d.value.reach(dotRadius)-7
			b := l.small.box(d.value.label, left, baseline)
			if l.free(b) && !slices.ContainsFunc(marks, b.overlaps) {
				l.label(d.value.label, l.small, left, baseline, l.theme.Ink)
			}
		}
	}
}

// mostMissing counts the missing values of the row that has most of them.
func (l *layout) mostMissing() int {
	most := 0
	for i := range l.categories {
		n := 0
		for _, series := range l.series {
			if series.values[i].missing {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// absentStep is the room of a mark beside "no data".
const absentStep = 2.4 * dotRadius * reach

// absent says at the right of a row that it has no value, and of which series.
func (l *layout) absent(i int, y, words float64) {
	var missing []int
	for k, series := range l.series {
		if series.values[i].missing {
			missing = append(missing, k)
		}
	}
	if len(missing) == 0 {
		return
	}
	l.write(l.words.Words("chart.missing"), l.small, words, y+middle*l.small.size, l.theme.Muted)
	if len(l.series) == 1 {
		return
	}
	for n, k := range missing {
		x := words - 10 - absentStep*(float64(len(missing)-n)-0.5)
		l.mark(point{x, y}, 0.8*dotRadius, l.style(k), false)
	}
}
