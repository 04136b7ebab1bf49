package export

import (
	"bufio"
	"io"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Field is a column of a table, or a field of a document.
type Field struct {
	Name    string // as it is in the file
	Type    string // string, integer, number, boolean, array or object, as Table Schema has them
	Meaning locale.Text
	Metric  string // whose values it holds, "" for none
	Unit    string
	Better  result.Better
}

// fixed are the columns that every result has, in CSV and in Parquet.
func fixed() []Field {
	return []Field{
		{Name: "id", Type: "string", Meaning: locale.T("schema.id")},
		{Name: "file", Type: "string", Meaning: locale.T("schema.file")},
		{Name: "line", Type: "integer", Meaning: locale.T("schema.line")},
		{Name: "tool", Type: "string", Meaning: locale.T("schema.tool")},
		{Name: "format", Type: "string", Meaning: locale.T("schema.format")},
		{Name: "status", Type: "string", Meaning: locale.T("schema.status")},
		{Name: "checks", Type: "string", Meaning: locale.T("schema.checks")},
	}
}

// CSVFields are the columns of CSV: what every result has, then the labels and
// the metrics that any of these has.
func CSVFields(rs []*result.Result) (common, labels, metrics []Field) {
	names, measured := Columns(rs)
	for _, name := range names {
		labels = append(labels, Field{Name: name, Type: "string", Meaning: locale.LabelName(name)})
	}
	for _, m := range measured {
		f := Field{Name: m.Name + unitSuffix(m.Unit), Type: "number", Meaning: locale.MetricName(m.Name), Metric: m.Name, Unit: strings.Trim(unitSuffix(m.Unit), " []"), Better: m.Better}
		metrics = append(metrics, f)
	}
	return fixed(), labels, metrics
}

// ResultFields are the fields of a result in JSON lines and in a results
// document.
func ResultFields() []Field {
	return []Field{
		{Name: "id", Type: "string", Meaning: locale.T("schema.id")},
		{Name: "source.file", Type: "string", Meaning: locale.T("schema.file")},
		{Name: "source.line", Type: "integer", Meaning: locale.T("schema.line")},
		{Name: "tool", Type: "string", Meaning: locale.T("schema.tool")},
		{Name: "format", Type: "string", Meaning: locale.T("schema.format")},
		{Name: "status", Type: "string", Meaning: locale.T("schema.status")},
		{Name: "labels", Type: "object", Meaning: locale.T("schema.labels")},
		{Name: "metrics", Type: "object", Meaning: locale.T("schema.metrics")},
		{Name: "metrics.*.value", Type: "number", Meaning: locale.T("schema.value")},
		{Name: "metrics.*.unit", Type: "string", Meaning: locale.T("schema.unit")},
		{Name: "metrics.*.better", Type: "string", Meaning: locale.T("schema.better")},
		{Name: "metrics.*.field", Type: "string", Meaning: locale.T("schema.field")},
		{Name: "metrics.*.line", Type: "integer", Meaning: locale.T("schema.metric-line")},
		{Name: "metrics.*.file", Type: "string", Meaning: locale.T("schema.metric-file")},
		{Name: "metrics.*.derived", Type: "boolean", Meaning: locale.T("schema.derived")},
		{Name: "checks", Type: "array", Meaning: locale.T("schema.check-list")},
		{Name: "checks[].id", Type: "string", Meaning: locale.T("schema.check-id")},
		{Name: "checks[].severity", Type: "string", Meaning: locale.T("schema.severity")},
		{Name: "checks[].message", Type: "string", Meaning: locale.T("schema.message")},
		{Name: "checks[].figures", Type: "object", Meaning: locale.T("schema.figures")},
		{Name: "checks[].hint", Type: "string", Meaning: locale.T("schema.hint")},
		{Name: "checks[].waived", Type: "string", Meaning: locale.T("schema.waived")},
	}
}

// ParquetFields are the columns of Parquet.
func ParquetFields() []Field {
	return append(fixed(),
		Field{Name: "metric", Type: "string", Meaning: locale.T("schema.metric")},
		Field{Name: "value", Type: "number", Meaning: locale.T("schema.value")},
		Field{Name: "unit", Type: "string", Meaning: locale.T("schema.unit")},
		Field{Name: "better", Type: "string", Meaning: locale.T("schema.better")},
		Field{Name: "field", Type: "string", Meaning: locale.T("schema.field")},
		Field{Name: "metric_line", Type: "integer", Meaning: locale.T("schema.metric-line")},
		Field{Name: "derived", Type: "boolean", Meaning: locale.T("schema.derived")},
		Field{Name: "labels", Type: "array", Meaning: locale.T("schema.label-list")},
	)
}

// File is a published file.
type File struct {
	Path   string // relative to the description that names it
	Bytes  int64
	SHA256 string // in hexadecimal digits
}

// Package describes published files for programs, as a Data Package of the
// second version (datapackage.org): CSV with all its columns, the others by what
// they are.
type Package struct {
	Title, Description string
	CSV                *File // nil when there are no results
	Results            []*result.Result
	Others             []File
}

type (
	dataPackage struct {
		Schema      string `json:"$schema"`
		Name        string `json:"name"`
		Title       string `json:"title,omitempty"`
		Description string `json:"description,omitempty"`
	}
	resource struct {
		Name      string `json:"name"`
		Type      string `json:"type,omitempty"`
		Path      string `json:"path"`
		Format    string `json:"format"`
		MediaType string `json:"mediatype"`
		Encoding  string `json:"encoding,omitempty"`
		Bytes     int64  `json:"bytes"`
		Hash      string `json:"hash"`
	}
	tableField struct {
		Name  string `json:"name"`
		Type  string `json:"type"`
		Title string `json:"title"`
		Unit  string `json:"unit,omitempty"`
	}
)

// mediaTypes are those of the files of a site, by their endings.
var mediaTypes = map[string]string{
	"csv": "text/csv", "json": "application/json", "jsonl": "application/jsonl", "parquet": "application/vnd.apache.parquet",
}

func resourceOf(f File) resource {
	format := f.Path[strings.LastIndexByte(f.Path, '.')+1:]
	r := resource{Name: strings.ReplaceAll(f.Path, "/", "-"), Path: f.Path, Format: format, MediaType: mediaTypes[format], Bytes: f.Bytes, Hash: "sha256:" + f.SHA256}
	r.Name = resourceName(r.Name)
	if format != "parquet" {
		r.Encoding = "utf-8"
	}
	return r
}

// resourceName keeps to what a name may hold; a file's name may hold anything.
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

// WritePackage writes the description, a resource and a field a line.
func WritePackage(w io.Writer, p Package) error {
	b := bufio.NewWriter(w)
	o := outline{w: b}
	files := p.Others
	if p.CSV != nil {
		files = append([]File{*p.CSV}, files...)
	}
	o.object(dataPackage{"https://datapackage.org/profiles/2.0/datapackage.json", "results", p.Title, p.Description},
		part{"resources", o.list(len(files), func(i int) {
			r := resourceOf(files[i])
			if i > 0 || p.CSV == nil {
				o.value(r)
				return
			}
			r.Type = "table"
			common, labels, metrics := CSVFields(p.Results)
			fields := append(append(common, labels...), metrics...)
			o.object(r, part{"schema", func() {
				o.object(struct {
					Key     []string `json:"primaryKey"`
					Missing []string `json:"missingValues"`
				}{[]string{"id"}, []string{""}}, part{"fields", o.list(len(fields), func(i int) {
					f := fields[i]
					o.value(tableField{f.Name, f.Type, locale.English(f.Meaning), f.Unit})
				})})
			}})
		})})
	b.WriteByte('\n')
	if o.err != nil {
		return o.err
	}
	return b.Flush()
}
