package chart

import (
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/chart/font"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// inset is the room for half a tick label at the right of a plot, in addition to the margin.
const inset = 12

// axes draws the grids, labels and titles of axes.
type axes struct {
	lettering
	words locale.Printer
}

// along draws the grid and labels of an axis as a group with its scale as data. which is "x" for the horizontal
// axis and "y" for the vertical one.
func (l *axes) along(which string, a axis, named []tick, draw func()) {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', 9, 64) }
	kind := "linear"
	switch {
	case a.log:
		kind = "log"
	case a.time:
		kind = "time"
	}
	count := "0"
	if a.whole {
		count = "1"
	}
	g := group{attributes: []attribute{
		{"axis", which},
		{"scale", strings.Join([]string{kind, number(a.low), number(a.high), number(a.zero), count}, " ")},
		{"size", number(l.small.Size)},
	}, ink: l.theme.Muted, align: map[string]string{"x": "middle", "y": "end"}[which]}
	if len(named) > 0 {
		var all []string
		for _, t := range named {
			all = append(all, strconv.FormatFloat((t.at-a.start)/(a.end-a.start), 'f', 4, 64), t.label)
		}
		g.attributes = append(g.attributes, attribute{"ticks", strings.Join(all, "\n")})
	}
	l.inGroup(g, draw)
}

// needBeside returns the least distance between the centres of two tick labels beside each other.
func (l *axes) needBeside(a, b string) float64 {
	return max((l.small.Width(a)+l.small.Width(b))/2+l.small.Size, min(100, l.width/10))
}

// grid draws the vertical grid lines of an x axis, with its labels below the plot.
func (l *axes) grid(a axis, plot box) {
	l.along("x", a, nil, func() { l.gridLines(a, plot) })
}

func (l *axes) gridLines(a axis, plot box) {
	ticks := a.ticks(l.needBeside)
	for _, t := range ticks {
		if t.label == "" {
			l.vertical(t.at, plot.y0, plot.y1, 1, l.theme.MinorGrid)
		} else {
			l.vertical(t.at, plot.y0, plot.y1, 1.5, l.theme.Grid)
		}
	}
	for _, t := range ticks {
		l.write(t.label, l.small, t.at-l.small.Width(t.label)/2, plot.y1+10+font.Ascent*l.small.Size, l.theme.Muted)
	}
}

// gutter returns the room that tick labels take at the left of a plot.
func (l *axes) gutter(ticks []tick) float64 {
	widest := 0.0
	for _, t := range ticks {
		widest = max(widest, l.small.Width(t.label)+14)
	}
	return widest
}

// gridAcross draws the horizontal grid lines of a y axis, with its labels at the left of the plot.
func (l *axes) gridAcross(a axis, ticks []tick, plot box) {
	l.along("y", a, nil, func() { l.gridRows(ticks, plot) })
}

func (l *axes) gridRows(ticks []tick, plot box) {
	for _, t := range ticks {
		if t.label == "" {
			l.horizontal(plot.x0, plot.x1, t.at, 1, l.theme.MinorGrid)
		} else {
			l.horizontal(plot.x0, plot.x1, t.at, 1.5, l.theme.Grid)
		}
	}
	for _, t := range ticks {
		l.write(t.label, l.small, plot.x0-14-l.small.Width(t.label), t.at+font.Middle*l.small.Size, l.theme.Muted)
	}
}

// axisHeight returns the room for tick labels and title below a plot.
func (l *axes) axisHeight() float64 { return 10 + 2*l.small.LineHeight() + 6 }

// axisBelow writes the title of the axis below a plot and then the foot of the chart.
func (l *layout) axisBelow(q quantity, a axis, plot box) {
	if l.lane && q.title == "" { // the last lane has the title
		l.height = plot.y1 + l.axisHeight() - l.small.LineHeight()
		return
	}
	l.footer(l.axisName(q, a, plot))
}

// axisName writes the title of the axis below a plot and returns the y below it.
func (l *axes) axisName(q quantity, a axis, plot box) float64 {
	title := l.small.NameLines(l.axisTitle(q, a.log), l.width-2*margin, 1)
	for _, line := range title {
		width := l.small.Width(line)
		left := min(max(plot.centre().x-width/2, margin), l.width-margin-width)
		l.write(line, l.small, left, plot.y1+10+l.small.LineHeight()+6+font.Ascent*l.small.Size, l.theme.Muted)
	}
	return plot.y1 + l.axisHeight()
}

// axisTitle returns the title of an axis: its quantity, its unit, and which direction is better.
func (l *axes) axisTitle(q quantity, log bool) string {
	s := q.title
	var inside []string
	if q.unit != "" && q.unit != "1" {
		inside = append(inside, q.unit)
	}
	if log {
		inside = append(inside, l.words.Words("chart.log"))
	}
	if list := strings.Join(inside, l.words.Words("chart.comma")); list != "" && s != "" {
		s = l.words.Words("chart.axis", s, list)
	} else if list != "" {
		s = list
	}
	better := ""
	switch q.better {
	case result.Higher:
		better = l.words.Words("chart.higher")
	case result.Lower:
		better = l.words.Words("chart.lower")
	}
	switch {
	case better == "":
		return s
	case s == "":
		return better
	}
	return s + " · " + better
}
