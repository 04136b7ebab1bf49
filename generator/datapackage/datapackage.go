// Package datapackage writes results as tables for other programs and describes them as a Data Package
// (datapackage.org).
//
// The table of results has a row for each result, and a plain column for each label and each metric that any
// result has. Parquet and CSV have the same columns in the same order.
//
//	t := datapackage.Of(results)
//	err := t.Parquet(w)                 // or t.CSV(w)
//	for _, f := range t.Fields() { … } // name, type and unit of each column, and what it means
//
// The content of a column alone determines its name, type and unit; other rows have no influence. So tables
// that were written at different times or by different people can be read as one:
//
//   - names are in lower case and need no quotes in SQL;
//   - figures are in base units (seconds, bytes, joules). A column that is in another unit than the pages
//     and selectors use ends in its unit: ttft_mean_s, weight_size_bytes;
//   - a metric that is not in the vocabulary ends in its unit, or in _value; a label never does;
//   - a label is a number, a boolean or a day where the vocabulary says so. Where a result has another
//     text there, it is kept in a second column that ends in _text.
//
// Figures is the long form: a row for each metric of each result as the tool reported it, with its field, file
// and line.
package datapackage

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// TableSchema names the format of the table of results.
const TableSchema = "benchpost.table/1"

// Field describes a column of a table, or a field of a document.
type Field struct {
	Name    string // name in the file
	Type    string // string, integer, number, boolean, date, datetime, array or object, as in Table Schema
	Unit    string // "" if there is none, and for counts
	Meaning locale.Text
	Label   string // label whose values it contains, "" if none
	Metric  string // metric whose values it contains, "" if none
	Better  result.Better
}

// Table is a table of results with plain columns.
type Table struct {
	results []*result.Result
	columns []column
	labels  map[string][]int // columns of each label
	metrics map[figure]place // column of each metric in each of its units
}

// figure is a metric with the unit in which a result has it.
type figure struct{ name, unit string }

// place is the column of a figure and the conversion into its unit.
type place struct {
	column int
	by     conversion
}

// column is a [Field] with the information to make its cells.
type column struct {
	Field
	kind kind
	is   vocabulary.Type // type of a label
}

// kind is the source of a column's cells.
type kind int8

const (
	fixed    kind = iota // a field of every result
	typed                // a label, converted to its type
	written              // texts of a label that do not have its type
	clock                // values of a label that contain day and time
	measured             // a metric
)

// always lists the labels that have a column even if no result has them, because results are most often grouped
// by them.
var always = []string{"model", "quantization", "engine", "hardware", "load", "max_concurrency", "date"}

// Among returns a table of other results with the same columns. These results must have no other labels and
// values, and no other metrics and units, than the results of t.
func (t *Table) Among(results []*result.Result) *Table {
	other := *t
	other.results = results
	return &other
}

// Of returns a table of results.
func Of(results []*result.Result) *Table {
	t := &Table{results: results, labels: map[string][]int{}, metrics: map[figure]place{}}
	taken := map[string]bool{}
	add := func(c column) int {
		name := c.Name
		for n := 2; taken[c.Name]; n++ {
			c.Name = name + "_" + strconv.Itoa(n)
		}
		taken[c.Name] = true
		t.columns = append(t.columns, c)
		return len(t.columns) - 1
	}
	for _, f := range fixedFields() {
		add(column{Field: f})
	}
	used, figures := namesOf(results)
	for _, name := range slices.SortedFunc(maps.Keys(used), compareLabels) {
		l, _ := vocabulary.LookupLabel(name)
		f := Field{Name: labelColumn(name, l), Type: typeNames[l.Type], Unit: l.Unit, Meaning: locale.LabelName(name), Label: name, Better: l.Better}
		t.labels[name] = append(t.labels[name], add(column{f, typed, l.Type}))
		for _, further := range []struct {
			has      bool
			kind     kind
			ending   string
			typeName string
		}{{used[name].clock, clock, "_time", "datetime"}, {used[name].other, written, "_text", "string"}} {
			if further.has {
				f := Field{Name: sqlName(name) + further.ending, Type: further.typeName, Meaning: locale.T("schema"+strings.ReplaceAll(further.ending, "_", "."), locale.LabelName(name)), Label: name}
				t.labels[name] = append(t.labels[name], add(column{f, further.kind, l.Type}))
			}
		}
	}
	at := map[string]int{}
	for _, one := range figures {
		name, unit := MetricColumn(one.name, one.unit)
		key := name + "\x00" + one.name
		if _, known := at[key]; !known {
			d, _ := vocabulary.Define(one.name)
			at[key] = add(column{Field{Name: name, Type: "number", Unit: unit, Meaning: locale.MetricName(one.name), Metric: one.name, Better: d.Better}, measured, vocabulary.Number})
		}
		t.metrics[one] = place{at[key], conversionOf(one.unit, unit)}
	}
	return t
}

// Fields returns the columns of the table in order.
func (t *Table) Fields() []Field {
	out := make([]Field, len(t.columns))
	for i, c := range t.columns {
		out[i] = c.Field
	}
	return out
}

// Parts returns the columns that every table has, those of labels, and those of metrics.
func (t *Table) Parts() (common, labels, metrics []Field) {
	for _, c := range t.columns {
		switch {
		case c.kind == fixed:
			common = append(common, c.Field)
		case c.kind == measured:
			metrics = append(metrics, c.Field)
		default:
			labels = append(labels, c.Field)
		}
	}
	return common, labels, metrics
}

// fixedFields returns the columns that every table has.
func fixedFields() []Field {
	return []Field{
		{Name: "id", Type: "string", Meaning: locale.T("schema.id")},
		{Name: "file", Type: "string", Meaning: locale.T("schema.file")},
		{Name: "line", Type: "integer", Meaning: locale.T("schema.line")},
		{Name: "tool", Type: "string", Meaning: locale.T("schema.tool")},
		{Name: "format", Type: "string", Meaning: locale.T("schema.format")},
		{Name: "status", Type: "string", Meaning: locale.T("schema.status")},
		{Name: "excluded", Type: "boolean", Meaning: locale.T("schema.excluded")},
		{Name: "auxiliary", Type: "boolean", Meaning: locale.T("schema.auxiliary")},
		{Name: "checks", Type: "string", Meaning: locale.T("schema.checks")},
	}
}

// typeNames maps types of labels to their names in Table Schema.
var typeNames = map[vocabulary.Type]string{
	vocabulary.Text: "string", vocabulary.Integer: "integer", vocabulary.Number: "number", vocabulary.Boolean: "boolean",
	vocabulary.Day: "date", vocabulary.Quantity: "number", vocabulary.Parameters: "number",
}

// use records which values of a label occur.
type use struct {
	is    vocabulary.Type
	clock bool // some values contain the time of day
	other bool // some values do not have the type
}

// namesOf collects the labels of the results, and their metrics in the order of the columns.
func namesOf(results []*result.Result) (map[string]*use, []figure) {
	labels := map[string]*use{}
	add := func(name string) *use {
		label, _ := vocabulary.LookupLabel(name)
		u := &use{is: label.Type}
		labels[name] = u
		return u
	}
	for _, name := range always {
		add(name)
	}
	kinds := map[*result.Kind]bool{}
	seen := map[figure]bool{}
	type known struct {
		name string
		use  *use
	}
	var before []known // labels of the previous result, which the next one usually shares
	for _, r := range results {
		for i := range r.Labels {
			l := &r.Labels[i]
			if i >= len(before) || before[i].name != l.Name {
				u := labels[l.Name]
				if u == nil {
					u = add(l.Name)
				}
				before = append(before[:i], known{l.Name, u})
			}
			u := before[i].use
			if u.is == vocabulary.Text || l.Value == "" || u.other && (u.clock || u.is != vocabulary.Day) {
				continue
			}
			var c cell
			u.other = u.other || !c.read(l.Value, u.is)
			u.clock = u.clock || u.is == vocabulary.Day && c.readClock(l.Value)
		}
		for i := range r.Metrics {
			if k := r.Metrics[i].Kind; !kinds[k] {
				kinds[k], seen[figure{k.Name, k.Unit}] = true, true
			}
		}
	}
	figures := slices.Collect(maps.Keys(seen))
	slices.SortFunc(figures, func(a, b figure) int {
		return cmp.Or(compareMetrics(a.name, b.name), strings.Compare(a.unit, b.unit))
	})
	return labels, figures
}

// compareLabels sorts labels in the order of the vocabulary, then other labels by name.
func compareLabels(a, b string) int {
	return cmp.Or(cmp.Compare(labelRank[a], labelRank[b]), strings.Compare(sqlName(a), sqlName(b)), strings.Compare(a, b))
}

// compareMetrics sorts metrics in the order of the vocabulary, then other metrics by name. Of a latency the
// mean comes first, then the other statistics, with percentiles in ascending order.
func compareMetrics(a, b string) int {
	familyA, statisticA, _ := vocabulary.Statistic(a)
	familyB, statisticB, _ := vocabulary.Statistic(b)
	return cmp.Or(
		cmp.Compare(metricRank[cmp.Or(familyA, a)], metricRank[cmp.Or(familyB, b)]),
		cmp.Compare(statisticRank(statisticA), statisticRank(statisticB)),
		strings.Compare(a, b))
}

// statisticRank orders the statistics: mean, std, min, the percentiles, max.
func statisticRank(statistic string) float64 {
	switch statistic {
	case "mean", "":
		return -3
	case "std":
		return -2
	case "min":
		return -1
	case "max":
		return 101
	}
	share, _ := strconv.ParseFloat(strings.Replace(statistic[1:], "_", ".", 1), 64)
	return share
}

// labelRank and metricRank are the positions in the vocabulary as negative numbers.
var (
	labelRank = func() map[string]int {
		rank := map[string]int{}
		labels := vocabulary.Labels()
		for i, l := range labels {
			rank[l.Name] = i - len(labels)
		}
		return rank
	}()
	metricRank = func() map[string]int {
		rank := map[string]int{}
		metrics := vocabulary.Metrics()
		for i, m := range metrics {
			rank[m.Name] = i - len(metrics)
		}
		return rank
	}()
)

// row makes one row after another. It must not be used by several goroutines.
type row struct {
	table   *Table
	cells   []cell
	labels  []labelled // labels of the previous result, which the next one usually shares
	metrics map[*result.Kind]place
}

// labelled is a label with its columns.
type labelled struct {
	name    string
	columns []int
}

func (t *Table) row() *row {
	return &row{table: t, cells: make([]cell, len(t.columns)), metrics: map[*result.Kind]place{}}
}

// clear empties the row.
func (w *row) clear() { clear(w.cells) }

// fill fills the row with the cells of a result, in place of the previous one.
func (w *row) fill(r *result.Result) {
	w.clear()
	t, cells := w.table, w.cells
	for i, text := range [...]string{r.ID, r.Source.File, "", r.Tool, r.Format, r.Status.String(), "", "", standing(r)} {
		cells[i].setText(text)
	}
	cells[2].setInteger(int64(r.Source.Line))
	cells[6].setBoolean(r.Excluded())
	cells[7].setBoolean(r.Auxiliary())
	for i := range r.Labels {
		l := &r.Labels[i]
		if i >= len(w.labels) || w.labels[i].name != l.Name {
			w.labels = append(w.labels[:i], labelled{l.Name, t.labels[l.Name]})
		}
		if l.Value == "" {
			continue
		}
		for _, at := range w.labels[i].columns {
			switch c := &t.columns[at]; c.kind {
			case typed:
				cells[at].read(l.Value, c.is)
			case clock:
				cells[at].readClock(l.Value)
			case written:
				var ok cell
				if !ok.read(l.Value, c.is) {
					cells[at].setText(l.Value)
				}
			}
		}
	}
	for i := range r.Metrics {
		m := &r.Metrics[i]
		to, known := w.metrics[m.Kind]
		if !known {
			to = t.metrics[figure{m.Name, m.Unit}]
			w.metrics[m.Kind] = to
		}
		if !cells[to.column].has { // if a name occurs twice, the first counts
			cells[to.column].setMetric(m, to.by)
		}
	}
	if len(r.Distributions) == 0 {
		return
	}
	for at := range t.columns { // percentiles that the tool did not print but its distributions contain
		if c := &t.columns[at]; c.kind == measured && !cells[at].has {
			if m, ok := r.Metric(c.Metric); ok {
				cells[at].setMetric(&m, conversionOf(m.Unit, c.Unit))
			}
		}
	}
}

// standing lists the checks of a result that are not waived, such as "error:physics.memory-roofline
// warning:physics.compute-roofline".
func standing(r *result.Result) string {
	var names []string
	for i := range r.Checks {
		if c := &r.Checks[i]; c.Waived == "" {
			names = append(names, c.Severity.String()+":"+c.ID)
		}
	}
	return strings.Join(names, " ")
}
