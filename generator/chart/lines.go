package chart

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/chart/calendar"
	"github.com/benchpost/benchpost/generator/chart/font"
	"github.com/benchpost/benchpost/generator/report"
)

const (
	lineWidth  = 3
	traceWidth = 2
	lineRadius = 7
	mostMarks  = 40   // points of a series up to which each has a mark
	nameGutter = 0.28 // of the canvas, at most, for names at the ends of lines
	nameMark   = 6    // radius of the mark before such a name
)

// lineChart is a chart of lines.
type lineChart struct{ *layout }

// lines draws a line for each series on two value axes. The names are at the
// ends of the lines, where there is room for them, else above the plot. What is
// excluded is drawn hollow and joined to nothing.
func (l lineChart) lines() {
	if names := l.gaps(); len(names) > 0 {
		l.notes = append(l.notes, l.words.Words("chart.missing.points", l.words.List(names)))
	}
	sx, _ := l.span(value.getX)
	sy := l.valueSpan()
	y := l.valueScale(l.y, sy)
	names, gutter := l.endNames()
	keys := l.lineKeys(names == nil)
	top := 0.0
	if !l.lane { // what it shows is the title of its axis
		top = l.header(keys)
	}
	top = l.paragraph(l.small.Paragraph(l.axisTitle(l.y, y.log), l.width-2*margin, 2), l.small, margin, top+8, l.theme.Muted) + 14
	if above := l.bandLines() + l.mostSteps(); above > 0 { // for what is written above the plot
		top += 1.2*l.small.LineHeight() + l.stepLine()*float64(above-1)
	}
	around := top + l.axisHeight() + l.footHeight()
	height := max(300, float64(l.theme.Height)-around)
	if l.lane {
		height = max(laneHeight, min(3*float64(l.rows), mostRowsHeight))
	} else if !l.inPanel {
		height = max(height, min(around, 0.8*float64(l.theme.Height))) // half of the canvas is the plot
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
		for i := range l.series {
			l.inGroup(l.lineGroup(i), func() { l.joined(i, x, y) })
		}
		for i := range l.series {
			l.seriesMarks(i, x, y)
		}
		l.drawSteps(x, y, plot)
	})
	if names != nil {
		l.writeEnds(names, x, y, plot)
	}
	l.axisBelow(l.x, x, plot)
}

// tickRoom is the room left of the plot: lanes begin at one place.
func (l lineChart) tickRoom(ticks []tick) float64 {
	if l.lane && l.common != nil {
		return l.common.gutter
	}
	return l.gutter(ticks)
}

// lineAxis lays out the x axis: logarithmic when the steps of a sweep are
// doubled rather than added.
func (l lineChart) lineAxis(s span, plot box) axis {
	log := l.x.scale == report.Log && s.min > 0
	if l.x.scale == report.Auto && len(l.ticks) == 0 && l.form == report.Straight {
		log = l.doubling(s)
	}
	if l.x.scale == report.Auto && l.form == report.Stair {
		log = s.wide()
	}
	pad := 2.5 * lineRadius
	if l.form == report.Trace {
		pad = 0
	}
	a := newAxis(log, s, plot.x0, plot.x1, pad, pad)
	a.time = l.x.scale == report.Time
	return a
}

// doubling reports whether the distinct x values are about equally far apart as
// powers.
func (l lineChart) doubling(s span) bool {
	xs := l.xValues()
	if s.min <= 0 || len(xs) < 3 || s.max/s.min < 4 {
		return false
	}
	least, most := math.Inf(1), 0.0
	for i := 1; i < len(xs); i++ {
		least, most = min(least, xs[i]-xs[i-1]), max(most, xs[i]-xs[i-1])
	}
	return most > 3*least
}

// lineGrid draws the vertical lines: by the calendar, at named places, at the steps of a
// sweep when they are few, else at round values.
func (l lineChart) lineGrid(a axis, plot box) {
	if ticks, apart := l.calendarTicks(a); len(ticks) > 1 {
		l.along("x", a, apart, func() { l.dayGrid(ticks, plot) })
		return
	}
	ticks := make([]tick, 0, len(l.ticks))
	for _, t := range l.ticks {
		if at := a.at(t.at); at >= plot.x0 && at <= plot.x1 {
			ticks = append(ticks, tick{at, t.text})
		}
	}
	if xs := l.xValues(); len(ticks) == 0 && len(xs) <= 16 && l.form == report.Straight {
		for _, x := range xs {
			ticks = append(ticks, tick{a.at(x), valueLabel(x)})
		}
	}
	if len(ticks) == 0 {
		l.grid(a, plot)
		return
	}
	l.along("x", a, ticks, func() { l.namedGrid(ticks, plot) })
}

// calendarTicks returns the names along an axis of time, nil for any other: those of the
// calendar, and apart from these what is no day.
func (l lineChart) calendarTicks(a axis) (all, apart []tick) {
	if !a.time {
		return nil, nil
	}
	for _, t := range l.ticks {
		if t.apart {
			apart = append(apart, tick{a.at(t.at), t.text})
		}
	}
	if calendar.Ticks(a.low, a.high, func(days []calendar.Tick) bool {
		all = nil
		for _, day := range days {
			all = append(all, tick{a.at(day.At), l.set.Clean(l.words.Say(day.Text))})
		}
		return uncrowded(all, l.needBeside)
	}) == nil {
		return nil, nil
	}
	all = slices.DeleteFunc(all, func(t tick) bool {
		return slices.ContainsFunc(apart, func(other tick) bool { return math.Abs(t.at-other.at) < l.needBeside(t.label, other.label) })
	})
	all = append(all, apart...)
	slices.SortFunc(all, func(x, y tick) int { return cmp.Compare(x.at, y.at) })
	return all, apart
}

// dayGrid draws vertical lines at places whose names have room.
func (l lineChart) dayGrid(ticks []tick, plot box) {
	for _, t := range ticks {
		l.vertical(t.at, plot.y0, plot.y1, 1, l.theme.Grid)
		width := l.small.Width(t.label)
		l.write(t.label, l.small, min(max(t.at-width/2, margin/2), l.width-margin/2-width), plot.y1+10+font.Ascent*l.small.Size, l.theme.Muted)
	}
}

// namedGrid draws vertical lines at named places, with as many names as have room.
func (l lineChart) namedGrid(ticks []tick, plot box) {
	end := math.Inf(-1) // of the last label written
	for i, t := range ticks {
		if len(ticks) <= mostMarks {
			l.vertical(t.at, plot.y0, plot.y1, 1, l.theme.Grid)
		}
		room := l.width
		if gap := 0.9 * (ticks[min(i+1, len(ticks)-1)].at - t.at); gap >= 80 { // where there is less, neighbours are left out
			room = gap
		}
		name := l.small.NameLine(t.label, min(room, 0.3*l.width))
		width := l.small.Width(name)
		left := min(max(t.at-width/2, margin/2), l.width-margin/2-width)
		if left < end+0.6*l.small.Size {
			continue
		}
		if len(ticks) > mostMarks { // lines at all would be a grey ground
			l.vertical(t.at, plot.y0, plot.y1, 1, l.theme.Grid)
		}
		l.write(name, l.small, left, plot.y1+10+font.Ascent*l.small.Size, l.theme.Muted)
		end = left + width
	}
}

// bandLines is how many lines the names of bands need above the plot.
func (l lineChart) bandLines() int {
	if slices.ContainsFunc(l.bands, func(b band) bool { return b.text != "" }) {
		return 1
	}
	return 0
}

// drawBands sets parts of the x axis off behind everything else, and draws marks of places.
func (l lineChart) drawBands(a axis, plot box) {
	l.drawMarks(a, plot)
	end := math.Inf(-1)
	for _, b := range l.bands {
		x0, x1 := max(a.at(b.from), plot.x0), min(a.at(b.to), plot.x1)
		if x1 <= x0 {
			continue
		}
		l.rect(box{x0, plot.y0, x1, plot.y1}, l.theme.MinorGrid)
		name := l.small.NameLine(b.text, max(60, x1-x0))
		left := max(x0+4, end+l.small.Size)
		if left+l.small.Width(name) < l.width-margin {
			l.moved(point{x0, plot.y0}, "x", func() { l.write(name, l.small, left, plot.y0-0.35*l.small.LineHeight(), l.theme.Muted) })
			end = left + l.small.Width(name)
		}
	}
}

// drawMarks draws a line at each band that ends where it begins, with the names there is room
// for, the last ones first.
func (l lineChart) drawMarks(a axis, plot box) {
	begin := l.width - margin/2 // of the name to the right
	for _, b := range slices.Backward(l.bands) {
		at := a.at(b.from)
		if b.to > b.from || at < plot.x0 || at > plot.x1 {
			continue
		}
		name := l.small.NameLine(b.text, 0.4*l.width)
		width := l.small.Width(name)
		left := at + 5
		if left+width > begin {
			left = at - 5 - width
		}
		above := plot.y0
		if name != "" && left+width <= begin && left >= margin/2 {
			above -= 0.9 * l.small.LineHeight()
			l.moved(point{at, plot.y0}, "x", func() { l.write(name, l.small, left, plot.y0-0.35*l.small.LineHeight(), l.theme.Muted) })
			begin = min(left, at) - l.small.Size/2
		}
		l.line([]point{{at, above}, {at, plot.y1}}, 1.5, nil, l.theme.Muted)
	}
}

// runs returns the lines of a series, in the order of its values; missing ones break
// it, and so do those excluded where each stands for a run of its own.
func (l lineChart) runs(i int, x, y axis) [][]point {
	var runs [][]point
	var run []point
	for _, v := range l.series[i].values {
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
		run = append(run, point{x.end, run[n-1].y}) // where it came to, it stays
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
	if l.form == report.Trace {
		width = traceWidth
	}
	for _, run := range l.runs(i, x, y) {
		l.line(thin(run), width, lineDashes[i/len(l.theme.Series)%len(lineDashes)], st.colour)
	}
	for _, v := range l.series[i].values {
		if v.spread && !v.missing && v.high > v.low {
			l.interval(x.at(v.x), y.at(v.low), y.at(v.high), st)
		}
	}
}

// lineDashes distinguish lines of one colour.
var lineDashes = [][]float64{nil, {10, 6}, {3, 5}}

// thin leaves out points that no pixel would show: of those in one column the
// first, the least, the greatest and the last stay.
func thin(points []point) []point {
	if len(points) < 4*mostMarks {
		return points
	}
	var out []point
	for i := 0; i < len(points); {
		j := i
		least, greatest := i, i
		for ; j < len(points) && math.Floor(points[j].x) == math.Floor(points[i].x); j++ {
			if points[j].y < points[least].y {
				least = j
			}
			if points[j].y > points[greatest].y {
				greatest = j
			}
		}
		kept := []int{i, min(least, greatest), max(least, greatest), j - 1}
		for n, k := range kept {
			if n == 0 || k > kept[n-1] {
				out = append(out, points[k])
			}
		}
		i = j
	}
	return out
}

// seriesMarks draws the marks of one series.
func (l lineChart) seriesMarks(i int, x, y axis) {
	for k, v := range l.series[i].values {
		if v.missing {
			continue
		}
		at := point{x.at(v.x), y.at(v.y)}
		draw := func() {
			if l.marked(i, k) {
				l.markValue(at, lineRadius, l.style(i), v)
			}
		}
		if l.form == report.Straight {
			l.pointed(l.lineCard(i, v), at, v.reach(lineRadius), draw)
		} else if l.marked(i, k) {
			l.beside(i, at, draw)
		}
	}
}

// lineGroup is what a line has in common: its series, and of the many values of one run
// all that is shown to a reader.
func (l lineChart) lineGroup(i int) group {
	g := group{attributes: []attribute{{"series", l.series[i].name}}}
	if l.form == report.Straight {
		return g
	}
	var points []string
	run, doubt := "", ""
	for _, v := range l.series[i].values {
		if !v.missing {
			points = append(points, strconv.FormatFloat(v.x, 'g', 5, 64), strconv.FormatFloat(v.y, 'g', 5, 64))
			run = v.run
			if v.hollow {
				doubt = l.words.Words("chart.quarantined")
			}
		}
	}
	g.attributes = append(g.attributes,
		attribute{"run", run}, attribute{"doubt", doubt},
		attribute{"points", strings.Join(points, " ")},
		attribute{"names", l.x.title + "\n" + l.y.title},
		attribute{"units", l.x.unit + "\n" + l.y.unit})
	return g
}

// lineCard describes a value of a line.
func (l lineChart) lineCard(i int, v value) card {
	at := l.placeRow(v)
	title := v.label
	if title == "" || title == valueLabel(v.x) {
		title = cmp.Or(l.series[i].name, at.value)
	}
	return l.card(i, v, title, at, l.valueRow(v, ""))
}

// marked reports which values of a series have a mark: all, as long as they can be
// told apart, and those a check found something about; else a few, so that not
// colour alone distinguishes the lines.
func (l lineChart) marked(i, k int) bool {
	values := l.series[i].values
	switch n := len(values); {
	case l.form == report.Straight && (n <= mostMarks || values[k].hollow || values[k].ring):
		return true
	case len(l.series) == 1 && !values[k].hollow, l.rows > 0:
		return false
	case l.form == report.Stair: // at the median and at nine tenths
		reaches := func(share float64) bool {
			return k > 0 && values[k-1].y < share*values[n-1].y && values[k].y >= share*values[n-1].y
		}
		return reaches(0.5) || reaches(0.9)
	default:
		every := max(n/6, 1)
		return k%every == every*(i+1)/(len(l.series)+1)
	}
}

// drawSteps says above the plot how much a level changed, with a guide to the
// first point after the change.
func (l lineChart) drawSteps(x, y axis, plot box) {
	type label struct {
		text   string
		series int
		at     point
		style
	}
	var labels []label
	for _, s := range l.steps {
		if s.series >= len(l.series) || s.point >= len(l.series[s.series].values) {
			continue
		}
		v := l.series[s.series].values[s.point]
		if v.missing {
			continue
		}
		sign := "▲ " // better, whatever the direction
		switch {
		case s.unsettled:
			sign = "? "
		case s.worse:
			sign = "▼ "
		}
		labels = append(labels, label{l.set.Clean(sign + s.text), s.series, point{x.at(v.x), y.at(v.y)}, l.style(s.series)})
	}
	slices.SortStableFunc(labels, func(a, b label) int { return cmp.Compare(a.at.x, b.at.x) })
	sign := l.stepSign()
	ends := make([]float64, l.mostSteps()) // of the lines above the plot, upwards
	baseline := func(line int) float64 {
		return plot.y0 - 0.35*l.small.LineHeight() - l.stepLine()*float64(line+l.bandLines())
	}
	for _, s := range labels {
		width := sign + l.small.Width(s.text)
		line, left := -1, 0.0
		for n, end := range ends {
			left = min(max(s.at.x-width/2, end+l.small.Size/2), l.width-margin-width)
			b := boxOf(l.small, s.text, left+sign, baseline(n))
			b.x0 = left
			if left >= end && left <= s.at.x && l.free(b) {
				line = n
				break
			}
		}
		if line < 0 {
			l.crowded = append(l.crowded, s.text)
			continue
		}
		l.ofSeries(s.series, func() {
			l.line([]point{{s.at.x, plot.y0}, {s.at.x, s.at.y - lineRadius*reach}}, 1.5, dashes, s.colour)
			l.moved(point{s.at.x, plot.y0}, "x", func() {
				if sign > 0 {
					l.mark(point{left + 1.5*nameMark, baseline(line) - font.Middle*l.small.Size}, nameMark, s.style, false)
				}
				l.write(s.text, l.small, left+sign, baseline(line), l.theme.Ink)
			})
		})
		ends[line] = left + width
	}
}

// stepLine is how far the lines of steps above a plot are apart.
func (l lineChart) stepLine() float64 { return 1.15 * l.small.Size }

// stepSign is the room of the mark that shows whose step it is.
func (l lineChart) stepSign() float64 {
	if len(l.series) < 2 {
		return 0
	}
	return 3*nameMark + 4
}

// mostSteps is how many lines the words of the steps need above the plot: with one
// release of an engine all series may change their level.
func (l lineChart) mostSteps() int {
	widest := 0.0
	for _, s := range l.steps {
		widest = max(widest, l.stepSign()+l.small.Width("▲ "+s.text)+l.small.Size)
	}
	place := func(s step) float64 { // at the least this far from the start of the plot
		values := l.series[s.series].values
		xs, _ := l.span(value.getX)
		if xs.min == xs.max {
			return 0
		}
		return 0.6 * l.width * (values[s.point].x - xs.min) / (xs.max - xs.min)
	}
	steps := slices.DeleteFunc(slices.Clone(l.steps), func(s step) bool {
		return s.series >= len(l.series) || s.point >= len(l.series[s.series].values)
	})
	most := 0
	for _, s := range steps {
		near := 0
		for _, other := range steps {
			if apart := place(other) - place(s); apart >= 0 && apart < widest {
				near++
			}
		}
		most = max(most, near)
	}
	return most
}

// endNames returns what is written at the ends of the lines and the room that
// takes, nil when the lines are named above the plot.
func (l lineChart) endNames() (names []string, gutter float64) {
	// Stairs end at one place, and traces mostly where they began.
	if l.inPanel || len(l.series) < 2 || len(l.series) > 9 || l.form != report.Straight {
		return nil, 0
	}
	for _, s := range l.series {
		name := l.text.NameLine(s.name, nameGutter*l.width-24-3*nameMark)
		if name != s.name || s.name == "" {
			return nil, 0
		}
		names = append(names, name)
		gutter = max(gutter, l.text.Width(name)+24+3*nameMark)
	}
	return names, gutter
}

// writeEnds names the lines beside their last points, moved apart where they
// would touch.
func (l lineChart) writeEnds(names []string, x, y axis, plot box) {
	type end struct {
		series int
		at     point
		y      float64
	}
	var ends []end
	for i := range l.series {
		var last *value
		for k := range l.series[i].values {
			if v := &l.series[i].values[k]; !v.missing && (last == nil || v.x >= last.x) {
				last = v
			}
		}
		if last != nil {
			at := point{x.at(last.x), y.at(last.y)}
			ends = append(ends, end{i, at, at.y})
		}
	}
	slices.SortStableFunc(ends, func(a, b end) int { return cmp.Compare(a.y, b.y) })
	heights := make([]float64, len(ends))
	for i := range ends {
		heights[i] = ends[i].y
	}
	for i, at := range spread(heights, 1.15*l.text.Size, plot.y0-l.text.Size/2, plot.y1+l.text.Size/2) {
		e := ends[i]
		from, to := point{e.at.x + lineRadius*reach + 2, e.at.y}, point{plot.x1 + 12, at}
		if to.x-from.x > 12 || math.Abs(from.y-to.y) > 4 {
			l.whole(e.series, func() { l.leader(from, to) })
		}
		name, half := names[e.series], 0.6*l.text.Size
		l.keyed(name, box{to.x, at - half, to.x + 6 + 3*nameMark + l.text.Width(name), at + half}, func() {
			l.mark(point{to.x + 1.5*nameMark, at}, nameMark, l.style(e.series), false)
			l.write(name, l.text, to.x+6+3*nameMark, at+font.Middle*l.text.Size, l.theme.Ink)
		})
	}
}

// spread moves places, ascending, as little apart as keeps them a distance from
// each other and between two ends.
func spread(wanted []float64, apart, low, high float64) []float64 {
	out := slices.Clone(wanted)
	if n := float64(len(out) - 1); n > 0 && apart*n > high-low {
		apart = (high - low) / n
	}
	for range 50 {
		for i := range out {
			out[i] = min(max(out[i], low+apart*float64(i)), high-apart*float64(len(out)-1-i))
		}
		moved := false
		for i := 1; i < len(out); i++ {
			if gap := apart - (out[i] - out[i-1]); gap > 0.01 {
				out[i-1] -= gap / 2
				out[i] += gap / 2
				moved = true
			}
		}
		if !moved {
			break
		}
	}
	for i := range out { // what the last round left over
		out[i] = max(out[i], low+apart*float64(i))
		if i > 0 {
			out[i] = max(out[i], out[i-1]+apart)
		}
	}
	return out
}
