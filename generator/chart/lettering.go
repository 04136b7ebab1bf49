package chart

import (
	"github.com/benchpost/benchpost/generator/chart/font"
	"image/color"
	"math"
	"strings"
)

// lettering places texts. No text overlaps another or extends beyond the canvas.
type lettering struct {
	pen
	set                  *font.Setter
	heading, text, small font.Face
	width                float64           // of the canvas
	labels               []box             // the boxes of the placed texts
	full                 map[string]string // full names by their shortened lines; "" if ambiguous
	crowded              []string          // texts that had no room
}

// free reports whether a text may be placed in a box.
func (l *lettering) free(b box) bool {
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

// write places a text with its left end on a baseline, if that place is free. Otherwise a warning reports the
// text.
func (l *lettering) write(s string, f font.Face, left, baseline float64, c color.RGBA) {
	if l.take(s, boxOf(f, s, left, baseline)) {
		l.items = append(l.items, func(on canvas) { on.text(s, left, baseline, f, c) })
	}
}

// label writes a text into the plot, on a background that hides the grid behind it.
func (l *lettering) label(s string, f font.Face, left, baseline float64, c color.RGBA) {
	b := boxOf(f, s, left, baseline)
	if l.take(s, b) {
		l.rect(box{max(b.x0-2, 0), baseline - 0.8*f.Size, min(b.x1+2, l.width), baseline + 0.1*f.Size}, l.theme.Background)
		l.items = append(l.items, func(on canvas) { on.text(s, left, baseline, f, c) })
	}
}

func (l *lettering) take(s string, b box) bool {
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

// paragraph writes lines from top down and returns the y below them.
func (l *lettering) paragraph(lines []string, f font.Face, left, top float64, c color.RGBA) float64 {
	for _, line := range lines {
		l.write(line, f, left, top+(f.LineHeight()-f.Size)/2+font.Ascent*f.Size, c)
		top += f.LineHeight()
	}
	return top
}

// shorten wraps a name as NameLines does and records the full name of each shortened line.
func (l *lettering) shorten(name string, f font.Face, width float64, most int) []string {
	lines := f.NameLines(name, width, most)
	for _, line := range lines {
		if strings.Contains(line, "…") && line != name {
			l.remember(line, name)
		}
	}
	return lines
}

// remember records the full name of a shortened line.
func (l *lettering) remember(line, name string) {
	if l.full == nil {
		l.full = map[string]string{}
	}
	if before, ok := l.full[line]; ok && before != name {
		name = "" // the line is ambiguous
	}
	l.full[line] = name
}

// boxOf returns the box of a line of text.
func boxOf(f font.Face, s string, left, baseline float64) box {
	return box{left, baseline - font.Ascent*f.Size, left + f.Width(s), baseline + font.Descent*f.Size}
}
