package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"benchpost/generator/bench"
	"benchpost/generator/locale"
)

// figure is the value of a metric over the repeats of one run: the median of
// n values, which for n = 1 is the value itself.
type figure struct {
	metric bench.Metric
	runs   []*bench.Result
}

// figureOf gives the metric of a set of repeats; ok is false when none has it.
func figureOf(rs []*bench.Result, name string) (figure, bool) {
	var f figure
	var ms []bench.Metric
	for _, r := range rs {
		if m, ok := r.Metric(name); ok {
			ms = append(ms, m)
			f.runs = append(f.runs, r)
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

// repeats checks that the results of one cell are repeats of one another:
// equal in every label but those that tell repeats apart. Otherwise it names
// the labels that differ.
func repeats(rs []*bench.Result, place string) error {
	if len(rs) < 2 {
		return nil
	}
	apart := map[string]bool{"repeat": true, "date": true, "published": true, "source": true}
	varying := map[string]bool{}
	for _, r := range rs[1:] {
		for _, pair := range [][2]*bench.Result{{rs[0], r}, {r, rs[0]}} {
			for name, v := range pair[0].Labels.Values() {
				if pair[1].Label(name) != v && !apart[name] && !strings.HasPrefix(name, "x_") {
					varying[name] = true
				}
			}
		}
	}
	if len(varying) == 0 {
		return nil
	}
	var differ []string
	for _, name := range slices.Sorted(maps.Keys(varying)) {
		var vs []string
		for _, r := range rs {
			if v := cmp.Or(r.Label(name), "(none)"); !slices.Contains(vs, v) {
				vs = append(vs, v)
			}
		}
		slices.SortFunc(vs, bench.NaturalCompare)
		differ = append(differ, fmt.Sprintf("%s (%s)", name, shorten(vs, 4)))
	}
	return lack("they differ in "+strings.Join(differ, "; ")+": name one in where, or make it a row or column",
		"%d runs fall into one cell: %s", len(rs), place)
}

// cell shows a figure; notes are added to the table as needed.
func (t *Table) cell(f figure) Cell {
	r := f.runs[0]
	c := Cell{
		Text:    locale.Lit(f.metric.Digits()),
		Value:   f.metric.Value,
		Numeric: true,
		Run:     r.ID,
		Source:  bench.Position{File: r.Source.File, Line: f.metric.Line},
		Field:   f.metric.Field,

		Quarantined: slices.ContainsFunc(f.runs, (*bench.Result).Quarantined),
	}
	if n := len(f.runs); n > 1 {
		c.Notes = append(c.Notes, t.note(bench.Info, locale.T("report.median", n)))
	}
	if slices.ContainsFunc(f.runs, func(r *bench.Result) bool { return r.Status == bench.Partial }) {
		c.Notes = append(c.Notes, t.note(bench.Warning, locale.T("report.partial")))
	}
	return c
}

// note adds a footnote once and gives its number. Texts of one key with the
// same arguments are one note: they are compared as a reader would see them.
func (t *Table) note(s bench.Severity, text locale.Text) int {
	en, _ := locale.For("en")
	for i := range t.Notes {
		if en.Say(t.Notes[i].Text) == en.Say(text) {
			return i + 1
		}
	}
	t.Notes = append(t.Notes, Note{s, text})
	return len(t.Notes)
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
func better(dir bench.Better, a, b float64) bool {
	return dir == bench.Higher && a > b || dir == bench.Lower && a < b
}

// markBest marks the best cell of every directed column, ties included.
// Quarantined rows are not candidates, and one row alone is no contest.
func (t *Table) markBest() {
	for c, col := range t.Columns {
		if col.Better == bench.Neutral {
			continue
		}
		var cells []*Cell
		for i := range t.Rows {
			if cell := &t.Rows[i].Cells[c]; cell.Numeric && !cell.Missing && !t.Rows[i].Quarantined {
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

// pareto gives the indices of the points that no other point dominates: at
// least as good in both directions and better in one. The order is that of x.
func pareto(points [][2]float64, x, y bench.Better) []int {
	var front []int
	for i, p := range points {
		if dominator(points, i, x, y) < 0 && !slices.ContainsFunc(front, func(j int) bool { return points[j] == p }) {
			front = append(front, i)
		}
	}
	slices.SortStableFunc(front, func(a, b int) int { return cmp.Compare(points[a][0], points[b][0]) })
	return front
}

// dominator gives the index of a point that dominates point i, the one that
// is best in y among them; -1 when none does.
func dominator(points [][2]float64, i int, x, y bench.Better) int {
	best := -1
	for j, q := range points {
		p := points[i]
		worse := better(x, p[0], q[0]) || better(y, p[1], q[1])
		if j == i || worse || !(better(x, q[0], p[0]) || better(y, q[1], p[1])) {
			continue
		}
		if best < 0 || better(y, q[1], points[best][1]) {
			best = j
		}
	}
	return best
}
