package chart

import (
	"fmt"
	"html"
	"image/color"
	"math"
	"strconv"
)

// svg is a canvas that writes the same drawing as SVG. Colours are variables of
// the page's style sheet, so that a dark page has a dark chart, with the theme's
// own where there is none. A text is told the width it was laid out for, so that
// nothing collides whichever font draws it.
type svg struct {
	b      []byte
	paints map[color.RGBA]string
}

// newSVG opens a picture of a size in layout units. Its title is what is read
// out.
func newSVG(width, height float64, t Theme, title string) *svg {
	s := &svg{b: make([]byte, 0, 16<<10), paints: map[color.RGBA]string{}}
	for i, c := range t.Series {
		s.name(c, "series-"+strconv.Itoa(i+1))
	}
	for n := 1; n < shades; n++ { // those of heat maps
		c, share := t.shade(n, shades), strconv.Itoa(100*n/shades)
		s.paints[c] = hex(c) + ";fill:color-mix(in srgb,var(--chart-series-1," + hex(t.Series[0]) + ") " + share + "%,var(--chart-background," + hex(t.Background) + "))"
	}
	s.name(t.Dominated, "dominated")
	s.name(t.MinorGrid, "minor-grid")
	s.name(t.Grid, "grid")
	s.name(t.Line, "line")
	s.name(t.Muted, "muted")
	s.name(t.Ink, "ink")
	s.name(t.Background, "background")
	s.add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 `).length(width).add(" ").length(height).add(`" role="img" class="chart" xml:space="preserve"`)
	if title != "" {
		s.add(` aria-label="`).add(html.EscapeString(title)).add(`"`)
	}
	s.add(` font-family="var(--chart-font, 'Noto Sans SC', 'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', sans-serif)">`)
	s.rect(box{0, 0, width, height}, t.Background)
	return s
}

func (s *svg) end() []byte { return s.add("</svg>\n").b }

// name makes a colour a variable with the theme's own to fall back on.
func (s *svg) name(c color.RGBA, name string) {
	s.paints[c] = "var(--chart-" + name + "," + hex(c) + ")"
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

func (s *svg) add(text string) *svg {
	s.b = append(s.b, text...)
	return s
}

// length writes a length to a hundredth of a unit.
func (s *svg) length(v float64) *svg {
	hundredths := int64(math.Round(v * 100))
	if hundredths < 0 {
		s.b = append(s.b, '-')
		hundredths = -hundredths
	}
	s.b = strconv.AppendInt(s.b, hundredths/100, 10)
	if rest := byte(hundredths % 100); rest != 0 {
		s.b = append(s.b, '.', '0'+rest/10)
		if rest%10 != 0 {
			s.b = append(s.b, '0'+rest%10)
		}
	}
	return s
}

func (s *svg) attribute(name string, v float64) *svg {
	return s.add(" ").add(name).add(`="`).length(v).add(`"`)
}

// paint is the colour of a fill or a stroke.
func (s *svg) paint(property string, c color.RGBA) *svg {
	if s.paints[c] == "" {
		s.paints[c] = hex(c)
	}
	return s.add(` style="`).add(property).add(":").add(s.paints[c]).add(`"`)
}

func (s *svg) rect(b box, c color.RGBA) {
	s.add("<rect").attribute("x", b.x0).attribute("y", b.y0).attribute("width", b.width()).attribute("height", b.height())
	s.paint("fill", c).add("/>")
}

func (s *svg) polygon(corners []point, c color.RGBA) {
	s.add(`<path d="`).path(corners).add(`Z"`).paint("fill", c).add("/>")
}

func (s *svg) disc(centre point, radius float64, c color.RGBA) {
	s.add("<circle").attribute("cx", centre.x).attribute("cy", centre.y).attribute("r", radius).paint("fill", c).add("/>")
}

func (s *svg) line(points []point, width float64, dash []float64, c color.RGBA) {
	s.add(`<path fill="none" stroke-linejoin="round" d="`).path(points).add(`"`).attribute("stroke-width", width)
	if len(dash) > 0 {
		s.add(` stroke-dasharray="`)
		for i, d := range dash {
			if i > 0 {
				s.add(" ")
			}
			s.length(d)
		}
		s.add(`"`)
	}
	s.paint("stroke", c).add("/>")
}

func (s *svg) path(points []point) *svg {
	for i, p := range points {
		command := "L"
		if i == 0 {
			command = "M"
		}
		s.add(command).length(p.x).add(" ").length(p.y)
	}
	return s
}

func (s *svg) text(text string, left, baseline float64, f face, c color.RGBA) {
	s.add("<text").attribute("x", left).attribute("y", baseline).attribute("font-size", f.size)
	if f.bold {
		s.add(` font-weight="700"`)
	}
	s.attribute("textLength", f.width(text)).add(` lengthAdjust="spacingAndGlyphs"`).paint("fill", c)
	s.add(">").add(html.EscapeString(text)).add("</text>")
}
