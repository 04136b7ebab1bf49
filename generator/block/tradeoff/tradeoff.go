// Package tradeoff weighs variants: size against speed at each load, the role of each variant, and which one to deploy
// within limits.
package tradeoff

import (
	"slices"

	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/block/table"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// Spec holds the keys of the block tradeoff.
type Spec struct {
	Where    string
	Rows     string            // label of the variants; default: model
	Size     string            // label of the size, such as "8.9 G"; default: weight_size
	Load     string            // label of the loads; default: load
	Columns  []string          // labels and metrics shown; default: output_throughput and ttft_mean
	Judge    map[string]string // load → deciding metric; default: TPOT for a single stream, else output throughput
	Baseline string            // selector of the variant that others are compared with
	Limits   map[string]any    // metric or label → maximum, or minimum if higher is better; default: the site's limits
	At       string            // load at which limits of metrics apply; default: every load
	Caption  string
	Titles   map[string]string
	Notes    []string
	Accept   []string // settings in which the runs may differ
}

// Table compares size with speed at each load, and shows other facts about each variant. It gives the verdicts and
// roles defined by Weigh and suits. If there are limits, it answers which variant to deploy.
func Table(d *dataset.Selection, s Spec) (*builder.Table, error) {
	for _, fallback := range []struct {
		field *string
		value string
	}{{&s.Rows, "model"}, {&s.Size, "weight_size"}, {&s.Load, "load"}} {
		if *fallback.field == "" {
			*fallback.field = fallback.value
		}
	}
	rs, err := d.Select(s.Where)
	if err != nil {
		return nil, err
	}
	return tableOf(d, rs, s)
}

// mostTradeoff is the maximum number of variants in a table of Tables.
const mostTradeoff = 100

// Tables returns a tradeoff table for every campaign and machine of some results, if their runs allow one: there are at
// least two models of known size, and the runs of each cell are repeats of each other.
func Tables(d *dataset.Selection, rs []*result.Result) []report.Table {
	var out []report.Table
	s := Spec{Rows: "model", Size: "weight_size", Load: "load"}
	for _, g := range d.Groups(dataset.Having(dataset.Having(rs, s.Load), s.Rows), []string{"campaign", "hardware"}) {
		sized := len(d.Values(dataset.Having(g.Runs, s.Size), s.Rows))
		if sized < 2 || len(d.Values(g.Runs, s.Rows)) > mostTradeoff {
			continue
		}
		t, err := tableOf(d, g.Runs, s)
		if err != nil {
			continue
		}
		t.Finish(d, result.Position{})
		var of []locale.Text
		for i, label := range []string{"campaign", "hardware"} {
			if g.Values[i] != "" {
				of = append(of, d.Title(label, g.Values[i]))
			}
		}
		t.Caption = locale.Join(" · ", of...)
		out = append(out, t.Table)
	}
	return out
}

// tableOf returns the table of runs that are already selected.
func tableOf(d *dataset.Selection, rs []*result.Result, s Spec) (*builder.Table, error) {
	rs = dataset.Having(dataset.Having(rs, s.Load), s.Rows)
	if len(rs) == 0 {
		return nil, dataset.About("load", dataset.Lackf(locale.Textf("name another label in load, or declare loads in site.toml"), "no selected run has %s and %s", s.Rows, s.Load))
	}
	if len(s.Columns) == 0 {
		s.Columns = []string{"output_throughput", "ttft_mean"}
		for _, more := range []string{"energy_per_output_token", "cost_per_million_output_tokens", "cost_per_million_total_tokens"} {
			if slices.ContainsFunc(rs, func(r *result.Result) bool { _, ok := r.Metric(more); return ok }) {
				s.Columns = append(s.Columns, more)
			}
		}
	}
	later := false // the best values are marked when all columns exist
	summary := table.Spec{
		Best: &later, Rows: []string{s.Rows}, Columns: append([]string{s.Size}, s.Columns...),
		Split: s.Load, Baseline: s.Baseline, Titles: s.Titles, Caption: s.Caption, Accept: s.Accept,
	}
	if s.Baseline != "" {
		summary.Change = "ratio"
	}
	t, err := table.Summarize(d, rs, summary)
	if err != nil {
		return nil, err
	}
	t.Kind = "tradeoff"
	f, err := d.Lay(rs, s.Rows, s.Load, s.Baseline, s.Judge)
	if err != nil {
		return nil, err
	}
	for _, load := range f.Loads {
		if m, _ := dataset.Known(rs, f.Decides(load)); !m {
			return nil, dataset.About("judge", dataset.Unknown(rs, f.Decides(load)))
		}
	}
	p := &Portfolio{Field: f, Size: s.Size}
	p.Weigh()
	t.Insert(2, p.bits())
	t.Insert(-1, p.mbu())
	t.Insert(-1, p.memory())
	for _, c := range p.qualities() {
		t.Insert(-1, c)
	}
	for i := range f.Loads {
		t.Insert(-1, p.verdicts(i))
	}
	t.Insert(-1, p.suits())
	t.Readable()
	t.MarkBest()
	if err := p.answer(t, s); err != nil {
		return nil, err
	}
	p.legend(t, s)
	return t, nil
}

// legend notes below the table which metrics decide and what marks mean.
func (p *Portfolio) legend(t *builder.Table, s Spec) {
	judged := map[string][]locale.Text{} // metric → the loads it decides
	var metrics []string
	for _, load := range p.Loads {
		metric := p.Decides(load)
		if judged[metric] == nil {
			metrics = append(metrics, metric)
		}
		judged[metric] = append(judged[metric], p.Selection.Title(p.Load, load))
	}
	for _, metric := range metrics {
		h := builder.Header(p.Selection, p.Runs, builder.Heading{Name: metric}, "", nil)
		t.Note(result.Info, locale.T("tradeoff.judged", locale.List(judged[metric]...), builder.WithUnit(h.Title, h.Unit)))
	}
	t.Note(result.Info, locale.T("tradeoff.pareto-mark"))
	if s.Baseline != "" {
		t.Note(result.Info, locale.T("tradeoff.ratio"))
	}
	for _, n := range s.Notes {
		t.Note(result.Info, locale.Lit(n))
	}
}
