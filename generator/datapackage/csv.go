package datapackage

import (
	"encoding/csv"
	"io"

	"github.com/benchpost/benchpost/generator/visible"
)

// CSV writes the table with a header. A result without a value has an empty cell; figures have the digits
// that the tool wrote.
func (t *Table) CSV(w io.Writer) error {
	c := csv.NewWriter(w)
	row := make([]string, len(t.columns))
	for i := range t.columns {
		row[i] = t.columns[i].Name
	}
	if err := c.Write(row); err != nil {
		return err
	}
	cells := make([]cell, len(t.columns))
	for _, r := range t.results {
		t.fill(cells, r)
		for i := range cells {
			switch typeName := t.columns[i].Type; {
			case !cells[i].has:
				row[i] = ""
			case typeName == "string":
				row[i] = visible.Cell(cells[i].text)
			default:
				row[i] = cells[i].csv(typeName)
			}
		}
		if err := c.Write(row); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}
