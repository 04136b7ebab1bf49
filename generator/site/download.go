package site

import (
	"io"

	"github.com/benchpost/benchpost/generator/export"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/site/cache"
)

// writeResults publishes all results in one file of each form. The files are as
// large as all campaigns together, so that they are written piece by piece.
func (b *builder) writeResults(out *cache.Writer) error {
	set := export.Set{Results: b.pages.Results}
	if len(set.Results) == 0 {
		return nil
	}
	all := cache.Key(cache.ResultsKey{Site: b.session.key, Results: set.Results})
	for _, f := range []struct {
		path  string
		write func(io.Writer, export.Set) error
	}{{page.ResultsCSV, export.CSV}, {page.ResultsLines, export.JSONLines}, {page.ResultsParquet, export.Parquet}} {
		files, ok := out.Keeps(f.path, all)
		if !ok {
			artifact := out.Artifact(f.path, all)
			if err := artifact.Stream(f.path, func(w io.Writer) error { return f.write(w, set) }); err != nil {
				return err
			}
			files = artifact.Done()
		}
		b.pages.Written = append(b.pages.Written, cache.DataFiles(files)...)
	}
	return nil
}
