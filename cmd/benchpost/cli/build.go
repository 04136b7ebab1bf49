package cli

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/benchpost/benchpost/cmd/benchpost/memory"
	"github.com/benchpost/benchpost/generator/assembly"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/site"
	"github.com/benchpost/benchpost/generator/sitefile"
	"github.com/benchpost/benchpost/generator/visible"
)

var buildCommand = command{
	name:    "build",
	args:    "[--strict] [--drafts] [--out DIR] [--watch] [--single-file POST] [--results SHARDS [--parts | --part FOLDER]]",
	summary: "build the HTML site and the Jekyll posts from runs and content",
	help: `Reads runs/, content/ and site.toml and writes public/site (HTML) and
public/jekyll (posts and pictures). Unchanged files are not touched. A faulty
post or site.toml stops the build and leaves public/ as it was; a run that
cannot be read is reported and shown as missing. One line counts the files
without a result by kind: benchpost results --verbose lists them.

  --strict    also stop the build on a warning, or on a secret in any file
  --drafts    publish posts with draft = true
  --out DIR   write there instead of public/
  --watch     build again whenever something changes, until ctrl-C; --poll and
              --idle are those of benchpost serve
  --single-file POST
              write only one self-contained HTML file of a post, to mail or to
              keep: SLUG.LANG.html in this folder, or --out FILE, or --out - for
              stdout. POST is the slug, the slug with the language, or the
              source file of the post

  --results SHARDS
              take the runs from shards instead of runs/: a file, a folder, or a
              pattern as 'shards/*.parquet', which benchpost results --shards wrote
              and other programs may have written anew. May be given several times
  --parts     make a site of each folder in runs/, one after the other, with the
              posts whose runs are in it: public/FOLDER/; and public/index.html
              with pages of all of them. Only one part is in memory at a time
  --part FOLDER
              only this part anew. May be given several times

Examples
  benchpost build
  benchpost build --strict               for CI: publishes nothing doubtful
  benchpost build --drafts --out /tmp/preview
  benchpost build --single-file quantization.en --out report.html
  benchpost build --results 'shards/*.parquet'
  benchpost build --results shards --part c00042
`,
	flags: func(fs *flag.FlagSet, o *options) {
		fs.BoolVar(&o.strict, "strict", false, "")
		fs.BoolVar(&o.drafts, "drafts", false, "")
		fs.StringVar(&o.out, "out", "", "")
		fs.StringVar(&o.single, "single-file", "", "")
		fs.Func("results", "", func(s string) error { o.archives = append(o.archives, s); return nil })
		fs.BoolVar(&o.apart, "parts", false, "")
		fs.Func("part", "", func(s string) error { o.parts = append(o.parts, s); return nil })
		fs.BoolVar(&o.live.watch, "watch", false, "")
		o.live.flags(fs)
	},
	run: func(ctx context.Context, a *app, o *options, args []string) int {
		dir, ok := a.siteOnly(o, "build", args)
		if !ok {
			return Usage
		}
		memory.Pace(memory.Lasting)
		opt := site.Options{Dir: dir, Out: o.out, Drafts: o.drafts, Strict: o.strict, Durable: !o.live.watch}
		apart := o.apart || len(o.parts) > 0
		switch {
		case len(o.archives) > 0 && o.live.watch:
			a.say.fault("--watch builds what changes in runs/, and --results takes shards: choose one")
			return Usage
		case apart && (len(o.archives) == 0 || o.single != ""):
			a.say.fault("--parts and --part make sites of shards: name these with --results, and no --single-file")
			return Usage
		case apart:
			return a.buildParts(ctx, opt, o)
		case len(o.archives) > 0:
			progress, shown := a.say.progress(time.Now())
			runs, done, err := assembly.Unpack(ctx, dir, o.archives, progress)
			if shown(); err != nil {
				return a.say.failed(err)
			}
			defer done()
			opt.Runs = runs
		}
		if o.live.watch {
			if o.single != "" {
				a.say.fault("--watch builds the site, and --single-file one post: choose one")
				return Usage
			}
			return a.buildWatch(ctx, o, opt)
		}
		if o.single != "" {
			return a.buildSingle(ctx, opt, o.single, single{
				func(ms []result.Message) []result.Message { return seenFrom(dir, ms) }, a.unknownPost})
		}
		return a.build(ctx, opt)
	},
}

// buildParts builds a site of each part and reports the outcome.
func (a *app) buildParts(ctx context.Context, opt site.Options, o *options) int {
	ctx, stop := signal.NotifyContext(ctx, endings()...)
	defer stop()
	start := time.Now()
	progress, shown := a.say.progress(start)
	opt.Progress = progress
	parts, broken, fresh, results := 0, 0, 0, 0
	err := assembly.BuildParts(ctx, assembly.Apart{Site: opt, Shards: o.archives, Parts: o.parts}, func(b assembly.BuiltPart) {
		a.say.messages(seenFrom(opt.Dir, b.Messages))
		a.say.detail("%s: %s, %s, %s written", b.Name, result.Count(b.Summary.Results, "result"), result.Count(b.Summary.Posts, "post"), result.Count(b.Summary.Written, "file"))
		parts, results = parts+1, results+b.Summary.Results
		switch {
		case b.Summary.Broken:
			broken++
		case b.Summary.Fresh:
			fresh++
		}
	})
	if shown(); err != nil {
		return a.say.failed(err)
	}
	a.say.info("%s of %s, %d of them unchanged (%v)", result.Count(parts, "part"), result.Count(results, "result"), fresh, time.Since(start).Round(time.Millisecond))
	a.say.info("see it: open %s in a browser", filepath.Join(cmp.Or(opt.Out, filepath.Join(opt.Dir, "public")), "index.html"))
	if broken > 0 {
		a.say.fault("not built: %s, see above; their output is as it was", result.Count(broken, "part"))
		return Fault
	}
	return Fine
}

// single determines how the building of one file is reported.
type single struct {
	seen    func([]result.Message) []result.Message // names files relative to the working folder
	unknown func(*site.UnknownPostError)
}

// unknownPost reports that no post has the given name, and which names exist.
func (a *app) unknownPost(e *site.UnknownPostError) {
	a.say.fault("%v", e)
	switch {
	case e.Near != "":
		a.say.hint("did you mean %s?", e.Near)
	case len(e.Posts) > 0:
		a.say.hint("there are: %s", strings.Join(e.Posts, ", "))
	default:
		a.say.hint("there are no posts; they go to content/posts/NAME.LANG.md, and drafts want --drafts")
	}
}

// buildSingle writes one file of a post and reports the outcome.
func (a *app) buildSingle(ctx context.Context, opt site.Options, post string, by single) int {
	start := time.Now()
	progress, done := a.say.progress(start)
	opt.Progress = progress
	file, ms, err := site.BuildSingle(ctx, opt, post)
	done()
	faults, warnings := a.say.messages(by.seen(ms))
	var unknown *site.UnknownPostError
	switch {
	case errors.As(err, &unknown):
		by.unknown(unknown)
		return Usage
	case errors.Is(err, site.ErrConfig):
		a.say.fault("%s is wrong; nothing was written", config.Name)
		return Usage
	case err != nil:
		return a.say.failed(err)
	case file.Data == nil:
		a.say.fault("not built: %s, %s; nothing was written", result.Count(faults, "error"), result.Count(warnings, "warning"))
		return Fault
	}
	name := cmp.Or(opt.Out, file.Name)
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		name = filepath.Join(name, file.Name)
	}
	if name == "-" {
		_, err = a.stdout.Write(file.Data)
	} else {
		err = os.WriteFile(name, file.Data, 0o644)
	}
	if err != nil {
		return a.say.failed(err)
	}
	if name != "-" {
		a.say.info("%s (%d KiB, %v)", name, (len(file.Data)+1023)/1024, time.Since(start).Round(time.Millisecond))
	}
	a.say.unread(file.Unread)
	if faults > 0 {
		a.say.fault("%s in the runs, see above; the page says what is missing", result.Count(faults, "error"))
		return Fault
	}
	return Fine
}

// build builds the site and reports the outcome. On a signal it cleans up. Commands that leave nothing behind do not
// catch signals.
func (a *app) build(ctx context.Context, opt site.Options) int {
	ctx, stop := signal.NotifyContext(ctx, endings()...)
	defer stop()
	start := time.Now()
	progress, done := a.say.progress(start)
	opt.Progress = progress
	s, ms, err := site.Build(ctx, opt)
	done()
	faults, warnings := a.say.messages(seenFrom(opt.Dir, ms))
	var no *sitefile.Refusal // about the output folder
	switch {
	case errors.Is(err, site.ErrConfig):
		a.say.fault("%s is wrong; nothing was built", config.Name)
		return Usage
	case errors.Is(err, context.Canceled):
		a.say.fault("interrupted; nothing was changed")
		return Fault
	case errors.As(err, &no):
		a.say.fault("%v; nothing was built", no)
		a.say.hint("%s", no.Hint)
		return Usage
	case err != nil:
		return a.say.failed(err)
	}
	for _, u := range unreadFrom(opt.Dir, s.Unread) {
		a.say.detail("%s: no result (%s): %s", u.Name, u.Kind, u.Reason)
	}
	if s.Broken {
		a.say.fault("not built: %s, %s; the output is as it was", result.Count(faults, "error"), result.Count(warnings, "warning"))
		return Fault
	}
	posts := result.Count(s.Posts, "post")
	if s.Drafts > 0 {
		posts = "no post but a draft from the runs, which benchpost new post keeps"
	}
	what := fmt.Sprintf("%s, %s, %s", result.Count(s.Results, "result"), posts, result.Count(s.Charts, "chart"))
	took := time.Since(start).Round(time.Millisecond)
	if s.Fresh {
		a.say.info("nothing has changed: %s (%v)", what, took)
	} else {
		a.say.info("built %s: %s written, %d unchanged, %d removed (%v)", what, result.Count(s.Written, "file"), s.Unchanged, s.Removed, took)
	}
	for _, post := range s.Left {
		a.say.info("%s has left the blog, with its files", post)
	}
	a.say.unread(s.Unread)
	if s.Excluded > 0 {
		a.say.info("%s excluded by checks: struck through, and part of no conclusion; benchpost check says why", result.Count(s.Excluded, "result"))
	}
	if masked := s.Masked.String(); masked != "" {
		a.say.info("%s: benchpost check --verbose lists them", masked)
	}
	home := filepath.Join(cmp.Or(opt.Out, filepath.Join(opt.Dir, "public")), "site", "index.html")
	a.say.info("see it: open %s in a browser, or run benchpost serve", home)
	if faults > 0 {
		where := ""
		if !slices.ContainsFunc(ms, func(m result.Message) bool {
			return m.Severity == result.Error && !strings.HasPrefix(m.Pos.File, "runs/")
		}) {
			where = " in the runs"
		}
		a.say.fault("%s%s, see above; the pages say what is missing", result.Count(faults, "error"), where)
		return Fault
	}
	return Fine
}

// progress shows the current step on a terminal, once a second has passed. done clears the line.
func (s *speaker) progress(start time.Time) (show func(string), done func()) {
	if !s.terminal || s.quiet {
		return func(string) {}, func() {}
	}
	steps := make(chan string, 8)
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		step, shown := "", false
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case next, ok := <-steps:
				if !ok {
					if shown {
						fmt.Fprint(s.w, "\r\x1b[K")
					}
					return
				}
				step = next
			case <-tick.C:
				if time.Since(start) > time.Second {
					shown = true
					fmt.Fprintf(s.w, "\r\x1b[K%s … %.0f s", visible.Line(step), time.Since(start).Seconds())
				}
			}
		}
	}()
	return func(step string) { steps <- step }, func() { close(steps); <-finished }
}
