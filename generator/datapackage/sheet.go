package datapackage

import (
	"encoding/json"
	"io"

	"github.com/parquet-go/parquet-go"

	"github.com/benchpost/benchpost/generator/result"
)

// Sheet writes rows of a table as Parquet, after columns of the caller.
type Sheet struct {
	table   *Table
	own     int // number of columns of the caller
	options []parquet.WriterOption
	file    *parquet.GenericWriter[any]
	writers []*parquet.ColumnWriter
	row     *row
	values  [][]parquet.Value // rows that are not yet encoded, by column
	rows    int
}

// Column is a column of the caller.
type Column struct {
	Name string
	Node parquet.Node
}

// Sheet begins a file of the table with additional columns in front. If there are such columns, a row may have
// no result, so all columns of the table are optional.
func (t *Table) Sheet(w io.Writer, own ...Column) (*Sheet, error) {
	s, err := t.sheet(own...)
	if err == nil {
		s.begin(w)
	}
	return s, err
}

// sheet prepares files of the table. begin starts one.
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

// Add adds a row: the values of the caller's columns and a result, which may be nil. The values must not change
// before the next Flush.
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

// encode passes the collected rows to the column writers.
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

// Flush ends a row group and writes it out.
func (s *Sheet) Flush() error {
	if err := s.encode(); err != nil {
		return err
	}
	err := s.file.Flush()
	s.writers = s.file.ColumnWriters()
	return err
}

// Close writes the remaining rows and the end of the file.
func (s *Sheet) Close() error {
	if err := s.encode(); err != nil {
		return err
	}
	return s.file.Close()
}
