package dataset

import (
	"slices"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Apart returns the labels that distinguish results, in addition to those that are shown anyway: for example
// max_concurrency in a sweep, or flash_attention in a table of llama-bench. The list is minimal: no label can
// be left out. Labels that every result has come first, in the order of the vocabulary. No label distinguishes
// repeats; a list shows their ids.
func Apart(rs []*result.Result, shown ...string) []string {
	if len(rs) < 2 {
		return nil
	}
	p := newPartition(rs)
	for _, name := range shown {
		p = p.by(name)
	}
	if p.groups == len(rs) {
		return nil
	}
	begin := p
	var names []string
	for _, name := range telling(rs) {
		if p.groups == len(rs) {
			break
		}
		if finer := p.by(name); !slices.Contains(shown, name) && finer.groups > p.groups {
			names, p = append(names, name), finer
		}
	}
	for i := 0; len(names) > 1 && i < len(names); { // drop a label if the others distinguish as much
		others := slices.Delete(slices.Clone(names), i, i+1)
		q := begin
		for _, name := range others {
			q = q.by(name)
		}
		if q.groups == p.groups {
			names = others
		} else {
			i++
		}
	}
	return names
}

// MostTelling is the least number of distinguishing labels that a list has room for if its rows are identical
// without them.
const MostTelling = 4

// Columns returns the labels that a list of results shows, in addition to those that it shows anyway. It
// returns as many of the usual labels as there is room for, unless results are then identical although other
// labels distinguish them: those labels take precedence over the usual ones. The order is that of the usual
// labels.
func Columns(rs []*result.Result, usual []string, room int, shown ...string) []string {
	first := usual[:min(room, len(usual))]
	if _, groups := Alike(rs, slices.Concat(shown, first)...); groups == len(rs) || len(Apart(rs, slices.Concat(shown, first)...)) == 0 {
		return first
	}
	if room < len(usual) {
		first = nil
	}
	telling := slices.DeleteFunc(Apart(rs, slices.Concat(shown, first)...), func(name string) bool { return name == "id" })
	telling = telling[:min(max(room, MostTelling), len(telling))]
	var out []string
	spare := room - len(telling)
	for _, name := range usual {
		switch {
		case slices.Contains(first, name) || slices.Contains(telling, name):
			out = append(out, name)
		case len(first) == 0 && spare > 0:
			out = append(out, name)
			spare--
		}
	}
	for _, name := range telling {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// partition is a division of results into groups of identical ones.
type partition struct {
	rs     []*result.Result
	group  []int // the group of each result
	groups int
}

func newPartition(rs []*result.Result) partition {
	return partition{rs, make([]int, len(rs)), min(1, len(rs))}
}

// Alike groups results by the values of some labels. It returns the group of each result, numbered in order of
// appearance, and the number of groups.
func Alike(rs []*result.Result, labels ...string) (group []int, groups int) {
	p := newPartition(rs)
	for _, label := range labels {
		p = p.by(label)
	}
	return p.group, p.groups
}

// by divides each group by the values of a label. A label with the same value in all results, the usual case,
// divides nothing.
func (p partition) by(label string) partition {
	if p.groups == len(p.rs) {
		return p
	}
	of := result.Labelled(label)
	first := of(p.rs[0])
	if !slices.ContainsFunc(p.rs, func(r *result.Result) bool { return of(r) != first }) {
		return p
	}
	type cell struct{ group, value int }
	values, cells := map[string]int{}, make(map[cell]int, p.groups)
	finer := make([]int, len(p.rs))
	for i, r := range p.rs {
		v := of(r)
		value, ok := values[v]
		if !ok {
			value = len(values)
			values[v] = value
		}
		c := cell{p.group[i], value}
		n, ok := cells[c]
		if !ok {
			n = len(cells)
			cells[c] = n
		}
		finer[i] = n
	}
	return partition{p.rs, finer, len(cells)}
}

// telling returns the labels that may distinguish results, in order of preference: labels that every result has
// before the others, each in the order of the vocabulary.
func telling(rs []*result.Result) []string {
	names := Telling(rs)
	rank := map[string]int{}
	for i, l := range vocabulary.Labels() {
		rank[l.Name] = i + 1
	}
	rank["model_raw"], rank["tokenizer"] = 0, 0 // these repeat model
	place := func(name string) int {
		at := rank[name]
		if at == 0 {
			at = len(rank)
		}
		if slices.ContainsFunc(rs, func(r *result.Result) bool { return r.Label(name) == "" }) {
			at += 2 * len(rank)
		}
		return at
	}
	places := make(map[string]int, len(names))
	for _, name := range names {
		places[name] = place(name)
	}
	slices.SortStableFunc(names, func(a, b string) int { return places[a] - places[b] })
	return names
}

// Distinct returns unique names for results that are listed together. Where names are equal, it appends the
// labels that distinguish the results, or the id if no label does.
func (d *Selection) Distinct(rs []*result.Result, names []locale.Text) []locale.Text {
	out := slices.Clone(names)
	extended := func(extend func(alike []int)) {
		at := map[string][]int{}
		for i := range rs {
			name := locale.English(out[i])
			at[name] = append(at[name], i)
		}
		for i := range rs { // in their order
			if alike := at[locale.English(names[i])]; len(alike) > 1 && alike[0] == i {
				extend(alike)
			}
		}
	}
	extended(func(alike []int) {
		var of []*result.Result
		for _, i := range alike {
			of = append(of, rs[i])
		}
		labels := Apart(of)
		for _, i := range alike {
			for _, label := range labels {
				if v := rs[i].Label(label); v != "" {
					out[i] = locale.Join(" · ", out[i], d.Held(label, v))
				}
			}
		}
	})
	names = slices.Clone(out)
	extended(func(alike []int) {
		for _, i := range alike {
			out[i] = locale.Join(" · ", out[i], locale.Lit(rs[i].ID))
		}
	})
	return out
}
