package chart

import (
	"cmp"
	"math"
	"strconv"

	"github.com/benchpost/benchpost/generator/chart/number"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

const (
	lineWidth  = 3
	traceWidth = 2
	lineRadius = 7
	mostMarks  = 40   // a series with at most so many points has a mark for each
	nameGutter = 0.28 // the greatest part of the canvas width for names at the ends of lines
	nameMark   = 6    // radius of the mark before such a name
)

// lineChart is a chart of lines.
type lineChart struct{ *layout }

// lines draws a line for each series on two value axes. The names are at the ends of the lines if there is
// room, or else above the plot. Excluded values are drawn hollow and not joined to others.
func (l lineChart) lines() {
	if names := l.gaps(); len(names) > 0 {
		l.notes = append(l.notes, l.words.Words("chart.missing.points", l.words.List(names)))
	}
	dimMost(l.layout, l.ending, map[result.Better]string{result.Higher: "chart.best", result.Lower: "chart.best", result.Neutral: "chart.highest"}[l.y.better])
	sx, _ := l.span((*value).getX)
	sy := l.valueSpan()
	y := l.valueScale(l.y, sy)
	names, gutter := l.endNames()
	keys := l.lineKeys(names == nil)
	top := 0.0
	if !l.lane { // the title of a lane's axis says what it shows
		top = l.header(keys)
	}
	top = l.paragraph(l.small.Paragraph(l.axisTitle(l.y, y.log), l.width-2*margin, 2), l.small, margin, top+8, l.theme.Muted) + 14
	if above := l.bandLines() + l.mostSteps(); above > 0 { // room for texts above the plot
		top += 1.2*l.small.LineHeight() + l.stepLine()*float64(above-1)
	}
	around := top + l.axisHeight() + l.footHeight()
	height := max(300, float64(l.theme.Height)-around)
	if l.lane {
		height = max(laneHeight, min(3*float64(l.rows), mostRowsHeight))
	} else if !l.inPanel {
		height = max(height, min(around, 0.8*float64(l.theme.Height))) // the plot takes half of the canvas
	}

	y.start, y.end = top+height, top
	pad := 3.0 * lineRadius
	if l.lane {
		pad = lineRadius
	}
	if !y.log && sy.min == 0 {
		y = y.fit(sy, 0, pad)
	} else {
		y = y.fit(sy, pad, pad)
	}
	yTicks := y.ticks(func(_, _ string) float64 { return 2 * l.small.Size })
	plot := box{margin + l.tickRoom(yTicks), top, l.width - margin - max(gutter, inset), top + height}
	x := l.lineAxis(sx, plot)

	l.inPlot(plot, func() {
		l.drawBands(x, plot)
		l.lineGrid(x, plot)
		l.gridAcross(y, yTicks, plot)
		if !y.log && sy.min < 0 && sy.max >= 0 {
			l.horizontal(plot.x0, plot.x1, y.at(0), 2, l.theme.Line)
		}
		l.still(func() { l.horizontal(plot.x0, plot.x1, plot.y1, 2, l.theme.Line) })
		for _, i := range behind(l.series) {
			l.inGroup(l.lineGroup(i, x, y), func() { l.joined(i, x, y) })
		}
		for _, i := range behind(l.series) {
			l.seriesMarks(i, x, y)
		}
		l.drawSteps(x, y, plot)
	})
	if names != nil {
		l.writeEnds(names, x, y, plot)
	}
	l.axisBelow(l.x, x, plot)
}

// ending returns the last present value of a line that is not excluded, negated if lower is better.
func (l lineChart) ending(i int) float64 {
	last := math.Inf(-1)
	for _, v := range l.series[i].values {
		if !v.missing && !v.hollow {
			last = map[bool]float64{false: 1, true: -1}[l.y.better == result.Lower] * v.y
		}
	}
	return last
}

// runs returns the connected parts of a series' line, in the order of its values. Missing values interrupt the
// line. Excluded values do so if each value is a run of its own.
func (l lineChart) runs(i int, x, y axis) [][]point {
	var runs [][]point
	var run []point
	values := l.series[i].values
	for k := range values {
		v := &values[k]
		if v.missing || v.hollow && l.form == report.Straight {
			if len(run) > 1 {
				runs = append(runs, run)
			}
			run = nil
			continue
		}
		at := point{x.at(v.x), y.at(v.y)}
		if n := len(run); l.form == report.Stair && n > 0 {
			run = append(run, point{at.x, run[n-1].y})
		}
		run = append(run, at)
	}
	if n := len(run); l.form == report.Stair && n > 0 {
		run = append(run, point{x.end, run[n-1].y}) // the last level continues to the end of the axis
	}
	if len(run) > 1 {
		runs = append(runs, run)
	}
	return runs
}

// joined draws the line of one series, and the intervals of its values.
func (l lineChart) joined(i int, x, y axis) {
	st := l.style(i)
	width := float64(lineWidth)
	if l.form == report.Trace || l.series[i].dim {
		width = traceWidth
	}
	for _, run := range l.runs(i, x, y) {
		kept := thin(len(run), func(k int) point { return run[k] })
		for n, k := range kept {
			run[n] = run[k]
		}
		l.line(run[:len(kept)], width, dash(l.layout, i), st.colour)
	}
	for k := range l.series[i].values {
		if v := &l.series[i].values[k]; v.spread && !v.missing && v.high > v.low {
			l.interval(x.at(v.x), y.at(v.low), y.at(v.high), st)
		}
	}
}

// lineDashes distinguish lines of one colour.
var lineDashes = [][]float64{nil, {10, 6}, {3, 5}}

// thin returns the indexes of the points of a line that are drawn and shown to a reader who points at them. If
// there are many points, it keeps those that pixels can show: the first, the least, the greatest and the last
// in each column of a unit.
func thin(n int, at func(int) point) []int {
	if n < 4*mostMarks {
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		return all
	}
	var out []int
	for i := 0; i < n; {
		first := at(i)
		column, least, greatest := math.Floor(first.x), first.y, first.y
		kept := [4]int{i, i, i, i}
		for i++; i < n; i++ {
			p := at(i)
			if math.Floor(p.x) != column {
				break
			}
			if p.y < least {
				least, kept[1] = p.y, i
			}
			if p.y > greatest {
				greatest, kept[2] = p.y, i
			}
		}
		kept[1], kept[2], kept[3] = min(kept[1], kept[2]), max(kept[1], kept[2]), i-1
		for n, k := range kept {
			if n == 0 || k > kept[n-1] {
				out = append(out, k)
			}
		}
	}
	return out
}

// seriesMarks draws the marks of one series.
func (l lineChart) seriesMarks(i int, x, y axis) {
	for k := range l.series[i].values {
		v := &l.series[i].values[k]
		if v.missing || l.form != report.Straight && !l.marked(i, k) {
			continue
		}
		at := point{x.at(v.x), y.at(v.y)}
		draw := func() {
			if l.marked(i, k) {
				l.markValue(at, lineRadius, l.style(i), *v)
			}
		}
		if l.form == report.Straight {
			l.pointed(l.lineCard(i, v), at, v.reach(lineRadius), draw)
		} else {
			l.beside(i, at, draw)
		}
	}
}

// lineGroup returns the group of a line: its series and, if the values belong to one run, the values shown to a
// reader.
func (l lineChart) lineGroup(i int, x, y axis) group {
	name := l.series[i].name
	if l.form == report.Straight {
		return group{attributes: []attribute{{"series", name}}}
	}
	c := card{series: name, of: name, rows: []row{{l.x.title, ""}, {l.y.title, ""}}, line: &lineValues{units: l.x.unit + "\n" + l.y.unit}}
	values := l.series[i].values
	there := make([]int, 0, len(values))
	for k := range values {
		if v := &values[k]; !v.missing {
			there, c.run = append(there, k), v.run
			if v.hollow {
				c.doubt = l.words.Words("chart.quarantined")
			}
		}
	}
	c.line.points = func(text []byte) []byte {
		for n, k := range thin(len(there), func(n int) point { return point{x.at(values[there[n]].x), y.at(values[there[n]].y)} }) {
			v := &values[there[k]]
			if n > 0 {
				text = append(text, ' ')
			}
			text = append(strconv.AppendFloat(text, v.x, 'g', 5, 64), ' ')
			text = strconv.AppendFloat(text, v.y, 'g', 5, 64)
		}
		return text
	}
	return group{card: &c}
}

// lineCard returns the card of a value of a line.
func (l lineChart) lineCard(i int, v *value) card {
	at := l.placeRow(v)
	title := v.label
	if title == "" || title == number.Short(v.x) {
		title = cmp.Or(l.series[i].name, at.value)
	}
	return l.card(i, v, title, at, l.valueRow(v, ""))
}

// marked reports whether a value of a series has a mark. All have one as long as they can be told apart, and
// values that a check found something about always do. Of other lines a few values have one, so that lines do
// not differ by colour alone.
func (l lineChart) marked(i, k int) bool {
	values := l.series[i].values
	switch n := len(values); {
	case l.form == report.Straight && (n <= mostMarks && !l.series[i].dim || values[k].hollow || values[k].ring):
		return true
	case len(l.series) == 1 && !values[k].hollow, l.rows > 0, l.series[i].dim:
		return false
	case l.form == report.Stair: // marks at the median and at nine tenths
		reaches := func(share float64) bool {
			return k > 0 && values[k-1].y < share*values[n-1].y && values[k].y >= share*values[n-1].y
		}
		return reaches(0.5) || reaches(0.9)
	default:
		every := max(n/6, 1)
		return k%every == every*(i+1)/(len(l.series)+1)
	}
}
