package chart

import (
	"fmt"
	"html"
	"image/color"
	"math"
	"strconv"
	"strings"
)

// svg is a canvas that writes the same drawing as SVG. Each colour of the theme has
// a class too, by which the style sheet of a page draws a dark chart on a dark page;
// attributes of style are none, which a page may not allow. A text is told the width
// it was laid out for, so that nothing collides whichever font draws it.
type svg struct {
	b     strings.Builder
	names map[color.RGBA]string
	full  map[string]string // what shortened texts were
}

// begin opens a picture of a size in layout units. Its title is what is read
// out; full gives the names that texts were shortened from, which a pointer shows.
func newSVG(width, height float64, t Theme, title string, full map[string]string) *svg {
	s := &svg{names: map[color.RGBA]string{}, full: full}
	for i, c := range t.Series {
		s.names[c] = fmt.Sprintf("series-%d", i+1)
	}
	for name, c := range map[string]color.RGBA{"background": t.Background, "ink": t.Ink, "muted": t.Muted, "line": t.Line,
		"grid": t.Grid, "minor-grid": t.MinorGrid, "dominated": t.Dominated} {
		s.names[c] = name
	}
	fmt.Fprintf(&s.b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" role="img" class="chart"`, short(width), short(height))
	if title != "" {
		fmt.Fprintf(&s.b, ` aria-label="%s"`, html.EscapeString(title))
	}
	s.b.WriteString(` font-family="Noto Sans SC, Noto Sans CJK SC, PingFang SC, Microsoft YaHei, sans-serif">`)
	s.rect(box{0, 0, width, height}, t.Background)
	return s
}

func (s *svg) end() []byte {
	s.b.WriteString("</svg>\n")
	return []byte(s.b.String())
}

// short writes a length to a hundredth of a unit.
func short(v float64) string {
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}

// paint gives the attributes of a colour: "fill" or "stroke", and the class "f-ink"
// or "s-ink" of one of the theme.
func (s *svg) paint(as string, c color.RGBA) string {
	attributes := fmt.Sprintf(`%s="#%02x%02x%02x"`, as, c.R, c.G, c.B)
	if name, ok := s.names[c]; ok {
		attributes = fmt.Sprintf(`class="%c-%s" `, as[0], name) + attributes
	}
	return attributes
}

func (s *svg) rect(b box, c color.RGBA) {
	fmt.Fprintf(&s.b, `<rect x="%s" y="%s" width="%s" height="%s" %s/>`,
		short(b.x0), short(b.y0), short(b.width()), short(b.height()), s.paint("fill", c))
}

func (s *svg) polygon(corners []point, c color.RGBA) {
	s.b.WriteString(`<path d="`)
	s.path(corners)
	fmt.Fprintf(&s.b, `Z" %s/>`, s.paint("fill", c))
}

func (s *svg) disc(centre point, radius float64, c color.RGBA) {
	fmt.Fprintf(&s.b, `<circle cx="%s" cy="%s" r="%s" %s/>`, short(centre.x), short(centre.y), short(radius), s.paint("fill", c))
}

func (s *svg) line(points []point, width float64, dash []float64, c color.RGBA) {
	s.b.WriteString(`<path fill="none" stroke-linejoin="round" d="`)
	s.path(points)
	fmt.Fprintf(&s.b, `" stroke-width="%s"`, short(width))
	if len(dash) > 0 {
		var lengths []string
		for _, d := range dash {
			lengths = append(lengths, short(d))
		}
		fmt.Fprintf(&s.b, ` stroke-dasharray="%s"`, strings.Join(lengths, " "))
	}
	fmt.Fprintf(&s.b, ` %s/>`, s.paint("stroke", c))
}

func (s *svg) path(points []point) {
	for i, p := range points {
		command := "L"
		if i == 0 {
			command = "M"
		}
		s.b.WriteString(command + short(p.x) + " " + short(p.y))
	}
}

func (s *svg) text(text string, left, baseline float64, f face, c color.RGBA) {
	fmt.Fprintf(&s.b, `<text x="%s" y="%s" font-size="%s"`, short(left), short(baseline), short(f.size))
	if f.bold {
		s.b.WriteString(` font-weight="700"`)
	}
	fmt.Fprintf(&s.b, ` textLength="%s" lengthAdjust="spacingAndGlyphs" %s>`, short(f.width(text)), s.paint("fill", c))
	if full := s.full[text]; full != "" {
		fmt.Fprintf(&s.b, "<title>%s</title>", html.EscapeString(full))
	}
	fmt.Fprintf(&s.b, "%s</text>", html.EscapeString(text))
}
