package chart

import (
	"math"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/report"
)

// cellChart is a heat map.
type cellChart struct{ *layout }

// shades is how many colours cells have, from the background towards the first
// colour of the series.
const shades = 9

// heatMap draws a cell for each category and series, the darker the greater, with
// the value written in it.
func (l cellChart) heatMap() {
	s, _ := l.span(value.getY)
	scale := axis{log: l.y.scale == report.Log && s.min > 0 || l.y.scale == report.Auto && s.wide(), start: 0, end: 1}.fit(s, 0, 0)
	top := l.header(l.doubtKeysOfCells())
	top = l.paragraph(paragraph(l.axisTitle(l.y, scale.log), l.small, l.width-2*margin, 2), l.small, margin, top+8, l.theme.Muted) + 14
	names, widest := l.rowNames()
	plot := box{margin + widest + 16, top, l.width - margin, 0}
	width := plot.width() / float64(len(l.series))
	above := width < l.widestLabel()+10 // no room beside the names: they are above their rows
	if above {
		plot.x0 = margin
		width = plot.width() / float64(len(l.series))
	}
	heads := 1
	var titles [][]string
	for _, series := range l.series {
		lines := nameLines(series.name, l.small, width-8, 2)
		titles = append(titles, lines)
		heads = max(heads, len(lines))
	}
	for k, lines := range titles {
		for n, line := range lines {
			baseline := top + float64(heads-len(lines)+n)*1.15*l.small.size + ascent*l.small.size
			l.write(line, l.small, plot.x0+width*(float64(k)+0.5)-l.small.width(line)/2, baseline, l.theme.Muted)
		}
	}
	y := top + float64(heads)*1.15*l.small.size + 10
	height := max(1.9*l.small.size, min(64, (float64(l.theme.Height)-l.footHeight()-y)/float64(len(l.categories))))
	for i, lines := range names {
		if above {
			name := l.shorten(l.categories[i], l.text, plot.width(), 2)
			y = l.paragraph(name, l.text, margin, y+4, l.theme.Ink) + 2
			lines = nil
		}
		rowHeight := max(height, float64(len(lines))*1.15*l.text.size+8)
		baseline := y + rowHeight/2 - 1.15*l.text.size*float64(len(lines)-1)/2 + middle*l.text.size
		for _, line := range lines {
			l.write(line, l.text, plot.x0-16-l.text.width(line), baseline, l.theme.Ink)
			baseline += 1.15 * l.text.size
		}
		for k, series := range l.series {
			cell := box{plot.x0 + width*float64(k), y, plot.x0 + width*float64(k+1), y + rowHeight}.grow(-1.5)
			v := series.values[i]
			if v.missing {
				l.cell(v, cell, scale)
				continue
			}
			l.filled(l.card(k, v, l.cellTitle(i, k), l.valueRow(v, v.label)), cell, func() { l.cell(v, cell, scale) })
		}
		y += rowHeight
	}
	l.footer(y + 6)
}

// cellTitle names a cell by its row and its column.
func (l cellChart) cellTitle(category, series int) string {
	return strings.Join(slices.DeleteFunc([]string{l.categories[category], l.series[series].name}, func(s string) bool { return s == "" }), " · ")
}

func (l cellChart) cell(v value, b box, scale axis) {
	text, ink := v.label, l.theme.Ink
	switch {
	case v.missing:
		l.rect(b, l.theme.Grid)
		l.rect(b.grow(-1), l.theme.Background)
		text, ink = "–", l.theme.Muted
	case v.hollow:
		l.rect(b, l.theme.Muted)
		l.rect(b.grow(-3), l.theme.Background)
	default:
		level := int(math.Round((0.08 + 0.92*scale.at(v.y)) * shades))
		colour := l.theme.shade(level, shades)
		l.rect(b, colour)
		if contrast(l.theme.Background, colour) > contrast(ink, colour) {
			ink = l.theme.Background
		}
	}
	if l.small.width(text) > b.width()-6 {
		l.crowded = append(l.crowded, text)
		return
	}
	l.write(text, l.small, b.centre().x-l.small.width(text)/2, b.centre().y+middle*l.small.size, ink)
}

func (l *layout) doubtKeysOfCells() []key {
	if !l.some(value.excluded) {
		return nil
	}
	return []key{{l.words.Words("chart.quarantined"), false, func(at point) {
		b := box{at.x - 16, at.y - 11, at.x + 16, at.y + 11}
		l.rect(b, l.theme.Muted)
		l.rect(b.grow(-3), l.theme.Background)
	}}}
}
