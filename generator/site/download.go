package site

import (
	"io"

	"github.com/benchpost/benchpost/generator/export"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/site/cache"
)

// writeResults publishes all results in one file of each form. The files are as
// large as all campaigns together, so that they are written piece by piece, each in its turn.
func (b *builder) writeResults(out *cache.Writer) (written []page.DataFile, err error) {
	set := export.Set{Results: b.pages.Results}
	if len(set.Results) == 0 {
		return nil, nil
	}
	all := cache.Key(cache.ResultsKey{Site: b.pages.Key, Results: set.Results})
	for _, f := range []struct {
		path  string
		write func(io.Writer, export.Set) error
	}{{page.ResultsCSV, export.CSV}, {page.ResultsLines, export.JSONLines}, {page.ResultsParquet, export.Parquet}} {
		files, ok := out.Keeps(f.path, all)
		if !ok {
			artifact := out.Artifact(f.path, all)
			if err := artifact.Stream(f.path, func(w io.Writer) error { return f.write(patient{w, b.session.turn}, set) }); err != nil {
				return nil, err
			}
			files = artifact.Done()
		}
		written = append(written, cache.DataFiles(files)...)
	}
	return written, nil
}

// patient is a writer that waits for its turn before each piece.
type patient struct {
	io.Writer
	turn func() (done func())
}

func (p patient) Write(data []byte) (int, error) {
	p.turn()()
	return p.Writer.Write(data)
}
