package builder

import (
	"math"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
)

// Cell returns the cell of a figure and adds its notes to the table. first means that the cell is the first of its row
// that shows the run: it reports why the run is excluded.
func (t *Table) Cell(f dataset.Figure, first bool) report.Cell {
	r := f.Runs[0]
	c := report.Cell{
		Text:    locale.Lit(f.Metric.Digits()),
		Value:   f.Metric.Value,
		Numeric: true,
		Run:     r.ID,
		Source:  r.At(f.Metric),
		Field:   f.Metric.Field,
		Samples: f.Values,

		Excluded: f.Excluded(),
	}
	Past(&c, r)
	t.Judged(&c, f.Runs, f.Metric.Name, first)
	t.Sampled(&c, r, f.Metric.Name)
	if s := stats.Summarize(f.Values); s.N > 1 {
		c.Spread = locale.T("report.spread", s.N, DigitsAs(f.Metric, s.Low), DigitsAs(f.Metric, s.High), Share(s.CV))
		if s.HasInterval && s.Median == 0 {
			c.Notes = append(c.Notes, t.Note(result.Info, locale.T("report.repeats", s.N)))
		} else if s.HasInterval {
			c.Text = locale.Lit(f.Metric.Digits() + " ± " + Share(max(s.High-s.Median, s.Median-s.Low)/math.Abs(s.Median)))
			c.Notes = append(c.Notes, t.Note(result.Info, locale.T("report.repeats", s.N)))
			t.Note(result.Info, locale.T("report.interval"))
		} else {
			c.Notes = append(c.Notes, t.Note(result.Info, locale.T("report.few", s.N)))
		}
		if s.Stability == stats.Unstable {
			c.Notes = append(c.Notes, t.Note(result.Warning, locale.T("report.unstable", Share(s.CV))))
		}
	}
	if first, last, far := dataset.Dates(f.Runs); far {
		note := locale.T("report.far-apart", first, last)
		t.farApart = append(t.farApart, note)
		c.Notes = append(c.Notes, t.Note(result.Warning, note))
	}
	if f.LeftOut > 0 {
		c.Notes = append(c.Notes, t.Note(result.Warning, locale.T("report.aside", f.LeftOut)))
	}
	if f.Broken > 0 {
		c.Notes = append(c.Notes, t.Note(result.Info, locale.T("report.broken", f.Broken)))
	}
	return c
}

// Note adds a footnote once and returns its number. Notes with the same English text are one note.
func (t *Table) Note(s result.Severity, text locale.Text) int {
	if n := t.noted[locale.English(text)]; n > 0 {
		return n
	}
	t.Notes = append(t.Notes, report.Note{Severity: s})
	t.word(len(t.Notes), text)
	return len(t.Notes)
}

// word sets the text of the nth footnote, and registers it for Note.
func (t *Table) word(n int, text locale.Text) {
	t.Notes[n-1].Text = text
	if said := locale.English(text); t.noted[said] == 0 {
		if t.noted == nil {
			t.noted = map[string]int{}
		}
		t.noted[said] = n
	}
}

// Change sets the change of a cell against the baseline. It also stores the p-value of a test, from which tested later
// replaces changes without a proven difference by ~.
func (t *Table) Change(c, base *report.Cell, percent bool, noise float64) {
	if test := stats.Compare(base.Samples, c.Samples, noise); test.Tested() {
		c.P = test.P
	}
	c.Change = Change(c.Value, base.Value, percent)
}

// MarkBest marks the best cell of every directed column, ties included.
func (t *Table) MarkBest() {
	var cells []*report.Cell
	for c, col := range t.Columns {
		cells = cells[:0]
		for i := range t.Rows {
			cells = append(cells, &t.Rows[i].Cells[c])
		}
		MarkBest(cells, col.Better)
	}
}

// MarkBest marks the best of some cells, ties included. Excluded or doubted cells do not compete, and a single figure
// is never best. No unmarked candidate looks equal to a marked one: such cells get as many more digits as are needed.
// Cells are ties if they are equal in six significant digits, or look alike and are shown in another unit than that of
// their values.
func MarkBest(cells []*report.Cell, better result.Better) {
	if better == result.Neutral {
		return
	}
	cells = slices.DeleteFunc(slices.Clone(cells), func(c *report.Cell) bool { return !Contests(c) })
	if len(cells) < 2 {
		return
	}
	top := cells[0].Value
	for _, c := range cells {
		if dataset.Better(better, c.Value, top) {
			top = c.Value
		}
	}
	for _, c := range cells {
		c.Best = c.Value == top
	}
	for separate(cells, top) {
	}
}

// separate treats candidates that look like the best ones: it shows them with more digits, or marks them too. It
// reports whether digits were added, in which case the cells may look like others now.
func separate(cells []*report.Cell, top float64) bool {
	shown := map[string]bool{} // what the best cells look like
	for _, c := range cells {
		if c.Best {
			shown[figure(c)] = true
		}
	}
	var alike []*report.Cell
	finest, plain := 0, true
	for _, c := range cells {
		if shown[figure(c)] {
			decimals, ok := decimalsOf(c)
			alike, finest, plain = append(alike, c), max(finest, decimals), plain && ok
		}
	}
	most := max(finest, mostDecimals(top))
	ties := true
	for _, c := range alike {
		c.Best = c.Best || !plain || Round(c.Value, most) == Round(top, most)
		ties = ties && c.Best
	}
	for n := finest; !ties && n <= most; n++ {
		clear(shown)
		for _, c := range alike {
			if c.Best {
				shown[Round(c.Value, n)] = true
			}
		}
		if slices.ContainsFunc(alike, func(c *report.Cell) bool { return !c.Best && shown[Round(c.Value, n)] }) {
			continue
		}
		for _, c := range alike {
			c.Text = locale.Lit(Round(c.Value, n) + strings.TrimPrefix(locale.English(c.Text), figure(c)))
		}
		return true
	}
	return false
}

// figure returns the number that a cell shows, without what follows it.
func figure(c *report.Cell) string {
	number, _, _ := strings.Cut(locale.English(c.Text), " ")
	return number
}

// decimalsOf returns the number of decimals with which a cell shows its value. plain is false if the cell shows
// something else, such as a size in another unit.
func decimalsOf(c *report.Cell) (decimals int, plain bool) {
	_, fraction, _ := strings.Cut(figure(c), ".")
	return len(fraction), Round(c.Value, len(fraction)) == figure(c)
}

// mostDecimals returns the number of decimals at which a number has six significant digits.
func mostDecimals(v float64) int {
	if v == 0 {
		return 6
	}
	return max(0, 5-int(math.Floor(math.Log10(math.Abs(v)))))
}

// Contests reports whether a cell may be marked as the best.
func Contests(c *report.Cell) bool {
	return c.Numeric && !c.Missing && !c.Excluded && !c.Doubted && !c.Weak
}

// tested replaces changes that no test supports by ~. It skips steps of a history, which have a test of their own. The
// p-values are adjusted for the number of tested cells in the table (stats.Adjusted).
func (t *Table) tested() {
	var cells []*report.Cell
	var ps []float64
	for i := range t.Rows {
		for j := range t.Rows[i].Cells {
			if c := &t.Rows[i].Cells[j]; c.P > 0 && c.Rule != "history.step" {
				cells, ps = append(cells, c), append(ps, c.P)
			}
		}
	}
	for i, p := range stats.Adjusted(ps) {
		if p >= stats.Alpha {
			cells[i].Change = locale.Lit("~")
			t.Note(result.Info, locale.T("report.same"))
		}
		cells[i].P = 0
	}
}

// repeated says once how often the figures of a table were repeated, if most of them have the same number of repeats.
// Only cells with another number keep their own note.
func (t *Table) repeated() {
	count := map[int]int{} // repeats → figures
	for i := range t.Rows {
		for j := range t.Rows[i].Cells {
			switch n := len(t.Rows[i].Cells[j].Samples); {
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
		note := t.noted[locale.English(locale.T(key, usual))]
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
		t.word(note, locale.T(key+scope, usual))
	}
}

// single adds a note if no figure of a comparing table was repeated.
func (t *Table) single(noise float64) {
	figures := 0
	for i := range t.Rows {
		for j := range t.Rows[i].Cells {
			switch n := len(t.Rows[i].Cells[j].Samples); {
			case n > 1:
				return
			case n == 1:
				figures++
			}
		}
	}
	if figures > 1 {
		t.Note(result.Info, locale.T("report.single", Plain(noise)))
	}
}
