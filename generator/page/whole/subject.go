package whole

import (
	"cmp"
	"slices"

	"github.com/benchpost/benchpost/generator/census"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/result"
)

// subject is a model, a machine, a load or a scenario, with what its runs came to.
type subject struct {
	kind  address.Kind
	value string
	rows  []*census.Row
	runs  int
	parts []census.Share // by part
}

// kinds are those that have pages, whose names are the labels by whose values rows are grouped.
var kinds = []address.Kind{address.Models, address.Boards, address.Loads, address.Scenarios}

// subjectsOf groups the rows, by kind and in natural order of the values.
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

// together adds up how many runs each part has.
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

// label is the label whose value it is.
func (s *subject) label() string { return string(s.kind) }

// values returns how many values of a label its rows have.
func (s *subject) values(label string) int {
	seen := map[string]bool{}
	for _, row := range s.rows {
		if v := row.Labels.Get(label); v != "" {
			seen[v] = true
		}
	}
	return len(seen)
}

// best returns the best figure of a metric in any of its rows, and that row; nil for none.
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
