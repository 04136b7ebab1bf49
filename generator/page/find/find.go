// Package find makes the index that readers search a site by: one data script a
// language, which is loaded when a reader first searches.
//
//	x := find.Index{Words: words}
//	models := x.Kind("Models")
//	models.Add("Qwen3-8B-FP8", "models/qwen3-8b-fp8.html", "FP8")
//	data.Script(find.Name("en"), x.JSON())
//
// It has what a site has few of: posts, models, definitions, headings of documents. Runs
// are not in it; they are found in the results that the pages of results read. No page
// depends on it, so that one more run changes no page but those that show it. The
// order of kinds and entries is that of equally good finds.
package find

import (
	"encoding/json"
	"strings"
)

// Index is what a site is searched by in a language.
type Index struct {
	Words map[string]string `json:"words"` // of the search itself, by key
	Kinds []*Kind           `json:"kinds"` // those with entries
	Runs  []string          `json:"runs"`  // names of the data scripts of the results
	Names Names             `json:"names"` // of the results
}

// Names are what the search has to know of results besides their data.
type Names struct {
	Paths  map[string]string            `json:"paths"`  // of runs whose id is not their path
	Values map[string]map[string]string `json:"values"` // words for values of labels, where they have any
}

// Kind is a kind of thing that may be found.
type Kind struct {
	Title   string  `json:"title"`
	Entries []entry `json:"entries"`
}

// entry is a title, the address of its page from the language's folder, and what else is
// searched and shown beside it, if anything.
type entry []string

// mostBeside bounds what is beside a title, in bytes.
const mostBeside = 240

// Name is the name of the data script of a language.
func Name(lang string) string { return "find/" + lang }

// Kind begins a kind of things.
func (x *Index) Kind(title string) *Kind {
	x.Kinds = append(x.Kinds, &Kind{Title: title, Entries: []entry{}})
	return x.Kinds[len(x.Kinds)-1]
}

// Add adds a thing: its title, the address of its page from the language's folder, and
// words beside it, of which those that are too long to be shown are left out. A thing
// without a title cannot be found and is left out.
func (k *Kind) Add(title, href string, beside ...string) {
	if title == "" {
		return
	}
	e := entry{title, href}
	var words []string
	room := mostBeside
	for _, w := range beside {
		if w != "" && len(w) <= room {
			words = append(words, w)
			room -= len(w)
		}
	}
	if len(words) > 0 {
		e = append(e, strings.Join(words, " · "))
	}
	k.Entries = append(k.Entries, e)
}

// JSON writes the index, without kinds that have nothing.
func (x *Index) JSON() []byte {
	own := *x
	own.Kinds = []*Kind{}
	for _, k := range x.Kinds {
		if len(k.Entries) > 0 {
			own.Kinds = append(own.Kinds, k)
		}
	}
	data, _ := json.Marshal(own) // of texts: it cannot fail
	return data
}
