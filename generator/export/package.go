package export

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"

	"github.com/benchpost/benchpost/generator/datapackage"
	"github.com/benchpost/benchpost/generator/pieces"
	"github.com/benchpost/benchpost/generator/publish"
)

// Package writes results as a Data Package into a folder: either all files or none. It does not replace a file
// that is not from an earlier package.
func Package(dir string, set Set) error {
	out, err := publish.At(dir, publish.Options{Foreign: publish.Refuse}).Open()
	if err != nil {
		return err
	}
	table := datapackage.Of(set.Results)
	described := datapackage.Package{Table: table}
	whole := func(write func(*pieces.Writer) error) func(io.Writer) error {
		return func(w io.Writer) error { return pieces.Whole(w, write) }
	}
	put := func(name string, write func(io.Writer) error) error {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			return err
		}
		sum := sha256.Sum256(b.Bytes())
		described.Resources = append(described.Resources, datapackage.Resource{Path: name, Bytes: int64(b.Len()), SHA256: hex.EncodeToString(sum[:])})
		return out.Put(name, b.Bytes())
	}
	for _, f := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{datapackage.ParquetFile, whole(table.Parquet)}, {datapackage.CSVFile, whole(table.CSV)}, {datapackage.FiguresFile, whole(table.Figures)},
		{datapackage.LinesFile, whole(set.JSONLines)}, {datapackage.File, described.Write},
	} {
		if err := put(f.name, f.write); err != nil {
			return errors.Join(err, out.Discard())
		}
	}
	_, err = out.Commit()
	return err
}
