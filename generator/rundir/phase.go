package rundir

import (
	"bytes"
	"cmp"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Phases of runs that are not measurements of their own. A run without a phase is measured.
const (
	warmup     = "warmup"
	superseded = "superseded"
)

// phases marks the runs that are not measurements of their own: second copies of a run, warm-ups, and runs that another
// one replaced. They stay in the dataset with a label; tables leave them out unless asked for them.
func (l *loader) phases(runs []entry) {
	l.memory.copies(runs)
	for _, r := range runs {
		if r.file.phase != "" {
			setPhase(r.Result, r.file.phase, result.Position{File: r.Source.File})
		}
		if word := r.file.ending; word != "" && r.Status == result.Complete {
			r.Status = result.Failed
			if word == "aborted" {
				r.Status = result.Partial
			}
			l.messages = append(l.messages, result.Message{Pos: r.Source, Severity: result.Info, ID: "run.named-" + word,
				Text: ending(word), Hint: locale.Textf("rename the file if it did not")})
		}
	}
	warmUps(runs)
}

// ending returns the message for a run that failed or aborted according to the name of its file.
func ending(word string) locale.Text {
	if word == "aborted" {
		return locale.Textf("the file's name says that the run aborted")
	}
	return locale.Textf("the file's name says that the run failed")
}

// setPhase sets the phase of a run that has none.
func setPhase(r *result.Result, phase string, pos result.Position) {
	if r.Label("phase") != "" {
		return
	}
	labels := append(make(result.Labels, 0, len(r.Labels)+1), r.Labels...)
	labels.Set(result.Label{Name: "phase", Value: phase, Origin: result.Guessed, Pos: pos})
	r.Labels = labels
}

var (
	warmupName     = lazy.Regexp(`(?i)(^|[-_.])warm[-_]?up([-_.]|$)`)
	supersededName = lazy.Regexp(`(?i)(^|[-_.\d])(old|superseded|obsolete|outdated)$`)
	unfinishedName = lazy.Regexp(`(?i)[-_.](failed|aborted)$`)
)

// namedPhase returns the phase that the name of a file or of a folder above it states.
func namedPhase(rel string) string {
	if !mayName(rel, phaseWords) {
		return ""
	}
	rel = strings.TrimSuffix(rel, extension(rel))
	for part := range strings.SplitSeq(rel, "/") {
		switch {
		case warmupName().MatchString(part):
			return warmup
		case supersededName().MatchString(part):
			return superseded
		}
	}
	return ""
}

// namedUnfinished returns "failed" or "aborted" when the stem of a file's name ends with it.
func namedUnfinished(rel string) string {
	if !mayName(rel, endingWords) {
		return ""
	}
	stem := path.Base(strings.TrimSuffix(rel, extension(rel)))
	if m := unfinishedName().FindStringSubmatch(stem); m != nil {
		return strings.ToLower(m[1])
	}
	return ""
}

// Words in names that state a phase, and in names that state how a run ended.
var (
	phaseWords  = []string{"warm", "old", "superseded", "obsolete", "outdated"}
	endingWords = []string{"failed", "aborted"}
)

// mayName reports whether a path contains any of the words, regardless of case. It spares matching a regular expression
// against thousands of paths.
func mayName(rel string, words []string) bool {
	var room [256]byte
	lower := room[:0]
	for _, c := range []byte(rel) {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower = append(lower, c)
	}
	return slices.ContainsFunc(words, func(word string) bool { return bytes.Contains(lower, []byte(word)) })
}

// warmUps marks a short run at the beginning of a file as a warm-up: one of at most one request, when all following
// runs of the file have at least eight.
func warmUps(runs []entry) {
	byFile := map[*file][]entry{}
	for _, r := range runs {
		if len(r.file.out.Results) > 1 {
			byFile[r.file] = append(byFile[r.file], r)
		}
	}
	for _, rs := range byFile {
		if !(requests(rs[0].Result) <= 1) {
			continue
		}
		least := math.Inf(1)
		for _, r := range rs[1:] {
			if r.Tool != rs[0].Tool || !(requests(r.Result) > 0) {
				least = 0
			}
			least = min(least, requests(r.Result))
		}
		if least >= 8 {
			setPhase(rs[0].Result, warmup, rs[0].Source)
		}
	}
}

// requests returns the number of completed requests of a run, NaN when it is unknown.
func requests(r *result.Result) float64 {
	if m, ok := r.Metric("requests_completed"); ok {
		return m.Value
	}
	return math.NaN()
}

// copies marks runs that occur more than once: the same facts in two files, as in the summary of a sweep, or two
// records of one run in one folder, such as a printed table and a saved file, or two saved forms. The record with
// unrounded figures stays. Of equal records the one with more declared labels stays, then the one in the file with
// fewer results.
func (m *Memory) copies(runs []entry) {
	m.round++
	var groups []*group
	var all []*twins
	for _, r := range runs {
		if g := r.traits.among; g != nil {
			if g.round != m.round {
				*g = group{round: m.round, members: g.members[:0]}
				groups = append(groups, g)
			}
			g.add(r)
		}
		for _, t := range []*twins{r.traits.twins, r.traits.whole} {
			switch {
			case t == nil:
			case t.round != m.round:
				t.round, t.first, t.others = m.round, r, t.others[:0]
			default:
				if len(t.others) == 0 {
					all = append(all, t)
				}
				t.others = append(t.others, r)
			}
		}
	}
	for _, t := range all {
		t.settle()
	}
	for _, g := range groups {
		for i, a := range g.sorted() {
			for _, b := range g.members[i+1:] {
				if b.traits.at > 1.01*a.traits.at+0.01 {
					break // sorted by this value, so the rest differs more
				}
				less, more := a, b
				if !tellsMore(more, less) {
					less, more = b, a
				}
				if a.file != b.file && tellsMore(more, less) && alike(less.Result, more.Result) && sameRun(less.Result, more.Result) {
					setPhase(less.Result, superseded, more.Source)
				}
			}
		}
	}
	// References left here would keep this round's results in memory after a later round has dropped them.
	for _, g := range groups {
		clear(g.members)
		g.members = g.members[:0]
	}
	for _, r := range runs {
		for _, t := range []*twins{r.traits.twins, r.traits.whole} {
			if t != nil {
				clear(t.others)
				t.first = entry{}
			}
		}
	}
}

// settle decides which of several runs with the same facts stay. The decision does not depend on the order in which
// they were found. Runs that are declared to be different all stay and get a warning.
func (t *twins) settle() {
	members := append([]entry{t.first}, t.others...)
	slices.SortFunc(members, func(a, b entry) int {
		return cmp.Or(cmp.Compare(len(a.file.phase), len(b.file.phase)), // superseded runs and warm-ups do not stay
			cmp.Compare(b.described(), a.described()),
			cmp.Compare(len(a.file.out.Results), len(b.file.out.Results)),
			result.Compare(a.Result, b.Result))
	})
	var stay []entry
	for _, r := range members {
		original := slices.IndexFunc(stay, func(s entry) bool { return s.file != r.file && alike(s.Result, r.Result) })
		if original >= 0 {
			setPhase(r.Result, superseded, stay[original].Source)
			r.traits.copy = true
			continue
		}
		for _, s := range stay {
			if s.file != r.file { // repeats in one file may have the same figures
				sameLog(s.Result, r.Result)
				sameLog(r.Result, s.Result)
			}
		}
		stay = append(stay, r)
	}
}

// described counts the labels of a run that were declared or captured.
func (e entry) described() int {
	n := 0
	for i := range e.Labels {
		if origin := e.Labels[i].Origin; origin == result.Declared || origin == result.Captured {
			n++
		}
	}
	return n
}

// distinctive lists metrics of which nearly every run has at least one.
var distinctive = []string{"duration", "output_throughput", "batch_latency_mean", "request_throughput", "ttft_mean", "e2el_mean"}

// traits are the properties by which a result is compared with others.
type traits struct {
	twins *twins  // results with the same facts; nil for a result without a digest
	whole *twins  // results at the same index of files with the same facts throughout; nil when twins is enough
	copy  bool    // it repeats the facts of another result, which stays
	among *group  // results of its folder that may be of the same run; nil without a distinctive metric
	at    float64 // the value of that metric

	printed bool // its figures were rounded for printing
}

// twins are results with the same facts. They are collected anew in each round; the round number replaces clearing a
// table of all twins.
type twins struct {
	round  int
	first  entry
	others []entry
}

// among is the key of a group: the folder, the tool and the first distinctive metric of its results.
type among struct{ folder, tool, metric string }

// group holds the results of a folder and a tool that have the same first distinctive metric.
type group struct {
	round   int
	members []entry

	printed, saved bool // whether any member is so
	least, most    int  // the fewest and the most metrics of a member
}

func (g *group) add(r entry) {
	n := len(r.Metrics)
	if len(g.members) == 0 {
		g.least, g.most = n, n
	}
	g.least, g.most = min(g.least, n), max(g.most, n)
	g.printed, g.saved = g.printed || r.traits.printed, g.saved || !r.traits.printed
	g.members = append(g.members, r)
}

// sorted returns the members sorted by the distinctive metric. It returns none when no member has more figures than
// another, since no two can be records of the same run then.
func (g *group) sorted() []entry {
	if !g.saved || !g.printed && g.least == g.most {
		return nil
	}
	slices.SortFunc(g.members, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.traits.at, b.traits.at), result.Compare(a.Result, b.Result))
	})
	return g.members
}

// wholeFacts returns the joint digest of several results of a file that have few facts each. Files with the same digest
// are recognised as copies. It is "" when the results have too few facts in total, or enough facts each.
func wholeFacts(rs []result.Result) string {
	facts, least := 0, minFacts
	for i := range rs {
		facts += len(rs[i].Metrics)
		least = min(least, len(rs[i].Metrics))
	}
	if len(rs) < 2 || facts < minWhole || least == minFacts {
		return ""
	}
	var all strings.Builder
	for i := range rs {
		if rs[i].Digest == "" {
			return ""
		}
		all.WriteString(rs[i].Digest)
	}
	return all.String()
}

// traitsOf returns the traits of a result, before it is compared with any other. Whole is the joint digest of its
// file's results, and n is its index among them.
func (m *Memory) traitsOf(r *result.Result, whole string, n int) traits {
	t := traits{printed: isPrinted(r)}
	if r.Digest != "" {
		facts := r.Digest
		if len(r.Metrics) < minFacts { // few facts may coincide, except under the same name
			facts += "\x00" + strings.TrimSuffix(r.Source.File, path.Ext(r.Source.File))
		}
		t.twins = intern(m.twins, facts)
		if len(r.Metrics) < minFacts && whole != "" {
			t.whole = intern(m.twins, whole+"\x00"+strconv.Itoa(n))
		}
	}
	for _, name := range distinctive {
		if metric, ok := r.Metric(name); ok {
			t.among = intern(m.groups, among{path.Dir(r.Source.File), r.Tool, name})
			t.at = metric.Value
			break
		}
	}
	return t
}

// intern returns the one value stored under a name, and creates it if needed.
func intern[K comparable, T any](table map[K]*T, name K) *T {
	one := table[name]
	if one == nil {
		one = new(T)
		table[name] = one
	}
	return one
}

// tellsMore reports whether the first of two records of a run is the one to keep: a saved record rather than a printed
// one; of two saved ones, such as vLLM's X.json and X.pytorch.json, the one with more figures.
func tellsMore(more, less entry) bool {
	if more.traits.printed || less.traits.printed {
		return less.traits.printed && !more.traits.printed
	}
	return len(more.Metrics) > len(less.Metrics)
}

// alike reports whether two records may be of the same run: they have no differing declared labels, and do not come
// from two recordings.
func alike(a, b *result.Result) bool {
	if first, second := a.Labels.Get("x_started"), b.Labels.Get("x_started"); first != "" && second != "" && first != second {
		return false
	}
	for _, label := range a.Labels {
		other, known := b.Labels.Lookup(label.Name)
		if known && other.Value != label.Value && label.Origin == result.Declared && other.Origin == result.Declared {
			return false
		}
	}
	return true
}

// sameLog adds a warning to a run whose figures equal those of another run exactly although its declared labels differ:
// one of the two is a copy.
func sameLog(r, other *result.Result) {
	const id = "consistency.same-log"
	var declared []string
	for _, label := range other.Labels {
		if own, known := r.Labels.Lookup(label.Name); known && own.Value != label.Value && label.Origin == result.Declared {
			declared = append(declared, label.Name+" = "+strconv.Quote(label.Value))
		}
	}
	if declared == nil || slices.ContainsFunc(r.Checks, func(ck result.Check) bool { return ck.ID == id }) {
		return
	}
	r.Checks = append(slices.Clip(slices.Clone(r.Checks)), result.Check{ID: id, Severity: result.Warning,
		Text: locale.T("check.same-log", other.Source.File, strings.Join(declared, ", ")), Hint: locale.T("check.same-log.hint")})
}

// minFacts is how many figures two records must share to count as the same run.
const minFacts = 6

// minWhole is how many figures two files of several results must share in total.
const minWhole = 4

// isPrinted reports whether the figures of a result were rounded for printing.
func isPrinted(r *result.Result) bool {
	for i := range r.Metrics {
		if m := &r.Metrics[i]; !m.Derived && m.Decimals > 0 {
			return true
		}
	}
	return false
}

// sameRun reports whether a record has the same figures as a saved one, after rounding where the record was printed.
func sameRun(printed, saved *result.Result) bool {
	if printed.Tool != saved.Tool {
		return false
	}
	shared := 0
	for i := range printed.Metrics {
		p := &printed.Metrics[i]
		if p.Derived {
			continue
		}
		s, ok := saved.Metric(p.Name)
		if !ok || s.Derived {
			continue
		}
		same := p.Value == s.Value
		if p.Decimals >= 0 {
			same = strconv.FormatFloat(s.Value, 'f', int(p.Decimals), 64) == p.Text()
		}
		if !same {
			return false
		}
		shared++
	}
	return shared >= minFacts
}
