package cli

import (
	"cmp"
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/cmd/benchpost/memory"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/shell"
	"github.com/benchpost/benchpost/generator/site"
	"github.com/benchpost/benchpost/generator/sitefile"
)

var reportCommand = command{
	name:    "report",
	args:    "FOLDER [-o FILE] [--where SELECTOR] [--lang zh|en|both]",
	summary: "write a report of a folder of results as one HTML file",
	help: `Reads the results in a folder or file and writes one HTML file with findings, test
conditions, tables, charts, doubts and raw output. It needs no site, no network and
no other files. Folders of a site are read with its site.toml.

  FOLDER            the folder with the tools' output; "." for this folder
  -o FILE           write there, or - for stdout; report.html when absent
  --where SELECTOR  only these runs, as {model="Qwen3-8B"}
  --lang LANG       zh, en, or both, which writes report.zh.html and report.en.html;
                    when absent, the first language of the site, or else English

Examples
  benchpost report ~/bench
  benchpost report runs/tonight -o tonight.html --lang zh
`,
	flags: func(fs *flag.FlagSet, o *options) {
		fs.StringVar(&o.out, "o", "", "")
		fs.StringVar(&o.where, "where", "", "")
		fs.StringVar(&o.lang, "lang", "", "")
	},
	run: func(ctx context.Context, a *app, o *options, args []string) int {
		if len(args) != 1 {
			a.say.fault("report takes one folder")
			a.say.hint("benchpost report . reports this folder")
			return Usage
		}
		if _, ok := a.say.given("", args[0]); !ok {
			return Usage
		}
		memory.Pace(memory.Lasting)
		return a.report(ctx, o, args[0])
	},
}

// report writes the report of a folder. The report is the draft post of a temporary site made for the folder. Nothing
// is written beside the results.
func (a *app) report(ctx context.Context, o *options, folder string) int {
	temporary, err := os.MkdirTemp("", "benchpost-report-")
	if err != nil {
		a.say.fault("%v", err)
		a.say.hint("TMPDIR names a folder that can be written to")
		return Fault
	}
	defer os.RemoveAll(temporary)
	l, err := lend(temporary, folder, o.where, true)
	if err != nil {
		return a.say.failed(err)
	}
	about, _ := config.Read(temporary) // the build reports errors in it
	languages := about.Languages
	switch {
	case o.lang == "" && len(languages) > 0:
		languages = languages[:1]
	case o.lang != "both":
		p, ok := locale.For(o.lang)
		if !ok {
			a.say.fault("--lang %s is no language of benchpost: there are zh, en and both", o.lang)
			return Usage
		}
		languages = []string{p.Lang()}
	}
	code := Fine
	for _, lang := range languages {
		primary, _, _ := strings.Cut(lang, "-")
		out := cmp.Or(o.out, "report.html")
		if ext := filepath.Ext(out); len(languages) > 1 && out != "-" {
			out = strings.TrimSuffix(out, ext) + "." + primary + ext
		}
		opt := site.Options{Dir: temporary, Out: out, Where: l.where, Part: l.part, Keep: l.keep}
		code = max(code, a.buildSingle(ctx, opt, site.Draft+"."+primary, single{l.seen, func(e *site.UnknownPostError) {
			if o.where != "" && slices.Contains(about.Languages, lang) {
				a.say.fault("no result in %s matches %s", folder, o.where)
				a.say.hint("benchpost explain %s %s shows what each condition leaves out", shell.Quote(o.where), shell.Quote(folder))
				return
			}
			if slices.Contains(about.Languages, lang) {
				a.say.fault("there are no results in %s", folder)
				a.say.hint("benchpost results --verbose %s says what each file is", folder)
				return
			}
			a.say.fault("--lang %s: the languages of this site are %s", o.lang, strings.Join(about.Languages, ", "))
		}}))
	}
	return code
}

// loan is a folder of results that is presented as a site.
type loan struct {
	runs  string // the folder that is runs/ of the site
	where string // selector of the requested runs
	part  string // slash path of the requested runs below runs/; "" for all
	keep  string // command that turns the report into a post
}

// lend turns dir into a site whose runs are those of another folder, which is not changed. With ofSite, a folder that
// belongs to a site is read with that site's site.toml.
func lend(dir, folder, where string, ofSite bool) (l loan, err error) {
	l.where = where
	if l.runs, err = filepath.Abs(folder); err != nil {
		return l, err
	}
	l.keep = "benchpost init --from " + filepath.Base(l.runs) // without the path on this machine: others may see it
	text := []byte("title = " + strconv.Quote(filepath.Base(l.runs)) + "\nlanguages = [\"en\", \"zh-CN\"]\n")
	for above := l.runs; ofSite; above = filepath.Dir(above) {
		if own, err := sitefile.Read(filepath.Join(above, config.Name)); err == nil {
			text, l.keep = own, "benchpost new post"
			l.narrow(above)
			break
		}
		if filepath.Dir(above) == above {
			break
		}
	}
	if err := os.WriteFile(filepath.Join(dir, config.Name), text, 0o600); err != nil {
		return l, err
	}
	at := filepath.Join(dir, "runs")
	info, err := os.Stat(l.runs)
	if err != nil {
		return l, err
	}
	if info.IsDir() {
		return l, os.Symlink(l.runs, at)
	}
	data, err := sitefile.Read(l.runs)
	if err == nil {
		err = os.Mkdir(at, 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(at, filepath.Base(l.runs)), data, 0o600)
	}
	l.runs = filepath.Dir(l.runs)
	return l, err
}

// narrow restricts the report to a part of a site's runs, so that they are read with what is declared in the folders
// above.
func (l *loan) narrow(site string) {
	runs := filepath.Join(site, "runs")
	below, ok := inside(runs, l.runs)
	switch {
	case l.runs == site:
		l.runs = runs
	case ok && below != "runs":
		l.part = strings.TrimPrefix(below, "runs/")
		part := "id=~" + strconv.Quote(regexp.QuoteMeta(l.part)+"(/.*)?")
		if info, err := os.Stat(l.runs); err == nil && !info.IsDir() {
			part = "id=~" + strconv.Quote(regexp.QuoteMeta(strings.TrimSuffix(l.part, filepath.Ext(l.part)))+".*")
		}
		l.runs = runs
		if rest, ok := strings.CutPrefix(strings.TrimSpace(l.where), "{"); ok && strings.TrimSpace(rest) != "}" {
			l.where = "{" + part + ", " + rest
		} else {
			l.where = "{" + part + "}"
		}
	case ok:
		l.runs = runs
	}
}

// seen returns messages with file names relative to the working folder.
func (l loan) seen(ms []result.Message) []result.Message {
	out := slices.Clone(ms)
	for i := range out {
		if file, ok := strings.CutPrefix(out[i].Pos.File, "runs/"); ok {
			out[i] = seenFrom(l.runs, []result.Message{{Pos: result.Position{File: file, Line: out[i].Pos.Line, Column: out[i].Pos.Column},
				Severity: out[i].Severity, ID: out[i].ID, Text: out[i].Text, Hint: out[i].Hint}})[0]
		}
	}
	return out
}
