package chart

import (
	"bytes"
	"fmt"
	"github.com/benchpost/benchpost/generator/chart/font"
	"html"
	"image/color"
	"math"
	"strconv"
	"strings"
)

// svg is a canvas that writes the same drawing as SVG. Each colour of the theme has
// a class too, by which the style sheet of a page (Style) draws a dark chart on a dark
// page; attributes of style are none, which a page may not allow. A text is told the
// width it was laid out for, so that nothing collides whichever font draws it; one that is shaped,
// or that no font here has, is not, as it would be distorted.
type svg struct {
	b       []byte
	classes map[color.RGBA]string
	full    map[string]string // what shortened texts were
	tail    string            // what follows the points of the line that was written last
}

// newSVG opens a picture of a size in layout units. Its title is what is read
// out; full has the names that texts were shortened from, which a pointer shows.
func newSVG(width, height float64, t Theme, title string, full map[string]string) *svg {
	s := &svg{b: make([]byte, 0, 16<<10), classes: map[color.RGBA]string{}, full: full}
	for _, named := range t.classes() {
		s.classes[named.colour] = named.class
	}
	s.add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 `).length(width).add(" ").length(height).add(`" role="img" class="chart" xml:space="preserve"`)
	if title != "" {
		s.add(` aria-label="`).add(html.EscapeString(title)).add(`"`)
	}
	s.add(` font-family="Noto Sans SC, Noto Sans CJK SC, PingFang SC, Microsoft YaHei, sans-serif">`)
	s.rect(box{0, 0, width, height}, t.Background)
	return s
}

func (s *svg) end() []byte { return s.add("</svg>\n").b }

// classed is a colour of a theme and the class of what is drawn in it.
type classed struct {
	colour color.RGBA
	class  string
}

// classes lists the colours of a theme, the more telling last: a colour that has
// two is known by that.
func (t Theme) classes() []classed {
	var all []classed
	for n := 1; n < shades; n++ { // those of heat maps
		all = append(all, classed{t.shade(n, shades), "shade-" + strconv.Itoa(n)})
	}
	for i, c := range t.Series {
		all = append(all, classed{c, "series-" + strconv.Itoa(i+1)})
	}
	return append(all, classed{t.Dominated, "dominated"}, classed{t.MinorGrid, "minor-grid"}, classed{t.Grid, "grid"},
		classed{t.Line, "line"}, classed{t.Muted, "muted"}, classed{t.Ink, "ink"}, classed{t.Background, "background"})
}

// Style returns the rules of a style sheet by which charts of this theme change to
// the colours of another on a dark page.
func (t Theme) Style(dark Theme) string {
	var b strings.Builder
	of := dark.classes()
	for i, c := range t.classes() {
		if i < len(of) {
			fmt.Fprintf(&b, ".f-%s{fill:light-dark(%s,%s)}.s-%[1]s{stroke:light-dark(%[2]s,%[3]s)}\n",
				c.class, hexColour(c.colour), hexColour(of[i].colour))
		}
	}
	return b.String()
}

func hexColour(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

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

// paint is the colour of a fill or a stroke, and its class: "f-ink", "s-ink".
func (s *svg) paint(property string, c color.RGBA) *svg {
	if class, ok := s.classes[c]; ok {
		s.add(` class="`).add(property[:1]).add("-").add(class).add(`"`)
	}
	const digits = "0123456789abcdef"
	s.add(" ").add(property).add(`="#`)
	for _, part := range [3]byte{c.R, c.G, c.B} {
		s.b = append(s.b, digits[part>>4], digits[part&15])
	}
	return s.add(`"`)
}

func (s *svg) rect(b box, c color.RGBA) {
	s.add("<rect").attribute("x", b.x0).attribute("y", b.y0).attribute("width", max(0, b.width())).attribute("height", max(0, b.height()))
	s.paint("fill", c).add("/>")
}

// rule writes a line, which keeps its width when its place is changed.
func (s *svg) rule(b box, upright bool, c color.RGBA) {
	x0, y0, x1, y1, width := b.x0, (b.y0+b.y1)/2, b.x1, (b.y0+b.y1)/2, b.height()
	if upright {
		x0, y0, x1, y1, width = (b.x0+b.x1)/2, b.y0, (b.x0+b.x1)/2, b.y1, b.width()
	}
	s.add(`<path d="`).path([]point{{x0, y0}, {x1, y1}}).add(`"`).attribute("stroke-width", width).paint("stroke", c).add("/>")
}

func (s *svg) open(g group) {
	s.add("<g")
	for _, p := range g.places {
		s.add(" data-").add(p.name).add(`="`)
		for i, at := range p.points {
			if i > 0 {
				s.add(" ")
			}
			s.length(at.x).add(" ").length(at.y)
		}
		s.add(`"`)
	}
	for _, a := range g.attributes {
		s.add(" data-").add(a.name).add(`="`).add(breaks.Replace(html.EscapeString(a.value))).add(`"`)
	}
	s.add(">")
}

func (s *svg) close() { s.add("</g>") }

// breaks keeps line breaks in attributes, which XML takes for spaces.
var breaks = strings.NewReplacer("\n", "&#10;")

func (s *svg) polygon(corners []point, c color.RGBA) {
	s.add(`<path d="`).path(corners).add(`Z"`).paint("fill", c).add("/>")
}

func (s *svg) disc(centre point, radius float64, c color.RGBA) {
	s.add("<circle").attribute("cx", centre.x).attribute("cy", centre.y).attribute("r", radius).paint("fill", c).add("/>")
}

// line writes a line; thin ones that follow each other and look alike are one path, as a trace with many gaps.
func (s *svg) line(points []point, width float64, dash []float64, c color.RGBA) {
	if s.tail != "" && bytes.HasSuffix(s.b, []byte(s.tail)) && s.tail == s.traceTail(width, dash, c) {
		s.b = s.b[:len(s.b)-len(s.tail)]
		s.path(points).add(s.tail)
		return
	}
	s.add(`<path fill="none" stroke-linejoin="round" d="`).path(points)
	if s.tail = s.traceTail(width, dash, c); s.tail != "" {
		s.add(s.tail)
		return
	}
	s.add(`"`).attribute("stroke-width", width)
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

// traceTail is what follows the points of a line of a trace, "" for another.
func (s *svg) traceTail(width float64, dash []float64, c color.RGBA) string {
	if width != traceWidth || len(dash) > 0 {
		return ""
	}
	end := svg{classes: s.classes}
	end.add(`"`).attribute("stroke-width", width).paint("stroke", c).add("/>")
	return string(end.b)
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

func (s *svg) text(text string, left, baseline float64, f font.Face, c color.RGBA) {
	s.add("<text").attribute("x", left).attribute("y", baseline).attribute("font-size", f.Size)
	if f.Bold {
		s.add(` font-weight="700"`)
	}
	if strings.ContainsFunc(text, beyondChinese) {
		s.add(` font-family="Noto Sans, system-ui, sans-serif"`)
	}
	if f.Uniform(text) {
		s.attribute("textLength", f.Width(text)).add(` lengthAdjust="spacingAndGlyphs"`)
	}
	if font.RightToLeft(text) { // its end is on the left
		s.add(` direction="rtl" text-anchor="end"`)
	}
	s.paint("fill", c)
	s.add(">")
	if full := s.full[text]; full != "" {
		s.add("<title>").add(html.EscapeString(full)).add("</title>")
	}
	s.add(html.EscapeString(text)).add("</text>")
}

// beyondChinese reports whether r is a Latin letter that Chinese fonts lack but have the
// accent of, which browsers then put together badly.
func beyondChinese(r rune) bool { return r >= 0x100 && r < 0x250 || r >= 0x1e00 && r < 0x1f00 }
