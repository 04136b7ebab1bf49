package page

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"html/template"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/benchpost/benchpost/generator/export"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
)

// DataFile is a published file below data/.
type DataFile struct {
	Path   string // in the site
	Bytes  int64
	SHA256 string // in hexadecimal digits
}

// The files that hold all results, written by the caller.
const (
	ResultsCSV     = "data/results.csv"
	ResultsLines   = "data/results.jsonl"
	ResultsParquet = "data/results.parquet"
)

// downloadsPath is the page that leads to all data.
const downloadsPath = "downloads/index.html"

// packageFile describes the data for programs.
const packageFile = "data/datapackage.json"

// recorder notes the files below data/ that a store is given or keeps, but for the
// scripts that only the pages read.
type recorder struct {
	Store
	mu    sync.Mutex
	files []DataFile
}

func (r *recorder) Kept(artifact string, from result.Stamp) ([]DataFile, bool) {
	files, ok := r.Store.Kept(artifact, from)
	if ok {
		r.note(files...)
	}
	return files, ok
}

func (r *recorder) Put(artifact string, from result.Stamp, files iter.Seq2[string, []byte]) error {
	for path, data := range files {
		if isData(path) {
			sum := sha256.Sum256(data)
			r.note(DataFile{path, int64(len(data)), hex.EncodeToString(sum[:])})
		}
	}
	return r.Store.Put(artifact, from, files)
}

func (r *recorder) note(files ...DataFile) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range files {
		if isData(f.Path) {
			r.files = append(r.files, f)
		}
	}
}

func isData(path string) bool {
	return strings.HasPrefix(path, "data/") && !strings.HasSuffix(path, ".js")
}

// downloads emits the description of all files of data and the pages that lead
// to them. They come last: only then are sizes and sums known.
func (b *builder) downloads(out *recorder) error {
	files := slices.Concat(b.Written, out.files)
	slices.SortFunc(files, func(x, y DataFile) int { return result.NaturalCompare(x.Path, y.Path) })
	p := export.Package{Title: locale.English(b.Title), Description: locale.English(b.Description), Results: b.results}
	for _, f := range files {
		one := export.File{Path: strings.TrimPrefix(f.Path, "data/"), Bytes: f.Bytes, SHA256: f.SHA256}
		if f.Path == ResultsCSV {
			p.CSV = &one
		} else {
			p.Others = append(p.Others, one)
		}
	}
	if len(files) > 0 {
		var buf bytes.Buffer
		if err := export.WritePackage(&buf, p); err != nil {
			return err
		}
		out.files = nil
		if err := out.Put(packageFile, result.Stamp{}, contents([]file{{packageFile, buf.Bytes()}})); err != nil {
			return err
		}
		files = append(files, out.files...)
	}
	common, labels, metrics := export.CSVFields(b.results)
	for _, l := range b.languages {
		made, err := b.downloadPage(l, files, common, labels, metrics)
		if err == nil {
			err = out.Put(l.dir+downloadsPath, result.Stamp{}, contents(made))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// downloadsData is the data of downloads.html.
type downloadsData struct {
	Results   []download // all results, each time in another form
	Campaigns []download // the same in parts
	Reports   []download // what the blocks of posts came to
	Total     int        // results
	Schema    template.HTML
}

// download is a file with what it holds.
type download struct {
	Name, Size, SHA256 string
	What               string
	Href               template.URL
}

func (b *builder) downloadPage(l *language, files []DataFile, common, labels, metrics []export.Field) ([]file, error) {
	p := l.Printer
	v := b.compose(l, "downloads", downloadsPath, p.Words("page.downloads"))
	d := &downloadsData{Total: len(b.results)}
	campaigns := map[string]string{}
	for _, r := range b.results {
		campaigns[resultsDataPath(dataGroup(r))] = dataGroup(r)
	}
	reports := map[string]string{}
	for _, of := range b.languages {
		for _, post := range b.posts[of.tag] {
			reports[b.PostData(of.tag, post.Slug)] = post.Title
		}
	}
	all := []string{ResultsCSV, ResultsLines, ResultsParquet, packageFile, dataIndex}
	words := []string{"page.downloads.csv", "page.downloads.jsonl", "page.downloads.parquet", "page.downloads.package", "page.downloads.index"}
	for _, f := range files {
		one := download{Name: strings.TrimPrefix(f.Path, "data/"), Size: parts.Size(f.Bytes), SHA256: f.SHA256, Href: template.URL(address.Link(l.dir+v.pg.path, f.Path))}
		campaign, isCampaign := campaigns[f.Path]
		report, isReport := reports[f.Path]
		switch i := slices.Index(all, f.Path); {
		case i >= 0:
			one.What = p.Words(words[i])
			d.Results = append(d.Results, one)
		case isReport:
			one.What = report
			d.Reports = append(d.Reports, one)
		case strings.HasPrefix(f.Path, "data/coverage/"):
			one.What = p.Words("page.downloads.coverage")
			d.Reports = append(d.Reports, one)
		case isCampaign && campaign != noCampaign:
			one.What = campaign
			d.Campaigns = append(d.Campaigns, one)
		case f.Path == resultsDataPath(noCampaign):
			one.What = p.Words("page.downloads.none-of")
			d.Campaigns = append(d.Campaigns, one)
		}
	}
	slices.SortFunc(d.Results, func(x, y download) int {
		return cmp.Compare(slices.Index(all, "data/"+x.Name), slices.Index(all, "data/"+y.Name))
	})
	var w parts.Writer
	for _, t := range []struct {
		key    string
		fields []export.Field
	}{
		{"page.downloads.schema.all", common}, {"page.downloads.schema.tidy", export.ParquetFields()[len(common):]},
		{"page.downloads.schema.json", export.ResultFields()}, {"page.downloads.schema.label", labels}, {"page.downloads.schema.metric", metrics},
	} {
		writeSchema(&w, p.Words(t.key), t.fields, v.pg.home+address.Methodology, p)
	}
	d.Schema = w.HTML()
	v.pg.Data = d
	return v.finish()
}

// schema writes a table of fields; method leads to the definitions of metrics.
func writeSchema(w *parts.Writer, caption string, fields []export.Field, method string, p locale.Printer) {
	if len(fields) == 0 {
		return
	}
	units := slices.ContainsFunc(fields, func(f export.Field) bool { return f.Unit != "" })
	w.OpenScroll(caption, p)
	w.Tag(`<table class="schema"><caption><span><b class="name">`)
	w.Text(caption)
	w.Tag(`</b></span></caption><thead><tr><th scope="col">`, p.Words("page.downloads.column"), `</th><th scope="col">`, p.Words("page.downloads.type"), "</th>")
	if units {
		w.Tag(`<th scope="col">`, p.Words("page.unit"), "</th>")
	}
	w.Tag(`<th scope="col">`, p.Words("page.downloads.meaning"), "</th></tr></thead>\n<tbody>\n")
	for _, f := range fields {
		w.Tag(`<tr><th scope="row"><code>`)
		w.Text(f.Name)
		w.Tag("</code></th><td>", f.Type, "</td>")
		if units {
			w.Tag(`<td class="unit">`)
			w.Text(f.Unit)
			w.Tag("</td>")
		}
		w.Tag("<td>")
		if defined := definitionOf(f.Metric); defined != "" {
			w.Tag(`<a href="`)
			w.Text(method + "#" + metricAnchor + defined)
			w.Tag(`">`)
			w.Text(p.Say(f.Meaning))
			w.Tag("</a>")
		} else {
			w.Text(p.Say(f.Meaning))
		}
		switch f.Better {
		case result.Higher:
			w.Tag(` <small class="unit">↑ `, p.Words("page.higher"), "</small>")
		case result.Lower:
			w.Tag(` <small class="unit">↓ `, p.Words("page.lower"), "</small>")
		}
		w.Tag("</td></tr>\n")
	}
	w.Tag("</tbody></table></div>\n")
}
