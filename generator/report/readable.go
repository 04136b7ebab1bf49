package report

import (
	"math"
	"slices"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/magnitude"
)

// Readable returns the chart with each axis in a unit that needs no exponent for its values. Panels share the units,
// except that each lane has its own unit on the y axis.
func (c Chart) Readable() Chart {
	if len(c.Panels) == 0 {
		return c.in(units(&c))
	}
	all := make([]*Chart, len(c.Panels))
	for i := range all {
		all[i] = &c.Panels[i].Chart
	}
	shared := units(all...)
	c.Panels = slices.Clone(c.Panels)
	for i, one := range all {
		read := shared
		if c.Lanes {
			read[along] = units(one)[along]
		}
		c.Panels[i].Chart = one.in(read)
	}
	c.X, c.Y, c.Size = c.Panels[0].Chart.X, c.Panels[0].Chart.Y, c.Panels[0].Chart.Size
	return c
}

// The axes of a chart.
const (
	across = iota
	along  // the y axis
	area   // the area of marks
	axes
)

// axis returns the axis with an index.
func (c *Chart) axis(i int) *Axis { return [axes]*Axis{&c.X, &c.Y, &c.Size}[i] }

// measures reports whether the values on an axis are quantities, as opposed to named places or values that an author
// wrote.
func (c *Chart) measures(i int) bool {
	a := c.axis(i)
	return !a.Written && a.Scale != Time && (i != across || len(c.Ticks) == 0)
}

// figures calls do for each figure of a point, with the axis that it belongs to.
func (c *Chart) figures(p *Point, do func(axis int, v *float64)) {
	ends := along
	if c.Kind == Histogram {
		ends = across
	}
	do(across, &p.X)
	do(along, &p.Y)
	do(area, &p.Size)
	do(ends, &p.Low)
	do(ends, &p.High)
	for i := range p.Five {
		do(along, &p.Five[i])
	}
}

// Extreme is the largest absolute value of a figure that is shown. Values smaller than 1/Extreme count as zero.
const Extreme = 1e100

// units chooses the units of the axes that some charts share.
func units(all ...*Chart) (read [axes]magnitude.Unit) {
	var least, greatest [axes]float64
	for _, c := range all {
		for _, s := range c.Series {
			for k := range s.Points {
				if s.Points[k].Missing {
					continue
				}
				c.figures(&s.Points[k], func(axis int, v *float64) {
					size := math.Abs(*v)
					if !(size > 0 && size <= Extreme) {
						return
					}
					if greatest[axis] = max(greatest[axis], size); least[axis] == 0 || size < least[axis] {
						least[axis] = size
					}
				})
			}
		}
	}
	for i := range read {
		read[i] = magnitude.Unit{Name: all[0].axis(i).Unit, Per: 1}
		if all[0].axis(i).Scale == Linear || i == along && all[0].Kind == Histogram {
			least[i] = greatest[i]
		}
		if all[0].measures(i) {
			read[i] = magnitude.For(read[i].Name, least[i], greatest[i])
		}
	}
	return read
}

// in returns the chart with its figures converted to other units. It also rewrites their digits and labels.
func (c Chart) in(read [axes]magnitude.Unit) Chart {
	changed := func(i int) bool { return read[i].Per != 1 }
	if !changed(across) && !changed(along) && !changed(area) {
		return c
	}
	for i, unit := range read {
		c.axis(i).Unit = unit.Name
	}
	c.Series = slices.Clone(c.Series)
	for i := range c.Series {
		points := slices.Clone(c.Series[i].Points)
		for k := range points {
			p := &points[k]
			c.figures(p, func(axis int, v *float64) { *v = read[axis].Of(*v) })
			if changed(across) && p.Digits[0] != "" {
				p.Digits[0] = magnitude.Digits(p.X)
			}
			if changed(along) && p.Digits[1] != "" {
				p.Digits[1] = magnitude.Digits(p.Y)
			}
			if changed(along) && !p.Label.IsZero() && c.Kind != Scatter && c.Kind != Curves { // there it is a name
				p.Label = locale.Lit(magnitude.Digits(p.Y))
			}
		}
		c.Series[i].Points = points
	}
	c.Levels, c.Bands = slices.Clone(c.Levels), slices.Clone(c.Bands)
	for i := range c.Levels {
		level := &c.Levels[i]
		level.At = read[map[bool]int{true: along, false: across}[level.Across]].Of(level.At)
	}
	for i := range c.Bands {
		c.Bands[i].From, c.Bands[i].To = read[across].Of(c.Bands[i].From), read[across].Of(c.Bands[i].To)
	}
	return c
}
