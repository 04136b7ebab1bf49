// Package raw selects runs whose output is shown as the tool printed it.
package raw

import (
	"slices"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// Spec holds the keys of the block raw.
type Spec struct {
	Where string
	Title []string // labels whose values are written above each block
	Sort  []string // labels to order by, in the site's order of their values
}

// Runs returns the selected runs in order, with the title of each.
func Runs(d *dataset.Selection, s Spec) ([]report.Raw, error) {
	rs, err := d.Select(s.Where)
	if err != nil {
		return nil, err
	}
	for _, name := range append(s.Title, s.Sort...) {
		if _, label := dataset.Known(rs, name); !label {
			return nil, dataset.Unknown(rs, name)
		}
	}
	sorted := d.Sorted(rs, s.Sort)
	titles := titled(d, sorted, s.Title)
	out := make([]report.Raw, len(sorted))
	for i, r := range sorted {
		out[i] = report.Raw{Title: titles[i], Result: r}
	}
	return out, nil
}

// titled returns the title of each run: its values of some labels. Runs with equal titles get the values of further
// labels, and repeats get their ids, so that every title is unique.
func titled(d *dataset.Selection, rs []*result.Result, labels []string) []locale.Text {
	titles := make([]locale.Text, len(rs))
	if len(labels) == 0 {
		return titles // the author wants no titles
	}
	words := make([][]locale.Text, len(rs))
	add := func(i int, labels []string) {
		for _, name := range labels {
			if v := rs[i].Label(name); v != "" {
				words[i] = append(words[i], d.Held(name, v))
			}
		}
	}
	alike := func() map[string][]int {
		runs := map[string][]int{}
		for i := range rs {
			title := locale.English(locale.Join(" · ", words[i]...))
			runs[title] = append(runs[title], i)
		}
		return runs
	}
	for i := range rs {
		add(i, labels)
	}
	for _, of := range alike() {
		if len(of) == 1 {
			continue
		}
		group := make([]*result.Result, len(of))
		for k, i := range of {
			group[k] = rs[i]
		}
		telling := slices.DeleteFunc(dataset.Apart(group, labels...), func(name string) bool { return name == "id" })
		for _, i := range of {
			add(i, telling)
		}
	}
	for _, of := range alike() {
		for _, i := range of {
			if len(of) > 1 {
				words[i] = append(words[i], locale.Lit(rs[i].ID))
			}
		}
	}
	for i := range rs {
		titles[i] = locale.Join(" · ", words[i]...)
	}
	return titles
}
