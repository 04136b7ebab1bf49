// Package compose writes a complete post from runs: what an author would begin with.
//
//	source, err := compose.Post(data, compose.Request{Language: "en", Date: "2026-01-15", Commands: commands})
//	os.WriteFile("content/posts/results.en.md", source, 0o644)
//
// A post is planned and then written. The plan divides the runs into studies, those that
// can be compared, and finds what varies in each: models, loads, steps of a sweep,
// settings, hardware. From that follow the blocks that suit: each candidate is evaluated
// as a build would do it, and only what gives a table, a chart or findings is kept, so
// that a post builds at once. The writer puts the blocks in order and says in one
// language what they are.
//
// Every figure in the prose is an inline value with a selector, so that it follows the
// data, and no sentence says which variant leads: findings do, which are made anew with
// each build. What the runs do not say is a comment where the author can write it.
//
// The same runs give the same post. Nothing is read or written here.
package compose

import (
	"errors"
	"slices"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// ErrNoRuns reports that there is nothing to write about.
var ErrNoRuns = errors.New("there are no runs to write about")

// Request is which post is wanted.
type Request struct {
	Where    string // selector of the runs; "" for all
	Language string // of the prose, as "en" or "zh-CN"
	Date     string // of the front matter, as TOML writes it
	Draft    string // command that keeps the post; "" for one that is kept. With it the post says that nobody has edited it

	// Commands returns how a run was started, nil where nothing is known.
	Commands func(*result.Result) []result.Command
}

// Post writes the source of a post: front matter, prose, blocks. It is ErrNoRuns where
// nothing is selected, and a dataset.Problem where the selector is wrong.
func Post(d *dataset.Selection, r Request) ([]byte, error) {
	if len(d.Results)+len(d.Auxiliary) == 0 {
		return nil, ErrNoRuns
	}
	narrowed, err := d.Narrow(r.Where)
	if err != nil {
		return nil, err
	}
	if len(narrowed.Results)+len(narrowed.Auxiliary) == 0 {
		return nil, ErrNoRuns
	}
	printer, _ := locale.For(r.Language)
	if r.Commands == nil {
		r.Commands = func(*result.Result) []result.Command { return nil }
	}
	p := newPlan(narrowed, printer)
	w := &writer{plan: p, request: r, printer: printer}
	return w.post(), nil
}

// accepted are the settings in which runs that a post compares differ: a post names them
// in its front matter, and footnotes say how they differ.
func (p *plan) accepted() []string {
	var out []string
	for _, name := range audit.Settings() {
		if p.differs[name] {
			out = append(out, name)
		}
	}
	return slices.Clip(out)
}
