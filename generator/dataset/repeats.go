package dataset

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Repeats checks that the results of one cell are repeats of one another:
// equal in every label but those that tell repeats apart. Otherwise it names
// the labels that differ. Results that measure different things, as the speed of
// prefill and that of decode, or speed and quality, are no repeats: each has its
// figure.
func Repeats(rs []*result.Result, place string) error {
	for _, kind := range ByMeasure(rs) {
		if err := alike(kind, place); err != nil {
			return err
		}
	}
	return nil
}

// ByMeasure divides results by what they measure.
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

// alike checks that results of one kind are equal in every label but those that
// tell repeats apart.
func alike(rs []*result.Result, place string) error {
	var differ []string
	for _, name := range Differing(rs) {
		vs := LabelValues(rs, name)
		slices.SortFunc(vs, result.NaturalCompare)
		if vs[0] == "" {
			vs[0] = "(none)"
		}
		differ = append(differ, fmt.Sprintf("%s (%s)", name, Shorten(vs, 4)))
	}
	if len(differ) == 0 {
		return nil
	}
	return Lackf("they differ in "+strings.Join(differ, "; ")+": name one in where, or make it a row or column",
		"%d runs fall into one cell: %s", len(rs), place)
}

// Differing gives the labels, in order of their names, that results are not
// equal in, but for those that tell repeats apart.
func Differing(rs []*result.Result) []string {
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

// LabelValues gives the values that results have of a label, "" for none.
func LabelValues(rs []*result.Result, name string) []string {
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

// tellsRepeats are the labels that tell repeats of one run apart.
var tellsRepeats = map[string]bool{"repeat": true, "date": true, "published": true, "source": true, "past_commit": true}

// TellsRepeats tells whether runs may differ in a label and still be repeats of
// one another.
func TellsRepeats(label string) bool { return tellsRepeats[label] }

// RepeatSets numbers results by the run they are repeats of, from 0 in order of
// appearance: equal in every label but those that tell repeats apart, and alike
// in what they measure.
func RepeatSets(rs []*result.Result) []int {
	sets := make([]int, len(rs))
	type kind struct {
		first *result.Result
		set   int
	}
	kinds := map[string][]kind{} // by what the labels say
	next := 0
	for i, r := range rs {
		var key strings.Builder
		labels := maps.Collect(r.Labels.Values())
		for _, name := range slices.Sorted(maps.Keys(labels)) {
			if !TellsRepeats(name) && name != "power_scope" && !strings.HasPrefix(name, "x_") {
				key.WriteString(name + "\x00" + labels[name] + "\x00")
			}
		}
		same := kinds[key.String()]
		at := slices.IndexFunc(same, func(k kind) bool { return MeasureAlike(k.first, r) })
		if at < 0 {
			at = len(same)
			same = append(same, kind{r, next})
			kinds[key.String()] = same
			next++
		}
		sets[i] = same[at].set
	}
	return sets
}
