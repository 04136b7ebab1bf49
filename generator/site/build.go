// Package site ties the parts together: site.toml, the runs and the posts in;
// the HTML site and the Jekyll posts out.
package site

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"benchpost/generator/bench"
	"benchpost/generator/chart"
	"benchpost/generator/page"
	"benchpost/generator/prose"
	"benchpost/generator/publish"
	"benchpost/generator/rundir"
)

// Options say what to build and how.
type Options struct {
	Dir      string       // the site's folder
	Out      string       // the output folder; Dir/public when empty
	Drafts   bool         // publish drafts too
	Strict   bool         // a warning stops the build as an error does
	Progress func(string) // told what is being done; may be nil
}

// Summary is what a build did.
type Summary struct {
	publish.Summary
	Results, Posts, Charts int
	Aside                  int // results that a check has set aside
	Skipped                []rundir.Skipped
	Fresh                  bool // nothing had changed since the last build; nothing was done
	Broken                 bool // the output was left as it was
}

// ErrConfig is returned when site.toml is wrong: nothing can be done.
var ErrConfig = errors.New("the configuration is wrong")

type builder struct {
	opt      Options
	config   Config
	pages    *page.Site
	pictures []job // those still to be drawn
	dataset  *rundir.Dataset
	watched  watched
	theme    chart.Theme
	dark     chart.Theme
	kept     *pictures
}

// Dataset reads the runs of a site and adds what the site knows of them. A
// site may be without runs.
func Dataset(dir string, c *Config) (*rundir.Dataset, error) {
	runs := filepath.Join(dir, "runs")
	if _, err := os.Stat(runs); errors.Is(err, fs.ErrNotExist) {
		return &rundir.Dataset{}, nil
	}
	set, err := rundir.Load(runs, rundir.Options{Name: "runs", Mappings: c.Format})
	if err != nil {
		return nil, err
	}
	set.Messages = append(set.Messages, c.addSweeps(dir, set.Sweeps)...)
	set.Messages = append(set.Messages, c.Apply(set.Results)...)
	set.Messages = append(set.Messages, c.unmet(set.Results)...)
	bench.SortMessages(set.Messages)
	return set, nil
}

func pointers(rs []bench.Result) []*bench.Result {
	out := make([]*bench.Result, len(rs))
	for i := range rs {
		out[i] = &rs[i]
	}
	return out
}

// Build makes the outputs. Messages are sorted and complete whatever happens.
// The error is of the machine (a disk that is full) or ErrConfig; faults of
// runs and posts are messages. An error in site.toml or in a post leaves the
// output as it was; an unreadable run is shown as missing.
func Build(ctx context.Context, opt Options) (Summary, []bench.Message, error) {
	if opt.Out == "" {
		opt.Out = filepath.Join(opt.Dir, "public")
	}
	if opt.Progress == nil {
		opt.Progress = func(string) {}
	}
	state := openState(opt)
	if s, ms, ok := state.fresh(); ok {
		return s, ms, nil
	}
	b := &builder{opt: opt}
	summary, ms, err := b.build(ctx)
	bench.SortMessages(ms)
	if err == nil && !summary.Broken {
		state.save(summary, ms, b.watched)
	}
	return summary, ms, err
}

// Check reads everything that Build reads and evaluates the posts, and writes
// nothing. Messages and errors are those of Build, and the checks of results.
func Check(dir string) ([]bench.Message, error) {
	b := &builder{opt: Options{Dir: dir, Drafts: true, Progress: func(string) {}}}
	in, err := b.read()
	if b.dataset != nil {
		in.messages = append(in.messages, ResultMessages(b.dataset.Results)...)
	}
	bench.SortMessages(in.messages)
	return in.messages, err
}

// ResultMessages words what was found about results as messages.
func ResultMessages(results []bench.Result) []bench.Message {
	var ms []bench.Message
	for i := range results {
		r := &results[i]
		for n := range r.Checks {
			ms = append(ms, r.Checks[n].Message(r))
		}
	}
	return ms
}

// input is what was read for a build.
type input struct {
	posts    []*post
	messages []bench.Message
	broken   bool // a post is wrong: nothing must be published
}

// read does all of a build that needs no output: configuration, runs, posts,
// and the evaluation of their blocks.
func (b *builder) read() (input, error) {
	in := input{broken: true}
	var err error
	if b.config, in.messages = LoadConfig(b.opt.Dir); hasErrors(in.messages) {
		return in, ErrConfig
	}
	in.messages = append(in.messages, b.strayLayouts()...)
	b.opt.Progress("reading runs")
	if b.dataset, err = Dataset(b.opt.Dir, &b.config); err != nil {
		return in, err
	}
	in.messages = append(in.messages, b.dataset.Messages...)
	lenient := hasErrors(b.dataset.Messages)

	b.opt.Progress("reading posts")
	posts, problems := b.readPosts()
	results := pointers(b.dataset.Results)
	theme, fontless := b.config.Charts.theme(b.opt.Dir)
	b.theme, b.dark = theme, b.config.Charts.dark(theme)
	in.messages = append(in.messages, fontless...)
	b.pages = b.site(results)
	data := b.config.data(results)
	b.pages.Report = data
	b.compares(data)
	b.pages.Drawings, b.pages.Commands, b.pages.Method = b.drawings(data), commands, b.config.method(data)
	figures := prose.Of(data)
	for _, p := range posts {
		problems = append(problems, b.evaluate(p, data, figures, lenient)...)
	}
	b.watched = b.watch(posts)
	in.posts, in.broken = posts, hasErrors(problems)
	in.messages = append(in.messages, problems...)
	return in, nil
}

func (b *builder) build(ctx context.Context) (Summary, []bench.Message, error) {
	broken := Summary{Broken: true}
	in, err := b.read()
	ms := in.messages
	if err != nil || in.broken {
		return broken, ms, err
	}
	if err := ctx.Err(); err != nil {
		return broken, ms, err
	}
	b.opt.Progress("drawing charts")
	charts := len(b.pictures)
	b.kept = openPictures(b.opt.Dir)
	drawn, err := b.draw(ctx, in.posts)
	b.pictures = nil
	ms = append(ms, drawn...)
	if err != nil {
		return broken, ms, err
	}
	if b.opt.Strict {
		ms = append(ms, ResultMessages(b.dataset.Results)...)
	}
	if b.opt.Strict && slices.ContainsFunc(ms, func(m bench.Message) bool { return m.Severity >= bench.Warning }) {
		return broken, ms, nil
	}

	b.opt.Progress("writing pages")
	counts, err := b.write(ctx, in.posts)
	if err == nil {
		b.kept.prune()
	}
	summary := Summary{Summary: counts, Results: len(b.dataset.Results), Posts: len(in.posts), Charts: charts, Skipped: b.dataset.Skipped}
	for i := range b.dataset.Results {
		if b.dataset.Results[i].Quarantined() {
			summary.Aside++
		}
	}
	var foreign *publish.ForeignError
	if errors.As(err, &foreign) {
		at := foreign.Path
		if rel, err := filepath.Rel(b.opt.Dir, at); err == nil {
			at = filepath.ToSlash(rel)
		}
		ms = append(ms, bench.Message{Pos: bench.Position{File: at}, Severity: bench.Error, ID: "publish.foreign",
			Text: "this file is in the way of a post and was not written by benchpost", Hint: "move it away, or give the post another slug or date"})
		summary.Broken = true
		return summary, ms, nil
	}
	return summary, ms, err
}

// watch names what a build read or wrote beside the site's own folders and
// the output folder.
func (b *builder) watch(posts []*post) watched {
	w := watched{Blog: b.blogDir()}
	for _, p := range posts {
		for _, file := range p.files {
			w.Files = append(w.Files, file)
		}
	}
	slices.Sort(w.Files)
	w.Files = append(w.Files, b.config.Charts.Font...)
	w.Files = append(w.Files, b.config.Charts.Bold...)
	slices.Sort(w.Files)
	w.Files = slices.Compact(w.Files)
	return w
}
