package cli

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/archive"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/git"
	"github.com/benchpost/benchpost/generator/redact"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
	"github.com/benchpost/benchpost/generator/site"
	"github.com/benchpost/benchpost/generator/site/cache"
	"github.com/benchpost/benchpost/generator/visible"
)

// archiveOptions holds the flags of archive.
type archiveOptions struct {
	as, message           string
	yes, noCommit, inputs bool
}

var archiveCommand = command{
	name:    "archive",
	args:    "[PATH…] [--as NAME] [-m SUBJECT] [--inputs] [--dry-run] [--no-commit] [--yes]",
	summary: "redact, verify and commit finished runs",
	help: `Takes the finished runs of the site, or those at and below each PATH below runs/.
A PATH elsewhere is first copied to runs/ and stays unchanged. The command then

  - replaces secrets and private names; originals are kept in .benchpost/originals
  - compresses raw files larger than [archive] compress (1 MiB), readable as before
  - writes manifest.json into each folder of runs: sizes, SHA-256, formats, results
  - reads everything again, and refuses unless every figure is the same
  - builds public only from files to be committed, as git would check them out
  - commits runs and public, with a message made from the results

Other staged changes stay staged, hooks run as for any commit, and a killed process
loses nothing: the next archive continues. Unfinished runs are skipped.

  --as NAME      the folder below runs/ for a PATH from elsewhere (default: its name)
  -m SUBJECT     the first line of the commit message
  --inputs       also commit changes of site.toml, content/, layouts/ and
                 .gitattributes, as is done if git does not know the site yet
  --dry-run      show everything and write nothing
  --no-commit    do everything except the commit; nothing is staged
  --yes          do not ask; without a terminal, nothing is asked

Examples
  benchpost archive --dry-run
  benchpost archive
  benchpost archive ~/results/2026-11-thor --as thor/2026-11
`,
	flags: func(fs *flag.FlagSet, o *options) {
		fs.StringVar(&o.archive.as, "as", "", "")
		fs.StringVar(&o.archive.message, "m", "", "")
		fs.BoolVar(&o.archive.inputs, "inputs", false, "")
		fs.BoolVar(&o.archive.noCommit, "no-commit", false, "")
		fs.BoolVar(&o.archive.yes, "yes", false, "")
		fs.BoolVar(&o.dryRun, "dry-run", false, "")
	},
	run: func(ctx context.Context, a *app, o *options, args []string) int {
		dir, ok := a.needSite(o)
		if !ok {
			return Usage
		}
		opt := archive.Options{Dir: dir, Inputs: o.archive.inputs, Subject: o.archive.message, NoCommit: o.archive.noCommit, DryRun: o.dryRun,
			By: "benchpost " + buildVersion(), Now: time.Now()}
		if !a.sources(&opt, o.archive.as, args) {
			return Usage
		}
		return a.archive(ctx, opt, o.archive.yes)
	},
}

// sources sorts the arguments of archive into runs of the site and folders to be copied. It reports an argument that is
// neither.
func (a *app) sources(opt *archive.Options, as string, args []string) bool {
	for _, arg := range args {
		below, ok := inside(filepath.Join(opt.Dir, "runs"), arg)
		if ok { // the removal of files is archived, too
			opt.Paths = append(opt.Paths, below)
			continue
		}
		if _, ok := a.say.given("", arg); !ok {
			return false
		}
		name := as
		if abs, err := filepath.Abs(arg); name == "" && err == nil {
			name, _ = rundir.FolderName(filepath.Base(abs))
		}
		name = path.Clean(filepath.ToSlash(name))
		if !filepath.IsLocal(filepath.FromSlash(name)) || name == "." || strings.HasPrefix(name, ".") || strings.Contains(name, "/.") {
			a.say.fault("%q is no name of a folder below runs/", name)
			a.say.hint("--as NAME gives it one")
			return false
		}
		opt.From = append(opt.From, archive.Source{Path: arg, Name: name})
	}
	switch {
	case as != "" && len(opt.From) == 0:
		a.say.fault("--as names the copy of runs from elsewhere, and none are given")
		return false
	case as != "" && len(opt.From) > 1:
		a.say.fault("--as gives one name, and there are %d folders", len(opt.From))
		return false
	}
	return true
}

// archive prepares, shows the plan, asks for confirmation on a terminal, and archives.
func (a *app) archive(ctx context.Context, opt archive.Options, yes bool) int {
	ctx, stop := signal.NotifyContext(ctx, endings()...)
	defer stop()
	start := time.Now()
	redactor, err := redactorOf(opt.Dir, opt.DryRun)
	if err != nil {
		a.say.fault("%v", err)
		return Usage
	}
	opt.Redactor = redactor
	progress, done := a.say.progress(start)
	opt.Progress = progress
	p, err := archive.Prepare(ctx, opt)
	done()
	if err != nil {
		return a.refused(err, true)
	}
	defer p.Close()
	a.showPlan(p, opt)
	if opt.DryRun {
		a.say.info("nothing was written")
		return Fine
	}
	if !yes && isTerminal(a.stdout) && a.terminalIn() && p.Commits() && (len(p.Changed) > 0 || p.Inputs() && len(p.Uncommitted) > 0) {
		if !a.agreed("archive this?") {
			a.say.info("nothing was changed")
			return Fine
		}
	}
	progress, done = a.say.progress(time.Now())
	p.Progress(progress)
	out, err := p.Apply(ctx)
	done()
	if err != nil {
		return a.refused(err, false)
	}
	a.say.messages(seenFrom(opt.Dir, out.Messages))
	if out.Ahead {
		a.say.info("public/ here shows more than the archive: what was left, or is not committed")
	}
	took := time.Since(start).Round(time.Millisecond)
	switch {
	case out.Nothing:
		a.say.info("nothing to archive: all finished runs and public are committed (%v)", took)
	case out.Commit == "":
		a.say.info("ready, and not committed: git add runs public commits what is here (%v)", took)
	default:
		subject, _, _ := strings.Cut(p.Message, "\n")
		a.say.info("committed %.10s: %s; %s of public changed (%v)", out.Commit, subject, result.Count(out.Public, "file"), took)
	}
	return Fine
}

// terminalIn reports whether standard input is a terminal, so that somebody can answer.
func (a *app) terminalIn() bool {
	f, ok := a.stdin.(*os.File)
	return ok && isTerminal(f)
}

// agreed asks a question and reports whether the answer is y or yes.
func (a *app) agreed(question string) bool {
	fmt.Fprintf(a.stderr, "%s [y/N] ", visible.Line(question))
	line, _ := bufio.NewReader(a.stdin).ReadString('\n')
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes"
}

// redactorOf returns the redactor of a site. A dry run does not create the site's key; without one, it shows pseudonyms
// made with a placeholder key.
func redactorOf(dir string, dry bool) (*redact.Redactor, error) {
	_, err := os.Stat(redact.KeyFile(dir))
	key := []byte("of a dry run, before there is a key")
	if err == nil || !dry || os.Getenv(redact.KeyVariable) != "" {
		if !dry {
			if _, err := cache.Folder(dir, ""); err != nil {
				return nil, err
			}
		}
		if key, err = redact.LoadKey(dir); err != nil {
			return nil, err
		}
	}
	config, _ := config.Read(dir) // archiving reports errors in it
	return redact.New(config.Redact.Options(key))
}

// refused reports why nothing, or not everything, was done, and returns the exit code. before says that nothing was
// written yet.
func (a *app) refused(err error, before bool) int {
	var no *archive.Refusal
	var hook *git.HookError
	var busy *git.BusyError
	var moved *git.MovedError
	switch {
	case errors.Is(err, site.ErrConfig):
		a.say.fault("%s is wrong; nothing was changed: benchpost check tells more", config.Name)
		return Usage
	case errors.Is(err, context.Canceled):
		a.say.fault("interrupted; nothing is lost, and the next archive goes on")
		return Fault
	case errors.As(err, &no):
		a.say.fault("%s", no.Text)
		for _, line := range no.Details {
			a.say.more("%s", line)
		}
		if no.Hint != "" {
			a.say.hint("%s", no.Hint)
		}
		if no.Usage {
			return Usage
		}
		return Fault
	case errors.As(err, &hook):
		a.say.fault("%v; nothing was committed", hook)
		for line := range strings.Lines(hook.Said) {
			a.say.more("%s", strings.TrimRight(line, "\n"))
		}
		a.say.hint("the files are in place and not staged; archive again when the hook has its way")
		return Fault
	case errors.As(err, &busy):
		a.say.fault("%v; nothing was committed", busy)
		a.say.hint("%s; then archive again", busy.Hint)
		return Fault
	case errors.As(err, &moved):
		a.say.fault("%v", moved)
		a.say.hint("archive again: it goes on from there")
		return Fault
	}
	a.say.fault("%v", err)
	if !before {
		a.say.hint("nothing is lost; the next archive goes on")
	}
	return Fault
}

// showPlan shows what will be done: everything in a dry run, and otherwise a summary.
func (a *app) showPlan(p *archive.Plan, opt archive.Options) {
	detail := a.say.detail
	if opt.DryRun {
		detail = a.say.info
	}
	for _, note := range p.Notes {
		a.say.info("%s", note)
	}
	redacted := 0
	for _, f := range p.Files {
		redacted += len(f.Findings)
		at := f.Was
		if at == "" {
			at = f.Path
			detail("copy       %s (%d bytes)", f.Path, f.Size)
		}
		for _, found := range f.Findings {
			detail("redact     %s:%d:%d: %s → %s", at, found.Line, found.Column, found.Rule, found.Replacement)
		}
		if f.Compressed {
			detail("compress   %s → %s (%d → %d bytes)", at, path.Base(f.Path), f.Size, f.Becomes)
		}
		if f.LFS {
			detail("git lfs    %s", f.Path)
		}
	}
	for _, m := range p.Manifests {
		detail("manifest   %s", m)
	}
	for _, name := range p.Gone {
		detail("remove     %s", name)
	}
	for _, name := range p.Changed {
		detail("commit     %s", name)
	}
	if p.Inputs() {
		for _, name := range p.Uncommitted {
			detail("commit     %s", name)
		}
	}
	if opt.DryRun {
		a.say.info("commit     public/: what a rebuild from this gives")
	}
	for _, name := range p.Altered {
		a.say.info("%s is not what it was when it was archived; the new version is", name)
	}
	left := map[string][]string{}
	for _, l := range p.Left {
		left[l.Reason] = append(left[l.Reason], l.Path)
	}
	for _, reason := range slices.Sorted(maps.Keys(left)) {
		names := left[reason]
		more := ""
		if len(names) > 1 {
			more = " and " + strconv.Itoa(len(names)-1) + " more"
		}
		a.say.info("left: %s%s: %s", names[0], more, reason)
	}
	if len(p.Uncommitted) > 0 && !p.Inputs() {
		a.say.info("not committed, and so not part of this archive: %s (--inputs takes it along)", strings.Join(p.Uncommitted, ", "))
	}
	if redacted > 0 {
		var rules []string
		by := p.Redacted()
		for _, rule := range slices.Sorted(maps.Keys(by)) {
			rules = append(rules, fmt.Sprintf("%s %d", rule, by[rule]))
		}
		a.say.info("%s redacted: %s; originals go to .benchpost/originals", result.Count(redacted, "place"), strings.Join(rules, ", "))
		if _, err := os.Stat(redact.KeyFile(opt.Dir)); opt.DryRun && err != nil && os.Getenv(redact.KeyVariable) == "" {
			a.say.info("the pseudonyms will be others: the first archive makes the key that they come from")
		}
	}
	if p.Commits() && len(p.Changed) > 0 && (opt.DryRun || a.say.verbose || isTerminal(a.stdout)) {
		a.say.info("")
		for line := range strings.Lines(strings.TrimSpace(p.Message)) {
			a.say.info("%s", strings.TrimRight("  "+line, " \n"))
		}
		a.say.info("")
	}
}
