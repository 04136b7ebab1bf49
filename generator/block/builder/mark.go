package builder

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// hollow reports whether the chart shows a point that a check excluded.
func hollow(c *report.Chart) bool {
	return slices.ContainsFunc(c.Series, func(s report.Series) bool {
		return slices.ContainsFunc(s.Points, func(p report.Point) bool { return p.Excluded && !p.Missing })
	}) || slices.ContainsFunc(c.Panels, func(p report.Panel) bool { return hollow(&p.Chart) })
}

// Remarks returns notes about the figures of a chart: how many repeats they have, what error bars show, why marks are
// hollow, and which figures are in doubt.
func (c *Chart) Remarks() []locale.Text {
	var fs []dataset.Figure
	for _, metric := range c.Metrics {
		for _, r := range c.Compared.Runs {
			if f, ok := dataset.FigureOf([]*result.Result{r}, metric); ok {
				fs = append(fs, f)
			}
		}
	}
	var out []locale.Text
	if len(c.Repeats) > 0 && slices.Max(c.Repeats) > 1 {
		n := strconv.Itoa(slices.Min(c.Repeats))
		if most := slices.Max(c.Repeats); most != slices.Min(c.Repeats) {
			n += "–" + strconv.Itoa(most)
		}
		out = append(out, locale.T("chart-note.repeats", n))
	}
	switch {
	case c.Kind == report.HeatMap: // its cells show no error bars
	case c.Intervals && c.Ranges:
		out = append(out, locale.T("chart-note.mixed"))
	case c.Intervals:
		out = append(out, locale.T("chart-note.interval"))
	case c.Ranges:
		out = append(out, locale.T("chart-note.range"))
	}
	if why := Broken(fs); !why.IsZero() {
		key := "chart-note.hollow"
		switch struck := hollow(&c.Chart); {
		case c.LeftOut && struck:
			key = "chart-note.hollow-or-left-out"
		case c.LeftOut:
			key = "chart-note.excluded"
		}
		out = append(out, locale.T(key, why))
	}
	if doubt := InDoubt(fs); !doubt.IsZero() {
		out = append(out, doubt)
	}
	return out
}

// Broken returns which checks of severity error exclude the figures. It is empty if none does.
func Broken(fs []dataset.Figure) locale.Text {
	return Reasons(fs, result.Error)
}

// InDoubt returns a sentence about the warnings that concern figures. It is empty if there are none.
func InDoubt(fs []dataset.Figure) locale.Text {
	if r := Reasons(fs, result.Warning); !r.IsZero() {
		return locale.T("finding.doubt", r)
	}
	return locale.Text{}
}

// Waived returns the site's reason for waiving an error about one of the figures, "" if there is none.
func Waived(fs []dataset.Figure) string {
	for _, f := range fs {
		for _, r := range f.Runs {
			for i := range r.Checks {
				if ck := &r.Checks[i]; ck.Severity == result.Error && ck.Waived != "" {
					return ck.Waived
				}
			}
		}
	}
	return ""
}

// Reasons summarizes what checks of a severity found about figures. Errors concern all metrics of a run, warnings only
// some. Of more than four findings it names three and counts the others.
func Reasons(fs []dataset.Figure, severity result.Severity) locale.Text {
	var found Rulings
	for _, f := range fs {
		for _, r := range f.Runs {
			for i := range r.Checks {
				ck := &r.Checks[i]
				if ck.Severity == severity && ck.Waived == "" && (severity == result.Error || ck.Concerns(f.Metric.Name)) {
					found.Add(ck)
				}
			}
		}
	}
	var reasons []locale.Text
	for _, r := range found {
		reasons = append(reasons, r.words(audit.Reason))
	}
	switch n := len(reasons) - 3; {
	case len(reasons) == 0:
		return locale.Text{}
	case n > 1:
		return locale.T("differ.many", locale.List(reasons[:3]...), n)
	}
	return locale.List(reasons...)
}

// Excluded returns the sentence that says why checks excluded runs, which may be among others.
func Excluded(rs []*result.Result) locale.Text {
	return locale.T("report.excluded", Reasons([]dataset.Figure{{Runs: rs}}, result.Error))
}

// Rulings summarize what checks find about several runs. There is one for each rule and severity. Findings that are not
// a share of a limit have one for each text.
type Rulings []ruling

type ruling struct {
	check    *result.Check
	text     string // the check's text, which distinguishes findings that are not a share; else ""
	Low, Top float64
}

// Add adds a check and returns the index of its ruling.
func (rs *Rulings) Add(ck *result.Check) int {
	share, isShare := audit.Share(ck)
	text := ""
	if !isShare {
		text = locale.English(ck.Text)
	}
	for i := range *rs {
		r := &(*rs)[i]
		if r.check.ID == ck.ID && r.check.Severity == ck.Severity && r.text == text {
			r.Low, r.Top = min(r.Low, share), max(r.Top, share)
			return i
		}
	}
	*rs = append(*rs, ruling{ck, text, share, share})
	return len(*rs) - 1
}

// Severity returns the severity of a ruling.
func (rs Rulings) Severity(i int) result.Severity { return rs[i].check.Severity }

// Words returns a ruling as a reason: what was found, with the shares of the limit if it has one.
func (rs Rulings) Words(i int) locale.Text { return rs[i].words(audit.Reason) }

// words returns the text of a ruling: made by form if it is a share of a limit, else the text of the check.
func (r ruling) words(form func(ck *result.Check, shares string) locale.Text) locale.Text {
	if _, ok := audit.Share(r.check); !ok {
		return r.check.Text
	}
	return form(r.check, Shares(r.Low, r.Top))
}

// marks are the footnotes of checks in a table, one for each ruling. Their texts are set when all cells are known.
type marks struct {
	Rulings
	notes []int // number of the footnote, by ruling
}

// Judged adds to a cell the notes about its metric from the checks of its runs. Errors that exclude a run, and waivers,
// are noted once a row, in the first cell that shows the run.
func (t *Table) Judged(c *report.Cell, rs []*result.Result, metric string, first bool) {
	rest(c, rs)
	for _, r := range rs {
		for i := range r.Checks {
			ck := &r.Checks[i]
			switch {
			case ck.Severity == result.Info:
			case ck.Waived != "":
				if first {
					c.Notes = append(c.Notes, t.Note(result.Info, locale.T("report.waived", ck.ID, ck.Waived)))
				}
			case ck.Severity == result.Error:
				if first {
					c.Notes = append(c.Notes, t.mark(ck))
				}
			case ck.Concerns(metric):
				c.Doubted = true
				c.Notes = append(c.Notes, t.mark(ck))
			}
		}
	}
	slices.Sort(c.Notes)
	c.Notes = slices.Compact(c.Notes)
}

// mark returns the number of the footnote for a check's ruling.
func (t *Table) mark(ck *result.Check) int {
	i := t.marks.Add(ck)
	if i == len(t.marks.notes) {
		t.Notes = append(t.Notes, report.Note{Severity: ck.Severity})
		t.marks.notes = append(t.marks.notes, len(t.Notes))
	}
	return t.marks.notes[i]
}

// settle sets the texts of the footnotes of checks.
func (t *Table) settle() {
	for i, r := range t.marks.Rulings {
		t.word(t.marks.notes[i], r.words(audit.Mark))
	}
}

// Comparison is what a block compares: its runs, and the labels it lays out over rows, columns or series. The first
// label names a run.
type Comparison struct {
	Runs   []*result.Result
	Laid   []string
	Accept []string // settings whose difference the author accepts
}

// unlike reports settings in which the runs of a block differ without being laid out. It returns a footnote for each,
// and one warning for the author about those that are not accepted.
func unlike(d *dataset.Selection, c Comparison, fence result.Position) (notes []locale.Text, ms []result.Message) {
	if err := dataset.Unaccepted(c.Accept); err != nil {
		return nil, []result.Message{dataset.Message(fence, err)}
	}
	var open []locale.Text
	var names []string
	for _, diff := range audit.Differences(c.Runs, c.Laid) {
		if diff.Setting == "seed" && seedsVary(c.Runs) {
			continue
		}
		text := Difference(d, diff, c.Laid)
		notes = append(notes, text)
		if !slices.Contains(c.Accept, diff.Setting) && !slices.Contains(d.Accept, diff.Setting) {
			open = append(open, text)
			names = append(names, strconv.Quote(diff.Setting))
		}
	}
	if len(open) > 0 {
		ms = append(ms, result.Message{Pos: fence, Severity: result.Warning, ID: report.Unlike,
			Text: locale.Textf("runs that are shown side by side differ in other settings. %s", locale.Sentences(open...)),
			Hint: locale.Textf("a footnote says so; measure again, leave runs out with where, make the label a row or column, or accept = [%s] in the block", locale.Commas(slices.Compact(names)...))})
	}
	return notes, ms
}

// seedsVary reports whether repeats have different seeds. Then the seed is not a setting.
func seedsVary(rs []*result.Result) bool {
	seed := map[int]string{}
	for i, set := range dataset.RepeatSets(rs) {
		v, seen := seed[set]
		if seen && v != rs[i].Label("seed") {
			return true
		}
		seed[set] = rs[i].Label("seed")
	}
	return false
}

// Difference describes one setting in which runs differ.
func Difference(d *dataset.Selection, diff audit.Difference, laid []string) locale.Text {
	var text locale.Text
	label := distinguishing(d, diff, laid)
	who := func(v audit.Value) locale.Text { return names(d, v.Runs, label) }
	if diff.Setting == audit.AnswerLength {
		a, b := diff.Values[0], diff.Values[1]
		text = locale.T("differ.answers", a.Text, who(a), b.Text, who(b))
	} else {
		var parts []locale.Text
		most, others := diff.Values[0], diff.Values[1:]
		named := others
		if len(named) > mostValues+1 { // naming one more value takes no more room than counting it
			named = named[:mostValues]
		}
		for _, v := range named {
			parts = append(parts, locale.T("differ.value", d.Title(diff.Setting, v.Text), who(v)))
		}
		if left := len(others) - len(named); left > 0 {
			parts = append(parts, locale.T("differ.values", left))
		}
		rest := locale.T("differ.rest", d.Title(diff.Setting, most.Text))
		if len(diff.Values[1].Runs) == len(most.Runs) {
			rest = locale.T("differ.value", d.Title(diff.Setting, most.Text), who(most))
		}
		text = locale.T("differ.setting", locale.LabelName(diff.Setting), Clauses(append(parts, rest)...))
	}
	var within []locale.Text
	for _, l := range diff.Within {
		if l.Value != "" {
			within = append(within, d.Held(l.Name, l.Value))
		}
	}
	if len(within) > 0 {
		return locale.T("differ.within", locale.Join(" · ", within...), text)
	}
	return text
}

// mostValues is the number of values of a setting that a note names, besides the most frequent.
const mostValues = 6

// distinguishing returns the laid-out label whose values separate the sides of a difference. If none does, it returns
// the model, or else the id.
func distinguishing(d *dataset.Selection, diff audit.Difference, laid []string) string {
	for _, label := range append(slices.Clone(laid), "model") {
		side := map[string]int{} // value of the label → index of the value of the setting
		apart := true
		for i, v := range diff.Values {
			for _, r := range v.Runs {
				value := r.Label(label)
				other, taken := side[value]
				apart = apart && value != "" && (!taken || other == i)
				side[value] = i
			}
		}
		if apart {
			return label
		}
	}
	return "id"
}

// names returns the names of runs by a label. It names all up to three; of more it names two and counts the others.
func names(d *dataset.Selection, rs []*result.Result, label string) locale.Text {
	var names []locale.Text
	seen := map[string]bool{}
	for _, r := range rs {
		if v := cmp.Or(r.Label(label), r.ID); !seen[v] {
			seen[v] = true
			names = append(names, d.Title(label, v))
		}
	}
	if len(names) > 3 {
		return locale.T("differ.many", locale.List(names[:2]...), len(names)-2)
	}
	return locale.List(names...)
}

// Sampled marks a percentile that has too few samples.
func (t *Table) Sampled(c *report.Cell, r *result.Result, metric string) {
	have, need := audit.Samples(r, metric)
	if have >= need {
		return
	}
	c.Weak = true
	_, stat, _ := vocabulary.Statistic(metric)
	name := strings.ToUpper(stat[:1]) + strings.ReplaceAll(stat[1:], "_", ".")
	c.Notes = append(c.Notes, t.Note(result.Warning, locale.T("report.samples", name, strconv.Itoa(have), strconv.Itoa(need))))
}

// rest adds to a cell the other runs that it rests on, besides the one it links to.
func rest(c *report.Cell, runs []*result.Result) {
	for _, r := range runs {
		if id := PageOf(r); id != "" && id != c.Run && !slices.Contains(c.Others, id) {
			c.Others = append(c.Others, id)
		}
	}
}

// Besides returns the ids of the runs after the first, nil if there are none.
func Besides(runs []*result.Result) []string {
	var ids []string
	for _, r := range runs[1:] {
		if id := PageOf(r); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// PageOf returns the id of a result that has a page. It is "" for past results, which have none.
func PageOf(r *result.Result) string {
	if r.Revision != nil {
		return ""
	}
	return r.ID
}

// Past makes a cell of a past result link to the commit that added the result.
func Past(c *report.Cell, r *result.Result) {
	if r.Revision != nil {
		c.Run, c.URL = "", r.Revision.URL
	}
}

// Clauses joins clauses into one sentence.
func Clauses(parts ...locale.Text) locale.Text {
	text := parts[0]
	for _, p := range parts[1:] {
		text = locale.T("finding.clauses", text, p)
	}
	return text
}
