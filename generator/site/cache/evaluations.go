package cache

import (
	"crypto/sha256"
	"path/filepath"
	"sync"

	"github.com/benchpost/benchpost/generator/result"
)

// Evaluations remembers the evaluations of a site's posts, without the figures they show: what a process needs to know
// about a post whose files exist already. It is stored in .benchpost/posts, which is safe to delete, with a checksum of
// its bytes at the beginning.
type Evaluations struct {
	table table[Evaluation]
	read  sync.Once
	known map[string]Evaluation // by the post's file
}

// Evaluation is the result of evaluating a post.
type Evaluation struct {
	Key    result.Stamp      // key of an EvaluationKey
	Source [sha256.Size]byte // checksum of the post's text, as it is published
	Plain  result.Stamp      // stamp of the masker if it masks nothing in the post, otherwise zero

	Lacks   bool // the post lacks figures, which a run that could not be read may have
	Lenient bool // with Lacks: there was such a run

	Problems []result.Message  // messages about its blocks, values and links
	Remarks  []result.Message  // messages about its charts
	Runs     []string          // ids of the results it depends on
	Files    map[string]string // files beside its source that it shows: address → path in the site
	Charts   int               // number of charts

	// What other pages show of the post:
	Excerpt        string // HTML
	Image, Outline string
	Headings       []Heading
}

// Heading is the heading of a section.
type Heading struct {
	Level    int
	ID, Text string
}

// OpenEvaluations opens the evaluations of a site; home contains the .benchpost folder.
func OpenEvaluations(home string) *Evaluations {
	return &Evaluations{table: openTable[Evaluation](filepath.Join(home, Name, "posts"), 2)}
}

// Of returns the evaluation of a post if it was made with the given key. An evaluation that lacks figures must also
// have been made with the same lenient.
func (e *Evaluations) Of(post string, key result.Stamp, lenient bool) (*Evaluation, bool) {
	e.read.Do(e.load)
	known, ok := e.known[post]
	return &known, ok && known.Key == key && (!known.Lacks || known.Lenient == lenient)
}

// Plain reports whether the masker with the stamp mask masks nothing in a post whose text has the checksum source.
func (e *Evaluations) Plain(post string, source [sha256.Size]byte, mask result.Stamp) bool {
	e.read.Do(e.load)
	known, ok := e.known[post]
	return ok && known.Source == source && known.Plain == mask && mask != (result.Stamp{})
}

// load reads what the last process saved.
func (e *Evaluations) load() { e.known = e.table.load() }

// Save saves the evaluations of the site's posts, by file, for the next process. A failure is not an error.
func (e *Evaluations) Save(all map[string]Evaluation) {
	e.read.Do(e.load)
	for post, one := range all {
		if old, ok := e.known[post]; !ok || old.Key != one.Key || old.Lacks != one.Lacks || old.Lenient != one.Lenient {
			e.table.change(post)
		}
	}
	for post := range e.known {
		if _, ok := all[post]; !ok {
			e.table.change(post)
		}
	}
	e.table.saving(all)()
	e.known = all
}
