package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// figure is the value of a metric over the repeats of one run: the median of
// n values, which for n = 1 is the value itself.
type figure struct {
	metric result.Metric
	runs   []*result.Result // that the value is of; the one nearest to it first
	values []float64        // of the runs, in their order in the dataset
	aside  int              // repeats that a check has set aside, when others hold
}

// figureOf gives the metric of a set of repeats; ok is false when none has it.
// Repeats that are set aside count only when there are no others.
func figureOf(rs []*result.Result, name string) (figure, bool) {
	var f figure
	var ms []result.Metric
	sound := slices.ContainsFunc(rs, func(r *result.Result) bool { _, ok := r.Metric(name); return ok && !r.Excluded() })
	for _, r := range rs {
		m, ok := r.Metric(name)
		if ok && sound && r.Excluded() {
			f.aside++
			continue
		}
		if ok {
			ms = append(ms, m)
			f.runs = append(f.runs, r)
			f.values = append(f.values, m.Value)
		}
	}
	if len(ms) == 0 {
		return f, false
	}
	order := make([]int, len(ms))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ms[a].Value, ms[b].Value) })
	mid := order[(len(order)-1)/2]
	f.metric = ms[mid]
	if len(order)%2 == 0 {
		f.metric.Value = (ms[mid].Value + ms[order[len(order)/2]].Value) / 2
	}
	f.runs[0], f.runs[mid] = f.runs[mid], f.runs[0] // the median's run speaks for the cell
	return f, true
}

// excluded tells whether the value is of runs that are set aside.
func (f figure) excluded() bool { return slices.ContainsFunc(f.runs, (*result.Result).Excluded) }

// repeats checks that the results of one cell are repeats of one another:
// equal in every label but those that tell repeats apart. Otherwise it names
// the labels that differ. Results that measure different things, as the speed of
// prefill and that of decode, or speed and quality, are no repeats: each has its
// figure.
func repeats(rs []*result.Result, place string) error {
	for _, kind := range kinds(rs) {
		if err := alike(kind, place); err != nil {
			return err
		}
	}
	return nil
}

// kinds divides results by what they measure.
func kinds(rs []*result.Result) [][]*result.Result {
	var kinds [][]*result.Result
	for _, r := range rs {
		i := slices.IndexFunc(kinds, func(of []*result.Result) bool { return MeasureAlike(of[0], r) })
		if i < 0 {
			kinds = append(kinds, []*result.Result{r})
		} else {
			kinds[i] = append(kinds[i], r)
		}
	}
	return kinds
}

// alike checks that results of one kind are equal in every label but those that
// tell repeats apart.
func alike(rs []*result.Result, place string) error {
	var differ []string
	for _, name := range differing(rs) {
		vs := labelValues(rs, name)
		slices.SortFunc(vs, result.NaturalCompare)
		if vs[0] == "" {
			vs[0] = "(none)"
		}
		differ = append(differ, fmt.Sprintf("%s (%s)", name, shorten(vs, 4)))
	}
	if len(differ) == 0 {
		return nil
	}
	return lack("they differ in "+strings.Join(differ, "; ")+": name one in where, or make it a row or column",
		"%d runs fall into one cell: %s", len(rs), place)
}

// differing gives the labels, in order of their names, that results are not
// equal in, but for those that tell repeats apart.
func differing(rs []*result.Result) []string {
	differ := map[string]bool{}
	for _, r := range rs {
		for name, value := range r.Labels.Values() {
			if _, known := differ[name]; known || TellsRepeats(name) || strings.HasPrefix(name, "x_") {
				continue
			}
			differ[name] = slices.ContainsFunc(rs, func(other *result.Result) bool {
				v := other.Label(name)
				return v != value && !untold(name, v)
			})
		}
	}
	maps.DeleteFunc(differ, func(_ string, yes bool) bool { return !yes })
	return slices.Sorted(maps.Keys(differ))
}

// untold tells whether a value says nothing against a repeat: telemetry of one
// makes the others no other runs.
func untold(name, value string) bool { return name == "power_scope" && value == "" }

// labelValues gives the values that results have of a label, "" for none.
func labelValues(rs []*result.Result, name string) []string {
	var vs []string
	for _, r := range rs {
		if v := r.Label(name); !slices.Contains(vs, v) && !untold(name, v) {
			vs = append(vs, v)
		}
	}
	return vs
}

// MeasureAlike tells whether two results have a figure in common, one with a
// name that others share.
func MeasureAlike(a, b *result.Result) bool {
	return slices.ContainsFunc(a.Metrics, func(m result.Metric) bool {
		if _, known := vocabulary.Define(m.Name); !known {
			return false
		}
		_, both := b.Metric(m.Name)
		return both
	})
}

// cell shows a figure; notes are added to the table as needed. The first cell
// of a row that shows a run tells why the run is set aside.
func (t *Table) cell(f figure, first bool) Cell {
	r := f.runs[0]
	c := Cell{
		Text:    locale.Lit(f.metric.Digits()),
		Value:   f.metric.Value,
		Numeric: true,
		Run:     r.ID,
		Source:  r.At(f.metric),
		Field:   f.metric.Field,
		samples: f.values,

		Excluded: f.excluded(),
	}
	c.past(r)
	t.judged(&c, f.runs, f.metric.Name, first)
	t.sampled(&c, r, f.metric.Name)
	if s := stats.Summarize(f.values); s.N > 1 {
		c.Spread = locale.T("report.spread", s.N, digitsAs(f.metric, s.Low), digitsAs(f.metric, s.High), writeShare(s.CV))
		if s.HasInterval && s.Median == 0 {
			c.Notes = append(c.Notes, t.note(result.Info, locale.T("report.repeats", s.N)))
		} else if s.HasInterval {
			c.Text = locale.Lit(f.metric.Digits() + " ± " + writeShare(max(s.High-s.Median, s.Median-s.Low)/math.Abs(s.Median)))
			c.Notes = append(c.Notes, t.note(result.Info, locale.T("report.repeats", s.N)))
			t.note(result.Info, locale.T("report.interval"))
		} else {
			c.Notes = append(c.Notes, t.note(result.Info, locale.T("report.few", s.N)))
		}
		if s.Stability == stats.Unstable {
			c.Notes = append(c.Notes, t.note(result.Warning, locale.T("report.unstable", writeShare(s.CV))))
		}
	}
	if f.aside > 0 {
		c.Notes = append(c.Notes, t.note(result.Warning, locale.T("report.aside", f.aside)))
	}
	return c
}

// digitsAs writes a value with the digits of a metric.
func digitsAs(m result.Metric, v float64) string {
	m.Value = v
	return m.Digits()
}

// writeShare writes a small share in per cent.
func writeShare(q float64) string {
	if q < 0.1 {
		return strconv.FormatFloat(100*q, 'f', 1, 64) + "%"
	}
	return strconv.FormatFloat(100*q, 'f', 0, 64) + "%"
}

// note adds a footnote once and gives its number. Texts of one key with the
// same arguments are one note: they are compared as a reader would see them.
func (t *Table) note(s result.Severity, text locale.Text) int {
	if n := t.find(text); n > 0 {
		return n
	}
	t.Notes = append(t.Notes, Note{s, text})
	return len(t.Notes)
}

// find gives the number of a footnote, 0 when there is none of this text.
func (t *Table) find(text locale.Text) int {
	for i := range t.Notes {
		if locale.English(t.Notes[i].Text) == locale.English(text) {
			return i + 1
		}
	}
	return 0
}

// change puts the change against the baseline to a cell. Of repeats that show
// no difference it is ~.
func (t *Table) change(c, base *Cell, percent bool, noise float64) {
	if cmp := stats.Compare(base.samples, c.samples, noise); cmp.Tested() && cmp.Verdict == stats.Same {
		c.Change = locale.Lit("~")
		t.note(result.Info, locale.T("report.same"))
		return
	}
	c.Change = change(c.Value, base.Value, percent)
}

// change writes v against base: "3.61×", or "+18.5%" with percent.
func change(v, base float64, percent bool) locale.Text {
	if base == 0 {
		return locale.Text{}
	}
	if percent {
		return locale.Lit(writePercent(v/base-1, 1))
	}
	return locale.Lit(writeRatio(v / base))
}

// writeRatio writes a quotient with three significant digits, two decimals at the
// least below ten: 3.61×, 12.3×, 0.09×.
func writeRatio(q float64) string {
	switch {
	case q >= 100:
		return fmt.Sprintf("%.0f×", q)
	case q >= 10:
		return fmt.Sprintf("%.1f×", q)
	case q < 0:
		return "−" + writeRatio(-q)
	}
	return fmt.Sprintf("%.2f×", q)
}

// writePercent writes a relative change with its sign, using the minus sign
// proper: +18.5%, −42.9%.
func writePercent(q float64, decimals int) string {
	s := strconv.FormatFloat(100*max(q, -q), 'f', decimals, 64) + "%"
	switch {
	case strings.Trim(s, "0.%") == "":
		return "±" + s
	case q < 0:
		return "−" + s
	}
	return "+" + s
}

// better tells whether a beats b in the metric's direction.
func better(dir result.Better, a, b float64) bool {
	return dir == result.Higher && a > b || dir == result.Lower && a < b
}

// markBest marks the best cell of every directed column, ties included. What
// is set aside or in doubt is no candidate, and one figure alone is no contest.
func (t *Table) markBest() {
	for c, col := range t.Columns {
		if col.Better == result.Neutral {
			continue
		}
		var cells []*Cell
		for i := range t.Rows {
			if cell := &t.Rows[i].Cells[c]; cell.contests() {
				cells = append(cells, cell)
			}
		}
		if len(cells) < 2 {
			continue
		}
		best := cells[0].Value
		for _, cell := range cells {
			if better(col.Better, cell.Value, best) {
				best = cell.Value
			}
		}
		for _, cell := range cells {
			cell.Best = cell.Value == best
		}
	}
}

// contests tells whether a cell may be the best of others.
func (c *Cell) contests() bool {
	return c.Numeric && !c.Missing && !c.Excluded && !c.Doubted && !c.Weak
}

// repeated says once how often the figures of a table were repeated, when most
// of them were alike in that: only the others keep their mark.
func (t *Table) repeated() {
	count := map[int]int{} // repeats → figures
	for i := range t.Rows {
		for j := range t.Rows[i].Cells {
			switch n := len(t.Rows[i].Cells[j].samples); {
			case n == 1:
				return
			case n > 1:
				count[n]++
			}
		}
	}
	usual := 0
	for n, figures := range count {
		if figures > count[usual] || figures == count[usual] && n > usual {
			usual = n
		}
	}
	if count[usual] < 2 {
		return
	}
	for _, key := range []string{"report.repeats", "report.few"} {
		note := t.find(locale.T(key, usual))
		if note == 0 {
			continue
		}
		for i := range t.Rows {
			for j := range t.Rows[i].Cells {
				c := &t.Rows[i].Cells[j]
				c.Notes = slices.DeleteFunc(c.Notes, func(n int) bool { return n == note })
			}
		}
		scope := ".all"
		if len(count) > 1 {
			scope = ".most"
		}
		t.Notes[note-1].Text = locale.T(key+scope, usual)
	}
}

// single says once that no figure of a table that compares was repeated.
func (t *Table) single(noise float64) {
	figures := 0
	for i := range t.Rows {
		for j := range t.Rows[i].Cells {
			switch n := len(t.Rows[i].Cells[j].samples); {
			case n > 1:
				return
			case n == 1:
				figures++
			}
		}
	}
	if figures > 1 {
		t.note(result.Info, locale.T("report.single", writePlain(noise)))
	}
}

// writePlain writes a round share: 3%.
func writePlain(q float64) string { return strconv.FormatFloat(100*q, 'f', -1, 64) + "%" }
