package export

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/result"
)

// ColumnsSchema names the form of results as columns.
const ColumnsSchema = "benchpost.columns/1"

// ColumnData returns results as JSON columns, a column a line: what the pages'
// scripts sort, filter and draw. Results are known by their index.
//
//	ids      of the results
//	sets     the number of the run that a result is a repeat of (dataset.RepeatSets)
//	incidental
//	         labels in which repeats of a run may differ (dataset.Telling has the others)
//	partial, failed, aside, apart
//	         indices of results that were cut off, failed, are excluded by a
//	         check, or are no measurement of their own (warm-ups, copies, traces)
//	blocks   for each result the number of the script that has its raw text; left out
//	         without file
//	checks   what was found: the result, rule, severity, and the metrics it is
//	         about, all when none is named
//	labels   by name: the distinct values, the figures they hold where they hold
//	         any (dataset.LabelFigure), and for each result the index of its value, −1
//	         for none. Tool and format are among them.
//	metrics  by name, for each result: the digits as the tool printed them (a
//	         string), a value of full precision (a number), or null
func ColumnData(rs []*result.Result, apart func(*result.Result) bool, file func(*result.Result) int) []byte {
	c := columns{rs: rs}
	c.b.WriteString(`{"schema":"` + ColumnsSchema + `",` + "\n")
	c.line("ids", each(rs, func(r *result.Result) string { return r.ID }))
	c.line("sets", dataset.RepeatSets(rs))
	c.incidental()
	c.line("partial", c.where(func(r *result.Result) bool { return r.Status == result.Partial }))
	c.line("failed", c.where(func(r *result.Result) bool { return r.Status == result.Failed }))
	c.line("aside", c.where((*result.Result).Excluded))
	c.line("apart", c.where(apart))
	if file != nil {
		c.line("blocks", each(rs, file))
	}
	c.checks()
	c.labels()
	c.metrics()
	c.b.WriteString("}")
	return c.b.Bytes()
}

type columns struct {
	rs []*result.Result
	b  bytes.Buffer
}

func each[T any](rs []*result.Result, of func(*result.Result) T) []T {
	out := make([]T, len(rs))
	for i, r := range rs {
		out[i] = of(r)
	}
	return out
}

func (c *columns) where(holds func(*result.Result) bool) []int {
	out := []int{}
	for i, r := range c.rs {
		if holds(r) {
			out = append(out, i)
		}
	}
	return out
}

func (c *columns) line(key string, value any) {
	c.b.WriteString(`"` + key + `":`)
	c.json(value)
	c.b.WriteString(",\n")
}

// json writes a value so that it can be put into a script of a page: what
// could end the script or a line of it is escaped.
func (c *columns) json(value any) {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // strings, whole numbers and finite values only
	}
	c.b.Write(data)
}

type columnCheck struct {
	Run      int      `json:"run"`
	ID       string   `json:"id"`
	Severity string   `json:"severity"`
	Metrics  []string `json:"metrics,omitempty"`
}

func (c *columns) checks() {
	out := []columnCheck{}
	for i, r := range c.rs {
		for _, check := range r.Checks {
			severity := check.Severity.String()
			if check.Waived != "" {
				severity = "waived"
			}
			out = append(out, columnCheck{i, check.ID, severity, check.Metrics})
		}
	}
	c.line("checks", out)
}

func (c *columns) incidental() {
	telling := dataset.Telling(c.rs)
	names := []string{"format", "tool"}
	for _, r := range c.rs {
		for _, l := range r.Labels {
			if _, tells := slices.BinarySearch(telling, l.Name); !tells && !slices.Contains(names, l.Name) && l.Name != "power_scope" {
				names = append(names, l.Name)
			}
		}
	}
	slices.Sort(names)
	c.line("incidental", names)
}

type labelColumn struct {
	Values  []string   `json:"values"`
	Figures []*float64 `json:"figures,omitempty"`
	At      []int      `json:"at"`
}

func (c *columns) labels() {
	named := map[string]*labelColumn{}
	index := map[[2]string]int{}
	put := func(i int, name, value string) {
		column := named[name]
		if column == nil {
			column = &labelColumn{At: slices.Repeat([]int{-1}, len(c.rs))}
			named[name] = column
		}
		at, known := index[[2]string{name, value}]
		if !known {
			at = len(column.Values)
			index[[2]string{name, value}] = at
			column.Values = append(column.Values, value)
		}
		column.At[i] = at
	}
	for i, r := range c.rs {
		for name, value := range r.Labels.Values() {
			put(i, name, value)
		}
		put(i, "tool", r.Label("tool"))
		put(i, "format", r.Format)
	}
	for name, column := range named {
		any := false
		figures := make([]*float64, len(column.Values))
		for i, v := range column.Values {
			if f, _, ok := dataset.LabelFigure(name, v); ok {
				figures[i], any = finite(f), true
			}
		}
		if any {
			column.Figures = figures
		}
	}
	c.group("labels", slices.Sorted(maps.Keys(named)), func(name string) { c.json(named[name]) })
	c.b.WriteString(",\n")
}

func (c *columns) metrics() {
	cells := map[string][]*result.Metric{}
	for i, r := range c.rs {
		for j := range r.Metrics {
			m := &r.Metrics[j]
			if cells[m.Name] == nil {
				cells[m.Name] = make([]*result.Metric, len(c.rs))
			}
			cells[m.Name][i] = m
		}
	}
	c.group("metrics", slices.Sorted(maps.Keys(cells)), func(name string) {
		c.b.WriteByte('[')
		for i, m := range cells[name] {
			if i > 0 {
				c.b.WriteByte(',')
			}
			switch {
			case m == nil:
				c.b.WriteString("null")
			case m.Decimals == result.FullPrecision:
				c.json(m.Value)
			default:
				c.b.WriteString(strconv.Quote(m.Text()))
			}
		}
		c.b.WriteByte(']')
	})
	c.b.WriteByte('\n')
}

// group writes an object of columns.
func (c *columns) group(key string, names []string, write func(name string)) {
	c.b.WriteString(`"` + key + `":{`)
	for i, name := range names {
		if i > 0 {
			c.b.WriteByte(',')
		}
		c.b.WriteByte('\n')
		c.json(name)
		c.b.WriteByte(':')
		write(name)
	}
	c.b.WriteByte('}')
}
