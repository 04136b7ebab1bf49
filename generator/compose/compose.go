// Package compose writes a complete post from runs, as a draft for the author.
//
//	source, err := compose.Post(data, compose.Request{Language: "en", Date: "2026-01-15", Commands: commands})
//	os.WriteFile("content/posts/results.en.md", source, 0o644)
//
// A post is planned and then written. The plan divides the runs into studies of comparable runs and finds what
// varies in each: models, loads, steps of a sweep, settings, hardware. This determines the candidate blocks.
// Each candidate is evaluated as in a build, and only those that produce a table, a chart or findings are kept,
// so the post builds without errors. The writer puts the blocks in order and describes them in one language.
//
// Every figure in the prose is an inline value with a selector, so it follows the data. No sentence says which
// variant leads; only findings do, which are made anew by each build. Facts that the runs do not contain become
// comments for the author.
//
// The same runs give the same post. This package does not access files.
package compose

import (
	"errors"
	"slices"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// ErrNoRuns means that there are no runs to write about.
var ErrNoRuns = errors.New("there are no runs to write about")

// Request describes the post to write.
type Request struct {
	Where    string // selector of the runs; "" for all
	Language string // language of the prose, such as "en" or "zh-CN"
	Date     string // date of the front matter, as TOML
	Draft    string // command that keeps the post; "" if it is kept anyway. If set, the post says that nobody has edited it

	// Commands returns the commands that started a run, nil if none are known.
	Commands func(*result.Result) []result.Command
}

// Post returns the source of a post: front matter, prose, blocks. It returns ErrNoRuns if no run is selected,
// and a dataset.Problem if the selector is invalid.
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

// accepted returns the settings that differ among runs that the post compares. The front matter lists them, and
// footnotes say how they differ.
func (p *plan) accepted() []string {
	var out []string
	for _, name := range audit.Settings() {
		if p.differs[name] {
			out = append(out, name)
		}
	}
	return slices.Clip(out)
}
