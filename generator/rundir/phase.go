package rundir

import (
	"cmp"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"benchpost/generator/bench"
)

// The phase of a run that is no measurement of its own. Absent means measured.
const (
	warmup     = "warmup"
	superseded = "superseded"
)

// phases finds the runs that are no measurements of their own: a second copy of
// a run, one that a warm-up made, one that another replaced. They are kept, and
// say so; no table counts them unless it asks for them.
func (l *loader) phases(runs []*bench.Result, of map[*bench.Result]*file) {
	l.copies(runs)
	for _, r := range runs {
		if phase := namedPhase(of[r].rel); phase != "" {
			setPhase(r, phase, bench.Position{File: r.Source.File})
		}
		if word := namedUnfinished(of[r].rel); word != "" && r.Status == bench.Complete {
			r.Status = bench.Failed
			if word == "aborted" {
				r.Status = bench.Partial
			}
			l.messages = append(l.messages, bench.Message{Pos: r.Source, Severity: bench.Info, ID: "run.named-" + word,
				Text: "the file's name says that the run " + word, Hint: "rename the file if it did not"})
		}
	}
	warmUps(runs)
}

// setPhase notes what a run is, unless it is known.
func setPhase(r *bench.Result, phase string, pos bench.Position) {
	if r.Label("phase") != "" {
		return
	}
	labels := append(make(bench.Labels, 0, len(r.Labels)+1), r.Labels...)
	labels.Set(bench.Label{Name: "phase", Value: phase, Origin: bench.Guessed, Pos: pos})
	r.Labels = labels
}

var (
	warmupName     = regexp.MustCompile(`(?i)(^|[-_.])warm[-_]?up([-_.]|$)`)
	supersededName = regexp.MustCompile(`(?i)(^|[-_.\d])(old|superseded|obsolete|outdated)$`)
	unfinishedName = regexp.MustCompile(`(?i)[-_.](failed|aborted)$`)
)

// namedPhase gives the phase that the name of a file or of a folder above it
// tells.
func namedPhase(rel string) string {
	if !mayName(rel, "warm", "old", "superseded", "obsolete", "outdated") {
		return ""
	}
	rel = strings.TrimSuffix(rel, extension(rel))
	for part := range strings.SplitSeq(rel, "/") {
		switch {
		case warmupName.MatchString(part):
			return warmup
		case supersededName.MatchString(part):
			return superseded
		}
	}
	return ""
}

// namedUnfinished gives "failed" or "aborted" when the name of a file ends with it.
func namedUnfinished(rel string) string {
	if !mayName(rel, "failed", "aborted") {
		return ""
	}
	stem := path.Base(strings.TrimSuffix(rel, extension(rel)))
	if m := unfinishedName.FindStringSubmatch(stem); m != nil {
		return strings.ToLower(m[1])
	}
	return ""
}

// mayName tells whether any of some words is in a path, whatever its case: an
// expression need not be tried on all of thousands.
func mayName(rel string, words ...string) bool {
	lower := strings.ToLower(rel)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(lower, word) })
}

// warmUps finds the short run that stands before the others in one file: of one
// request, where each that follows has eight times as many or more.
func warmUps(runs []*bench.Result) {
	byFile := map[string][]*bench.Result{}
	for _, r := range runs {
		byFile[r.Source.File] = append(byFile[r.Source.File], r)
	}
	for _, rs := range byFile {
		if len(rs) < 2 || !(requests(rs[0]) <= 1) {
			continue
		}
		least := math.Inf(1)
		for _, r := range rs[1:] {
			if r.Tool != rs[0].Tool || !(requests(r) > 0) {
				least = 0
			}
			least = min(least, requests(r))
		}
		if least >= 8 {
			setPhase(rs[0], warmup, rs[0].Source)
		}
	}
}

// requests gives the number of requests of a run, NaN when it is not told.
func requests(r *bench.Result) float64 {
	if m, ok := r.Metric("requests_completed"); ok {
		return m.Value
	}
	return math.NaN()
}

// copies finds runs that are there more than once: the same facts in two files,
// as in the summary of a sweep, and in one folder the table that a tool printed
// beside what it saved, or two forms of that. The one with all digits stays, and
// of equals the one that is alone in its file.
func (l *loader) copies(runs []*bench.Result) {
	perFile := map[string]int{}
	for _, r := range runs {
		perFile[r.Source.File]++
	}
	better := func(a, b *bench.Result) bool { // a is the one to stay
		if perFile[a.Source.File] != perFile[b.Source.File] {
			return perFile[a.Source.File] < perFile[b.Source.File]
		}
		return bench.Compare(a, b) < 0
	}
	byDigest := map[string]*bench.Result{}
	for _, r := range runs {
		first, copied := byDigest[r.Digest]
		switch {
		case r.Digest == "" || len(r.Metrics) < minFacts:
		case !copied:
			byDigest[r.Digest] = r
		case first.Source.File == r.Source.File: // repeats may print the same figures
		case !alike(first, r): // declared to be two runs
		case better(first, r):
			setPhase(r, superseded, first.Source)
		default:
			setPhase(first, superseded, r.Source)
			byDigest[r.Digest] = r
		}
	}
	for _, rs := range candidates(runs) {
		for i, a := range rs {
			for _, b := range rs[i+1:] {
				if at(b) > 1.01*at(a)+0.01 {
					break // sorted: the others are further away
				}
				less, more := a, b
				if !tellsMore(more, less) {
					less, more = b, a
				}
				if more.Source.File != less.Source.File && tellsMore(more, less) && alike(less, more) && sameRun(less, more) {
					setPhase(less, superseded, more.Source)
				}
			}
		}
	}
}

// telling are metrics of which nearly every run has one.
var telling = []string{"duration", "output_throughput", "batch_latency_mean", "request_throughput", "ttft_mean", "e2el_mean"}

// candidates groups the runs of a folder and a tool that have the same of these
// metrics first, in the order of its value.
func candidates(runs []*bench.Result) map[[3]string][]*bench.Result {
	groups := map[[3]string][]*bench.Result{}
	for _, r := range runs {
		for _, name := range telling {
			if _, ok := r.Metric(name); ok {
				key := [3]string{path.Dir(r.Source.File), r.Tool, name}
				groups[key] = append(groups[key], r)
				break
			}
		}
	}
	for _, rs := range groups {
		slices.SortFunc(rs, func(a, b *bench.Result) int { return cmp.Or(cmp.Compare(at(a), at(b)), bench.Compare(a, b)) })
	}
	return groups
}

// at gives the value by which a run is compared.
func at(r *bench.Result) float64 {
	for _, name := range telling {
		if m, ok := r.Metric(name); ok {
			return m.Value
		}
	}
	return 0
}

// tellsMore tells whether of two records of a run the first is the one to stay:
// what was saved rather than what was printed, and of two that were saved, as
// vLLM's X.json and X.pytorch.json, the one with more figures.
func tellsMore(more, less *bench.Result) bool {
	if isPrinted(more) || isPrinted(less) {
		return isPrinted(less) && !isPrinted(more)
	}
	return len(more.Metrics) > len(less.Metrics)
}

// alike tells whether nothing declared says that two records are of two runs, and
// no two recordings made them.
func alike(a, b *bench.Result) bool {
	if first, second := a.Labels.Get("x_started"), b.Labels.Get("x_started"); first != "" && second != "" && first != second {
		return false
	}
	for _, label := range a.Labels {
		other, known := b.Labels.Lookup(label.Name)
		if known && other.Value != label.Value && label.Origin == bench.Declared && other.Origin == bench.Declared {
			return false
		}
	}
	return true
}

// minFacts is how many figures two records have to share to be of one run.
const minFacts = 6

// isPrinted tells whether figures were rounded for printing.
func isPrinted(r *bench.Result) bool {
	for i := range r.Metrics {
		if m := &r.Metrics[i]; !m.Derived && m.Decimals > 0 {
			return true
		}
	}
	return false
}

// sameRun tells whether a record has the figures of a saved one, rounded where it
// was printed.
func sameRun(printed, saved *bench.Result) bool {
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
