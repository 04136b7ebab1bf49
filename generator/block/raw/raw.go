// Package raw selects runs whose output is shown as the tool printed it.
package raw

import (
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
)

// Spec holds the keys of the block raw.
type Spec struct {
	Where string
	Title []string // labels whose values are above each block
	Sort  []string // labels to order by, in the site's order of their values
}

// Runs returns the selected runs, in order, with what is written above each.
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
	var out []report.Raw
	for _, r := range d.Sorted(rs, s.Sort) {
		var words []locale.Text
		for _, name := range s.Title {
			if v := r.Label(name); v != "" {
				words = append(words, d.Title(name, v))
			}
		}
		out = append(out, report.Raw{Title: locale.Join(" · ", words...), Result: r})
	}
	return out, nil
}
