package report

import (
	"strconv"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

type matrixSpec struct {
	Where    string
	Rows     string // label down
	Columns  string // label across
	Value    string // metric in the cells
	Baseline string // value of the column label the others are compared with
	Change   string // "ratio" or "percent" ("percent" when a baseline is given)
	Best     *bool  // mark the best cell of the whole matrix; true when absent
	Caption  string
	Notes    []string
	Accept   []string // settings in which the runs may differ
}

// matrix lays a metric out over two labels.
func (d *Data) matrix(s matrixSpec) (*Table, error) {
	rs, err := d.selectSome(s.Where)
	if err != nil {
		return nil, err
	}
	for _, part := range []struct{ key, name string }{{"rows", s.Rows}, {"columns", s.Columns}, {"value", s.Value}} {
		if part.name == "" {
			return nil, problem(`as rows = "power_mode", columns = "clocks", value = "output_throughput"`, "%s is missing", part.key)
		}
		metric, label := known(rs, part.name)
		if part.key == "value" && !metric || part.key != "value" && !label {
			return nil, unknownName(rs, part.name)
		}
	}
	if s.Change != "" && s.Change != "ratio" && s.Change != "percent" {
		return nil, about("change", unknownChange(s.Change))
	}
	if s.Change != "" && s.Baseline == "" {
		return nil, about("change", problem("as baseline = "+strconv.Quote(d.values(rs, s.Columns)[0]), "change wants a baseline"))
	}
	across := d.values(rs, s.Columns)
	t := &Table{Kind: "matrix", Caption: locale.Lit(s.Caption)}
	if s.Caption == "" {
		h := d.header(rs, column{name: s.Value}, "", nil)
		t.Caption = withUnit(h.Title, h.Unit)
	}
	value := d.header(rs, column{name: s.Value}, "", nil)
	t.Columns = append(t.Columns, d.header(rs, column{name: s.Rows, label: true}, "", nil))
	for _, v := range across {
		h := value
		h.Title = d.title(s.Columns, v)
		t.Columns = append(t.Columns, h)
	}
	base := -1
	for i, v := range across {
		if v == s.Baseline {
			base = i
		}
	}
	if s.Baseline != "" && base < 0 {
		return nil, about("baseline", lack("values of "+s.Columns+": "+shorten(across, 12), "baseline = %q is no column", s.Baseline))
	}
	for _, g := range d.groups(rs, []string{s.Rows}) {
		if g.values[0] == "" {
			continue
		}
		row := Row{Cells: []Cell{d.labelCell(g.runs, s.Rows, t.Columns[0].Align == Right)}}
		for _, v := range across {
			cell, err := d.matrixCell(t, withLabel(g.runs, s.Columns, v), s, g.values[0], v)
			if err != nil {
				return nil, err
			}
			row.Cells = append(row.Cells, cell)
		}
		if base >= 0 && !row.Cells[base+1].Missing {
			for i := range across {
				if c := &row.Cells[i+1]; i != base && !c.Missing {
					t.change(c, &row.Cells[base+1], s.Change != "ratio", d.rules().Noise)
				}
			}
		}
		t.Rows = append(t.Rows, row)
	}
	if s.Best == nil || *s.Best {
		t.markBestCell(value.Better)
	}
	t.compared = comparison{rs, []string{s.Rows, s.Columns}, s.Accept}
	for _, n := range s.Notes {
		t.note(result.Info, locale.Lit(n))
	}
	return t, nil
}

func (d *Data) matrixCell(t *Table, rs []*result.Result, s matrixSpec, row, col string) (Cell, error) {
	if err := repeats(rs, place([]string{s.Rows, s.Columns}, []string{row, col})); err != nil {
		return Cell{}, err
	}
	f, ok := figureOf(rs, s.Value)
	if !ok {
		return Cell{Missing: true}, nil
	}
	return t.cell(f, true), nil
}

// markBestCell marks the best figure of the whole table, ties included.
func (t *Table) markBestCell(dir result.Better) {
	var best *Cell
	each := func(f func(*Cell)) {
		for i := range t.Rows {
			for j := range t.Rows[i].Cells[1:] {
				if c := &t.Rows[i].Cells[j+1]; c.contests() {
					f(c)
				}
			}
		}
	}
	n := 0
	each(func(c *Cell) {
		n++
		if best == nil || better(dir, c.Value, best.Value) {
			best = c
		}
	})
	if n > 1 && dir != result.Neutral {
		v := best.Value
		each(func(c *Cell) { c.Best = c.Value == v })
	}
}

// withUnit puts a unit behind a title: Output throughput (tok/s).
func withUnit(title locale.Text, unit string) locale.Text {
	if unit == "" || unit == "1" {
		return title
	}
	return locale.T("report.with-unit", title, unit)
}
