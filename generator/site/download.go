package site

import (
	"hash"
	"io"

	"github.com/benchpost/benchpost/generator/export"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/result"
)

// writeResults publishes all results in one file of each form. The files are as
// large as all campaigns together, so that they are written piece by piece.
func (b *builder) writeResults(shelf *shelf) error {
	set := export.Set{Results: b.pages.Results}
	if len(set.Results) == 0 {
		return nil
	}
	var from result.Stamper
	from.Stamp(b.session.key)
	from.Results(set.Results)
	all := from.Sum()
	for _, f := range []struct {
		path  string
		write func(io.Writer, export.Set) error
	}{{page.ResultsCSV, export.CSV}, {page.ResultsLines, export.JSONLines}, {page.ResultsParquet, export.Parquet}} {
		files, ok := shelf.keeps(f.path, all)
		if !ok {
			tray := shelf.tray(f.path, all)
			if err := tray.stream(f.path, func(w io.Writer) error { return f.write(w, set) }); err != nil {
				return err
			}
			files = tray.done()
		}
		b.pages.Written = append(b.pages.Written, dataFiles(files)...)
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
