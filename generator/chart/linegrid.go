package chart

import (
	"cmp"
	"math"
	"slices"

	"github.com/benchpost/benchpost/generator/chart/calendar"
	"github.com/benchpost/benchpost/generator/chart/font"
	"github.com/benchpost/benchpost/generator/chart/number"
	"github.com/benchpost/benchpost/generator/report"
)

// tickRoom returns the room for tick labels at the left of the plot. It is the same for all lanes, so that they
// start at the same x.
func (l lineChart) tickRoom(ticks []tick) float64 {
	if l.lane && l.common != nil {
		return l.common.gutter
	}
	return l.gutter(ticks)
}

// lineAxis lays out the x axis. It is logarithmic if a sweep doubles its steps rather than adding to them.
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

// doubling reports whether the distinct x values are spaced like powers rather than evenly.
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

// lineGrid draws the vertical lines: by the calendar, at named places, at the steps of a sweep if these are
// few, or else at round values.
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
	if len(ticks) == 0 && l.form == report.Straight {
		if xs := l.xValues(); len(xs) <= 16 {
			for _, x := range xs {
				ticks = append(ticks, tick{a.at(x), number.Short(x)})
			}
		}
	}
	if len(ticks) == 0 {
		l.grid(a, plot)
		return
	}
	l.along("x", a, ticks, func() { l.namedGrid(ticks, plot) })
}

// calendarTicks returns the ticks of an axis of time, or nil for any other axis: the ticks of the calendar, and
// separately those that are not days.
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

// dayGrid draws vertical lines at ticks whose names are known to have room.
func (l lineChart) dayGrid(ticks []tick, plot box) {
	for _, t := range ticks {
		l.vertical(t.at, plot.y0, plot.y1, 1, l.theme.Grid)
	}
	for _, t := range ticks {
		width := l.small.Width(t.label)
		l.write(t.label, l.small, min(max(t.at-width/2, margin/2), l.width-margin/2-width), plot.y1+10+font.Ascent*l.small.Size, l.theme.Muted)
	}
}

// namedGrid draws vertical lines at named places, and those names that have room.
func (l lineChart) namedGrid(ticks []tick, plot box) {
	if len(ticks) <= mostMarks {
		for _, t := range ticks {
			l.vertical(t.at, plot.y0, plot.y1, 1, l.theme.Grid)
		}
	}
	end := math.Inf(-1) // end of the last label written
	for i, t := range ticks {
		room := l.width
		if gap := 0.9 * (ticks[min(i+1, len(ticks)-1)].at - t.at); gap >= 80 { // with less, neighbours are omitted
			room = gap
		}
		name := l.small.NameLine(t.label, min(room, 0.3*l.width))
		width := l.small.Width(name)
		left := min(max(t.at-width/2, margin/2), l.width-margin/2-width)
		if left < end+0.6*l.small.Size {
			continue
		}
		if len(ticks) > mostMarks { // a line at every tick would make the plot grey
			l.vertical(t.at, plot.y0, plot.y1, 1, l.theme.Grid)
		}
		l.write(name, l.small, left, plot.y1+10+font.Ascent*l.small.Size, l.theme.Muted)
		end = left + width
	}
}

// bandLines returns how many lines the names of bands need above the plot.
func (l lineChart) bandLines() int {
	if slices.ContainsFunc(l.bands, func(b band) bool { return b.text != "" }) {
		return 1
	}
	return 0
}

// drawBands shades parts of the x axis behind everything else, and draws the marks of single places.
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

// drawMarks draws a line for each band that ends where it starts, and those names that have room, starting with
// the last.
func (l lineChart) drawMarks(a axis, plot box) {
	begin := l.width - margin/2 // left end of the name to the right
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
