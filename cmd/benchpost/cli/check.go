package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/site"
	"github.com/benchpost/benchpost/generator/visible"
)

var checkCommand = command{
	name:    "check",
	args:    "[PATH…] [--drift] [--format text|json|github|gitlab] [--strict]",
	summary: "report problems in runs and posts",
	help: `Reads the runs and posts of the site, or any PATH with runs, and reports problems
as a compiler does: file:line: severity: message. Secrets are warnings; private
names are reported with --verbose. Nothing is written. The exit code is 1 if there
is an error. One line counts the files without a result; [check] unread of
site.toml makes them warnings or errors.

  --drift      instead, build the site in a temporary folder and report each file
               of public, and of the blog of [jekyll] dir, that differs from the
               result. Nothing in the site is touched
  --format F   text (default), json, github (annotations of a workflow), or
               gitlab (a code quality report)
  --strict     a warning counts as an error

Examples
  benchpost check
  benchpost check runs/jetson-thor/qwen3-8b-fp8
  benchpost check --strict --format github
  benchpost check --drift
`,
	flags: func(fs *flag.FlagSet, o *options) {
		fs.StringVar(&o.format, "format", "text", "")
		fs.BoolVar(&o.strict, "strict", false, "")
		fs.BoolVar(&o.drift, "drift", false, "")
	},
	run: func(ctx context.Context, a *app, o *options, args []string) int {
		print, ok := map[string]func(*app, []result.Message) error{"text": printText, "json": printJSON, "github": printGitHub, "gitlab": printGitLab}[o.format]
		if !ok {
			a.say.fault("no format is called %q", o.format)
			a.say.hint("there are: text, json, github, gitlab")
			return Usage
		}
		dir, isSite := o.siteDir()
		var err error
		if o.drift && len(args) > 0 {
			a.say.fault("--drift is of a whole site, not of %s", args[0])
			a.say.hint("benchpost check --drift --site DIR")
			return Usage
		}
		var ms []result.Message
		var found site.Found
		switch {
		case len(args) > 0:
			set, code := a.load(o, args, site.ResultMessages)
			if code != Fine {
				return code
			}
			rules := a.rules(dir, isSite)
			results := make([]*result.Result, len(set.Results))
			for i := range results {
				results[i] = &set.Results[i]
			}
			found = site.FoundIn(results, set.Unread)
			ms = slices.Concat(set.Messages, site.UnreadMessages(rules, found.Unread), site.PrivateIn(rules, dir, args))
		case !isSite:
			a.say.fault("no %s here or in a folder above, and no path given", config.Name)
			a.say.hint("benchpost check PATH reads any folder or file")
			return Usage
		default:
			if o.drift {
				ms, err = site.Drift(ctx, dir)
			} else {
				ms, found, err = site.Check(dir)
			}
			if err != nil && !errors.Is(err, site.ErrConfig) {
				return a.say.failed(err)
			}
			ms = seenFrom(dir, ms)
		}
		if err := print(a, ms); err != nil {
			return a.say.failed(err)
		}
		faults, warnings := 0, 0
		for _, m := range ms {
			switch m.Severity {
			case result.Error:
				faults++
			case result.Warning:
				warnings++
			}
		}
		a.say.info("%s, %s", result.Count(faults, "error"), result.Count(warnings, "warning"))
		a.say.unread(found.Unread)
		switch {
		case o.drift || err != nil:
		case found.Results == 0:
			a.say.info("no result was found in %s: put the output of a benchmark there, as it was printed or saved; benchpost results --verbose says why a file has none",
				cmp.Or(strings.Join(args, ", "), "runs/"))
		case found.Nameless > 0:
			a.say.info("%s", locale.T("compose.nameless", found.Nameless, found.Results))
		}
		switch {
		case errors.Is(err, site.ErrConfig):
			return Usage
		case faults > 0, o.strict && warnings > 0:
			return Fault
		}
		return Fine
	},
}

// rules returns the site's configuration, for files that need not belong to the site; the defaults if there is no site.
func (a *app) rules(dir string, isSite bool) *config.Config {
	var rules config.Config
	if isSite {
		rules, _ = config.Read(dir) // errors in it were reported before
	}
	return &rules
}

func printText(a *app, ms []result.Message) error {
	told := map[string]bool{} // hints already printed: all findings of a rule have the same
	for _, m := range ms {
		if m.Severity == result.Info && !a.say.verbose {
			continue
		}
		a.print("%s [%s]\n", m.Error(), m.ID)
		if !m.Hint.IsZero() && !told[m.ID+locale.English(m.Hint)] {
			told[m.ID+locale.English(m.Hint)] = true
			a.print("  hint: %s\n", hint(locale.English(m.Hint)))
		}
	}
	return a.stdout.err
}

func printJSON(a *app, ms []result.Message) error {
	type message struct {
		ID       string `json:"id"`
		Severity string `json:"severity"`
		File     string `json:"file"`
		Line     int    `json:"line,omitempty"`
		Column   int    `json:"column,omitempty"`
		Message  string `json:"message"`
		Hint     string `json:"hint,omitempty"`

		Figures map[string]float64 `json:"figures,omitempty"`
	}
	out := []message{}
	for _, m := range ms {
		out = append(out, message{m.ID, m.Severity.String(), m.Pos.File, m.Pos.Line, m.Pos.Column, locale.English(m.Text), locale.English(m.Hint), m.Figures})
	}
	e := json.NewEncoder(a.stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

// printGitHub writes workflow commands. Values are escaped as GitHub requires: % and line ends everywhere, in
// properties also colon and comma.
func printGitHub(a *app, ms []result.Message) error {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	for _, m := range ms {
		kind := map[result.Severity]string{result.Info: "notice", result.Warning: "warning", result.Error: "error"}[m.Severity]
		at := "file=" + property.Replace(visible.Line(m.Pos.File))
		if m.Pos.Line > 0 {
			at += fmt.Sprintf(",line=%d", m.Pos.Line)
		}
		if m.Pos.Column > 0 {
			at += fmt.Sprintf(",col=%d", m.Pos.Column)
		}
		text := visible.Line(locale.English(m.Text))
		if !m.Hint.IsZero() {
			text += "\n" + visible.Lines(locale.English(m.Hint))
		}
		if _, err := fmt.Fprintf(a.stdout, "::%s %s,title=%s::%s\n", kind, at, property.Replace(m.ID), data.Replace(text)); err != nil {
			return err
		}
	}
	return nil
}
