package chart

import (
	"image/color"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/chart/number"
	"github.com/benchpost/benchpost/generator/report"
)

// The script of a page (page/script/chart) makes charts interactive. It reads attributes of the drawing, whatever
// the kind of the chart:
//
//	data-plot    x0 y0 x1 y1: a part with axes, which can be zoomed
//	data-axis    x or y: the grid and the labels of an axis, drawn again when zoomed; with data-scale
//	             (linear, log or time; the scaled values at the start and the end; the value where
//	             a logarithmic axis becomes linear; whether values are counts), data-size of its
//	             labels, and data-ticks (place from 0 to 1, name) if places have names
//	data-at      x y: moves with this place when zoomed; with data-along along one axis only
//	data-still   does not change when zoomed
//	data-whole   is shown only while the whole plot is shown
//	data-series  the name of a series, with which the part is hidden
//	data-key     the name of a series in the legend; data-box is the area that can be pressed
//	data-mark    a value that can be pointed at: x y within data-reach; x0 y0 x1 y1; or, if empty,
//	             the area of its first path; with data-title, data-series, data-of, data-names, data-rows,
//	             data-doubt and data-beside for its card, and data-run, the id of the run it links to
//	data-points  values of a line without a mark for each: x and y of each value in turn;
//	             with data-series, data-names and data-units of the axes, data-run and data-doubt
//	data-panel   the title of one of several small charts
//
// All other parts of a plot are stretched.
//
// If a title, a series, names, units or a reach are missing, those of the previous mark or line apply. If data-of
// is missing, it is the series, unless the title contains the series. Marks and lines of the narrow form without
// a title and points have the data of the wide form's marks and lines, in the same order.

// group is what the parts of a group in the drawing have in common.
type group struct {
	place      anchor
	attributes []attribute
	card       *card      // of a value that can be pointed at, or of a line
	reach      float64    // radius of its mark
	ink        color.RGBA // fill colour of most of its parts; the zero value inherits it
	align      string     // alignment of its texts: start, middle or end; "" inherits it
}

// anchor is a named attribute with a point or a box, which moves with the drawing.
type anchor struct {
	name  string // "" for none
	point point
	box   *box // nil for a point
	first bool // the first shape drawn in the group is the anchor
}

type attribute struct{ name, value string }

// inGroup collects the items that draw adds into a group. It omits a group without items unless it has a card
// or describes an axis.
func (p *pen) inGroup(g group, draw func()) {
	before := len(p.items)
	p.items = append(p.items, func(on canvas) { on.open(g) })
	draw()
	if len(p.items) == before+1 && g.card == nil && g.attribute("axis") == "" {
		p.items = p.items[:before]
		return
	}
	p.items = append(p.items, func(on canvas) { on.close() })
}

func (g *group) attribute(name string) string {
	for _, a := range g.attributes {
		if a.name == name {
			return a.value
		}
	}
	return ""
}

// inPlot draws a part that has axes and can be zoomed.
func (p *pen) inPlot(plot box, draw func()) {
	p.inGroup(group{place: anchor{name: "plot", box: &plot}}, draw)
}

// still draws parts that do not move when a plot is zoomed.
func (p *pen) still(draw func()) {
	p.inGroup(group{attributes: []attribute{{"still", ""}}}, draw)
}

// moved draws parts that move with a place when zoomed, only along axis if that is not "".
func (p *pen) moved(at point, axis string, draw func()) {
	g := group{place: anchor{name: "at", point: at}}
	if axis != "" {
		g.attributes = []attribute{{"along", axis}}
	}
	p.inGroup(g, draw)
}

// pointed draws a value that can be pointed at within reach of a place.
func (p *pen) pointed(c card, at point, reach float64, draw func()) {
	p.inGroup(group{place: anchor{name: "mark", point: at}, card: &c, reach: reach}, draw)
}

// filled draws a value as a box that can be pointed at. draw must draw the box first.
func (p *pen) filled(c card, draw func()) {
	p.inGroup(group{place: anchor{name: "mark", first: true}, card: &c}, draw)
}

// around draws a value that can be pointed at within a box.
func (p *pen) around(c card, b box, draw func()) {
	p.inGroup(group{place: anchor{name: "mark", box: &b}, card: &c}, draw)
}

// keyed draws a name of a series with which a reader can hide the series.
func (p *pen) keyed(name string, b box, draw func()) {
	p.inGroup(group{place: anchor{name: "box", box: &b}, attributes: []attribute{{"key", name}}}, draw)
}

// whole draws parts of a series that are shown only while the whole plot is shown.
func (l *layout) whole(series int, draw func()) {
	l.inGroup(group{attributes: []attribute{{"whole", ""}, {"series", l.series[series].name}}}, draw)
}

// ofSeries draws parts that are hidden together with a series.
func (l *layout) ofSeries(series int, draw func()) {
	l.inGroup(group{attributes: []attribute{{"series", l.series[series].name}}}, draw)
}

// beside draws parts that belong to a value and move with it.
func (l *layout) beside(series int, at point, draw func()) {
	l.inGroup(group{place: anchor{name: "at", point: at}, attributes: []attribute{{"series", l.series[series].name}}}, draw)
}

// card is what a reader sees about a value or a line when pointing at it.
type card struct {
	title, of     string // what the value belongs to, and its series
	rows          []row
	doubt, beside string
	series, run   string
	line          *lineValues // nil for a value
}

// row is a named figure on a card. The rows of a line have only the names of its axes.
type row struct{ name, value string }

// lineValues has the values of a line without a mark for each.
type lineValues struct {
	units  string                   // units of both axes, one per line
	points func(text []byte) []byte // appends x and y of each value
}

// tells reports whether two cards have the same content. The values of lines are not compared, because they are
// thinned for the width of each drawing.
func (c *card) tells(same *card) bool {
	if c.title != same.title || c.of != same.of || c.doubt != same.doubt || c.beside != same.beside ||
		c.series != same.series || c.run != same.run || !slices.Equal(c.rows, same.rows) {
		return false
	}
	if c.line == nil || same.line == nil {
		return c.line == same.line
	}
	return c.line.units == same.line.units
}

// implied returns the series, or "" if the title contains it.
func (c *card) implied() string {
	if c.title == c.series || strings.HasSuffix(c.title, " · "+c.series) {
		return ""
	}
	return c.series
}

// named reports whether the rows of two cards have the same names.
func (c *card) named(same *card) bool {
	return slices.EqualFunc(c.rows, same.rows, func(a, b row) bool { return a.name == b.name })
}

// card returns the card of a value: its title, the given figures, and the figures that a value of any kind may
// have. Missing figures are left out.
func (l *layout) card(series int, v *value, title string, rows ...row) card {
	name := l.series[series].name
	rows = slices.DeleteFunc(rows, func(r row) bool { return r.value == "" })
	c := card{title: title, series: name, run: v.run, rows: rows}
	if c.title == "" {
		c.title = name
	}
	if name != c.title && l.kind != report.HeatMap { // a cell's title has the series
		c.of = name
	}
	if v.spread && v.five == nil {
		c.rows = append(c.rows, row{l.words.Words("chart.repeats"), l.extent(v.low, v.high, l.y)})
	}
	if v.size != 0 {
		c.rows = append(c.rows, row{l.size.title, l.size.write(v.size, "")})
	}
	switch {
	case v.hollow:
		c.doubt = l.words.Words("chart.quarantined")
	case v.ring:
		c.doubt = l.words.Words("chart.warned")
	}
	if v.grey {
		c.beside = l.words.Words("chart.dominated")
	}
	return c
}

// valueRow returns the row of a value on the axis of values.
func (l *layout) valueRow(v *value, label string) row {
	if v.written[1] != "" {
		label = v.written[1]
	}
	return row{l.y.title, l.y.write(v.y, label)}
}

// placeRow returns the row of a value's place on the x axis.
func (l *layout) placeRow(v *value) row {
	for _, t := range l.ticks {
		if t.at == v.x {
			return row{l.x.title, t.text}
		}
	}
	return row{l.x.title, l.x.write(v.x, v.written[0])}
}

// extent returns the text of a range of values.
func (l *layout) extent(low, high float64, q quantity) string {
	return l.words.Words("chart.range", q.write(low, ""), q.write(high, ""))
}

// write formats a value with its unit. It uses the digits of text unless that is empty.
func (q quantity) write(v float64, text string) string {
	if text == "" {
		text = number.Short(v)
	}
	switch q.unit {
	case "", "1":
		return text
	case "%":
		return text + q.unit
	}
	return text + " " + q.unit
}
