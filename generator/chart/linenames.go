package chart

import (
	"cmp"
	"math"
	"slices"

	"github.com/benchpost/benchpost/generator/chart/font"
	"github.com/benchpost/benchpost/generator/chart/stack"
	"github.com/benchpost/benchpost/generator/report"
)

// drawSteps writes above the plot how much a level changed, with a guide to the first point after the change.
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
		sign := "▲ " // better: ▲ even if lower is better
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
	ends := make([]float64, l.mostSteps()) // right ends of the lines above the plot, from the bottom up
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

// stepLine returns the distance between the lines of text above a plot.
func (l lineChart) stepLine() float64 { return 1.15 * l.small.Size }

// stepSign returns the room of the mark that shows which series a step belongs to.
func (l lineChart) stepSign() float64 {
	if len(l.series) < 2 {
		return 0
	}
	return 3*nameMark + 4
}

// mostSteps returns how many lines the texts of the steps need above the plot. One release of an engine may
// change the level of all series.
func (l lineChart) mostSteps() int {
	widest := 0.0
	for _, s := range l.steps {
		widest = max(widest, l.stepSign()+l.small.Width("▲ "+s.text)+l.small.Size)
	}
	place := func(s step) float64 { // a lower bound of the distance from the left end of the plot
		values := l.series[s.series].values
		xs, _ := l.span((*value).getX)
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

// endNames returns the names written at the ends of the lines, and the room they take. It returns nil if the
// lines are named above the plot.
func (l lineChart) endNames() (names []string, gutter float64) {
	// All stairs end at the same x, and traces mostly end where they began.
	if n := len(l.series); l.inPanel || n < 2 || n > 9 && n <= mostLines || l.form != report.Straight {
		return nil, 0
	}
	for _, s := range l.series {
		if s.dim {
			names = append(names, "")
			continue
		}
		name := l.text.NameLine(s.name, nameGutter*l.width-24-3*nameMark)
		if name != s.name || s.name == "" {
			return nil, 0
		}
		names = append(names, name)
		gutter = max(gutter, l.text.Width(name)+24+3*nameMark)
	}
	return names, gutter
}

// writeEnds writes the names of the lines beside their last points, moved apart if they would touch.
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
		if last != nil && names[i] != "" {
			at := point{x.at(last.x), y.at(last.y)}
			ends = append(ends, end{i, at, at.y})
		}
	}
	slices.SortStableFunc(ends, func(a, b end) int { return cmp.Compare(a.y, b.y) })
	heights := make([]float64, len(ends))
	for i := range ends {
		heights[i] = ends[i].y
	}
	for i, at := range stack.Places(heights, 1.15*l.text.Size, plot.y0-l.text.Size/2, plot.y1+l.text.Size/2) {
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
