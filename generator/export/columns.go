package export

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/result"
)

// ColumnsSchema names the form of results as columns.
const ColumnsSchema = "benchpost.columns/2"

// ColumnGroup is results that are compared among themselves: those of a campaign.
type ColumnGroup struct {
	Name    string // of the data beside them
	Results []*result.Result
}

// ColumnData returns groups of results as JSON columns, a column a line: what the pages'
// scripts sort, filter and draw. Results are known by their index, through all groups.
// A packed column is a string, so that a page reads only the columns that it shows: the
// cells with commas between them, cell*n for n equal ones, nothing for none.
//
//	groups   the name of each and how many results it has
//	ids      of the results
//	sets     packed: how many results before a result is the last one that it repeats
//	         (dataset.RepeatSets), 0 for none
//	incidental
//	         labels in which repeats of a run may differ (dataset.Telling has the others)
//	partial, failed, excluded, auxiliary
//	         indices of results that were cut off, failed, are excluded by a
//	         check, or are no measurement of their own (warm-ups, copies, traces)
//	blocks   packed: the number of the script that has the raw text of a result; left out
//	         without file
//	checks   what was found, each with the results it was found of: rule, severity, and
//	         the metrics it is about, all when none is named
//	labels   by name: the distinct values, the figures they hold where they hold
//	         any (dataset.LabelFigure), and, packed, the index of each result's value.
//	         Tool and format are among them.
//	metrics  by name, packed: the digits as the tool printed them, or behind = a
//	         value of full precision
func ColumnData(groups []ColumnGroup, auxiliary func(*result.Result) bool, file func(group int, r *result.Result) int) []byte {
	c := columns{groups: groups}
	for _, g := range groups {
		c.rs = append(c.rs, g.Results...)
	}
	c.b.WriteString(`{"schema":"` + ColumnsSchema + `",` + "\n")
	c.names()
	c.sets()
	c.incidental()
	c.line("partial", c.where(func(r *result.Result) bool { return r.Status == result.Partial }))
	c.line("failed", c.where(func(r *result.Result) bool { return r.Status == result.Failed }))
	c.line("excluded", c.where((*result.Result).Excluded))
	c.line("auxiliary", c.where(auxiliary))
	if file != nil {
		c.files(file)
	}
	c.checks()
	c.labels()
	c.metrics()
	c.b.WriteString("}")
	return c.b.Bytes()
}

type columns struct {
	groups []ColumnGroup
	rs     []*result.Result // of all groups
	b      bytes.Buffer
}

func (c *columns) names() {
	groups := make([][2]any, len(c.groups))
	for i, g := range c.groups {
		groups[i] = [2]any{g.Name, len(g.Results)}
	}
	c.line("groups", groups)
	ids := make([]string, len(c.rs))
	for i, r := range c.rs {
		ids[i] = r.ID
	}
	c.line("ids", ids)
}

func (c *columns) sets() {
	var p packer
	for _, g := range c.groups {
		last := map[int]int{}
		for i, set := range dataset.RepeatSets(g.Results) {
			before, repeats := last[set]
			if !repeats {
				before = i
			}
			p.number(i - before)
			last[set] = i
		}
	}
	c.line("sets", p.String())
}

func (c *columns) files(file func(group int, r *result.Result) int) {
	var p packer
	for i, g := range c.groups {
		for _, r := range g.Results {
			p.number(file(i, r))
		}
	}
	c.line("blocks", p.String())
}

// packer packs the cells of a column, which have neither commas nor stars.
type packer struct {
	b     []byte
	last  []byte
	times int // the last cell has come
}

func (p *packer) cell(cell []byte) {
	if p.times > 0 && bytes.Equal(cell, p.last) {
		p.times++
		return
	}
	p.flush()
	p.last, p.times = append(p.last[:0], cell...), 1
}

func (p *packer) number(n int) {
	var digits [20]byte
	p.cell(strconv.AppendInt(digits[:0], int64(n), 10))
}

func (p *packer) flush() {
	if p.times == 0 {
		return
	}
	if len(p.b) > 0 {
		p.b = append(p.b, ',')
	}
	p.b = append(p.b, p.last...)
	if p.times > 1 || len(p.b) == 0 { // a column is never nothing
		p.b = strconv.AppendInt(append(p.b, '*'), int64(p.times), 10)
	}
}

func (p *packer) String() string {
	p.flush()
	p.times = 0
	return string(p.b)
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
	ID       string   `json:"id"`
	Severity string   `json:"severity"`
	Metrics  []string `json:"metrics,omitempty"`
	Runs     []int    `json:"runs"`
}

func (c *columns) checks() {
	out := []*columnCheck{}
	at := map[string]*columnCheck{}
	for i, r := range c.rs {
		for _, check := range r.Checks {
			severity := check.Severity.String()
			if check.Waived != "" {
				severity = "waived"
			}
			key := check.ID + "\x00" + severity + "\x00" + strings.Join(check.Metrics, "\x00")
			found := at[key]
			if found == nil {
				found = &columnCheck{ID: check.ID, Severity: severity, Metrics: check.Metrics}
				at[key] = found
				out = append(out, found)
			}
			found.Runs = append(found.Runs, i)
		}
	}
	c.line("checks", out)
}

func (c *columns) incidental() {
	names := []string{"format", "tool"}
	known := map[string]bool{"format": true, "tool": true, "power_scope": true}
	for _, g := range c.groups {
		telling := dataset.Telling(g.Results)
		for _, r := range g.Results {
			for _, l := range r.Labels {
				if known[l.Name] {
					continue
				}
				if _, tells := slices.BinarySearch(telling, l.Name); !tells {
					known[l.Name] = true
					names = append(names, l.Name)
				}
			}
		}
	}
	slices.Sort(names)
	c.line("incidental", names)
}

type labelColumn struct {
	Values  []string   `json:"values"`
	Figures []*float64 `json:"figures,omitempty"`
	At      string     `json:"at"`

	index map[string]int // of the values
	packed
}

// packed is a column that has cells for some results, taken in their order.
type packed struct {
	packer
	next int // result without a cell
}

// put adds the cell of result i.
func (p *packed) put(i int, cell []byte) {
	p.fill(i)
	p.cell(cell)
	p.next = i + 1
}

// fill adds that the results up to i, without it, have none.
func (p *packed) fill(i int) {
	for ; p.next < i; p.next++ {
		p.cell(nil)
	}
}

func (c *columns) labels() {
	named := map[string]*labelColumn{}
	put := func(i int, name, value string) {
		column := named[name]
		if column == nil {
			column = &labelColumn{index: map[string]int{}}
			named[name] = column
		}
		at, known := column.index[value]
		if !known {
			at = len(column.Values)
			column.index[value] = at
			column.Values = append(column.Values, value)
		}
		var digits [20]byte
		column.put(i, strconv.AppendInt(digits[:0], int64(at), 10))
	}
	for i, r := range c.rs {
		for name, value := range r.Labels.Values() {
			if name != "tool" && name != "format" {
				put(i, name, value)
			}
		}
		put(i, "tool", r.Label("tool"))
		put(i, "format", r.Format)
	}
	for name, column := range named {
		column.fill(len(c.rs))
		column.At = column.String()
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
	named := map[string]*packed{}
	var cell []byte
	for i, r := range c.rs {
		for j := range r.Metrics {
			m := &r.Metrics[j]
			column := named[m.Name]
			if column == nil {
				column = &packed{}
				named[m.Name] = column
			}
			if column.next > i { // named twice: the first counts
				continue
			}
			if m.Decimals == result.FullPrecision {
				value, _ := json.Marshal(m.Value) // it is finite
				cell = append(append(cell[:0], '='), value...)
			} else {
				cell = append(cell[:0], m.Text()...)
			}
			column.put(i, cell)
		}
	}
	c.group("metrics", slices.Sorted(maps.Keys(named)), func(name string) {
		named[name].fill(len(c.rs))
		c.json(named[name].String())
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
