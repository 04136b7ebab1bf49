package report

import (
	"cmp"
	"slices"
	"strings"

	"benchpost/generator/bench"
	"benchpost/generator/locale"
	"benchpost/generator/settings"
)

// Plan is what is to be measured: every combination of the values of some
// labels, but for those excepted. Each combination is a cell.
type Plan struct {
	Name    string
	Title   locale.Text      // may be empty
	Labels  []PlanLabel      // at least one
	Except  []bench.Selector // combinations that are not planned
	Repeats int              // runs wanted in each cell; at least 1
	Where   bench.Selector   // which runs count
}

// PlanLabel is a label with the values planned of it, in the order shown.
type PlanLabel struct {
	Name   string
	Values []string
}

// planCell is a combination with its runs.
type planCell struct {
	values []string // of the plan's labels, in their order
	runs   []*bench.Result
}

func (c *planCell) key() string { return strings.Join(c.values, "\x00") }

// excepted tells whether a combination of the labels' values is left out.
func (p *Plan) excepted(values []string) bool {
	var r bench.Result
	for i, l := range p.Labels {
		r.Labels.Set(bench.Label{Name: l.Name, Value: values[i]})
	}
	return slices.ContainsFunc(p.Except, func(s bench.Selector) bool { return s.Match(&r) })
}

// combinations gives all combinations of the values of labels, the last label
// varying fastest; of no labels there is one, the empty.
func combinations(labels []PlanLabel) [][]string {
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

// cover holds a plan against runs. Inside are the cells of the plan, outside
// other combinations of its labels that runs have. A run that lacks one of the
// labels is in neither.
func (p *Plan) cover(rs []*bench.Result) (inside, outside []planCell) {
	place := map[string]int{}
	for _, values := range combinations(p.Labels) {
		if !p.excepted(values) {
			c := planCell{values: values}
			place[c.key()] = len(inside)
			inside = append(inside, c)
		}
	}
	beside := map[string]int{}
	for _, r := range rs {
		var c planCell
		for _, l := range p.Labels {
			c.values = append(c.values, r.Label(l.Name))
		}
		if slices.Contains(c.values, "") || !p.Where.Match(r) {
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

// The states of a planned cell, which are the rules of its entry in the grid
// and the keys of its words. They stand in the order of how far it got.
const (
	coverageDone     = "coverage.done"      // the runs wanted are complete and sound
	coveragePartial  = "coverage.partial"   // fewer than wanted, or one that is cut off or still going on
	coverageSetAside = "coverage.set-aside" // those that are complete are quarantined
	coverageFailed   = "coverage.failed"    // no run got through a request
	coverageMissing  = "coverage.missing"   // there is no run
)

var coverageStates = []string{coverageDone, coveragePartial, coverageSetAside, coverageFailed, coverageMissing}

// state is that of the run that got furthest, which speaks for the cell and is
// nil when there is none. Done counts the complete and sound runs; while they
// are fewer than repeats, the cell is partial.
func (c *planCell) state(repeats int) (state string, run *bench.Result, done int) {
	state = coverageMissing
	for _, r := range c.runs {
		s := runState(r)
		if s == coverageDone {
			done++
		}
		if slices.Index(coverageStates, s) < slices.Index(coverageStates, state) {
			state, run = s, r
		}
	}
	if state == coverageDone && done < repeats {
		state = coveragePartial
	}
	return state, run, done
}

// runState judges one run. A check that stands against a run that did not end
// says no more than that it did not.
func runState(r *bench.Result) string {
	switch {
	case r.Status == bench.Failed:
		return coverageFailed
	case r.Status == bench.Partial:
		return coveragePartial
	case r.Quarantined():
		return coverageSetAside
	}
	return coverageDone
}

// CoverageCount counts the cells of a plan by their state: Planned is the sum
// of the others.
type CoverageCount struct {
	Planned, Done, Partial, SetAside, Failed, Missing int
}

// Coverage counts what there is of a plan. A cell is done when it has as many
// complete and sound runs as are wanted.
func (d *Data) Coverage(p Plan) CoverageCount {
	cells, _ := p.cover(d.Results)
	n := CoverageCount{Planned: len(cells)}
	for i := range cells {
		switch state, _, _ := cells[i].state(p.Repeats); state {
		case coverageDone:
			n.Done++
		case coveragePartial:
			n.Partial++
		case coverageSetAside:
			n.SetAside++
		case coverageFailed:
			n.Failed++
		case coverageMissing:
			n.Missing++
		}
	}
	return n
}

// CoverageTables gives the grid of every plan, as the block coverage lays it
// out unless told otherwise.
func (d *Data) CoverageTables() []Table {
	var out []Table
	for _, p := range d.Plans {
		rows, columns := p.layout("", nil)
		out = append(out, *d.coverageTable(p, rows, columns, d.Results))
	}
	return out
}

type coverageSpec struct {
	Plan    string // may be left out when there is only one
	Where   string // narrows further which runs count
	Rows    string
	Columns []string
	Caption string
	Notes   []string
}

// coverage shows what there is of a plan.
func (d *Data) coverage(s coverageSpec) (*Table, error) {
	p, err := d.plan(s.Plan)
	if err != nil {
		return nil, about("plan", err)
	}
	rs := d.Results
	if s.Where != "" { // without it a plan needs no runs: all is missing
		if rs, err = d.selectSome(s.Where); err != nil {
			return nil, err
		}
	}
	if s.Rows != "" {
		if err := p.has(s.Rows); err != nil {
			return nil, about("rows", err)
		}
	}
	for i, name := range s.Columns {
		if err := p.has(name); err != nil {
			return nil, about("columns", err)
		}
		if name == s.Rows || slices.Contains(s.Columns[:i], name) {
			return nil, about("columns", problem("a label stands once, as row or as column", "%q is laid out twice", name))
		}
	}
	rows, columns := p.layout(s.Rows, s.Columns)
	if rows.Name == "" {
		return nil, about("columns", problem("name fewer columns", "all labels of the plan are columns: none is left for the rows"))
	}
	for _, l := range p.Labels {
		if l.Name != rows.Name && !slices.ContainsFunc(columns, func(c PlanLabel) bool { return c.Name == l.Name }) {
			return nil, about("columns", problem("add it to columns", "the plan's label %q is neither row nor column", l.Name))
		}
	}
	t := d.coverageTable(p, rows, columns, rs)
	if s.Caption != "" {
		t.Caption = locale.Lit(s.Caption)
	}
	for _, n := range s.Notes {
		t.note(bench.Info, locale.Lit(n))
	}
	return t, nil
}

// plan finds a plan by name; "" is the only one.
func (d *Data) plan(name string) (Plan, error) {
	var names []string
	for _, p := range d.Plans {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	switch {
	case len(names) == 0:
		return Plan{}, problem("declare a [[plan]] in site.toml", "there is no plan")
	case name == "" && len(names) == 1:
		return d.Plans[0], nil
	case name == "":
		return Plan{}, problem("name one of: "+strings.Join(names, ", "), "there are %d plans", len(names))
	}
	return Plan{}, problem(settings.Offer(name, names, "there are: "+shorten(names, 12)), "no plan is called %q", name)
}

// has tells whether a name is a label of the plan.
func (p *Plan) has(name string) error {
	var names []string
	for _, l := range p.Labels {
		if l.Name == name {
			return nil
		}
		names = append(names, l.Name)
	}
	return problem(settings.Offer(name, names, "its labels: "+strings.Join(names, ", ")), "%q is no label of the plan %s", name, p.Name)
}

// layout gives the labels down and across: those named, otherwise the label
// with the most values down and the others across.
func (p *Plan) layout(rows string, columns []string) (down PlanLabel, across []PlanLabel) {
	free := slices.Clone(p.Labels)
	take := func(i int) PlanLabel {
		l := free[i]
		free = slices.Delete(free, i, i+1)
		return l
	}
	named := func(name string) int {
		return slices.IndexFunc(free, func(l PlanLabel) bool { return l.Name == name })
	}
	if rows != "" {
		down = take(named(rows))
	}
	for _, name := range columns {
		across = append(across, take(named(name)))
	}
	if rows == "" && len(free) > 0 {
		most := slices.MaxFunc(free, func(a, b PlanLabel) int { return cmp.Compare(len(a.Values), len(b.Values)) })
		down = take(named(most.Name))
	}
	if columns == nil {
		across = free
	}
	return down, across
}

// coverageTable lays out a plan with its runs. Cells are named as they are
// found: row, then column.
func (d *Data) coverageTable(p Plan, rows PlanLabel, columns []PlanLabel, rs []*bench.Result) *Table {
	p.Labels = append([]PlanLabel{rows}, columns...)
	inside, outside := p.cover(rs)
	cells := map[string]*planCell{}
	for i := range inside {
		cells[inside[i].key()] = &inside[i]
	}
	t := &Table{Kind: "coverage", Caption: p.Title}
	if t.Caption.IsZero() {
		t.Caption = locale.Lit(p.Name)
	}
	t.Columns = []Column{{Title: locale.LabelName(rows.Name)}}
	across := combinations(columns)
	for _, values := range across {
		h := Column{Title: locale.LabelName("status")}
		var words []locale.Text
		for i, v := range values {
			words = append(words, d.title(columns[i].Name, v))
		}
		if last := len(words) - 1; last >= 0 {
			h.Title = words[last]
			h.Group = locale.Join(" · ", words[:last]...)
		}
		t.Columns = append(t.Columns, h)
	}
	for _, down := range rows.Values {
		head := Cell{Text: d.title(rows.Name, down)}
		if rows.Name == "model" {
			head.URL = d.Links[down]
		}
		row := Row{Cells: []Cell{head}}
		for _, values := range across {
			here := planCell{values: append([]string{down}, values...)}
			row.Cells = append(row.Cells, coverageCell(cells[here.key()], p.Repeats))
		}
		t.Rows = append(t.Rows, row)
	}
	t.note(bench.Info, d.coverageSum(p, inside))
	if len(inside) < len(rows.Values)*len(across) {
		t.note(bench.Info, locale.T("coverage.unplanned"))
	}
	n := 0
	for _, c := range outside {
		n += len(c.runs)
	}
	if n > 0 {
		t.note(bench.Info, locale.T("coverage.outside", n, d.cellNames(p, outside)))
	}
	return t
}

// coverageCell words the state of a cell; nil is one that is not planned. A
// cell that is set aside is not struck: its words say it.
func coverageCell(c *planCell, repeats int) Cell {
	if c == nil {
		return Cell{Text: locale.Lit("—"), Rule: "coverage.unplanned"}
	}
	state, run, done := c.state(repeats)
	cell := Cell{Text: locale.T(state), Rule: state}
	if run == nil {
		return cell
	}
	cell.Run = run.ID
	switch {
	case done > 0 && repeats > 1:
		cell.Text = locale.T("coverage.of", min(done, repeats), repeats)
	case state == coveragePartial:
		cell.Why = locale.T("check.cut-off")
	case state == coverageSetAside:
		i := slices.IndexFunc(run.Checks, func(c bench.Check) bool { return c.Severity == bench.Error && c.Waived == "" })
		cell.Why = run.Checks[i].Text
	}
	return cell
}

// coverageSum says how many cells are done, and which are not and why.
func (d *Data) coverageSum(p Plan, cells []planCell) locale.Text {
	by := map[string][]planCell{}
	for i := range cells {
		state, _, _ := cells[i].state(p.Repeats)
		by[state] = append(by[state], cells[i])
	}
	sum := locale.T("coverage.sum", len(by[coverageDone]), len(cells))
	for _, state := range coverageStates[1:] {
		if len(by[state]) > 0 {
			sum = locale.T("coverage.and", sum, locale.T(state), d.cellNames(p, by[state]))
		}
	}
	return sum
}

// mostNamed bounds the cells that a note names.
const mostNamed = 6

// cellNames lists cells by their values: "Qwen3-8B · High load".
func (d *Data) cellNames(p Plan, cells []planCell) locale.Text {
	var names []locale.Text
	for _, c := range cells[:min(len(cells), mostNamed)] {
		var words []locale.Text
		for i, l := range p.Labels {
			words = append(words, d.title(l.Name, c.values[i]))
		}
		names = append(names, locale.Join(" · ", words...))
	}
	if more := len(cells) - mostNamed; more > 0 {
		names = append(names, locale.T("coverage.more", more))
	}
	return locale.List(names...)
}
