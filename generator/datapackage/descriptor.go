package datapackage

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/cite"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// File names of a package.
const (
	CSVFile     = "results.csv"
	LinesFile   = "results.jsonl"
	ParquetFile = "results.parquet"
	FiguresFile = "figures.parquet"
	File        = "datapackage.json" // describes the others
)

// Resource is a file of a package.
type Resource struct {
	Path   string // relative to the file of the description
	Bytes  int64
	SHA256 string // in hexadecimal digits
}

// Package describes files for programs as a Data Package, version 2: tables with all their columns, other files
// by their kind.
type Package struct {
	Title, Description locale.Text
	Work               cite.Work  // states the authors, the licence and the addresses
	Table              *Table     // content of CSVFile and ParquetFile; nil if there are no results
	Resources          []Resource // the tables come first, then all others in their order
}

// JSON structures of a description. Empty fields are omitted.
type (
	descriptor struct {
		Profile       string        `json:"$schema"`
		Name          string        `json:"name"`
		Title         string        `json:"title,omitempty"`
		TitleZH       string        `json:"title@zh,omitempty"`
		Description   string        `json:"description,omitempty"`
		DescriptionZH string        `json:"description@zh,omitempty"`
		Languages     []string      `json:"languages"`
		Homepage      string        `json:"homepage,omitempty"`
		Licenses      []license     `json:"licenses,omitempty"`
		Contributors  []contributor `json:"contributors,omitempty"`
		Sources       []source      `json:"sources,omitempty"`
	}
	license struct {
		Name string `json:"name,omitempty"`
		Path string `json:"path,omitempty"`
	}
	contributor struct {
		Title string   `json:"title"`
		Path  string   `json:"path,omitempty"`
		Roles []string `json:"roles"`
	}
	source struct {
		Title string `json:"title"`
		Path  string `json:"path"`
	}
	resource struct {
		Name      string `json:"name"`
		Type      string `json:"type,omitempty"`
		Path      string `json:"path"`
		Title     string `json:"title,omitempty"`
		TitleZH   string `json:"title@zh,omitempty"`
		Format    string `json:"format"`
		MediaType string `json:"mediatype"`
		Encoding  string `json:"encoding,omitempty"`
		Bytes     int64  `json:"bytes"`
		Hash      string `json:"hash"`
	}
	tableSchema struct {
		PrimaryKey  []string     `json:"primaryKey,omitempty"`
		ForeignKeys []foreignKey `json:"foreignKeys,omitempty"`
		Missing     []string     `json:"missingValues"`
	}
	foreignKey struct {
		Fields    []string  `json:"fields"`
		Reference reference `json:"reference"`
	}
	reference struct {
		Resource string   `json:"resource"`
		Fields   []string `json:"fields"`
	}
	tableField struct {
		Name          string `json:"name"`
		Type          string `json:"type"`
		Unit          string `json:"unit,omitempty"`
		Title         string `json:"title,omitempty"`
		TitleZH       string `json:"title@zh,omitempty"`
		Description   string `json:"description,omitempty"`
		DescriptionZH string `json:"description@zh,omitempty"`
		Label         string `json:"label,omitempty"`
		Metric        string `json:"metric,omitempty"`
		Better        string `json:"better,omitempty"`
	}
)

// fieldsOf describes columns. If full is true, the description is in both languages and includes definitions of
// metrics.
func fieldsOf(fields []Field, full bool) []tableField {
	zh, _ := locale.For("zh")
	out := make([]tableField, len(fields))
	for i, f := range fields {
		one := tableField{Name: f.Name, Type: f.Type, Unit: f.Unit, Label: f.Label, Metric: f.Metric, Better: f.Better.String()}
		english, chinese := locale.English(f.Meaning), different(zh.Say(f.Meaning), locale.English(f.Meaning))
		switch means := meansOf(f.Metric); {
		case f.Label == "" && f.Metric == "":
			one.Description, one.DescriptionZH = english, chinese
		case full:
			one.Title, one.TitleZH, one.Description, one.DescriptionZH = english, chinese, means.English, means.Chinese
		default:
			one.Title = english
		}
		if !full {
			one.DescriptionZH = ""
		}
		out[i] = one
	}
	return out
}

// different returns a translation, or "" if it equals the text.
func different(translation, text string) string {
	if translation == text {
		return ""
	}
	return translation
}

// meansOf returns the definition of a metric, or of the latency whose statistic it is.
func meansOf(metric string) vocabulary.Words {
	if family, _, ok := vocabulary.Statistic(metric); ok {
		metric = family
	}
	row, _ := vocabulary.Lookup(metric)
	return row.Means
}

// mediaTypes maps file name extensions to media types.
var mediaTypes = map[string]string{
	"csv": "text/csv", "json": "application/json", "jsonl": "application/jsonl", "parquet": "application/vnd.apache.parquet",
}

// rank sorts the tables before all other files.
func rank(path string) int {
	if i := slices.Index([]string{ParquetFile, CSVFile, FiguresFile, LinesFile}, path); i >= 0 {
		return i - 10
	}
	return 0
}

// titles maps file names to the keys of their titles.
var titles = map[string]string{
	CSVFile: "page.downloads.csv", LinesFile: "page.downloads.jsonl", ParquetFile: "page.downloads.parquet", FiguresFile: "page.downloads.figures",
}

func resourceOf(f Resource, zh locale.Printer) resource {
	format := f.Path[strings.LastIndexByte(f.Path, '.')+1:]
	r := resource{Name: resourceName(strings.ReplaceAll(f.Path, "/", "-")), Path: f.Path, Format: format, MediaType: mediaTypes[format], Bytes: f.Bytes, Hash: "sha256:" + f.SHA256}
	if key := titles[f.Path]; key != "" {
		r.Title, r.TitleZH = locale.English(locale.T(key)), zh.Say(locale.T(key))
	}
	if format != "parquet" {
		r.Encoding = "utf-8"
	}
	return r
}

// resourceName returns a valid name for a resource: other bytes of the path are escaped.
func resourceName(path string) string {
	const digits = "0123456789abcdef"
	var b strings.Builder
	for i := range len(path) {
		switch c := path[i]; {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '.', c == '-':
			b.WriteByte(c)
		default:
			b.Write([]byte{'_', digits[c>>4], digits[c&15]})
		}
	}
	return b.String()
}

// Write writes the description with each resource and each column on its own line.
func (p *Package) Write(w io.Writer) error {
	zh, _ := locale.For("zh")
	title, description := locale.English(p.Title), locale.English(p.Description)
	d := descriptor{Profile: "https://datapackage.org/profiles/2.0/datapackage.json", Name: "results", Title: title, TitleZH: different(zh.Say(p.Title), title),
		Description: description, DescriptionZH: different(zh.Say(p.Description), description), Languages: []string{"en", "zh"}, Homepage: p.Work.URL}
	if l := p.Work.License; strings.Contains(l, "://") {
		d.Licenses = []license{{Path: l}}
	} else if l != "" {
		d.Licenses = []license{{Name: l}}
	}
	for _, a := range p.Work.Authors {
		one := contributor{Title: a.String(), Roles: []string{"creator"}}
		if a.ORCID != "" {
			one.Path = "https://orcid.org/" + a.ORCID
		}
		d.Contributors = append(d.Contributors, one)
	}
	if p.Work.Repository != "" {
		d.Sources = []source{{"raw files of the runs", p.Work.Repository}}
	}
	b := bufio.NewWriter(w)
	l := lines{w: b}
	l.open(d, `"resources": [`)
	files := slices.Clone(p.Resources)
	slices.SortStableFunc(files, func(a, b Resource) int { return rank(a.Path) - rank(b.Path) })
	for i, f := range files {
		l.separate(i, 1)
		l.resource(p, resourceOf(f, zh))
	}
	b.WriteString("]}\n")
	if l.err != nil {
		return l.err
	}
	return b.Flush()
}

// lines writes JSON that diffs well: short values on one line, each item of a list on its own line.
type lines struct {
	w   *bufio.Writer
	err error
}

// open writes an object without its closing brace, followed by another key.
func (l *lines) open(v any, key string) {
	data := l.encode(v)
	l.w.Write(data[:len(data)-1])
	if len(data) > len("{}") {
		l.w.WriteByte(',')
	}
	l.w.WriteByte(' ')
	l.w.WriteString(key)
}

// separate starts the line of an item of a list.
func (l *lines) separate(i, depth int) {
	if i > 0 {
		l.w.WriteByte(',')
	}
	l.w.WriteString("\n" + strings.Repeat(" ", depth))
}

func (l *lines) encode(v any) []byte {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil && l.err == nil {
		l.err = fmt.Errorf("%s: %w", File, err)
	}
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}

// resource writes the description of a file. If the file is a table, it includes the columns.
func (l *lines) resource(p *Package, r resource) {
	var fields []Field
	schema := tableSchema{Missing: []string{""}}
	switch {
	case p.Table != nil && (r.Path == CSVFile || r.Path == ParquetFile):
		fields = p.Table.Fields()
		if p.Table.hasKey() {
			schema.PrimaryKey = []string{"id"}
		}
	case p.Table != nil && r.Path == FiguresFile:
		fields = FigureFields()
		if p.Table.hasKey() {
			schema.ForeignKeys = []foreignKey{{[]string{"id"}, reference{ParquetFile, []string{"id"}}}}
		}
	default:
		l.w.Write(l.encode(r))
		return
	}
	r.Type = "table"
	l.open(r, `"schema": `)
	l.open(schema, `"fields": [`)
	for i, f := range fieldsOf(fields, true) {
		l.separate(i, 2)
		l.w.Write(l.encode(f))
	}
	l.w.WriteString("]}}")
}

// hasKey reports whether all rows have distinct ids. Results of several folders may share ids.
func (t *Table) hasKey() bool {
	ids := make([]string, len(t.results))
	for i, r := range t.results {
		ids[i] = r.ID
	}
	slices.Sort(ids)
	return len(slices.Compact(ids)) == len(t.results)
}
