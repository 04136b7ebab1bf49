package datapackage

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/benchpost/benchpost/generator/pieces"
	"github.com/benchpost/benchpost/generator/result"
)

// resultsOfGroup is the approximate number of results in a row group. If a result changes, its group is made
// anew. A reader can skip a whole group.
const resultsOfGroup = 2048

const magic = "PAR1" // at the beginning and at the end of a Parquet file

var compact thrift.CompactProtocol

// groups writes a Parquet file whose row groups are pieces. write writes some results as a file with at most
// one group. columns is a stamp of the columns.
func groups(w *pieces.Writer, columns result.Stamp, results []*result.Result, write func(io.Writer, []*result.Result) error) error {
	_, err := w.Add(nil, func(w io.Writer) ([]byte, error) { return nil, text(w, magic) })
	if err != nil {
		return err
	}
	all, err := alone(nil, write)
	if err != nil {
		return err
	}
	footer := *all.Metadata()
	for rs := range pieces.Chunks(results, resultsOfGroup) {
		at := w.Size()
		note, err := w.Add(keyOf(columns, rs), func(w io.Writer) ([]byte, error) {
			return group(w, rs, write)
		})
		if err != nil {
			return err
		}
		var g format.RowGroup
		if err := thrift.Unmarshal(&compact, note, &g); err != nil {
			return err
		}
		if g.NumRows == 0 {
			continue
		}
		shift(&g, at-int64(len(magic)))
		g.Ordinal = int16(len(footer.RowGroups))
		footer.NumRows += g.NumRows
		footer.RowGroups = append(footer.RowGroups, g)
	}
	_, err = w.Add(nil, func(w io.Writer) ([]byte, error) {
		data, err := thrift.Marshal(&compact, &footer)
		if err != nil {
			return nil, err
		}
		data = binary.LittleEndian.AppendUint32(data, uint32(len(data)))
		return nil, text(w, string(data)+magic)
	})
	return err
}

func text(w io.Writer, s string) error {
	_, err := io.WriteString(w, s)
	return err
}

// alone writes results as a separate file in memory.
func alone(results []*result.Result, write func(io.Writer, []*result.Result) error) (*parquet.File, error) {
	var data bytes.Buffer
	if err := write(&data, results); err != nil {
		return nil, err
	}
	return parquet.OpenFile(bytes.NewReader(data.Bytes()), int64(data.Len()), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
}

// group writes the columns of a row group. It returns the footer entry that the group would have as the first
// group of a file. The page index is omitted, because a group is skipped or read as a whole.
func group(w io.Writer, results []*result.Result, write func(io.Writer, []*result.Result) error) ([]byte, error) {
	f, err := alone(results, write)
	if err != nil {
		return nil, err
	}
	var g format.RowGroup
	if all := f.Metadata().RowGroups; len(all) > 0 {
		g = all[0]
	}
	size := int64(0)
	for i := range g.Columns {
		c := &g.Columns[i]
		c.ColumnIndexOffset, c.ColumnIndexLength, c.OffsetIndexOffset, c.OffsetIndexLength = 0, 0, 0, 0
		size += c.MetaData.TotalCompressedSize
	}
	if _, err := io.Copy(w, io.NewSectionReader(f, int64(len(magic)), size)); err != nil {
		return nil, err
	}
	return thrift.Marshal(&compact, &g)
}

// shift moves the positions of a row group within its file. Zero means that there is no position.
func shift(g *format.RowGroup, by int64) {
	at := []*int64{&g.FileOffset}
	for i := range g.Columns {
		c := &g.Columns[i]
		at = append(at, &c.FileOffset, &c.MetaData.DataPageOffset, &c.MetaData.DictionaryPageOffset)
	}
	for _, at := range at {
		if *at != 0 {
			*at += by
		}
	}
}
