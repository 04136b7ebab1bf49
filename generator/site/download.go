package site

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"

	"benchpost/generator/export"
	"benchpost/generator/page"
)

// writeResults publishes all results in one file of each form. The files are as
// large as all campaigns together, so that they are written piece by piece.
func (b *builder) writeResults(put stream) error {
	set := export.Set{Results: b.pages.Results}
	if len(set.Results) == 0 {
		return nil
	}
	for _, f := range []struct {
		path  string
		write func(io.Writer, export.Set) error
	}{{page.ResultsCSV, export.CSV}, {page.ResultsLines, export.JSONLines}, {page.ResultsParquet, export.Parquet}} {
		sum := &digest{hash: sha256.New()}
		if err := put(f.path, func(w io.Writer) error { return f.write(io.MultiWriter(w, sum), set) }); err != nil {
			return err
		}
		b.pages.Written = append(b.pages.Written, page.DataFile{Path: f.path, Bytes: sum.bytes, SHA256: hex.EncodeToString(sum.hash.Sum(nil))})
	}
	return nil
}

// digest measures what is written to it.
type digest struct {
	hash  hash.Hash
	bytes int64
}

func (d *digest) Write(p []byte) (int, error) {
	d.bytes += int64(len(p))
	return d.hash.Write(p)
}
