package chart

import (
	"image/color"
	"math"
	"slices"

	"github.com/benchpost/benchpost/generator/chart/font"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
)

// panelText is the size of text in small charts, relative to a large one.
const panelText = 0.78

// common is what small charts share: the extents of their axes and of the areas of their marks, and what takes
// room beside an axis.
type common struct {
	x, y, size   span
	names, label float64 // widths of the widest row name and of the widest value label
	gutter       float64 // of lanes: room of the widest tick labels
	missing      int     // the most missing values of a category
	series       int     // the most series of a chart
	ringed       bool    // whether a mark is in doubt
}

// panelChart is several small charts side by side.
type panelChart struct{ *layout }

// panels lays small charts out in a grid, under one title and one legend.
func (l panelChart) panels(c report.Chart, p locale.Printer) error {
	columns := min(len(c.Panels), 2)
	if len(c.Panels) > 4 {
		columns = 3
	}
	if l.theme.Width <= NarrowWidth || c.Lanes {
		columns = 1
	}
	theme := l.theme
	if columns > 1 {
		theme.TextSize = max(8, math.Round(panelText*theme.TextSize))
	}
	theme.Width = (theme.Width + (columns-1)*margin) / columns // adjacent margins overlap
	theme.Height = max(180, theme.Height/2)
	if c.Lanes {
		theme.Height = 2 * laneHeight // the most a lane may need
	}
	small := make([]*layout, len(c.Panels))
	for i, panel := range c.Panels {
		panel.Chart.Title = panel.Title
		s, err := newLayout(panel.Chart, p, theme)
		if err != nil {
			return err
		}
		s.heading = font.Face{Stack: s.heading.Stack, Size: theme.TextSize, Bold: true}
		s.inPanel, s.lane = true, c.Lanes
		small[i] = s
	}
	l.series = inCommon(small)
	for _, s := range small {
		if len(s.frontier) > len(l.frontier) { // the legend shows the frontier once
			l.frontier = s.frontier
		}
	}
	if c.Lanes {
		shareTime(small)
	} else {
		shareAxes(small)
	}
	top := l.header(l.keys(small[0])) + 4
	for row := range slices.Chunk(small, columns) {
		bottom := top
		for i, s := range row {
			if err := s.arrange(); err != nil {
				return err
			}
			dx := float64(i * (theme.Width - margin))
			l.place(s, dx, top)
			bottom = max(bottom, top+s.height)
			l.messages = append(l.messages, s.warnings()...)
			for line, name := range s.full {
				l.remember(line, name)
			}
		}
		top = bottom - 10
	}
	l.gather(small)
	l.footer(top)
	return nil
}

// keys returns the legend of all small charts. one is one of them.
func (l panelChart) keys(one *layout) []key {
	keys := kinds[l.kind].keys
	if keys == nil {
		return nil
	}
	return keys(l.layout, one)
}

// gather moves the notes of small charts to the foot. A note that does not apply to all charts says which one
// it belongs to. A note also names the series that a chart lacks.
func (l panelChart) gather(small []*layout) {
	for _, s := range small {
		if s.lane || len(s.series) == 1 && s.series[0].name == s.figure.title { // each shows its own quantity or series
			continue
		}
		var absent []string
		for _, other := range l.series {
			if !slices.ContainsFunc(s.series, func(own series) bool { return own.name == other.name }) {
				absent = append(absent, other.name)
			}
		}
		if len(absent) > 0 {
			s.notes = append(s.notes, l.words.Words("chart.missing.points", l.words.List(absent)))
		}
	}
	for _, s := range small {
		for _, note := range s.notes {
			if !s.lane && slices.ContainsFunc(small, func(other *layout) bool { return !slices.Contains(other.notes, note) }) {
				note = l.words.Words("chart.panel", s.figure.title, note)
			}
			if !slices.Contains(l.notes, note) {
				l.notes = append(l.notes, note)
			}
		}
	}
}

// inCommon returns all series of the small charts, each once with all its values. It gives series of the same
// name the same style.
func inCommon(small []*layout) []series {
	var all []series
	for _, s := range small {
		for i := range s.series {
			k := slices.IndexFunc(all, func(other series) bool { return other.name == s.series[i].name })
			if k < 0 {
				k = len(all)
				one := s.series[i]
				if slices.ContainsFunc(all, func(other series) bool { return other.style == one.style }) {
					one.style = k
				}
				all = append(all, one)
			} else {
				all[k].values = slices.Concat(all[k].values, s.series[i].values)
			}
			s.series[i].style = all[k].style
		}
	}
	return all
}

// shareAxes sets the same extents for the axes of all small charts.
func shareAxes(small []*layout) {
	var c common
	first := true
	for _, s := range small {
		x, any := s.span((*value).getX)
		if !any {
			continue
		}
		y := s.valueSpan()
		size, _ := s.span((*value).getSize)
		if extent := kinds[s.kind].extent; extent != nil {
			x, y = extent(&s.figure)
		}
		_, names := s.rowNames()
		c.names, c.label, c.missing = max(c.names, names), max(c.label, s.widestLabel()), max(c.missing, s.mostMissing())
		c.series, c.ringed = max(c.series, len(s.series)), c.ringed || s.ringed()
		if first {
			c.x, c.y, c.size, first = x, y, size, false
			continue
		}
		for _, both := range []struct {
			all *span
			own span
		}{{&c.x, x}, {&c.y, y}, {&c.size, size}} {
			both.all.add(both.own.min)
			both.all.add(both.own.max)
		}
	}
	if first {
		return
	}
	for _, s := range small {
		s.common = &c
	}
}

// laneHeight is the height of a lane's plot.
const laneHeight = 110

// mostRowsHeight is the greatest height of the plot of a lane with many rows.
const mostRowsHeight = 400

// shareTime gives all lanes the same x axis, at the same place.
func shareTime(small []*layout) {
	all := common{}
	for i, s := range small {
		x, _ := s.span((*value).getX)
		if i == 0 {
			all.x = x
		}
		all.x.add(x.min)
		all.x.add(x.max)
		y := s.valueScale(s.y, s.valueSpan())
		y.start, y.end = float64(laneHeight), 0
		all.gutter = max(all.gutter, s.gutter(y.fit(s.valueSpan(), 0, 0).ticks(func(_, _ string) float64 { return 2 * s.small.Size })))
	}
	for _, s := range small {
		own := all
		own.y = s.valueSpan()
		s.common = &own
	}
}

// place draws a small chart with its upper left corner at a point.
func (l panelChart) place(s *layout, dx, dy float64) {
	l.items = append(l.items, func(on canvas) {
		on.open(group{attributes: []attribute{{"panel", s.figure.title}}})
		moved := shifted{on, dx, dy}
		for _, draw := range s.items {
			draw(moved)
		}
		on.close()
	})
}

// shifted is a canvas that draws on another with a moved origin.
type shifted struct {
	canvas
	dx, dy float64
}

func (s shifted) point(p point) point { return point{p.x + s.dx, p.y + s.dy} }

func (s shifted) box(b box) box {
	return box{b.x0 + s.dx, b.y0 + s.dy, b.x1 + s.dx, b.y1 + s.dy}
}

func (s shifted) points(ps []point) []point {
	moved := make([]point, len(ps))
	for i, p := range ps {
		moved[i] = s.point(p)
	}
	return moved
}

func (s shifted) rect(b box, c color.RGBA) {
	s.canvas.rect(s.box(b), c)
}
func (s shifted) rule(b box, upright bool, c color.RGBA) {
	s.canvas.rule(s.box(b), upright, c)
}
func (s shifted) open(g group) {
	g.place.point = s.point(g.place.point)
	if b := g.place.box; b != nil {
		moved := s.box(*b)
		g.place.box = &moved
	}
	s.canvas.open(g)
}
func (s shifted) polygon(corners []point, c color.RGBA) { s.canvas.polygon(s.points(corners), c) }
func (s shifted) disc(centre point, radius float64, c color.RGBA) {
	s.canvas.disc(s.point(centre), radius, c)
}
func (s shifted) line(points []point, width float64, dash []float64, c color.RGBA) {
	s.canvas.line(s.points(points), width, dash, c)
}
func (s shifted) text(text string, left, baseline float64, f font.Face, c color.RGBA) {
	s.canvas.text(text, left+s.dx, baseline+s.dy, f, c)
}
