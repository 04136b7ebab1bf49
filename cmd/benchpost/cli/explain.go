package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/explain"
	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/mask"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
	"github.com/benchpost/benchpost/generator/site"
	"github.com/benchpost/benchpost/generator/unread"
	"github.com/benchpost/benchpost/generator/visible"
)

// explain shows the file of --explain line by line, with what was read from each line.
func (a *app) explain(o *options, args []string) int {
	printer, ok := locale.For(o.lang)
	switch {
	case len(args) > 0:
		a.say.fault("--explain takes one file, not %s too", args[0])
		return Usage
	case o.where != "":
		a.say.fault("--explain shows all of a file, and --where selects: choose one")
		return Usage
	case o.format != "table" && o.format != "json":
		a.say.fault("--explain is written as table or json, not as %q", o.format)
		return Usage
	case !ok:
		a.say.fault("--lang %s is not known", o.lang)
		a.say.hint("there are: en, zh")
		return Usage
	}
	if info, err := os.Stat(o.explain); err == nil && !info.Mode().IsRegular() {
		a.say.fault("%s is no file", o.explain)
		a.say.hint("benchpost results --verbose %s lists the files that are read", o.explain)
		return Usage
	}
	masks, err := o.masker()
	if err != nil {
		return a.say.failed(err)
	}
	lines, err := linesOf(o.explain, masks)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		a.say.given("", o.explain)
		return Usage
	case err != nil:
		a.say.fault("%s: %v", o.explain, err)
		return Fault
	}
	set, file, mappings, code := a.around(o, masks)
	if code != Fine {
		return code
	}
	results := make([]*result.Result, len(set.Results))
	for i := range set.Results {
		results[i] = &set.Results[i]
	}
	// Runs around a file determine what it says about the machine. Without runs, the file is read alone.
	var alone format.Output
	if f, err := masks.Open(o.explain); err == nil {
		alone, _ = format.Read(file, f) // read errors are among the messages
		f.Close()
	}
	read := explain.Of(file, results, alone.Captured, set.Messages)
	d := explain.NewDocument(lines, read)
	d.Suggested = format.Suggest(file, lines, read.Runs, mappings)
	for _, u := range set.Unread {
		if u.Name == file && u.Kind != unread.Copy {
			d.Unread = &explain.Unread{Kind: string(u.Kind), Reason: locale.English(u.Reason)}
		}
	}
	if d.Unread != nil {
		refusals, err := format.Refusals(o.explain)
		if err != nil {
			a.say.fault("%s: %v", o.explain, err)
			return Fault
		}
		for _, r := range refusals {
			d.Refusals = append(d.Refusals, explain.Refusal{Format: r.Format, Line: r.Line, Has: r.Has, Lacks: r.Lacks})
		}
	}
	if o.format == "json" {
		err = d.Write(a.stdout)
	} else {
		err = a.explained(printer, lines, read, d)
	}
	if err != nil {
		return a.say.failed(err)
	}
	return Fine
}

// explained writes the explanation of a file for people.
func (a *app) explained(p locale.Printer, lines []string, read *explain.Reading, d *explain.Document) error {
	if d.Unread != nil {
		fmt.Fprintln(a.stdout, p.Words("explain.none", visible.Line(read.File), visible.Line(d.Unread.Reason)))
		if kind := unread.Kind(d.Unread.Kind); kind != unread.Unknown { // whose hint suggests this command
			fmt.Fprintln(a.stdout, "  "+p.Say(kind.Hint()))
		}
		if len(d.Refusals) > 0 {
			fmt.Fprintln(a.stdout, p.Words("explain.refused"))
		}
		for _, r := range d.Refusals {
			line := p.Words("explain.has", r.Format, r.Line, r.Has, r.Lacks)
			if r.Lacks == "" {
				line = p.Words("explain.alone", r.Format, r.Line, r.Has)
			}
			fmt.Fprintln(a.stdout, "  "+visible.Line(line))
		}
		fmt.Fprintln(a.stdout)
	} else {
		fmt.Fprintln(a.stdout, p.Words("explain.runs", visible.Line(read.File), len(read.Runs)))
	}
	if err := explain.Text(a.stdout, p, terminalWidth(a.stdout), lines, read); err != nil {
		return err
	}
	if d.Suggested != "" {
		_, err := fmt.Fprintf(a.stdout, "\n%s\n\n%s", p.Words("explain.suggestion"), visible.Lines(d.Suggested))
		return err
	}
	return nil
}

// around reads the runs of the site if the file of --explain belongs to them, and otherwise only the file or the
// archive that contains it. file is its name in these results.
func (a *app) around(o *options, masks *mask.Masker) (set *rundir.Dataset, file string, mappings []format.Mapping, code int) {
	dir, isSite := o.siteDir()
	var about config.Config
	var err error
	if isSite {
		var ms []result.Message
		if about, ms = config.Read(dir); hasFaults(ms) {
			a.say.messages(seenFrom(dir, ms))
			return nil, "", nil, Usage
		}
	}
	if below, ok := inside(filepath.Join(dir, "runs"), o.explain); isSite && ok {
		if set, err = site.Dataset(dir, &about, masks); err == nil {
			file = set.Published(below)
		}
	} else {
		disk := filepath.Clean(o.explain)
		for up := filepath.Dir(disk); !isThere(disk) && up != disk; up = filepath.Dir(disk) {
			disk = up
		}
		file = string(masks.Text([]byte(filepath.ToSlash(filepath.Clean(o.explain)))))
		if set, err = rundir.Load(disk, rundir.Options{Mask: masks, Mappings: about.Format}); err == nil {
			site.Complete(&about, set)
		}
	}
	if err != nil {
		a.say.fault("%v", err)
		return nil, "", nil, Fault
	}
	return set, file, about.Format, Fine
}

func hasFaults(ms []result.Message) bool {
	return slices.ContainsFunc(ms, func(m result.Message) bool { return m.Severity == result.Error })
}

func isThere(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// masker returns the masker of the site, or the default one without a site.
func (o *options) masker() (*mask.Masker, error) {
	dir, isSite := o.siteDir()
	var about config.Config
	if isSite {
		about, _ = config.Read(dir) // reading the runs reports errors in it
	}
	masks, _, err := site.Maskers(&about, dir)
	return masks, err
}

// linesOf returns the lines of a file, masked and without line ends. The file may be compressed or in an archive.
func linesOf(name string, masks *mask.Masker) ([]string, error) {
	f, err := masks.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(string(data), "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines, nil
}
