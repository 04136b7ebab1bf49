package chart

import (
	"image/color"
	"strconv"

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
//	data-title   a value that can be pointed at: at data-at within data-reach, or in
//	             data-box; with data-of, data-rows, data-doubt and data-beside, which a card
//	             tells, and data-run, the id of the run it leads to
//	data-points  values of a line that has no mark for each: x and y, one after the other;
//	             with data-names and data-units of the axes, data-run and data-doubt
//	data-panel   the title of one of several small charts
//
// All other parts of a plot are stretched.

// group is what some parts of a drawing have in common.
type group struct {
	places     []anchor
	attributes []attribute
	ink        color.RGBA // of most that is in it; none for that around it
}

// anchor is points that an attribute names, moved with what is drawn.
type anchor struct {
	name   string
	points []point
}

type attribute struct{ name, value string }

// inGroup makes what draw adds a group.
func (p *pen) inGroup(g group, draw func()) {
	p.items = append(p.items, func(on canvas) { on.open(g) })
	draw()
	p.items = append(p.items, func(on canvas) { on.close() })
}

// inPlot draws a part with axes.
func (p *pen) inPlot(plot box, draw func()) {
	p.inGroup(group{places: []anchor{{"plot", plot.corners()}}}, draw)
}

// still draws what stays when a plot is zoomed.
func (p *pen) still(draw func()) {
	p.inGroup(group{attributes: []attribute{{"still", ""}}}, draw)
}

// moved draws what moves with a place; along an axis alone unless that is "".
func (p *pen) moved(at point, axis string, draw func()) {
	g := group{places: []anchor{{"at", []point{at}}}}
	if axis != "" {
		g.attributes = []attribute{{"along", axis}}
	}
	p.inGroup(g, draw)
}

// pointed draws a value that can be pointed at around a place.
func (p *pen) pointed(c card, at point, reach float64, draw func()) {
	p.inGroup(group{
		places:     []anchor{{"at", []point{at}}},
		attributes: append(c.attributes(), attribute{"reach", strconv.FormatFloat(reach, 'f', 1, 64)}),
	}, draw)
}

// filled draws a value that fills a box.
func (p *pen) filled(c card, b box, draw func()) {
	p.inGroup(group{places: []anchor{{"box", b.corners()}}, attributes: c.attributes()}, draw)
}

// keyed draws the name of a series where the series can be hidden.
func (p *pen) keyed(name string, b box, draw func()) {
	p.inGroup(group{places: []anchor{{"box", b.corners()}}, attributes: []attribute{{"key", name}}}, draw)
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
	l.inGroup(group{places: []anchor{{"at", []point{at}}}, attributes: []attribute{{"series", l.series[series].name}}}, draw)
}

func (b box) corners() []point { return []point{{b.x0, b.y0}, {b.x1, b.y1}} }

// card is what a reader sees about a value.
type card struct {
	title, of     string // what it is a value of, and which series
	rows          []row
	doubt, beside string
	series, run   string
}

// row is a figure with its name.
type row struct{ name, value string }

func (c card) attributes() []attribute {
	rows := make([]byte, 0, 128)
	for _, r := range c.rows {
		if r.value != "" {
			if len(rows) > 0 {
				rows = append(rows, '\n')
			}
			rows = append(append(append(rows, r.name...), '\n'), r.value...)
		}
	}
	as := append(make([]attribute, 0, 8), attribute{"title", c.title}, attribute{"series", c.series})
	for _, a := range [...]attribute{{"of", c.of}, {"rows", string(rows)}, {"doubt", c.doubt}, {"beside", c.beside}, {"run", c.run}} {
		if a.value != "" {
			as = append(as, a)
		}
	}
	return as
}

// card describes a value: what it is a value of, and its figures, to which those are
// added that a value of any kind can have.
func (l *layout) card(series int, v value, title string, rows ...row) card {
	name := l.series[series].name
	c := card{title: title, series: name, run: v.run, rows: rows}
	if c.title == "" {
		c.title = name
	}
	if name != c.title && l.kind != report.HeatMap {
		c.of = name
	}
	if v.spread && v.five == [5]float64{} {
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
func (l *layout) valueRow(v value, label string) row {
	if v.written[1] != "" {
		label = v.written[1]
	}
	return row{l.y.title, l.y.write(v.y, label)}
}

// placeRow is where a value lies on the x axis.
func (l *layout) placeRow(v value) row {
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
		text = valueLabel(v)
	}
	switch q.unit {
	case "", "1":
		return text
	case "%":
		return text + q.unit
	}
	return text + " " + q.unit
}
