package export

import (
	"io"

	"github.com/parquet-go/parquet-go"
)

// row is one metric of one result: the tidy form, which asks for no column a
// result does not have. A result without metrics has one row without them.
type row struct {
	ID      string     `parquet:"id,dict"`
	File    string     `parquet:"file,dict"`
	Line    int32      `parquet:"line"`
	Tool    string     `parquet:"tool,dict"`
	Format  string     `parquet:"format,dict"`
	Status  string     `parquet:"status,dict"`
	Checks  string     `parquet:"checks,dict"` // as in CSV
	Metric  *string    `parquet:"metric,optional,dict"`
	Value   *float64   `parquet:"value,optional"`
	Unit    *string    `parquet:"unit,optional,dict"`
	Better  *string    `parquet:"better,optional,dict"`
	Field   *string    `parquet:"field,optional,dict"`
	At      *int32     `parquet:"metric_line,optional"`
	Derived *bool      `parquet:"derived,optional"`
	Labels  []rowLabel `parquet:"labels,list"`
}

type rowLabel struct {
	Name  string `parquet:"name,dict"`
	Value string `parquet:"value,dict"`
}

// batch is how many rows are held before they are written.
const batch = 4096

// rowGroup is how many are encoded before they leave memory; a reader can skip
// a group as a whole.
const rowGroup = 1 << 16

// Parquet writes one row for each metric of each result, with the labels as a
// list in order of their names, compressed with zstd.
func Parquet(w io.Writer, set Set) error {
	p := parquet.NewGenericWriter[row](w, parquet.Compression(&parquet.Zstd), parquet.MaxRowsPerRowGroup(rowGroup), parquet.CreatedBy("benchpost", Schema, ""))
	rows := make([]row, 0, batch)
	flush := func() error {
		_, err := p.Write(rows)
		rows = rows[:0]
		return err
	}
	for _, r := range set.Results {
		var labels []rowLabel
		for name, value := range r.Labels.Values() {
			labels = append(labels, rowLabel{name, value})
		}
		base := row{ID: r.ID, File: r.Source.File, Line: int32(r.Source.Line), Tool: r.Tool, Format: r.Format, Status: r.Status.String(), Checks: standing(r), Labels: labels}
		if len(r.Metrics) == 0 {
			rows = append(rows, base)
		}
		for _, m := range r.Metrics {
			one := base
			better, line := m.Better.String(), int32(m.Line)
			one.Metric, one.Value, one.Unit, one.Field, one.At, one.Derived = &m.Name, &m.Value, &m.Unit, &m.Field, &line, &m.Derived
			if better != "" {
				one.Better = &better
			}
			rows = append(rows, one)
		}
		if len(rows) >= batch {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	return p.Close()
}
