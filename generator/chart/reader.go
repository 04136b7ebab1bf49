package chart

import (
	"image/color"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/chart/number"
	"github.com/benchpost/benchpost/generator/report"
)

// What a reader can do with a chart in a page, its script (page/script/chart) finds in
// attributes of the drawing, whatever its kind:
//
//	data-plot    x0 y0 x1 y1: a part with axes, which can be zoomed
//	data-axis    x or y: the grid and the labels of an axis, drawn anew when zoomed; with
//	             data-scale (linear, log or time, value at the start and end as scaled, where a
//	             logarithmic axis becomes linear, whether values are counts), data-size of
//	             its labels, and data-ticks (place from 0 to 1, name) where places have names
//	data-at      x y: moves with this place when zoomed; with data-along along one axis only
//	data-still   stays as it is when zoomed
//	data-whole   is shown only while all is shown
//	data-series  the name of a series, hidden with it
//	data-key     the name of a series in the legend; data-box is where it can be pressed
//	data-mark    a value that can be pointed at: x y within data-reach, x0 y0 x1 y1, or what its
//	             first path fills where it is empty; with data-title, data-series, data-of, data-names,
//	             data-rows, data-doubt and data-beside, which a card tells, and data-run, the id of the run it
//	             leads to
//	data-points  values of a line that has no mark for each: x and y, one after the other;
//	             with data-series, data-names and data-units of the axes, data-run and data-doubt
//	data-panel   the title of one of several small charts
//
// All other parts of a plot are stretched.
//
// A title, a series, names, units and a reach are those of the mark or the line before where they
// are not written; data-of is the series, unless the title says it. What marks and lines of the narrow form
// tell is that of the wide form's, in the same order, where they have neither a title nor points.

// group is what some parts of a drawing have in common.
type group struct {
	place      anchor
	attributes []attribute
	card       *card      // of a value that can be pointed at, or of a line
	reach      float64    // of its mark
	ink        color.RGBA // of most that is in it; none for that around it
	align      string     // of its texts: start, middle or end; "" as around it
}

// anchor is a point or a box that an attribute names, moved with what is drawn.
type anchor struct {
	name  string // "" for none
	point point
	box   *box // nil for a point
	first bool // it is what is drawn first
}

type attribute struct{ name, value string }

// inGroup makes what draw adds a group. One without a drawing is left out, unless it says something itself.
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

// inPlot draws a part with axes.
func (p *pen) inPlot(plot box, draw func()) {
	p.inGroup(group{place: anchor{name: "plot", box: &plot}}, draw)
}

// still draws what stays when a plot is zoomed.
func (p *pen) still(draw func()) {
	p.inGroup(group{attributes: []attribute{{"still", ""}}}, draw)
}

// moved draws what moves with a place; along an axis alone unless that is "".
func (p *pen) moved(at point, axis string, draw func()) {
	g := group{place: anchor{name: "at", point: at}}
	if axis != "" {
		g.attributes = []attribute{{"along", axis}}
	}
	p.inGroup(g, draw)
}

// pointed draws a value that can be pointed at around a place.
func (p *pen) pointed(c card, at point, reach float64, draw func()) {
	p.inGroup(group{place: anchor{name: "mark", point: at}, card: &c, reach: reach}, draw)
}

// filled draws a value that fills a box, which is drawn first.
func (p *pen) filled(c card, draw func()) {
	p.inGroup(group{place: anchor{name: "mark", first: true}, card: &c}, draw)
}

// around draws a value within a box.
func (p *pen) around(c card, b box, draw func()) {
	p.inGroup(group{place: anchor{name: "mark", box: &b}, card: &c}, draw)
}

// keyed draws the name of a series where the series can be hidden.
func (p *pen) keyed(name string, b box, draw func()) {
	p.inGroup(group{place: anchor{name: "box", box: &b}, attributes: []attribute{{"key", name}}}, draw)
}

// whole draws what is shown only while all of a plot is.
func (l *layout) whole(series int, draw func()) {
	l.inGroup(group{attributes: []attribute{{"whole", ""}, {"series", l.series[series].name}}}, draw)
}

// ofSeries draws what is hidden with a series.
func (l *layout) ofSeries(series int, draw func()) {
	l.inGroup(group{attributes: []attribute{{"series", l.series[series].name}}}, draw)
}

// beside draws what belongs to a value and moves with it.
func (l *layout) beside(series int, at point, draw func()) {
	l.inGroup(group{place: anchor{name: "at", point: at}, attributes: []attribute{{"series", l.series[series].name}}}, draw)
}

// card is what a reader sees about a value, or about all values of a line.
type card struct {
	title, of     string // what it is a value of, and which series
	rows          []row
	doubt, beside string
	series, run   string
	line          *lineValues // nil for a value
}

// row is a figure with its name. Those of a line have the names of its axes alone.
type row struct{ name, value string }

// lineValues are values of a line that has no mark for each.
type lineValues struct {
	units  string                   // of both axes, one a line
	points func(text []byte) []byte // appends x and y of each
}

// tells reports whether two cards say the same: of lines, whose values differ as the widths of their drawings
// do, all but these.
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

// implied is the series, unless the title says it.
func (c *card) implied() string {
	if c.title == c.series || strings.HasSuffix(c.title, " · "+c.series) {
		return ""
	}
	return c.series
}

// named reports whether the figures of two cards have the same names.
func (c *card) named(same *card) bool {
	return slices.EqualFunc(c.rows, same.rows, func(a, b row) bool { return a.name == b.name })
}

// card describes a value: what it is a value of, and its figures, to which those are
// added that a value of any kind can have. A figure that is missing is left out.
func (l *layout) card(series int, v *value, title string, rows ...row) card {
	name := l.series[series].name
	rows = slices.DeleteFunc(rows, func(r row) bool { return r.value == "" })
	c := card{title: title, series: name, run: v.run, rows: rows}
	if c.title == "" {
		c.title = name
	}
	if name != c.title && l.kind != report.HeatMap { // whose titles say it
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

// valueRow is the figure of a value on the axis of values.
func (l *layout) valueRow(v *value, label string) row {
	if v.written[1] != "" {
		label = v.written[1]
	}
	return row{l.y.title, l.y.write(v.y, label)}
}

// placeRow is where a value lies on the x axis.
func (l *layout) placeRow(v *value) row {
	for _, t := range l.ticks {
		if t.at == v.x {
			return row{l.x.title, t.text}
		}
	}
	return row{l.x.title, l.x.write(v.x, v.written[0])}
}

// extent says from where to where.
func (l *layout) extent(low, high float64, q quantity) string {
	return l.words.Words("chart.range", q.write(low, ""), q.write(high, ""))
}

// write returns a value with its unit, in the digits of a text if there is one.
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
