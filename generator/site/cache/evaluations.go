package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"io"
	"path/filepath"
	"sync"

	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/sitefile"
)

// Evaluations remembers what the posts of a site came to, without the figures they show: what a
// process needs to know of a post whose files are there already. It lies in .benchpost/posts,
// safe to delete, and begins with a sum of its bytes.
type Evaluations struct {
	file  string
	read  sync.Once
	known map[string]Evaluation // by the post's file
}

// Evaluation is what a post came to.
type Evaluation struct {
	Key result.Stamp // of an EvaluationKey

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
	return &Evaluations{file: filepath.Join(home, Name, "posts")}
}

// Of returns what a post came to when it was made from what has the key.
func (e *Evaluations) Of(post string, key result.Stamp) (*Evaluation, bool) {
	e.read.Do(e.load)
	known, ok := e.known[post]
	return &known, ok && known.Key == key
}

// load takes what the last process left.
func (e *Evaluations) load() {
	data, err := sitefile.Read(e.file)
	if err != nil || len(data) < sha256.Size {
		return
	}
	if sum := sha256.Sum256(data[sha256.Size:]); !bytes.Equal(sum[:], data[:sha256.Size]) {
		return
	}
	var known map[string]Evaluation
	if gob.NewDecoder(bytes.NewReader(data[sha256.Size:])).Decode(&known) == nil {
		e.known = known
	}
}

// Save leaves the next process what the posts of the site came to, by their files. That it cannot
// is not an error.
func (e *Evaluations) Save(all map[string]Evaluation) {
	e.read.Do(e.load)
	same := len(all) == len(e.known)
	for post, one := range all {
		same = same && e.known[post].Key == one.Key
	}
	if same {
		return
	}
	var data bytes.Buffer
	if gob.NewEncoder(&data).Encode(all) != nil {
		return
	}
	sum := sha256.Sum256(data.Bytes())
	if write(e.file, func(w io.Writer) error {
		_, err := w.Write(append(sum[:], data.Bytes()...))
		return err
	}) == nil {
		e.known = all
	}
}
