package chart

import (
	"cmp"
	"image/color"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/chart/font"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// key is an entry of the legend; draw draws its sign around a centre.
type key struct {
	name   string
	series bool // it names a series, which a reader can hide
	draw   func(at point)
}

// legend writes the keys in as many lines as they need and returns the y below them.
func (l *layout) legend(keys []key, top float64) float64 { return l.signs(keys, 15, top) }

// signs writes keys whose signs have a radius, and returns the y below them.
func (l *layout) signs(keys []key, radius, top float64) float64 {
	if len(keys) == 0 {
		return top
	}
	const gap = 34
	sign, line := 2*radius+14, max(l.text.LineHeight()*1.1, 2*radius+4)
	x := float64(margin)
	for _, k := range keys {
		name := strings.Join(l.text.NameLines(k.name, l.width-2*margin-sign, 1), "")
		width := sign + l.text.Width(name)
		if x > margin && x+width > l.width-margin {
			x, top = margin, top+line
		}
		draw := func() {
			k.draw(point{x + sign/2 - 5, top + line/2})
			l.write(name, l.text, x+sign, top+line/2+font.Middle*l.text.Size, l.theme.Ink)
		}
		if k.series {
			l.keyed(k.name, box{x, top, x + width, top + line}, draw)
		} else {
			draw()
		}
		x += width + gap
	}
	return top + line
}

// markKeys returns the legend of a chart of marks: its series if there are several, and the meaning of hollow
// and grey marks where they occur.
func (l *layout) markKeys(radius float64) []key {
	var keys []key
	if len(l.series) > 1 {
		for i, s := range l.series {
			keys = append(keys, key{s.name, true, func(at point) { l.mark(at, radius, l.style(i), false) }})
		}
	}
	if len(l.frontier) > 0 {
		keys = append(keys, key{l.words.Words("chart.frontier"), false, func(at point) {
			l.line([]point{{at.x - 17, at.y}, {at.x + 19, at.y}}, 2.5, dashes, l.frontierColour())
		}})
	}
	// If marks have sizes and there are several series, only grey names show which marks are dominated.
	if l.some(func(v *value) bool { return v.grey && !v.missing }) && (len(l.series) == 1 || l.largest() == 0) {
		keys = append(keys, key{l.words.Words("chart.dominated"), false, func(at point) {
			l.mark(at, l.dominatedRadius(radius), style{l.theme.Dominated, 0}, false)
		}})
	}
	return append(keys, l.doubtKeys(radius)...)
}

// lineKeys returns the legend of a chart of lines: the series (unless named is false because their names are at
// the lines), and the meaning of hollow marks, rings and bars where they occur.
func (l *layout) lineKeys(named bool) []key {
	var keys []key
	if named && len(l.series) > 1 {
		for i, s := range l.series {
			if s.name == "" || s.dim { // a single line in its lane, or one of many grey ones
				continue
			}
			keys = append(keys, key{s.name, true, func(at point) {
				l.line([]point{{at.x - 17, at.y}, {at.x + 17, at.y}}, lineWidth, dash(l, i), l.style(i).colour)
				l.mark(at, lineRadius, l.style(i), false)
			}})
		}
	}
	return append(keys, l.doubtKeys(lineRadius)...)
}

// doubtKeys returns the legend of marks in doubt.
func (l *layout) doubtKeys(radius float64) []key {
	var keys []key
	grey := style{l.theme.Muted, 0}
	if l.some((*value).excluded) {
		keys = append(keys, key{l.words.Words("chart.quarantined"), false, func(at point) { l.mark(at, radius, grey, true) }})
	}
	return append(keys, l.ringKeys(radius)...)
}

// ringKeys returns the legend of rings and error bars.
func (l *layout) ringKeys(radius float64) []key {
	var keys []key
	grey := style{l.theme.Muted, 0}
	if l.some((*value).ringed) {
		keys = append(keys, key{l.words.Words("chart.warned"), false, func(at point) { l.markValue(at, radius, grey, value{ring: true}) }})
	}
	if l.some(func(v *value) bool { return v.spread && !v.missing }) {
		keys = append(keys, key{l.words.Words("chart.interval"), false, func(at point) { l.interval(at.x, at.y+12, at.y-12, grey) }})
	}
	return keys
}

// barMark is the radius of the mark that identifies the series of a bar for readers who do not see its colour.
const barMark = 6.5

// barKeys returns the legend of bars.
func (l *layout) barKeys() []key {
	var keys []key
	swatch := func(c color.RGBA, shape int, hollow bool) func(point) {
		return func(at point) {
			l.bar(box{at.x - 17, at.y - 12, at.x + 17, at.y + 12}, c, hollow)
			if shape >= 0 {
				l.shape(at, barMark, shape, l.theme.Background)
			}
		}
	}
	if len(l.series) > 1 {
		for i, s := range l.series {
			st := l.style(i)
			keys = append(keys, key{s.name, true, swatch(st.colour, st.shape, false)})
		}
	}
	if l.some((*value).excluded) {
		keys = append(keys, key{l.words.Words("chart.quarantined"), false, swatch(l.theme.Muted, -1, true)})
	}
	return append(keys, l.ringKeys(endMark)...)
}

// boxMark is the radius of the mark on a median that identifies the series for readers who do not see its
// colour.
const boxMark = 5

// boxKeys returns the legend of boxes: the series, and the meaning of an empty box where one occurs.
func (l *layout) boxKeys() []key {
	var keys []key
	sign := func(at point, st style, hollow bool) {
		b := box{at.x - 14, at.y - 10, at.x + 14, at.y + 10}
		l.rect(b, st.colour)
		if hollow {
			l.rect(b.grow(-2), l.theme.Background)
		}
	}
	if len(l.series) > 1 {
		for i, s := range l.series {
			keys = append(keys, key{s.name, true, func(at point) {
				sign(at, l.style(i), false)
				l.mark(at, boxMark, l.style(i), false)
			}})
		}
	}
	if l.some((*value).excluded) {
		keys = append(keys, key{l.words.Words("chart.quarantined"), false, func(at point) { sign(at, style{l.theme.Muted, 0}, true) }})
	}
	return keys
}

const (
	mostLines  = 12 // lines that colours can distinguish
	namedLines = 6  // of more lines, so many with the greatest weight keep their colours and names
)

// dimMost makes all lines grey except the few with the greatest weight, if there are too many. It explains the
// selection in a note and reports it as a warning.
func dimMost(l *layout, weight func(series int) float64, note string) {
	if len(l.series) <= mostLines || l.inPanel || l.form != report.Straight {
		return
	}
	order := make([]int, len(l.series))
	for i := range order {
		order[i], l.series[i].dim = i, true
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight(b), weight(a)) })
	taken := map[any]bool{} // taken colours and shapes
	for _, i := range order[:namedLines] {
		s := &l.series[i]
		s.dim = false
		st := l.theme.style(s.style)
		for n := 0; n < len(l.theme.Series)*len(shapes) && (taken[st.colour] || taken[st.shape]); n++ { // few colours may run out
			s.style++
			st = l.theme.style(s.style)
		}
		taken[st.colour], taken[st.shape] = true, true
	}
	l.notes = append(l.notes, l.words.Words(note, namedLines, len(l.series)))
	l.messages = append(l.messages, result.Message{Severity: result.Warning, ID: "chart.lines",
		Text: locale.Textf("%q: %d lines are too many to distinguish; %d are in colour", l.figure.called(), len(l.series), namedLines),
		Hint: locale.Textf(`select at most %d in where, or write panel, or kind = "heatmap"`, mostLines)})
}

// behind returns the indexes of the series in drawing order: grey ones first, so that they lie behind the
// others.
func behind(all []series) []int {
	var grey, others []int
	for i := range all {
		if all[i].dim {
			grey = append(grey, i)
		} else {
			others = append(others, i)
		}
	}
	return append(grey, others...)
}

// dash returns the dash pattern of a line, which distinguishes lines of the same colour.
func dash(l *layout, i int) []float64 {
	if len(l.series) > mostLines && !l.inPanel { // no two share a colour, or all others are grey
		return nil
	}
	return lineDashes[i/len(l.theme.Series)%len(lineDashes)]
}
