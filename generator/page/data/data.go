// Package data makes what the scripts of pages read besides their page: the results
// of a campaign as columns, their raw text, and the names of all that is in them.
//
// A page that is opened from a file can read nothing but scripts, so that data is
// written as one: Script(name, value) leaves a JSON value at benchpost["name"], and
// lies below data/ in the site. Results are divided by campaign (Groups), so that one
// more run rewrites the data of one.
package data

import (
	"encoding/json"
	"slices"
	"strings"

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
	if c := r.Labels.Get("campaign"); c != "" {
		return c
	}
	return NoCampaign
}

// Groups divides results by campaign, in natural order of the names.
func Groups(results []*result.Result) []Group {
	at := map[string]int{}
	var groups []Group
	for _, r := range results {
		name := GroupOf(r)
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

// Columns names the data of a group's columns.
func Columns(names *address.Book, group string) string { return "results/" + names.CampaignData(group) }

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
