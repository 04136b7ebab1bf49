package chart

import (
	"math"

	"github.com/benchpost/benchpost/generator/chart/png"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
)

// Card represents a post where it is linked: its title, what it is about,
// and where it is from.
type Card struct {
	Title string
	Text  string
	Site  string
	Date  string
}

// The size of a card in pixels, as the sites that show them ask for.
const (
	CardWidth  = 1200
	CardHeight = 630
)

// DrawCard draws a card as PNG. A title too long for its lines is shortened.
func DrawCard(c Card, p locale.Printer, t Theme) (Image, error) {
	t.Width, t.Height, t.Scale = CardWidth, CardHeight, 1
	l, err := newLayout(report.Chart{}, p, t)
	if err != nil {
		return Image{}, err
	}
	const left, room = 96, CardWidth - 96 - 72
	l.rect(box{0, 0, 24, CardHeight}, t.Series[0])
	l.height = CardHeight
	small := face{l.text.weight, 28, false}
	say := func(s string) string { return l.set.clean(s) }

	title := face{l.heading.weight, 68, true}
	lines, fits := wrap(say(c.Title), title, room)
	for size := 62.0; (!fits || len(lines) > 3) && size >= 44; size -= 6 {
		title.size = size
		lines, fits = wrap(say(c.Title), title, room)
	}
	if len(lines) > 4 || !fits {
		lines = paragraph(say(c.Title), title, room, 4)
	}
	text := paragraph(say(c.Text), face{l.text.weight, 32, false}, room, 3)
	height := float64(len(lines))*1.2*title.size + 24 + float64(len(text))*1.35*32
	y := max(72, math.Round((CardHeight-100-height)/2))
	for _, line := range lines {
		l.write(line, title, left, y+ascent*title.size, t.Ink)
		y += 1.2 * title.size
	}
	y += 24
	for _, line := range text {
		l.write(line, face{l.text.weight, 32, false}, left, y+ascent*32, t.Muted)
		y += 1.35 * 32
	}
	foot := say(c.Site)
	if c.Date != "" {
		foot += "  ·  " + c.Date
	}
	l.horizontal(left, CardWidth-72, CardHeight-92, 2, t.Grid)
	l.write(nameLines(foot, small, room, 1)[0], small, left, CardHeight-48, t.Muted)

	canvas := newPaletted(CardWidth, CardHeight, 1, t.colours())
	for _, draw := range l.items {
		draw(canvas)
	}
	defer canvas.release()
	return Image{PNG: png.Encode(canvas.image), Width: CardWidth, Height: CardHeight, Warnings: l.set.warnings()}, nil
}
