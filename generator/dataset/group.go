package dataset

import (
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Group is the runs of one row.
type Group struct {
	Values []string // values of the row labels
	Runs   []*result.Result
}

// Groups groups results by the values of labels, in order.
func (d *Selection) Groups(rs []*result.Result, labels []string) []Group {
	byKey := map[string]int{}
	var out []Group
	for _, r := range d.Sorted(rs, labels) {
		values := make([]string, len(labels))
		for i, l := range labels {
			values[i] = r.Label(l)
		}
		key := strings.Join(values, "\x00")
		i, ok := byKey[key]
		if !ok {
			i = len(out)
			byKey[key] = i
			out = append(out, Group{Values: values})
		}
		out[i].Runs = append(out[i].Runs, r)
	}
	return out
}

// Sorted sorts results by labels, in the site's order of their values.
func (d *Selection) Sorted(rs []*result.Result, labels []string) []*result.Result {
	out := slices.Clone(rs)
	slices.SortStableFunc(out, func(a, b *result.Result) int {
		for _, l := range labels {
			if c := d.CompareValues(l, a.Label(l), b.Label(l)); c != 0 {
				return c
			}
		}
		return 0
	})
	return out
}

// Workload returns a key of what runs have to agree in to share a frontier: the labels of the workload except
// those that are laid out or in which differences are accepted.
func Workload(r *result.Result, laid ...string) string {
	var b strings.Builder
	for _, name := range vocabulary.Workload() {
		if !slices.Contains(laid, name) {
			b.WriteString(strconv.Quote(r.Label(name)))
		}
	}
	return b.String()
}

// Place returns the name of a cell: model="A", load="high". It leaves out the label "".
func Place(labels, values []string) string {
	place := make([]byte, 0, 64)
	for i, l := range labels {
		if l == "" {
			continue
		}
		if len(place) > 0 {
			place = append(place, ", "...)
		}
		place = append(append(append(place, l...), '='), result.Quote(values[i])...)
	}
	return string(place)
}
