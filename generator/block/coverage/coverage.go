// Package coverage compares plans with the existing runs: which are done, running or missing, and how long the rest
// will take.
package coverage

import (
	"cmp"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
)

// planCell is a combination of label values with its runs.
type planCell struct {
	values []string // values of the plan's labels, in their order
	runs   []*result.Result
	begun  []*result.Unfinished // runs without a result yet
}

func (c *planCell) key() string { return strings.Join(c.values, "\x00") }

// excepted reports whether the plan leaves out a combination of label values.
func excepted(p *dataset.Plan, values []string) bool {
	var r result.Result
	for i, l := range p.Labels {
		r.Labels.Set(result.Label{Name: l.Name, Value: values[i]})
	}
	return slices.ContainsFunc(p.Except, func(s result.Selector) bool { return s.Match(&r) })
}

// combinations returns all combinations of the values of labels. The last label varies fastest. Without labels there is
// one empty combination.
func combinations(labels []dataset.PlanLabel) [][]string {
	all := [][]string{nil}
	for _, l := range labels {
		var longer [][]string
		for _, c := range all {
			for _, v := range l.Values {
				longer = append(longer, append(slices.Clone(c), v))
			}
		}
		all = longer
	}
	return all
}

// cover compares a plan with runs. It returns the cells of the plan (inside), and the other combinations of its labels
// that runs have (outside). It skips runs that lack one of the labels.
func cover(p *dataset.Plan, rs []*result.Result, begun []*result.Unfinished) (inside, outside []planCell) {
	place := map[string]int{}
	for _, values := range combinations(p.Labels) {
		if !excepted(p, values) {
			c := planCell{values: values}
			place[c.key()] = len(inside)
			inside = append(inside, c)
		}
	}
	for _, u := range begun {
		r := u.Run()
		if c, ok := cellOf(p, &r); ok {
			if i, ok := place[c.key()]; ok {
				inside[i].begun = append(inside[i].begun, u)
			}
		}
	}
	beside := map[string]int{}
	for _, r := range rs {
		c, ok := cellOf(p, r)
		if !ok {
			continue
		}
		if i, ok := place[c.key()]; ok {
			inside[i].runs = append(inside[i].runs, r)
			continue
		}
		i, ok := beside[c.key()]
		if !ok {
			i = len(outside)
			beside[c.key()] = i
			outside = append(outside, c)
		}
		outside[i].runs = append(outside[i].runs, r)
	}
	return inside, outside
}

// cellOf returns the combination of a run. ok is false if the run lacks a label or does not match the plan.
func cellOf(p *dataset.Plan, r *result.Result) (c planCell, ok bool) {
	for _, l := range p.Labels {
		c.values = append(c.values, r.Label(l.Name))
	}
	return c, !slices.Contains(c.values, "") && p.Where.Match(r)
}

// The states of a planned cell, ordered by progress. They are the rules of the cell in the grid and the keys of its
// text.
const (
	coverageDone       = "coverage.done"       // all wanted runs are complete and not excluded
	coverageRunning    = "coverage.running"    // a run is in progress
	coveragePartial    = "coverage.partial"    // fewer runs than wanted, or a run that was cut off
	coverageExcluded   = "coverage.excluded"   // the complete runs are excluded
	coverageUnfinished = "coverage.unfinished" // a run was begun and has no result
	coverageFailed     = "coverage.failed"     // no run completed a request
	coverageMissing    = "coverage.missing"    // there is no run
	coveragePlanned    = "coverage.planned"    // there is no run yet, but other cells of the plan are running
)

var coverageStates = []string{coverageDone, coverageRunning, coveragePartial, coverageExcluded, coverageUnfinished, coverageFailed, coverageMissing, coveragePlanned}

// further returns the more advanced of two states.
func further(a, b string) string {
	if slices.Index(coverageStates, a) <= slices.Index(coverageStates, b) {
		return a
	}
	return b
}

// state returns the state of the cell: the state of its most advanced run, which is nil if there is none. done counts
// the runs that are complete and not excluded. While done is less than repeats, the cell is partial or running.
func (c *planCell) state(repeats int) (state string, run *result.Result, done int) {
	state = coverageMissing
	for _, r := range c.runs {
		s := runState(r)
		if s == coverageDone {
			done++
		}
		if further(s, state) != state {
			state, run = s, r
		}
	}
	if state == coverageDone && done < repeats {
		state = coveragePartial
	}
	for _, u := range c.begun {
		if u.Failure != "" {
			state = further(state, coverageFailed)
		} else {
			state = further(state, coverageUnfinished)
		}
	}
	if c.running() != nil {
		state = further(state, coverageRunning)
	}
	return state, run, done
}

// running returns a run of the cell that is in progress, nil for none.
func (c *planCell) running() *result.Unfinished {
	if i := slices.IndexFunc(c.begun, func(u *result.Unfinished) bool { return u.Running }); i >= 0 {
		return c.begun[i]
	}
	return nil
}

// anyRunning reports whether a run of some cell is in progress. Missing cells are then planned.
func anyRunning(cells []planCell) bool {
	return slices.ContainsFunc(cells, func(c planCell) bool { return c.running() != nil })
}

// runState returns the state of one run. Failed and partial runs keep that state even if a check excludes them.
func runState(r *result.Result) string {
	switch {
	case r.Status == result.Failed:
		return coverageFailed
	case r.Status == result.Partial:
		return coveragePartial
	case r.Excluded():
		return coverageExcluded
	}
	return coverageDone
}

// Count counts the cells of a plan by state. Planned is the number of all cells.
type Count struct {
	Planned, Done, Running, Partial, Excluded, Unfinished, Failed, Missing int
}

// Of counts the cells of a plan by state. A cell is done when it has the wanted number of runs that are complete and
// not excluded.
func Of(d *dataset.Selection, p dataset.Plan) Count {
	cells, _ := cover(&p, d.Results, d.Unfinished)
	n := Count{Planned: len(cells)}
	for i := range cells {
		switch state, _, _ := cells[i].state(p.Repeats); state {
		case coverageDone:
			n.Done++
		case coverageRunning:
			n.Running++
		case coveragePartial:
			n.Partial++
		case coverageExcluded:
			n.Excluded++
		case coverageUnfinished:
			n.Unfinished++
		case coverageFailed:
			n.Failed++
		case coverageMissing:
			n.Missing++
		}
	}
	return n
}

// Tables returns the grid of every plan, in the default layout of the block coverage.
func Tables(d *dataset.Selection) []report.Table {
	var out []report.Table
	for _, p := range d.Plans {
		rows, columns := layout(&p, "", nil)
		out = append(out, grid(d, p, rows, columns, d.Results, d.Unfinished).Table)
	}
	return out
}

// unfinished returns the runs without a result that a selector matches.
func unfinished(d *dataset.Selection, where string) []*result.Unfinished {
	selector, err := result.ParseSelector(where)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(d.Unfinished), func(u *result.Unfinished) bool {
		r := u.Run()
		return !selector.Match(&r)
	})
}

// Spec holds the keys of the block coverage.
type Spec struct {
	Plan    string // optional if there is only one
	Where   string // further restricts the runs that count
	Rows    string
	Columns []string
	Caption string
	Notes   []string
}

// Table returns the grid of a plan.
func Table(d *dataset.Selection, s Spec) (*builder.Table, error) {
	p, err := plan(d, s.Plan)
	if err != nil {
		return nil, dataset.About("plan", err)
	}
	rs, begun := d.Results, d.Unfinished
	if s.Where != "" { // without where, a plan without runs is valid: all its cells are missing
		begun = unfinished(d, s.Where)
		if rs, err = d.Select(s.Where); err != nil && len(begun) == 0 {
			return nil, err
		}
	}
	if s.Rows != "" {
		if err := has(&p, s.Rows); err != nil {
			return nil, dataset.About("rows", err)
		}
	}
	for i, name := range s.Columns {
		if err := has(&p, name); err != nil {
			return nil, dataset.About("columns", err)
		}
		if name == s.Rows || slices.Contains(s.Columns[:i], name) {
			return nil, dataset.About("columns", dataset.Wrongf(locale.Textf("use a label once, as row or as column"), "%q is used twice", name))
		}
	}
	rows, columns := layout(&p, s.Rows, s.Columns)
	if rows.Name == "" {
		return nil, dataset.About("columns", dataset.Wrongf(locale.Textf("name fewer columns"), "all labels of the plan are columns: none is left for the rows"))
	}
	for _, l := range p.Labels {
		if l.Name != rows.Name && !slices.ContainsFunc(columns, func(c dataset.PlanLabel) bool { return c.Name == l.Name }) {
			return nil, dataset.About("columns", dataset.Wrongf(locale.Textf("add it to columns"), "the plan's label %q is neither row nor column", l.Name))
		}
	}
	t := grid(d, p, rows, columns, rs, begun)
	if s.Caption != "" {
		t.Caption = locale.Lit(s.Caption)
	}
	for _, n := range s.Notes {
		t.Note(result.Info, locale.Lit(n))
	}
	return t, nil
}

// plan finds a plan by name. With the name "" it returns the only plan.
func plan(d *dataset.Selection, name string) (dataset.Plan, error) {
	var names []string
	for _, p := range d.Plans {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	switch {
	case len(names) == 0:
		return dataset.Plan{}, dataset.Wrongf(locale.Textf("declare a [[plan]] in site.toml"), "there is no plan")
	case name == "" && len(names) == 1:
		return d.Plans[0], nil
	case name == "":
		return dataset.Plan{}, dataset.Wrongf(locale.Textf("name one of: %s", locale.Commas(names...)), "there are %d plans", len(names))
	}
	return dataset.Plan{}, dataset.Wrongf(settings.Offer(name, names, locale.Textf("there are: %s", locale.Few(names, 12))), "no plan is called %q", name)
}

// has returns an error if a name is not a label of the plan.
func has(p *dataset.Plan, name string) error {
	var names []string
	for _, l := range p.Labels {
		if l.Name == name {
			return nil
		}
		names = append(names, l.Name)
	}
	return dataset.Wrongf(settings.Offer(name, names, locale.Textf("its labels: %s", locale.Commas(names...))), "%q is not a label of the plan %s", name, p.Name)
}

// layout returns the labels of the rows and of the columns: those named, or else the label with the most values for the
// rows and the others for the columns.
func layout(p *dataset.Plan, rows string, columns []string) (down dataset.PlanLabel, across []dataset.PlanLabel) {
	free := slices.Clone(p.Labels)
	take := func(i int) dataset.PlanLabel {
		l := free[i]
		free = slices.Delete(free, i, i+1)
		return l
	}
	named := func(name string) int {
		return slices.IndexFunc(free, func(l dataset.PlanLabel) bool { return l.Name == name })
	}
	if rows != "" {
		down = take(named(rows))
	}
	for _, name := range columns {
		across = append(across, take(named(name)))
	}
	if rows == "" && len(free) > 0 {
		most := slices.MaxFunc(free, func(a, b dataset.PlanLabel) int { return cmp.Compare(len(a.Values), len(b.Values)) })
		down = take(named(most.Name))
	}
	if columns == nil {
		across = free
	}
	return down, across
}

// grid returns the table of a plan with its runs.
func grid(d *dataset.Selection, p dataset.Plan, rows dataset.PlanLabel, columns []dataset.PlanLabel, rs []*result.Result, begun []*result.Unfinished) *builder.Table {
	p.Labels = append([]dataset.PlanLabel{rows}, columns...)
	inside, outside := cover(&p, rs, begun)
	toCome := anyRunning(inside)
	cells := map[string]*planCell{}
	for i := range inside {
		cells[inside[i].key()] = &inside[i]
	}
	t := builder.NewTable("coverage", p.Title)
	if t.Caption.IsZero() {
		t.Caption = locale.Lit(p.Name)
	}
	t.Columns = []report.Column{{Title: locale.LabelName(rows.Name)}}
	across := combinations(columns)
	for _, values := range across {
		h := report.Column{Title: locale.LabelName("status")}
		var words []locale.Text
		for i, v := range values {
			words = append(words, d.Title(columns[i].Name, v))
		}
		if last := len(words) - 1; last >= 0 {
			h.Title = words[last]
			h.Group = locale.Join(" · ", words[:last]...)
		}
		t.Columns = append(t.Columns, h)
	}
	for _, down := range rows.Values {
		head := report.Cell{Text: d.Title(rows.Name, down)}
		if rows.Name == "model" {
			head.URL = d.Links[down]
		}
		row := report.Row{Cells: []report.Cell{head}}
		for _, values := range across {
			here := planCell{values: append([]string{down}, values...)}
			row.Cells = append(row.Cells, coverageCell(cells[here.key()], p.Repeats, toCome))
		}
		t.Rows = append(t.Rows, row)
	}
	t.Note(result.Info, sum(d, p, inside))
	if left, from, ok := timeLeft(inside, p.Repeats); ok {
		t.Note(result.Info, locale.T("coverage.left", locale.About(left), from))
	}
	if len(inside) < len(rows.Values)*len(across) {
		t.Note(result.Info, locale.T("coverage.unplanned"))
	}
	n := 0
	for _, c := range outside {
		n += len(c.runs)
	}
	if n > 0 {
		t.Note(result.Info, locale.T("coverage.outside", n, cellNames(d, p, outside)))
	}
	return t
}

// coverageCell returns the cell for a planned cell; nil means that the combination is not planned. An excluded cell is
// not struck through, since its text names the state.
func coverageCell(c *planCell, repeats int, toCome bool) report.Cell {
	if c == nil {
		return report.Cell{Text: locale.Lit("—"), Rule: "coverage.unplanned"}
	}
	state, run, done := c.state(repeats)
	if state == coverageMissing && toCome {
		state = coveragePlanned
	}
	cell := report.Cell{Text: locale.T(state), Rule: state}
	if run != nil {
		cell.Run = run.ID
	}
	counted := done > 0 && repeats > 1
	if counted {
		cell.Text = locale.T("coverage.of", min(done, repeats), repeats)
	}
	switch {
	case state == coverageRunning:
		running := locale.T(state)
		if at := c.running().Short(); at != "" {
			running = locale.T("coverage.running.at", at)
		}
		if counted {
			running = locale.T("coverage.of.running", cell.Text, running)
		}
		cell.Text = running
	case state == coverageUnfinished, state == coverageFailed && run == nil:
		cell.Run, cell.Why = "", c.begun[len(c.begun)-1].State()
	case state == coveragePartial && !counted:
		cell.Why = locale.T("check.cut-off")
	case state == coverageExcluded:
		i := slices.IndexFunc(run.Checks, func(c result.Check) bool { return c.Severity == result.Error && c.Waived == "" })
		cell.Why = run.Checks[i].Text
	}
	return cell
}

// sum returns a note: how many cells are done, and the state of the others.
func sum(d *dataset.Selection, p dataset.Plan, cells []planCell) locale.Text {
	by := map[string][]planCell{}
	toCome := anyRunning(cells)
	for i := range cells {
		state, _, _ := cells[i].state(p.Repeats)
		if state == coverageMissing && toCome {
			state = coveragePlanned
		}
		by[state] = append(by[state], cells[i])
	}
	sum := locale.T("coverage.sum", len(by[coverageDone]), len(cells))
	for _, state := range coverageStates[1:] {
		if len(by[state]) > 0 {
			sum = locale.T("coverage.and", sum, locale.T(state), cellNames(d, p, by[state]))
		}
	}
	return sum
}

// mostNamed is the maximum number of cells that a note names.
const mostNamed = 6

// cellNames lists cells by their values: "Qwen3-8B · High load".
func cellNames(d *dataset.Selection, p dataset.Plan, cells []planCell) locale.Text {
	var names []locale.Text
	for _, c := range cells[:min(len(cells), mostNamed)] {
		var words []locale.Text
		for i, l := range p.Labels {
			words = append(words, d.Title(l.Name, c.values[i]))
		}
		names = append(names, locale.Join(" · ", words...))
	}
	if more := len(cells) - mostNamed; more > 0 {
		names = append(names, locale.T("coverage.more", more))
	}
	return locale.List(names...)
}
