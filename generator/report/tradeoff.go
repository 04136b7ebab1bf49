package report

import (
	"slices"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

type tradeoffSpec struct {
	Where    string
	Rows     string            // label of the variants; model when empty
	Size     string            // label that holds the size, as "8.9 G"; weight_size when empty
	Load     string            // label of the loads; load when empty
	Columns  []string          // labels and metrics shown; output_throughput and ttft_mean when empty
	Judge    map[string]string // load → metric that decides there; when absent TPOT of a single stream, else output throughput
	Baseline string            // selector of the variant the others are compared with
	Limits   map[string]any    // metric or label → what it may be at the most, or at the least where more is better; those of the site when empty
	At       string            // load the limits of metrics are for; every load when empty
	Caption  string
	Titles   map[string]string
	Notes    []string
	Accept   []string // settings in which the runs may differ
}

// tradeoff sets size against speed at each load, shows what else is known of a
// variant, says by the rules of verdict and suits what each is for, and under
// limits which one to deploy.
func (d *Data) tradeoff(s tradeoffSpec) (*Table, error) {
	for _, fallback := range []struct {
		field *string
		value string
	}{{&s.Rows, "model"}, {&s.Size, "weight_size"}, {&s.Load, "load"}} {
		if *fallback.field == "" {
			*fallback.field = fallback.value
		}
	}
	rs, err := d.selectSome(s.Where)
	if err != nil {
		return nil, err
	}
	return d.tradeoffOf(rs, s)
}

// mostTradeoff is how many variants a table that nobody asked for has at the most.
const mostTradeoff = 100

// TradeoffTables gives, for every campaign and machine, the tradeoff of its runs
// where they make one: two models of known size at the least, and no cell with
// runs that are no repeats of one another.
func (d *Data) TradeoffTables() []Table {
	var out []Table
	s := tradeoffSpec{Rows: "model", Size: "weight_size", Load: "load"}
	for _, g := range d.groups(having(having(d.Results, s.Load), s.Rows), []string{"campaign", "hardware"}) {
		sized := len(d.values(having(g.runs, s.Size), s.Rows))
		if sized < 2 || len(d.values(g.runs, s.Rows)) > mostTradeoff {
			continue
		}
		t, err := d.tradeoffOf(g.runs, s)
		if err != nil {
			continue
		}
		d.footnotes(t, result.Position{})
		t.finish()
		var of []locale.Text
		for i, label := range []string{"campaign", "hardware"} {
			if g.values[i] != "" {
				of = append(of, d.title(label, g.values[i]))
			}
		}
		t.Caption = locale.Join(" · ", of...)
		out = append(out, *t)
	}
	return out
}

// tradeoffOf makes the table of runs that are selected already.
func (d *Data) tradeoffOf(rs []*result.Result, s tradeoffSpec) (*Table, error) {
	rs = having(having(rs, s.Load), s.Rows)
	if len(rs) == 0 {
		return nil, about("load", lack("name another label in load, or declare loads in site.toml", "no selected run has %s and %s", s.Rows, s.Load))
	}
	if len(s.Columns) == 0 {
		s.Columns = []string{"output_throughput", "ttft_mean"}
		for _, more := range []string{"energy_per_output_token", "cost_per_million_output_tokens"} {
			if slices.ContainsFunc(rs, func(r *result.Result) bool { _, ok := r.Metric(more); return ok }) {
				s.Columns = append(s.Columns, more)
			}
		}
	}
	later := false // the best are marked when all columns are there
	summary := tableSpec{
		Best: &later, Rows: []string{s.Rows}, Columns: append([]string{s.Size}, s.Columns...),
		Split: s.Load, Baseline: s.Baseline, Titles: s.Titles, Caption: s.Caption, Accept: s.Accept,
	}
	if s.Baseline != "" {
		summary.Change = "ratio"
	}
	t, err := d.summarize(rs, summary)
	if err != nil {
		return nil, err
	}
	t.Kind = "tradeoff"
	f, err := d.lay(rs, s.Rows, s.Load, s.Baseline, s.Judge)
	if err != nil {
		return nil, err
	}
	for _, load := range f.loads {
		if m, _ := known(rs, f.decides(load)); !m {
			return nil, about("judge", unknownName(rs, f.decides(load)))
		}
	}
	p := &portfolio{field: f, size: s.Size}
	p.weigh()
	t.insert(2, p.bits())
	t.insert(-1, p.mbu())
	t.insert(-1, p.memory())
	for _, c := range p.qualities() {
		t.insert(-1, c)
	}
	for i := range f.loads {
		t.insert(-1, p.verdicts(i))
	}
	t.insert(-1, p.suits())
	t.markBest()
	if err := p.answer(t, s); err != nil {
		return nil, err
	}
	p.legend(t, s)
	return t, nil
}

// extra is a column with its cells.
type extra struct {
	Column
	cells []Cell
}

// insert puts a column before the one at index at, or at the end for −1. One
// without any value is left out.
func (t *Table) insert(at int, e extra) {
	if !slices.ContainsFunc(e.cells, func(c Cell) bool { return !c.Missing }) {
		return
	}
	if at < 0 {
		at = len(t.Columns)
	}
	t.Columns = slices.Insert(t.Columns, at, e.Column)
	for i := range t.Rows {
		t.Rows[i].Cells = slices.Insert(t.Rows[i].Cells, at, e.cells[i])
	}
}

// legend explains the rules that fired below the table.
func (p *portfolio) legend(t *Table, s tradeoffSpec) {
	judged := map[string][]locale.Text{} // metric → the loads it decides
	var metrics []string
	for _, load := range p.loads {
		metric := p.decides(load)
		if judged[metric] == nil {
			metrics = append(metrics, metric)
		}
		judged[metric] = append(judged[metric], p.d.title(p.load, load))
	}
	for _, metric := range metrics {
		h := p.d.header(p.runs, column{name: metric}, "", nil)
		t.note(result.Info, locale.T("tradeoff.judged", locale.List(judged[metric]...), withUnit(h.Title, h.Unit)))
	}
	t.note(result.Info, locale.T("tradeoff.pareto-mark"))
	if s.Baseline != "" {
		t.note(result.Info, locale.T("tradeoff.ratio"))
	}
	for _, n := range s.Notes {
		t.note(result.Info, locale.Lit(n))
	}
}
