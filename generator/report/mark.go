package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// rulings sum up what checks find about several runs: one for each rule and
// severity, or for each finding where it is no share of a limit.
type rulings []ruling

type ruling struct {
	check    *result.Check
	said     string // the check's words, by which findings that are no share are told apart
	low, top float64
}

// telling names, of the rules whose finding is a share of a limit, the figure
// that holds it.
var telling = map[string]string{
	"physics.memory-roofline":  "mbu",
	"physics.compute-roofline": "share",
	"telemetry.throttled":      "share",
	"server.prefix-cache":      "share",
}

// add gives the index of the ruling that a check goes into.
func (rs *rulings) add(ck *result.Check) int {
	figure := telling[ck.ID]
	share, said := ck.Figures[figure], ""
	if figure == "" {
		said = locale.English(ck.Text)
	}
	for i := range *rs {
		r := &(*rs)[i]
		if r.check.ID == ck.ID && r.check.Severity == ck.Severity && r.said == said {
			r.low, r.top = min(r.low, share), max(r.top, share)
			return i
		}
	}
	*rs = append(*rs, ruling{ck, said, share, share})
	return len(*rs) - 1
}

// words says a ruling: by form where it is a share of a limit, else as the
// check does.
func (r ruling) words(form string) locale.Text {
	if telling[r.check.ID] == "" {
		return r.check.Text
	}
	return locale.T(form, shares(r.low, r.top))
}

// marks are the footnotes that checks put to the cells of a table: one for
// each ruling, whose words wait until all cells are known.
type marks struct {
	rulings
	notes []int // by ruling
}

// judged adds to a cell what the checks of its runs say of its metric. What
// sets a run aside, and waivers, are told once a row, by the first cell that
// shows the run.
func (t *Table) judged(c *Cell, rs []*result.Result, metric string, first bool) {
	c.rest(rs)
	for _, r := range rs {
		for i := range r.Checks {
			ck := &r.Checks[i]
			switch {
			case ck.Severity == result.Info:
			case ck.Waived != "":
				if first {
					c.Notes = append(c.Notes, t.note(result.Info, locale.T("report.waived", ck.ID, ck.Waived)))
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

// mark gives the number of the footnote of a check's ruling.
func (t *Table) mark(ck *result.Check) int {
	i := t.marks.add(ck)
	if i == len(t.marks.notes) {
		t.Notes = append(t.Notes, Note{Severity: ck.Severity})
		t.marks.notes = append(t.marks.notes, len(t.Notes))
	}
	return t.marks.notes[i]
}

// settle words the footnotes of checks.
func (t *Table) settle() {
	for i, r := range t.marks.rulings {
		t.Notes[t.marks.notes[i]-1].Text = r.words("mark." + r.check.ID + "." + r.check.Severity.String())
	}
}

// shares writes a range of shares in per cent, one when both are alike.
func shares(low, top float64) string {
	a, b := math.Round(100*low), math.Round(100*top)
	if a == b {
		return fmt.Sprintf("%.0f%%", a)
	}
	return fmt.Sprintf("%.0f–%.0f%%", a, b)
}

// comparison is what a block sets side by side: its runs, and the labels it
// lays out over rows, columns or series, the first of which names a run.
type comparison struct {
	runs   []*result.Result
	laid   []string
	accept []string // settings whose difference the author knows of
}

// unlike tells in which settings the runs of a block differ though nothing in
// it says so: as footnotes for the reader, and as a warning for the author
// about those that are not accepted.
func (d *Data) unlike(c comparison, fence result.Position) (notes []locale.Text, ms []result.Message) {
	if err := Unaccepted(c.accept); err != nil {
		return nil, []result.Message{at(fence, err)}
	}
	var open []locale.Text
	var names []string
	for _, diff := range audit.Differences(c.runs, c.laid) {
		said := d.difference(diff, c.laid)
		notes = append(notes, said)
		if !slices.Contains(c.accept, diff.Setting) && !slices.Contains(d.Accept, diff.Setting) {
			open = append(open, said)
			names = append(names, strconv.Quote(diff.Setting))
		}
	}
	if len(open) > 0 {
		ms = append(ms, result.Message{Pos: fence, Severity: result.Warning, ID: Unlike,
			Text: "runs that stand side by side are not alike. " + locale.English(locale.Sentences(open...)),
			Hint: fmt.Sprintf("a footnote says so; measure again, leave runs out with where, lay the label out, or accept = [%s] in the block", strings.Join(slices.Compact(names), ", "))})
	}
	return notes, ms
}

// Unaccepted is what is wrong with a list of settings to accept: one of them is
// none. It is nil when nothing is.
func Unaccepted(names []string) error {
	known := audit.Settings()
	for _, s := range names {
		if slices.Contains(known, s) {
			continue
		}
		hint := settings.Offer(s, known, "there are: "+strings.Join(known, ", "))
		return about("accept", problem(hint, "accept names %q, which is no setting that runs have to agree in", s))
	}
	return nil
}

// Unlike is the id of the warning that runs are compared which differ in more
// than what is laid out.
const Unlike = "compare.unlike"

// difference words one setting in which runs differ.
func (d *Data) difference(diff audit.Difference, laid []string) locale.Text {
	var said locale.Text
	label := d.telling(diff, laid)
	who := func(v audit.Value) locale.Text { return d.names(v.Runs, label) }
	if diff.Setting == audit.AnswerLength {
		a, b := diff.Values[0], diff.Values[1]
		said = locale.T("differ.answers", a.Text, who(a), b.Text, who(b))
	} else {
		var parts []locale.Text
		for _, v := range diff.Values[1:] {
			parts = append(parts, locale.T("differ.value", d.title(diff.Setting, v.Text), who(v)))
		}
		most := diff.Values[0]
		rest := locale.T("differ.rest", d.title(diff.Setting, most.Text))
		if len(diff.Values[1].Runs) == len(most.Runs) {
			rest = locale.T("differ.value", d.title(diff.Setting, most.Text), who(most))
		}
		said = locale.T("differ.setting", locale.LabelName(diff.Setting), clauses(append(parts, rest)...))
	}
	var within []locale.Text
	for _, l := range diff.Within {
		if l.Value != "" {
			within = append(within, d.held(l.Name, l.Value))
		}
	}
	if len(within) > 0 {
		return locale.T("differ.within", locale.Join(" · ", within...), said)
	}
	return said
}

// telling gives the laid-out label by whose values the runs of a difference
// are told apart; the model, or else the id, when none does.
func (d *Data) telling(diff audit.Difference, laid []string) string {
	for _, label := range append(slices.Clone(laid), "model") {
		side := map[string]int{} // value of the label → which side of the difference has it
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

// names tells who runs are by a label, three at the most.
func (d *Data) names(rs []*result.Result, label string) locale.Text {
	var names []locale.Text
	seen := map[string]bool{}
	for _, r := range rs {
		if v := cmp.Or(r.Label(label), r.ID); !seen[v] {
			seen[v] = true
			names = append(names, d.title(label, v))
		}
	}
	if len(names) > 3 {
		return locale.T("differ.many", locale.List(names[:2]...), len(names)-2)
	}
	return locale.List(names...)
}

// sampled marks a percentile that rests on too few samples.
func (t *Table) sampled(c *Cell, r *result.Result, metric string) {
	have, need := audit.Samples(r, metric)
	if have >= need {
		return
	}
	c.Weak = true
	_, stat, _ := vocabulary.Statistic(metric)
	name := strings.ToUpper(stat[:1]) + strings.ReplaceAll(stat[1:], "_", ".")
	c.Notes = append(c.Notes, t.note(result.Warning, locale.T("report.samples", name, strconv.Itoa(have), strconv.Itoa(need))))
}

// rest notes the runs that a cell rests on beside the one it leads to.
func (c *Cell) rest(runs []*result.Result) {
	for _, r := range runs {
		if id := pageOf(r); id != "" && id != c.Run && !slices.Contains(c.Others, id) {
			c.Others = append(c.Others, id)
		}
	}
}

// besides are the ids of runs but the first, nil when there is one.
func besides(runs []*result.Result) []string {
	var ids []string
	for _, r := range runs[1:] {
		if id := pageOf(r); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}
