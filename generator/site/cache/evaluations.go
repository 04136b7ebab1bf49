package cache

import (
	"crypto/sha256"
	"path/filepath"
	"sync"

	"github.com/benchpost/benchpost/generator/result"
)

// Evaluations remembers what the posts of a site came to, without the figures they show: what a
// process needs to know of a post whose files are there already. It lies in .benchpost/posts,
// safe to delete, and begins with a sum of its bytes.
type Evaluations struct {
	table table[Evaluation]
	read  sync.Once
	known map[string]Evaluation // by the post's file
}

// Evaluation is what a post came to.
type Evaluation struct {
	Key    result.Stamp      // of an EvaluationKey
	Source [sha256.Size]byte // sum of its text, as it is published
	Plain  result.Stamp      // of what is masked, and how, where nothing of it is; zero where something is

	Lacks   bool // figures that a run that could not be read may have
	Lenient bool // then: there was such a run

	Problems []result.Message  // of its blocks, values and links
	Remarks  []result.Message  // of its charts
	Runs     []string          // ids of the results it rests on
	Files    map[string]string // files beside its source that it shows: address → path in the site
	Charts   int               // how many it has

	// What other pages show of it.
	Excerpt        string // HTML
	Image, Outline string
	Headings       []Heading
}

// Heading is that of a section.
type Heading struct {
	Level    int
	ID, Text string
}

// OpenEvaluations opens those of a site; home contains its own folder.
func OpenEvaluations(home string) *Evaluations {
	return &Evaluations{table: openTable[Evaluation](filepath.Join(home, Name, "posts"), 2)}
}

// Of returns what a post came to when it was made from what has the key, and as lenient where it lacks figures.
func (e *Evaluations) Of(post string, key result.Stamp, lenient bool) (*Evaluation, bool) {
	e.read.Do(e.load)
	known, ok := e.known[post]
	return &known, ok && known.Key == key && (!known.Lacks || known.Lenient == lenient)
}

// Plain reports whether nothing is masked in a post whose text has a sum, by what has a stamp.
func (e *Evaluations) Plain(post string, source [sha256.Size]byte, mask result.Stamp) bool {
	e.read.Do(e.load)
	known, ok := e.known[post]
	return ok && known.Source == source && known.Plain == mask && mask != (result.Stamp{})
}

// load takes what the last process left.
func (e *Evaluations) load() { e.known = e.table.load() }

// Save leaves the next process what the posts of the site came to, by their files. That it cannot
// is not an error.
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
