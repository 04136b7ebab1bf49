// Package table makes tables of runs: summaries with a row for each variant,
// matrices of one metric over two labels, and lists of settings.
package table

import (
	"cmp"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Spec holds the keys of the block table.
type Spec struct {
	Where    string   // the runs; default: all
	Rows     []string // labels of the rows; default: model
	Columns  []string // metrics and labels
	Split    string   // label; the metric columns are repeated for each of its values
	Sort     string   // metric or label; "-" in front for descending; default: the site's order
	Baseline string   // selector of the row that others are compared with
	Change   string   // "ratio" or "percent"; "" shows no change
	Pareto   []string // metrics, or labels of sizes, of a marked Pareto frontier; default: none
	Geomean  bool     // add a last row with the geometric mean of the changes
	Best     *bool    // mark the best value of a column; default: true
	Caption  string
	Titles   map[string]string // the author's titles of columns
	Notes    []string          // the author's footnotes
	Accept   []string          // settings in which the runs may differ

	Matched bool // compare each row with the baseline row of the same settings
}

// Summary returns a table with one row for each combination of the row labels.
func Summary(d *dataset.Selection, s Spec) (*builder.Table, error) {
	rs, err := d.Select(s.Where)
	if err != nil {
		return nil, err
	}
	return Summarize(d, rs, s)
}

// Summarize does what [Summary] does for runs that are already selected.
func Summarize(d *dataset.Selection, rs []*result.Result, s Spec) (*builder.Table, error) {
	if len(s.Rows) == 0 {
		s.Rows = []string{"model"}
	}
	if len(s.Columns) == 0 {
		return nil, dataset.Wrongf(locale.Textf(`for example columns = ["output_throughput", "ttft_mean"]`), "columns is missing")
	}
	if s.Change != "" && s.Change != "ratio" && s.Change != "percent" {
		return nil, dataset.About("change", unknownChange(s.Change))
	}
	if (s.Change != "") != (s.Baseline != "") {
		return nil, dataset.Wrongf(locale.Textf(`for example baseline = '{model="…"}' and change = "ratio"`), "baseline and change go together")
	}
	if s.Geomean && s.Baseline == "" {
		return nil, dataset.About("geomean", dataset.Wrongf(locale.Textf(`for example baseline = '{model="…"}' and change = "ratio"`), "geomean needs a baseline: it is the mean of ratios"))
	}
	columns, err := columns(d, rs, s)
	if err != nil {
		return nil, err
	}
	for name := range s.Titles {
		if !slices.ContainsFunc(columns, func(c builder.Heading) bool { return c.Name == name }) {
			return nil, dataset.About("titles", noColumn(columns, "titles name %q, which is no column", name))
		}
	}
	if s.Split != "" {
		rs = dataset.Having(rs, s.Split)
	}
	t := builder.NewTable("summary", locale.Lit(s.Caption))
	for _, c := range columns {
		t.Columns = append(t.Columns, builder.Header(d, rs, c, s.Split, s.Titles))
	}
	gs := d.Groups(rs, s.Rows)
	measured := slices.ContainsFunc(columns, func(c builder.Heading) bool { return !c.Label })
	for _, g := range gs {
		row, err := row(d, t, g, columns, s)
		if err != nil {
			return nil, err
		}
		row.Excluded = row.Excluded && measured // settings are not struck through because a run failed
		t.Rows = append(t.Rows, row)
	}
	t.Readable()
	if s.Baseline != "" {
		if err := compare(d, t, gs, s); err != nil {
			return nil, dataset.About("baseline", err)
		}
	}
	if len(s.Pareto) > 0 {
		column, err := frontier(d, rs, gs, s)
		if err != nil {
			return nil, dataset.About("pareto", err)
		}
		t.Insert(-1, column)
	}
	if err := sort(t, s.Sort, columns); err != nil {
		return nil, dataset.About("sort", err)
	}
	if s.Best == nil || *s.Best {
		t.MarkBest()
	}
	if s.Geomean {
		geomean(t, s.Change == "percent")
	}
	laid := slices.Clone(s.Rows)
	if s.Split != "" {
		laid = append(laid, s.Split)
	}
	for _, c := range columns { // a label column with one value in each row counts as laid out
		if c.Label && !slices.Contains(laid, c.Name) && !slices.ContainsFunc(gs, func(g dataset.Group) bool { return len(d.Values(g.Runs, c.Name)) > 1 }) {
			laid = append(laid, c.Name)
		}
	}
	if slices.ContainsFunc(columns, func(c builder.Heading) bool { return vocabulary.Cost(c.Name) }) {
		price(d, t, rs)
	}
	if measured {
		t.Compared = builder.Comparison{Runs: rs, Laid: laid, Accept: s.Accept}
	}
	for _, n := range s.Notes {
		t.Note(result.Info, locale.Lit(n))
	}
	return t, nil
}

// columns returns the labels of the rows, then the requested columns. Metrics are repeated for each value of the split
// label.
func columns(d *dataset.Selection, rs []*result.Result, s Spec) ([]builder.Heading, error) {
	var out []builder.Heading
	splits := []string{""}
	if s.Split != "" {
		if splits = d.Values(rs, s.Split); len(splits) == 0 {
			return nil, dataset.Unknown(rs, s.Split)
		}
	}
	for _, name := range s.Rows {
		if _, label := dataset.Known(rs, name); !label {
			return nil, dataset.Unknown(rs, name)
		}
		out = append(out, builder.Heading{Name: name, Label: true})
	}
	// The metrics of one split value are adjacent: all of high, then all of low.
	var metrics []string
	flush := func() {
		for _, v := range splits {
			for _, m := range metrics {
				out = append(out, builder.Heading{Name: m, Split: v})
			}
		}
		metrics = nil
	}
	for _, name := range s.Columns {
		metric, label := dataset.Known(rs, name)
		switch {
		case metric:
			if err := dataset.OneUnit(rs, name); err != nil {
				return nil, dataset.About("columns", err)
			}
			metrics = append(metrics, name)
		case label:
			flush()
			out = append(out, builder.Heading{Name: name, Label: true})
		default:
			return nil, dataset.Unknown(rs, name)
		}
	}
	flush()
	return out, nil
}

func row(d *dataset.Selection, t *builder.Table, g dataset.Group, columns []builder.Heading, s Spec) (report.Row, error) {
	row := report.Row{Excluded: !slices.ContainsFunc(g.Runs, func(r *result.Result) bool { return !r.Excluded() })}
	row.Cells = make([]report.Cell, 0, len(columns))
	shown := map[*result.Result]bool{}
	for i, c := range columns {
		if c.Label {
			row.Cells = append(row.Cells, builder.LabelCell(d, g.Runs, c.Name, t.Columns[i].Align == report.Right))
			continue
		}
		rs := dataset.WithLabel(g.Runs, s.Split, c.Split)
		if err := dataset.Repeats(rs, dataset.Place(s.Rows, g.Values)); err != nil {
			return row, err
		}
		f, ok := dataset.FigureOf(rs, c.Name)
		if !ok {
			row.Cells = append(row.Cells, report.Cell{Missing: true})
			continue
		}
		row.Cells = append(row.Cells, t.Cell(f, !shown[f.Runs[0]]))
		shown[f.Runs[0]] = true
	}
	return row, nil
}

// compare finds the baseline row and writes the change of every directed figure against it. If rows are matched, there
// is a baseline row for each combination of the labels that the selector does not name.
func compare(d *dataset.Selection, t *builder.Table, gs []dataset.Group, s Spec) error {
	sel, err := result.ParseSelector(s.Baseline)
	if err != nil {
		return dataset.Wrongf(locale.Textf(`for example baseline = '{model="…"}'`), "the selector %s is wrong: %v", s.Baseline, err)
	}
	settings := func(g dataset.Group) string {
		var held []string
		for i, label := range s.Rows {
			if s.Matched && !slices.ContainsFunc(sel.Matchers, func(m result.Matcher) bool { return m.Label == label }) {
				held = append(held, g.Values[i])
			}
		}
		return strings.Join(held, "\x00")
	}
	bases := map[string]int{}
	for i, g := range gs {
		if !slices.ContainsFunc(g.Runs, sel.Match) {
			continue
		}
		if base, taken := bases[settings(g)]; taken {
			return dataset.Lackf(locale.Textf("it matches %s and %s, perhaps more", dataset.Place(s.Rows, gs[base].Values), dataset.Place(s.Rows, g.Values)),
				"the baseline %s is more than one row", s.Baseline)
		}
		bases[settings(g)] = i
		t.Rows[i].Baseline = true
	}
	if len(bases) == 0 {
		return dataset.Lackf(locale.Textf("the baseline has to be among the selected runs"), "no row matches the baseline %s", s.Baseline)
	}
	for i := range t.Rows {
		base, ok := bases[settings(gs[i])]
		if !ok || i == base {
			continue
		}
		for c, col := range t.Columns {
			b, cell := t.Rows[base].Cells[c], &t.Rows[i].Cells[c]
			if col.Metric != "" && col.Better != result.Neutral && !b.Missing && !cell.Missing {
				t.Change(cell, &b, s.Change == "percent", d.Thresholds().Noise)
			}
		}
	}
	return nil
}

func unknownChange(change string) *dataset.Problem {
	return dataset.Wrongf(locale.Textf(`write "ratio" or "percent"`), "change = %q is not known", change)
}

// noColumn returns an error about a name that is not a column.
func noColumn(columns []builder.Heading, format, name string) *dataset.Problem {
	var names []string
	for _, c := range columns {
		if !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	hint := locale.Textf("columns: %s", locale.Commas(names...))
	for _, meant := range vocabulary.Meant(strings.TrimPrefix(name, "-")) {
		if slices.Contains(names, meant) {
			hint = locale.Textf("did you mean %s? %s", meant, hint)
			break
		}
	}
	return dataset.Wrongf(hint, format, name)
}

// sort orders rows by a column; rows without a value come last.
func sort(t *builder.Table, by string, columns []builder.Heading) error {
	if by == "" {
		return nil
	}
	name, descending := strings.CutPrefix(by, "-")
	c := slices.IndexFunc(columns, func(c builder.Heading) bool { return c.Name == name })
	if c < 0 {
		return noColumn(columns, "sort = %q names no column", by)
	}
	en, _ := locale.For("en")
	slices.SortStableFunc(t.Rows, func(a, b report.Row) int {
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

// price notes the prices that costs were computed from.
func price(d *dataset.Selection, t *builder.Table, rs []*result.Result) {
	for _, g := range d.Groups(dataset.Having(rs, "price_per_hour"), []string{"price_per_hour", "price_date"}) {
		key, args := "report.price", []any{g.Values[0]}
		if g.Values[1] != "" {
			key, args = "report.price-date", append(args, g.Values[1])
		}
		t.Note(result.Info, locale.T(key, args...))
	}
}
