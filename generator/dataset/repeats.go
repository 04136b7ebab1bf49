package dataset

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Repeats checks that the results of one cell are repeats of one another: their labels that identify runs are
// equal (see vocabulary.Incidental), and some label states what they measured. Otherwise the error names the
// labels that differ, or what to declare. Results that measure different things, such as the speed of prefill
// and of decode, or speed and quality, need not be repeats: each has its own metrics.
func Repeats(rs []*result.Result, place string) error {
	return repeats(rs, func(n int, differ locale.Text) error {
		return Lackf(locale.Textf("they differ in %s: name one in where, or make it a row or column", differ), "%d runs fall into one cell: %s", n, place)
	})
}

// OneRun does what Repeats does for the runs of a selector of a single value.
func OneRun(rs []*result.Result, selector string) error {
	return repeats(rs, func(n int, differ locale.Text) error {
		return Lackf(locale.Textf("they differ in %s: name one in the braces", differ), "%d runs match %s, but a value needs exactly one", n, selector)
	})
}

// repeats checks results separately by what they measure. refuse returns the error for n results that differ in
// some labels.
func repeats(rs []*result.Result, refuse func(n int, differ locale.Text) error) error {
	if len(rs) < 2 {
		return nil
	}
	for _, kind := range ByMeasure(rs) {
		if err := alike(kind, refuse); err != nil {
			return err
		}
	}
	return nil
}

// ByMeasure groups results by what they measure.
func ByMeasure(rs []*result.Result) [][]*result.Result {
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

// alike checks that results that measure the same are repeats of one another.
func alike(rs []*result.Result, refuse func(n int, differ locale.Text) error) error {
	if len(rs) < 2 {
		return nil
	}
	var differ []locale.Text
	for _, name := range Differing(rs) {
		vs := LabelValues(rs, name)
		slices.SortFunc(vs, result.NaturalCompare)
		if vs[0] == "" {
			vs[0] = "(none)"
		}
		differ = append(differ, locale.Textf("%s (%s)", name, locale.Few(vs, 4)))
	}
	if len(differ) > 0 {
		return refuse(len(rs), locale.FewTexts(differ, 6))
	}
	if p := unlabelled(rs); p != nil {
		return p
	}
	return nil
}

// Unlabelled reports whether several results have equal labels and yet cannot be treated as repeats, because no
// label states their difference.
func Unlabelled(rs []*result.Result) bool { return len(rs) > 1 && unlabelled(rs) != nil }

// unlabelled returns a problem if results with equal labels cannot be treated as repeats, or else nil.
func unlabelled(rs []*result.Result) *Problem {
	var files, declare []string
	for _, r := range rs {
		if file := r.Source.File; file != "" && !slices.Contains(files, file) {
			base := path.Base(file)
			files = append(files, file)
			declare = append(declare, fmt.Sprintf("files.%q.model = %q", base, stem(base)))
		}
	}
	in := locale.Few(files, 4)
	orRepeats := locale.Textf(`where they are repeats, say so there: repeat = "1", repeat = "2"`)
	if slices.ContainsFunc(rs, func(r *result.Result) bool { return !Identified(r) }) {
		hint := locale.Textf(`declare it in a run.toml beside them, for example model = "Qwen3-8B"`)
		if len(files) > 1 {
			hint = locale.Textf("declare it in a run.toml beside them, by the names of the files: %s", locale.Few(declare, 3))
		}
		return Lackf(locale.Clauses(hint, orRepeats), "nothing says which model these %d runs measured, so they are not treated as repeats: %s", len(rs), in)
	}
	occasions, named := map[string]bool{}, map[string]bool{}
	for _, r := range rs {
		switch at := occasion(r); {
		case at != "" && occasions[at]:
			return Lackf(locale.Clauses(locale.Textf("give each row a label of its own in the file, or put each table into a file with its labels"), orRepeats),
				"%s holds several results with the same labels and without dates: they are not treated as repeats", r.Source.File)
		default:
			occasions[at] = true
		}
		if !declared(r) {
			named[words(r)] = true
		}
		if len(named) > 1 {
			return Lackf(locale.Clauses(locale.Textf("declare what differs in a run.toml beside them, by the names of the files, or in one in each folder"), orRepeats),
				"only the names of their files and folders distinguish %d runs, so they are not treated as repeats: %s", len(rs), in)
		}
		if !sameLengths(rs[0], r) {
			return Lackf(locale.Textf("declare input_len and output_len, or the dataset, in a run.toml beside them"),
				"the prompts or answers of %d runs differ in length, and no label says which length was requested: %s", len(rs), in)
		}
		if farApart(rs[0], r) {
			return Lackf(locale.Clauses(locale.Textf("put each into a file of its own, with a label that says what differs"), orRepeats),
				"%s holds %d results with the same labels whose throughputs differ by more than a factor of %v: they are not treated as repeats", r.Source.File, len(rs), rowTolerance)
		}
	}
	return nil
}

// Differing returns the identifying labels in which results differ, sorted by name.
func Differing(rs []*result.Result) []string {
	return slices.DeleteFunc(append(Telling(rs), "power_scope"), func(name string) bool {
		return len(LabelValues(rs, name)) < 2 || drifts(rs, name)
	})
}

// unreported reports whether a value does not contradict a repeat: repeats may lack the telemetry of another.
func unreported(name, value string) bool { return name == "power_scope" && value == "" }

// LabelValues returns the distinct values of a label in results, "" if absent.
func LabelValues(rs []*result.Result, name string) []string {
	var vs []string
	for _, r := range rs {
		if v := r.Label(name); !slices.Contains(vs, v) && !unreported(name, v) {
			vs = append(vs, v)
		}
	}
	return vs
}

// MeasureAlike reports whether two results have a metric in common that is part of the vocabulary.
func MeasureAlike(a, b *result.Result) bool {
	return slices.ContainsFunc(a.Metrics, func(m result.Metric) bool {
		if _, known := vocabulary.Define(m.Name); !known {
			return false
		}
		_, both := b.Metric(m.Name)
		return both
	})
}

// RepeatSets assigns results to sets of repeats, numbered from 0 in order of appearance. Repeats accepts the
// results of each set.
func RepeatSets(rs []*result.Result) []int {
	sets := make([]int, len(rs))
	kinds := map[string][]*repeated{} // by the identifying labels
	next := 0
	var key []byte
	for i, r := range rs {
		key = key[:0]
		for l := range r.Labels {
			if l := &r.Labels[l]; tellsApart(*l) {
				key = append(append(append(append(key, l.Name...), 0), l.Value...), 0)
			}
		}
		named, same := Identified(r), kinds[string(key)]
		n := -1
		if named && len(same) > 0 {
			at, called := occasion(r), calledBy(r)
			if n = slices.IndexFunc(same, func(of *repeated) bool { return of.takes(r, at, called) }); n >= 0 {
				same[n].occasions[at] = true
				same[n].words = cmp.Or(same[n].words, called)
				sets[i] = same[n].set
			}
		}
		if n < 0 {
			if sets[i] = next; named {
				kinds[string(key)] = append(same, &repeated{first: r, set: next})
			}
			next++
		}
	}
	return sets
}

// repeated is a set of repeats. Most sets have one run: words and occasions are computed when another is
// compared with it.
type repeated struct {
	first     *result.Result
	set       int
	words     *string // words in the names of files and folders; nil if all are declared to be repeats
	occasions map[string]bool
}

// calledBy returns the words in the names of a run's file and folders, or nil if it is declared to be a repeat.
func calledBy(r *result.Result) *string {
	if declared(r) {
		return nil
	}
	name := words(r)
	return &name
}

// takes reports whether a run with the same labels, with its occasion and its words, is a further repeat.
func (of *repeated) takes(r *result.Result, at string, called *string) bool {
	if of.occasions == nil {
		of.words, of.occasions = calledBy(of.first), map[string]bool{occasion(of.first): true}
	}
	return !(at != "" && of.occasions[at]) && (called == nil || of.words == nil || *called == *of.words) &&
		MeasureAlike(of.first, r) && sameLengths(of.first, r) && !farApart(of.first, r)
}
