package datapackage_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/benchpost/benchpost/generator/datapackage"
	"github.com/benchpost/benchpost/generator/pieces"
	"github.com/benchpost/benchpost/generator/result"
)

// many returns n results. The result at index changed has another figure.
func many(n, changed int) []*result.Result {
	rs := make([]*result.Result, n)
	for i := range rs {
		value := float64(i)
		if i == changed {
			value = -1
		}
		r := made(fmt.Sprintf("c%d/%d", i/16, i), map[string]string{"model": fmt.Sprint("m", i%8), "batch_size": fmt.Sprint(i % 3)}, metric("output_throughput", value, "tok/s", 2), metric("ttft_mean", value/3, "ms", 2))
		var s result.Stamper
		s.Text(r.ID)
		s.Float(value)
		r.Stamp = s.Sum()
		rs[i] = r
	}
	return rs
}

// TestChangedTable: a file with copied pieces equals a file that is made anew, and has all results in order.
func TestChangedTable(t *testing.T) {
	t.Parallel()
	const n, changed = 6000, 3210
	before, now := datapackage.Of(many(n, -1)), datapackage.Of(many(n, changed))
	for name, write := range map[string]func(*datapackage.Table, *pieces.Writer) error{
		"csv": (*datapackage.Table).CSV, "parquet": (*datapackage.Table).Parquet, "figures": (*datapackage.Table).Figures,
	} {
		var old, whole, copied bytes.Buffer
		had, err := pieces.Write(&old, result.Stamp{}, nil, func(w *pieces.Writer) error { return write(before, w) })
		if err != nil {
			t.Fatal(err)
		}
		if err := pieces.Whole(&whole, func(w *pieces.Writer) error { return write(now, w) }); err != nil {
			t.Fatal(err)
		}
		has, err := pieces.Write(&copied, result.Stamp{}, &pieces.File{ReaderAt: bytes.NewReader(old.Bytes()), Pieces: had}, func(w *pieces.Writer) error { return write(now, w) })
		if err != nil || !bytes.Equal(copied.Bytes(), whole.Bytes()) {
			t.Errorf("%s: copied from the one before it is another file, %v", name, err)
		}
		others := 0
		for i := range has {
			if has[i].Key != had[i].Key {
				others++
			}
		}
		if others != 1 || len(has) < 3 {
			t.Errorf("%s: %d of %d pieces are others", name, others, len(has))
		}
		if name == "csv" {
			continue
		}
		file, err := parquet.OpenFile(bytes.NewReader(copied.Bytes()), int64(copied.Len()))
		if err != nil || len(file.RowGroups()) < 2 {
			t.Fatalf("%s: %v", name, err)
		}
		_, rows := read(t, copied.Bytes())
		perResult := len(rows) / n
		if int64(len(rows)) != file.NumRows() || len(rows) != perResult*n {
			t.Fatalf("%s: %d rows of %d results, and %d in all groups", name, len(rows), n, file.NumRows())
		}
		for i, row := range rows {
			if want := fmt.Sprintf("c%d/%d", i/perResult/16, i/perResult); row["id"] != want {
				t.Fatalf("%s: row %d is of %v, not of %s", name, i, row["id"], want)
			}
		}
		if row := rows[perResult*changed]; row["output_throughput"] != -1.0 && row["value"] != -1.0 {
			t.Errorf("%s: the changed row is %v", name, row)
		}
	}
}
