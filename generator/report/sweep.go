package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
)

type sweepSpec struct {
	Where      string
	Series     string   // label of the rows; model when empty
	Over       string   // label of numbers that is swept; max_concurrency when empty
	Throughput string   // metric of which more is better; output_throughput when empty
	Latency    string   // metric of which less is better; the first of usualLatencies that the runs have when empty
	Limit      *float64 // what the latency may be at the most, in its unit; the site's when absent
	Table      string   // "points" shows the steps themselves, "" what they come to
	Caption    string
	Notes      []string
	Accept     []string // settings in which the runs may differ
}

// usualLatencies are what a sweep is held against, the most telling first.
var usualLatencies = []string{"ttft_p99", "ttft_mean", "tpot_mean", "e2el_p99"}

// sweep shows what the steps of a sweep over load come to: the most
// throughput, the knee, and how far a limit of latency carries. With
// table = "points" it shows the steps.
func (d *Data) sweep(s sweepSpec) (*Table, error) {
	s.Series = cmp.Or(s.Series, "model")
	s.Over = cmp.Or(s.Over, "max_concurrency")
	s.Throughput = cmp.Or(s.Throughput, "output_throughput")
	if s.Table != "" && s.Table != "points" {
		return nil, about("table", problem(`write "points", or leave it out`, "table = %q is not known", s.Table))
	}
	rs, err := d.selectSome(s.Where)
	if err != nil {
		return nil, err
	}
	w, err := d.laySweep(rs, s)
	if err != nil {
		return nil, err
	}
	t := &Table{Kind: "sweep", Caption: locale.Lit(s.Caption)}
	if s.Table == "points" {
		w.points(t)
	} else {
		w.summary(t)
	}
	if w.unbounded > 0 {
		t.note(result.Info, locale.T("sweep.unbounded", w.unbounded))
	}
	t.compared = comparison{w.runs, []string{s.Series, s.Over}, s.Accept}
	for _, n := range s.Notes {
		t.note(result.Info, locale.Lit(n))
	}
	return t, nil
}

// swept is runs laid out for a sweep: series by steps.
type swept struct {
	d         *Data
	runs      []*result.Result
	unbounded int // runs at "inf", which is no step

	label               string // of the series
	name, over          Column // of the series and of the steps
	throughput, latency Column // latency.Metric is "" when the runs have none
	limit               float64
	series              []series
}

// series is the steps of one row label, ascending.
type series struct {
	group
	steps []step
}

// step is the figures at one value of what is swept. A figure without runs
// was not measured.
type step struct {
	at                  float64
	runs                []*result.Result
	throughput, latency figure
}

// laySweep lays runs out. Those without series or step have no place in it.
func (d *Data) laySweep(rs []*result.Result, s sweepSpec) (*swept, error) {
	w := &swept{d: d, label: s.Series}
	for _, name := range []string{s.Series, s.Over} {
		if _, label := known(rs, name); !label {
			return nil, unknownName(rs, name)
		}
	}
	for _, r := range having(having(rs, s.Series), s.Over) {
		if strings.EqualFold(r.Label(s.Over), "inf") {
			w.unbounded++
			continue
		}
		w.runs = append(w.runs, r)
	}
	w.name = d.header(w.runs, column{name: s.Series, label: true}, "", nil)
	w.over = d.header(w.runs, column{name: s.Over, label: true}, "", nil)
	if len(w.runs) == 0 || w.over.Align != Right {
		return nil, about("over", lack("its values: "+shorten(d.values(rs, s.Over), 6), "the label %q holds no figures of one unit", s.Over))
	}
	var err error
	if w.throughput, err = d.directed(w.runs, s.Throughput, result.Higher); err != nil {
		return nil, about("throughput", err)
	}
	if err := w.bound(s); err != nil {
		return nil, err
	}
	at := func(r *result.Result) float64 { v, _, _, _ := labelNumber(r.Label(s.Over)); return v }
	w.series, err = d.climb(w.runs, s.Series, s.Over, at, w.throughput.Metric, w.latency.Metric)
	return w, err
}

// directed gives the header of a metric that has to have a direction.
func (d *Data) directed(rs []*result.Result, name string, want result.Better) (Column, error) {
	if metric, _ := known(rs, name); !metric {
		return Column{}, unknownName(rs, name)
	}
	if !anyHas(rs, name) {
		return Column{}, lack("", "no selected run has the metric %q", name)
	}
	h := d.header(rs, column{name: name}, "", nil)
	if h.Better != want {
		return Column{}, problem("name a metric that is the better the "+want.String()+" it is", "%q is no such metric", name)
	}
	return h, nil
}

// anyHas tells whether one of the runs has a metric.
func anyHas(rs []*result.Result, metric string) bool {
	return slices.ContainsFunc(rs, func(r *result.Result) bool { _, ok := r.Metric(metric); return ok })
}

// bound finds the latency of a sweep and its limit: the block's, or else the
// site's.
func (w *swept) bound(s sweepSpec) error {
	name := s.Latency
	for _, usual := range usualLatencies {
		if name == "" && anyHas(w.runs, usual) {
			name = usual
		}
	}
	switch {
	case name == "" && s.Limit == nil:
		return nil
	case name == "":
		return about("limit", problem(`as latency = "itl_p99"`, "a limit wants a latency, and the runs have none of %s", strings.Join(usualLatencies, ", ")))
	}
	var err error
	if w.latency, err = w.d.directed(w.runs, name, result.Lower); err != nil {
		return about("latency", err)
	}
	limit := s.Limit
	if text := w.d.Limits[name]; limit == nil && text != "" {
		v, _, unit, ok := labelNumber(text)
		if !ok || unit != "" && unit != w.latency.Unit {
			return problem("write it in "+w.latency.Unit, "the site's limit %s = %q is not in the unit of the metric", name, text)
		}
		limit = &v
	}
	if limit == nil {
		return nil
	}
	if w.limit = *limit; !(w.limit > 0) || math.IsInf(w.limit, 1) {
		return about("limit", problem("as limit = 500, in "+w.latency.Unit, "limit = %v is no latency", w.limit))
	}
	return nil
}

// climb gathers runs into series and, within each, into steps of what at
// reads of them. The runs of a step have to be repeats of one another.
func (d *Data) climb(rs []*result.Result, label, over string, at func(*result.Result) float64, throughput, latency string) ([]series, error) {
	var out []series
	for _, g := range d.groups(rs, []string{label}) {
		one := series{group: g}
		for _, r := range g.runs {
			v := at(r)
			i, found := slices.BinarySearchFunc(one.steps, v, func(s step, v float64) int { return cmp.Compare(s.at, v) })
			if !found {
				one.steps = slices.Insert(one.steps, i, step{at: v})
			}
			one.steps[i].runs = append(one.steps[i].runs, r)
		}
		for i := range one.steps {
			s := &one.steps[i]
			if err := repeats(s.runs, place([]string{label, over}, []string{g.values[0], writeNumber(s.at)})); err != nil {
				return nil, err
			}
			s.throughput, _ = figureOf(s.runs, throughput)
			s.latency, _ = figureOf(s.runs, latency)
		}
		out = append(out, one)
	}
	return out, nil
}

// holds tells whether a figure was measured and is not set aside.
func (f figure) holds() bool { return f.runs != nil && !f.excluded() }

// sound gives the steps whose throughput holds, and those whose latency does.
func (s series) sound() (throughput, latency []step) {
	for _, p := range s.steps {
		if p.throughput.holds() {
			throughput = append(throughput, p)
		}
		if p.latency.holds() {
			latency = append(latency, p)
		}
	}
	return throughput, latency
}

// numbers gives steps as statistics take them.
func numbers(steps []step) []stats.SweepPoint {
	var out []stats.SweepPoint
	for _, s := range steps {
		out = append(out, stats.SweepPoint{Concurrency: s.at, Throughput: s.throughput.metric.Value, Latency: s.latency.metric.Value})
	}
	return out
}

// summary fills a table with a row for each series. What a check set aside is
// left out of it and named in a note.
func (w *swept) summary(t *Table) {
	measured := w.over
	measured.Align = Left // words
	t.Columns = []Column{w.name, measured}
	under := func(group locale.Text, columns ...Column) {
		for _, c := range columns {
			c.Group = group
			t.Columns = append(t.Columns, c)
		}
	}
	// What is found at the knee is no contest, and has no better direction.
	throughput, latency := w.throughput, w.latency
	throughput.Better, latency.Better = result.Neutral, result.Neutral
	under(locale.T("sweep.peak"), w.throughput, w.over)
	under(locale.T("sweep.knee"), w.over, throughput)
	if w.latency.Metric != "" {
		under(locale.T("sweep.knee"), latency)
	}
	if w.limit > 0 {
		highest, interpolated := w.over, w.over
		highest.Title, interpolated.Title = locale.T("sweep.measured"), locale.T("sweep.interpolated")
		under(locale.Join("", w.latency.Title, locale.Lit(" ≤ "+writeNumber(w.limit)+" "+w.latency.Unit)), highest, interpolated)
	}
	ends := map[[2]float64]bool{}
	for _, one := range w.series {
		throughput, latency := one.sound()
		row := Row{Cells: []Cell{w.d.labelCell(one.runs, w.label, w.name.Align == Right), stepsCell(throughput, latency, ends)}}
		shown := map[*result.Result]bool{}
		row.Cells = append(row.Cells, t.peak(throughput, shown)...)
		row.Cells = append(row.Cells, w.knee(t, throughput, shown)...)
		if w.limit > 0 {
			row.Cells = append(row.Cells, t.capacity(latency, w.limit, shown)...)
		}
		t.Rows = append(t.Rows, row)
	}
	// The peak of a sweep that goes further is not the better for it.
	if len(ends) > 1 {
		t.note(result.Warning, locale.T("sweep.ranges"))
	} else {
		t.markBest()
	}
	w.aside(t)
}

// stepsCell tells where the steps of a series begin and end and how many
// there are, and notes its ends.
func stepsCell(throughput, latency []step, ends map[[2]float64]bool) Cell {
	var at []float64
	for _, s := range slices.Concat(throughput, latency) {
		at = append(at, s.at)
	}
	if len(at) == 0 {
		return Cell{Missing: true}
	}
	slices.Sort(at)
	at = slices.Compact(at)
	low, high := at[0], at[len(at)-1]
	ends[[2]float64{low, high}] = true
	span := writeNumber(low)
	if low < high {
		span += "–" + writeNumber(high)
	}
	return Cell{Text: locale.T("sweep.steps", span, len(at))}
}

// peak gives the most throughput of steps and the lowest step that has it.
func (t *Table) peak(steps []step, shown map[*result.Result]bool) []Cell {
	if len(steps) == 0 {
		return []Cell{{Missing: true}, {Missing: true}}
	}
	best := steps[0]
	for _, s := range steps {
		if s.throughput.metric.Value > best.throughput.metric.Value {
			best = s
		}
	}
	at := Cell{Text: locale.Lit(writeNumber(best.at)), Value: best.at, Numeric: true}
	if best.at == steps[len(steps)-1].at {
		at.Notes = []int{t.note(result.Info, locale.T("sweep.last"))}
	}
	return []Cell{t.once(best.throughput, shown), at}
}

// once is the cell of a figure; it tells of its run only what no cell of the
// row has told.
func (t *Table) once(f figure, shown map[*result.Result]bool) Cell {
	c := t.cell(f, !shown[f.runs[0]])
	shown[f.runs[0]] = true
	return c
}

// knee gives the knee of steps, or why there is none.
func (w *swept) knee(t *Table, steps []step, shown map[*result.Result]bool) []Cell {
	knee, ok := stats.Knee(numbers(steps))
	if !ok {
		why := locale.T("sweep.no-knee")
		if len(steps) < 4 {
			why = locale.T("sweep.few", len(steps))
		}
		none := Cell{Missing: true, Rule: "sweep.no-knee", Why: why}
		cells := []Cell{none, none}
		if w.latency.Metric != "" {
			cells = append(cells, none)
		}
		return cells
	}
	s := steps[slices.IndexFunc(steps, func(s step) bool { return s.at == knee.Concurrency })]
	cells := []Cell{
		{Text: locale.Lit(writeNumber(s.at)), Value: s.at, Numeric: true, Rule: "sweep.knee", Notes: []int{t.note(result.Info, locale.T("sweep.knee.note"))}},
		t.once(s.throughput, shown),
	}
	switch {
	case w.latency.Metric == "":
	case s.latency.holds():
		cells = append(cells, t.once(s.latency, shown))
	default:
		cells = append(cells, Cell{Missing: true})
	}
	return cells
}

// capacity gives the highest of steps that keeps within a limit of latency
// together with all lower ones, and the interpolated step at which it would be
// reached.
func (t *Table) capacity(steps []step, limit float64, shown map[*result.Result]bool) []Cell {
	if len(steps) == 0 {
		return []Cell{{Missing: true}, {Missing: true}}
	}
	c := stats.HighestUnder(numbers(steps), limit)
	last := slices.IndexFunc(steps, func(s step) bool { return s.at == c.Measured })
	switch c.Reach {
	case stats.NoneMeets:
		why := locale.T("sweep.none.why", writeNumber(steps[0].at), steps[0].latency.said())
		none := t.reached(shown, steps[0])
		none.Text, none.Rule, none.Why = locale.T("sweep.none"), "sweep.none", why
		return []Cell{none, {Missing: true, Why: why}}
	case stats.AllMeet:
		s := steps[last]
		why := locale.T("sweep.all.why", writeNumber(s.at), s.latency.said())
		all := t.reached(shown, s)
		all.Text, all.Value, all.Numeric = locale.Lit("≥ "+writeNumber(s.at)), s.at, true
		all.Rule, all.Why = "sweep.all", why
		return []Cell{all, {Missing: true, Why: why}}
	}
	p, q := steps[last], steps[last+1]
	why := locale.T("sweep.between", writeNumber(p.at), p.latency.said(), writeNumber(q.at), q.latency.said())
	measured, between := t.reached(shown, p), t.reached(shown, p, q)
	measured.Text, measured.Value, measured.Numeric = locale.Lit(writeNumber(p.at)), p.at, true
	measured.Rule, measured.Why = "sweep.measured", why
	if i := slices.IndexFunc(steps[last+1:], func(s step) bool { return s.latency.metric.Value <= limit }); i >= 0 {
		measured.Notes = append(measured.Notes, t.note(result.Warning, locale.T("sweep.again", writeNumber(steps[last+1+i].at))))
	}
	text := "≈ " + significant(c.Interpolated)
	between.Text, between.Value, between.Numeric = locale.Lit(text), c.Interpolated, true
	between.Rule, between.Why = "sweep.interpolated", why
	between.Notes = append(between.Notes, t.note(result.Info, locale.T("sweep.interpolated.note", text, writeNumber(p.at), p.latency.said(), writeNumber(q.at), q.latency.said())))
	return []Cell{measured, between}
}

// reached is a cell that rests on the latency of steps: it leads to the run of
// the first and bears what stands against any of them.
func (t *Table) reached(shown map[*result.Result]bool, steps ...step) Cell {
	f := steps[0].latency
	c := Cell{Run: f.runs[0].ID, Source: f.runs[0].At(f.metric), Field: f.metric.Field}
	for _, s := range steps {
		r := s.latency.runs[0]
		t.judged(&c, s.latency.runs, s.latency.metric.Name, !shown[r])
		t.sampled(&c, r, s.latency.metric.Name)
		shown[r] = true
	}
	slices.Sort(c.Notes)
	c.Notes = slices.Compact(c.Notes)
	return c
}

// aside names the steps that were left out because a check stands against
// their runs.
func (w *swept) aside(t *Table) {
	for _, one := range w.series {
		n := 0
		var at []locale.Text
		for _, s := range one.steps {
			if excluded(s.runs) {
				n += len(s.runs)
				at = append(at, locale.Lit(writeNumber(s.at)))
			}
		}
		if n > 0 {
			t.note(result.Warning, locale.T("sweep.aside", w.d.title(w.label, one.values[0]), n, w.over.Title, locale.List(at...)))
		}
	}
}

// excluded tells whether every one of the runs is set aside.
func excluded(rs []*result.Result) bool {
	return !slices.ContainsFunc(rs, func(r *result.Result) bool { return !r.Excluded() })
}

// points fills a table with a row for each step, struck where a check set it
// aside. What throughput each further request brings is told in two ways: of
// all up to the step (scaling), and of those since the step before (marginal).
func (w *swept) points(t *Table) {
	share := Column{Unit: "%", Align: Right, Better: result.Higher}
	scaling, marginal := share, share
	scaling.Title, marginal.Title = locale.T("sweep.scaling"), locale.T("sweep.marginal")
	t.Columns = []Column{w.name, w.over, w.throughput}
	if w.latency.Metric != "" {
		t.Columns = append(t.Columns, w.latency)
	}
	t.Columns = append(t.Columns, scaling, marginal)
	for _, one := range w.series {
		var first, before *step
		for i := range one.steps {
			s := &one.steps[i]
			row := Row{Excluded: excluded(s.runs), Cells: []Cell{
				w.d.labelCell(one.runs, w.label, w.name.Align == Right),
				{Text: locale.Lit(writeNumber(s.at)), Value: s.at, Numeric: true},
			}}
			shown := map[*result.Result]bool{}
			figures := []figure{s.throughput, s.latency}
			if w.latency.Metric == "" {
				figures = figures[:1]
			}
			for _, f := range figures {
				if f.runs == nil {
					row.Cells = append(row.Cells, Cell{Missing: true})
					continue
				}
				row.Cells = append(row.Cells, t.once(f, shown))
			}
			gains := []Cell{{Missing: true}, {Missing: true}}
			if s.throughput.holds() {
				if first == nil && s.at > 0 {
					first = s
				}
				gains = gain(first, before, s)
				before = s
			}
			row.Cells = append(row.Cells, gains...)
			t.Rows = append(t.Rows, row)
		}
	}
	t.note(result.Info, locale.T("sweep.scaling.note"))
	t.note(result.Info, locale.T("sweep.marginal.note"))
}

// gain gives the scaling of a step against the first one, and its marginal
// gain since the one before; at the first there is nothing before.
func gain(first, before, s *step) []Cell {
	cells := []Cell{{Missing: true}, {}}
	if first == nil {
		return cells
	}
	if share, ok := stats.ScalingEfficiency(first.at, first.throughput.metric.Value, s.at, s.throughput.metric.Value); ok {
		cells[0] = shareCell(share)
		if before != nil {
			added := (s.throughput.metric.Value - before.throughput.metric.Value) / (s.at - before.at)
			cells[1] = shareCell(added / (first.throughput.metric.Value / first.at))
		}
	}
	return cells
}

// shareCell writes a share in per cent, as a figure of a column in per cent.
func shareCell(share float64) Cell {
	digits := strconv.FormatFloat(100*math.Abs(share), 'f', 1, 64)
	if share < 0 && strings.Trim(digits, "0.") != "" {
		digits = "−" + digits
	}
	return Cell{Text: locale.Lit(digits), Value: 100 * share, Numeric: true}
}

// writeNumber writes a number that somebody chose, in its shortest form.
func writeNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
