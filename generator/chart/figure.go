package chart

import (
	"cmp"
	"math"
	"slices"

	"github.com/benchpost/benchpost/generator/chart/font"
	"github.com/benchpost/benchpost/generator/chart/number"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// figure is a chart specification in one language that is ready to be drawn: its texts are clean, its values
// finite, and it has one value per category.
type figure struct {
	kind                    report.ChartKind
	title, subtitle, source string
	notes                   []string
	x, y                    quantity
	categories              []string
	series                  []series
	frontier                []front
	size                    quantity

	byPoint bool // each value is a point of its own, not the value of a category
	form    report.LineForm
	common  *common // what several small charts share; nil for a single chart

	sweep  string // of curves: the name of the quantity that the labels of values give
	levels []bound
	ticks  []namedTick
	bands  []band
	steps  []step
	rows   int // of a lane: how many places on its y axis need room
}

// called returns the name of the figure in messages: its title, or else the title of an axis.
func (f *figure) called() string { return cmp.Or(f.title, f.y.title, f.x.title) }

type namedTick struct {
	at    float64
	text  string
	apart bool
}

// front is one frontier line, of a workload or of a series.
type front struct {
	series int // the series of its first value
	values []value
}

// bound is a value on an axis that is marked by a line.
type bound struct {
	across bool
	at     float64
	text   string
}

type band struct {
	from, to float64
	text     string
}

type step struct {
	series, point int
	text          string
	worse         bool
	unsettled     bool
}

// quantity is the quantity that an axis shows.
type quantity struct {
	title, unit string
	scale       report.Scale
	better      result.Better
}

type series struct {
	name   string
	style  int  // from 0
	dim    bool // grey, behind what matters more
	values []value
}

type value struct {
	x, y      float64
	low, high float64 // the interval of the repeats, or the edges of a bar
	spread    bool
	five      *[5]float64 // quantiles of a box; nil for other kinds
	size      float64
	label     string
	part      string    // of curves: which line of its series the value is on
	written   [2]string // x and y with their known digits; "" where the label has them
	run       string
	missing   bool
	hollow    bool // excluded
	ring      bool // warned
	grey      bool // dominated
}

// extreme is the greatest size that is drawn: greater values are left out.
const extreme = report.Extreme

// newFigure translates a specification. It also repairs inconsistencies (too few points, a frontier through
// points that do not exist), so that later steps need not check for them.
func newFigure(c report.Chart, p locale.Printer, t *font.Setter, colours int) (figure, []result.Message) {
	say := func(text locale.Text) string { return t.Clean(p.Say(text)) }
	f := figure{
		kind:     c.Kind,
		byPoint:  kinds[c.Kind].byPoint,
		form:     c.Form,
		rows:     c.Rows,
		title:    say(c.Title),
		subtitle: say(c.Subtitle),
		source:   say(c.Source),
		x:        quantity{say(c.X.Title), t.Clean(c.X.Unit), c.X.Scale, c.X.Better},
		y:        quantity{say(c.Y.Title), t.Clean(c.Y.Unit), c.Y.Scale, c.Y.Better},
		size:     quantity{title: say(c.Size.Title), unit: t.Clean(c.Size.Unit)},
	}
	for _, n := range c.Notes {
		if s := say(n); s != "" {
			f.notes = append(f.notes, s)
		}
	}
	for _, name := range c.Categories {
		f.categories = append(f.categories, say(name))
	}
	for _, tick := range c.Ticks {
		f.ticks = append(f.ticks, namedTick{tick.At, say(tick.Text), tick.Apart})
	}
	f.sweep = say(c.Along)
	for _, one := range c.Levels {
		f.levels = append(f.levels, bound{one.Across, one.At, say(one.Text)})
	}
	for _, b := range c.Bands {
		f.bands = append(f.bands, band{b.From, b.To, say(b.Text)})
	}
	for _, s := range c.Steps {
		f.steps = append(f.steps, step{s.Series, s.Point, say(s.Text), s.Worse, s.Unsettled})
	}
	var warnings []result.Message
	for _, s := range c.Series {
		said := series{name: say(s.Name), style: len(f.series), values: make([]value, 0, len(s.Points))}
		if s.Style > 0 {
			said.style = s.Style - 1
		}
		for _, point := range s.Points {
			v := value{
				x: drawable(point.X), y: drawable(point.Y),
				low: drawable(point.Low), high: drawable(point.High), spread: point.Spread, size: drawable(point.Size),
				written: point.Digits, run: point.Run,
				missing: point.Missing, hollow: point.Excluded, ring: point.Warned, grey: point.Dominated,
			}
			if !point.Label.IsZero() {
				v.label = say(point.Label)
			}
			if !point.Part.IsZero() {
				v.part = say(point.Part)
			}
			if math.IsNaN(v.size) {
				v.size = 0
			}
			if math.IsNaN(v.low) || math.IsNaN(v.high) || f.kind == report.HeatMap { // cells show no interval
				v.spread = false
			}
			if f.kind == report.Boxes {
				v.five = new([5]float64)
				for i, quantile := range point.Five {
					v.five[i] = drawable(quantile)
					v.missing = v.missing || math.IsNaN(v.five[i])
				}
			}
			edgeless := f.kind == report.Histogram && (math.IsNaN(v.low) || math.IsNaN(v.high))
			if !v.missing && (math.IsNaN(v.x) || math.IsNaN(v.y) || edgeless) {
				v.missing = true
				warnings = append(warnings, result.Message{Severity: result.Warning, ID: "chart.value",
					Text: locale.Textf("%q: %g, %g is not a value that can be drawn", f.called(), point.X, point.Y),
					Hint: locale.Textf("it is shown as missing")})
			}
			if !f.byPoint && f.kind != report.HeatMap && v.label == "" && !v.missing {
				v.label = number.Short(v.y)
			}
			said.values = append(said.values, v)
		}
		f.series = append(f.series, said)
	}
	if !f.byPoint {
		f.complete()
	}
	f.tellApart(colours)
	var all []value
	var of []int // the series of each value
	for i := 0; i < len(f.series) && len(c.Frontier) > 0; i++ {
		all = append(all, f.series[i].values...)
		of = append(of, slices.Repeat([]int{i}, len(f.series[i].values))...)
	}
	for _, points := range c.Frontier {
		var on front
		for _, i := range points {
			if i >= 0 && i < len(all) && !all[i].missing {
				if on.values == nil {
					on.series = of[i]
				}
				on.values = append(on.values, all[i])
			}
		}
		if len(on.values) > 1 {
			f.frontier = append(f.frontier, on)
		}
	}
	return f, warnings
}

// tellApart gives another colour to a series whose colour is taken, as long as a free colour exists. The first
// series of a colour keeps it. The shape changes with the style number.
func (f *figure) tellApart(colours int) {
	taken := map[int]bool{}
	for i := range f.series {
		s := &f.series[i]
		for n := 0; taken[s.style%colours] && n < colours; n++ {
			s.style++
		}
		taken[s.style%colours] = true
		if len(taken) == colours {
			clear(taken)
		}
	}
}

// complete gives every series one value per category.
func (f *figure) complete() {
	for _, s := range f.series {
		for len(f.categories) < len(s.values) {
			f.categories = append(f.categories, "")
		}
	}
	for i := range f.series {
		for len(f.series[i].values) < len(f.categories) {
			f.series[i].values = append(f.series[i].values, value{missing: true})
		}
	}
}

func drawable(v float64) float64 {
	switch size := math.Abs(v); {
	case size < 1/extreme:
		return 0
	case size > extreme:
		return math.NaN()
	}
	return v
}

// span returns the extent of the present values, as returned by of.
func (f *figure) span(of func(*value) float64) (s span, any bool) {
	for _, series := range f.series {
		for i := range series.values {
			v := &series.values[i]
			if v.missing {
				continue
			}
			if !any {
				s, any = span{of(v), of(v)}, true
			}
			s.add(of(v))
		}
	}
	if f.common != nil && any {
		all := []span{f.common.x, f.common.y, f.common.size}[int(of(&value{x: 0, y: 1, size: 2}))] // the one of reads
		s.add(all.min)
		s.add(all.max)
	}
	return s, any
}

// counts reports whether an axis counts things: all values are whole numbers without a unit.
func (f *figure) counts(q quantity, of func(*value) float64) bool {
	return (q.unit == "" || q.unit == "1") && !f.some(func(v *value) bool { return !v.missing && of(v) != math.Trunc(of(v)) })
}

func (v *value) getX() float64    { return v.x }
func (v *value) getY() float64    { return v.y }
func (v *value) getSize() float64 { return v.size }

// text returns what is written for a value in a cell. It is computed on demand, because thousands of cells may
// have no text.
func (v *value) text() string {
	switch {
	case v.missing:
		return "–"
	case v.label == "":
		return number.Short(v.y)
	}
	return v.label
}

// some reports whether any value satisfies such.
func (f *figure) some(such func(*value) bool) bool {
	for _, s := range f.series {
		for i := range s.values {
			if such(&s.values[i]) {
				return true
			}
		}
	}
	return false
}

// valueSpan returns the span of the values and of their intervals.
func (f *figure) valueSpan() span {
	s, _ := f.span((*value).getY)
	for _, series := range f.series {
		for i := range series.values {
			v := &series.values[i]
			if v.spread && !v.missing {
				s.add(v.low)
				s.add(v.high)
			}
		}
	}
	return s
}

// xValues returns the distinct x values, ascending.
func (f *figure) xValues() []float64 {
	n := 0
	for _, s := range f.series {
		n += len(s.values)
	}
	xs := make([]float64, 0, n)
	for _, s := range f.series {
		for i := range s.values {
			if !s.values[i].missing {
				xs = append(xs, s.values[i].x)
			}
		}
	}
	slices.Sort(xs)
	return slices.Compact(xs)
}

// placeName returns the name of a place on the x axis: that of the tick there, or else the number.
func (f *figure) placeName(x float64) string {
	for _, t := range f.ticks {
		if t.at == x {
			return t.text
		}
	}
	return number.Short(x)
}

// mostMissing returns the number of missing values in the category that lacks most.
func (f *figure) mostMissing() int {
	most := 0
	if f.common != nil {
		most = f.common.missing
	}
	for i := range f.categories {
		n := 0
		for _, series := range f.series {
			if series.values[i].missing {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// ringed reports whether any marks are in doubt. These have a ring and take more room.
func (f *figure) ringed() bool {
	if f.common != nil {
		return f.common.ringed
	}
	return f.some((*value).ringed)
}

// mostSeries returns how many marks a row may have.
func (f *figure) mostSeries() int {
	if f.common != nil {
		return f.common.series
	}
	return len(f.series)
}

// largest returns the greatest size of a mark, or 0 if sizes have no meaning.
func (f *figure) largest() float64 {
	s, _ := f.span((*value).getSize)
	return max(0, s.max)
}

func (f *figure) boxSpan() span {
	s := span{math.Inf(1), math.Inf(-1)}
	for _, series := range f.series {
		for i := range series.values {
			v := &series.values[i]
			if !v.missing {
				for _, quantile := range v.five {
					s.add(quantile)
				}
			}
		}
	}
	if f.common != nil {
		s.add(f.common.y.min)
		s.add(f.common.y.max)
	}
	return s
}

// binSpan returns the span from the first edge of a bar to the last.
func (f *figure) binSpan() span {
	s := span{math.Inf(1), math.Inf(-1)}
	for _, series := range f.series {
		for i := range series.values {
			v := &series.values[i]
			if !v.missing {
				s.add(v.low)
				s.add(v.high)
			}
		}
	}
	if f.common != nil {
		s.add(f.common.x.min)
		s.add(f.common.x.max)
	}
	return s
}
