package builder

import (
	"fmt"
	"slices"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Axis returns the axis of a metric, or of a label with numeric values. Of the labels only sizes have a direction:
// smaller is better.
func Axis(d *dataset.Selection, rs []*result.Result, name string) (report.Axis, error) {
	metric, label := dataset.Known(rs, name)
	switch {
	case metric:
		if err := dataset.OneUnit(rs, name); err != nil {
			return report.Axis{}, err
		}
		h := Header(d, rs, Heading{Name: name}, "", nil)
		return report.Axis{Title: h.Title, Unit: h.Unit, Better: h.Better}, nil
	case label:
		h := Header(d, rs, Heading{Name: name, Label: true}, "", nil)
		if h.Align != report.Right {
			return report.Axis{}, dataset.Lackf(locale.Textf("its values: %s", locale.Few(d.Values(rs, name), 6)), "the values of the label %q do not share one unit", name)
		}
		return report.Axis{Title: h.Title, Unit: h.Unit, Better: vocabulary.LabelBetter(name), Written: true}, nil
	}
	return report.Axis{}, dataset.Unknown(rs, name)
}

// Source returns the source line of a table or chart: the values that all runs share.
func Source(d *dataset.Selection, rs []*result.Result) locale.Text {
	var parts []locale.Text
	for _, name := range []string{"hardware", "power_mode", "engine", "engine_version", "tool", "date", "published"} {
		vs := d.Values(rs, name)
		if name == "date" && len(dataset.Having(rs, name)) == len(rs) {
			if days := d.Periods(rs, name); len(days) > 1 {
				parts = append(parts, locale.T("report.days", d.Title(name, days[0]), d.Title(name, days[len(days)-1])))
			} else if len(days) == 1 {
				parts = append(parts, d.Title(name, days[0]))
			}
			continue
		}
		if len(vs) != 1 || len(dataset.WithLabel(rs, name, vs[0])) != len(rs) {
			continue
		}
		if name == "engine_version" && len(parts) > 0 {
			parts[len(parts)-1] = locale.Join(" ", parts[len(parts)-1], locale.Lit(vs[0]))
			continue
		}
		parts = append(parts, d.Title(name, vs[0]))
	}
	return locale.Join(" · ", parts...)
}

// WithUnit appends a unit to a title: Output throughput (tok/s).
func WithUnit(title locale.Text, unit string) locale.Text {
	if unit == "" || unit == "1" {
		return title
	}
	return locale.T("report.with-unit", title, unit)
}

// FrontierMark precedes the verdict of a variant on the Pareto frontier of size and the metric that decides at the
// load.
const FrontierMark = "◆"

// Heading is a column before it is laid out.
type Heading struct {
	Name  string
	Label bool
	Split string // value of the split label; "" if the column is not split
}

// Header returns a column's header. The title is the author's own, or else the name of the metric or label. The value
// of the split label is its group.
func Header(d *dataset.Selection, rs []*result.Result, c Heading, split string, titles map[string]string) report.Column {
	h := report.Column{Title: locale.LabelName(c.Name)}
	if !c.Label {
		h.Title = locale.MetricName(c.Name)
		h.Align, h.Metric = report.Right, c.Name
		for _, r := range rs {
			if m, ok := r.Metric(c.Name); ok {
				h.Unit, h.Better = m.Unit, m.Better
				break
			}
		}
	}
	if own, ok := titles[c.Name]; ok {
		h.Title = locale.Lit(own)
	}
	if c.Split != "" {
		h.Group = d.Title(split, c.Split)
	}
	if h.Unit == "1" {
		h.Unit = ""
	}
	if c.Label {
		// If all values are numbers in one unit, the label is a column of figures.
		unit, numeric := "", true
		for i, v := range d.Values(rs, c.Name) {
			_, _, u, ok := dataset.ShownNumber(c.Name, v)
			numeric = numeric && ok && (i == 0 || u == unit)
			unit = u
		}
		if numeric {
			h.Align, h.Unit = report.Right, unit
		}
	}
	return h
}

// LabelCell returns the cell of a label for the runs of a row. Several values are written side by side.
func LabelCell(d *dataset.Selection, rs []*result.Result, name string, figure bool) report.Cell {
	vs := d.Values(rs, name)
	if len(vs) == 0 {
		return report.Cell{Missing: true}
	}
	var c report.Cell
	if number, decimals, _, ok := dataset.Number(vs[0]); ok && figure && len(vs) == 1 {
		c.Text, c.Value, c.Numeric = locale.Lit(fmt.Sprintf("%.*f", decimals, number)), number, true
	} else {
		var words []locale.Text
		for _, v := range vs {
			words = append(words, d.Title(name, v))
		}
		c.Text = locale.Join(" / ", words...)
	}
	if name == "model" && len(vs) == 1 {
		c.URL = d.Links[vs[0]]
	}
	return c
}

// Extra is a column with its cells.
type Extra struct {
	report.Column
	Cells []report.Cell
}

// Insert inserts a column before the one at index at, or at the end for −1. It skips a column without any value.
func (t *Table) Insert(at int, e Extra) {
	if !slices.ContainsFunc(e.Cells, func(c report.Cell) bool { return !c.Missing }) {
		return
	}
	if at < 0 {
		at = len(t.Columns)
	}
	t.Columns = slices.Insert(t.Columns, at, e.Column)
	for i := range t.Rows {
		t.Rows[i].Cells = slices.Insert(t.Rows[i].Cells, at, e.Cells[i])
	}
}
