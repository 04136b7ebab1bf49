package cli

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/benchpost/benchpost/cmd/benchpost/memory"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/publish"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
	"github.com/benchpost/benchpost/generator/site"
	"github.com/benchpost/benchpost/generator/sitefile"
)

var exportCommand = command{
	name:    "export",
	args:    "POST... --to hugo|markdown|jekyll [-o DIR] [--lang zh|en|both] [--images files|data] [--drafts] [--strict]",
	summary: "write posts for Hugo, as Markdown alone, or for Jekyll",
	help: `Writes posts with their pictures and data for publication elsewhere. POST is the
slug, for all languages of the post, the slug with the language, or the source file
of the post. A faulty post is not written. Files that benchpost did not write, or that
were edited since, are not overwritten. Posts exported earlier stay.

  --to hugo       page bundles: content/posts/NAME/index.LANG.md
  --to markdown   NAME.LANG.md, for READMEs, wikis and editors of other sites: no
                  front matter, no HTML, footnotes as a list
  --to jekyll     the files that build writes for the blog
  -o DIR          the folder of the Hugo site, of the Markdown, or of the Jekyll blog;
                  when absent, a folder called hugo, markdown or jekyll
  --lang LANG     only this language; both when absent
  --images data   for Markdown: pictures inside the text, and no other file
  --drafts        also posts with draft = true
  --strict        a warning stops the export

Examples
  benchpost export quantization --to hugo -o ../blog
  benchpost export quantization.en --to markdown
  benchpost export quantization --to markdown --lang zh --images data -o /tmp
`,
	flags: func(fs *flag.FlagSet, o *options) {
		fs.StringVar(&o.to, "to", "", "")
		fs.StringVar(&o.out, "o", "", "")
		fs.StringVar(&o.lang, "lang", "", "")
		fs.StringVar(&o.images, "images", "", "")
		fs.BoolVar(&o.drafts, "drafts", false, "")
		fs.BoolVar(&o.strict, "strict", false, "")
	},
	run: func(ctx context.Context, a *app, o *options, args []string) int {
		dir, ok := a.needSite(o)
		if !ok {
			return Usage
		}
		to, ok := exportTarget(a, o)
		if !ok {
			return Usage
		}
		if len(args) == 0 {
			a.say.fault("export takes the names of posts")
			a.say.hint("benchpost export POST --to %s", to.For)
			return Usage
		}
		memory.Pace(memory.Lasting)
		return exportPosts(ctx, a, site.Options{Dir: dir, Drafts: o.drafts, Strict: o.strict, Durable: true}, args, to)
	},
}

// exportTarget returns the target that the flags request.
func exportTarget(a *app, o *options) (to site.Target, ok bool) {
	targets := strings.Join(site.ExportTargets, ", ")
	switch {
	case o.to == "":
		a.say.fault("export wants --to: one of %s", targets)
	case !slices.Contains(site.ExportTargets, o.to):
		a.say.fault("--to %s is not known: there are %s", o.to, targets)
		if near := settings.Nearest(o.to, site.ExportTargets); near != "" {
			a.say.hint("did you mean --to %s?", near)
		}
	case o.images != "" && o.images != "files" && o.images != "data":
		a.say.fault("--images %s is not known: there are files and data", o.images)
	case o.images == "data" && o.to != "markdown":
		a.say.fault("--images data is for --to markdown: %s has its pictures in files", o.to)
	default:
		to = site.Target{For: o.to, Dir: cmp.Or(o.out, o.to), Inline: o.images == "data"}
		if o.lang == "" || o.lang == "both" {
			return to, true
		}
		p, known := locale.For(o.lang)
		if to.Language = p.Lang(); known {
			return to, true
		}
		a.say.fault("--lang %s is no language of benchpost: there are zh, en and both", o.lang)
	}
	return to, false
}

// exportPosts writes the posts and reports the outcome.
func exportPosts(ctx context.Context, a *app, opt site.Options, names []string, to site.Target) int {
	start := time.Now()
	progress, done := a.say.progress(start)
	opt.Progress = progress
	wrote, ms, err := site.ExportPosts(ctx, opt, names, to)
	done()
	faults, warnings := a.say.messages(seenFrom(opt.Dir, ms))
	var unknown *site.UnknownPostError
	var foreign *publish.ForeignError
	var no *sitefile.Refusal
	switch {
	case errors.As(err, &unknown):
		a.unknownPost(unknown)
		return Usage
	case errors.Is(err, site.ErrConfig):
		a.say.fault("%s is wrong; nothing was written", config.Name)
		return Usage
	case errors.As(err, &no):
		a.say.fault("%v; nothing was written", no)
		a.say.hint("%s", no.Hint)
		return Usage
	case errors.As(err, &foreign):
		a.say.fault("%v; nothing was written", foreign)
		a.say.hint("move it away, or export to another folder with -o")
		return Fault
	case err != nil:
		return a.say.failed(err)
	case wrote.Posts == nil:
		a.say.fault("not exported: %s, %s; nothing was written", result.Count(faults, "error"), result.Count(warnings, "warning"))
		return Fault
	}
	for _, post := range wrote.Posts {
		a.say.info("%s", filepath.Join(to.Dir, filepath.FromSlash(post)))
	}
	a.say.info("exported %s: %s written, %d unchanged, %d removed (%v)", result.Count(len(wrote.Posts), "post"), result.Count(wrote.Written, "file"),
		wrote.Unchanged, wrote.Removed, time.Since(start).Round(time.Millisecond))
	if faults > 0 {
		a.say.fault("%s in the runs, see above; the posts say what is missing", result.Count(faults, "error"))
		return Fault
	}
	return Fine
}
