package report

import (
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// portfolio is the variants of a tradeoff with their sizes and what decides.
type portfolio struct {
	*field
	size  string
	sizes []float64   // by variant, in plain units; 0 when not known
	said  [][]verdict // by load, then variant
}

// verdict is what a variant is for at one load, and the rule that says so.
type verdict struct {
	rule string // "" when nothing can be said
	by   int    // the variant that outdoes it
	on   bool   // on the Pareto frontier of size and speed: nothing outdoes it beyond noise
	held bool   // against a sound baseline
	figure
}

// weigh comes to the verdicts of every load. Size is better when smaller,
// speed as the metric says. In order:
//
//	aside      a check set its runs aside
//	dominated  another is smaller and no slower, or as large and faster by
//	           more than noise
//	fastest    no sound variant can be told to be faster
//	size-only  on the size–speed frontier, yet slower than the baseline by more
//	           than noise
//	balance    on the frontier
func (p *portfolio) weigh() {
	p.sizes = p.measure()
	for _, load := range p.loads {
		sound, aside := p.readings(load, p.decides(load))
		out := make([]verdict, len(p.variants))
		for _, s := range aside {
			out[s.variant] = verdict{rule: "aside", figure: s.figure}
		}
		sound = slices.DeleteFunc(sound, func(s reading) bool { return p.sizes[s.variant] == 0 })
		order := ranked(sound) // the fastest is the first that a slower one can be told from
		for i, s := range sound {
			dir := s.metric.Better
			v := verdict{rule: "balance", by: -1, figure: s.figure}
			v.held = slices.ContainsFunc(sound, func(o reading) bool { return o.variant == p.base })
			by := p.outdone(sound, i)
			v.on = by < 0
			switch {
			case by >= 0:
				v.rule, v.by = "dominated", sound[by].variant
			case !slices.ContainsFunc(order, func(o reading) bool {
				return better(dir, o.metric.Value, s.metric.Value) && !p.d.alike(o.figure, s.figure)
			}):
				v.rule = "fastest"
			case p.slower(sound, s):
				v.rule = "size-only"
			}
			out[s.variant] = v
		}
		p.said = append(p.said, out)
	}
}

// measure gives the sizes of the variants, 0 where one is not known. Those in
// units of bytes are compared as bytes, parameters as parameters; any others
// have to be of one unit.
func (p *portfolio) measure() []float64 {
	read := audit.Quantity
	if p.size == "params" || p.size == "active_params" {
		read = audit.Parameters
	}
	sizes := make([]float64, len(p.variants))
	units := map[string]bool{}
	plain := true
	for i, g := range p.variants {
		v := g.runs[0].Label(p.size)
		var ok bool
		sizes[i], ok = read(v)
		plain = plain && (ok || v == "")
		if _, _, unit, ok := labelNumber(v); ok {
			units[unit] = true
		}
	}
	if plain {
		return sizes
	}
	for i, g := range p.variants {
		sizes[i] = 0
		if v, _, _, ok := labelNumber(g.runs[0].Label(p.size)); ok && len(units) == 1 {
			sizes[i] = v
		}
	}
	return sizes
}

// outdone gives the index of the fastest reading that is smaller than reading i
// and no slower, or of the same size and faster by more than noise; −1 when
// there is none.
func (p *portfolio) outdone(ss []reading, i int) int {
	best := -1
	a := ss[i]
	dir := a.metric.Better
	margin := a.metric.Value * (1 + p.d.rules().Noise)
	if dir == result.Lower {
		margin = a.metric.Value * (1 - p.d.rules().Noise)
	}
	for j, b := range ss {
		if best >= 0 && !better(dir, b.metric.Value, ss[best].metric.Value) {
			continue
		}
		smaller := p.sizes[b.variant] < p.sizes[a.variant] && !better(dir, a.metric.Value, b.metric.Value)
		faster := p.sizes[b.variant] == p.sizes[a.variant] && better(dir, b.metric.Value, margin) && !p.d.alike(a.figure, b.figure)
		if smaller || faster {
			best = j
		}
	}
	return best
}

// slower tells whether a reading is slower than that of the baseline beyond
// noise.
func (p *portfolio) slower(ss []reading, a reading) bool {
	for _, b := range ss {
		if b.variant == p.base {
			return better(a.metric.Better, b.metric.Value, a.metric.Value) && !p.d.alike(a.figure, b.figure)
		}
	}
	return false
}

// column makes a cell for every variant; ok is false for a missing one.
func (p *portfolio) column(c Column, cell func(i int) (Cell, bool)) extra {
	e := extra{Column: c}
	for i := range p.variants {
		made, ok := cell(i)
		if !ok {
			made = Cell{Missing: true}
		}
		e.cells = append(e.cells, made)
	}
	return e
}

// bits is the size of the weights over the number of parameters.
func (p *portfolio) bits() extra {
	return p.column(Column{Title: locale.T("tradeoff.bits"), Align: Right}, func(i int) (Cell, bool) {
		r := p.variants[i].runs[0]
		size, ok := audit.Quantity(r.Label(p.size))
		params, known := audit.Parameters(r.Label("params"))
		if !ok || !known {
			return Cell{}, false
		}
		v := 8 * size / params
		return Cell{Text: locale.Lit(strconv.FormatFloat(v, 'f', 1, 64)), Value: v, Numeric: true}, true
	})
}

// mbu is the share of the bandwidth that a single stream uses.
func (p *portfolio) mbu() extra {
	h := p.d.header(p.runs, column{name: "mbu"}, "", nil)
	h.Title, h.Better = locale.T("tradeoff.mbu"), result.Neutral // what is near its limit is no better for it
	return p.column(h, func(i int) (Cell, bool) {
		for _, load := range p.loads {
			if f, ok := figureOf(p.at(p.variants[i], load), "mbu"); ok && p.alone(load) {
				return Cell{Text: locale.Lit(strconv.FormatFloat(f.metric.Value, 'f', 0, 64)), Value: f.metric.Value, Numeric: true, Run: f.runs[0].ID, Others: besides(f.runs),
					Field: f.metric.Field, Excluded: f.excluded()}, true
			}
		}
		return Cell{}, false
	})
}

// memory is the most memory that was in use.
func (p *portfolio) memory() extra {
	return p.column(Column{Title: locale.MetricName("memory_used_max"), Unit: "GB", Align: Right, Metric: "memory_used_max", Better: result.Lower}, func(i int) (Cell, bool) {
		var most figure
		for _, load := range p.loads {
			if f, ok := figureOf(p.at(p.variants[i], load), "memory_used_max"); ok && f.metric.Value > most.metric.Value {
				most = f
			}
		}
		if most.runs == nil {
			return Cell{}, false
		}
		v := most.metric.Value / 1e9
		return Cell{Text: locale.Lit(strconv.FormatFloat(v, 'f', 1, 64)), Value: v, Numeric: true, Run: most.runs[0].ID, Others: besides(most.runs), Excluded: most.excluded()}, true
	})
}

// mostTasks is how many tasks have a column each.
const mostTasks = 6

// qualities is a column for each task that evaluations of the variants have,
// with the standard error where it is told.
func (p *portfolio) qualities() []extra {
	evaluations, tasks := p.d.evaluations()
	if len(evaluations) > 0 && len(tasks) == 0 {
		tasks = []string{""}
	}
	if len(tasks) > mostTasks { // a group stands for its members: mmlu for mmlu_anatomy
		all := tasks
		tasks = slices.DeleteFunc(slices.Clone(all), func(task string) bool {
			return slices.ContainsFunc(all, func(group string) bool { return strings.HasPrefix(task, group+"_") })
		})
	}
	var out []extra
	for _, task := range tasks {
		h := p.d.header(evaluations, column{name: "quality"}, "", nil)
		if task != "" {
			h.Group, h.Title = h.Title, p.d.title("task", task)
		}
		out = append(out, p.column(h, func(i int) (Cell, bool) {
			f, ok := p.quality(i, task)
			if !ok {
				return Cell{}, false
			}
			text := f.metric.Digits()
			if e, ok := figureOf(f.runs, "quality_stderr"); ok {
				text += " ± " + e.metric.Digits()
			}
			return Cell{Text: locale.Lit(text), Value: f.metric.Value, Numeric: true, Run: f.runs[0].ID, Others: besides(f.runs), Field: f.metric.Field,
				Source: f.runs[0].At(f.metric), Excluded: f.excluded()}, true
		}))
	}
	return out
}

// evaluations gives the results that have a quality, and the tasks that they
// measured it by, in order.
func (d *Data) evaluations() (of []*result.Result, tasks []string) {
	for _, r := range d.Results {
		if _, ok := r.Metric("quality"); ok {
			of = append(of, r)
		}
	}
	return of, d.values(of, "task")
}

// quality gives what a variant scored in a task, in whichever when task is "".
func (p *portfolio) quality(i int, task string) (figure, bool) {
	rs := withLabel(p.d.Results, p.rows, p.variants[i].values[0])
	if task != "" {
		rs = withLabel(rs, "task", task)
	}
	return figureOf(rs, "quality")
}

// frontierMark stands before the verdict of a variant that is on the Pareto
// frontier of size and the metric that decides at the load.
const frontierMark = "◆"

// verdicts is the column of one load.
func (p *portfolio) verdicts(l int) extra {
	c := Column{Group: locale.T("tradeoff.verdict"), Title: p.d.title(p.load, p.loads[l])}
	return p.column(c, func(i int) (Cell, bool) {
		v := p.said[l][i]
		if v.rule == "" {
			return Cell{}, false
		}
		cell := Cell{Text: locale.T("tradeoff." + v.rule), Rule: "tradeoff." + v.rule, Why: locale.T("tradeoff." + v.rule + ".why")}
		if v.rule == "balance" && !v.held {
			cell.Why = locale.T("tradeoff.balance.alone")
		}
		if v.rule == "dominated" {
			cell.Text = locale.T("tradeoff.dominated", p.name(v.by))
			cell.Why = locale.T("tradeoff.dominated.why", writePlain(p.d.rules().Noise))
		}
		if v.on {
			cell.Text = locale.Join(" ", locale.Lit(frontierMark), cell.Text)
		}
		return cell, true
	})
}

// scale says of a variant how large and how fast it is.
func (p *portfolio) scale(i int, f figure) locale.Text {
	return locale.T("tradeoff.scale", p.d.title(p.size, p.variants[i].runs[0].Label(p.size)), f.said())
}

// suits says what each variant is for over all loads:
//
//	aside      its runs were set aside at some load: to be measured again
//	first      the fastest where it is that
//	size       on a frontier by its size alone, slower than the baseline
//	smallest   the smallest of those on a frontier for more than their size:
//	           where memory is short
//	middle     on a frontier otherwise
//	reference  the baseline, outdone or not: what the others are held against
//	none       outdone wherever it was measured
func (p *portfolio) suits() extra {
	smallest := 0.0
	for _, verdicts := range p.said {
		for i, v := range verdicts {
			if v.on && v.rule != "size-only" && (smallest == 0 || p.sizes[i] < smallest) {
				smallest = p.sizes[i]
			}
		}
	}
	return p.column(Column{Title: locale.T("tradeoff.suits")}, func(i int) (Cell, bool) {
		var first, judged []locale.Text
		outdone := 0
		aside, on, small := false, false, true
		for l, load := range p.loads {
			v := p.said[l][i]
			title := p.loadName(load)
			switch v.rule {
			case "":
				continue
			case "aside":
				aside = true
			case "fastest":
				first = append(first, title)
			case "dominated":
				outdone++
			}
			judged = append(judged, title)
			on = on || v.on
			small = small && (v.rule == "size-only" || v.rule == "dominated")
		}
		rule := ""
		var text locale.Text
		switch {
		case len(judged) == 0:
			return Cell{}, false
		case aside:
			rule, text = "suits-aside", locale.T("tradeoff.suits-aside")
		case i == p.base:
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
		return Cell{Text: text, Rule: "tradeoff." + rule, Why: locale.T("tradeoff." + rule + ".why")}, true
	})
}

// names lists variants.
func (p *portfolio) names(variants []int) locale.Text {
	var names []locale.Text
	for _, i := range variants {
		names = append(names, p.name(i))
	}
	return locale.List(names...)
}
