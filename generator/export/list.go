package export

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/visible"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Listing is a table of names that a post may use. Cells are strings or counts (int).
type Listing struct {
	What    string // "metrics"
	Columns []string
	Rows    [][]any
}

// Listings returns the words for what can be listed, in the order of the help.
func Listings() []string { return []string{"metrics", "labels", "models", "runs"} }

// List lists the metrics, labels or models of some results of a selection, or these runs. It returns false for
// any other word. If all is true, metrics include those that no result has.
func List(what string, d *dataset.Selection, rs []*result.Result, all bool) (Listing, bool) {
	switch what {
	case "metrics":
		return listMetrics(rs, all), true
	case "labels":
		return listLabels(d, rs), true
	case "models":
		return listModels(d, rs), true
	case "runs":
		return listRuns(d, rs), true
	}
	return Listing{}, false
}

// listMetrics lists metrics with the names that tools give them, or with the formula of derived ones.
func listMetrics(rs []*result.Result, all bool) Listing {
	type one struct {
		result.Metric
		runs   int
		fields []string
	}
	found := map[string]*one{}
	var order []string
	for _, r := range rs {
		for _, m := range r.Metrics {
			seen := found[m.Name]
			if seen == nil {
				seen = &one{Metric: m}
				found[m.Name] = seen
				order = append(order, m.Name)
			}
			seen.runs++
			field := m.Field
			if m.Derived {
				field = "= " + field
			}
			if m.Field != "" && !slices.Contains(seen.fields, field) {
				seen.fields = append(seen.fields, field)
			}
		}
	}
	if all {
		for _, row := range vocabulary.Metrics() {
			name := row.Name
			if row.Family {
				name += "_mean"
			}
			if found[name] == nil {
				found[name] = &one{Metric: result.Metric{Kind: &result.Kind{Name: name, Unit: row.Unit, Better: row.Better}}}
				order = append(order, name)
			}
		}
	}
	rank := map[string]int{}
	for i, row := range vocabulary.Metrics() {
		rank[row.Name] = i - len(vocabulary.Metrics())
	}
	slices.SortStableFunc(order, func(a, b string) int {
		return rank[familyOf(a)] - rank[familyOf(b)]
	})
	en, zh := printers()
	out := Listing{What: "metrics", Columns: []string{"name", "unit", "better", "english", "chinese", "runs", "reported_as"}}
	for _, name := range order {
		m := found[name]
		unit := m.Unit
		if unit == "1" {
			unit = ""
		}
		out.Rows = append(out.Rows, []any{name, unit, m.Better.String(), en.Metric(name), zh.Metric(name), m.runs, strings.Join(m.fields, ", ")})
	}
	return out
}

// familyOf returns the name of a metric's row in the vocabulary.
func familyOf(name string) string {
	if family, _, ok := vocabulary.Statistic(name); ok {
		return family
	}
	return name
}

func printers() (en, zh locale.Printer) {
	en, _ = locale.For("en")
	zh, _ = locale.For("zh")
	return en, zh
}

// listLabels lists labels with their values, and whether they distinguish runs.
func listLabels(d *dataset.Selection, rs []*result.Result) Listing {
	used := map[string]bool{}
	for _, r := range rs {
		for name := range r.Labels.Values() {
			used[name] = true
		}
	}
	names := slices.Sorted(maps.Keys(used))
	telling := dataset.Telling(rs)
	en, zh := printers()
	out := Listing{What: "labels", Columns: []string{"name", "english", "chinese", "runs", "values", "tells_apart", "examples"}}
	for _, name := range names {
		values := d.Values(rs, name)
		apart := ""
		if len(values) > 1 && slices.Contains(telling, name) {
			apart = "yes"
		}
		out.Rows = append(out.Rows, []any{name, en.Label(name), zh.Label(name), len(dataset.Having(rs, name)), len(values), apart, locale.English(locale.Few(clipped(values), 6))})
	}
	return out
}

// clipped shortens long values such as commands.
func clipped(values []string) []string {
	const most = 40
	out := slices.Clone(values)
	for i, v := range out {
		if r := []rune(v); len(r) > most {
			out[i] = string(r[:most-1]) + "…"
		}
	}
	return out
}

// listModels lists models with the facts that the results state about them.
func listModels(d *dataset.Selection, rs []*result.Result) Listing {
	of := []string{"quantization", "base_model", "params", "active_params", "weight_size"}
	out := Listing{What: "models", Columns: append([]string{"model", "runs", "excluded"}, of...)}
	models := d.Values(rs, "model")
	if len(dataset.Having(rs, "model")) < len(rs) {
		models = append(models, "")
	}
	for _, model := range models {
		runs := dataset.WithLabel(rs, "model", model)
		excluded := 0
		for _, r := range runs {
			if r.Excluded() {
				excluded++
			}
		}
		row := []any{model, len(runs), excluded}
		for _, label := range of {
			value := ""
			if model != "" {
				value = strings.Join(d.Values(runs, label), ", ")
			}
			row = append(row, value)
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// listRuns lists runs with the labels that distinguish them, and whether tables count them.
func listRuns(d *dataset.Selection, rs []*result.Result) Listing {
	labels := slices.DeleteFunc(dataset.Apart(rs), func(name string) bool { return name == "id" || name == "status" })
	out := Listing{What: "runs", Columns: slices.Concat([]string{"id"}, labels, []string{"status", "counts", "file", "line"})}
	for _, r := range rs {
		row := []any{r.ID}
		for _, label := range labels {
			row = append(row, r.Label(label))
		}
		counts := "yes"
		switch {
		case r.Excluded():
			counts = "excluded: " + strings.Join(excluding(r), ", ")
		case slices.Contains(d.Auxiliary, r):
			counts = "auxiliary: " + dataset.Reason(r)
		}
		out.Rows = append(out.Rows, append(row, r.Status.String(), counts, r.Source.File, r.Source.Line))
	}
	return out
}

// excluding returns the ids of the checks that exclude a result.
func excluding(r *result.Result) []string {
	var ids []string
	for i := range r.Checks {
		if c := &r.Checks[i]; c.Severity == result.Error && c.Waived == "" {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// Text writes a list for the terminal in aligned columns. It omits empty columns.
func (l Listing) Text(w io.Writer) error {
	cells := [][]string{l.Columns}
	for _, row := range l.Rows {
		var texts []string
		for _, cell := range row {
			texts = append(texts, visible.Line(fmt.Sprint(cell)))
		}
		cells = append(cells, texts)
	}
	widths := make([]int, len(l.Columns))
	for column := range widths {
		for i, row := range cells {
			if i > 0 && row[column] != "" {
				widths[column] = max(widths[column], locale.Width(row[column]), locale.Width(l.Columns[column]))
			}
		}
	}
	b := bufio.NewWriter(w)
	for _, row := range cells {
		var line strings.Builder
		for column, cell := range row {
			pad := strings.Repeat(" ", max(0, widths[column]-locale.Width(cell)))
			switch {
			case widths[column] == 0:
			case l.isCount(column):
				line.WriteString(pad + cell + "  ")
			default:
				line.WriteString(cell + pad + "  ")
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.Flush()
}

func (l Listing) isCount(column int) bool {
	for _, row := range l.Rows {
		if _, ok := row[column].(int); !ok {
			return false
		}
	}
	return true
}

// CSV writes a list with a header.
func (l Listing) CSV(w io.Writer) error {
	c := csv.NewWriter(w)
	if err := c.Write(l.Columns); err != nil {
		return err
	}
	for _, row := range l.Rows {
		var cells []string
		for _, cell := range row {
			cells = append(cells, visible.Cell(fmt.Sprint(cell)))
		}
		if err := c.Write(cells); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// ListSchema names the format of Listing.JSON.
const ListSchema = "benchpost.list/1"

// JSON writes a list as objects, one a line.
func (l Listing) JSON(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "{\"schema\": %q,\n %q: [", ListSchema, l.What)
	for i, row := range l.Rows {
		b.WriteString(map[bool]string{false: ",\n  {", true: "\n  {"}[i == 0])
		for column, cell := range row {
			key, err := encode(l.Columns[column])
			if err != nil {
				return err
			}
			value, err := encode(cell)
			if err != nil {
				return err
			}
			if column > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(b, "%s: %s", key, value)
		}
		b.WriteString("}")
	}
	b.WriteString("]}\n")
	return b.Flush()
}
