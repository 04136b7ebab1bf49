// Package data makes what the scripts of pages read besides their page: results as
// columns, their raw text, and the names of all that is in them.
//
// A page that is opened from a file can read nothing but scripts, so that data is
// written as one: Script(name, value) leaves a JSON value at benchpost["name"], and
// lies below data/ in the site. Results are divided by campaign (Groups). Pages that work
// on all of them read a few scripts (Packs), each of which has some campaigns whole: one
// more run rewrites one script, and a page asks for no more than mostPacks.
package data

import (
	"cmp"
	"encoding/json"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/export"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/result"
)

// NoCampaign is the name of the group of results without a campaign.
const NoCampaign = "_"

// Group is the results of a campaign, in order.
type Group struct {
	Name string
	Runs []*result.Result
}

// GroupOf names the group of a result.
func GroupOf(r *result.Result) string {
	if c := r.Label("campaign"); c != "" {
		return c
	}
	return NoCampaign
}

// Groups divides results by campaign, in natural order of the names.
func Groups(results []*result.Result) []Group {
	at := map[string]int{}
	var groups []Group
	campaign := result.Labelled("campaign")
	for _, r := range results {
		name := cmp.Or(campaign(r), NoCampaign)
		i, ok := at[name]
		if !ok {
			i = len(groups)
			at[name] = i
			groups = append(groups, Group{Name: name})
		}
		groups[i].Runs = append(groups[i].Runs, r)
	}
	slices.SortFunc(groups, func(a, b Group) int { return result.NaturalCompare(a.Name, b.Name) })
	return groups
}

// Pack is groups whose results are in one script, in order.
type Pack struct {
	Name   string // of the data
	Groups []Group
}

// Over how many scripts results are spread: few are in one. The page with its style,
// icon and scripts, and these, are ten requests.
const (
	fewResults = 1000
	mostPacks  = 3
)

// Packs divides results over scripts, by the names of their groups alone.
func Packs(results []*result.Result) []Pack {
	packs := make([]Pack, 1)
	if len(results) > fewResults {
		packs = make([]Pack, mostPacks)
	}
	for i := range packs {
		packs[i].Name = "columns/" + strconv.Itoa(i)
	}
	for _, g := range Groups(results) {
		h := fnv.New32a()
		h.Write([]byte(g.Name))
		i := h.Sum32() % uint32(len(packs))
		packs[i].Groups = append(packs[i].Groups, g)
	}
	return slices.DeleteFunc(packs, func(p Pack) bool { return len(p.Groups) == 0 })
}

// Results are those of all groups.
func (p Pack) Results() []*result.Result {
	var rs []*result.Result
	for _, g := range p.Groups {
		rs = append(rs, g.Runs...)
	}
	return rs
}

// Script makes the script of the pack. Auxiliary reports whether a result is no
// measurement of its own.
func (p Pack) Script(names *address.Book, auxiliary func(*result.Result) bool) []byte {
	groups := make([]export.ColumnGroup, len(p.Groups))
	for i, g := range p.Groups {
		groups[i] = export.ColumnGroup{Name: names.CampaignData(g.Name), Results: g.Runs}
	}
	block := func(group int, r *result.Result) int { return p.Groups[group].Block(r) }
	return Script(p.Name, export.ColumnData(groups, auxiliary, block))
}

// Path is the path of the script of some data in the site.
func Path(name string) string { return "data/" + name + ".js" }

// Script makes a script of a JSON value that leaves it at benchpost["name"]. What is
// written is safe within HTML too.
func Script(name string, value []byte) []byte {
	var b strings.Builder
	b.WriteString(`(self.benchpost??={})[`)
	quoted, _ := json.Marshal(name) // of a string: it cannot fail
	b.Write(quoted)
	b.WriteString(`]=`)
	b.Write(value)
	b.WriteString(";\n")
	return []byte(b.String())
}
