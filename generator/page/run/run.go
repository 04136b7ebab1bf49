// Package run writes the page of one run: its figures beside the lines they were read from, the command to repeat it,
// its files, and related runs.
//
//	source := run.Show(r, run.Text{Data: data, First: 1, Size: size}, commands)
//	view := &run.View{Reader: reader, Facts: run.FactsOf(r), Source: &source, …}
//	view.Headline(w) // each part appends finished HTML to a parts.Writer
//
// Facts and Source are the same in every language; a View is for one language. A part without content writes nothing.
package run

import (
	"path"

	"github.com/benchpost/benchpost/generator/cite"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
)

// Facts are a run's figures as arranged on its page, independent of the language.
type Facts struct {
	Result    *result.Result
	placed    []parts.PlacedLabel
	leading   []result.Metric // the figures at the top of the page
	latencies parts.Latencies
	groups    []parts.Group

	needed, missing []string // labels needed to repeat the measurement; those of them that are unknown

	Passed, Unjudged []result.Check // rules that are met; rules that could not be judged
}

// FactsOf arranges the figures of a run.
func FactsOf(r *result.Result) *Facts {
	f := &Facts{Result: r, placed: parts.PlacedLabels(r), leading: parts.Headline(r, 5), latencies: parts.LatencyMatrix(r.Metrics), groups: parts.Groups(r.Metrics)}
	f.needed, f.missing = dataset.Needs(r)
	return f
}

// View writes the parts of one run's page in one language.
type View struct {
	parts.Reader
	*Facts
	Source   *Source
	Evidence Evidence

	Root, Home string            // prefixes of links to the site's root and to the language's folder
	Method     string            // link to the methodology page; escaped for markup
	Campaign   string            // path of its campaign's page in the language's folder
	Beside     [2]*result.Result // the previous and the next run in its campaign; nil for none
	Near       []dataset.Variation
	Messages   []result.Message // about its file
	Rules      map[string]bool  // ids of checks that the methodology page explains
}

// Evidence is what a run rests on: its files, and its citation.
type Evidence struct {
	Files []Exhibit
	Work  cite.Work
}

// Exhibit is a file of a run.
type Exhibit struct {
	cite.File
	Role string // role, with the message cite.role.ROLE
	Copy string // path of the copy in the site; "" if none is published
	Href string // address elsewhere, if there is no copy

	// Read reads the content to publish of a run's own file. It is not needed if Is reports that a text equals the
	// whole file. Both are nil for files that other runs may use too, which the site publishes separately.
	Read func() ([]byte, error)
	Is   func(text []byte) bool

	held bool // the page contains the file, and its script saves it
}

// Hold marks a file that the page contains, so that no copy is needed.
func (x *Exhibit) Hold() { x.Copy, x.Read, x.Is, x.held = "", nil, nil, true }

// Environment writes the labels of the machine and the software. Setup writes all others: model, load, the run itself.
func (v *View) Environment(w *parts.Writer) {
	parts.Environment.Write(w, v.placed, "page.environment", v.Home, &v.Reader, func(pos result.Position) { v.place(w, pos) })
}

func (v *View) Setup(w *parts.Writer) {
	parts.Setup.Write(w, v.placed, "page.setup", v.Home, &v.Reader, func(pos result.Position) { v.place(w, pos) })
}

// file returns the base name of the source file.
func (v *View) file() string { return path.Base(v.Result.Source.File) }
