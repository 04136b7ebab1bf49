package format

import (
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/column"
	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Mapping describes how to read a CSV or JSON file of an unknown tool: which column, or key, is which metric or label.
// It is a [[format]] of site.toml.
type Mapping struct {
	Name    string // of the format, and of the tool if Tool is empty
	Tool    string
	Files   string            // pattern of path.Match: for the file name, or for the path below runs if it has a slash
	Rows    string            // in JSON, the dotted path of the list of results; the document when empty
	Columns map[string]Column // by the header of a column, or the dotted path of a key in a result
}

// Column is the meaning of a column: a metric with its unit in the file, or a label.
type Column struct {
	Metric string
	Unit   string
	Label  string
}

// Check returns what is wrong with a mapping, and a hint. at is the path of the key in the mapping's table. text is
// empty if nothing is wrong.
func (m *Mapping) Check() (at []any, text, hint locale.Text) {
	if m.Name == "" {
		return nil, locale.Textf("a [[format]] has no name"), locale.Textf(`for example name = "our-bench"`)
	}
	if _, err := path.Match(m.Files, ""); err != nil || m.Files == "" {
		return []any{"files"}, locale.Textf("files = %q of format %q is not a pattern", m.Files, m.Name), locale.Textf(`for example files = "results-*.csv"`)
	}
	metrics := 0
	for _, name := range slices.Sorted(maps.Keys(m.Columns)) {
		c := m.Columns[name]
		def, inVocabulary := vocabulary.Define(c.Metric)
		_, _, fits := draft.Known(c.Metric, c.Unit)
		switch {
		case (c.Metric == "") == (c.Label == ""):
			return []any{"columns", name}, locale.Textf("the column %q of format %q must be a metric or a label", name, m.Name),
				locale.Textf(`for example { metric = "ttft_mean", unit = "s" } or { label = "model_raw" }`)
		case c.Metric == "":
			continue
		case !inVocabulary && !strings.HasPrefix(c.Metric, "x_"):
			hint := locale.Textf("a metric of your own begins with x_, for example x_%s", draft.Snake(c.Metric))
			if meant := vocabulary.Meant(c.Metric); len(meant) > 0 {
				hint = locale.Textf("did you mean %s? %s", meant[0], hint)
			}
			return []any{"columns", name}, locale.Textf("the column %q of format %q: %s is not a metric", name, m.Name, c.Metric), hint
		case !fits:
			return []any{"columns", name}, locale.Textf("the column %q of format %q: %s is in %s, which %q is not", name, m.Name, c.Metric, def.Unit, c.Unit),
				locale.Textf(`for example unit = "s"`)
		}
		metrics++
	}
	if metrics == 0 {
		return []any{"columns"}, locale.Textf("format %q has no column that is a metric", m.Name), locale.Textf(`for example "TTFT (s)" = { metric = "ttft_mean", unit = "s" }`)
	}
	return nil, locale.Text{}, locale.Text{}
}

// Match reports whether the mapping applies to the file at a path below runs, with slashes.
func (m *Mapping) Match(rel string) bool {
	if !strings.Contains(m.Files, "/") {
		rel = path.Base(rel)
	}
	ok, _ := path.Match(m.Files, rel)
	return ok
}

// ReadMapped reads one file with a mapping.
func ReadMapped(name string, r io.Reader, m *Mapping) (Output, error) {
	return builtin().read(name, r, func(in *input) {
		if isJSON(in.window.Peek(headSize)) {
			in.mapping = m
			in.document()
			in.absent(m, slices.DeleteFunc(slices.Sorted(maps.Keys(in.keys)), func(key string) bool { return !in.keys[key] }))
			return
		}
		in.mappedTable(m)
	})
}

// Absent is a column or key that a mapping names and the file does not have.
type Absent struct {
	Column string
	Near   string   // the column of the file that was probably meant; "" for none
	There  []string // the file's columns in its order; at most maxThere
}

// maxThere is the maximum number of columns or keys in [Absent].
const maxThere = 40

// absent records the mapped columns that the file does not have.
func (in *input) absent(m *Mapping, there []string) {
	for _, name := range slices.Sorted(maps.Keys(m.Columns)) {
		if !slices.Contains(there, name) {
			in.missing = append(in.missing, Absent{name, settings.Nearest(name, unmapped(m, there)), there[:min(len(there), maxThere)]})
		}
	}
}

// unmapped returns the columns that a mapping does not name.
func unmapped(m *Mapping, there []string) []string {
	return slices.DeleteFunc(slices.Clone(there), func(name string) bool { _, named := m.Columns[name]; return named || name == "" })
}

// mappedTable reads the CSV rows below a header. The header has the mapped columns, or at least one column whose name
// is equal or nearly equal to a mapped one. The separator is a comma, semicolon or tab.
func (in *input) mappedTable(m *Mapping) {
	lines := scan.Lines{W: &in.window, Number: 1}
	var header []string
	var separator byte
	var cells []string
	missing := ""
	n := newNamed(in, m)
	for {
		l, ok := lines.Next()
		if !ok {
			break
		}
		if len(strings.TrimSpace(string(l.Text))) == 0 {
			continue
		}
		if header == nil {
			if header, separator = m.header(l.Text); header != nil {
				header = slices.Clone(header)
				in.absent(m, header)
				n.head(header)
			} else if missing == "" {
				missing = m.missing(l.Text)
			}
			continue
		}
		cells = scan.Commas(cells[:0], l.Text, separator)
		if slices.Equal(cells, header) { // the tool repeats the header when it is started again
			continue
		}
		in.mappedRow(n, header, cells, l)
	}
	n.report()
	if header == nil {
		in.absent(m, nil)
		in.NoResult(1, locale.Textf("no line has the columns of format %q: %s", m.Name, missing))
	}
}

// header returns the cells of a line that has mapped columns or nearly equal names, and the separator.
func (m *Mapping) header(line []byte) ([]string, byte) {
	var header []string
	var by byte
	most := 0
	for _, separator := range []byte{',', ';', '\t'} {
		cells := scan.Commas(nil, line, separator)
		if len(m.Columns) > 1 && len(cells) < 2 {
			continue
		}
		has := 0
		for name := range m.Columns {
			if slices.Contains(cells, name) || settings.Nearest(name, cells) != "" {
				has++
			}
		}
		if has > most {
			header, by, most = cells, separator, has
		}
	}
	return header, by
}

// missing describes which mapped columns a line lacks.
func (m *Mapping) missing(line []byte) string {
	cells := scan.Commas(nil, line, ',')
	var absent []string
	for _, name := range slices.Sorted(maps.Keys(m.Columns)) {
		if !slices.Contains(cells, name) {
			absent = append(absent, name)
		}
	}
	return fmt.Sprintf("%s missing; the first line has %s", strings.Join(absent, ", "), scan.Clip([]byte(strings.Join(cells, ", ")), 200))
}

func (in *input) mappedRow(n *named, header, cells []string, l scan.Line) {
	m, s := n.mapping, &n.Draft
	s.Reset(in.File, m.tool(), m.Name, l.Number)
	many := len(cells) >= len(header) && n.many(cells)
	last := len(cells) - 1
	for i, cell := range cells {
		if i >= len(header) || scan.IsMissing(cell) || i == last && !l.Ended { // the last cell may have lost digits
			continue
		}
		c, mapped := m.Columns[header[i]]
		switch {
		case mapped && c.Metric != "":
			number, unit, ok := scan.Quantity(cell)
			if unit == "" {
				unit = c.Unit
			}
			if !ok || !s.Number(c.Metric, unit, header[i], []byte(number), l.Number) {
				in.Message(l.Number, result.Warning, "format.not-a-number",
					locale.Textf("%s is not a number in a unit of %s: %q", header[i], c.Metric, scan.Clip([]byte(cell), 40)), locale.Textf("the figure is left out"))
			}
		case mapped:
			s.Fact([]byte(header[i]), []byte(cell))
			s.SetLabel(c.Label, []byte(cell), l.Number)
		case !n.take(i, cell, l.Number, many):
			ownCell(s, header[i], cell, l.Number)
		}
	}
	s.Emit(l.Number, l.Ended)
}

// named reads the columns that a mapping does not name, by the rules for tables without a mapping: only unambiguous
// columns are read.
type named struct {
	genericCSV
	mapping *Mapping
}

func newNamed(in *input, m *Mapping) *named {
	return &named{genericCSV{Draft: draft.Draft{In: in.File}, tables: []genericTable{{}}}, m}
}

// head sets the names of the columns or keys.
func (n *named) head(names []string) {
	n.header = n.header[:0]
	for _, name := range names {
		c := column.Of(name)
		if _, mapped := n.mapping.Columns[name]; mapped || n.mapping.names(c.Name) {
			c = column.Column{Text: name}
		}
		n.header = append(n.header, c)
	}
	n.settleRates()
}

// take reads the cell of a column whose name determines its meaning. It returns false for other columns.
func (n *named) take(i int, text string, line int, many bool) bool {
	c := n.header[i]
	_, defined := vocabulary.Define(c.Name)
	switch {
	case c.Name == "" || c.Ambiguous:
		return false
	case c.Bare && (many || n.mapping.names("output_throughput")), c.Stream && many:
		return false
	case !c.Bare && !defined && (!c.Label && c.Name != "date" || strings.HasPrefix(c.Name, "x_")):
		return false
	}
	if _, isNumber := scan.ParseFigure([]byte(text), 0); !isNumber && !c.Label && c.Name != "date" && !strings.Contains(text, ",") {
		return false
	}
	n.cell(c, text, line, many)
	return true
}

// others reads the scalars of an object that the mapping does not name.
func (n *named) others(v *scan.Value) {
	var names, cells []string
	var of []*scan.Value
	for child := range v.Children() {
		if child.Scalar() {
			names, cells, of = append(names, child.Key), append(cells, string(child.Raw)), append(of, child)
		}
	}
	n.head(names)
	many := n.many(cells)
	for i, child := range of {
		if !child.Used && !scan.IsMissing(cells[i]) && n.take(i, cells[i], child.Line, many) {
			child.Used = true
		}
	}
	n.report()
}

// report emits messages about cells that could not be read.
func (n *named) report() {
	for _, f := range n.tables[0].faults {
		n.In.Message(f.line, result.Warning, "format.row", f.text, f.hint)
	}
}

// names reports whether the mapping maps a column to the given metric or label.
func (m *Mapping) names(meaning string) bool {
	for _, c := range m.Columns {
		if c.Metric == meaning || c.Label == meaning {
			return true
		}
	}
	return false
}

// ownCell keeps a cell under the tool's own name for the column.
func ownCell(s *draft.Draft, header, cell string, line int) {
	name := "x_" + draft.Snake(header)
	_, setting := draft.SettingName(header)
	if name == "x_" || len(cell) > draft.MaxLabel || !setting && s.Number(name, "", header, []byte(cell), line) {
		return
	}
	s.Fact([]byte(header), []byte(cell))
	s.SetLabel(name, []byte(cell), line)
}

func (m *Mapping) tool() string {
	if m.Tool != "" {
		return m.Tool
	}
	return m.Name
}

// mapped reads an object with the mapping.
func (in *input) mapped(v *scan.Value) {
	m := in.mapping
	rows := v
	if m.Rows != "" {
		rows = v.Get(strings.Split(m.Rows, ".")...)
	}
	switch {
	case !rows.Is():
		in.NoResult(v.Line, locale.Textf("format %q: there is no %s in the document", m.Name, m.Rows))
	case rows.Kind == '[':
		for row := range in.Entries(rows) {
			in.mappedObject(m, row)
		}
	default:
		in.mappedObject(m, rows)
	}
}

func (in *input) mappedObject(m *Mapping, v *scan.Value) {
	n := newNamed(in, m)
	s := &n.Draft
	s.Reset(in.File, m.tool(), m.Name, v.Line)
	if in.keys == nil {
		in.keys = map[string]bool{}
	}
	for _, key := range keysOf(v, "", 3) {
		if len(in.keys) < maxKeys {
			in.keys[key] = true
		}
	}
	for _, key := range slices.Sorted(maps.Keys(m.Columns)) {
		c := m.Columns[key]
		found := v.Get(key)
		if found == nil {
			found = v.Get(strings.Split(key, ".")...)
		}
		in.keys[key] = in.keys[key] || found.Is()
		switch {
		case !found.Scalar():
		case c.Label != "":
			s.Set(c.Label, found)
		case !s.Take(c.Metric, c.Unit, found):
			in.Message(found.Line, result.Warning, "format.not-a-number",
				locale.Textf("%s is not a number: %q", key, scan.Clip(found.Raw, 40)), locale.Textf("the figure is left out"))
		}
	}
	n.others(v)
	s.Rest(v, 0)
	if !hasMapped(s, m) {
		in.NoResult(v.Line, locale.Textf("format %q: none of its metrics is in the object", m.Name))
		return
	}
	s.EmitObject(v)
}

// maxKeys is the maximum number of keys of a document that are recorded, for suggesting the nearest name.
const maxKeys = 500

// keysOf returns the dotted paths of the scalars in an object, down to a depth.
func keysOf(v *scan.Value, above string, depth int) []string {
	var keys []string
	for child := range v.Children() {
		switch at := above + child.Key; {
		case child.Scalar():
			keys = append(keys, at)
		case child.Kind == '{' && depth > 0:
			keys = append(keys, keysOf(child, at+".", depth-1)...)
		}
	}
	return keys
}

// hasMapped reports whether one of the mapped metrics was found.
func hasMapped(s *draft.Draft, m *Mapping) bool {
	for _, c := range m.Columns {
		if _, ok := s.Value(c.Metric); ok {
			return true
		}
	}
	return false
}
