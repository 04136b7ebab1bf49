package cli

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/publish"
	"github.com/benchpost/benchpost/generator/result"
)

// newSite is what a new site begins with: one small invented example.
//
//go:embed all:newsite
var newSite embed.FS

var initCommand = command{
	name:    "init",
	args:    "[--layouts] [DIR]",
	summary: "a new site that builds at once, with one small example",
	help: `Writes site.toml, a folder of runs with one invented example, and a post in
Chinese and in English that shows what a post can hold. Nothing that exists
is overwritten.

  --layouts   copy the built-in layouts into layouts/ of a site that exists, to
              be changed: the templates of the pages and their style. A copy
              stands in for the built-in file and no longer follows new versions
              of benchpost, so keep only what you change

Examples
  benchpost init my-benchmarks && cd my-benchmarks && benchpost build
  benchpost init --layouts
`,
	flags: func(fs *flag.FlagSet, o *options) {
		fs.BoolVar(&o.layouts, "layouts", false, "")
	},
	run: func(_ context.Context, a *app, o *options, args []string) int {
		if len(args) > 1 {
			a.say.fault("init takes one folder")
			return Usage
		}
		if len(args) == 1 {
			o.site = args[0]
		}
		if o.layouts {
			return a.initLayouts(o)
		}
		return a.initSite(cmp.Or(o.site, "."))
	},
}

// initSite writes a new site.
func (a *app) initSite(dir string) int {
	out, err := publish.At(dir, publish.Options{Foreign: publish.Refuse, Unlisted: true}).Open() // which completes what was killed before
	if err != nil {
		a.say.fault("%v", err)
		return Fault
	}
	if _, err := os.Stat(filepath.Join(dir, config.Name)); err == nil {
		a.say.fault("%s exists: this is a site already", filepath.Join(dir, config.Name))
		a.say.hint("benchpost build builds it")
		return Fault
	}
	from, err := fs.Sub(newSite, "newsite")
	if err != nil {
		a.say.fault("%v", err)
		return Fault
	}
	n, err := a.copyOut(from, out)
	if err != nil {
		a.say.fault("%v", err)
		return Fault
	}
	a.say.info("a new site in %s (%s)", dir, result.Count(n, "file"))
	step := "benchpost build"
	if dir != "." {
		step += " --site " + path.Clean(filepath.ToSlash(dir))
	}
	a.say.info("next: put the tools' output below %s and run %s", filepath.Join(dir, "runs"), step)
	return Fine
}

// initLayouts copies the built-in layouts into a site.
func (a *app) initLayouts(o *options) int {
	dir, ok := a.needSite(o)
	if !ok {
		return Usage
	}
	layouts := filepath.Join(dir, "layouts")
	out, err := publish.At(layouts, publish.Options{Foreign: publish.Refuse, Unlisted: true}).Open()
	if err != nil {
		a.say.fault("%v", err)
		return Fault
	}
	n, err := a.copyOut(page.Layouts(), out)
	if err != nil {
		a.say.fault("%v", err)
		return Fault
	}
	a.say.info("%s copied into %s; docs/layouts.md of benchpost tells what each is given", result.Count(n, "layout"), layouts)
	a.say.info("keep those you change and delete the others, which then follow new versions; to update one, delete it, copy it again and change it anew")
	return Fine
}

// copyOut copies files into a folder, all or none of them, but for those that exist, which it
// names.
func (a *app) copyOut(from fs.FS, out *publish.Output) (written int, err error) {
	err = fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if _, err := os.Lstat(out.Path(name)); err == nil {
			a.say.info("kept %s, which exists", out.Path(name))
			return nil
		}
		data, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		return out.Put(name, data)
	})
	if err != nil {
		return 0, errors.Join(err, out.Discard())
	}
	s, err := out.Commit()
	return s.Written, err
}
