package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// View is what there is to say of some runs when no author has asked for
// anything. It is made of the blocks that a post has, so that the same rules
// hold for it.
type View struct {
	Title  locale.Text // may be empty
	Charts []*Chart
	Tables []*Table
}

// viewSettings are the labels in which runs of a model may differ, the most telling
// first.
var viewSettings = []string{
	"hardware", "accelerators", "parallelism", "power_mode", "clocks", "engine", "engine_version",
	"load", "scenario", "max_concurrency", "request_rate", "num_prompts", "dataset", "input_len",
	"output_len", "batch_size", "context_depth", "prefix_caching",
}

// What a reader can still compare.
const (
	mostRows      = 60 // of a table
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
func (d *Data) OfLoad(label, value string, links map[string]string) []View {
	rs := having(d.index.lookup(d.Results, label, value), "model")
	machines := d.groups(rs, []string{"hardware"})
	if len(machines) > mostMachines {
		return nil
	}
	var out []View
	for _, g := range machines {
		v := d.viewed(g.runs, links).sideBySide("")
		if len(machines) > 1 && g.values[0] != "" {
			v.Title = d.title("hardware", g.values[0])
		}
		out = append(out, v)
	}
	return filled(out)
}

// OfHardware gives what there is to see of the runs on a machine: the models
// side by side, at each load, in each scenario, and without either.
func (d *Data) OfHardware(id string, links map[string]string) []View {
	rs := having(d.index.lookup(d.Results, "hardware", id), "model")
	var out []View
	for _, label := range []string{"load", "scenario"} {
		if of := having(rs, label); len(of) > 0 {
			v := d.viewed(of, links).sideBySide(label)
			v.Title = locale.T("view.by", locale.Inside(locale.LabelName(label)))
			out = append(out, v)
		}
	}
	rest := slices.DeleteFunc(rs, func(r *result.Result) bool { return r.Label("load") != "" || r.Label("scenario") != "" })
	if len(rest) > 0 {
		v := d.viewed(rest, links).sideBySide("")
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
func (d *Data) OfModel(id string, family []string, links map[string]string) []View {
	var all []*result.Result
	for _, m := range family {
		all = append(all, d.index.lookup(d.Results, "model", m)...)
	}
	slices.SortFunc(all, result.Compare)
	var out []View
	if c := d.of(all).sweepOf(id); c != nil {
		out = append(out, View{Charts: []*Chart{c}})
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
		v := View{Title: locale.T("view.others")}
		if label != "" {
			v.Title = locale.T("view.by", locale.Inside(locale.LabelName(label)))
		}
		if c := d.of(keep(all)).standing(label, id); c != nil {
			v.Charts = append(v.Charts, c)
		}
		if t := d.viewed(keep(compared), links).against(label, family[0], id); t != nil {
			v.Tables = append(v.Tables, t)
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
func (d *Data) viewed(rs []*result.Result, links map[string]string) *Data {
	of := d.of(rs)
	of.Links = links
	return of
}

// filled leaves out views that show nothing.
func filled(vs []View) []View {
	return slices.DeleteFunc(vs, func(v View) bool { return len(v.Charts)+len(v.Tables) == 0 })
}

// sideBySide compares the models of all results, with their figures repeated
// over the values of a label, and draws those that were measured alike.
func (d *Data) sideBySide(over string) (v View) {
	across := over
	if over == "" || len(d.values(d.Results, over)) > mostSplit {
		across = ""
	}
	rows := []string{"model"}
	if over != "" && across == "" {
		rows = append(rows, over)
	}
	rows, ok := d.apart(d.Results, rows, across)
	if !ok {
		return v
	}
	metrics := d.measured(4)
	if across != "" {
		metrics = metrics[:min(2, len(metrics))]
	}
	if len(metrics) == 0 {
		return v
	}
	spec := tableSpec{Rows: rows, Columns: metrics, Split: across}
	if x, y := "ttft_mean", "output_throughput"; across == "" && len(rows) == 1 && d.has(x) && d.has(y) {
		spec.Pareto = []string{y, x}
	}
	if t := d.viewTable(d.summarize(d.Results, spec)); t != nil {
		v.Tables = append(v.Tables, t)
	}
	if c := d.models(rows[1:], across, ""); c != nil {
		v.Charts = append(v.Charts, c)
	}
	return v
}

// models draws the models that were measured under the same settings, those
// under which most were: one metric over the loads, or throughput against the
// wait for it. It is nil when they are too few, or id is not among them.
func (d *Data) models(settings []string, across, id string) *Chart {
	rs, held := d.stratum(settings, "model", id)
	if n := len(d.values(rs, "model")); n < fewestModels || n > mostNamedDots {
		return nil
	}
	s := chartSpec{Kind: "bars", Series: across, Sort: "-value"}
	x, y := "ttft_mean", "output_throughput"
	var title locale.Text
	if of := d.of(rs); across == "" && of.has(x) && of.has(y) {
		s = chartSpec{Kind: "scatter", X: x, Y: y}
		title = locale.T("view.against", locale.MetricName(y), locale.Inside(locale.MetricName(x)))
	} else if metrics := of.measured(1); len(metrics) > 0 {
		s.Value = metrics[0]
		title = locale.T("view.of-models", locale.MetricName(s.Value))
	}
	return d.of(rs).viewChart(s, title, held)
}

// standing draws a model among its family, at the value of a label at which
// most of it were measured.
func (d *Data) standing(label, id string) *Chart {
	settings := []string{}
	if label != "" {
		settings = append(settings, label)
	}
	rows, ok := d.apart(d.Results, append([]string{"model"}, settings...), "")
	if !ok {
		return nil
	}
	return d.models(rows[1:], "", id)
}

// sweepOf draws the throughput of a model over its concurrency, with the others
// that were measured under the same settings; nil when there is no sweep.
func (d *Data) sweepOf(id string) *Chart {
	const over, y = "max_concurrency", "output_throughput"
	steps := func(r *result.Result) bool {
		_, number := strconv.Atoi(r.Label(over))
		_, measured := r.Metric(y)
		return number == nil && measured
	}
	rs := slices.DeleteFunc(slices.Clone(d.Results), func(r *result.Result) bool { return !steps(r) })
	if len(d.values(withLabel(rs, "model", id), over)) < fewestSteps {
		return nil
	}
	// A load that is named by its concurrency is no setting beside it.
	rows, ok := d.of(rs).apart(rs, []string{"model", over}, "")
	if !ok {
		return nil
	}
	rs, held := d.of(rs).stratum(rows[2:], over, id)
	if len(d.values(withLabel(rs, "model", id), over)) < fewestSteps || len(d.values(rs, "model")) > mostNamedDots {
		return nil
	}
	return d.of(rs).viewChart(chartSpec{Kind: "lines", Y: y, Over: over},
		locale.T("view.over", locale.MetricName(y), locale.Inside(locale.LabelName(over))), held)
}

// against sets a model beside its base, under each of the settings in which it
// was measured, with the ratio to the base measured alike.
func (d *Data) against(label, base, id string) *Table {
	if len(withLabel(d.Results, "model", id)) == 0 || len(d.values(d.Results, "model")) < 2 {
		return nil
	}
	first := []string{}
	if label != "" {
		first = append(first, label)
	}
	rows, ok := d.apart(d.Results, append(first, "model"), "")
	if !ok {
		return nil
	}
	// The model stands last, so that what is compared stands together.
	rows = append(slices.DeleteFunc(rows, func(name string) bool { return name == "model" }), "model")
	// A setting in which only the others were measured says nothing of this one.
	var rs []*result.Result
	for _, g := range d.groups(d.Results, rows[:len(rows)-1]) {
		if len(withLabel(g.runs, "model", id)) > 0 {
			rs = append(rs, g.runs...)
		}
	}
	slices.SortFunc(rs, result.Compare)
	metrics := d.of(rs).measured(3)
	if len(metrics) == 0 || len(d.values(rs, "model")) < 2 {
		return nil
	}
	unmarked := false // the best of several loads says nothing
	s := tableSpec{Rows: rows, Columns: metrics, Best: &unmarked, matched: true}
	if len(withLabel(rs, "model", base)) > 0 {
		s.Baseline, s.Change = fmt.Sprintf("{model=%s}", strconv.Quote(base)), "ratio"
	}
	return d.viewTable(d.summarize(rs, s))
}

// viewTable completes a table of a view. One that cannot be made, or is too
// long to be compared, is left out: the runs are listed all the same.
func (d *Data) viewTable(t *Table, err error) *Table {
	if err != nil || len(t.Rows) > mostRows {
		return nil
	}
	d.complete(Block{Table: t}, result.Position{})
	return t
}

// viewChart makes a chart of a view under settings that all its runs share.
func (d *Data) viewChart(s chartSpec, title, held locale.Text) *Chart {
	c, err := d.chart(s)
	if err != nil || len(c.Series) == 0 {
		return nil
	}
	c.Title, c.Subtitle = title, held
	d.complete(Block{Chart: c}, result.Position{})
	return c
}

// measured gives the first metrics of a view that any result has.
func (d *Data) measured(most int) []string {
	var names []string
	for _, name := range vocabulary.Listed(vocabulary.View) {
		if len(names) < most && d.has(name) {
			names = append(names, name)
		}
	}
	return names
}

func (d *Data) has(metric string) bool { return anyHas(d.Results, metric) }

// apart adds to the labels that make rows those that it takes to tell the runs
// of a row apart. It is false when that takes too many labels or rows.
func (d *Data) apart(rs []*result.Result, rows []string, across string) ([]string, bool) {
	for extra := 0; ; extra++ {
		by := rows
		if across != "" {
			by = append(slices.Clone(rows), across)
		}
		gs := d.groups(rs, by)
		if len(gs) > mostRows*mostSplit {
			return nil, false
		}
		name := ""
		for _, g := range gs {
			if setting := unsettled(g.runs); setting != "" && (name == "" || rankSetting(setting) < rankSetting(name)) {
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
	}
}

// unsettled gives the most telling label that results differ in which are no
// repeats, "" when all are.
func unsettled(rs []*result.Result) string {
	best := ""
	for _, kind := range kinds(rs) {
		for _, name := range differing(kind) {
			if best == "" || rankSetting(name) < rankSetting(best) {
				best = name
			}
		}
	}
	return best
}

func rankSetting(name string) int { return rank(viewSettings, name) }

// stratum gives, of results that differ in settings, those of the combination
// with the most values of a label, and words for the combination. Only one that
// has runs of a model counts, unless that is "".
func (d *Data) stratum(settings []string, label, model string) ([]*result.Result, locale.Text) {
	if len(settings) == 0 {
		return d.Results, locale.Text{}
	}
	gs := slices.DeleteFunc(d.groups(d.Results, settings), func(g group) bool {
		return model != "" && len(withLabel(g.runs, "model", model)) == 0
	})
	if len(gs) == 0 {
		return nil, locale.Text{}
	}
	most := slices.MaxFunc(gs, func(a, b group) int {
		return cmp.Or(cmp.Compare(len(d.values(a.runs, label)), len(d.values(b.runs, label))), cmp.Compare(len(a.runs), len(b.runs)))
	})
	var held []locale.Text
	for i, name := range settings {
		if v := most.values[i]; v != "" {
			held = append(held, d.held(name, v))
		}
	}
	return most.runs, locale.Join(" · ", held...)
}

// conditions names the values of labels that all results share.
func (d *Data) conditions(labels []string) locale.Text {
	var held []locale.Text
	for _, name := range labels {
		if v := d.Results[0].Label(name); v != "" {
			held = append(held, d.held(name, v))
		}
	}
	return locale.Join(" · ", held...)
}
