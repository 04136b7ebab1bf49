package chart

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"strconv"
	"strings"
	"sync"

	"github.com/benchpost/benchpost/generator/chart/font"
	"github.com/benchpost/benchpost/generator/chart/svg"
)

// vector is a canvas that writes the same drawing as SVG, in the colours of the theme, by which the
// style sheet of a page (Style) draws a dark chart on a dark page; attributes of style are none, which a
// page may not allow. A text states the width it was laid out for, so that nothing collides
// whichever font draws it; one that is shaped, or that no font here has, is not, as it would be
// distorted, nor is a figure, which is as wide in any.
type vector struct {
	*svg.Writer
	inks   []color.RGBA      // that are inherited: of the picture, and of each group that is open
	aligns []string          // of texts, likewise
	size   float64           // of texts, which is inherited too
	full   map[string]string // what shortened texts were

	last          look // of the stroke that was written last
	points, whole int  // where its points end, and all of it
	rim           rim  // the disc that was written last

	marks []*card // those written
	wide  []*card // of the wide form of the same chart, which a narrow one does not repeat
	reach float64 // of the last mark
}

// look is what a stroke looks like.
type look struct {
	head   string // what is written before its points
	width  float64
	colour color.RGBA
}

// rim is a disc that another on it may leave a rim of.
type rim struct {
	centre   point
	radius   float64
	colour   color.RGBA
	from, to int // where it is written
}

// newVector opens a picture of a size in layout units, most of whose texts have a size. Its title is
// what is read out; full has the names that texts were shortened from, which a pointer shows.
func newVector(width, height, size float64, t Theme, title string, full map[string]string) *vector {
	s := vectors.Get().(*vector)
	s.Reset()
	*s = vector{Writer: s.Writer, inks: append(s.inks[:0], t.Ink), aligns: append(s.aligns[:0], ""), size: size, full: full}
	s.Add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 `).Length(width).Add(" ").Length(height).Add(`" role="img" class="chart" xml:space="preserve"`).Colour("fill", t.Ink)
	if title != "" {
		s.Add(` aria-label="`).Add(html.EscapeString(title)).Add(`"`)
	}
	s.Attribute("font-size", size).Add(` font-family="Noto Sans SC, Noto Sans CJK SC, PingFang SC, Microsoft YaHei, sans-serif"><rect`)
	s.Attribute("width", width).Attribute("height", height).Colour("fill", t.Background).Add("/>")
	return s
}

// vectors serve one picture after the other.
var vectors = sync.Pool{New: func() any { return &vector{Writer: new(svg.Writer)} }}

// end closes the picture and returns it; the canvas is used again.
func (s *vector) end() []byte {
	defer vectors.Put(s)
	picture := bytes.Clone(s.Add("</svg>\n").Bytes())
	*s = vector{Writer: s.Writer, inks: s.inks, aligns: s.aligns}
	return picture
}

// classed is a colour of a theme and the class of what a script of a page draws in it.
type classed struct {
	colour color.RGBA
	class  string
}

// classes lists the colours of a theme, the more telling last: a colour that is listed twice
// is the last of them.
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
// the colours of another on a dark page, and what has a class takes the colours of either.
func (t Theme) Style(dark Theme) string {
	var b, classes strings.Builder
	of := dark.classes()
	for i, c := range t.classes() {
		if i < len(of) {
			colour, other := svg.Hex(c.colour), svg.Hex(of[i].colour)
			for _, property := range [...]string{"fill", "stroke"} {
				fmt.Fprintf(&b, ":where(.chart, .chart *)[%s=\"%s\"]{%[1]s:light-dark(%[2]s,%[3]s)}\n", property, colour, other)
				fmt.Fprintf(&classes, ".%s-%s{%[3]s:light-dark(%[4]s,%[5]s)}\n", property[:1], c.class, property, colour, other)
			}
		}
	}
	return b.String() + classes.String()
}

// fill is the colour of what is not drawn in that around it.
func (s *vector) fill(c color.RGBA) *svg.Writer {
	if c == s.inks[len(s.inks)-1] {
		return s.Writer
	}
	return s.Colour("fill", c)
}

func (s *vector) rect(b box, c color.RGBA) {
	x1, y1 := max(b.x0, b.x1), max(b.y0, b.y1)
	s.Add("<path")
	s.fill(c).Add(` d="M`).Length(b.x0).Add(" ").Length(b.y0).Add("H").Length(x1).Add("V").Length(y1).Add("H").Length(b.x0).Add(`Z"/>`)
}

// rule writes a line, which keeps its width when its place is changed.
func (s *vector) rule(b box, upright bool, c color.RGBA) {
	x0, y0, x1, y1, width := b.x0, (b.y0+b.y1)/2, b.x1, (b.y0+b.y1)/2, b.height()
	if upright {
		x0, y0, x1, y1, width = (b.x0+b.x1)/2, b.y0, (b.x0+b.x1)/2, b.y1, b.width()
	}
	s.stroke([]point{{x0, y0}, {x1, y1}}, look{`<path d="`, width, c})
}

// stroke writes strokes between points; those that follow each other and look alike are one path, as the lines
// of a grid, or a trace with many gaps.
func (s *vector) stroke(points []point, l look) {
	if s.last == l && s.Len() == s.whole {
		s.Truncate(s.points)
	} else {
		s.Add(l.head)
	}
	s.points = s.path(points).Len()
	s.whole = s.Add(`"`).Attribute("stroke-width", l.width).Colour("stroke", l.colour).Add("/>").Len()
	s.last = l
}

func (s *vector) open(g group) {
	s.Add("<g")
	if p := g.place; p.name != "" {
		s.Add(" data-").Add(p.name).Add(`="`)
		switch b := p.box; {
		case b != nil:
			s.Length(b.x0).Add(" ").Length(b.y0).Add(" ").Length(b.x1).Add(" ").Length(b.y1)
		case !p.first:
			s.Length(p.point.x).Add(" ").Length(p.point.y)
		}
		s.Add(`"`)
	}
	for _, a := range g.attributes {
		s.Data(a.name, a.value)
	}
	if g.card != nil {
		s.mark(g.card, g.reach)
	}
	if g.ink != (color.RGBA{}) {
		s.fill(g.ink)
	} else {
		g.ink = s.inks[len(s.inks)-1]
	}
	if g.align == "" {
		g.align = s.aligns[len(s.aligns)-1]
	} else {
		s.Add(` text-anchor="`).Add(g.align).Add(`"`)
	}
	s.Add(">")
	s.inks, s.aligns = append(s.inks, g.ink), append(s.aligns, g.align)
}

func (s *vector) close() {
	s.inks, s.aligns = s.inks[:len(s.inks)-1], s.aligns[:len(s.aligns)-1]
	s.Add("</g>")
}

func (s *vector) silent() bool { return false }

// mark writes what a card tells and neither the card before it nor that of the wide form does.
func (s *vector) mark(c *card, reach float64) {
	var before card
	n := len(s.marks)
	if n > 0 && s.wide == nil {
		before = *s.marks[n-1]
	}
	s.marks = append(s.marks, c)
	if reach != s.reach && reach > 0 {
		s.Add(` data-reach="`).Length(reach).Add(`"`)
		s.reach = reach
	}
	if n < len(s.wide) && c.tells(s.wide[n]) {
		if c.line != nil {
			s.Data("points", "")
		}
		return
	}
	if c.line == nil && (n == 0 || s.wide != nil || before.line != nil || c.title != before.title) {
		s.Data("title", c.title)
	}
	if n == 0 || s.wide != nil || c.series != before.series {
		s.Data("series", c.series)
	}
	if !c.named(&before) {
		s.list("names", c.rows, func(r *row) string { return r.name })
	}
	if c.of != c.implied() {
		s.Data("of", c.of)
	}
	if c.line == nil {
		s.list("rows", c.rows, func(r *row) string { return r.value })
	}
	for _, a := range [...]attribute{{"doubt", c.doubt}, {"beside", c.beside}, {"run", c.run}} {
		if a.value != "" {
			s.Data(a.name, a.value)
		}
	}
	if c.line != nil {
		if before.line == nil || before.line.units != c.line.units {
			s.Data("units", c.line.units)
		}
		s.Add(` data-points="`).Append(c.line.points).Add(`"`)
	}
}

// list writes an attribute of texts, one a line.
func (s *vector) list(name string, rows []row, text func(*row) string) {
	s.Add(" data-").Add(name).Add(`="`)
	for i := range rows {
		if i > 0 {
			s.Add(svg.LineBreak)
		}
		s.Text(text(&rows[i]))
	}
	s.Add(`"`)
}

func (s *vector) polygon(corners []point, c color.RGBA) {
	s.Add("<path")
	s.fill(c).Add(` d="`)
	s.path(corners).Add(`Z"/>`)
}

// disc writes a disc. Of one that lies on another this is the rim.
func (s *vector) disc(centre point, radius float64, c color.RGBA) {
	below := s.rim
	s.rim = rim{}
	if below.to == s.Len() && below.centre == centre && below.radius > radius {
		s.Truncate(below.from)
		s.circle(centre, (below.radius+radius)/2, c).Colour("stroke", below.colour).Attribute("stroke-width", below.radius-radius).Add("/>")
		return
	}
	from := s.Len()
	s.rim = rim{centre, radius, c, from, s.circle(centre, radius, c).Add("/>").Len()}
}

func (s *vector) circle(centre point, radius float64, c color.RGBA) *svg.Writer {
	s.Add("<circle").Attribute("cx", centre.x).Attribute("cy", centre.y).Attribute("r", radius)
	return s.fill(c)
}

func (s *vector) line(points []point, width float64, dash []float64, c color.RGBA) {
	const head = `<path fill="none" stroke-linejoin="round" d="`
	if width == traceWidth && len(dash) == 0 {
		s.stroke(points, look{head, width, c})
		return
	}
	s.Add(head)
	s.path(points).Add(`"`).Attribute("stroke-width", width)
	if len(dash) > 0 {
		s.Add(` stroke-dasharray="`)
		for i, d := range dash {
			if i > 0 {
				s.Add(" ")
			}
			s.Length(d)
		}
		s.Add(`"`)
	}
	s.Colour("stroke", c).Add("/>")
}

// path writes lines between points.
func (s *vector) path(points []point) *svg.Writer {
	s.Move(points[0].x, points[0].y)
	for _, p := range points[1:] {
		s.Line(p.x, p.y)
	}
	return s.Writer
}

func (s *vector) text(text string, left, baseline float64, f font.Face, c color.RGBA) {
	rightToLeft, x := font.RightToLeft(text), left
	switch align := s.aligns[len(s.aligns)-1]; {
	case rightToLeft || align == "":
	case align == "middle":
		x += f.Width(text) / 2
	case align == "end":
		x += f.Width(text)
	}
	s.Add("<text").Attribute("x", x).Attribute("y", baseline)
	if f.Size != s.size {
		s.Attribute("font-size", f.Size)
	}
	if f.Bold {
		s.Add(` font-weight="700"`)
	}
	if strings.ContainsFunc(text, beyondChinese) {
		s.Add(` font-family="Noto Sans, system-ui, sans-serif"`)
	}
	if !isFigure(text) && f.Uniform(text) {
		s.Attribute("textLength", f.Width(text)).Add(` lengthAdjust="spacingAndGlyphs"`)
	}
	if rightToLeft { // its end is on the left
		s.Add(` direction="rtl" text-anchor="end"`)
	}
	s.fill(c).Add(">")
	if full := s.full[text]; full != "" {
		s.Add("<title>").Add(html.EscapeString(full)).Add("</title>")
	}
	s.Add(html.EscapeString(text)).Add("</text>")
}

// isFigure reports whether a text is a short number, with its sign and prefix: digits of all fonts are about as wide.
func isFigure(text string) bool {
	const most = 10
	return len(text) <= most && strings.IndexFunc(text, func(r rune) bool { return !strings.ContainsRune("0123456789.,+-−% kMe", r) }) < 0
}

// beyondChinese reports whether r is a Latin letter that Chinese fonts lack but have the
// accent of, which browsers then put together badly.
func beyondChinese(r rune) bool { return r >= 0x100 && r < 0x250 || r >= 0x1e00 && r < 0x1f00 }
