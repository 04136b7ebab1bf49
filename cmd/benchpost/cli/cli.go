// Package cli is the command line of benchpost. [Run] takes the arguments and returns the exit code.
//
// Output for people goes to stderr, output for programs to stdout. Messages look like those of a compiler, file:line:
// severity: text, with a hint on a separate line. Colour is used only on a terminal, and never if NO_COLOR is set.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/benchpost/benchpost/cmd/benchpost/flags"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/settings"
)

// Exit codes.
const (
	Fine  = 0 // the work is done and no problem was found
	Fault = 1 // a problem was found: a run that cannot be read, a post with an error
	Usage = 2 // the command line or the configuration is wrong
)

// exitCodes describes the exit codes.
var exitCodes = []struct {
	code             int
	means, inChinese string
}{
	{Fine, "fine", "正常"},
	{Fault, "the work found a fault", "发现问题"},
	{Usage, "wrong usage or configuration", "用法或配置有误"},
}

// commonFlags describes the flags of every command.
const commonFlags = `  --site DIR   the site's folder (default: the nearest one upwards with a site.toml)
  --quiet      print only errors
  --verbose    print more of what is done and why
`

// command is one verb of the program.
type command struct {
	name    string
	args    string // what follows the name in the usage line
	summary string // one line, no capital, no full stop
	help    string // paragraphs and examples below the usage line
	flags   func(*flag.FlagSet, *options)
	run     func(context.Context, *app, *options, []string) int
}

// options holds the flags of all commands; each command registers its own.
type options struct {
	site    string
	quiet   bool
	verbose bool

	strict, drafts bool
	drift          bool
	layouts, bare  bool
	from           string // folder of results for a new site
	out, single    string
	format, where  string
	explain, lang  string
	to, images     string   // for export
	shards         string   // folder to which shards are written
	archives       []string // shards to be read
	apart          bool     // build a site of each part
	parts          []string // parts to be built; all if empty
	dryRun, all    bool
	labels         labelFlags
	diff           diffOptions
	live           liveOptions
	record         recordOptions
	archive        archiveOptions
	rev            string
}

// app holds the input and output of a command.
type app struct {
	stdin  io.Reader
	stdout *outlet
	stderr io.Writer
	say    *speaker

	commands []command // all commands, for help, completion and manual pages
}

// outlet is the standard output. It remembers the first error, so that a command whose output is lost does not succeed.
type outlet struct {
	w   io.Writer
	err error
}

// Write implements io.Writer.
func (o *outlet) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// print writes lines for people and programs to the standard output. As with a speaker, control characters in the
// arguments are made visible.
func (a *app) print(format string, args ...any) {
	_, _ = io.WriteString(a.stdout, worded(format, args...))
}

func commands() []command {
	return []command{buildCommand, newCommand, reportCommand, serveCommand, checkCommand, resultsCommand, explainCommand, listCommand, diffCommand, exportCommand, recordCommand, importCommand, citeCommand, archiveCommand, verifyCommand, initCommand, schemaCommand, completionCommand, manCommand, versionCommand}
}

// Run executes one command line and returns the exit code.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{stdin: stdin, stdout: &outlet{w: stdout}, stderr: stderr, say: newSpeaker(stderr), commands: commands()}
	code := a.run(ctx, args)
	if a.stdout.err != nil && code == Fine {
		a.say.fault("the output could not be written: %v", a.stdout.err)
		return Fault
	}
	return code
}

func (a *app) run(ctx context.Context, args []string) int {
	if len(args) == 0 {
		fmt.Fprint(a.stderr, overview("en"))
		return Usage
	}
	name := args[0]
	switch name {
	case "help":
		return help(a, args[1:])
	case "-h", "-help", "--help":
		return help(a, nil)
	case "-version", "--version":
		name = "version"
	}
	c, ok := find(name)
	if !ok {
		return a.unknown(name)
	}
	var o options
	fs := newFlags(c, &o)
	rest, err := flags.Parse(fs, args[1:])
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(a.stdout, usage(c, "en"))
		return Fine
	}
	if err != nil {
		return a.misused(name, err)
	}
	a.say.quiet, a.say.verbose = o.quiet, o.verbose
	if o.site != "" && !a.say.givenFolder("--site ", o.site) {
		return Usage
	}
	return c.run(ctx, a, &o, rest)
}

// misused reports a flag that cannot be used.
func (a *app) misused(name string, err error) int {
	a.say.fault("%v", err)
	if e := new(flags.Error); errors.As(err, &e) && e.Hint != "" {
		a.say.hint("%s", e.Hint)
	} else {
		a.say.hint("benchpost help %s", name)
	}
	return Usage
}

// newFlags returns the flags of a command.
func newFlags(c command, o *options) *flag.FlagSet {
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&o.site, "site", "", "")
	fs.BoolVar(&o.quiet, "quiet", false, "")
	fs.BoolVar(&o.verbose, "verbose", false, "")
	if c.flags != nil {
		c.flags(fs, o)
	}
	return fs
}

func find(name string) (command, bool) {
	for _, c := range commands() {
		if c.name == name {
			return c, true
		}
	}
	return command{}, false
}

func (a *app) unknown(name string) int {
	var names []string
	for _, c := range a.commands {
		names = append(names, c.name)
	}
	a.say.fault("no command is called %q", name)
	if near := settings.Nearest(name, names); near != "" {
		a.say.hint("did you mean benchpost %s?", near)
	} else {
		a.say.hint("there are: %s", strings.Join(names, ", "))
	}
	return Usage
}

// needSite finds the site's folder for a command that needs a site. It reports if there is none.
func (a *app) needSite(o *options) (dir string, ok bool) {
	dir, isSite := o.siteDir()
	if !isSite {
		a.say.fault("no %s here or in a folder above", config.Name)
		a.say.hint("benchpost init makes a new site; --site DIR names one")
	}
	return dir, isSite
}

// siteOnly does what needSite does for a command without arguments.
func (a *app) siteOnly(o *options, command string, args []string) (dir string, ok bool) {
	if len(args) > 0 {
		a.say.fault("%s takes no arguments: %s", command, strings.Join(args, " "))
		a.say.hint("to %s another folder, write --site %s", command, args[0])
		return "", false
	}
	return a.needSite(o)
}

// siteDir finds the site's folder: --site, or else the nearest folder upwards from the working directory with a
// site.toml, or else the working directory.
func (o *options) siteDir() (dir string, isSite bool) {
	if o.site != "" {
		_, err := os.Stat(filepath.Join(o.site, config.Name))
		return o.site, err == nil
	}
	wd, err := os.Getwd()
	if err != nil { // the working directory was deleted
		return ".", false
	}
	for dir := wd; ; {
		if _, err := os.Stat(filepath.Join(dir, config.Name)); err == nil {
			if rel, err := filepath.Rel(wd, dir); err == nil {
				return rel, true
			}
			return dir, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ".", false
		}
		dir = parent
	}
}

// labelFlags collects --label k=v.
type labelFlags []string

func (l *labelFlags) String() string { return strings.Join(*l, ",") }

// Set adds one label.
func (l *labelFlags) Set(s string) error {
	if name, _, ok := strings.Cut(s, "="); !ok || name == "" {
		return fmt.Errorf("a label is written name=value, not %q", s)
	}
	*l = append(*l, s)
	return nil
}
