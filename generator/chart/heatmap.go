package chart

import (
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/chart/font"
	"github.com/benchpost/benchpost/generator/report"
)

// cellChart is a heat map.
type cellChart struct{ *layout }

// shades is the number of colours of cells, from the background to the first colour of the series.
const shades = 9

// heatMap draws a cell for each category and series. A greater value is darker. Values are written in the cells
// if all of them fit.
func (l cellChart) heatMap() {
	s, _ := l.span((*value).getY)
	scale := axis{log: l.y.scale == report.Log && s.min > 0 || l.y.scale == report.Auto && s.wide(), start: 0, end: 1}.fit(s, 0, 0)
	top := l.header(l.doubtKeysOfCells())
	top = l.paragraph(l.small.Paragraph(l.axisTitle(l.y, scale.log), l.width-2*margin, 2), l.small, margin, top+8, l.theme.Muted)
	top = l.shadeKey(s, scale, top+8) + 14
	names, widest := l.rowNames()
	plot := box{margin + widest + 16, top, l.width - margin, 0}
	width := plot.width() / float64(len(l.series))
	whole := (l.width - 2*margin) / float64(len(l.series))
	widestLabel := l.small.Width("0")
	if widestLabel <= whole { // otherwise not even a digit has room
		widestLabel = l.widestLabel()
	}
	// If values do not fit beside the names, the names are written above their rows.
	above := width < widestLabel+10 && whole >= widestLabel+10
	if above {
		plot.x0 = margin
		width = plot.width() / float64(len(l.series))
	}
	written := width >= widestLabel+6
	y := l.columnHeads(plot, width) + 10
	height := max(1.9*l.small.Size, min(64, (float64(l.theme.Height)-l.footHeight()-y)/float64(len(l.categories))))
	for i, lines := range names {
		if above {
			name := l.shorten(l.categories[i], l.text, plot.width(), 2)
			y = l.paragraph(name, l.text, margin, y+4, l.theme.Ink) + 2
			lines = nil
		}
		rowHeight := max(height, float64(len(lines))*1.15*l.text.Size+8)
		baseline := y + rowHeight/2 - 1.15*l.text.Size*float64(len(lines)-1)/2 + font.Middle*l.text.Size
		for _, line := range lines {
			l.write(line, l.text, plot.x0-16-l.text.Width(line), baseline, l.theme.Ink)
			baseline += 1.15 * l.text.Size
		}
		l.cells(i, box{plot.x0, y, plot.x0 + width, y + rowHeight}, scale, written)
		y += rowHeight
	}
	l.footer(y + 6)
}

// shadeKey draws the legend of the shades with the least and the greatest value, and returns the y below it.
func (l cellChart) shadeKey(s span, scale axis, top float64) float64 {
	const width, height = 30, 18
	if s.min == s.max {
		return top
	}
	baseline := top + height/2 + font.Middle*l.small.Size
	low, high := l.y.write(s.min, ""), l.y.write(s.max, "")
	l.write(low, l.small, margin, baseline, l.theme.Muted)
	x := margin + l.small.Width(low) + 10
	for n := level(0); n <= level(1); n++ {
		l.rect(box{x, top, x + width, top + height}, l.theme.shade(n, shades))
		x += width
	}
	l.write(high, l.small, x+10, baseline, l.theme.Muted)
	return top + max(height, l.small.LineHeight())
}

// level returns the shade of a value at a place on the scale, from 0 to 1.
func level(at float64) int { return int(math.Round((0.08 + 0.92*at) * shades)) }

// columnHeads writes the names of the columns, starting at the top of the plot, and returns the y below them.
// If columns are too narrow for names that are numbers, only every n-th is written. Other names that do not fit
// are replaced by numbers, which a note explains.
func (l cellChart) columnHeads(plot box, width float64) float64 {
	names, every := l.columnNames(width)
	lines := 1
	for _, name := range names {
		lines = max(lines, len(name))
	}
	for k := 0; k < len(names); k += every {
		for n, line := range names[k] {
			baseline := plot.y0 + float64(lines-len(names[k])+n)*1.15*l.small.Size + font.Ascent*l.small.Size
			at := plot.x0 + width*(float64(k)+0.5) - l.small.Width(line)/2
			l.write(line, l.small, max(at, margin/4), baseline, l.theme.Muted)
		}
	}
	return plot.y0 + float64(lines)*1.15*l.small.Size
}

// columnNames returns the lines of each column's name. Only every n-th name (every) has room.
func (l cellChart) columnNames(width float64) (names [][]string, every int) {
	widest, whole, figures := 0.0, true, true
	for _, series := range l.series {
		lines, fits := l.small.Wrap(series.name, width-8)
		names = append(names, lines)
		whole = whole && fits && len(lines) <= 2
		widest = max(widest, l.small.Width(series.name))
		figures = figures && strings.ContainsAny(series.name, "0123456789") && len(series.name) <= 8
	}
	if whole {
		return names, 1
	}
	room := func(widest float64) int { return int(math.Ceil((widest + 8) / width)) }
	if figures {
		for k, series := range l.series {
			names[k] = []string{series.name}
		}
		return names, room(widest)
	}
	if width >= 60 { // enough of a name to recognise it
		for k, series := range l.series {
			names[k] = l.shorten(series.name, l.small, width-8, 2)
		}
		return names, 1
	}
	var meant []string
	for k, series := range l.series {
		names[k] = []string{strconv.Itoa(k + 1)}
		meant = append(meant, strconv.Itoa(k+1)+" "+series.name)
	}
	for some := range slices.Chunk(meant, 8) { // a note that is too long would be cut
		l.notes = append(l.notes, l.words.Words("chart.columns", l.words.List(some)))
	}
	l.foot = nil // the notes have grown
	return names, room(l.small.Width("00"))
}

// cellTitle returns the title of a cell: its row and its column.
func (l cellChart) cellTitle(category, series int) string {
	row, column := l.categories[category], l.series[series].name
	if row == "" || column == "" {
		return row + column
	}
	return row + " · " + column
}

// cells draws the values of a row, starting with the given box, and writes them if written is set. The row is
// one item, because there may be thousands of cells.
func (l cellChart) cells(i int, first box, scale axis, written bool) {
	width := first.width()
	cell := func(k int) box {
		return box{first.x0 + width*float64(k), first.y0, first.x0 + width*float64(k+1), first.y1}.grow(-min(1.5, width/10))
	}
	baseline := first.centre().y + font.Middle*l.small.Size
	left := func(k int, text string) float64 { return cell(k).centre().x - l.small.Width(text)/2 }
	texts := make([]string, len(l.series))
	for k := 0; k < len(texts) && written; k++ {
		if text := l.series[k].values[i].text(); l.take(text, boxOf(l.small, text, left(k, text), baseline)) {
			texts[k] = text
		}
	}
	l.items = append(l.items, func(on canvas) {
		var cards []card
		var figures []row
		if !on.silent() {
			cards, figures = make([]card, len(texts)), make([]row, len(texts))
		}
		for k, text := range texts {
			v := &l.series[k].values[i]
			pointed := !v.missing && !on.silent()
			if pointed {
				figures[k] = l.valueRow(v, v.text())
				cards[k] = l.card(k, v, l.cellTitle(i, k), figures[k:k+1:k+1]...)
				on.open(group{place: anchor{name: "mark", first: true}, card: &cards[k]})
			}
			l.cell(on, v, cell(k), scale)
			if text != "" {
				on.text(text, left(k, text), baseline, l.small, l.inkOver(v, scale))
			}
			if pointed {
				on.close()
			}
		}
	})
}

// cell draws the box of a value.
func (l cellChart) cell(on canvas, v *value, b box, scale axis) {
	switch {
	case v.missing:
		on.rect(b, l.theme.Grid)
		on.rect(b.grow(-1), l.theme.Background)
	case v.hollow:
		on.rect(b, l.theme.Muted)
		on.rect(b.grow(-min(3, b.width()/4)), l.theme.Background)
	default:
		on.rect(b, l.shadeOf(v, scale))
	}
}

func (l cellChart) shadeOf(v *value, scale axis) color.RGBA {
	return l.theme.shade(level(scale.at(v.y)), shades)
}

// inkOver returns the colour in which a value is written in its cell.
func (l cellChart) inkOver(v *value, scale axis) color.RGBA {
	switch {
	case v.missing:
		return l.theme.Muted
	case v.hollow:
		return l.theme.Ink
	}
	if shade := l.shadeOf(v, scale); contrast(l.theme.Background, shade) > contrast(l.theme.Ink, shade) {
		return l.theme.Background
	}
	return l.theme.Ink
}

func (l *layout) doubtKeysOfCells() []key {
	if !l.some((*value).excluded) {
		return nil
	}
	return []key{{l.words.Words("chart.quarantined"), false, func(at point) {
		b := box{at.x - 16, at.y - 11, at.x + 16, at.y + 11}
		l.rect(b, l.theme.Muted)
		l.rect(b.grow(-3), l.theme.Background)
	}}}
}
