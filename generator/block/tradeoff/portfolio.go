package tradeoff

import (
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// Portfolio holds the variants of a tradeoff with their sizes and verdicts.
type Portfolio struct {
	*dataset.Field
	Size     string
	sizes    []float64   // by variant, in plain units; 0 if unknown
	tasks    []string    // tasks of the evaluations of the variants
	Verdicts [][]verdict // by load, then variant

	// Rivals reports whether one variant can outdo another. If it is nil, all pairs are rivals, except those known to
	// be of different base models.
	Rivals func(a, b int) bool
}

// verdict is the role of a variant at one load, and the rule that gave it.
type verdict struct {
	Rule string // "" when there is none
	By   int    // the variant that outdoes it
	on   bool   // on the Pareto frontier of size and speed: no rival outdoes it beyond noise
	held bool   // there is a sound baseline to compare with
	dataset.Figure
}

// Weigh computes the verdicts for every load. Smaller sizes are better; the deciding metric defines which speeds are
// better. The first rule that applies gives the verdict:
//
//	aside      a check excludes its runs
//	dominated  a rival, not of another base model, is smaller and no slower, or
//	           has the same size and is faster by more than noise, and is not
//	           worse in any other measured metric
//	fastest    no sound variant is shown to be faster
//	size-only  on the size–speed frontier, but slower than the baseline by more
//	           than noise
//	balance    on the frontier
func (p *Portfolio) Weigh() {
	p.sizes, p.tasks = p.measure(), Tasks(p.Selection)
	if p.Rivals == nil {
		p.Rivals = p.rivals()
	}
	for _, load := range p.Loads {
		sound, excluded := p.Readings(load, p.Decides(load))
		out := make([]verdict, len(p.Variants))
		for _, s := range excluded {
			out[s.Variant] = verdict{Rule: "aside", Figure: s.Figure}
		}
		sound = slices.DeleteFunc(sound, func(s dataset.Reading) bool { return p.sizes[s.Variant] == 0 })
		order := dataset.Ranked(sound) // the order by speed
		for i, s := range sound {
			dir := s.Metric.Better
			v := verdict{Rule: "balance", By: -1, Figure: s.Figure}
			v.held = slices.ContainsFunc(sound, func(o dataset.Reading) bool { return o.Variant == p.Base })
			by := p.outdone(load, sound, i)
			v.on = by < 0
			switch {
			case by >= 0:
				v.Rule, v.By = "dominated", sound[by].Variant
			case !slices.ContainsFunc(order, func(o dataset.Reading) bool {
				return dataset.Better(dir, o.Metric.Value, s.Metric.Value) && !p.Selection.Alike(o.Figure, s.Figure)
			}):
				v.Rule = "fastest"
			case p.slower(sound, s):
				v.Rule = "size-only"
			}
			out[s.Variant] = v
		}
		p.Verdicts = append(p.Verdicts, out)
	}
}

// rivals returns the default of Rivals: any two variants are rivals, except those of different base models. That a
// smaller model is faster than another model is expected.
func (p *Portfolio) rivals() func(a, b int) bool {
	bases := audit.Bases(p.Runs)
	of := func(i int) string { return bases[p.Variants[i].Runs[0].Label("model")] }
	return func(a, b int) bool { return of(a) == "" || of(b) == "" || of(a) == of(b) }
}

// measure returns the sizes of the variants, 0 if unknown. Sizes in units of bytes are compared as bytes, parameters as
// numbers. Others must all have the same unit.
func (p *Portfolio) measure() []float64 {
	read := audit.Quantity
	if p.Size == "params" || p.Size == "active_params" {
		read = audit.Parameters
	}
	sizes := make([]float64, len(p.Variants))
	units := map[string]bool{}
	plain := true
	for i, g := range p.Variants {
		v := g.Runs[0].Label(p.Size)
		var ok bool
		sizes[i], ok = read(v)
		plain = plain && (ok || v == "")
		if _, _, unit, ok := dataset.Number(v); ok {
			units[unit] = true
		}
	}
	if plain {
		return sizes
	}
	for i, g := range p.Variants {
		sizes[i] = 0
		if v, _, _, ok := dataset.Number(g.Runs[0].Label(p.Size)); ok && len(units) == 1 {
			sizes[i] = v
		}
	}
	return sizes
}

// outdone returns the index of the fastest rival that outdoes reading i, −1 if there is none. The rival is smaller and
// no slower, or has the same size and is faster by more than noise, and it is not worse in any other metric.
func (p *Portfolio) outdone(load string, ss []dataset.Reading, i int) int {
	best := -1
	a := ss[i]
	dir := a.Metric.Better
	margin := a.Metric.Value * (1 + p.Selection.Thresholds().Noise)
	if dir == result.Lower {
		margin = a.Metric.Value * (1 - p.Selection.Thresholds().Noise)
	}
	for j, b := range ss {
		if best >= 0 && !dataset.Better(dir, b.Metric.Value, ss[best].Metric.Value) || !p.Rivals(a.Variant, b.Variant) {
			continue
		}
		smaller := p.sizes[b.Variant] < p.sizes[a.Variant] && !dataset.Better(dir, a.Metric.Value, b.Metric.Value)
		faster := p.sizes[b.Variant] == p.sizes[a.Variant] && dataset.Better(dir, b.Metric.Value, margin) && !p.Selection.Alike(a.Figure, b.Figure)
		if (smaller || faster) && len(p.ahead(load, a.Variant, b.Variant)) == 0 {
			best = j
		}
	}
	return best
}

// besides lists the metrics that are weighed in addition to the size, the deciding metric of the load, and quality.
var besides = []string{"ttft_mean", "energy_per_output_token", "cost_per_million_output_tokens"}

// merit is a metric in which one variant is better than another.
type merit struct {
	metric, task string // task is set only for a quality
	a, b         dataset.Figure
}

// ahead returns the metrics in which variant a is better than b at a load, not counting the size and the deciding
// metric. A difference must exceed noise; for a quality it must exceed two standard errors.
func (p *Portfolio) ahead(load string, a, b int) []merit {
	var out []merit
	for _, metric := range besides {
		x, ok := dataset.FigureOf(p.At(p.Variants[a], load), metric)
		y, both := dataset.FigureOf(p.At(p.Variants[b], load), metric)
		if ok && both && metric != p.Decides(load) && x.Holds() && y.Holds() &&
			dataset.Better(x.Metric.Better, x.Metric.Value, y.Metric.Value) && !p.Selection.Alike(x, y) {
			out = append(out, merit{metric, "", x, y})
		}
	}
	for _, task := range p.tasks {
		x, ok := Quality(p.Field, a, task)
		y, both := Quality(p.Field, b, task)
		if ok && both && x.Holds() && y.Holds() && dataset.ScoresHigher(x, y, p.Selection.Thresholds().Noise) {
			out = append(out, merit{"quality", task, x, y})
		}
	}
	return out
}

// slower reports whether a reading is slower than that of the baseline beyond
// noise.
func (p *Portfolio) slower(ss []dataset.Reading, a dataset.Reading) bool {
	for _, b := range ss {
		if b.Variant == p.Base {
			return dataset.Better(a.Metric.Better, b.Metric.Value, a.Metric.Value) && !p.Selection.Alike(a.Figure, b.Figure)
		}
	}
	return false
}

// column returns a column with a cell for every variant. A cell is missing if ok is false.
func (p *Portfolio) column(c report.Column, cell func(i int) (report.Cell, bool)) builder.Extra {
	e := builder.Extra{Column: c, Cells: make([]report.Cell, len(p.Variants))}
	for i := range p.Variants {
		made, ok := cell(i)
		if !ok {
			made = report.Cell{Missing: true}
		}
		e.Cells[i] = made
	}
	return e
}

// bits returns the column of bits per parameter: the size of the weights divided by the number of parameters.
func (p *Portfolio) bits() builder.Extra {
	return p.column(report.Column{Title: locale.T("tradeoff.bits"), Align: report.Right}, func(i int) (report.Cell, bool) {
		r := p.Variants[i].Runs[0]
		size, ok := audit.Quantity(r.Label(p.Size))
		params, known := audit.Parameters(r.Label("params"))
		if !ok || !known {
			return report.Cell{}, false
		}
		v := 8 * size / params
		return report.Cell{Text: locale.Lit(strconv.FormatFloat(v, 'f', 1, 64)), Value: v, Numeric: true}, true
	})
}

// mbu returns the column of the memory bandwidth utilization of a single stream.
func (p *Portfolio) mbu() builder.Extra {
	h := builder.Header(p.Selection, p.Runs, builder.Heading{Name: "mbu"}, "", nil)
	h.Title, h.Better = locale.T("tradeoff.mbu"), result.Neutral // being near the limit is not better
	return p.column(h, func(i int) (report.Cell, bool) {
		for _, load := range p.Loads {
			if f, ok := dataset.FigureOf(p.At(p.Variants[i], load), "mbu"); ok && p.Alone(load) {
				return report.Cell{Text: locale.Lit(strconv.FormatFloat(f.Metric.Value, 'f', 0, 64)), Value: f.Metric.Value, Numeric: true, Run: f.Runs[0].ID, Others: builder.Besides(f.Runs),
					Field: f.Metric.Field, Excluded: f.Excluded()}, true
			}
		}
		return report.Cell{}, false
	})
}

// memory returns the column of the largest memory use over all loads.
func (p *Portfolio) memory() builder.Extra {
	return p.column(report.Column{Title: locale.MetricName("memory_used_max"), Unit: "B", Align: report.Right, Metric: "memory_used_max", Better: result.Lower}, func(i int) (report.Cell, bool) {
		var most dataset.Figure
		for _, load := range p.Loads {
			if f, ok := dataset.FigureOf(p.At(p.Variants[i], load), "memory_used_max"); ok && f.Metric.Value > most.Metric.Value {
				most = f
			}
		}
		if most.Runs == nil {
			return report.Cell{}, false
		}
		return report.Cell{Text: locale.Lit(most.Metric.Digits()), Value: most.Metric.Value, Numeric: true, Run: most.Runs[0].ID, Others: builder.Besides(most.Runs), Excluded: most.Excluded()}, true
	})
}

// mostTasks is the number of tasks up to which each has a column.
const mostTasks = 6

// qualities returns a column for each task of the evaluations, with the standard error if it is reported.
func (p *Portfolio) qualities() []builder.Extra {
	evaluations, _ := evaluations(p.Selection)
	tasks := p.tasks
	if len(tasks) > mostTasks { // a group represents its members: mmlu for mmlu_anatomy
		all := tasks
		tasks = slices.DeleteFunc(slices.Clone(all), func(task string) bool {
			return slices.ContainsFunc(all, func(group string) bool { return strings.HasPrefix(task, group+"_") })
		})
	}
	var out []builder.Extra
	for _, task := range tasks {
		h := builder.Header(p.Selection, evaluations, builder.Heading{Name: "quality"}, "", nil)
		if task != "" {
			h.Group, h.Title = h.Title, p.Selection.Title("task", task)
		}
		out = append(out, p.column(h, func(i int) (report.Cell, bool) {
			f, ok := Quality(p.Field, i, task)
			if !ok {
				return report.Cell{}, false
			}
			text := f.Metric.Digits()
			if e, ok := dataset.FigureOf(f.Runs, "quality_stderr"); ok {
				text += " ± " + e.Metric.Digits()
			}
			return report.Cell{Text: locale.Lit(text), Value: f.Metric.Value, Numeric: true, Run: f.Runs[0].ID, Others: builder.Besides(f.Runs), Field: f.Metric.Field,
				Source: f.Runs[0].At(f.Metric), Excluded: f.Excluded()}, true
		}))
	}
	return out
}

// evaluations returns the results that have a quality, and their tasks in order.
func evaluations(d *dataset.Selection) (of []*result.Result, tasks []string) {
	of = d.Measuring("quality")
	return of, d.Values(of, "task")
}

// Tasks returns the tasks of the evaluations of variants. A task without a name is "". It returns none if there are no
// evaluations.
func Tasks(d *dataset.Selection) []string {
	of, tasks := evaluations(d)
	if len(of) > 0 && len(tasks) == 0 {
		return []string{""}
	}
	return tasks
}

// Quality returns the score of a variant in a task. If task is "", it uses all evaluations of the variant. It is false
// if these are not repeats of each other.
func Quality(f *dataset.Field, i int, task string) (dataset.Figure, bool) {
	rs := f.Selection.With(f.Rows, f.Variants[i].Values[0])
	if task != "" {
		rs = dataset.WithLabel(rs, "task", task)
	}
	if dataset.Repeats(rs, "") != nil {
		return dataset.Figure{Metric: result.NoMetric}, false // several filters or versions have no single score
	}
	return dataset.FigureOf(rs, "quality")
}

// verdicts returns the column of the verdicts at one load.
func (p *Portfolio) verdicts(l int) builder.Extra {
	c := report.Column{Group: locale.T("tradeoff.verdict"), Title: p.Selection.Title(p.Load, p.Loads[l])}
	return p.column(c, func(i int) (report.Cell, bool) {
		v := p.Verdicts[l][i]
		if v.Rule == "" {
			return report.Cell{}, false
		}
		cell := report.Cell{Text: locale.T("tradeoff." + v.Rule), Rule: "tradeoff." + v.Rule, Why: locale.T("tradeoff." + v.Rule + ".why")}
		if v.Rule == "balance" && !v.held {
			cell.Why = locale.T("tradeoff.balance.alone")
		}
		if v.Rule == "dominated" {
			cell.Text = locale.T("tradeoff.dominated", p.Name(v.By))
			cell.Why = locale.T("tradeoff.dominated.why", builder.Plain(p.Selection.Thresholds().Noise))
		}
		if v.on {
			cell.Text = locale.Join(" ", locale.Lit(builder.FrontierMark), cell.Text)
		}
		return cell, true
	})
}

// scale returns the size and the speed of a variant as text.
func (p *Portfolio) scale(i int, f dataset.Figure) locale.Text {
	return locale.T("tradeoff.scale", p.Selection.Title(p.Size, p.Variants[i].Runs[0].Label(p.Size)), f.Text())
}

// suits returns the column of the role of each variant over all loads. The first rule that applies gives the role:
//
//	aside      a check excludes its runs at some load: measure again
//	reference  the baseline, which others are compared with, outdone or not
//	first      the fastest at some load
//	none       outdone wherever it was measured
//	size       on a frontier only because of its size, slower than the baseline
//	smallest   the smallest variant on a frontier for more than its size:
//	           for use where memory is short
//	middle     otherwise on a frontier
func (p *Portfolio) suits() builder.Extra {
	smallest := 0.0
	for _, verdicts := range p.Verdicts {
		for i, v := range verdicts {
			if v.on && v.Rule != "size-only" && (smallest == 0 || p.sizes[i] < smallest) {
				smallest = p.sizes[i]
			}
		}
	}
	return p.column(report.Column{Title: locale.T("tradeoff.suits")}, func(i int) (report.Cell, bool) {
		var first, judged []locale.Text
		outdone := 0
		excluded, on, small := false, false, true
		for l, load := range p.Loads {
			v := p.Verdicts[l][i]
			title := p.LoadName(load)
			switch v.Rule {
			case "":
				continue
			case "aside":
				excluded = true
			case "fastest":
				first = append(first, title)
			case "dominated":
				outdone++
			}
			judged = append(judged, title)
			on = on || v.on
			small = small && (v.Rule == "size-only" || v.Rule == "dominated")
		}
		rule := ""
		var text locale.Text
		switch {
		case len(judged) == 0:
			return report.Cell{}, false
		case excluded:
			rule, text = "suits-aside", locale.T("tradeoff.suits-aside")
		case i == p.Base:
			rule, text = "suits-reference", locale.T("tradeoff.suits-reference")
		case len(first) > 0 && on && p.sizes[i] == smallest:
			rule, text = "suits-first", locale.T("tradeoff.suits-first-smallest", locale.List(first...))
		case len(first) > 0:
			rule, text = "suits-first", locale.T("tradeoff.suits-first", locale.List(first...))
		case outdone == len(judged):
			rule, text = "suits-none", locale.T("tradeoff.suits-none")
		case small:
			rule, text = "suits-size", locale.T("tradeoff.suits-size")
		case on && p.sizes[i] == smallest:
			rule, text = "suits-smallest", locale.T("tradeoff.suits-smallest")
		default:
			rule, text = "suits-middle", locale.T("tradeoff.suits-middle")
		}
		return report.Cell{Text: text, Rule: "tradeoff." + rule, Why: locale.T("tradeoff." + rule + ".why")}, true
	})
}

// Names joins the names of variants.
func (p *Portfolio) Names(variants []int) locale.Text {
	var names []locale.Text
	for _, i := range variants {
		names = append(names, p.Name(i))
	}
	return locale.List(names...)
}
