package data

import (
	"fmt"
	"slices"
	"testing"

	"github.com/benchpost/benchpost/generator/result"
)

// runsOf returns the given number of results in each of some campaigns.
func runsOf(campaigns, each int) []*result.Result {
	var rs []*result.Result
	for c := range campaigns {
		for i := range each {
			r := &result.Result{ID: fmt.Sprintf("c%d/%d", c, i)}
			r.Labels.Set(result.Label{Name: "campaign", Value: fmt.Sprint("c", c)})
			rs = append(rs, r)
		}
	}
	return rs
}

// TestPacks checks that every result is in one script, that campaigns are not split, that many results need few
// scripts, and that one more campaign changes one script.
func TestPacks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ campaigns, each, packs int }{{0, 0, 0}, {1, 5000, 1}, {49, 20, 1}, {500, 20, mostPacks}} {
		rs := runsOf(c.campaigns, c.each)
		packs := Packs(rs)
		if len(packs) != c.packs {
			t.Errorf("%d campaigns of %d are in %d scripts, want %d", c.campaigns, c.each, len(packs), c.packs)
		}
		in := map[string]string{}
		n := 0
		for _, p := range packs {
			for _, g := range p.Groups {
				if in[g.Name] != "" || len(g.Runs) != c.each {
					t.Errorf("%s is in %s and in %s, with %d runs", g.Name, in[g.Name], p.Name, len(g.Runs))
				}
				in[g.Name] = p.Name
			}
			n += len(p.Results())
		}
		if n != len(rs) {
			t.Errorf("%d of %d results", n, len(rs))
		}
		groups := map[string]int{}
		for _, p := range packs {
			groups[p.Name] = len(p.Groups)
		}
		changed := 0
		for _, p := range Packs(append(slices.Clone(rs), &result.Result{ID: "new"})) {
			if len(p.Groups) != groups[p.Name] {
				changed++
			}
		}
		if changed != 1 {
			t.Errorf("one more campaign changes %d scripts", changed)
		}
	}
}
