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

	"github.com/benchpost/benchpost/generator/datapackage"
	"github.com/benchpost/benchpost/generator/export"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/data"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
)

// DataFile is a published file below data/.
type DataFile struct {
	Path   string // in the site
	Bytes  int64
	SHA256 string // in hexadecimal digits
}

// The files that contain all results, written by the caller.
const (
	ResultsCSV     = dataFolder + datapackage.CSVFile
	ResultsParquet = dataFolder + datapackage.ParquetFile
	ResultFigures  = dataFolder + datapackage.FiguresFile
)

// dataFolder has the data files and their descriptions.
const dataFolder = "data/"

// downloadsPath is the page with links to all data.
const downloadsPath = "downloads/index.html"

// packageFile describes the data for programs.
const packageFile = dataFolder + datapackage.File

// recorder records the files below data/ that a store gets or keeps, except the scripts, which only pages read.
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
	return strings.HasPrefix(path, dataFolder) && !strings.HasSuffix(path, ".js")
}

// downloads emits the description of all data files and the pages that link to them. It runs last, when all sizes and
// sums are known.
func (b *builder) downloads(out *recorder) error {
	files := slices.Concat(b.Written, out.files)
	slices.SortFunc(files, func(x, y DataFile) int { return result.NaturalCompare(x.Path, y.Path) })
	table := b.table()
	p := datapackage.Package{Title: b.Title, Description: b.Description, Work: b.Work, Table: table}
	for _, f := range files {
		p.Resources = append(p.Resources, datapackage.Resource{Path: strings.TrimPrefix(f.Path, dataFolder), Bytes: f.Bytes, SHA256: f.SHA256})
	}
	if len(files) > 0 {
		var buf bytes.Buffer
		if err := p.Write(&buf); err != nil {
			return err
		}
		out.files = nil
		if err := out.Put(packageFile, result.Stamp{}, filesOf([]file{{path: packageFile, data: buf.Bytes()}})); err != nil {
			return err
		}
		files = append(files, out.files...)
	}
	for _, l := range b.languages {
		made, err := b.downloadPage(l, files, table)
		if err == nil {
			err = out.Put(l.dir+downloadsPath, result.Stamp{}, filesOf(made))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// downloadsData is the data of downloads.html. A large site has a file for each campaign and each post. The page lists
// the first ones; the data package lists all with their sums.
type downloadsData struct {
	Results       []download   // all results in several forms
	Campaigns     []download   // the same in parts
	MoreCampaigns int          // that are not listed
	Reports       []download   // the evaluated blocks of posts
	MoreReports   int          // that are not listed
	Package       template.URL // of the list of all files
	Total         int          // results
	Schemas       []schema
}

// mostDownloads is the maximum number of listed files of a kind.
const mostDownloads = 100

// download is a file with a description of its content.
type download struct {
	Name, Size, SHA256 string
	What               string
	Href               template.URL
}

func (b *builder) downloadPage(l *language, files []DataFile, table *datapackage.Table) ([]file, error) {
	p := l.Printer
	v := b.compose(l, "downloads", downloadsPath, p.Words("page.downloads"))
	d := &downloadsData{Total: len(b.results), Package: template.URL(address.Link(l.dir+v.pg.path, packageFile))}
	campaigns := map[string]string{}
	for _, r := range b.results {
		campaigns[b.resultsDataPath(data.GroupOf(r))] = data.GroupOf(r)
	}
	reports := map[string]string{}
	for _, of := range b.languages {
		for _, post := range b.posts[of.tag] {
			reports[b.PostData(of.tag, post.Slug)] = post.Title
		}
	}
	all := []string{ResultsParquet, ResultsCSV, ResultFigures, packageFile, dataIndex}
	words := []string{"page.downloads.parquet", "page.downloads.csv", "page.downloads.figures", "page.downloads.package", "page.downloads.index"}
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
		case isCampaign && campaign != data.NoCampaign:
			one.What = campaign
			d.Campaigns = append(d.Campaigns, one)
		case f.Path == b.resultsDataPath(data.NoCampaign):
			one.What = p.Words("page.downloads.none-of")
			d.Campaigns = append(d.Campaigns, one)
		}
	}
	slices.SortFunc(d.Results, func(x, y download) int {
		return cmp.Compare(slices.Index(all, "data/"+x.Name), slices.Index(all, "data/"+y.Name))
	})
	d.Campaigns, d.MoreCampaigns = firstOf(d.Campaigns)
	d.Reports, d.MoreReports = firstOf(d.Reports)
	common, labels, metrics := table.Parts()
	for _, t := range []struct {
		key    string
		fields []datapackage.Field
	}{
		{"page.downloads.schema.all", common}, {"page.downloads.schema.label", labels}, {"page.downloads.schema.metric", metrics},
		{"page.downloads.schema.tidy", datapackage.FigureFields()}, {"page.downloads.schema.json", export.ResultFields()},
	} {
		if len(t.fields) > 0 {
			d.Schemas = append(d.Schemas, schemaOf(p.Words(t.key), t.fields, v.pg.home, p))
		}
	}
	v.pg.Data = d
	return v.finish()
}

// firstOf returns the files to list, and the number of others.
func firstOf(files []download) (listed []download, more int) {
	n := min(len(files), mostDownloads)
	return files[:n], len(files) - n
}

// schema is a table of fields.
type schema struct {
	Caption string
	Units   bool // at least one field has a unit
	Fields  []schemaField
}

type schemaField struct {
	Name, Type, Unit string
	Meaning          string
	Href             template.URL // of the definition of a metric
	Better           string       // "higher", "lower", or "" if neither is better
}

func schemaOf(caption string, fields []datapackage.Field, home string, p locale.Printer) schema {
	t := schema{Caption: caption}
	for _, f := range fields {
		one := schemaField{Name: f.Name, Type: f.Type, Unit: f.Unit, Meaning: p.Say(f.Meaning)}
		if defined := parts.DefinitionOf(f.Metric); defined != "" {
			one.Href = template.URL(home + address.Methodology + "#" + parts.MetricAnchor + defined)
		}
		switch f.Better {
		case result.Higher:
			one.Better = "higher"
		case result.Lower:
			one.Better = "lower"
		}
		t.Units = t.Units || f.Unit != ""
		t.Fields = append(t.Fields, one)
	}
	return t
}
