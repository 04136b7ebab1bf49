// Package view chooses the tables and charts of pages without an author's block: those of machines, models and loads.
package view

import (
	"slices"
	"strconv"

	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/block/condition"
	"github.com/benchpost/benchpost/generator/block/plot"
	"github.com/benchpost/benchpost/generator/block/table"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Limits of what a reader can still compare.
const (
	MostRows      = 60 // rows of a table
	mostSplit     = 4  // groups of columns
	mostNamedDots = 40 // models in a chart
	mostMachines  = 8  // machines with a view of their own
	fewestModels  = 3  // models needed for a chart
	fewestSteps   = 3  // steps of a sweep needed for a line
)

// OfLoad returns the views of the runs with a value of the label load or scenario: the models side by side, for each
// machine. links maps models to the addresses of their pages.
func OfLoad(d *dataset.Selection, label, value string, links map[string]string) []report.View {
	rs := dataset.Having(d.With(label, value), "model")
	machines := d.Groups(rs, []string{"hardware"})
	if len(machines) > mostMachines {
		return nil
	}
	var out []report.View
	for _, g := range machines {
		v := sideBySide(viewed(d, g.Runs, links), "")
		if len(machines) > 1 && g.Values[0] != "" {
			v.Title = d.Title("hardware", g.Values[0])
		}
		out = append(out, v)
	}
	return filled(out)
}

// OfHardware returns the views of the runs on a machine: the models side by side for loads, for scenarios, and for runs
// without either.
func OfHardware(d *dataset.Selection, id string, links map[string]string) []report.View {
	rs := dataset.Having(d.With("hardware", id), "model")
	var out []report.View
	for _, label := range []string{"load", "scenario"} {
		if of := dataset.Having(rs, label); len(of) > 0 {
			v := sideBySide(viewed(d, of, links), label)
			v.Title = locale.T("view.by", locale.Inside(locale.LabelName(label)))
			out = append(out, v)
		}
	}
	rest := slices.DeleteFunc(rs, func(r *result.Result) bool { return r.Label("load") != "" || r.Label("scenario") != "" })
	if len(rest) > 0 {
		v := sideBySide(viewed(d, rest, links), "")
		if len(out) > 0 {
			v.Title = locale.T("view.others")
		}
		out = append(out, v)
	}
	return filled(out)
}

// OfModel returns the views of a model's runs beside those of its family: the base, which is first, and the models
// derived from it. The base is compared with all of them, other models with the base.
func OfModel(d *dataset.Selection, id string, family []string, links map[string]string) []report.View {
	var all []*result.Result
	for _, m := range family {
		all = append(all, d.With("model", m)...)
	}
	slices.SortFunc(all, result.Compare)
	var out []report.View
	if c := sweepOf(d.Of(all), id); c != nil {
		out = append(out, report.View{Charts: []*report.Chart{c}})
	}
	compared := slices.DeleteFunc(slices.Clone(all), func(r *result.Result) bool {
		m := r.Label("model")
		return m != id && m != family[0] && id != family[0]
	})
	for _, label := range []string{"load", "scenario", ""} {
		mine := func(r *result.Result) bool {
			if label == "" {
				return r.Label("load") == "" && r.Label("scenario") == ""
			}
			return r.Label(label) != ""
		}
		keep := func(rs []*result.Result) []*result.Result {
			return slices.DeleteFunc(slices.Clone(rs), func(r *result.Result) bool { return !mine(r) })
		}
		v := report.View{Title: locale.T("view.others")}
		if label != "" {
			v.Title = locale.T("view.by", locale.Inside(locale.LabelName(label)))
		}
		if c := standing(d.Of(keep(all)), label, id); c != nil {
			v.Charts = append(v.Charts, c)
		}
		if t := against(viewed(d, keep(compared), links), label, family[0], id); t != nil {
			v.Tables = append(v.Tables, &t.Table)
		}
		out = append(out, v)
	}
	out = filled(out)
	if len(out) == 1 {
		out[0].Title = locale.Text{}
	}
	return out
}

// viewed returns the selection of a view.
func viewed(d *dataset.Selection, rs []*result.Result, links map[string]string) *dataset.Selection {
	of := d.Of(rs)
	of.Links = links
	return of
}

// filled removes empty views.
func filled(vs []report.View) []report.View {
	return slices.DeleteFunc(vs, func(v report.View) bool { return len(v.Charts)+len(v.Tables) == 0 })
}

// sideBySide compares the models of all results in a table, with their figures repeated for each value of the label
// over. It draws the models that were measured under the same settings.
func sideBySide(d *dataset.Selection, over string) (v report.View) {
	across := over
	if over == "" || len(d.Values(d.Results, over)) > mostSplit {
		across = ""
	}
	rows := []string{"model"}
	if over != "" && across == "" {
		rows = append(rows, over)
	}
	rows, ok := condition.Apart(d, d.Results, rows, across)
	if !ok {
		return v
	}
	metrics := Measured(d, 4)
	if across != "" {
		metrics = metrics[:min(2, len(metrics))]
	}
	if len(metrics) == 0 {
		return v
	}
	spec := table.Spec{Rows: rows, Columns: metrics, Split: across}
	if unmarked := false; len(rows) > 1 { // the best value of several conditions has no meaning
		spec.Best = &unmarked
	}
	if x, y := "ttft_mean", "output_throughput"; across == "" && len(rows) == 1 && has(d, x) && has(d, y) {
		spec.Pareto = []string{y, x}
	}
	if t := Table(d, d.Results, spec); t != nil {
		v.Tables = append(v.Tables, &t.Table)
	}
	if c := models(d, rows[1:], across, ""); c != nil {
		v.Charts = append(v.Charts, c)
	}
	return v
}

// models draws the models that were measured under the most common settings: one metric over the loads, or throughput
// against TTFT. It is nil if there are too few or too many models, or id is not among them.
func models(d *dataset.Selection, settings []string, across, id string) *report.Chart {
	rs, held := stratum(d, settings, "model", id)
	if n := len(d.Values(rs, "model")); n < fewestModels || n > mostNamedDots {
		return nil
	}
	s := plot.Spec{Kind: "bars", Series: across, Sort: "-value"}
	x, y := "ttft_mean", "output_throughput"
	var title locale.Text
	if of := d.Of(rs); across == "" && has(of, x) && has(of, y) {
		s = plot.Spec{Kind: "scatter", X: x, Y: y}
		title = locale.T("view.against", locale.MetricName(y), locale.Inside(locale.MetricName(x)))
	} else if metrics := Measured(of, 1); len(metrics) > 0 {
		s.Value = metrics[0]
		title = locale.T("view.of-models", locale.MetricName(s.Value))
	}
	return Chart(d.Of(rs), s, title, held)
}

// standing draws a model among its family, at the label value with the most measured models.
func standing(d *dataset.Selection, label, id string) *report.Chart {
	settings := []string{}
	if label != "" {
		settings = append(settings, label)
	}
	rows, ok := condition.Apart(d, d.Results, append([]string{"model"}, settings...), "")
	if !ok {
		return nil
	}
	return models(d, rows[1:], "", id)
}

// sweepOf draws the throughput of a model over its concurrency, with the other models measured under the same settings.
// It is nil if there is no sweep.
func sweepOf(d *dataset.Selection, id string) *report.Chart {
	const over, y = "max_concurrency", "output_throughput"
	steps := func(r *result.Result) bool {
		_, number := strconv.Atoi(r.Label(over))
		_, measured := r.Metric(y)
		return number == nil && measured
	}
	rs := slices.DeleteFunc(slices.Clone(d.Results), func(r *result.Result) bool { return !steps(r) })
	if len(d.Values(dataset.WithLabel(rs, "model", id), over)) < fewestSteps {
		return nil
	}
	// A load that is named by its concurrency is not a setting of its own.
	rows, ok := condition.Apart(d.Of(rs), rs, []string{"model", over}, "")
	if !ok {
		return nil
	}
	rs, held := stratum(d.Of(rs), rows[2:], over, id)
	if len(d.Values(dataset.WithLabel(rs, "model", id), over)) < fewestSteps || len(d.Values(rs, "model")) > mostNamedDots {
		return nil
	}
	return Chart(d.Of(rs), plot.Spec{Kind: "lines", Y: y, Over: over},
		locale.T("view.over", locale.MetricName(y), locale.Inside(locale.LabelName(over))), held)
}

// against returns a table that compares a model with its base under each setting in which the model was measured. It
// shows the ratio to the base under the same settings.
func against(d *dataset.Selection, label, base, id string) *builder.Table {
	if len(dataset.WithLabel(d.Results, "model", id)) == 0 || len(d.Values(d.Results, "model")) < 2 {
		return nil
	}
	first := []string{}
	if label != "" {
		first = append(first, label)
	}
	rows, ok := condition.Apart(d, d.Results, append(first, "model"), "")
	if !ok {
		return nil
	}
	// The model is the last label, so that compared rows are adjacent.
	rows = append(slices.DeleteFunc(rows, func(name string) bool { return name == "model" }), "model")
	// Leave out settings in which only the other models were measured.
	var rs []*result.Result
	for _, g := range d.Groups(d.Results, rows[:len(rows)-1]) {
		if len(dataset.WithLabel(g.Runs, "model", id)) > 0 {
			rs = append(rs, g.Runs...)
		}
	}
	slices.SortFunc(rs, result.Compare)
	metrics := Measured(d.Of(rs), 3)
	if len(metrics) == 0 || len(d.Values(rs, "model")) < 2 {
		return nil
	}
	unmarked := false // the best value of several loads has no meaning
	s := table.Spec{Rows: rows, Columns: metrics, Best: &unmarked, Matched: true}
	if len(dataset.WithLabel(rs, "model", base)) > 0 {
		s.Baseline, s.Change = "{model="+result.Quote(base)+"}", "ratio"
	}
	return Table(d, rs, s)
}

// Table returns a finished table of a view. It is nil if the table cannot be made or is too long to compare. The page
// lists the runs anyway.
func Table(d *dataset.Selection, rs []*result.Result, s table.Spec) *builder.Table {
	t, err := table.Summarize(d, rs, s)
	if err != nil || len(t.Rows) > MostRows {
		return nil
	}
	t.Finish(d, result.Position{})
	return t
}

// Chart returns a finished chart of a view. held describes the settings that all its runs share. It is nil if the chart
// cannot be made.
func Chart(d *dataset.Selection, s plot.Spec, title, held locale.Text) *report.Chart {
	c, err := plot.Chart(d, s)
	if err != nil || len(c.Series) == 0 {
		return nil
	}
	c.Title, c.Subtitle = title, held
	shown, _ := c.Finish(d, result.Position{})
	return shown
}

// Measured returns the first metrics of a view that any result has, at most most.
func Measured(d *dataset.Selection, most int) []string {
	var names []string
	for _, name := range vocabulary.Listed(vocabulary.View) {
		if len(names) < most && has(d, name) {
			names = append(names, name)
		}
	}
	return names
}

func has(d *dataset.Selection, metric string) bool { return dataset.AnyHas(d.Results, metric) }

// stratum groups results by settings. It returns the group with the most values of a label and describes its settings.
// If model is not "", the group must have runs of that model.
func stratum(d *dataset.Selection, settings []string, label, model string) ([]*result.Result, locale.Text) {
	if len(settings) == 0 {
		return d.Results, locale.Text{}
	}
	of := func(g dataset.Group) bool { return model == "" || len(dataset.WithLabel(g.Runs, "model", model)) > 0 }
	most, ok := condition.Stratum(d, d.Results, settings, label, of)
	if !ok {
		return nil, locale.Text{}
	}
	var held []locale.Text
	for i, name := range settings {
		if v := most.Values[i]; v != "" {
			held = append(held, d.Held(name, v))
		}
	}
	return most.Runs, locale.Join(" · ", held...)
}

// Shared describes the values of labels, which all results share.
func Shared(d *dataset.Selection, labels []string) locale.Text {
	var held []locale.Text
	for _, name := range labels {
		if v := d.Results[0].Label(name); v != "" {
			held = append(held, d.Held(name, v))
		}
	}
	return locale.Join(" · ", held...)
}
