// Package run writes the page of one run: its figures beside the lines they were read from, the command
// that repeats it, its files, and the runs around it.
//
//	source := run.Show(r, run.Text{Data: data, First: 1, Size: size}, commands)
//	view := &run.View{Reader: reader, Facts: run.FactsOf(r), Source: &source, …}
//	view.Headline(w) // each part appends finished HTML to a parts.Writer
//
// Facts and Source are the same in every language; a View is of one. A part that has nothing to show
// writes nothing.
package run

import (
	"path"

	"github.com/benchpost/benchpost/generator/cite"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
)

// Facts are a run's figures as its page arranges them, in any language.
type Facts struct {
	Result    *result.Result
	placed    []parts.PlacedLabel
	leading   []result.Metric // the figures the page begins with
	latencies parts.Latencies
	groups    []parts.Group

	needed, missing []string // labels that it takes to measure it again; those that are unknown

	Passed, Unjudged []result.Check // rules that are met; those that could not be judged
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

	Root, Home string            // lead from the page to the site's root and to its language's folder
	Method     string            // leads to the methodology page; escaped for markup
	Campaign   string            // page of its campaign, in the language's folder
	Beside     [2]*result.Result // the runs before and after it in its campaign; nil for none
	Near       []dataset.Variation
	Messages   []result.Message // of reading its file
	Rules      map[string]bool  // ids of checks that the methodology page explains
}

// Evidence is what a run rests on: its files as they lie on the disk, and how it is
// cited.
type Evidence struct {
	Files []Exhibit
	Work  cite.Work
}

// Exhibit is one of the files of a run.
type Exhibit struct {
	cite.File
	Role string // its word: cite.role.ROLE
	Copy string // path in the site; "" where no copy is published
	Href string // address elsewhere, where none is

	// Read reads what is published of a run's own file, unless Is reports that a text is all of it.
	// Of a file that other runs may rest on too, which a site publishes by itself, both are nil.
	Read func() ([]byte, error)
	Is   func(text []byte) bool

	held bool // by the page: its script saves the file
}

// Hold marks a file that the page has itself, of which no copy is needed.
func (x *Exhibit) Hold() { x.Copy, x.Read, x.Is, x.held = "", nil, nil, true }

// Environment writes the labels of the machine and the software, Setup all others: model, load,
// the run itself.
func (v *View) Environment(w *parts.Writer) {
	parts.Environment.Write(w, v.placed, "page.environment", v.Home, &v.Reader, func(pos result.Position) { v.place(w, pos) })
}

func (v *View) Setup(w *parts.Writer) {
	parts.Setup.Write(w, v.placed, "page.setup", v.Home, &v.Reader, func(pos result.Position) { v.place(w, pos) })
}

// file is the base name of the source file.
func (v *View) file() string { return path.Base(v.Result.Source.File) }
