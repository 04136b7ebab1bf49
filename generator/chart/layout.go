package chart

import (
	"math"

	"github.com/benchpost/benchpost/generator/chart/font"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// margin is the free space at the edges of the canvas.
const margin = 36

// layout places the parts of a figure and collects the functions that draw them. It has what all kinds share. A
// kind is a layout with methods of its own (kinds.go).
type layout struct {
	figure
	axes

	height float64 // known at the end
	bare   float64 // the height without notes
	foot   []string

	footFrom, footTo int  // the items that draw the foot: from footFrom to before footTo
	inPanel          bool // one of several small charts, which share legend and notes
	lane             bool // one of several small charts that are drawn one below another
	messages         []result.Message
}

func newLayout(c report.Chart, p locale.Printer, t Theme) (*layout, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	regular, bold, err := font.Stacks(t.Regular, t.Bold, t.Machine)
	if err != nil {
		return nil, err
	}
	l := &layout{axes: axes{words: p, lettering: lettering{
		pen:     pen{theme: t},
		set:     font.NewSetter(regular, bold, p.Lang()),
		heading: font.Face{Stack: bold, Size: 1.5 * t.TextSize, Bold: true},
		text:    font.Face{Stack: regular, Size: t.TextSize},
		small:   font.Face{Stack: regular, Size: math.Round(0.88 * t.TextSize)},
		width:   float64(t.Width),
	}}}
	l.figure, l.messages = newFigure(c, p, l.set, len(t.Series))
	return l, nil
}

// warnings reports what could not be shown as requested.
func (l *layout) warnings() []result.Message {
	ms := append(l.messages, l.set.Warnings()...)
	if len(l.crowded) > 0 {
		ms = append(ms, result.Message{
			Severity: result.Warning,
			ID:       "chart.label",
			Text:     locale.Textf("no room for %s", locale.Few(l.crowded, 5)),
			Hint:     locale.Textf("shorten names, or show fewer points"),
		})
	}
	return ms
}

// logarithmic reports whether an axis is logarithmic: as requested or, if the scale is automatic, depending on
// the span of the values. It warns if a requested logarithmic axis is impossible.
func (l *layout) logarithmic(q quantity, s span) bool {
	if q.scale == report.Log && s.min <= 0 {
		l.messages = append(l.messages, result.Message{Severity: result.Warning, ID: "chart.log",
			Text: locale.Textf("%q cannot have a log axis: its lowest value is %g", l.figure.called(), s.min),
			Hint: locale.Textf("a linear axis was drawn")})
	}
	return q.scale == report.Log && s.min > 0 || q.scale == report.Auto && s.wide()
}

// header writes title, subtitle and legend and returns the y below them.
func (l *layout) header(keys []key) float64 {
	room := l.width - 2*margin
	y := 24.0
	y = l.paragraph(l.heading.Paragraph(l.figure.title, room, 3), l.heading, margin, y, l.theme.Ink)
	y = l.paragraph(l.text.Paragraph(l.subtitle, room, 3), l.text, margin, y+2, l.theme.Muted)
	if l.inPanel {
		return y + 4
	}
	return l.legend(keys, y+10)
}

// footLines returns the lines of the notes and of the source, which is the last paragraph.
func (l *layout) footLines() []string {
	if l.foot == nil && !l.inPanel {
		for _, note := range append(l.notes, l.source) {
			l.foot = append(l.foot, l.small.Paragraph(note, l.width-2*margin, 4)...)
		}
	}
	return l.foot
}

// footHeight returns the height that footer will take, including the margin below.
func (l *layout) footHeight() float64 {
	if n := len(l.footLines()); n > 0 {
		return 14 + float64(n)*l.small.LineHeight() + belowFoot
	}
	return belowFoot
}

// belowFoot is the free space at the lower edge.
const belowFoot = 22

// footer writes notes and source and sets the height of the canvas.
func (l *layout) footer(top float64) {
	l.height, l.bare = math.Ceil(top+l.footHeight()), math.Ceil(top+belowFoot)
	l.footFrom = len(l.items)
	l.paragraph(l.footLines(), l.small, margin, top+14, l.theme.Muted)
	l.footTo = len(l.items)
}

// empty draws a frame with the text that there are no data.
func (l *layout) empty() {
	top := l.header(nil) + 8
	bottom := max(top+120, float64(l.theme.Height)-l.footHeight())
	frame := box{margin, top, l.width - margin, bottom}
	l.rect(frame, l.theme.Grid)
	l.rect(frame.grow(-2), l.theme.Background)
	s := l.words.Words("chart.missing")
	l.write(s, l.text, frame.centre().x-l.text.Width(s)/2, frame.centre().y+font.Middle*l.text.Size, l.theme.Muted)
	l.footer(bottom)
}

// gaps returns what is missing from the lines: the names of places without a value, or the name of a line
// without any value.
func (l *layout) gaps() []string {
	if l.form != report.Straight {
		return nil
	}
	var names []string
	for _, s := range l.series {
		var at []string
		for k, v := range s.values {
			switch {
			case v.missing && l.kind == report.Slope:
				at = append(at, l.categories[k])
			case v.missing:
				at = append(at, l.placeName(v.x))
			}
		}
		switch {
		case len(at) == len(s.values):
			names = append(names, s.name)
		case len(at) > 0 && s.name != "":
			names = append(names, l.words.Words("chart.axis", s.name, l.words.List(at)))
		default:
			names = append(names, at...)
		}
	}
	return names
}

// valueScale decides how values are spaced: linear; logarithmic if they are far apart; or, if zeros occur too,
// logarithmic but linear next to zero.
func (l *layout) valueScale(q quantity, s span) axis {
	least := math.Inf(1)
	for _, series := range l.series {
		for i := range series.values {
			if v := &series.values[i]; !v.missing && v.y > 0 {
				least = min(least, v.y)
			}
		}
	}
	if s.min == 0 && s.max > 0 && (q.scale == report.Log || q.scale == report.Auto && s.max/least > logSpan) && l.form != report.Stair {
		return axis{log: true, zero: least}
	}
	a := axis{log: l.logarithmic(q, s)}
	return a
}

// reached returns the span of values and of their intervals, as far as the axis can show the intervals.
func (l *layout) reached(a axis, values span) span {
	s := l.valueSpan()
	if a.log && s.min <= 0 {
		s.min = values.min
	}
	return s
}
