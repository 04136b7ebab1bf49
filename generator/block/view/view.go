// Package view chooses the tables and charts that pages of machines, models and
// loads show when no author has asked for any.
package view

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/block/plot"
	"github.com/benchpost/benchpost/generator/block/table"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// ViewSettings are the labels in which runs of a model may differ, the most telling
// first.
var ViewSettings = []string{
	"hardware", "accelerators", "parallelism", "power_mode", "clocks", "engine", "engine_version",
	"load", "scenario", "max_concurrency", "request_rate", "num_prompts", "dataset", "input_len",
	"output_len", "batch_size", "context_depth", "prefix_caching",
}

// What a reader can still compare.
const (
	MostRows      = 60 // of a table
	mostExtra     = 4  // labels that tell the runs of a model apart
	mostSplit     = 4  // groups of columns
	mostNamedDots = 40 // models in a chart
	mostMachines  = 8  // with a part of their own
	fewestModels  = 3  // that a chart is drawn of
	fewestSteps   = 3  // of a sweep that a line is drawn through
)

// OfLoad gives what there is to see of the runs whose label, load or scenario,
// has a value: the models side by side, on each machine. Links are where the
// models' names lead.
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

// OfHardware gives what there is to see of the runs on a machine: the models
// side by side, at each load, in each scenario, and without either.
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

// OfModel gives what there is to see of a model's runs beside those of its
// family: the base, which comes first, and what was made of it. A model that
// is its own base is compared with all of them, another with its base.
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

// viewed gives the data of a view.
func viewed(d *dataset.Selection, rs []*result.Result, links map[string]string) *dataset.Selection {
	of := d.Of(rs)
	of.Links = links
	return of
}

// filled leaves out views that show nothing.
func filled(vs []report.View) []report.View {
	return slices.DeleteFunc(vs, func(v report.View) bool { return len(v.Charts)+len(v.Tables) == 0 })
}

// sideBySide compares the models of all results, with their figures repeated
// over the values of a label, and draws those that were measured alike.
func sideBySide(d *dataset.Selection, over string) (v report.View) {
	across := over
	if over == "" || len(d.Values(d.Results, over)) > mostSplit {
		across = ""
	}
	rows := []string{"model"}
	if over != "" && across == "" {
		rows = append(rows, over)
	}
	rows, ok := Apart(d, d.Results, rows, across)
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
	if unmarked := false; len(rows) > 1 { // the best of several conditions says nothing
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

// models draws the models that were measured under the same settings, those
// under which most were: one metric over the loads, or throughput against the
// wait for it. It is nil when they are too few, or id is not among them.
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

// standing draws a model among its family, at the value of a label at which
// most of it were measured.
func standing(d *dataset.Selection, label, id string) *report.Chart {
	settings := []string{}
	if label != "" {
		settings = append(settings, label)
	}
	rows, ok := Apart(d, d.Results, append([]string{"model"}, settings...), "")
	if !ok {
		return nil
	}
	return models(d, rows[1:], "", id)
}

// sweepOf draws the throughput of a model over its concurrency, with the others
// that were measured under the same settings; nil when there is no sweep.
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
	// A load that is named by its concurrency is no setting beside it.
	rows, ok := Apart(d.Of(rs), rs, []string{"model", over}, "")
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

// against sets a model beside its base, under each of the settings in which it
// was measured, with the ratio to the base measured alike.
func against(d *dataset.Selection, label, base, id string) *builder.Table {
	if len(dataset.WithLabel(d.Results, "model", id)) == 0 || len(d.Values(d.Results, "model")) < 2 {
		return nil
	}
	first := []string{}
	if label != "" {
		first = append(first, label)
	}
	rows, ok := Apart(d, d.Results, append(first, "model"), "")
	if !ok {
		return nil
	}
	// The model stands last, so that what is compared stands together.
	rows = append(slices.DeleteFunc(rows, func(name string) bool { return name == "model" }), "model")
	// A setting in which only the others were measured says nothing of this one.
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
	unmarked := false // the best of several loads says nothing
	s := table.Spec{Rows: rows, Columns: metrics, Best: &unmarked, Matched: true}
	if len(dataset.WithLabel(rs, "model", base)) > 0 {
		s.Baseline, s.Change = "{model="+result.Quote(base)+"}", "ratio"
	}
	return Table(d, rs, s)
}

// Table completes a table of a view. One that cannot be made, or is too
// long to be compared, is left out: the runs are listed all the same.
func Table(d *dataset.Selection, rs []*result.Result, s table.Spec) *builder.Table {
	t, err := table.Summarize(d, rs, s)
	if err != nil || len(t.Rows) > MostRows {
		return nil
	}
	t.Finish(d, result.Position{})
	return t
}

// Chart makes a chart of a view under settings that all its runs share.
func Chart(d *dataset.Selection, s plot.Spec, title, held locale.Text) *report.Chart {
	c, err := plot.Chart(d, s)
	if err != nil || len(c.Series) == 0 {
		return nil
	}
	c.Title, c.Subtitle = title, held
	shown, _ := c.Finish(d, result.Position{})
	return shown
}

// Measured gives the first metrics of a view that any result has.
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

// Apart adds to the labels that make rows those that it takes to tell the runs
// of a row apart, and those in whose values runs differ that are not compared
// with one another unless they agree (Conditions): rows say what was measured
// differently. It is false when that takes too many labels or rows.
func Apart(d *dataset.Selection, rs []*result.Result, rows []string, across string) ([]string, bool) {
	differ := Conditions(rs, append(slices.Clone(rows), across)...)
	for extra := 0; ; extra++ {
		by := rows
		if across != "" {
			by = append(slices.Clone(rows), across)
		}
		gs := d.Groups(rs, by)
		if len(gs) > MostRows*mostSplit {
			return nil, false
		}
		name := ""
		for _, g := range gs {
			if setting := Unsettled(g.Runs); setting != "" && (name == "" || rankSetting(setting) < rankSetting(name)) {
				name = setting
			}
		}
		for _, setting := range differ {
			if !slices.Contains(rows, setting) && (name == "" || rankSetting(setting) < rankSetting(name)) {
				name = setting
			}
		}
		if name == "" {
			return rows, true
		}
		if extra == mostExtra {
			return nil, false
		}
		rows = append(slices.Clone(rows), name)
		differ = Conditions(rs, append(slices.Clone(rows), across)...)
	}
}

// passing are the settings in which runs differ that may be compared: a footnote says so.
var passing = []string{"num_prompts", audit.AnswerLength, "seed", "tool", "tool_version", "driver", "power_scope", "image"}

// Decisive are the settings in which runs have to agree to be compared, but for those.
func Decisive() []string {
	return slices.DeleteFunc(audit.Settings(), func(name string) bool { return slices.Contains(passing, name) })
}

// Conditions returns the decisive settings in which runs differ though no label that is laid
// out explains it: what is said of the runs holds within one value of each.
func Conditions(rs []*result.Result, laid ...string) []string {
	var names []string
	for _, diff := range audit.Differences(rs, laid) {
		if !slices.Contains(passing, diff.Setting) && !slices.Contains(names, diff.Setting) {
			names = append(names, diff.Setting)
		}
	}
	return names
}

// Unsettled gives the most telling label that results differ in which are no
// repeats, "" when all are.
func Unsettled(rs []*result.Result) string {
	best := ""
	for _, kind := range dataset.ByMeasure(rs) {
		for _, name := range dataset.Differing(kind) {
			if best == "" || rankSetting(name) < rankSetting(best) {
				best = name
			}
		}
		if best == "" && dataset.Unlabelled(kind) {
			best = "id"
		}
	}
	return best
}

// rankSetting is the place of a label among those that tell runs apart: the model says more than
// any setting, and explains what was worked out from it.
func rankSetting(name string) int {
	if name == "model" {
		return -1
	}
	return dataset.Rank(ViewSettings, name)
}

// stratum gives, of results that differ in settings, those of the combination
// with the most values of a label, and words for the combination. Only one that
// has runs of a model counts, unless that is "".
func stratum(d *dataset.Selection, settings []string, label, model string) ([]*result.Result, locale.Text) {
	if len(settings) == 0 {
		return d.Results, locale.Text{}
	}
	of := func(g dataset.Group) bool { return model == "" || len(dataset.WithLabel(g.Runs, "model", model)) > 0 }
	most, ok := Stratum(d, d.Results, settings, label, of)
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

// Stratum gives, of results that differ in settings, the group of the combination with
// the most values of a label. It is false when no group fits.
func Stratum(d *dataset.Selection, rs []*result.Result, settings []string, label string, fits func(dataset.Group) bool) (dataset.Group, bool) {
	gs := slices.DeleteFunc(d.Groups(rs, settings), func(g dataset.Group) bool { return !fits(g) })
	if len(gs) == 0 {
		return dataset.Group{}, false
	}
	return slices.MaxFunc(gs, func(a, b dataset.Group) int {
		return cmp.Or(cmp.Compare(len(d.Values(a.Runs, label)), len(d.Values(b.Runs, label))), cmp.Compare(len(a.Runs), len(b.Runs)))
	}), true
}

// Shared names the values of labels that all results share.
func Shared(d *dataset.Selection, labels []string) locale.Text {
	var held []locale.Text
	for _, name := range labels {
		if v := d.Results[0].Label(name); v != "" {
			held = append(held, d.Held(name, v))
		}
	}
	return locale.Join(" · ", held...)
}
