package datapackage

import (
	"encoding/csv"
	"io"

	"github.com/benchpost/benchpost/generator/pieces"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/visible"
)

// linesOfPiece is the approximate number of rows in a piece of CSV.
const linesOfPiece = 64

// CSV writes the table with a header. A missing value is an empty cell. Figures have the digits that the tool
// wrote.
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
		row := &csvRow{row: t.row(), texts: make([]string, len(t.columns)), ends: make([]int, len(t.columns))}
		return func(w io.Writer, rs []*result.Result) error {
			return records(w, func(c *csv.Writer) error { return row.write(c, rs) })
		}
	})
}

// records writes CSV rows by calling write.
func records(w io.Writer, write func(*csv.Writer) error) error {
	c := csv.NewWriter(w)
	if err := write(c); err != nil {
		return err
	}
	c.Flush()
	return c.Error()
}

// csvRow is a row with its CSV texts.
type csvRow struct {
	*row
	texts   []string
	figures []byte // all figures of the row, one after another, so that they become one string
	ends    []int  // end of each cell in figures
}

// write writes the rows of some results.
func (w *csvRow) write(c *csv.Writer, results []*result.Result) error {
	columns := w.table.columns
	for _, r := range results {
		w.fill(r)
		w.figures = w.figures[:0]
		for i := range w.cells {
			if w.cells[i].has && columns[i].Type != "string" {
				w.figures = w.cells[i].appendCSV(w.figures, columns[i].Type)
			}
			w.ends[i] = len(w.figures)
		}
		text, from := string(w.figures), 0
		for i := range w.cells {
			w.texts[i], from = text[from:w.ends[i]], w.ends[i]
			if w.cells[i].has && columns[i].Type == "string" {
				w.texts[i] = visible.Cell(w.cells[i].text)
			}
		}
		if err := c.Write(w.texts); err != nil {
			return err
		}
	}
	return nil
}

// keyOf returns the key of a piece: its columns and its results.
func keyOf(columns result.Stamp, rs []*result.Result) func(*result.Stamper) {
	return func(s *result.Stamper) {
		s.Stamp(columns)
		s.Results(rs)
	}
}

// stamp returns a stamp of the columns. Together with a result, the columns determine all cells.
func (t *Table) stamp() result.Stamp {
	var s result.Stamper
	for i := range t.columns {
		c := &t.columns[i]
		s.Text(c.Name, c.Type, c.Unit, c.Label, c.Metric)
		s.Int(int(c.kind), int(c.is))
	}
	return s.Sum()
}
