package site

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"github.com/benchpost/benchpost/generator/compare"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/singlefile"
)

// CompareOptions returns the options that a site sets for comparing two sets of its results.
func CompareOptions(c *config.Config) compare.Options {
	titles, _ := c.Labels()
	return compare.Options{Noise: c.Thresholds.Noise, Noises: c.Diff.Noise, Titles: titles}
}

// Counted returns the results that a report selects with a selector. Warm-ups and copies are left out unless the
// selector names them.
func Counted(c *config.Config, results []result.Result, sel result.Selector) []*result.Result {
	return dataOf(c, pointers(results), nil, nil, new(terms)).Matching(sel)
}

// DiffPage renders a comparison as one HTML file, with the layouts of the site in dir.
func DiffPage(dir string, c *config.Config, of *compare.Comparison, lang string) ([]byte, error) {
	titles, _ := c.Labels()
	pages := page.Site{Title: c.Title.Text, Author: c.Author, Languages: slices.Clone(c.Languages), BaseURL: c.BaseURL, Titles: titles}
	if !slices.Contains(pages.Languages, lang) { // links lead to pages in the first language
		pages.Languages = append(pages.Languages, lang)
	}
	if pages.Title.IsZero() {
		pages.Title = locale.Lit("benchpost")
	}
	if own := layouts(filepath.Join(dir, "layouts")); isDir(string(own)) {
		pages.Layouts = own.files()
	}
	files := map[string][]byte{}
	at, err := pages.RenderDiff(lang, of, func(path string, data []byte) error { files[path] = data; return nil })
	if err != nil {
		return nil, err
	}
	return singlefile.Pack(singlefile.Site{
		Base: pages.Address(),
		Open: func(file string) ([]byte, error) {
			if data, ok := files[file]; ok {
				return data, nil
			}
			return nil, locale.Errorf("%s: %s", file, fs.ErrNotExist)
		},
		Inside: func(file string) bool { return files[file] != nil && path.Ext(file) != ".html" },
	}, at, files[at])
}
