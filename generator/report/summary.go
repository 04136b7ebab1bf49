package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

type tableSpec struct {
	Where    string   // which runs; all of them when empty
	Rows     []string // labels that make the rows; model when empty
	Columns  []string // metrics and labels
	Split    string   // label over whose values the metric columns are repeated
	Sort     string   // metric or label; "-" in front for descending; the site's order when empty
	Baseline string   // selector of the row the others are compared with
	Change   string   // "ratio" or "percent"; "" shows no change
	Pareto   []string // metrics, or labels of sizes, over which the frontier is marked; none when empty
	Geomean  bool     // add the geometric mean of the changes as a last row
	Best     *bool    // mark the best value of a column; true when absent
	Caption  string
	Titles   map[string]string // own words for a column
	Notes    []string          // own footnotes
	Accept   []string          // settings in which the runs may differ

	matched bool // each row is compared with the baseline's of the same settings
}

// group is the runs of one row.
type group struct {
	values []string // of the row labels
	runs   []*result.Result
}

// groups gathers results by the values of labels, in order.
func (d *Data) groups(rs []*result.Result, labels []string) []group {
	byKey := map[string]int{}
	var out []group
	for _, r := range d.sorted(rs, labels) {
		values := make([]string, len(labels))
		for i, l := range labels {
			values[i] = r.Label(l)
		}
		key := strings.Join(values, "\x00")
		i, ok := byKey[key]
		if !ok {
			i = len(out)
			byKey[key] = i
			out = append(out, group{values: values})
		}
		out[i].runs = append(out[i].runs, r)
	}
	return out
}

// sorted orders results by labels, in the site's order of their values.
func (d *Data) sorted(rs []*result.Result, labels []string) []*result.Result {
	out := slices.Clone(rs)
	slices.SortStableFunc(out, func(a, b *result.Result) int {
		for _, l := range labels {
			if c := d.compareValues(l, a.Label(l), b.Label(l)); c != 0 {
				return c
			}
		}
		return 0
	})
	return out
}

// withLabel keeps the runs in which a label has a value; all for label "".
func withLabel(rs []*result.Result, label, value string) []*result.Result {
	if label == "" {
		return rs
	}
	var out []*result.Result
	for _, r := range rs {
		if r.Label(label) == value {
			out = append(out, r)
		}
	}
	return out
}

// place names a cell for a person: model="A", load="high". Label "" is left
// out.
func place(labels, values []string) string {
	var parts []string
	for i, l := range labels {
		if l == "" {
			continue
		}
		parts = append(parts, fmt.Sprintf("%s=%q", l, values[i]))
	}
	return strings.Join(parts, ", ")
}

// column is a column before it is laid out.
type column struct {
	name  string
	label bool
	split string // value of the split label, "" when the column is not split
}

func (d *Data) summary(s tableSpec) (*Table, error) {
	rs, err := d.selectSome(s.Where)
	if err != nil {
		return nil, err
	}
	return d.summarize(rs, s)
}

// summarize makes the table of runs that are selected already.
func (d *Data) summarize(rs []*result.Result, s tableSpec) (*Table, error) {
	if len(s.Rows) == 0 {
		s.Rows = []string{"model"}
	}
	if len(s.Columns) == 0 {
		return nil, problem(`as columns = ["output_throughput", "ttft_mean"]`, "columns is missing")
	}
	if s.Change != "" && s.Change != "ratio" && s.Change != "percent" {
		return nil, about("change", unknownChange(s.Change))
	}
	if (s.Change != "") != (s.Baseline != "") {
		return nil, problem(`as baseline = '{model="…"}' and change = "ratio"`, "baseline and change go together")
	}
	if s.Geomean && s.Baseline == "" {
		return nil, about("geomean", problem(`as baseline = '{model="…"}' and change = "ratio"`, "geomean wants a baseline: it is the mean of ratios"))
	}
	columns, err := d.columns(rs, s)
	if err != nil {
		return nil, err
	}
	for name := range s.Titles {
		if !slices.ContainsFunc(columns, func(c column) bool { return c.name == name }) {
			return nil, about("titles", noColumn(columns, "titles name %q, which is no column", name))
		}
	}
	if s.Split != "" {
		rs = having(rs, s.Split)
	}
	t := &Table{Kind: "summary", Caption: locale.Lit(s.Caption)}
	for _, c := range columns {
		t.Columns = append(t.Columns, d.header(rs, c, s.Split, s.Titles))
	}
	gs := d.groups(rs, s.Rows)
	measured := slices.ContainsFunc(columns, func(c column) bool { return !c.label })
	for _, g := range gs {
		row, err := d.row(t, g, columns, s)
		if err != nil {
			return nil, err
		}
		row.Excluded = row.Excluded && measured // a run that fails says nothing against its settings
		t.Rows = append(t.Rows, row)
	}
	if s.Baseline != "" {
		if err := d.compare(t, gs, s); err != nil {
			return nil, about("baseline", err)
		}
	}
	if len(s.Pareto) > 0 {
		column, err := d.frontier(rs, gs, s.Rows, s.Pareto)
		if err != nil {
			return nil, about("pareto", err)
		}
		t.insert(-1, column)
	}
	if err := t.sort(s.Sort, columns); err != nil {
		return nil, about("sort", err)
	}
	if s.Best == nil || *s.Best {
		t.markBest()
	}
	if s.Geomean {
		t.geomean(s.Change == "percent")
	}
	laid := s.Rows
	if s.Split != "" {
		laid = append(slices.Clone(laid), s.Split)
	}
	if slices.ContainsFunc(columns, func(c column) bool { return c.name == "cost_per_million_output_tokens" }) {
		d.price(t, rs)
	}
	if measured {
		t.compared = comparison{rs, laid, s.Accept}
	}
	for _, n := range s.Notes {
		t.note(result.Info, locale.Lit(n))
	}
	return t, nil
}

// columns lays out rows labels first, then the columns asked for; metrics are
// repeated over the split label.
func (d *Data) columns(rs []*result.Result, s tableSpec) ([]column, error) {
	var out []column
	splits := []string{""}
	if s.Split != "" {
		if splits = d.values(rs, s.Split); len(splits) == 0 {
			return nil, unknownName(rs, s.Split)
		}
	}
	for _, name := range s.Rows {
		if _, label := known(rs, name); !label {
			return nil, unknownName(rs, name)
		}
		out = append(out, column{name: name, label: true})
	}
	// The metrics of one split value stand together: all of high, then all of low.
	var metrics []string
	flush := func() {
		for _, v := range splits {
			for _, m := range metrics {
				out = append(out, column{name: m, split: v})
			}
		}
		metrics = nil
	}
	for _, name := range s.Columns {
		metric, label := known(rs, name)
		switch {
		case metric:
			metrics = append(metrics, name)
		case label:
			flush()
			out = append(out, column{name: name, label: true})
		default:
			return nil, unknownName(rs, name)
		}
	}
	flush()
	return out, nil
}

// header makes a column's title: the author's words, or the reader's name of
// the metric or label, with the split value in front.
func (d *Data) header(rs []*result.Result, c column, split string, titles map[string]string) Column {
	h := Column{Title: locale.LabelName(c.name)}
	if !c.label {
		h.Title = locale.MetricName(c.name)
		h.Align, h.Metric = Right, c.name
		for _, r := range rs {
			if m, ok := r.Metric(c.name); ok {
				h.Unit, h.Better = m.Unit, m.Better
				break
			}
		}
	}
	if own, ok := titles[c.name]; ok {
		h.Title = locale.Lit(own)
	}
	if c.split != "" {
		h.Group = d.title(split, c.split)
	}
	if h.Unit == "1" {
		h.Unit = ""
	}
	if c.label {
		// A label of numbers with one unit everywhere is a column of figures.
		unit, numeric := "", true
		for i, v := range d.values(rs, c.name) {
			_, _, u, ok := labelNumber(v)
			numeric = numeric && ok && (i == 0 || u == unit)
			unit = u
		}
		if numeric {
			h.Align, h.Unit = Right, unit
		}
	}
	return h
}

func (d *Data) row(t *Table, g group, columns []column, s tableSpec) (Row, error) {
	row := Row{Excluded: !slices.ContainsFunc(g.runs, func(r *result.Result) bool { return !r.Excluded() })}
	row.Cells = make([]Cell, 0, len(columns))
	shown := map[*result.Result]bool{}
	for i, c := range columns {
		if c.label {
			row.Cells = append(row.Cells, d.labelCell(g.runs, c.name, t.Columns[i].Align == Right))
			continue
		}
		rs := withLabel(g.runs, s.Split, c.split)
		if err := repeats(rs, place(s.Rows, g.values)); err != nil {
			return row, err
		}
		f, ok := figureOf(rs, c.name)
		if !ok {
			row.Cells = append(row.Cells, Cell{Missing: true})
			continue
		}
		row.Cells = append(row.Cells, t.cell(f, !shown[f.runs[0]]))
		shown[f.runs[0]] = true
	}
	return row, nil
}

// labelCell shows a label's value over the runs of a row; several values
// stand side by side.
func (d *Data) labelCell(rs []*result.Result, name string, figure bool) Cell {
	vs := d.values(rs, name)
	if len(vs) == 0 {
		return Cell{Missing: true}
	}
	var c Cell
	if number, decimals, _, ok := labelNumber(vs[0]); ok && figure && len(vs) == 1 {
		c.Text, c.Value, c.Numeric = locale.Lit(fmt.Sprintf("%.*f", decimals, number)), number, true
	} else {
		var words []locale.Text
		for _, v := range vs {
			words = append(words, d.title(name, v))
		}
		c.Text = locale.Join(" / ", words...)
	}
	if name == "model" && len(vs) == 1 {
		c.URL = d.Links[vs[0]]
	}
	return c
}

// compare finds the baseline row and writes the change of every directed
// figure against it. Where rows are matched there is one for each combination
// of the labels that the selector does not name.
func (d *Data) compare(t *Table, gs []group, s tableSpec) error {
	sel, err := result.ParseSelector(s.Baseline)
	if err != nil {
		return problem(`as baseline = '{model="…"}'`, "the selector %s is wrong: %v", s.Baseline, err)
	}
	settings := func(g group) string {
		var held []string
		for i, label := range s.Rows {
			if s.matched && !slices.ContainsFunc(sel.Matchers, func(m result.Matcher) bool { return m.Label == label }) {
				held = append(held, g.values[i])
			}
		}
		return strings.Join(held, "\x00")
	}
	bases := map[string]int{}
	for i, g := range gs {
		if !slices.ContainsFunc(g.runs, sel.Match) {
			continue
		}
		if base, taken := bases[settings(g)]; taken {
			return lack("it matches "+place(s.Rows, gs[base].values)+" and "+place(s.Rows, g.values)+", perhaps more",
				"the baseline %s is more than one row", s.Baseline)
		}
		bases[settings(g)] = i
		t.Rows[i].Baseline = true
	}
	if len(bases) == 0 {
		return lack("the baseline has to be among the selected runs", "no row matches the baseline %s", s.Baseline)
	}
	for i := range t.Rows {
		base, ok := bases[settings(gs[i])]
		if !ok || i == base {
			continue
		}
		for c, col := range t.Columns {
			b, cell := t.Rows[base].Cells[c], &t.Rows[i].Cells[c]
			if col.Metric != "" && col.Better != result.Neutral && !b.Missing && !cell.Missing {
				t.change(cell, &b, s.Change == "percent", d.rules().Noise)
			}
		}
	}
	return nil
}

func unknownChange(change string) *Problem {
	return problem(`write "ratio" or "percent"`, "change = %q is not known", change)
}

// noColumn says of a name that it is none of the columns.
func noColumn(columns []column, format, name string) *Problem {
	var names []string
	for _, c := range columns {
		if !slices.Contains(names, c.name) {
			names = append(names, c.name)
		}
	}
	return problem("columns: "+strings.Join(names, ", "), format, name)
}

// sort orders rows by a column; rows without a value come last.
func (t *Table) sort(by string, columns []column) error {
	if by == "" {
		return nil
	}
	name, descending := strings.CutPrefix(by, "-")
	c := slices.IndexFunc(columns, func(c column) bool { return c.name == name })
	if c < 0 {
		return noColumn(columns, "sort = %q names no column", by)
	}
	en, _ := locale.For("en")
	slices.SortStableFunc(t.Rows, func(a, b Row) int {
		x, y := a.Cells[c], b.Cells[c]
		if x.Missing != y.Missing {
			return map[bool]int{true: 1, false: -1}[x.Missing]
		}
		order := cmp.Compare(x.Value, y.Value)
		if !x.Numeric || !y.Numeric {
			order = result.NaturalCompare(en.Say(x.Text), en.Say(y.Text))
		}
		if descending {
			order = -order
		}
		return order
	})
	return nil
}

// price tells what costs were worked out from.
func (d *Data) price(t *Table, rs []*result.Result) {
	for _, g := range d.groups(having(rs, "price_per_hour"), []string{"price_per_hour", "price_date"}) {
		key, args := "report.price", []any{g.values[0]}
		if g.values[1] != "" {
			key, args = "report.price-date", append(args, g.values[1])
		}
		t.note(result.Info, locale.T(key, args...))
	}
}
