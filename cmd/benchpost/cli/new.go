package cli

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/compose"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/publish"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/site"
)

var newCommand = command{
	name:    "new",
	args:    "post [NAME] [--where SELECTOR] [--lang zh|en|both]",
	summary: "write a complete post from the runs",
	help: `Writes content/posts/NAME.LANG.md from the runs of the site: title, test
conditions, findings, tables and charts for everything that varies, doubts,
instructions for reproducing the results, and raw output. The post builds at
once, and its figures follow the data: every number in the prose is an inline
value with a selector. Where the runs lack information, a comment marks the place
for you to write it. An existing file is not overwritten.

  NAME              the name of the post, as in its address; "report" when absent
  --where SELECTOR  only these runs, as {campaign="jetson-thor"}
  --lang LANG       zh, en, or both; the languages of the site when absent

Examples
  benchpost new post
  benchpost new post quantization --where '{campaign="jetson-thor"}'
  benchpost new post tonight --lang en && benchpost serve
`,
	flags: func(fs *flag.FlagSet, o *options) {
		fs.StringVar(&o.where, "where", "", "")
		fs.StringVar(&o.lang, "lang", "", "")
	},
	run: func(_ context.Context, a *app, o *options, args []string) int {
		if len(args) == 0 || args[0] != "post" || len(args) > 2 {
			a.say.fault("new wants what to write: post, and a name if you like")
			a.say.hint("benchpost new post quantization")
			return Usage
		}
		name := ""
		if len(args) == 2 {
			name = strings.TrimSuffix(args[1], ".md")
			if name == "" || strings.ContainsAny(name, `/\`) || name[0] == '.' {
				a.say.fault("%q is no name of a post: it becomes the name of a file in content/posts", args[1])
				a.say.hint("benchpost new post quantization")
				return Usage
			}
		}
		dir, ok := a.needSite(o)
		if !ok {
			return Usage
		}
		return author{a}.newPost(dir, name, o)
	},
}

// author runs the commands that write posts and a site.toml from runs.
type author struct{ *app }

// postLanguages returns the languages that --lang requests, in the form the site uses.
func (a author) postLanguages(asked string, known []string) ([]string, bool) {
	if asked == "" || asked == "both" && len(known) == 2 {
		return known, true
	}
	p, ok := locale.For(asked)
	if ok && slices.Contains(known, p.Lang()) {
		return []string{p.Lang()}, true
	}
	a.say.fault("--lang %s: the languages of this site are %s", asked, strings.Join(known, ", "))
	if ok || asked == "both" {
		a.say.hint("to have another, add it to languages in site.toml")
	}
	return nil, false
}

// newPost writes a post in each requested language.
func (a author) newPost(dir, name string, o *options) int {
	e, code := a.snapshot(dir)
	if code != Fine {
		return code
	}
	languages, ok := a.postLanguages(o.lang, e.Languages())
	if !ok {
		return Usage
	}
	posts := filepath.Join(dir, "content", "posts")
	files := func(name string) []string {
		var out []string
		for _, lang := range languages {
			primary, _, _ := strings.Cut(lang, "-")
			out = append(out, name+"."+primary+".md")
		}
		return out
	}
	taken := func(name string) string {
		for _, file := range files(name) {
			if _, err := os.Lstat(filepath.Join(posts, file)); err == nil {
				return filepath.Join(posts, file)
			}
		}
		return ""
	}
	if name == "" {
		name = "report"
		for n := 2; taken(name) != ""; n++ {
			name = "report-" + strconv.Itoa(n)
		}
	} else if file := taken(name); file != "" {
		a.say.fault("%s exists", file)
		a.say.hint("choose another name, or move the file away: a post is not overwritten")
		return Fault
	}
	date := time.Now().In(e.Location()).Format("2006-01-02T15:04:05")
	return a.writePosts(e, posts, files(name), languages, compose.Request{Where: o.where, Date: date})
}

// writePosts composes a post in each language and writes all of them or none.
func (a author) writePosts(e *site.Snapshot, posts string, files, languages []string, r compose.Request) int {
	out, err := publish.At(posts, publish.Options{Foreign: publish.Refuse, Unlisted: true}).Open()
	if err != nil {
		return a.say.failed(err)
	}
	for i, lang := range languages {
		r.Language = lang
		text, err := e.Compose(r)
		if err == nil {
			err = out.Put(files[i], text)
		}
		if err != nil {
			return a.notComposed(errors.Join(err, out.Discard()))
		}
	}
	if _, err := out.Commit(); err != nil {
		return a.say.failed(err)
	}
	for _, file := range files {
		a.say.info("wrote %s", filepath.Join(posts, file))
	}
	a.say.info("next: benchpost serve shows it while you edit; comments in it say where to write")
	return Fine
}

// notComposed reports why no post was written.
func (a author) notComposed(err error) int {
	switch p := dataset.AsProblem(err); {
	case errors.Is(err, compose.ErrNoRuns):
		a.say.fault("%v", compose.ErrNoRuns)
		a.say.hint("put the tools' output below runs/; benchpost results --verbose says what each file is")
	case p != nil:
		a.say.fault("--where: %v", err)
		if !p.Hint.IsZero() {
			a.say.hint("%s", p.Hint)
		}
		return Usage
	default:
		a.say.fault("%v", err)
	}
	return Fault
}

// snapshot reads the site for a command that writes something from its runs. It reports errors in runs and ignores
// errors in posts.
func (a author) snapshot(dir string) (*site.Snapshot, int) {
	return a.snapshotOf(dir, func(ms []result.Message) { a.say.messages(seenFrom(dir, ms)) })
}

// snapshotOf does what snapshot does, but passes the messages to say.
func (a author) snapshotOf(dir string, say func([]result.Message)) (*site.Snapshot, int) {
	s := site.Open(site.Options{Dir: dir})
	defer s.Discard()
	e, err := s.Read()
	var ms []result.Message
	for _, m := range e.Messages {
		if err != nil || m.Severity == result.Error && !strings.HasPrefix(m.Pos.File, "content/") {
			ms = append(ms, m)
		}
	}
	say(ms)
	switch {
	case errors.Is(err, site.ErrConfig):
		return nil, Usage
	case err != nil:
		return nil, a.say.failed(err)
	}
	return e, Fine
}
