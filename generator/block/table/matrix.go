package table

import (
	"strconv"

	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// MatrixSpec holds the keys of the block matrix.
type MatrixSpec struct {
	Where    string
	Rows     string // label of the rows
	Columns  string // label of the columns
	Value    string // metric in the cells
	Baseline string // value of the column label that others are compared with
	Change   string // "ratio" or "percent"; default with a baseline: "percent"
	Best     *bool  // mark the best cell of the whole matrix; default: true
	Caption  string
	Notes    []string
	Accept   []string // settings in which the runs may differ
}

// Matrix lays a metric out over two labels.
func Matrix(d *dataset.Selection, s MatrixSpec) (*builder.Table, error) {
	rs, err := d.Select(s.Where)
	if err != nil {
		return nil, err
	}
	for _, part := range []struct{ key, name string }{{"rows", s.Rows}, {"columns", s.Columns}, {"value", s.Value}} {
		if part.name == "" {
			return nil, dataset.Wrongf(locale.Textf(`for example rows = "power_mode", columns = "clocks", value = "output_throughput"`), "%s is missing", part.key)
		}
		metric, label := dataset.Known(rs, part.name)
		if part.key == "value" && !metric || part.key != "value" && !label {
			return nil, dataset.Unknown(rs, part.name)
		}
		if err := dataset.OneUnit(rs, part.name); err != nil {
			return nil, dataset.About(part.key, err)
		}
	}
	if s.Change != "" && s.Change != "ratio" && s.Change != "percent" {
		return nil, dataset.About("change", unknownChange(s.Change))
	}
	if s.Change != "" && s.Baseline == "" {
		return nil, dataset.About("change", dataset.Wrongf(locale.Textf("for example baseline = %s", strconv.Quote(d.Values(rs, s.Columns)[0])), "change needs a baseline"))
	}
	across := d.Values(rs, s.Columns)
	t := builder.NewTable("matrix", locale.Lit(s.Caption))
	value := builder.Header(d, rs, builder.Heading{Name: s.Value}, "", nil)
	t.Columns = append(t.Columns, builder.Header(d, rs, builder.Heading{Name: s.Rows, Label: true}, "", nil))
	for _, v := range across {
		h := value
		h.Title = d.Title(s.Columns, v)
		t.Columns = append(t.Columns, h)
	}
	base := -1
	for i, v := range across {
		if v == s.Baseline {
			base = i
		}
	}
	if s.Baseline != "" && base < 0 {
		return nil, dataset.About("baseline", dataset.Lackf(locale.Textf("values of %s: %s", s.Columns, locale.Few(across, 12)), "baseline = %q is not a column", s.Baseline))
	}
	for _, g := range d.Groups(rs, []string{s.Rows}) {
		if g.Values[0] == "" {
			continue
		}
		row := report.Row{Cells: []report.Cell{builder.LabelCell(d, g.Runs, s.Rows, t.Columns[0].Align == report.Right)}}
		for _, v := range across {
			cell, err := matrixCell(d, t, dataset.WithLabel(g.Runs, s.Columns, v), s, g.Values[0], v)
			if err != nil {
				return nil, err
			}
			row.Cells = append(row.Cells, cell)
		}
		if base >= 0 && !row.Cells[base+1].Missing {
			for i := range across {
				if c := &row.Cells[i+1]; i != base && !c.Missing {
					t.Change(c, &row.Cells[base+1], s.Change != "ratio", d.Thresholds().Noise)
				}
			}
		}
		t.Rows = append(t.Rows, row)
	}
	t.Readable()
	if s.Caption == "" {
		t.Caption = builder.WithUnit(value.Title, t.Columns[len(across)].Unit)
	}
	if s.Best == nil || *s.Best {
		var cells []*report.Cell
		for i := range t.Rows {
			for j := range t.Rows[i].Cells[1:] {
				cells = append(cells, &t.Rows[i].Cells[j+1])
			}
		}
		builder.MarkBest(cells, value.Better)
	}
	t.Compared = builder.Comparison{Runs: rs, Laid: []string{s.Rows, s.Columns}, Accept: s.Accept}
	for _, n := range s.Notes {
		t.Note(result.Info, locale.Lit(n))
	}
	return t, nil
}

func matrixCell(d *dataset.Selection, t *builder.Table, rs []*result.Result, s MatrixSpec, row, col string) (report.Cell, error) {
	if err := dataset.Repeats(rs, dataset.Place([]string{s.Rows, s.Columns}, []string{row, col})); err != nil {
		return report.Cell{}, err
	}
	f, ok := dataset.FigureOf(rs, s.Value)
	if !ok {
		return report.Cell{Missing: true}, nil
	}
	return t.Cell(f, true), nil
}
