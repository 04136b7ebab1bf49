package chart

import (
	"math"

	"github.com/benchpost/benchpost/generator/chart/font"
	"github.com/benchpost/benchpost/generator/chart/png"
	"github.com/benchpost/benchpost/generator/chart/raster"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
)

// Card is the preview picture of a page for links to it: the page's title, a description or a chart, and the
// site's name.
type Card struct {
	Title string
	Text  string
	Site  string
	Date  string
	Chart *report.Chart // drawn instead of the text, if it is legible at that size; may be nil
}

// The size of a card in pixels, as required by the sites that show cards.
const (
	CardWidth  = 1200
	CardHeight = 630
)

// DrawCard draws a card as PNG. It shortens a title that is too long for its lines.
func DrawCard(c Card, p locale.Printer, t Theme) (Image, error) {
	t.Width, t.Height, t.Scale = CardWidth, CardHeight, 1
	l, err := newLayout(report.Chart{}, p, t)
	if err != nil {
		return Image{}, err
	}
	const left, room = 96, CardWidth - 96 - 72
	l.rect(box{0, 0, 24, CardHeight}, t.Series[0])
	l.height = CardHeight
	small := font.Face{Stack: l.text.Stack, Size: 28}
	say := func(s string) string { return l.set.Clean(s) }

	drawn := c.draw(p, t)
	if drawn != nil {
		defer drawn.Release()
	}
	title := font.Face{Stack: l.heading.Stack, Size: 68, Bold: true}
	if drawn != nil {
		title.Size = 40
	}
	lines, fits := title.Wrap(say(c.Title), room)
	for size := 62.0; (!fits || len(lines) > 3) && size >= 44; size -= 6 {
		title.Size = size
		lines, fits = title.Wrap(say(c.Title), room)
	}
	most := 4
	if drawn != nil {
		most = 2
	}
	if len(lines) > most || !fits {
		lines = title.Paragraph(say(c.Title), room, most)
	}
	if drawn != nil {
		c.Text = ""
	}
	text := font.Face{Stack: l.text.Stack, Size: 32}.Paragraph(say(c.Text), room, 3)
	height := float64(len(lines))*1.2*title.Size + 24 + float64(len(text))*1.35*32
	y := max(72, math.Round((CardHeight-100-height)/2))
	if drawn != nil {
		y = 36
	}
	for _, line := range lines {
		l.write(line, title, left, y+font.Ascent*title.Size, t.Ink)
		y += 1.2 * title.Size
	}
	y += 24
	for _, line := range text {
		l.write(line, font.Face{Stack: l.text.Stack, Size: 32}, left, y+font.Ascent*32, t.Muted)
		y += 1.35 * 32
	}
	foot := say(c.Site)
	if c.Date != "" {
		foot += "  ·  " + c.Date
	}
	l.horizontal(left, CardWidth-72, CardHeight-92, 2, t.Grid)
	for _, line := range small.NameLines(foot, room, 1) { // no lines for a site without a name
		l.write(line, small, left, CardHeight-48, t.Muted)
	}

	canvas := newPaletted(CardWidth, CardHeight, 1, t.colours())
	for _, draw := range l.items {
		draw(canvas)
	}
	defer canvas.Release()
	if drawn != nil {
		size := drawn.Image.Rect.Size()
		canvas.Copy(drawn, left+(room-size.X)/2, int(y)+(CardHeight-100-int(y)-size.Y)/2)
	}
	return Image{PNG: png.Encode(canvas.Image), Width: CardWidth, Height: CardHeight, Warnings: l.set.Warnings()}, nil
}

// The room of a chart on a card, below a title of two lines, and the least scale at which its text is legible
// there.
const (
	cardChartWidth  = CardWidth - 96 - 72
	cardChartHeight = 370
	cardChartScale  = 0.5
)

// draw draws the chart of a card without its notes. It returns nil if there is no chart, or if the chart shows
// too much for so little room.
func (c Card) draw(p locale.Printer, t Theme) *raster.Canvas {
	if c.Chart == nil {
		return nil
	}
	t.Height, t.Scale = t.Width*cardChartHeight/cardChartWidth, 1
	l, err := lay(*c.Chart, p, t)
	if err != nil {
		return nil
	}
	height := l.height
	if l.bare > 0 {
		height = l.bare
	}
	scale := min(cardChartWidth/l.width, cardChartHeight/height)
	if scale < cardChartScale {
		return nil
	}
	l.theme.Scale = scale
	canvas := newPaletted(int(scale*l.width), int(scale*height), scale, l.theme.colours())
	for i, draw := range l.items {
		if i < l.footFrom || i >= l.footTo {
			draw(canvas)
		}
	}
	return canvas.Canvas
}
