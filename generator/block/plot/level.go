package plot

import (
	"cmp"
	"slices"

	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// The best value that curves reach within a limit. It is a measured step, or a point on the straight line between two
// neighbouring steps of which one is within the limit. Nothing is extrapolated beyond the measured steps.

// spent lists the metrics of the cost of a level of service.
var spent = []string{"cost_per_million_output_tokens", "energy_per_output_token"}

// spot is a place on a curve: a step, or a fraction of the way to the next step.
type spot struct {
	from, to step // equal if the spot was measured
	share    float64
	value    float64 // value on the axis that is read
	end      bool    // the line ends here, so there may be more beyond it
}

// between reports whether a spot lies between measured steps.
func (s spot) between() bool { return s.share > 0 }

// of returns a metric at a spot. ok is false if one of its runs lacks the metric.
func (s spot) of(metric string) (v float64, f dataset.Figure, ok bool) {
	f, ok = dataset.FigureOf(s.from.runs, metric)
	if !ok || !s.between() {
		return f.Metric.Value, f, ok
	}
	g, ok := dataset.FigureOf(s.to.runs, metric)
	return f.Metric.Value + s.share*(g.Metric.Value-f.Metric.Value), f, ok
}

// reach returns the best spot of a configuration within a limit. held returns the figure that is limited, read the
// figure on the other axis, which has the direction better.
func (p part) reach(l builder.Limit, held, read func(step) dataset.Figure, better result.Better) (best spot, ok bool) {
	take := func(s spot) {
		if !ok || dataset.Better(better, s.value, best.value) {
			best, ok = s, true
		}
	}
	value := func(f dataset.Figure) float64 { return f.Metric.Value }
	for i, s := range p.steps {
		if !p.sound(i) {
			continue
		}
		within := l.Meets(value(held(s)))
		if within {
			take(spot{from: s, to: s, value: value(read(s)), end: !p.sound(i-1) || !p.sound(i+1)})
		}
		if !p.sound(i+1) || l.Meets(value(held(p.steps[i+1]))) == within {
			continue
		}
		next := p.steps[i+1]
		a, b := value(held(s)), value(held(next))
		if share := (l.Value - a) / (b - a); share > 0 && share < 1 {
			take(spot{from: s, to: next, share: share, value: value(read(s)) + share*(value(read(next))-value(read(s)))})
		}
	}
	return best, ok
}

// sound reports whether step i exists and is not excluded.
func (p part) sound(i int) bool { return i >= 0 && i < len(p.steps) && p.steps[i].sound() }

// reached adds to the table below a chart what its curves reach at limits, with a row for each curve.
func reached(d *dataset.Selection, c *builder.Chart, s Spec, curves []curve, variants, configurations []string, limits []builder.Limit) {
	var rs []*result.Result
	for _, one := range curves {
		for _, p := range one.parts {
			for _, st := range p.steps {
				rs = append(rs, st.runs...)
			}
		}
	}
	if c.Below == nil {
		c.Below = builder.NewTable("sweep", locale.Text{})
		s.columns(d, c, rs, variants, limits)
	}
	t := c.Below
	for _, one := range curves {
		var row report.Row
		if s.Panel != "" {
			row.Cells = append(row.Cells, report.Cell{Text: d.Title(s.Panel, rs[0].Label(s.Panel))})
		}
		row.Cells = append(row.Cells, report.Cell{Text: one.name})
		shown := map[*result.Result]bool{}
		for _, l := range limits {
			row.Cells = append(row.Cells, s.cells(d, c, t, one, l, shown)...)
		}
		t.Rows = append(t.Rows, row)
	}
	markReached(t)
}

// markReached marks the best values in the columns. It marks none in a column where a sweep ended within the limit,
// since that curve may reach more.
func markReached(t *builder.Table) {
	for i, column := range t.Columns {
		var cells []*report.Cell
		open := false
		for k := range t.Rows {
			c := &t.Rows[k].Cells[i]
			c.Best = false
			if open = open || c.Rule == "curve.end"; builder.Contests(c) {
				cells = append(cells, c)
			}
		}
		if open || len(cells) < 2 || column.Better == result.Neutral {
			continue
		}
		best := slices.MaxFunc(cells, func(a, b *report.Cell) int {
			if column.Better == result.Lower {
				a, b = b, a
			}
			return cmp.Compare(a.Value, b.Value)
		}).Value
		for _, c := range cells {
			c.Best = c.Value == best
		}
	}
}

// columns adds the columns of the table: for each limit the value read off, the step, and the costs.
func (s Spec) columns(d *dataset.Selection, c *builder.Chart, rs []*result.Result, variants []string, limits []builder.Limit) {
	t := c.Below
	if s.Panel != "" {
		t.Columns = append(t.Columns, report.Column{Title: locale.LabelName(s.Panel)})
	}
	first := report.Column{Title: locale.T("curve.variant")}
	if len(variants) == 1 {
		first.Title = locale.LabelName(variants[0])
	}
	t.Columns = append(t.Columns, first)
	for _, l := range limits {
		group := l.Words()
		read := builder.Header(d, rs, builder.Heading{Name: s.other(l)}, "", nil)
		read.Group = group
		t.Columns = append(t.Columns, read, report.Column{Group: group, Title: c.Along, Align: report.Left})
		for _, name := range s.costs(rs) {
			h := builder.Header(d, rs, builder.Heading{Name: name}, "", nil)
			h.Group, h.Better = group, result.Neutral // costs at the level are not ranked
			t.Columns = append(t.Columns, h)
		}
	}
}

// other returns the metric that is read off at a limit: that of the other axis.
func (s Spec) other(l builder.Limit) string {
	if l.Name == s.X {
		return s.Y
	}
	return s.X
}

// costs returns the metrics of spent that some run has and that no axis shows.
func (s Spec) costs(rs []*result.Result) []string {
	return slices.DeleteFunc(slices.Clone(spent), func(name string) bool {
		return name == s.X || name == s.Y || !dataset.AnyHas(rs, name) || dataset.OneUnit(rs, name) != nil
	})
}

// cells returns the cells of what a curve reaches at a limit.
func (s Spec) cells(d *dataset.Selection, c *builder.Chart, t *builder.Table, one curve, l builder.Limit, shown map[*result.Result]bool) []report.Cell {
	held, read := func(st step) dataset.Figure { return st.x }, func(st step) dataset.Figure { return st.y }
	better := c.Y.Better
	if l.Name == s.Y {
		held, read, better = read, held, c.X.Better
	}
	var best spot
	var of part
	found := false
	for _, p := range one.parts {
		if at, ok := p.reach(l, held, read, better); ok && (!found || dataset.Better(better, at.value, best.value)) {
			best, of, found = at, p, true
		}
	}
	costs := costsIn(t)
	if !found || better == result.Neutral {
		none := report.Cell{Missing: true, Rule: "curve.none", Why: locale.T("curve.none")}
		cells := []report.Cell{none, {Missing: true}}
		for range costs {
			cells = append(cells, report.Cell{Missing: true})
		}
		return cells
	}
	cells := []report.Cell{s.cell(d, t, best, s.other(l), shown)}
	at := d.Title(s.Over, best.from.at)
	if best.between() {
		at = locale.T("curve.from-to", at, d.Title(s.Over, best.to.at))
	}
	if !of.name.IsZero() {
		at = locale.Join(" · ", of.name, at)
	}
	cells = append(cells, report.Cell{Text: at})
	for _, name := range costs {
		cells = append(cells, s.cell(d, t, best, name, shown))
	}
	return cells
}

// costsIn returns the metrics of spent that a table has columns for.
func costsIn(t *builder.Table) []string {
	return slices.DeleteFunc(slices.Clone(spent), func(name string) bool {
		return !slices.ContainsFunc(t.Columns, func(c report.Column) bool { return c.Metric == name })
	})
}

// cell returns the cell of a metric at a spot. An interpolated value is marked, and names the two runs it lies between.
func (s Spec) cell(d *dataset.Selection, t *builder.Table, at spot, metric string, shown map[*result.Result]bool) report.Cell {
	v, f, ok := at.of(metric)
	if !ok {
		return report.Cell{Missing: true}
	}
	cell := t.Cell(f, !shown[f.Runs[0]])
	shown[f.Runs[0]] = true
	switch {
	case at.between():
		g, _ := dataset.FigureOf(at.to.runs, metric)
		t.Judged(&cell, g.Runs, metric, !shown[g.Runs[0]])
		t.Sampled(&cell, g.Runs[0], metric)
		shown[g.Runs[0]] = true
		cell.Text, cell.Value, cell.Samples, cell.Spread = locale.Lit("≈ "+builder.Significant(v)), v, nil, locale.Text{}
		cell.Rule = "curve.between"
		cell.Why = locale.T("curve.between", d.Title(s.Over, at.from.at), f.Text(), f.Runs[0].ID, d.Title(s.Over, at.to.at), g.Text(), g.Runs[0].ID)
		cell.Notes = append(cell.Notes, t.Note(result.Info, locale.T("curve.between.note")))
	case at.end && metric == s.X || at.end && metric == s.Y:
		sign := "≥ "
		if f.Metric.Better == result.Lower {
			sign = "≤ "
		}
		cell.Text = locale.Join("", locale.Lit(sign), cell.Text)
		cell.Rule, cell.Why = "curve.end", locale.T("curve.end", locale.Inside(locale.LabelName(s.Over)), d.Title(s.Over, at.from.at))
		cell.Notes = append(cell.Notes, t.Note(result.Info, locale.T("curve.end.note")))
	}
	slices.Sort(cell.Notes)
	cell.Notes = slices.Compact(cell.Notes)
	return cell
}
