package datapackage

import (
	"encoding/json"
	"io"

	"github.com/parquet-go/parquet-go"

	"github.com/benchpost/benchpost/generator/result"
)

// Sheet writes rows of a table as Parquet, behind columns of the caller's.
type Sheet struct {
	table   *Table
	own     int // columns of the caller's
	options []parquet.WriterOption
	file    *parquet.GenericWriter[any]
	writers []*parquet.ColumnWriter
	row     *row
	values  [][]parquet.Value // of rows that are not yet encoded, by column
	rows    int
}

// Column is a column of a caller's own.
type Column struct {
	Name string
	Node parquet.Node
}

// Sheet begins a file of the table. With columns of the caller's, a row may be without a result, so that no
// column of the table is required.
func (t *Table) Sheet(w io.Writer, own ...Column) (*Sheet, error) {
	s, err := t.sheet(own...)
	if err == nil {
		s.begin(w)
	}
	return s, err
}

// sheet prepares files of the table, which begin with begin.
func (t *Table) sheet(own ...Column) (*Sheet, error) {
	columns, err := json.Marshal(struct {
		Fields []tableField `json:"fields"`
	}{fieldsOf(t.Fields(), false)})
	if err != nil {
		return nil, err
	}
	group := ordinal{}
	for _, c := range own {
		group.fields = append(group.fields, named{c.Node, c.Name})
	}
	group.fields = append(group.fields, t.nodes(len(own) > 0)...)
	s := &Sheet{table: t, own: len(own), row: t.row(), values: make([][]parquet.Value, len(group.fields)),
		options: []parquet.WriterOption{parquet.NewSchema("result", group), parquet.Compression(newCompressor()), parquet.PageBufferSize(pageSize),
			parquet.KeyValueMetadata("benchpost.schema", TableSchema), parquet.KeyValueMetadata("table_schema", string(columns)), createdBy}}
	for i := range s.values {
		s.values[i] = make([]parquet.Value, 0, batch)
	}
	return s, nil
}

func (s *Sheet) begin(w io.Writer) {
	s.file = parquet.NewGenericWriter[any](w, s.options...)
	s.writers = s.file.ColumnWriters()
}

// Add writes a row: the values of the caller's columns, which may not change before the next Flush, and a
// result, nil for none.
func (s *Sheet) Add(r *result.Result, own ...parquet.Value) error {
	if r != nil {
		s.row.fill(r)
	} else {
		s.row.clear()
	}
	for i, v := range own {
		s.values[i] = append(s.values[i], v)
	}
	for i := range s.row.cells {
		at := s.own + i
		s.values[at] = append(s.values[at], s.table.value(i, at, s.own > 0, &s.row.cells[i]))
	}
	if s.rows++; s.rows == batch {
		return s.encode()
	}
	return nil
}

// encode hands the rows that wait to the writers of the columns.
func (s *Sheet) encode() error {
	for i := range s.values {
		if _, err := s.writers[i].WriteRowValues(s.values[i]); err != nil {
			return err
		}
		s.values[i] = s.values[i][:0]
	}
	s.rows = 0
	return nil
}

// Flush ends a group of rows, which leaves memory.
func (s *Sheet) Flush() error {
	if err := s.encode(); err != nil {
		return err
	}
	err := s.file.Flush()
	s.writers = s.file.ColumnWriters()
	return err
}

// Close writes what is left and the end of the file.
func (s *Sheet) Close() error {
	if err := s.encode(); err != nil {
		return err
	}
	return s.file.Close()
}
