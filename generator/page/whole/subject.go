package whole

import (
	"cmp"
	"slices"

	"github.com/benchpost/benchpost/generator/census"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/result"
)

// subject is a model, a machine, a load or a scenario, with the figures of its runs.
type subject struct {
	kind  address.Kind
	value string
	rows  []*census.Row
	runs  int
	parts []census.Share // by part
}

// kinds lists the kinds with pages. Their names are the labels that group rows.
var kinds = []address.Kind{address.Models, address.Boards, address.Loads, address.Scenarios}

// subjectsOf returns the subjects of all rows, sorted by kind and in natural order of the values.
func subjectsOf(c *census.Census) []*subject {
	at := map[address.Name]*subject{}
	var all []*subject
	for i := range c.Rows {
		row := &c.Rows[i]
		for _, kind := range kinds {
			value := row.Labels.Get(string(kind))
			if value == "" {
				continue
			}
			s := at[address.Name{Kind: kind, Text: value}]
			if s == nil {
				s = &subject{kind: kind, value: value}
				at[s.name()] = s
				all = append(all, s)
			}
			s.rows = append(s.rows, row)
			s.runs += row.Runs
		}
	}
	for _, s := range all {
		s.parts = together(s.rows)
	}
	slices.SortFunc(all, func(a, b *subject) int {
		return cmp.Or(cmp.Compare(slices.Index(kinds, a.kind), slices.Index(kinds, b.kind)), result.NaturalCompare(a.value, b.value))
	})
	return all
}

// together returns the number of runs in each part.
func together(rows []*census.Row) []census.Share {
	runs := map[int]int{}
	for _, row := range rows {
		for _, s := range row.Parts {
			runs[s.Part] += s.Runs
		}
	}
	shares := make([]census.Share, 0, len(runs))
	for part, n := range runs {
		shares = append(shares, census.Share{Part: part, Runs: n})
	}
	slices.SortFunc(shares, func(a, b census.Share) int { return cmp.Compare(a.Part, b.Part) })
	return shares
}

func (s *subject) name() address.Name { return address.Name{Kind: s.kind, Text: s.value} }

// label returns the label of the subject's value.
func (s *subject) label() string { return string(s.kind) }

// values returns the number of different values of a label in the subject's rows.
func (s *subject) values(label string) int {
	seen := map[string]bool{}
	for _, row := range s.rows {
		if v := row.Labels.Get(label); v != "" {
			seen[v] = true
		}
	}
	return len(seen)
}

// best returns the best figure of a metric in the subject's rows, and its row, nil if there is none.
func (s *subject) best(metric string) (best census.Reading, of *census.Row) {
	for _, row := range s.rows {
		for _, f := range row.Figures {
			if one := f.Best; one.Name == metric && (of == nil || one.Better == result.Lower && one.Value < best.Value || one.Better != result.Lower && one.Value > best.Value) {
				best, of = one, row
			}
		}
	}
	return best, of
}
