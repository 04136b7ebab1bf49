// Package trends shows metrics over dates and versions, and where their level changed: as a block of a post, and for
// every variant on pages without an author's block.
package trends

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
)

// Spec holds the keys of the block history.
type Spec struct {
	Where   string
	Over    string // label of the columns, sorted by value; default: date if all runs have it, else engine_version
	Value   oneOrMore
	Series  string // label of the rows; default: model
	Caption string
	Notes   []string
	Accept  []string // settings in which the runs may differ
}

// oneOrMore is a name or a list of names.
type oneOrMore []string

// UnmarshalTOML parses a string or a list of strings.
func (names *oneOrMore) UnmarshalTOML(v any) error {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	for _, v := range list {
		name, ok := v.(string)
		if !ok {
			return locale.Errorf("expected a metric or a list of metrics, not %v", v)
		}
		*names = append(*names, name)
	}
	return nil
}

// JSONSchema describes the values that UnmarshalTOML accepts.
func (names *oneOrMore) JSONSchema() map[string]any {
	text := map[string]any{"type": "string"}
	return map[string]any{"anyOf": []any{text, map[string]any{"type": "array", "items": text}}}
}

// History returns a table of metrics over dates or versions, with one row for each series. It reports where their level
// changed.
func History(d *dataset.Selection, s Spec) (*builder.Table, error) {
	rs, err := d.Select(s.Where)
	if err != nil {
		return nil, err
	}
	if s.Series == "" {
		s.Series = "model"
	}
	if s.Over == "" {
		s.Over = "engine_version"
		if len(dataset.Having(rs, "date")) == len(rs) {
			s.Over = "date"
		}
	}
	if len(s.Value) == 0 {
		return nil, dataset.Wrongf(locale.Textf(`for example value = "output_throughput"`), "value is missing")
	}
	for _, part := range []struct{ key, name string }{{"over", s.Over}, {"series", s.Series}} {
		if _, label := dataset.Known(rs, part.name); !label {
			return nil, dataset.About(part.key, dataset.Unknown(rs, part.name))
		}
	}
	for _, name := range s.Value {
		if metric, _ := dataset.Known(rs, name); !metric {
			return nil, dataset.About("value", dataset.Unknown(rs, name))
		}
		if err := dataset.OneUnit(rs, name); err != nil {
			return nil, dataset.About("value", err)
		}
	}
	all := len(rs)
	if rs = dataset.Having(dataset.Having(rs, s.Over), s.Series); len(rs) == 0 {
		return nil, dataset.About("over", dataset.Lackf(locale.Textf("write over and series so that runs have both"), "no run has both %s and %s", s.Over, s.Series))
	}
	across := d.Periods(rs, s.Over)
	t := builder.NewTable("history", locale.Lit(s.Caption))
	t.Columns = []report.Column{builder.Header(d, rs, builder.Heading{Name: s.Series, Label: true}, "", nil)}
	for _, name := range s.Value {
		h := builder.Header(d, rs, builder.Heading{Name: name}, "", nil)
		title := h.Title
		if len(s.Value) > 1 {
			h.Group = title
		} else if s.Caption == "" {
			t.Caption = builder.WithUnit(title, h.Unit)
		}
		for _, v := range across {
			h.Title = d.Title(s.Over, v)
			t.Columns = append(t.Columns, h)
		}
		if len(across) > 1 {
			t.Columns = append(t.Columns, report.Column{Group: h.Group, Title: locale.T("history.overall"), Align: report.Right})
		}
	}
	for _, g := range d.Groups(rs, []string{s.Series}) {
		row := report.Row{Cells: []report.Cell{builder.LabelCell(d, g.Runs, s.Series, t.Columns[0].Align == report.Right)}}
		for _, name := range s.Value {
			line := historyLine{d: d, t: t, over: s.Over, across: across, metric: name, title: row.Cells[0].Text}
			by := dataset.ByPeriod(g.Runs, s.Over)
			for _, v := range across {
				here := by[v]
				if err := dataset.Repeats(here, dataset.Place([]string{s.Series, s.Over}, []string{g.Values[0], v})); err != nil {
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
		t.Note(result.Info, locale.T("history.change"))
	}
	if len(t.Answers) > 0 {
		t.Note(result.Info, locale.T("history.rule", fmt.Sprintf("%.0f%%", 100*d.Thresholds().Noise)))
	}
	if n := all - len(rs); n > 0 {
		t.Note(result.Info, locale.T("history.left-out", n, locale.LabelName(s.Over), locale.LabelName(s.Series)))
	}
	t.Compared = builder.Comparison{Runs: rs, Laid: []string{s.Series, s.Over}, Accept: s.Accept}
	for _, n := range s.Notes {
		t.Note(result.Info, locale.Lit(n))
	}
	return t, nil
}

// historyLine is the line of one metric and series. It is filled column by column.
type historyLine struct {
	d      *dataset.Selection
	t      *builder.Table
	over   string
	across []string
	metric string
	title  locale.Text // of the series

	cells  []report.Cell
	sound  []dataset.Figure // by column, only the runs that count; has no Runs if there are none
	values [][]float64      // values of these runs
	steps  []level          // if already known
}

// add adds the runs of the next column. Excluded and failed runs do not count beside others. If there are no others,
// they are shown struck through.
func (l *historyLine) add(rs []*result.Result) {
	counting := slices.DeleteFunc(slices.Clone(rs), func(r *result.Result) bool { return r.Status == result.Failed })
	sound, ok := dataset.FigureOf(counting, l.metric)
	cell := report.Cell{Missing: true}
	switch {
	case ok && !sound.Excluded():
		cell = l.t.Cell(sound, true)
		if before := l.last(); before >= 0 {
			l.t.Change(&cell, &l.cells[before], true, l.d.Thresholds().Noise)
		}
	case ok:
		cell, sound = l.t.Cell(sound, true), dataset.Figure{Metric: result.NoMetric}
	default:
		if failed, ok := dataset.FigureOf(rs, l.metric); ok {
			cell = l.t.Cell(failed, true)
			cell.Excluded = true
			cell.Notes = append(cell.Notes, l.t.Note(result.Warning, locale.T("history.failed")))
		}
	}
	l.cells = append(l.cells, cell)
	l.sound = append(l.sound, sound)
	l.values = append(l.values, sound.Values)
}

// last returns the last filled column whose figure counts, -1 if there is none.
func (l *historyLine) last() int {
	for i := len(l.sound) - 1; i >= 0; i-- {
		if len(l.sound[i].Runs) > 0 {
			return i
		}
	}
	return -1
}

// overall returns the cell of the change from the first to the last figure that counts.
func (l *historyLine) overall() report.Cell {
	first := slices.IndexFunc(l.sound, func(f dataset.Figure) bool { return len(f.Runs) > 0 })
	last := l.last()
	if first == last || l.cells[first].Value == 0 {
		return report.Cell{Missing: true}
	}
	c := report.Cell{Value: 100 * (l.cells[last].Value/l.cells[first].Value - 1), Numeric: true}
	c.Text = builder.Change(l.cells[last].Value, l.cells[first].Value, true)
	c.Spark = l.spark()
	return c
}

// levels returns the steps of the line.
func (l *historyLine) levels() []level {
	if l.steps != nil {
		return l.steps
	}
	steps, _ := stats.Steps(l.values, l.d.Thresholds().Noise)
	out := make([]level, len(steps))
	for i, s := range steps {
		m := l.sound[s.Index].Metric
		before, after := m, m
		before.Value, after.Value = s.Before, s.After
		from, to := dataset.Beside(before, after)
		out[i] = level{Step: s, over: l.over, metric: m, from: from, to: to, end: len(l.values)}
		if i > 0 {
			out[i].begin = steps[i-1].Index
		}
		if i+1 < len(steps) {
			out[i].end = steps[i+1].Index
		}
	}
	return out
}

// markSteps marks the columns where the level changed, and reports the changes below the table.
func (l *historyLine) markSteps() {
	for _, s := range l.levels() {
		n1, n2 := s.Comparison.N1, s.Comparison.N2
		basis := locale.T("history.basis", s.span(), n1, n2)
		switch {
		case !s.Lasting:
			basis = locale.T("history.last", basis)
		case !s.settled():
			basis = locale.T("history.few", basis)
		}
		percent := s.percent()

		cell := &l.cells[s.Index]
		cell.Rule = "history.step"
		cell.Why = locale.T("report.with-unit", percent, basis)
		cell.Change = locale.T("history."+string(s.verdict()), cell.Change)

		claim := "history.rises"
		if s.After < s.Before {
			claim = "history.falls"
		}
		f := report.Finding{
			Rule: cell.Rule,
			Text: locale.T(claim, l.title, locale.MetricName(l.metric), strings.TrimLeft(percent, "+−"), l.d.Title(l.over, l.across[s.Index]), basis),
			N:    min(n1, n2), Effect: math.Log(s.After / s.Before),
		}
		for _, level := range l.sound[s.begin:s.end] {
			for _, r := range level.Runs {
				f.Runs = append(f.Runs, r.ID)
			}
		}
		slices.SortFunc(f.Runs, result.NaturalCompare)
		l.t.Answers = append(l.t.Answers, f)
	}
}
