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

// vector is a canvas that writes the drawing as SVG in the colours of the theme. The style sheet of a page
// (Style) replaces these colours on a dark page. There are no style attributes, because a page may forbid them.
// A text states the width it was laid out for, so that nothing collides whichever font draws it. Texts that are
// shaped, or that no font here has, do not state it, because that would distort them. Figures do not need it,
// because they are equally wide in all fonts.
type vector struct {
	*svg.Writer
	inks   []color.RGBA      // inherited fill colours: of the picture and of each open group
	aligns []string          // inherited alignments of texts, likewise
	size   float64           // inherited size of texts
	full   map[string]string // full names of shortened texts

	last          look // look of the last stroke
	points, whole int  // where the points of the last stroke end, and where its element ends
	rim           rim  // the last disc

	marks []*card // marks written so far
	wide  []*card // marks of the wide form of the chart, which a narrow one does not repeat
	reach float64 // reach of the last mark
}

// look is the appearance of a stroke.
type look struct {
	head   string // markup before its points
	width  float64
	colour color.RGBA
}

// rim is a disc that another disc may cover except for its rim.
type rim struct {
	centre   point
	radius   float64
	colour   color.RGBA
	from, to int // position of its markup
}

// newVector starts a picture of the given size in layout units. size is the font size of most texts. The title
// is for screen readers. full has the full names of shortened texts, which a pointer shows.
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

// vectors is a pool of canvases.
var vectors = sync.Pool{New: func() any { return &vector{Writer: new(svg.Writer)} }}

// end closes the picture and returns it. The canvas must not be used afterwards.
func (s *vector) end() []byte {
	defer vectors.Put(s)
	picture := bytes.Clone(s.Add("</svg>\n").Bytes())
	*s = vector{Writer: s.Writer, inks: s.inks, aligns: s.aligns}
	return picture
}

// classed is a colour of a theme and the class of what a page's script draws in it.
type classed struct {
	colour color.RGBA
	class  string
}

// classes lists the colours of a theme, the most important last: if a colour is listed twice, the last entry
// wins.
func (t Theme) classes() []classed {
	var all []classed
	for n := 1; n < shades; n++ { // shades of heat maps
		all = append(all, classed{t.shade(n, shades), "shade-" + strconv.Itoa(n)})
	}
	for i, c := range t.Series {
		all = append(all, classed{c, "series-" + strconv.Itoa(i+1)})
	}
	return append(all, classed{t.Dominated, "dominated"}, classed{t.MinorGrid, "minor-grid"}, classed{t.Grid, "grid"},
		classed{t.Line, "line"}, classed{t.Muted, "muted"}, classed{t.Ink, "ink"}, classed{t.Background, "background"})
}

// Style returns the style sheet rules that replace the colours of this theme by those of another on a dark
// page. It also has rules for the classes of both themes' colours.
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

// fill writes the fill colour, unless it is inherited.
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

// rule writes a stroke rather than a box, because the width of a stroke does not change when its plot is
// stretched.
func (s *vector) rule(b box, upright bool, c color.RGBA) {
	x0, y0, x1, y1, width := b.x0, (b.y0+b.y1)/2, b.x1, (b.y0+b.y1)/2, b.height()
	if upright {
		x0, y0, x1, y1, width = (b.x0+b.x1)/2, b.y0, (b.x0+b.x1)/2, b.y1, b.width()
	}
	s.stroke([]point{{x0, y0}, {x1, y1}}, look{`<path d="`, width, c})
}

// stroke writes a stroke between points. Consecutive strokes that look alike share one path: the lines of a
// grid, or a trace with many gaps.
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

// mark writes the attributes of a card. It leaves out what equals the previous card or the card of the wide
// form.
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

// list writes an attribute with several texts, one per line.
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

// disc writes a disc. If the disc lies on a larger one with the same centre, both become one circle with a
// stroke.
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

// path writes straight lines between points.
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
	if rightToLeft { // the text ends at the left
		s.Add(` direction="rtl" text-anchor="end"`)
	}
	s.fill(c).Add(">")
	if full := s.full[text]; full != "" {
		s.Add("<title>").Add(html.EscapeString(full)).Add("</title>")
	}
	s.Add(html.EscapeString(text)).Add("</text>")
}

// isFigure reports whether a text is a short number, possibly with a sign and a prefix. Digits are about
// equally wide in all fonts.
func isFigure(text string) bool {
	const most = 10
	return len(text) <= most && strings.IndexFunc(text, func(r rune) bool { return !strings.ContainsRune("0123456789.,+-−% kMe", r) }) < 0
}

// beyondChinese reports whether r is a Latin letter that Chinese fonts lack, although they have its accent.
// Browsers combine the two badly.
func beyondChinese(r rune) bool { return r >= 0x100 && r < 0x250 || r >= 0x1e00 && r < 0x1f00 }
