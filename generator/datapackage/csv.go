package datapackage

import (
	"encoding/csv"
	"io"

	"github.com/benchpost/benchpost/generator/pieces"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/visible"
)

// linesOfPiece is about how many rows a piece of a text has.
const linesOfPiece = 64

// CSV writes the table with a header. A result without a value has an empty cell; figures have the digits
// that the tool wrote.
func (t *Table) CSV(w *pieces.Writer) error {
	columns := t.stamp()
	_, err := w.Add(func(s *result.Stamper) { s.Stamp(columns) }, func(w io.Writer) ([]byte, error) {
		row := make([]string, len(t.columns))
		for i := range t.columns {
			row[i] = t.columns[i].Name
		}
		return nil, records(w, func(c *csv.Writer) error { return c.Write(row) })
	})
	if err != nil {
		return err
	}
	key := func(rs []*result.Result) func(*result.Stamper) { return keyOf(columns, rs) }
	return w.AddEach(t.results, linesOfPiece, key, func() func(io.Writer, []*result.Result) error {
		cells, row := make([]cell, len(t.columns)), make([]string, len(t.columns))
		return func(w io.Writer, rs []*result.Result) error {
			return records(w, func(c *csv.Writer) error { return t.rows(c, rs, cells, row) })
		}
	})
}

// records writes some rows.
func records(w io.Writer, write func(*csv.Writer) error) error {
	c := csv.NewWriter(w)
	if err := write(c); err != nil {
		return err
	}
	c.Flush()
	return c.Error()
}

// rows writes results; cells and row are scratch.
func (t *Table) rows(c *csv.Writer, results []*result.Result, cells []cell, row []string) error {
	var figures []byte // those of a row, one behind the other: they are made one text
	ends := make([]int, len(cells))
	for _, r := range results {
		t.fill(cells, r)
		figures = figures[:0]
		for i := range cells {
			if cells[i].has && t.columns[i].Type != "string" {
				figures = cells[i].appendCSV(figures, t.columns[i].Type)
			}
			ends[i] = len(figures)
		}
		text, from := string(figures), 0
		for i := range cells {
			row[i], from = text[from:ends[i]], ends[i]
			if cells[i].has && t.columns[i].Type == "string" {
				row[i] = visible.Cell(cells[i].text)
			}
		}
		if err := c.Write(row); err != nil {
			return err
		}
	}
	return nil
}

// keyOf is of rows: of the results in them, and of the columns.
func keyOf(columns result.Stamp, rs []*result.Result) func(*result.Stamper) {
	return func(s *result.Stamper) {
		s.Stamp(columns)
		s.Results(rs)
	}
}

// stamp is that of the columns, of which all cells of a result follow.
func (t *Table) stamp() result.Stamp {
	var s result.Stamper
	for i := range t.columns {
		c := &t.columns[i]
		s.Text(c.Name, c.Type, c.Unit, c.Label, c.Metric)
		s.Int(int(c.kind), int(c.is))
	}
	return s.Sum()
}
