package table

import (
	"math"
	"slices"

	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/magnitude"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// ConfigSpec holds the keys of the block config.
type ConfigSpec struct {
	Where   string
	Columns string   // label of the columns; default: load
	Rows    []string // labels and metrics of the rows; default: the workload's settings
	Caption string
	Notes   []string
}

// workload lists the labels that describe what was requested from the server.
var workload = []string{"dataset", "num_prompts", "max_concurrency", "request_rate", "input_len", "output_len", "burstiness", "seed", "prefix_caching", "ignore_eos"}

// Config shows the settings of the runs, one column for each value of a label. If the runs of a column differ, the most
// frequent value is first and the exceptions name their model.
func Config(d *dataset.Selection, s ConfigSpec) (*builder.Table, error) {
	rs, err := d.Select(s.Where)
	if err != nil {
		return nil, err
	}
	if s.Columns == "" {
		s.Columns = "load"
	}
	across := d.Values(rs, s.Columns)
	if len(across) == 0 {
		return nil, dataset.Unknown(rs, s.Columns)
	}
	t := builder.NewTable("config", locale.Lit(s.Caption))
	t.Columns = []report.Column{{Title: locale.T("report.setting")}}
	for _, v := range across {
		t.Columns = append(t.Columns, report.Column{Title: d.Title(s.Columns, v), Align: report.Right})
	}
	rows := s.Rows
	if rows == nil {
		rows = workload
	}
	for _, name := range rows {
		metric, label := dataset.Known(rs, name)
		if !label && (!metric || s.Rows == nil) {
			if s.Rows != nil {
				return nil, dataset.Unknown(rs, name)
			}
			continue
		}
		title := locale.LabelName(name)
		if metric {
			title = locale.MetricName(name)
		}
		row := report.Row{Cells: []report.Cell{{Text: title}}}
		for _, v := range across {
			row.Cells = append(row.Cells, factCell(d, dataset.WithLabel(rs, s.Columns, v), name))
		}
		t.Rows = append(t.Rows, row)
	}
	for _, n := range s.Notes {
		t.Note(result.Info, locale.Lit(n))
	}
	return t, nil
}

// fact returns the printed value of a metric, or else the value of a label.
func fact(r *result.Result, name string) string {
	if m, ok := r.Metric(name); ok {
		return printed(m)
	}
	return r.Label(name)
}

// printed writes a metric as the tool printed it, with its unit. Bytes and operations are converted to a readable unit.
func printed(m result.Metric) string {
	if _, never := magnitude.Sheet(m.Unit); !never {
		return m.Digits()
	}
	unit, other := magnitude.Read(m.Unit, math.Abs(m.Value))
	if !other {
		return m.Digits() + " " + m.Unit
	}
	return builder.Round(unit.Of(m.Value), 2) + " " + unit.Name
}

// factCell returns the cell of a label or metric over runs: one value if they agree, otherwise the most frequent value
// and the others with their models in brackets. For a metric with many values it shows the range.
func factCell(d *dataset.Selection, rs []*result.Result, name string) report.Cell {
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
		return report.Cell{Missing: true}
	}
	if len(vs) > mostFacts {
		if low, high, ok := extremes(rs, name); ok {
			return report.Cell{Text: locale.Lit(printed(low) + "–" + printed(high))}
		}
	}
	slices.SortStableFunc(vs, func(a, b string) int {
		if c := len(models[b]) - len(models[a]); c != 0 {
			return c
		}
		return d.CompareValues(name, a, b)
	})
	common := vs[:1]
	type exception struct {
		who  []locale.Text
		text locale.Text
	}
	var exceptions []exception
	for _, v := range vs[1:] {
		var who []locale.Text
		seen := slices.Clone(models[vs[0]])
		for _, m := range models[v] {
			if m != "" && !slices.Contains(seen, m) {
				who, seen = append(who, d.Title("model", m)), append(seen, m)
			}
		}
		if len(who) == 0 || len(who) > 3 {
			common = append(common, v)
			continue
		}
		exceptions = append(exceptions, exception{who, d.Title(name, v)})
	}
	slices.SortStableFunc(common, func(a, b string) int { return d.CompareValues(name, a, b) })
	var values []locale.Text
	for _, v := range common {
		values = append(values, d.Title(name, v))
	}
	text := locale.Join(" / ", values...)
	for _, e := range exceptions {
		text = locale.T("report.except", text, locale.List(e.who...), e.text)
	}
	return report.Cell{Text: text}
}

// mostFacts is the number of values of a metric that a cell names.
const mostFacts = 3

// extremes returns the lowest and the highest value of a metric. ok is false if no run has it.
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

// EnvironmentSpec holds the keys of the block environment.
type EnvironmentSpec struct {
	Where   string
	Labels  []string // labels to list; default: surroundings
	Caption string
	Notes   []string
}

// surroundings lists the labels that describe the hardware and software of a measurement.
var surroundings = []string{"hardware", "accelerators", "memory", "os", "driver", "cuda", "power_mode", "clocks", "engine", "engine_version", "image", "parallelism", "tool", "tool_version"}

// Environment lists the labels that describe hardware and software.
func Environment(d *dataset.Selection, s EnvironmentSpec) (*builder.Table, error) {
	rs, err := d.Select(s.Where)
	if err != nil {
		return nil, err
	}
	t := builder.NewTable("environment", locale.Lit(s.Caption))
	t.Columns = []report.Column{{Title: locale.T("report.item")}, {Title: locale.T("report.value")}}
	labels := s.Labels
	if labels == nil {
		labels = surroundings
	}
	for _, name := range labels {
		if len(d.Values(rs, name)) == 0 {
			if s.Labels != nil {
				return nil, dataset.Unknown(rs, name)
			}
			continue
		}
		t.Rows = append(t.Rows, report.Row{Cells: []report.Cell{{Text: locale.LabelName(name)}, factCell(d, rs, name)}})
	}
	for _, n := range s.Notes {
		t.Note(result.Info, locale.Lit(n))
	}
	return t, nil
}
