package datapackage

import (
	"cmp"
	"io"
	"reflect"

	compress "github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/pieces"
	"github.com/benchpost/benchpost/generator/result"
)

// Sizes for writing Parquet.
const (
	batch    = 256     // rows that are encoded together, column by column
	pageSize = 1 << 14 // bytes of a column that are collected before compression
)

// Parquet writes the table, compressed with zstd. The metadata of the file contain the format of the table
// under "benchpost.schema", and the columns with their units as JSON under "table_schema".
func (t *Table) Parquet(w *pieces.Writer) error {
	sheet, err := t.sheet()
	if err != nil {
		return err
	}
	return groups(w, t.stamp(), t.results, func(w io.Writer, results []*result.Result) error {
		sheet.begin(w)
		for _, r := range results {
			if err := sheet.Add(r); err != nil {
				return err
			}
		}
		return sheet.Close()
	})
}

// compressor is the zstd codec of the library, but with a window of 1 MB. The library's encoder keeps 16 MB for
// each compressor, while dictionaries are rarely larger than 1 MB.
type compressor struct {
	*zstd.Codec
	encoder *compress.Encoder
}

func newCompressor() compressor {
	e, err := compress.NewWriter(nil, compress.WithEncoderConcurrency(1), compress.WithWindowSize(1<<20), compress.WithLowerEncoderMem(true), compress.WithZeroFrames(true), compress.WithEncoderCRC(false))
	if err != nil {
		panic(err) // impossible: the options are valid
	}
	return compressor{&zstd.Codec{}, e}
}

func (c compressor) Encode(dst, src []byte) ([]byte, error) {
	return c.encoder.EncodeAll(src, dst[:0]), nil
}

// createdBy contains the name of the program but not its version, so that the file changes only if the data
// change.
var createdBy = parquet.CreatedBy("benchpost", TableSchema, "")

// value returns a cell of a column as a Parquet value. at is the index of the column in the file.
func (t *Table) value(column, at int, optional bool, c *cell) parquet.Value {
	if !c.has {
		return parquet.NullValue().Level(0, 0, at)
	}
	var v parquet.Value
	switch t.columns[column].Type {
	case "integer", "datetime":
		v = parquet.Int64Value(c.integer)
	case "date":
		v = parquet.Int32Value(int32(c.integer))
	case "boolean":
		v = parquet.BooleanValue(c.integer == 1)
	case "number":
		v = parquet.DoubleValue(c.number)
	default:
		v = parquet.ValueOf(c.text)
	}
	if t.columns[column].kind == fixed && !optional {
		return v.Level(0, 0, at)
	}
	return v.Level(0, 1, at)
}

// nodes returns the columns of the table in order; a parquet.Group would sort them by name. Fixed columns are
// required unless optional is true.
func (t *Table) nodes(optional bool) []parquet.Field {
	var fields []parquet.Field
	for _, c := range t.columns {
		var node parquet.Node
		switch c.Type {
		case "integer":
			node = parquet.Int(64)
		case "number":
			node = parquet.Leaf(parquet.DoubleType)
		case "boolean":
			node = parquet.Leaf(parquet.BooleanType)
		case "date":
			node = parquet.Date()
		case "datetime":
			node = parquet.TimestampAdjusted(parquet.Microsecond, false)
		default:
			node = parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
		}
		if c.kind != fixed || optional {
			node = parquet.Optional(node)
		}
		fields = append(fields, named{node, c.Name})
	}
	return fields
}

// ordinal is a group whose fields keep their order.
type ordinal struct {
	parquet.Group // empty; provides all methods except Fields
	fields        []parquet.Field
}

func (o ordinal) Fields() []parquet.Field { return o.fields }

// named is a leaf of a group. Rows are written by column, so the library never asks it for a Go value.
type named struct {
	parquet.Node
	name string
}

func (n named) Name() string { return n.name }

func (n named) Value(reflect.Value) reflect.Value { return reflect.Value{} }

// figureRow is a row of the long form: a metric of a result.
type figureRow struct {
	ID      string  `parquet:"id,dict"`
	Metric  string  `parquet:"metric,dict"`
	Value   float64 `parquet:"value"`
	Unit    *string `parquet:"unit,optional,dict"`
	Better  *string `parquet:"better,optional,dict"`
	Field   *string `parquet:"field,optional,dict"`
	File    string  `parquet:"file,dict"`
	Line    *int64  `parquet:"line,optional"`
	Derived bool    `parquet:"derived"`
	Column  string  `parquet:"table_column,dict"`
}

// Figures writes the long form of the table as Parquet: a row for each metric of each result.
func (t *Table) Figures(w *pieces.Writer) error {
	compression := parquet.Compression(newCompressor())
	some := func(s string) *string {
		if s == "" {
			return nil
		}
		return &s
	}
	rows := make([]figureRow, 0, batch)
	return groups(w, t.stamp(), t.results, func(w io.Writer, results []*result.Result) error {
		p := parquet.NewGenericWriter[figureRow](w, compression, parquet.PageBufferSize(1<<16), createdBy)
		for _, r := range results {
			for i := range r.Metrics {
				m := &r.Metrics[i]
				column := t.columns[t.metrics[figure{m.Name, m.Unit}].column].Name
				row := figureRow{ID: r.ID, Metric: m.Name, Value: m.Value, Unit: some(m.Unit), Better: some(m.Better.String()), Field: some(m.Field), File: cmp.Or(m.File, r.Source.File), Derived: m.Derived, Column: column}
				if m.Line > 0 {
					line := int64(m.Line)
					row.Line = &line
				}
				rows = append(rows, row)
			}
			if len(rows) >= batch {
				if _, err := p.Write(rows); err != nil {
					return err
				}
				rows = rows[:0]
			}
		}
		if _, err := p.Write(rows); err != nil {
			return err
		}
		rows = rows[:0]
		return p.Close()
	})
}

// FigureFields returns the columns of Figures.
func FigureFields() []Field {
	return []Field{
		{Name: "id", Type: "string", Meaning: locale.T("schema.id")},
		{Name: "metric", Type: "string", Meaning: locale.T("schema.metric")},
		{Name: "value", Type: "number", Meaning: locale.T("schema.value")},
		{Name: "unit", Type: "string", Meaning: locale.T("schema.unit")},
		{Name: "better", Type: "string", Meaning: locale.T("schema.better")},
		{Name: "field", Type: "string", Meaning: locale.T("schema.field")},
		{Name: "file", Type: "string", Meaning: locale.T("schema.figure-file")},
		{Name: "line", Type: "integer", Meaning: locale.T("schema.metric-line")},
		{Name: "derived", Type: "boolean", Meaning: locale.T("schema.derived")},
		{Name: "table_column", Type: "string", Meaning: locale.T("schema.table-column")},
	}
}
