package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
)

type historySpec struct {
	Where   string
	Over    string // label across, in the order of its values; date when all runs have it, else engine_version
	Value   oneOrMore
	Series  string // label down; model when empty
	Caption string
	Notes   []string
	Accept  []string // settings in which the runs may differ
}

// oneOrMore is a name or a list of names.
type oneOrMore []string

// UnmarshalTOML reads the string or the list.
func (names *oneOrMore) UnmarshalTOML(v any) error {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	for _, v := range list {
		name, ok := v.(string)
		if !ok {
			return fmt.Errorf("a metric or a list of metrics is wanted, not %v", v)
		}
		*names = append(*names, name)
	}
	return nil
}

// history lays metrics out over time or versions, one row for each series,
// and says where their level changed.
func (d *Data) history(s historySpec) (*Table, error) {
	rs, err := d.selectSome(s.Where)
	if err != nil {
		return nil, err
	}
	if s.Series == "" {
		s.Series = "model"
	}
	if s.Over == "" {
		s.Over = "engine_version"
		if len(having(rs, "date")) == len(rs) {
			s.Over = "date"
		}
	}
	if len(s.Value) == 0 {
		return nil, problem(`as value = "output_throughput"`, "value is missing")
	}
	for _, part := range []struct{ key, name string }{{"over", s.Over}, {"series", s.Series}} {
		if _, label := known(rs, part.name); !label {
			return nil, about(part.key, unknownName(rs, part.name))
		}
	}
	for _, name := range s.Value {
		if metric, _ := known(rs, name); !metric {
			return nil, about("value", unknownName(rs, name))
		}
	}
	all := len(rs)
	if rs = having(having(rs, s.Over), s.Series); len(rs) == 0 {
		return nil, about("over", lack("write over and series so that runs have both", "no run has both %s and %s", s.Over, s.Series))
	}
	across := d.periods(rs, s.Over)
	t := &Table{Kind: "history", Caption: locale.Lit(s.Caption)}
	t.Columns = []Column{d.header(rs, column{name: s.Series, label: true}, "", nil)}
	for _, name := range s.Value {
		h := d.header(rs, column{name: name}, "", nil)
		title := h.Title
		if len(s.Value) > 1 {
			h.Group = title
		} else if s.Caption == "" {
			t.Caption = withUnit(title, h.Unit)
		}
		for _, v := range across {
			h.Title = d.title(s.Over, v)
			t.Columns = append(t.Columns, h)
		}
		if len(across) > 1 {
			t.Columns = append(t.Columns, Column{Group: h.Group, Title: locale.T("history.overall"), Align: Right})
		}
	}
	for _, g := range d.groups(rs, []string{s.Series}) {
		row := Row{Cells: []Cell{d.labelCell(g.runs, s.Series, t.Columns[0].Align == Right)}}
		for _, name := range s.Value {
			line := historyLine{d: d, t: t, over: s.Over, across: across, metric: name, title: row.Cells[0].Text}
			by := byPeriod(g.runs, s.Over)
			for _, v := range across {
				here := by[v]
				if err := repeats(here, place([]string{s.Series, s.Over}, []string{g.values[0], v})); err != nil {
					return nil, err
				}
				line.add(here)
			}
			line.markSteps()
			row.Cells = append(row.Cells, line.cells...)
			if len(across) > 1 {
				row.Cells = append(row.Cells, line.overall())
			}
		}
		t.Rows = append(t.Rows, row)
	}
	if len(across) > 1 {
		t.note(result.Info, locale.T("history.change"))
	}
	if len(t.Answers) > 0 {
		t.note(result.Info, locale.T("history.rule", fmt.Sprintf("%.0f%%", 100*d.rules().Noise)))
	}
	if n := all - len(rs); n > 0 {
		t.note(result.Info, locale.T("history.left-out", n, locale.LabelName(s.Over), locale.LabelName(s.Series)))
	}
	t.compared = comparison{rs, []string{s.Series, s.Over}, s.Accept}
	for _, n := range s.Notes {
		t.note(result.Info, locale.Lit(n))
	}
	return t, nil
}

// period is the column a value belongs to: the day of a time as RFC 3339
// writes it, with or without its zone; any other value is its own.
func period(value string) string {
	if !strings.Contains(value, "T") {
		return value
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05"} {
		if _, err := time.Parse(layout, value); err == nil {
			return value[:len("2006-01-02")]
		}
	}
	return value
}

// periods gives the columns of a label in order: days by the calendar, which
// for days written in full is their natural order, and so are versions.
func (d *Data) periods(rs []*result.Result, over string) []string {
	var out []string
	seen := map[string]bool{}
	for _, v := range d.values(rs, over) {
		if p := period(v); !seen[p] {
			seen[p] = true
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return d.compareValues(over, a, b) })
	return out
}

// byPeriod gives the results of each column, in their order.
func byPeriod(rs []*result.Result, over string) map[string][]*result.Result {
	by := map[string][]*result.Result{}
	for _, r := range rs {
		p := period(r.Label(over))
		by[p] = append(by[p], r)
	}
	return by
}

// historyLine is one metric of one series, filled column by column.
type historyLine struct {
	d      *Data
	t      *Table
	over   string
	across []string
	metric string
	title  locale.Text // of the series

	cells  []Cell
	sound  []figure    // of each column, without the runs that do not count; no runs where there are none
	values [][]float64 // of those runs
}

// add takes the runs of the next column. Those that are excluded or failed
// do not count beside others, and are shown struck where they are alone.
func (l *historyLine) add(rs []*result.Result) {
	counting := slices.DeleteFunc(slices.Clone(rs), func(r *result.Result) bool { return r.Status == result.Failed })
	sound, ok := figureOf(counting, l.metric)
	cell := Cell{Missing: true}
	switch {
	case ok && !sound.excluded():
		cell = l.t.cell(sound, true)
		if before := l.last(); before >= 0 {
			l.t.change(&cell, &l.cells[before], true, l.d.rules().Noise)
		}
	case ok:
		cell, sound = l.t.cell(sound, true), figure{}
	default:
		if failed, ok := figureOf(rs, l.metric); ok {
			cell = l.t.cell(failed, true)
			cell.Excluded = true
			cell.Notes = append(cell.Notes, l.t.note(result.Warning, locale.T("history.failed")))
		}
	}
	l.cells = append(l.cells, cell)
	l.sound = append(l.sound, sound)
	l.values = append(l.values, sound.values)
}

// last is the last column so far that has a figure that counts, -1 when none
// has.
func (l *historyLine) last() int {
	for i := len(l.sound) - 1; i >= 0; i-- {
		if len(l.sound[i].runs) > 0 {
			return i
		}
	}
	return -1
}

// overall is the change from the first to the last figure that counts.
func (l *historyLine) overall() Cell {
	first := slices.IndexFunc(l.sound, func(f figure) bool { return len(f.runs) > 0 })
	last := l.last()
	if first == last || l.cells[first].Value == 0 {
		return Cell{Missing: true}
	}
	c := Cell{Value: 100 * (l.cells[last].Value/l.cells[first].Value - 1), Numeric: true}
	c.Text = change(l.cells[last].Value, l.cells[first].Value, true)
	return c
}

// level is a step of a line: from what to what, and between which columns.
type level struct {
	stats.Step
	from, to   string // the medians before and after, as the metric is written
	begin, end int    // columns of the two levels: [begin, Index) and [Index, end)
}

// percent is the change from the one level to the other.
func (l level) percent() string { return writePercent(l.After/l.Before-1, 1) }

// levels gives the steps of the line.
func (l *historyLine) levels() []level {
	steps, _ := stats.Steps(l.values, l.d.rules().Noise)
	out := make([]level, len(steps))
	for i, s := range steps {
		m := l.sound[s.Index].metric
		out[i] = level{Step: s, from: digitsAs(m, s.Before), to: digitsAs(m, s.After), end: len(l.values)}
		if i > 0 {
			out[i].begin = steps[i-1].Index
		}
		if i+1 < len(steps) {
			out[i].end = steps[i+1].Index
		}
	}
	return out
}

// markSteps marks where the level changed, and says so below the table.
func (l *historyLine) markSteps() {
	for _, s := range l.levels() {
		m := l.sound[s.Index].metric
		span := s.from + " → " + s.to
		if m.Unit != "" && m.Unit != "1" {
			span += " " + m.Unit
		}
		n1, n2 := s.Comparison.N1, s.Comparison.N2
		basis := locale.T("history.basis", span, n1, n2)
		if !s.Lasting {
			basis = locale.T("history.last", basis)
		}
		percent := s.percent()

		cell := &l.cells[s.Index]
		cell.Rule = "history.step"
		cell.Why = locale.T("report.with-unit", percent, basis)
		cell.Change = locale.T(stepWord(m.Better, s.Step), cell.Change)

		claim := "history.rises"
		if s.After < s.Before {
			claim = "history.falls"
		}
		f := Finding{
			Rule: cell.Rule,
			Text: locale.T(claim, l.title, locale.MetricName(l.metric), strings.TrimLeft(percent, "+−"), l.d.title(l.over, l.across[s.Index]), basis),
			N:    min(n1, n2), Effect: math.Log(s.After / s.Before),
		}
		for _, level := range l.sound[s.begin:s.end] {
			for _, r := range level.runs {
				f.Runs = append(f.Runs, r.ID)
			}
		}
		slices.SortFunc(f.Runs, result.NaturalCompare)
		l.t.Answers = append(l.t.Answers, f)
	}
}

// stepWord is the key of the word for a step in a metric's direction.
func stepWord(dir result.Better, s stats.Step) string {
	switch {
	case dir == result.Neutral:
		return "history.step"
	case better(dir, s.After, s.Before):
		return "history.improvement"
	}
	return "history.regression"
}
