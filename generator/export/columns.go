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

// ColumnsSchema names the format of results as columns.
const ColumnsSchema = "benchpost.columns/2"

// ColumnGroup is a set of results that are compared with each other, such as those of a campaign.
type ColumnGroup struct {
	Name    string // name of the data file
	Results []*result.Result
}

// ColumnData returns groups of results as JSON, one column a line. Scripts of pages use it to sort, filter and
// draw. Results are identified by their index over all groups. A packed column is a string, so that a page
// parses only the columns that it shows. It has the cells separated by commas, cell*n for n equal cells, and an
// empty cell for a missing value.
//
//	groups   name and number of results of each group
//	ids      of the results
//	sets     packed: distance to the previous result that this one repeats
//	         (dataset.RepeatSets), 0 if it repeats none
//	incidental
//	         labels in which repeats of a run may differ (dataset.Telling returns the others)
//	partial, failed, excluded, auxiliary
//	         indices of results that are incomplete, failed, are excluded by a check,
//	         or are auxiliary (warm-ups, copies, traces)
//	blocks   packed: number of the script with the raw text of a result; omitted
//	         if file is nil
//	checks   findings, each with its rule, severity, results, and the metrics it
//	         concerns; all metrics if none is listed
//	labels   by name: the distinct values, their figures if they are numeric
//	         (dataset.LabelFigure), and, packed, the index of each result's value.
//	         Includes tool and format.
//	metrics  by name, packed: the digits as the tool printed them, or = and a
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
	rs     []*result.Result // results of all groups
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

// packer packs the cells of a column. Cells contain neither commas nor stars.
type packer struct {
	b     []byte
	last  []byte
	times int // how often the last cell was added in a row
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
	if p.times > 1 || len(p.b) == 0 { // a packed column is never empty
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

// json writes a value so that it can be inside a script of a page: characters that could end the script or a
// line are escaped.
func (c *columns) json(value any) {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // impossible: only strings, integers and finite values
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

	index map[string]int // index of each value
	packed
}

// packed is a column in which cells are added in the order of the results. Some results may have none.
type packed struct {
	packer
	next int // first result without a cell
}

// put adds the cell of result i.
func (p *packed) put(i int, cell []byte) {
	p.fill(i)
	p.cell(cell)
	p.next = i + 1
}

// fill adds empty cells for the results before i that have none.
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
			if column.next > i { // if a name occurs twice, the first counts
				continue
			}
			if m.Decimals == result.FullPrecision {
				value, _ := json.Marshal(m.Value) // it is finite, so there is no error
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
