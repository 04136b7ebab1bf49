package cli

import (
	"context"
	"flag"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/export"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/site"
)

var explainCommand = command{
	name:    "explain",
	args:    "SELECTOR [PATH…] [--format text|json]",
	summary: "explain which runs a selector picks, and why not others",
	help: `Evaluates a selector as a block of a post does and shows the runs it picks, the
labels in which they differ, the number of runs that each condition leaves out and
the values they have instead, and the runs that meet all conditions but do not
count: excluded, auxiliary and unfinished ones, each with the reason. A selector
may name a metric; runs without it are listed. PATH is as for benchpost results.

  --format F   text (default) or json
  --verbose    list all runs, not only the first ones

Examples
  benchpost explain '{model="Qwen3-8B",load="high"}'
  benchpost explain 'ttft_p99{hardware=~"thor|orin"}'
  benchpost explain '{max_concurrency="64"}' ~/bench
`,
	flags: func(fs *flag.FlagSet, o *options) { fs.StringVar(&o.format, "format", "text", "") },
	run: func(_ context.Context, a *app, o *options, args []string) int {
		if o.format != "text" && o.format != "json" {
			return a.noFormat(o.format, "text", "json")
		}
		if len(args) == 0 {
			a.say.fault("explain takes a selector")
			a.say.hint(`benchpost explain '{load="high"}'; benchpost list labels shows what to select by`)
			return Usage
		}
		d, code := a.selection(o, args[1:])
		if code != Fine {
			return code
		}
		e, err := d.Explain(args[0])
		if err != nil {
			a.say.fault("%v", err)
			if p := dataset.AsProblem(err); p != nil {
				a.say.hint("%s", p.Hint)
			}
			return Usage
		}
		if o.format == "json" {
			err = export.ExplanationJSON(a.stdout, e)
		} else {
			err = export.Explanation(a.stdout, e, o.verbose)
		}
		if err != nil {
			return a.say.failed(err)
		}
		if e.Problem != nil {
			return Fault
		}
		return Fine
	},
}

var listCommand = command{
	name:    "list",
	args:    strings.Join(export.Listings(), "|") + " [PATH…] [--where SELECTOR] [--format text|json|csv]",
	summary: "list metrics, labels, models or runs",
	help: `Lists the names that posts may use, with the number of runs that have each: metrics
with unit, better direction, their names in both languages and in the tools; labels
with their values; models with their known properties; runs with the labels that
distinguish them, and whether tables count them. PATH is as for benchpost results.

  --where S    only of the runs that a selector picks
  --format F   text (default), json or csv
  --all        metrics: also those that no run has

Examples
  benchpost list metrics --where '{model="Qwen3-8B"}'
  benchpost list labels ~/bench
  benchpost list runs --format csv > runs.csv
`,
	flags: func(fs *flag.FlagSet, o *options) {
		fs.StringVar(&o.format, "format", "text", "")
		fs.StringVar(&o.where, "where", "", "")
		fs.BoolVar(&o.all, "all", false, "")
	},
	run: func(_ context.Context, a *app, o *options, args []string) int {
		write, ok := map[string]func(export.Listing) error{
			"text": func(l export.Listing) error { return l.Text(a.stdout) },
			"json": func(l export.Listing) error { return l.JSON(a.stdout) },
			"csv":  func(l export.Listing) error { return l.CSV(a.stdout) },
		}[o.format]
		if !ok {
			return a.noFormat(o.format, "text", "json", "csv")
		}
		if len(args) == 0 || !slices.Contains(export.Listings(), args[0]) {
			a.say.fault("list takes one of %s, not %q", strings.Join(export.Listings(), ", "), strings.Join(args[:min(1, len(args))], ""))
			return Usage
		}
		d, code := a.selection(o, args[1:])
		if code != Fine {
			return code
		}
		rs := d.Results
		if args[0] == "runs" {
			rs = slices.Concat(rs, d.Auxiliary)
			slices.SortFunc(rs, result.Compare)
		}
		if o.where != "" {
			var err error
			if rs, err = d.Select(o.where); err != nil {
				a.say.fault("%v", err)
				if p := dataset.AsProblem(err); p != nil && !p.Hint.IsZero() {
					a.say.hint("%s", p.Hint)
				}
				return Usage
			}
		}
		listing, _ := export.List(args[0], d, rs, o.all)
		if err := write(listing); err != nil {
			return a.say.failed(err)
		}
		if n := len(d.Unfinished); args[0] == "runs" && n > 0 {
			a.say.info("%s without a result yet: benchpost results names them", result.Count(n, "run"))
		}
		return Fine
	},
}

// selection reads runs as load does, and returns what selectors select from.
func (a *app) selection(o *options, paths []string) (*dataset.Selection, int) {
	set, code := a.load(o, paths, nil)
	if code != Fine {
		return nil, code
	}
	faults := 0
	for _, m := range set.Messages {
		if m.Severity == result.Error {
			faults++
		}
	}
	if faults > 0 {
		a.say.info("%s in the runs: benchpost check names them", result.Count(faults, "error"))
	}
	a.say.unread(set.Unread)
	dir, isSite := o.siteDir()
	return site.Selection(a.rules(dir, isSite), set), Fine
}

// noFormat reports an unknown --format.
func (a *app) noFormat(format string, known ...string) int {
	a.say.fault("no format is called %q", format)
	a.say.hint("there are: %s", strings.Join(known, ", "))
	return Usage
}
