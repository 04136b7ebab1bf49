// Package data makes the data that the scripts of pages read: results as columns, their raw text, and all names in
// them.
//
// A page opened from a file system can read nothing but scripts, so data is written as scripts: Script(name, value)
// assigns a JSON value to benchpost["name"]. The scripts are below data/ in the site. Results are grouped by campaign
// (Groups). Pages that use all results read a few scripts (Packs), each with the complete results of some campaigns.
// Adding a run changes one script, and a page loads at most mostPacks.
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

// Group holds the results of a campaign, in order.
type Group struct {
	Name string
	Runs []*result.Result
}

// GroupOf returns the name of a result's group.
func GroupOf(r *result.Result) string {
	if c := r.Label("campaign"); c != "" {
		return c
	}
	return NoCampaign
}

// Groups groups results by campaign, in natural order of the names.
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

// Pack holds the groups whose results are in one script, in order.
type Pack struct {
	Name   string // name of the data
	Groups []Group
}

// Results are in one script if there are few, else in mostPacks. With the page, its style, icon and scripts this makes
// ten requests.
const (
	fewResults = 1000
	mostPacks  = 3
)

// Packs distributes groups over scripts. The script of a group depends only on its name.
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

// Results returns the results of all groups.
func (p Pack) Results() []*result.Result {
	var rs []*result.Result
	for _, g := range p.Groups {
		rs = append(rs, g.Runs...)
	}
	return rs
}

// Script makes the script of the pack. auxiliary reports whether a result is auxiliary.
func (p Pack) Script(names *address.Book, auxiliary func(*result.Result) bool) []byte {
	groups := make([]export.ColumnGroup, len(p.Groups))
	for i, g := range p.Groups {
		groups[i] = export.ColumnGroup{Name: names.CampaignData(g.Name), Results: g.Runs}
	}
	block := func(group int, r *result.Result) int { return p.Groups[group].Block(r) }
	return Script(p.Name, export.ColumnData(groups, auxiliary, block))
}

// Path returns the path of a data script in the site.
func Path(name string) string { return "data/" + name + ".js" }

// Script returns a script that assigns a JSON value to benchpost["name"]. The script is safe inside HTML too.
func Script(name string, value []byte) []byte {
	var b strings.Builder
	b.WriteString(`(self.benchpost??={})[`)
	quoted, _ := json.Marshal(name) // cannot fail for a string
	b.Write(quoted)
	b.WriteString(`]=`)
	b.Write(value)
	b.WriteString(";\n")
	return []byte(b.String())
}
