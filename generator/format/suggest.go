package format

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/column"
	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Suggest returns a [[format]] for site.toml that gives meanings to the columns or keys of a table or document that
// were kept under the tool's own names. It returns "" if there are none, and for formats that are not generic or
// mapped. lines are the lines of the file, rs its results. Each column gets a metric that its unit allows and that no
// other column has. The other columns become comments to fill in, because only the author knows their meaning.
func Suggest(file string, lines []string, rs []*result.Result, mappings []Mapping) string {
	var columns []suggestion
	name := ""
	for _, r := range rs {
		mapping := slices.IndexFunc(mappings, func(m Mapping) bool { return m.Name == r.Format })
		if r.Format != "generic-csv" && mapping < 0 {
			continue
		}
		var known map[string]Column
		if mapping >= 0 {
			known, name = mappings[mapping].Columns, mappings[mapping].Name
		}
		columns = unnamed(columns, lines, r, known)
	}
	if len(columns) == 0 {
		return ""
	}
	var b strings.Builder
	if name == "" {
		stem := strings.TrimSuffix(path.Base(file), path.Ext(file))
		if stem = strings.Trim(draft.Snake(stem), "_"); stem == "" {
			stem = "table"
		}
		fmt.Fprintf(&b, "[[format]]\nname = %s\nfiles = %s\n", settings.String(strings.ReplaceAll(stem, "_", "-")), settings.String(escapedPattern(strings.TrimSuffix(strings.TrimSuffix(path.Base(file), ".gz"), ".zst"))))
	} else {
		fmt.Fprintf(&b, "# of the [[format]] %q:\n", name)
	}
	metrics := false
	taken := map[string]bool{}
	for _, r := range rs {
		for _, m := range r.Metrics {
			taken[m.Name] = true
		}
		for _, l := range r.Labels {
			taken[l.Name] = true
		}
	}
	for _, c := range columns {
		meaning, known := c.label(taken)
		if c.number {
			meaning, known = c.metric(taken)
			metrics = metrics || known
		}
		if !known { // without a suggestion, the line is a comment to fill in
			b.WriteString("# ")
		}
		fmt.Fprintf(&b, "columns.%s = %s # for example %s\n", settings.String(c.column), meaning, comment(c.example))
	}
	if !metrics && name == "" { // a format needs a metric: a column that is already understood is listed
		if c, ok := knownColumn(rs); ok {
			b.WriteString(c)
		}
	}
	return b.String()
}

// suggestion is a column or key without a meaning.
type suggestion struct {
	column  string // as the file writes it
	name    string // the name under which it is kept
	unit    string
	example string
	number  bool
}

// unnamed adds the columns of a result that are kept under names beginning with x_.
func unnamed(columns []suggestion, lines []string, r *result.Result, known map[string]Column) []suggestion {
	add := func(c suggestion) {
		if _, named := known[c.column]; !named && !slices.ContainsFunc(columns, func(other suggestion) bool { return other.column == c.column }) {
			columns = append(columns, c)
		}
	}
	for _, m := range r.Metrics {
		if strings.HasPrefix(m.Name, "x_") && !m.Derived && m.File == "" && m.Field != "" {
			add(suggestion{m.Field, m.Name, m.Unit, m.Text(), true})
		}
	}
	headers := headersAbove(lines, r.Source.Line)
	for _, l := range r.Labels {
		if !strings.HasPrefix(l.Name, "x_") || l.Pos.File != r.Source.File || l.Pos.Line != r.Source.Line {
			continue
		}
		for _, header := range headers {
			if i := slices.IndexFunc(header, func(cell string) bool {
				return "x_"+draft.Snake(cell) == l.Name || column.Of(cell).Name == l.Name
			}); i >= 0 {
				add(suggestion{header[i], l.Name, "", l.Value, false})
				break
			}
		}
	}
	return columns
}

// headersAbove returns the cells of the headers above a row, the nearest first.
func headersAbove(lines []string, row int) [][]string {
	var headers [][]string
	for n := min(row-1, len(lines)); n >= 1 && len(headers) < 400; n-- {
		if separator, ok := genericSeparator([]byte(lines[n-1])); ok {
			if cells := scan.Commas(nil, []byte(strings.TrimRight(lines[n-1], "\r\n")), separator); isGenericHeader(cells) {
				headers = append(headers, slices.Clone(cells))
			}
		}
	}
	return headers
}

// likelyMetrics lists, for a unit, the metrics that a figure in it most likely is, in the order of assignment.
var likelyMetrics = map[string][]string{
	"tok/s": {"output_throughput", "total_throughput", "input_throughput"},
	"req/s": {"request_throughput"},
	"ms":    {"e2el_mean", "ttft_mean"}, "s": {"e2el_mean", "duration"}, "us": {"e2el_mean"},
	"W": {"power_mean"}, "mW": {"power_mean"}, "J": {"energy"},
}

// metric returns the suggested meaning of a column of figures. known is false if its unit allows no metric that is
// still free.
func (c suggestion) metric(taken map[string]bool) (meaning string, known bool) {
	unit := c.unit
	if unit == "" || unit == "1" {
		unit = column.Of(c.column).Unit
	}
	for _, name := range likelyMetrics[unit] {
		_, defined := vocabulary.Define(name)
		if _, _, fits := draft.Known(name, unit); fits && defined && !taken[name] {
			taken[name] = true
			return fmt.Sprintf("{ metric = %q, unit = %q }", name, unit), true
		}
	}
	if unit == "" {
		unit = "1"
	}
	return fmt.Sprintf("{ metric = %q, unit = %q }", c.name, unit), false
}

// label returns the suggested meaning of a column of texts. known is false if there is no better name than the current
// one.
func (c suggestion) label(taken map[string]bool) (meaning string, known bool) {
	name := strings.TrimPrefix(c.name, "x_")
	if _, metric := vocabulary.Define(name); name == "" || metric || taken[name] || !isLabelName(name) {
		name = c.name
	}
	taken[name] = true
	return fmt.Sprintf("{ label = %q }", name), name != c.name
}

// isLabelName reports whether a name is valid for a label: it begins with a letter, and has lower-case letters, digits
// and underscores.
func isLabelName(name string) bool {
	return name[0] >= 'a' && name[0] <= 'z' && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// knownColumn returns a line for a column that is understood without a format.
func knownColumn(rs []*result.Result) (line string, ok bool) {
	for _, r := range rs {
		for _, m := range r.Metrics {
			c := column.Of(m.Field)
			if c.Name == m.Name && c.Unit != "" && !m.Derived && !strings.HasPrefix(m.Name, "x_") {
				return fmt.Sprintf("columns.%s = { metric = %q, unit = %q }\n", settings.String(m.Field), m.Name, c.Unit), true
			}
		}
	}
	return "", false
}

// comment returns a value for use in a comment at the end of a line.
func comment(s string) string {
	q := strconv.Quote(s)
	if q == `"`+s+`"` && !strings.ContainsAny(s, " #") {
		return s
	}
	return q
}

// escapedPattern returns the pattern that matches only the given name.
func escapedPattern(name string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(name)
}
