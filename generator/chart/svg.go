package chart

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/benchpost/benchpost/generator/chart/font"
)

// svg is a canvas that writes the same drawing as SVG. Each colour of the theme has
// a class too, by which the style sheet of a page (Style) draws a dark chart on a dark
// page; attributes of style are none, which a page may not allow. A text is told the
// width it was laid out for, so that nothing collides whichever font draws it; one that is shaped,
// or that no font here has, is not, as it would be distorted.
type svg struct {
	b       []byte
	theme   []color.RGBA // whose classes these are
	classes map[color.RGBA]string
	inks    []color.RGBA      // that are inherited: of the picture, and of each group that is open
	size    float64           // of texts, which is inherited too
	full    map[string]string // what shortened texts were

	last          look // of the stroke that was written last
	points, whole int  // where its points end, and all of it
}

// look is what a stroke looks like.
type look struct {
	head   string // what is written before its points
	width  float64
	colour color.RGBA
}

// newSVG opens a picture of a size in layout units, most of whose texts have a size. Its title is
// what is read out; full has the names that texts were shortened from, which a pointer shows.
func newSVG(width, height, size float64, t Theme, title string, full map[string]string) *svg {
	s := svgs.Get().(*svg)
	*s = svg{b: s.b[:0], theme: s.theme, classes: s.classes, inks: append(s.inks[:0], t.Ink), size: size, full: full}
	if colours := t.colours(); !slices.Equal(colours, s.theme) {
		s.theme, s.classes = colours, map[color.RGBA]string{}
		for _, named := range t.classes() {
			s.classes[named.colour] = named.class
		}
	}
	s.add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 `).length(width).add(" ").length(height).add(`" role="img" class="chart f-`).add(s.classes[t.Ink]).add(`" xml:space="preserve"`).colour("fill", t.Ink)
	if title != "" {
		s.add(` aria-label="`).add(html.EscapeString(title)).add(`"`)
	}
	s.attribute("font-size", size).add(` font-family="Noto Sans SC, Noto Sans CJK SC, PingFang SC, Microsoft YaHei, sans-serif">`)
	s.rect(box{0, 0, width, height}, t.Background)
	return s
}

// svgs serve one picture after the other, mostly of one theme.
var svgs = sync.Pool{New: func() any { return new(svg) }}

// end closes the picture and returns it; the canvas is used again.
func (s *svg) end() []byte {
	defer svgs.Put(s)
	s.full = nil
	return bytes.Clone(s.add("</svg>\n").b)
}

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

// length writes a length to a tenth of a unit, of which a picture has some hundreds.
func (s *svg) length(v float64) *svg {
	tenths := int64(math.Round(v * 10))
	if tenths < 0 {
		s.b = append(s.b, '-')
		tenths = -tenths
	}
	s.b = strconv.AppendInt(s.b, tenths/10, 10)
	if rest := byte(tenths % 10); rest != 0 {
		s.b = append(s.b, '.', '0'+rest)
	}
	return s
}

func (s *svg) attribute(name string, v float64) *svg {
	return s.add(" ").add(name).add(`="`).length(v).add(`"`)
}

// paint is the colour of a fill or a stroke, and its class: "f-grid", "s-grid".
func (s *svg) paint(property string, c color.RGBA) *svg {
	if property == "fill" && c == s.inherited() {
		return s
	}
	if class, ok := s.classes[c]; ok {
		s.add(` class="`).add(property[:1]).add("-").add(class).add(`"`)
	}
	return s.colour(property, c)
}

// inherited is the ink of what says no other.
func (s *svg) inherited() color.RGBA { return s.inks[len(s.inks)-1] }

func (s *svg) colour(property string, c color.RGBA) *svg {
	const digits = "0123456789abcdef"
	s.add(" ").add(property).add(`="#`)
	short := c.R%17 == 0 && c.G%17 == 0 && c.B%17 == 0 // #fff
	for _, part := range [3]byte{c.R, c.G, c.B} {
		if !short {
			s.b = append(s.b, digits[part>>4])
		}
		s.b = append(s.b, digits[part&15])
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
	s.stroke([]point{{x0, y0}, {x1, y1}}, look{`<path d="`, width, c})
}

// stroke writes strokes between points; those that follow each other and look alike are one path, as the lines
// of a grid, or a trace with many gaps.
func (s *svg) stroke(points []point, l look) {
	if s.last == l && len(s.b) == s.whole {
		s.b = s.b[:s.points]
	} else {
		s.add(l.head)
	}
	s.points = len(s.path(points).b)
	s.whole = len(s.add(`"`).attribute("stroke-width", l.width).paint("stroke", l.colour).add("/>").b)
	s.last = l
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
		s.add(" data-").add(a.name).add(`="`).value(a.value).add(`"`)
	}
	if g.ink == (color.RGBA{}) {
		g.ink = s.inherited()
	}
	s.paint("fill", g.ink).add(">")
	s.inks = append(s.inks, g.ink)
}

func (s *svg) close() {
	s.inks = s.inks[:len(s.inks)-1]
	s.add("</g>")
}

// value writes that of an attribute.
func (s *svg) value(text string) *svg { return s.add(attributeValue.Replace(text)) }

// attributeValue escapes line breaks too, which XML takes for spaces.
var attributeValue = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "\n", "&#10;")

func (s *svg) polygon(corners []point, c color.RGBA) {
	s.add(`<path d="`).path(corners).add(`Z"`).paint("fill", c).add("/>")
}

func (s *svg) disc(centre point, radius float64, c color.RGBA) {
	s.add("<circle").attribute("cx", centre.x).attribute("cy", centre.y).attribute("r", radius).paint("fill", c).add("/>")
}

func (s *svg) line(points []point, width float64, dash []float64, c color.RGBA) {
	const head = `<path fill="none" stroke-linejoin="round" d="`
	if width == traceWidth && len(dash) == 0 {
		s.stroke(points, look{head, width, c})
		return
	}
	s.add(head).path(points).add(`"`).attribute("stroke-width", width)
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

func (s *svg) text(text string, left, baseline float64, f font.Face, c color.RGBA) {
	s.add("<text").attribute("x", left).attribute("y", baseline)
	if f.Size != s.size {
		s.attribute("font-size", f.Size)
	}
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
