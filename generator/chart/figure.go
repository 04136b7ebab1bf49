package chart

import (
	"fmt"
	"math"

	"benchpost/generator/bench"
	"benchpost/generator/locale"
	"benchpost/generator/report"
)

// figure is a chart specification said in one language, with everything in it
// fit to be drawn: clean texts, finite values, one value per category.
type figure struct {
	kind                    report.ChartKind
	title, subtitle, source string
	notes                   []string
	x, y                    quantity
	categories              []string
	series                  []series
	frontier                []int
}

// quantity is what an axis measures.
type quantity struct {
	title, unit string
	scale       report.Scale
	better      bench.Better
}

type series struct {
	name   string
	values []value
}

type value struct {
	x, y    float64
	label   string
	missing bool
	hollow  bool // quarantined
	grey    bool // dominated
}

// extreme is where drawing gives up: greater values are left out, and what is
// closer to zero than its reciprocal is zero.
const extreme = 1e100

// newFigure says a specification. What contradicts itself in one (too few
// points, a frontier through points that are not there) is mended here, so that
// no later step need look out for it.
func newFigure(c report.Chart, p locale.Printer, t *typesetter) (figure, []bench.Message) {
	say := func(text locale.Text) string { return t.clean(p.Say(text)) }
	f := figure{
		kind:     c.Kind,
		title:    say(c.Title),
		subtitle: say(c.Subtitle),
		source:   say(c.Source),
		x:        quantity{say(c.X.Title), t.clean(c.X.Unit), c.X.Scale, c.X.Better},
		y:        quantity{say(c.Y.Title), t.clean(c.Y.Unit), c.Y.Scale, c.Y.Better},
	}
	for _, n := range c.Notes {
		if s := say(n); s != "" {
			f.notes = append(f.notes, s)
		}
	}
	for _, name := range c.Categories {
		f.categories = append(f.categories, say(name))
	}
	var warnings []bench.Message
	for _, s := range c.Series {
		said := series{name: say(s.Name)}
		for _, point := range s.Points {
			v := value{
				x: drawable(point.X), y: drawable(point.Y),
				label:   say(point.Label),
				missing: point.Missing, hollow: point.Quarantined, grey: point.Dominated,
			}
			if !v.missing && (math.IsNaN(v.x) || math.IsNaN(v.y)) {
				v.missing = true
				warnings = append(warnings, bench.Message{
					Severity: bench.Warning,
					ID:       "chart.value",
					Text:     fmt.Sprintf("%q: %g, %g is not a value that can be drawn", f.title, point.X, point.Y),
					Hint:     "it is shown as missing",
				})
			}
			if c.Kind != report.Scatter && v.label == "" && !v.missing {
				v.label = valueLabel(v.y)
			}
			said.values = append(said.values, v)
		}
		f.series = append(f.series, said)
	}
	if c.Kind != report.Scatter {
		f.complete()
	}
	for _, i := range c.Frontier {
		if len(f.series) > 0 && i >= 0 && i < len(f.series[0].values) && !f.series[0].values[i].missing {
			f.frontier = append(f.frontier, i)
		}
	}
	return f, warnings
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

// span gives the extent of the values that are there, taken by of.
func (f *figure) span(of func(value) float64) (s span, any bool) {
	for _, series := range f.series {
		for _, v := range series.values {
			if v.missing {
				continue
			}
			if !any {
				s, any = span{of(v), of(v)}, true
			}
			s.add(of(v))
		}
	}
	return s, any
}

func (v value) getX() float64 { return v.x }
func (v value) getY() float64 { return v.y }

// some reports whether any value is such.
func (f *figure) some(such func(value) bool) bool {
	for _, s := range f.series {
		for _, v := range s.values {
			if such(v) {
				return true
			}
		}
	}
	return false
}
