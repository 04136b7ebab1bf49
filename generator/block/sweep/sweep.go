// Package sweep shows the effect of load and accelerators: peak, knee, capacity within a latency limit, and scaling
// efficiency.
package sweep

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
)

// Spec holds the keys of the block sweep.
type Spec struct {
	Where      string
	Series     string   // label of the rows; default: model
	Over       string   // numeric label that is swept; default: max_concurrency
	Throughput string   // metric for which higher is better; default: output_throughput
	Latency    string   // metric for which lower is better; default: the first of usualLatencies that the runs have
	Limit      *float64 // maximum latency, in its unit; default: the site's limit
	Table      string   // "points" shows the steps themselves, "" a summary
	Caption    string
	Notes      []string
	Accept     []string // settings in which the runs may differ
}

// usualLatencies lists the latencies that a sweep is judged by, the most important first.
var usualLatencies = []string{"ttft_p99", "ttft_mean", "tpot_mean", "e2el_p99"}

// Table summarizes a sweep over load: the peak throughput, the knee, and the highest load within a latency limit. With
// table = "points" it shows the steps.
func Table(d *dataset.Selection, s Spec) (*builder.Table, error) {
	s.Series = cmp.Or(s.Series, "model")
	s.Over = cmp.Or(s.Over, "max_concurrency")
	s.Throughput = cmp.Or(s.Throughput, "output_throughput")
	if s.Table != "" && s.Table != "points" {
		return nil, dataset.About("table", dataset.Wrongf(locale.Textf(`write "points", or leave it out`), "table = %q is not known", s.Table))
	}
	rs, err := d.Select(s.Where)
	if err != nil {
		return nil, err
	}
	w, err := lay(d, rs, s)
	if err != nil {
		return nil, err
	}
	t := builder.NewTable("sweep", locale.Lit(s.Caption))
	if s.Table == "points" {
		w.points(t)
	} else {
		w.summary(t)
	}
	if w.unbounded > 0 {
		t.Note(result.Info, locale.T("sweep.unbounded", w.unbounded))
	}
	t.Compared = builder.Comparison{Runs: w.runs, Laid: []string{s.Series, s.Over}, Accept: s.Accept}
	for _, n := range s.Notes {
		t.Note(result.Info, locale.Lit(n))
	}
	return t, nil
}

// swept holds the runs of a sweep, laid out as series of steps.
type swept struct {
	d         *dataset.Selection
	runs      []*result.Result
	unbounded int // runs at "inf", which is not a step

	label               string        // of the series
	name, over          report.Column // of the series and of the steps
	throughput, latency report.Column // latency.Metric is "" if the runs have none
	limit               float64
	series              []series
}

// series holds the steps of one row label, ascending.
type series struct {
	dataset.Group
	steps []step
}

// step holds the figures at one value of the swept label. A figure without runs was not measured.
type step struct {
	at                  float64
	runs                []*result.Result
	throughput, latency dataset.Figure
}

// lay lays out runs as series of steps. It skips runs without the series or the swept label.
func lay(d *dataset.Selection, rs []*result.Result, s Spec) (*swept, error) {
	w := &swept{d: d, label: s.Series}
	for _, name := range []string{s.Series, s.Over} {
		if _, label := dataset.Known(rs, name); !label {
			return nil, dataset.Unknown(rs, name)
		}
	}
	for _, r := range dataset.Having(dataset.Having(rs, s.Series), s.Over) {
		if strings.EqualFold(r.Label(s.Over), "inf") {
			w.unbounded++
			continue
		}
		w.runs = append(w.runs, r)
	}
	w.name = builder.Header(d, w.runs, builder.Heading{Name: s.Series, Label: true}, "", nil)
	w.over = builder.Header(d, w.runs, builder.Heading{Name: s.Over, Label: true}, "", nil)
	if len(w.runs) == 0 || w.over.Align != report.Right {
		return nil, dataset.About("over", dataset.Lackf(locale.Textf("its values: %s", locale.Few(d.Values(rs, s.Over), 6)), "the values of the label %q do not share one unit", s.Over))
	}
	var err error
	if w.throughput, err = Directed(d, w.runs, s.Throughput, result.Higher); err != nil {
		return nil, dataset.About("throughput", err)
	}
	if err := w.bound(s); err != nil {
		return nil, err
	}
	at := func(r *result.Result) float64 { v, _, _, _ := dataset.Number(r.Label(s.Over)); return v }
	w.series, err = climb(d, w.runs, s.Series, s.Over, at, w.throughput.Metric, w.latency.Metric)
	return w, err
}

// Directed returns the header of a metric. It returns an error if the metric does not have the given direction.
func Directed(d *dataset.Selection, rs []*result.Result, name string, want result.Better) (report.Column, error) {
	if metric, _ := dataset.Known(rs, name); !metric {
		return report.Column{}, dataset.Unknown(rs, name)
	}
	if !dataset.AnyHas(rs, name) {
		return report.Column{}, dataset.Lackf(locale.Text{}, "no selected run has the metric %q", name)
	}
	if err := dataset.OneUnit(rs, name); err != nil {
		return report.Column{}, err
	}
	h := builder.Header(d, rs, builder.Heading{Name: name}, "", nil)
	if h.Better != want {
		hint := locale.Textf("name a metric for which higher is better")
		if want == result.Lower {
			hint = locale.Textf("name a metric for which lower is better")
		}
		return report.Column{}, dataset.Wrongf(hint, "%q is no such metric", name)
	}
	return h, nil
}

// bound sets the latency of a sweep and its limit: the limit of the block, or else the site's.
func (w *swept) bound(s Spec) error {
	name := s.Latency
	for _, usual := range usualLatencies {
		if name == "" && dataset.AnyHas(w.runs, usual) {
			name = usual
		}
	}
	switch {
	case name == "" && s.Limit == nil:
		return nil
	case name == "":
		return dataset.About("limit", dataset.Wrongf(locale.Textf(`for example latency = "itl_p99"`), "a limit needs a latency, and the runs have none of %s", locale.Commas(usualLatencies...)))
	}
	var err error
	if w.latency, err = Directed(w.d, w.runs, name, result.Lower); err != nil {
		return dataset.About("latency", err)
	}
	limit := s.Limit
	if text := w.d.Limits[name]; limit == nil && text != "" {
		v, _, unit, ok := dataset.Number(text)
		if !ok || unit != "" && unit != w.latency.Unit {
			return dataset.Wrongf(locale.Textf("write it in %s", w.latency.Unit), "the site's limit %s = %q is not in the unit of the metric", name, text)
		}
		limit = &v
	}
	if limit == nil {
		return nil
	}
	if w.limit = *limit; !(w.limit > 0) || math.IsInf(w.limit, 1) {
		return dataset.About("limit", dataset.Wrongf(locale.Textf("for example limit = 500, in %s", w.latency.Unit), "limit = %v is not a latency", w.limit))
	}
	return nil
}

// climb groups runs into series, and each series into steps by the value of at. The runs of a step must be repeats of
// each other.
func climb(d *dataset.Selection, rs []*result.Result, label, over string, at func(*result.Result) float64, throughput, latency string) ([]series, error) {
	var out []series
	for _, g := range d.Groups(rs, []string{label}) {
		one := series{Group: g}
		for _, r := range g.Runs {
			v := at(r)
			i, found := slices.BinarySearchFunc(one.steps, v, func(s step, v float64) int { return cmp.Compare(s.at, v) })
			if !found {
				one.steps = slices.Insert(one.steps, i, step{at: v})
			}
			one.steps[i].runs = append(one.steps[i].runs, r)
		}
		for i := range one.steps {
			s := &one.steps[i]
			if err := dataset.Repeats(s.runs, dataset.Place([]string{label, over}, []string{g.Values[0], builder.Number(s.at)})); err != nil {
				return nil, err
			}
			s.throughput, _ = dataset.FigureOf(s.runs, throughput)
			s.latency, _ = dataset.FigureOf(s.runs, latency)
		}
		out = append(out, one)
	}
	return out, nil
}

// sound returns the steps whose throughput holds, and those whose latency holds.
func (s series) sound() (throughput, latency []step) {
	for _, p := range s.steps {
		if p.throughput.Holds() {
			throughput = append(throughput, p)
		}
		if p.latency.Holds() {
			latency = append(latency, p)
		}
	}
	return throughput, latency
}

// numbers converts steps to the points that package stats uses.
func numbers(steps []step) []stats.SweepPoint {
	var out []stats.SweepPoint
	for _, s := range steps {
		out = append(out, stats.SweepPoint{Concurrency: s.at, Throughput: s.throughput.Metric.Value, Latency: s.latency.Metric.Value})
	}
	return out
}

// summary fills a table with a row for each series. It leaves out excluded steps and names them in a note.
func (w *swept) summary(t *builder.Table) {
	measured := w.over
	measured.Align = report.Left // words
	t.Columns = []report.Column{w.name, measured}
	under := func(group locale.Text, columns ...report.Column) {
		for _, c := range columns {
			c.Group = group
			t.Columns = append(t.Columns, c)
		}
	}
	// Values at the knee are not ranked, so their columns have no direction.
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
		under(locale.Join("", w.latency.Title, locale.Lit(" ≤ "+builder.Number(w.limit)+" "+w.latency.Unit)), highest, interpolated)
	}
	ends := map[[2]float64]bool{}
	for _, one := range w.series {
		throughput, latency := one.sound()
		row := report.Row{Cells: []report.Cell{builder.LabelCell(w.d, one.Runs, w.label, w.name.Align == report.Right), stepsCell(throughput, latency, ends)}}
		shown := map[*result.Result]bool{}
		row.Cells = append(row.Cells, peak(t, throughput, shown)...)
		row.Cells = append(row.Cells, w.knee(t, throughput, shown)...)
		if w.limit > 0 {
			row.Cells = append(row.Cells, capacity(t, latency, w.limit, shown)...)
		}
		t.Rows = append(t.Rows, row)
	}
	// Peaks are comparable only if all sweeps have the same range.
	if len(ends) > 1 {
		t.Note(result.Warning, locale.T("sweep.ranges"))
	} else {
		t.MarkBest()
	}
	w.excluded(t)
}

// stepsCell returns the range and the number of the steps of a series. It records the range in ends.
func stepsCell(throughput, latency []step, ends map[[2]float64]bool) report.Cell {
	var at []float64
	for _, s := range slices.Concat(throughput, latency) {
		at = append(at, s.at)
	}
	if len(at) == 0 {
		return report.Cell{Missing: true}
	}
	slices.Sort(at)
	at = slices.Compact(at)
	low, high := at[0], at[len(at)-1]
	ends[[2]float64{low, high}] = true
	span := builder.Number(low)
	if low < high {
		span += "–" + builder.Number(high)
	}
	return report.Cell{Text: locale.T("sweep.steps", span, len(at))}
}

// peak returns the highest throughput and the lowest step that has it.
func peak(t *builder.Table, steps []step, shown map[*result.Result]bool) []report.Cell {
	if len(steps) == 0 {
		return []report.Cell{{Missing: true}, {Missing: true}}
	}
	best := steps[0]
	for _, s := range steps {
		if s.throughput.Metric.Value > best.throughput.Metric.Value {
			best = s
		}
	}
	at := report.Cell{Text: locale.Lit(builder.Number(best.at)), Value: best.at, Numeric: true}
	if best.at == steps[len(steps)-1].at {
		at.Notes = []int{t.Note(result.Info, locale.T("sweep.last"))}
	}
	return []report.Cell{once(t, best.throughput, shown), at}
}

// once returns the cell of a figure. It reports what concerns its whole run only if no earlier cell of the row did.
func once(t *builder.Table, f dataset.Figure, shown map[*result.Result]bool) report.Cell {
	c := t.Cell(f, !shown[f.Runs[0]])
	shown[f.Runs[0]] = true
	return c
}

// knee returns the cells of the knee, or the reason why there is none.
func (w *swept) knee(t *builder.Table, steps []step, shown map[*result.Result]bool) []report.Cell {
	knee, ok := stats.Knee(numbers(steps))
	if !ok {
		why := locale.T("sweep.no-knee")
		if len(steps) < 4 {
			why = locale.T("sweep.few", len(steps))
		}
		none := report.Cell{Missing: true, Rule: "sweep.no-knee", Why: why}
		cells := []report.Cell{none, none}
		if w.latency.Metric != "" {
			cells = append(cells, none)
		}
		return cells
	}
	s := steps[slices.IndexFunc(steps, func(s step) bool { return s.at == knee.Concurrency })]
	cells := []report.Cell{
		{Text: locale.Lit(builder.Number(s.at)), Value: s.at, Numeric: true, Rule: "sweep.knee", Notes: []int{t.Note(result.Info, locale.T("sweep.knee.note"))}},
		once(t, s.throughput, shown),
	}
	switch {
	case w.latency.Metric == "":
	case s.latency.Holds():
		cells = append(cells, once(t, s.latency, shown))
	default:
		cells = append(cells, report.Cell{Missing: true})
	}
	return cells
}

// capacity returns the highest step that is within a latency limit together with all lower steps, and the interpolated
// step at which the limit is reached.
func capacity(t *builder.Table, steps []step, limit float64, shown map[*result.Result]bool) []report.Cell {
	if len(steps) == 0 {
		return []report.Cell{{Missing: true}, {Missing: true}}
	}
	c := stats.HighestUnder(numbers(steps), limit)
	last := slices.IndexFunc(steps, func(s step) bool { return s.at == c.Measured })
	switch c.Reach {
	case stats.NoneMeets:
		why := locale.T("sweep.none.why", builder.Number(steps[0].at), steps[0].latency.Text())
		none := reached(t, shown, steps[0])
		none.Text, none.Rule, none.Why = locale.T("sweep.none"), "sweep.none", why
		return []report.Cell{none, {Missing: true, Why: why}}
	case stats.AllMeet:
		s := steps[last]
		why := locale.T("sweep.all.why", builder.Number(s.at), s.latency.Text())
		all := reached(t, shown, s)
		all.Text, all.Value, all.Numeric = locale.Lit("≥ "+builder.Number(s.at)), s.at, true
		all.Rule, all.Why = "sweep.all", why
		return []report.Cell{all, {Missing: true, Why: why}}
	}
	p, q := steps[last], steps[last+1]
	why := locale.T("sweep.between", builder.Number(p.at), p.latency.Text(), builder.Number(q.at), q.latency.Text())
	measured, between := reached(t, shown, p), reached(t, shown, p, q)
	measured.Text, measured.Value, measured.Numeric = locale.Lit(builder.Number(p.at)), p.at, true
	measured.Rule, measured.Why = "sweep.measured", why
	if i := slices.IndexFunc(steps[last+1:], func(s step) bool { return s.latency.Metric.Value <= limit }); i >= 0 {
		measured.Notes = append(measured.Notes, t.Note(result.Warning, locale.T("sweep.again", builder.Number(steps[last+1+i].at))))
	}
	text := "≈ " + builder.Significant(c.Interpolated)
	between.Text, between.Value, between.Numeric = locale.Lit(text), c.Interpolated, true
	between.Rule, between.Why = "sweep.interpolated", why
	between.Notes = append(between.Notes, t.Note(result.Info, locale.T("sweep.interpolated.note", text, builder.Number(p.at), p.latency.Text(), builder.Number(q.at), q.latency.Text())))
	return []report.Cell{measured, between}
}

// reached returns a cell that rests on the latency of steps. It links to the run of the first step and has the faults
// of all of them.
func reached(t *builder.Table, shown map[*result.Result]bool, steps ...step) report.Cell {
	f := steps[0].latency
	c := report.Cell{Run: f.Runs[0].ID, Source: f.Runs[0].At(f.Metric), Field: f.Metric.Field}
	for _, s := range steps {
		r := s.latency.Runs[0]
		t.Judged(&c, s.latency.Runs, s.latency.Metric.Name, !shown[r])
		t.Sampled(&c, r, s.latency.Metric.Name)
		shown[r] = true
	}
	slices.Sort(c.Notes)
	c.Notes = slices.Compact(c.Notes)
	return c
}

// excluded notes the steps that were left out because a check excludes their runs.
func (w *swept) excluded(t *builder.Table) {
	for _, one := range w.series {
		n := 0
		var at []locale.Text
		for _, s := range one.steps {
			if dataset.AllExcluded(s.runs) {
				n += len(s.runs)
				at = append(at, locale.Lit(builder.Number(s.at)))
			}
		}
		if n > 0 {
			t.Note(result.Warning, locale.T("sweep.aside", w.d.Title(w.label, one.Values[0]), n, w.over.Title, locale.List(at...)))
		}
	}
}

// points fills a table with a row for each step. Excluded steps are struck through. Two columns show how throughput
// grows: scaling relates to all load up to the step, marginal to the load added since the previous step.
func (w *swept) points(t *builder.Table) {
	share := report.Column{Unit: "%", Align: report.Right, Better: result.Higher}
	scaling, marginal := share, share
	scaling.Title, marginal.Title = locale.T("sweep.scaling"), locale.T("sweep.marginal")
	t.Columns = []report.Column{w.name, w.over, w.throughput}
	if w.latency.Metric != "" {
		t.Columns = append(t.Columns, w.latency)
	}
	t.Columns = append(t.Columns, scaling, marginal)
	for _, one := range w.series {
		var first, before *step
		for i := range one.steps {
			s := &one.steps[i]
			row := report.Row{Excluded: dataset.AllExcluded(s.runs), Cells: []report.Cell{
				builder.LabelCell(w.d, one.Runs, w.label, w.name.Align == report.Right),
				{Text: locale.Lit(builder.Number(s.at)), Value: s.at, Numeric: true},
			}}
			shown := map[*result.Result]bool{}
			figures := []dataset.Figure{s.throughput, s.latency}
			if w.latency.Metric == "" {
				figures = figures[:1]
			}
			for _, f := range figures {
				if f.Runs == nil {
					row.Cells = append(row.Cells, report.Cell{Missing: true})
					continue
				}
				row.Cells = append(row.Cells, once(t, f, shown))
			}
			gains := []report.Cell{{Missing: true}, {Missing: true}}
			if s.throughput.Holds() {
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
	t.Note(result.Info, locale.T("sweep.scaling.note"))
	t.Note(result.Info, locale.T("sweep.marginal.note"))
}

// gain returns the scaling of a step relative to the first one, and its marginal gain since the previous one, which the
// first step does not have.
func gain(first, before, s *step) []report.Cell {
	cells := []report.Cell{{Missing: true}, {}}
	if first == nil {
		return cells
	}
	if share, ok := stats.ScalingEfficiency(first.at, first.throughput.Metric.Value, s.at, s.throughput.Metric.Value); ok {
		cells[0] = shareCell(share)
		if before != nil {
			added := (s.throughput.Metric.Value - before.throughput.Metric.Value) / (s.at - before.at)
			cells[1] = shareCell(added / (first.throughput.Metric.Value / first.at))
		}
	}
	return cells
}

// shareCell returns the cell of a share in a column in per cent.
func shareCell(share float64) report.Cell {
	digits := strconv.FormatFloat(100*math.Abs(share), 'f', 1, 64)
	if share < 0 && strings.Trim(digits, "0.") != "" {
		digits = "−" + digits
	}
	return report.Cell{Text: locale.Lit(digits), Value: 100 * share, Numeric: true}
}
