package chart

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// margin is what stays free at the edges of the canvas.
const margin = 36

// layout gives a figure's parts their places and collects how to draw them.
// No text is ever placed over another or beyond the canvas.
type layout struct {
	figure
	theme Theme
	words locale.Printer
	set   *typesetter

	title, text, small face

	width, height float64 // height is known at the end
	foot          []string
	items         []func(canvas)    // in drawing order
	inPanel       bool              // one of several small charts: legend and notes stand with all of them
	labels        []box             // of the texts placed
	full          map[string]string // names by the shortened lines they are written as
	crowded       []string          // texts there was no place for
	messages      []result.Message
}

func newLayout(c report.Chart, p locale.Printer, t Theme) (*layout, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	regular, bold, err := t.weights()
	if err != nil {
		return nil, err
	}
	l := &layout{
		theme: t,
		words: p,
		set:   &typesetter{regular: regular, bold: bold, lang: p.Lang()},
		title: face{bold, 1.5 * t.TextSize, true},
		text:  face{weight: regular, size: t.TextSize},
		small: face{weight: regular, size: math.Round(0.88 * t.TextSize)},
		width: float64(t.Width),
	}
	l.figure, l.messages = newFigure(c, p, l.set, len(t.Series))
	return l, nil
}

// warnings tells what could not be shown as asked for.
func (l *layout) warnings() []result.Message {
	ms := append(l.messages, l.set.warnings()...)
	if n := len(l.crowded); n > 0 {
		shown := l.crowded[:min(n, 5)]
		text := "no room for " + strings.Join(shown, ", ")
		if n > len(shown) {
			text += fmt.Sprintf(" and %d more", n-len(shown))
		}
		ms = append(ms, result.Message{
			Severity: result.Warning,
			ID:       "chart.label",
			Text:     text,
			Hint:     "shorten names, or show fewer points",
		})
	}
	return ms
}

// logarithmic decides an axis's scale: as asked for, by the span of the values
// where that is left open. It warns when it cannot be as asked for.
func (l *layout) logarithmic(q quantity, s span) bool {
	if q.scale == report.Log && s.min <= 0 {
		l.messages = append(l.messages, result.Message{
			Severity: result.Warning,
			ID:       "chart.log",
			Text:     fmt.Sprintf("%q cannot have a log axis: its least value is %g", l.figure.title, s.min),
			Hint:     "a linear axis was drawn",
		})
	}
	return q.scale == report.Log && s.min > 0 || q.scale == report.Auto && s.wide()
}

func (l *layout) rect(b box, c color.RGBA) {
	l.items = append(l.items, func(on canvas) { on.rect(b, c) })
}

func (l *layout) horizontal(x0, x1, y, width float64, c color.RGBA) {
	top := l.snap(y - width/2)
	l.rule(box{x0, top, x1, top + l.snap(width)}, false, c)
}

func (l *layout) vertical(x, y0, y1, width float64, c color.RGBA) {
	left := l.snap(x - width/2)
	l.rule(box{left, y0, left + l.snap(width), y1}, true, c)
}

// rule draws a straight line that fills a box.
func (l *layout) rule(b box, upright bool, c color.RGBA) {
	l.items = append(l.items, func(on canvas) { on.rule(b, upright, c) })
}

// snap rounds to whole pixels, so that lines of one width look alike.
func (l *layout) snap(v float64) float64 { return math.Round(v*l.theme.Scale) / l.theme.Scale }

func (l *layout) line(points []point, width float64, dash []float64, c color.RGBA) {
	l.items = append(l.items, func(on canvas) { on.line(points, width, dash, c) })
}

// free reports whether a text may stand in a box.
func (l *layout) free(b box) bool {
	if !b.within(box{0, 0, l.width, math.Inf(1)}) {
		return false
	}
	for _, other := range l.labels {
		if b.overlaps(other) {
			return false
		}
	}
	return true
}

// write places a text with its left end on a baseline, where it is free to
// stand; one that is not is told in the warnings.
func (l *layout) write(s string, f face, left, baseline float64, c color.RGBA) {
	if l.take(s, f.box(s, left, baseline)) {
		l.items = append(l.items, func(on canvas) { on.text(s, left, baseline, f, c) })
	}
}

// label writes a text into the plot, so that the grid does not cross it.
func (l *layout) label(s string, f face, left, baseline float64, c color.RGBA) {
	b := f.box(s, left, baseline)
	if l.take(s, b) {
		l.rect(box{max(b.x0-2, 0), baseline - 0.8*f.size, min(b.x1+2, l.width), baseline + 0.1*f.size}, l.theme.Background)
		l.items = append(l.items, func(on canvas) { on.text(s, left, baseline, f, c) })
	}
}

func (l *layout) take(s string, b box) bool {
	if s == "" {
		return false
	}
	if !l.free(b) {
		l.crowded = append(l.crowded, s)
		return false
	}
	l.labels = append(l.labels, b)
	return true
}

// paragraph writes lines from top on and gives the place below them.
func (l *layout) paragraph(lines []string, f face, left, top float64, c color.RGBA) float64 {
	for _, line := range lines {
		l.write(line, f, left, top+(f.lineHeight()-f.size)/2+ascent*f.size, c)
		top += f.lineHeight()
	}
	return top
}

// shorten wraps a name as nameLines does and remembers what it was short for.
func (l *layout) shorten(name string, f face, width float64, most int) []string {
	lines := nameLines(name, f, width, most)
	for _, line := range lines {
		if strings.Contains(line, "…") && line != name {
			l.remember(line, name)
		}
	}
	return lines
}

// remember notes what a shortened line stands for.
func (l *layout) remember(line, name string) {
	if l.full == nil {
		l.full = map[string]string{}
	}
	if before, ok := l.full[line]; ok && before != name {
		name = "" // it could be either
	}
	l.full[line] = name
}

// header writes title, subtitle and legend and gives the place below them.
func (l *layout) header(keys []key) float64 {
	room := l.width - 2*margin
	y := 24.0
	y = l.paragraph(paragraph(l.figure.title, l.title, room, 3), l.title, margin, y, l.theme.Ink)
	y = l.paragraph(paragraph(l.subtitle, l.text, room, 3), l.text, margin, y+2, l.theme.Muted)
	if l.inPanel {
		return y + 4
	}
	return l.legend(keys, y+10)
}

// footLines are the notes and the source; source is the last paragraph.
func (l *layout) footLines() []string {
	if l.foot == nil && !l.inPanel {
		for _, note := range append(l.notes, l.source) {
			l.foot = append(l.foot, paragraph(note, l.small, l.width-2*margin, 4)...)
		}
	}
	return l.foot
}

// footHeight is what footer will take, the margin below it included.
func (l *layout) footHeight() float64 {
	if n := len(l.footLines()); n > 0 {
		return 14 + float64(n)*l.small.lineHeight() + 22
	}
	return 22
}

// footer writes notes and source and so ends the canvas.
func (l *layout) footer(top float64) {
	l.height = math.Ceil(top + l.footHeight())
	l.paragraph(l.footLines(), l.small, margin, top+14, l.theme.Muted)
}

// axisTitle says what an axis measures, in what unit and which direction is
// the better one.
func (l *layout) axisTitle(q quantity, log bool) string {
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

// empty draws a frame that says there is nothing to show.
func (l *layout) empty() {
	top := l.header(nil) + 8
	bottom := max(top+120, float64(l.theme.Height)-l.footHeight())
	frame := box{margin, top, l.width - margin, bottom}
	l.rect(frame, l.theme.Grid)
	l.rect(frame.grow(-2), l.theme.Background)
	s := l.words.Words("chart.missing")
	l.write(s, l.text, frame.centre().x-l.text.width(s)/2, frame.centre().y+middle*l.text.size, l.theme.Muted)
	l.footer(bottom)
}
