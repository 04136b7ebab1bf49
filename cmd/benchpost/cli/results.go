package cli

import (
	"context"
	"flag"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/cmd/benchpost/memory"
	"github.com/benchpost/benchpost/generator/assembly"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/datapackage"
	"github.com/benchpost/benchpost/generator/export"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/pieces"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
	"github.com/benchpost/benchpost/generator/site"
)

var writers = map[string]func(io.Writer, export.Set) error{
	"table":   export.Table,
	"json":    export.JSON,
	"jsonl":   func(w io.Writer, set export.Set) error { return pieces.Whole(w, set.JSONLines) },
	"csv":     func(w io.Writer, set export.Set) error { return pieces.Whole(w, datapackage.Of(set.Results).CSV) },
	"parquet": func(w io.Writer, set export.Set) error { return pieces.Whole(w, datapackage.Of(set.Results).Parquet) },
}

var resultsCommand = command{
	name:    "results",
	args:    "[PATH…] [--format table|json|jsonl|csv|parquet | --package DIR | --shards DIR] [--where SELECTOR] | --explain FILE",
	summary: "print normalised results of runs, for people or programs",
	help: `Reads the runs of the site, or any folder or file, and prints the results with
uniform units and names, every figure with its file and line. PATH needs no site.
Inside a site, run.toml and site.toml add their labels.

  --format F    table (default), json, jsonl, csv or parquet. csv and parquet have a row
                for each result and a column for each label and metric, in base units
  --package DIR instead, write all results as csv, jsonl and parquet into DIR, every
                figure with its file and line as figures.parquet, and datapackage.json,
                which describes all columns
  --shards DIR  instead, write a Parquet file of each PATH, or of each folder in runs/, with
                its results and its files, masked: benchpost build --results makes the
                site of them. On several machines, each does its own PATHs
  --where S     only matching results, as '{model=~"Qwen3.*",load="high"}'
  --explain F   instead, show the file F, of the site or not, line by line with the
                figures and labels read from each line, or the reasons why the
                closest formats do not read it. F may be in an archive
                (runs.zip/a.log). --format json writes the same for programs,
                --lang zh in Chinese
  --verbose     also list each file with its format, or why it has no result

Examples
  benchpost results
  benchpost results ~/bench --format csv > all.csv
  benchpost results --package data && duckdb -c "FROM 'data/results.parquet'"
  benchpost results --where '{load="low"}' --format json | jq '.results[].id'
  benchpost results --explain runs/a/high.log
`,
	flags: func(fs *flag.FlagSet, o *options) {
		fs.StringVar(&o.format, "format", "table", "")
		fs.StringVar(&o.out, "package", "", "")
		fs.StringVar(&o.shards, "shards", "", "")
		fs.StringVar(&o.where, "where", "", "")
		fs.StringVar(&o.explain, "explain", "", "")
		fs.StringVar(&o.lang, "lang", "en", "")
	},
	run: func(ctx context.Context, a *app, o *options, args []string) int {
		if o.explain != "" {
			return a.explain(o, args)
		}
		if o.shards != "" {
			return a.shards(ctx, o, args)
		}
		memory.Pace(memory.Brief)
		if o.format == "parquet" && isTerminal(a.stdout) {
			a.say.fault("parquet is not for reading on a terminal")
			a.say.hint("benchpost results --format parquet > results.parquet")
			return Usage
		}
		write, ok := writers[o.format]
		if !ok {
			a.say.fault("no format is called %q", o.format)
			a.say.hint("there are: table, json, jsonl, csv, parquet")
			return Usage
		}
		var sel result.Selector
		if o.where != "" {
			var err error
			if sel, err = result.ParseSelector(o.where); err != nil {
				a.say.fault("--where %s: %v", o.where, err)
				a.say.hint(`selectors are written {label="value", other=~"a|b"}`)
				return Usage
			}
		}
		set, code := a.load(o, args, nil)
		if code != Fine {
			return code
		}
		out := export.Set{Messages: set.Messages}
		for i := range set.Results {
			if r := &set.Results[i]; sel.Match(r) {
				out.Results = append(out.Results, r)
			}
		}
		for _, u := range set.Unread {
			out.Skipped = append(out.Skipped, export.Skipped{File: u.Name, Kind: string(u.Kind), Reason: locale.English(u.Reason)})
		}
		if o.out != "" {
			if err := export.Package(o.out, out); err != nil {
				return a.say.failed(err)
			}
			a.say.info("%s in %s, described in %s", result.Count(len(out.Results), "result"), o.out, filepath.Join(o.out, datapackage.File))
		} else if err := write(a.stdout, out); err != nil {
			return a.say.failed(err)
		}
		faults, _ := a.say.messages(set.Messages)
		if o.format == "table" && o.out == "" {
			for i := range set.Unfinished {
				if run := set.Unfinished[i].Run(); sel.Match(&run) {
					a.say.info("%s: %s", run.Source, set.Unfinished[i].Message().Text)
				}
			}
		}
		if o.verbose {
			for _, line := range seen(set) {
				a.say.detail("%s", line)
			}
		}
		if o.where != "" && len(out.Results) == 0 && len(set.Results) > 0 {
			a.say.info("none of %s matches %s", result.Count(len(set.Results), "result"), o.where)
		}
		if len(set.Results) == 0 {
			a.say.info("no results in %s", result.Count(len(set.Unread), "file"))
		}
		if !o.verbose {
			a.say.unread(set.Unread)
		}
		if faults > 0 {
			return Fault
		}
		return Fine
	},
}

// shards writes shards of a site's runs.
func (a *app) shards(ctx context.Context, o *options, args []string) int {
	dir, ok := a.needSite(o)
	if !ok || o.where != "" || o.out != "" || o.format != "table" {
		if ok {
			a.say.fault("--shards writes all of each folder, as Parquet: it goes with no --where, --format or --package")
		}
		return Usage
	}
	about, ms := config.Read(dir)
	if faults, _ := a.say.messages(seenFrom(dir, ms)); faults > 0 {
		return Usage
	}
	parts, err := assembly.Parts(dir, args)
	if err != nil {
		a.say.fault("%v", err)
		return Usage
	}
	masks, _, err := site.Maskers(&about, dir)
	if err != nil {
		return a.say.failed(err)
	}
	memory.Pace(memory.Lasting)
	faults, files, results := 0, 0, 0
	if err := assembly.Write(ctx, dir, &about, masks, o.shards, parts, func(w assembly.Written) {
		n, _ := a.say.messages(seenFrom(dir, w.Messages))
		faults, files, results = faults+n, files+1, results+w.Results
		a.say.detail("%s: %s", w.File, result.Count(w.Results, "result"))
	}); err != nil {
		return a.say.failed(err)
	}
	a.say.info("%s in %s in %s", result.Count(results, "result"), result.Count(files, "shard"), o.shards)
	if faults > 0 {
		return Fault
	}
	return Fine
}

// seen returns a line for each file: what was found in it, or why nothing was.
func seen(set *rundir.Dataset) []string {
	type found struct{ file, format string }
	counts := map[found]int{}
	for _, r := range set.Results {
		counts[found{r.Source.File, r.Format}]++
	}
	var lines []string
	for f, n := range counts {
		lines = append(lines, fmt.Sprintf("%s: %s, %s", f.file, f.format, result.Count(n, "result")))
	}
	for _, b := range set.Beside {
		switch {
		case len(b.Runs) > 3:
			lines = append(lines, fmt.Sprintf("%s: %s, joined to %d runs", b.File, b.Format, len(b.Runs)))
		case len(b.Runs) > 0:
			lines = append(lines, fmt.Sprintf("%s: %s, joined to %s", b.File, b.Format, strings.Join(b.Runs, ", ")))
		default:
			lines = append(lines, fmt.Sprintf("%s: %s, %s", b.File, b.Format, result.Count(b.Facts, "fact")))
		}
	}
	for _, u := range set.Unread {
		lines = append(lines, fmt.Sprintf("%s: no result (%s): %s", u.Name, u.Kind, locale.English(u.Reason)))
	}
	slices.SortFunc(lines, result.NaturalCompare)
	return lines
}

// judge returns messages about results in addition to those from reading them.
type judge func([]result.Result) []result.Message

// load reads the given paths, or the runs of the site if no path is given. A path below the site's runs is read with
// the labels of the folders above it. File names in messages are relative to the working folder, also in those of
// judge, which may be nil.
func (a *app) load(o *options, args []string, judge judge) (*rundir.Dataset, int) {
	if judge == nil {
		judge = func([]result.Result) []result.Message { return nil }
	}
	dir, isSite := o.siteDir()
	var about config.Config // what the site declares about runs
	if isSite {
		var ms []result.Message
		about, ms = config.Read(dir)
		if faults, _ := a.say.messages(seenFrom(dir, ms)); faults > 0 {
			return nil, Usage
		}
	}
	masks, _, err := site.Maskers(&about, dir)
	if err != nil {
		return nil, a.say.failed(err)
	}
	if len(args) == 0 {
		if !isSite {
			a.say.fault("no %s here or in a folder above, and no path given", config.Name)
			a.say.hint("benchpost results PATH reads any folder or file")
			return nil, Usage
		}
		set, err := site.Dataset(dir, &about, masks)
		if err != nil {
			return nil, a.say.failed(err)
		}
		set.Messages = seenFrom(dir, append(set.Messages, judge(set.Results)...))
		set.Unread = unreadFrom(dir, set.Unread)
		return set, Fine
	}
	all := &rundir.Dataset{}
	var whole *rundir.Dataset
	var ours []string // paths below the site's runs
	for _, arg := range args {
		if _, ok := a.say.given("", arg); !ok {
			return nil, Usage
		}
		if below, ok := inside(filepath.Join(dir, "runs"), arg); isSite && ok {
			if whole == nil {
				if whole, err = site.Dataset(dir, &about, masks); err != nil {
					return nil, a.say.failed(err)
				}
			}
			ours = append(ours, whole.Published(below))
			continue
		}
		set, err := rundir.Load(arg, rundir.Options{Mask: masks, Mappings: about.Format, NoResults: about.Check.NoResults})
		if err != nil {
			return nil, a.say.failed(err)
		}
		site.Complete(&about, set)
		set.Messages = append(set.Messages, judge(set.Results)...)
		add(all, set, func(string) bool { return true })
	}
	if whole != nil {
		part := &rundir.Dataset{}
		add(part, whole, func(file string) bool {
			return slices.ContainsFunc(ours, func(below string) bool {
				// A run.toml in a folder above also applies to these runs.
				return within(file, below) || path.Base(file) == "run.toml" && within(below, path.Dir(file))
			})
		})
		part.Messages = seenFrom(dir, append(part.Messages, judge(part.Results)...))
		part.Unread = unreadFrom(dir, part.Unread)
		add(all, part, func(string) bool { return true })
	}
	slices.SortStableFunc(all.Results, func(a, b result.Result) int { return result.Compare(&a, &b) })
	return all, Fine
}

// add appends the parts of a dataset whose files keep accepts.
func add(to, from *rundir.Dataset, keep func(file string) bool) {
	for _, r := range from.Results {
		if keep(r.Source.File) {
			to.Results = append(to.Results, r)
		}
	}
	for _, u := range from.Unfinished {
		if keep(u.Source.File) {
			to.Unfinished = append(to.Unfinished, u)
		}
	}
	for _, b := range from.Beside {
		if keep(b.File) {
			to.Beside = append(to.Beside, b)
		}
	}
	for _, u := range from.Unread {
		if keep(u.Name) {
			to.Unread = append(to.Unread, u)
		}
	}
	for _, m := range from.Messages {
		if keep(m.Pos.File) {
			to.Messages = append(to.Messages, m)
		}
	}
}

// inside returns the slash path of name relative to the parent of root, if name is in root: "runs/a" for root "…/runs"
// and name "…/runs/a".
func inside(root, name string) (string, bool) {
	root, err1 := filepath.Abs(root)
	name, err2 := filepath.Abs(name)
	rel, err3 := filepath.Rel(root, name)
	if err1 != nil || err2 != nil || err3 != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(filepath.Join(filepath.Base(root), rel)), true
}

// within reports whether a file is the path itself or below it.
func within(file, path string) bool {
	return file == path || strings.HasPrefix(file, path+"/")
}
