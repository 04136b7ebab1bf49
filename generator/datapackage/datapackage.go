// Package datapackage writes results as tables for other programs, and describes them as a Data Package
// (datapackage.org).
//
// The table of results has a row for each result and a plain column for each label and each metric that
// any of them has; Parquet and CSV have the same columns in the same order.
//
//	t := datapackage.Of(results)
//	err := t.Parquet(w)                 // or t.CSV(w)
//	for _, f := range t.Fields() { … } // name, type and unit of each column, and what it means
//
// A column's name, type and unit follow from what it holds and never from the other rows, so that tables
// written at different times or by different people can be read as one:
//
//   - names are in lower case and need no quotes in SQL;
//   - figures are in base units (seconds, bytes, joules). A column that is in another unit than the pages
//     and selectors use ends in its unit: ttft_mean_s, weight_size_bytes;
//   - a metric that is not in the vocabulary ends in its unit, or in _value; a label never does;
//   - a label is a number, a boolean or a day where the vocabulary says so. Where a result has another
//     text there, it is kept in a second column that ends in _text.
//
// Figures is the long form: a row for each metric of each result as the tool reported it, with its field,
// its file and its line.
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

// TableSchema names the form of the table of results.
const TableSchema = "benchpost.table/1"

// Field describes a column of a table, or a field of a document.
type Field struct {
	Name    string // as it is in the file
	Type    string // string, integer, number, boolean, date, datetime, array or object, as Table Schema has them
	Unit    string // "" for none, and for counts
	Meaning locale.Text
	Label   string // whose values it has, "" for none
	Metric  string // whose values it has, "" for none
	Better  result.Better
}

// Table is results as rows of plain columns.
type Table struct {
	results []*result.Result
	columns []column
	labels  map[string][]int // of each label its columns
	metrics map[figure]place // of each metric in each of its units
}

// figure names a metric and the unit that a result has it in.
type figure struct{ name, unit string }

// place is where figures go.
type place struct {
	column int
	by     conversion
}

// column is a Field and how its cells are made.
type column struct {
	Field
	kind kind
	is   vocabulary.Type // of a label
}

// kind is what a column's cells are made of.
type kind int8

const (
	fixed    kind = iota // what every result has
	typed                // a label in its type
	written              // a label whose text does not have the type
	clock                // a label that says the day and the time
	measured             // a metric
)

// always are the labels that have a column even where no result has the label: what results are most often
// grouped by.
var always = []string{"model", "quantization", "engine", "hardware", "load", "max_concurrency", "date"}

// Among lays out other results in the same columns: they have the same labels, with the same values, and the same
// metrics in the same units.
func (t *Table) Among(results []*result.Result) *Table {
	other := *t
	other.results = results
	return &other
}

// Of lays out results as a table.
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

// Fields are the columns of the table, in their order.
func (t *Table) Fields() []Field {
	out := make([]Field, len(t.columns))
	for i, c := range t.columns {
		out[i] = c.Field
	}
	return out
}

// Parts are the columns of every table, those of labels and those of metrics.
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

// fixedFields are the columns that every table has.
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

// typeNames are what Table Schema calls the types of labels.
var typeNames = map[vocabulary.Type]string{
	vocabulary.Text: "string", vocabulary.Integer: "integer", vocabulary.Number: "number", vocabulary.Boolean: "boolean",
	vocabulary.Day: "date", vocabulary.Quantity: "number", vocabulary.Parameters: "number",
}

// use is what a label of a type was found to be.
type use struct {
	is    vocabulary.Type
	clock bool // some value says the time of the day, too
	other bool // some value is not of the type
}

// namesOf collects the labels that results have, and their metrics in the order of the columns.
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
	var before []known // labels of the result before: mostly the next one has the same
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

// compareLabels orders as the vocabulary does; what is not in it behind, by name.
func compareLabels(a, b string) int {
	return cmp.Or(cmp.Compare(labelRank[a], labelRank[b]), strings.Compare(sqlName(a), sqlName(b)), strings.Compare(a, b))
}

// compareMetrics orders as the vocabulary does: a latency's mean, then its other statistics, percentiles by
// their share; what is not in it behind, by name.
func compareMetrics(a, b string) int {
	familyA, statisticA, _ := vocabulary.Statistic(a)
	familyB, statisticB, _ := vocabulary.Statistic(b)
	return cmp.Or(
		cmp.Compare(metricRank[cmp.Or(familyA, a)], metricRank[cmp.Or(familyB, b)]),
		cmp.Compare(statisticRank(statisticA), statisticRank(statisticB)),
		strings.Compare(a, b))
}

// statisticRank orders mean, std, min, the percentiles and max.
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

// labelRank and metricRank are the places in the vocabulary, all negative.
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

// row makes rows, one after the other. It serves one goroutine.
type row struct {
	table   *Table
	cells   []cell
	labels  []labelled // of the result before: mostly the next one has the same
	metrics map[*result.Kind]place
}

// labelled is a label and its columns.
type labelled struct {
	name    string
	columns []int
}

func (t *Table) row() *row {
	return &row{table: t, cells: make([]cell, len(t.columns)), metrics: map[*result.Kind]place{}}
}

// clear makes a row without a value.
func (w *row) clear() { clear(w.cells) }

// fill makes the cells of a result's row; those of an earlier one are gone.
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
		if !cells[to.column].has { // named twice: the first counts
			cells[to.column].setMetric(m, to.by)
		}
	}
	if len(r.Distributions) == 0 {
		return
	}
	for at := range t.columns { // percentiles that the tool did not print
		if c := &t.columns[at]; c.kind == measured && !cells[at].has {
			if m, ok := r.Metric(c.Metric); ok {
				cells[at].setMetric(&m, conversionOf(m.Unit, c.Unit))
			}
		}
	}
}

// standing lists the checks against a result that are not waived,
// "error:physics.memory-roofline warning:physics.compute-roofline".
func standing(r *result.Result) string {
	var names []string
	for i := range r.Checks {
		if c := &r.Checks[i]; c.Waived == "" {
			names = append(names, c.Severity.String()+":"+c.ID)
		}
	}
	return strings.Join(names, " ")
}
