package report

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"benchpost/generator/audit"
	"benchpost/generator/bench"
	"benchpost/generator/locale"
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
	rs = having(having(rs, s.Load), s.Rows)
	if len(rs) == 0 {
		return nil, about("load", lack("name another label in load, or declare loads in site.toml", "no selected run has %s and %s", s.Rows, s.Load))
	}
	if len(s.Columns) == 0 {
		s.Columns = []string{"output_throughput", "ttft_mean"}
		for _, more := range []string{"energy_per_output_token", "cost_per_million_output_tokens"} {
			if slices.ContainsFunc(rs, func(r *bench.Result) bool { _, ok := r.Metric(more); return ok }) {
				s.Columns = append(s.Columns, more)
			}
		}
	}
	summary := tableSpec{
		Rows: []string{s.Rows}, Columns: append([]string{s.Size}, s.Columns...),
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

// portfolio is the variants of a tradeoff with their sizes and what decides.
type portfolio struct {
	*field
	size  string
	sizes []float64 // by variant, in plain units; 0 when not known
	by    [][]reading
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
		p.by = append(p.by, sound)
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

// outdone gives the index of the fastest sample that is smaller than sample i
// and no slower, or of the same size and faster by more than noise; −1 when
// there is none.
func (p *portfolio) outdone(ss []reading, i int) int {
	best := -1
	a := ss[i]
	dir := a.metric.Better
	margin := a.metric.Value * (1 + p.d.rules().Noise)
	if dir == bench.Lower {
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

// slower tells whether a sample is slower than that of the baseline beyond
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
	h.Title, h.Better = locale.T("tradeoff.mbu"), bench.Neutral // what is near its limit is no better for it
	return p.column(h, func(i int) (Cell, bool) {
		for _, load := range p.loads {
			if f, ok := figureOf(p.at(p.variants[i], load), "mbu"); ok && p.alone(load) {
				return Cell{Text: locale.Lit(strconv.FormatFloat(f.metric.Value, 'f', 0, 64)), Value: f.metric.Value, Numeric: true, Run: f.runs[0].ID,
					Field: f.metric.Field, Quarantined: f.quarantined()}, true
			}
		}
		return Cell{}, false
	})
}

// memory is the most memory that was in use.
func (p *portfolio) memory() extra {
	return p.column(Column{Title: locale.MetricName("memory_used_max"), Unit: "GB", Align: Right, Metric: "memory_used_max", Better: bench.Lower}, func(i int) (Cell, bool) {
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
		return Cell{Text: locale.Lit(strconv.FormatFloat(v, 'f', 1, 64)), Value: v, Numeric: true, Run: most.runs[0].ID, Quarantined: most.quarantined()}, true
	})
}

// qualities is a column for each task that evaluations of the variants have,
// with the standard error where it is told.
func (p *portfolio) qualities() []extra {
	var evaluations []*bench.Result
	for _, r := range p.d.Results {
		if _, ok := r.Metric("quality"); ok {
			evaluations = append(evaluations, r)
		}
	}
	tasks := p.d.values(evaluations, "task")
	if len(evaluations) > 0 && len(tasks) == 0 {
		tasks = []string{""}
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
			return Cell{Text: locale.Lit(text), Value: f.metric.Value, Numeric: true, Run: f.runs[0].ID, Field: f.metric.Field,
				Source: bench.Position{File: f.runs[0].Source.File, Line: f.metric.Line}, Quarantined: f.quarantined()}, true
		}))
	}
	return out
}

// quality gives what a variant scored in a task, in the first when task is "".
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
			title := locale.Inside(p.d.title(p.load, load))
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
		t.note(bench.Info, locale.T("tradeoff.judged", locale.List(judged[metric]...), withUnit(h.Title, h.Unit)))
	}
	t.note(bench.Info, locale.T("tradeoff.pareto-mark"))
	if s.Baseline != "" {
		t.note(bench.Info, locale.T("tradeoff.ratio"))
	}
	for _, n := range s.Notes {
		t.note(bench.Info, locale.Lit(n))
	}
}

// limit is a bound on a metric or label.
type limit struct {
	name  string
	value float64
	text  string // as the author wrote it
	dir   bench.Better
	label bool
}

// limits reads what variants have to meet: the block's limits, else the site's.
func (p *portfolio) limits(s tradeoffSpec) ([]limit, error) {
	wanted := map[string]string{}
	for name, v := range s.Limits {
		wanted[name] = fmt.Sprint(v)
	}
	if len(wanted) == 0 {
		wanted = p.d.Limits
	}
	var out []limit
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		l := limit{name: name, text: wanted[name], dir: bench.Lower}
		metric, label := known(p.runs, name)
		number, _, unit, ok := labelNumber(l.text)
		switch {
		case !ok:
			return nil, about("limits", problem(`as limits = { ttft_p99 = 500, weight_size = "8 G" }`, "the limit %s = %q holds no figure", name, l.text))
		case name == "quality":
			l.value, l.dir = number, bench.Higher
		case label && !metric:
			l.label = true
			if l.value, ok = audit.Quantity(l.text); !ok {
				return nil, about("limits", problem(`as weight_size = "8 G"`, "the limit %s = %q is no quantity", name, l.text))
			}
		default:
			d, known := bench.Define(name)
			if !known || d.Better == bench.Neutral {
				return nil, about("limits", unknownName(p.runs, name))
			}
			if unit != "" && unit != d.Unit {
				return nil, about("limits", problem("write it in "+d.Unit, "the limit %s = %q is not in the unit of the metric", name, l.text))
			}
			l.value, l.dir = number, d.Better
			l.text = strconv.FormatFloat(number, 'f', -1, 64) + " " + d.Unit
		}
		out = append(out, l)
	}
	return out, nil
}

// words says a limit: Mean TTFT ≤ 500 ms.
func (l limit) words() locale.Text {
	name := locale.MetricName(l.name)
	if l.label {
		name = locale.LabelName(l.name)
	}
	sign := " ≤ "
	if l.dir == bench.Higher {
		sign = " ≥ "
	}
	return locale.Join("", locale.Inside(name), locale.Lit(sign+l.text))
}

// meets tells whether a variant keeps within a limit at a load; known is false
// when it was not measured.
func (p *portfolio) meets(i int, load string, l limit) (ok, known bool) {
	if l.label {
		v, known := audit.Quantity(p.variants[i].runs[0].Label(l.name))
		return v <= l.value, known
	}
	f, known := figureOf(p.at(p.variants[i], load), l.name)
	if l.name == "quality" {
		f, known = p.quality(i, "")
	}
	ok = known && !better(l.dir, l.value, f.metric.Value)
	if !ok {
		return false, known
	}
	if have, need := audit.Samples(f.runs[0], l.name); have < need {
		return false, false // a percentile of too few samples keeps no promise
	}
	return true, true
}

// answer says which variant to deploy at each load: of those that hold and
// keep within every limit the fastest, and of several that can not be told
// apart the smallest.
func (p *portfolio) answer(t *Table, s tradeoffSpec) error {
	limits, err := p.limits(s)
	if err != nil || len(limits) == 0 {
		return err
	}
	if s.At != "" && !slices.Contains(p.loads, s.At) {
		return about("at", lack("values of "+p.load+": "+shorten(p.loads, 12), "at = %q is no load of the selected runs", s.At))
	}
	var words []locale.Text
	for _, l := range limits {
		words = append(words, l.words())
	}
	for l, load := range p.loads {
		if s.At != "" && load != s.At {
			continue
		}
		met, sound := 0, 0
		var kept []int
		var misses []locale.Text
		for i, v := range p.said[l] {
			if v.rule == "" {
				if _, measured := figureOf(p.at(p.variants[i], load), p.decides(load)); measured {
					misses = append(misses, locale.T("answer.unsized", p.name(i)))
				}
				continue
			}
			if v.rule == "aside" {
				misses = append(misses, locale.T("answer.aside", p.name(i)))
				continue
			}
			sound++
			why := p.miss(i, load, limits)
			if !why.IsZero() {
				misses = append(misses, locale.T("answer.miss", p.name(i), why))
				continue
			}
			met++
			kept = append(kept, i)
		}
		best := p.prefer(l, kept)
		title := p.d.title(p.load, load)
		a := Finding{Rule: "deploy", N: 1}
		if best < 0 {
			a.Text = locale.T("answer.none", title, locale.List(words...), sound)
		} else {
			v := p.said[l][best]
			a.Runs, a.N = ids(v.figure)
			a.Text = locale.T("answer.deploy", title, locale.List(words...), p.name(best), p.scale(best, v.figure), met, sound)
			rests := []figure{v.figure}
			for _, l := range limits {
				if f, ok := figureOf(p.at(p.variants[best], load), l.name); ok && !l.label {
					rests = append(rests, f)
				}
			}
			if doubt := inDoubt(rests); !doubt.IsZero() {
				a.Text = locale.Sentences(a.Text, doubt)
			}
		}
		if len(misses) > 0 {
			a.Reason = locale.T("answer.others", locale.List(misses...))
		}
		t.Answers = append(t.Answers, a)
	}
	return nil
}

// miss says which limit a variant does not keep, nothing when it keeps all.
func (p *portfolio) miss(i int, load string, limits []limit) locale.Text {
	var over, unknown []locale.Text
	for _, l := range limits {
		switch ok, known := p.meets(i, load, l); {
		case !known:
			unknown = append(unknown, l.words())
		case !ok:
			over = append(over, l.words())
		}
	}
	switch {
	case len(over) > 0:
		return locale.T("answer.over", locale.List(over...))
	case len(unknown) > 0:
		return locale.T("answer.unknown", locale.List(unknown...))
	}
	return locale.Text{}
}

// prefer gives the variant to deploy at a load, −1 when there is none: of those
// that cannot be told apart from the fastest the smallest.
func (p *portfolio) prefer(l int, variants []int) int {
	first := -1
	for _, i := range variants {
		if f := p.said[l][i].metric; first < 0 || better(f.Better, f.Value, p.said[l][first].metric.Value) {
			first = i
		}
	}
	best := first
	for _, i := range variants {
		if p.sizes[i] < p.sizes[best] && p.d.alike(p.said[l][first].figure, p.said[l][i].figure) {
			best = i
		}
	}
	return best
}
