package report

import (
	"slices"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

type configSpec struct {
	Where   string
	Columns string   // label across; load when empty
	Rows    []string // labels and metrics down; the workload's settings when empty
	Caption string
	Notes   []string
}

// workload are the labels that say what was asked of the server.
var workload = []string{"dataset", "num_prompts", "max_concurrency", "request_rate", "input_len", "output_len", "burstiness", "seed", "prefix_caching", "ignore_eos"}

// config shows the settings of the runs, one column for each value of a label.
// Where runs of a column differ, the most frequent value stands first and the
// exceptions name their model.
func (d *Data) config(s configSpec) (*Table, error) {
	rs, err := d.selectSome(s.Where)
	if err != nil {
		return nil, err
	}
	if s.Columns == "" {
		s.Columns = "load"
	}
	across := d.values(rs, s.Columns)
	if len(across) == 0 {
		return nil, unknownName(rs, s.Columns)
	}
	t := &Table{Kind: "config", Caption: locale.Lit(s.Caption)}
	t.Columns = []Column{{Title: locale.T("report.setting")}}
	for _, v := range across {
		t.Columns = append(t.Columns, Column{Title: d.title(s.Columns, v), Align: Right})
	}
	rows := s.Rows
	if rows == nil {
		rows = workload
	}
	for _, name := range rows {
		metric, label := known(rs, name)
		if !label && (!metric || s.Rows == nil) {
			if s.Rows != nil {
				return nil, unknownName(rs, name)
			}
			continue
		}
		title := locale.LabelName(name)
		if metric {
			title = locale.MetricName(name)
		}
		row := Row{Cells: []Cell{{Text: title}}}
		for _, v := range across {
			row.Cells = append(row.Cells, d.factCell(withLabel(rs, s.Columns, v), name))
		}
		t.Rows = append(t.Rows, row)
	}
	for _, n := range s.Notes {
		t.note(result.Info, locale.Lit(n))
	}
	return t, nil
}

// fact gives a label's value, or a metric's as the tool printed it.
func fact(r *result.Result, name string) string {
	if m, ok := r.Metric(name); ok {
		return m.Digits()
	}
	return r.Label(name)
}

// factCell states a label or metric over runs: one value when they agree;
// otherwise the most frequent and, in brackets, the others with the models
// they belong to. Of a metric that has many values it is their range.
func (d *Data) factCell(rs []*result.Result, name string) Cell {
	var vs []string
	models := map[string][]string{}
	total := 0
	for _, r := range rs {
		v := fact(r, name)
		if v == "" {
			continue
		}
		total++
		if _, ok := models[v]; !ok {
			vs = append(vs, v)
		}
		models[v] = append(models[v], r.Label("model"))
	}
	if total == 0 {
		return Cell{Missing: true}
	}
	if len(vs) > mostFacts {
		if low, high, ok := extremes(rs, name); ok {
			return Cell{Text: locale.Lit(low.Digits() + "–" + high.Digits())}
		}
	}
	slices.SortStableFunc(vs, func(a, b string) int {
		if c := len(models[b]) - len(models[a]); c != 0 {
			return c
		}
		return d.compareValues(name, a, b)
	})
	text := d.title(name, vs[0])
	for _, v := range vs[1:] {
		var who []locale.Text
		for _, m := range models[v] {
			if m != "" && !slices.Contains(models[vs[0]], m) {
				who = append(who, d.title("model", m))
			}
		}
		if len(who) == 0 || len(who) > 3 {
			text = locale.Join(" / ", text, d.title(name, v))
			continue
		}
		text = locale.T("report.except", text, locale.List(who...), d.title(name, v))
	}
	return Cell{Text: text}
}

// mostFacts is how many values of a metric are named in a cell.
const mostFacts = 3

// extremes gives the lowest and the highest value of a metric; ok is false for
// what is none.
func extremes(rs []*result.Result, name string) (low, high result.Metric, ok bool) {
	for _, r := range rs {
		m, has := r.Metric(name)
		if !has {
			continue
		}
		if !ok || m.Value < low.Value {
			low = m
		}
		if !ok || m.Value > high.Value {
			high = m
		}
		ok = true
	}
	return low, high, ok
}

type environmentSpec struct {
	Where   string
	Labels  []string // which labels; the usual ones when empty
	Caption string
	Notes   []string
}

// surroundings are the labels that say on what and with what was measured.
var surroundings = []string{"hardware", "accelerators", "memory", "os", "driver", "cuda", "power_mode", "clocks", "engine", "engine_version", "image", "parallelism", "tool", "tool_version"}

// environment lists the labels that describe hardware and software.
func (d *Data) environment(s environmentSpec) (*Table, error) {
	rs, err := d.selectSome(s.Where)
	if err != nil {
		return nil, err
	}
	t := &Table{Kind: "environment", Caption: locale.Lit(s.Caption)}
	t.Columns = []Column{{Title: locale.T("report.item")}, {Title: locale.T("report.value")}}
	labels := s.Labels
	if labels == nil {
		labels = surroundings
	}
	for _, name := range labels {
		if len(d.values(rs, name)) == 0 {
			if s.Labels != nil {
				return nil, unknownName(rs, name)
			}
			continue
		}
		t.Rows = append(t.Rows, Row{Cells: []Cell{{Text: locale.LabelName(name)}, d.factCell(rs, name)}})
	}
	for _, n := range s.Notes {
		t.note(result.Info, locale.Lit(n))
	}
	return t, nil
}
