// Package find makes the search index of a site: one data script for each language, loaded when a reader first
// searches.
//
//	x := find.Index{Words: words}
//	models := x.Kind("Models")
//	models.Add("Qwen3-8B-FP8", "models/qwen3-8b-fp8.html", "FP8")
//	data.Script(find.Name("en"), x.JSON())
//
// The index contains posts, models, definitions and headings of documents, but not runs, which may be many. Runs are
// found in the data that the pages of results read. No page depends on the index, so adding a run changes only pages
// that show the run. Equally good matches are listed in the order of kinds and entries.
package find

import (
	"encoding/json"
	"strings"
)

// Index is the search index of a site in one language.
type Index struct {
	Words map[string]string `json:"words"` // messages of the search, by key
	Kinds []*Kind           `json:"kinds"` // kinds with entries
	Runs  []string          `json:"runs"`  // names of the data scripts of the results
	Names Names             `json:"names"` // of the results
}

// Names is what the search needs to know about results in addition to their data.
type Names struct {
	Paths  map[string]string            `json:"paths"`  // paths of runs whose id is not their path
	Values map[string]map[string]string `json:"values"` // titles of label values, if they have any
}

// Kind is a kind of things that can be found.
type Kind struct {
	Title   string  `json:"title"`
	Entries []entry `json:"entries"`
}

// entry is a title, the address of its page relative to the language's folder, and optionally further text that is
// searched and shown.
type entry []string

// mostBeside is the maximum length of the further text, in bytes.
const mostBeside = 240

// Name returns the name of the data script of a language.
func Name(lang string) string { return "find/" + lang }

// Kind adds a kind and returns it.
func (x *Index) Kind(title string) *Kind {
	x.Kinds = append(x.Kinds, &Kind{Title: title, Entries: []entry{}})
	return x.Kinds[len(x.Kinds)-1]
}

// Add adds an entry: its title, the address of its page relative to the language's folder, and further words. It skips
// words that are too long to be shown, and entries without a title.
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

// JSON returns the index without empty kinds.
func (x *Index) JSON() []byte {
	own := *x
	own.Kinds = []*Kind{}
	for _, k := range x.Kinds {
		if len(k.Entries) > 0 {
			own.Kinds = append(own.Kinds, k)
		}
	}
	data, _ := json.Marshal(own) // cannot fail for texts
	return data
}
