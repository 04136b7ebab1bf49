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
	"strings"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/publish"
	"github.com/benchpost/benchpost/generator/result"
)

// newSite contains the files of a new site, with one small invented example.
//
//go:embed all:newsite
var newSite embed.FS

var initCommand = command{
	name:    "init",
	args:    "[--bare | --from FOLDER | --layouts] [DIR]",
	summary: "create a new site that builds at once, with a small example",
	help: `Writes site.toml, a folder of runs with one invented example, and a post in
Chinese and in English that shows the features of posts. Existing files are not
overwritten. To remove the example, delete runs/example and the posts.

  --bare      no example: site.toml alone
  --from FOLDER
              create the site from the results in FOLDER: copy them into runs/, write
              a site.toml with the loads, machines and models they name, with guesses
              marked, and compose the first post. If FOLDER is runs/ of the new site,
              nothing is copied
  --layouts   copy the built-in layouts into layouts/ of an existing site, to be
              changed: the templates of the pages and their style. A copy replaces
              the built-in file and no longer follows new versions of benchpost, so
              keep only the files you change

Examples
  benchpost init my-benchmarks && cd my-benchmarks && benchpost build
  benchpost init --from ~/bench my-benchmarks
  benchpost init --layouts
`,
	flags: func(fs *flag.FlagSet, o *options) {
		fs.BoolVar(&o.layouts, "layouts", false, "")
		fs.BoolVar(&o.bare, "bare", false, "")
		fs.StringVar(&o.from, "from", "", "")
	},
	run: func(_ context.Context, a *app, o *options, args []string) int {
		if len(args) > 1 {
			a.say.fault("init takes one folder")
			return Usage
		}
		if len(args) == 1 {
			o.site = args[0]
		}
		dir := cmp.Or(o.site, ".")
		switch {
		case o.layouts && (o.bare || o.from != ""), o.bare && o.from != "":
			a.say.fault("--layouts, --bare and --from exclude each other")
			return Usage
		case o.layouts:
			return a.initLayouts(o)
		case o.from != "":
			return author{a}.initFrom(dir, o)
		}
		return a.initSite(dir, o.bare)
	},
}

// newSiteAt opens a folder for a new site. If that is impossible, it reports the reason and returns nil.
func (a *app) newSiteAt(dir string) *publish.Output {
	out, err := publish.At(dir, publish.Options{Foreign: publish.Refuse, Unlisted: true}).Open() // also completes an interrupted write
	if err != nil {
		a.say.fault("%v", err)
		return nil
	}
	if _, err := os.Stat(filepath.Join(dir, config.Name)); err == nil {
		a.say.fault("%s exists: this is a site already", filepath.Join(dir, config.Name))
		a.say.hint("benchpost build builds it")
		return nil
	}
	return out
}

// initSite writes a new site, with an example unless bare is set.
func (a *app) initSite(dir string, bare bool) int {
	out := a.newSiteAt(dir)
	if out == nil {
		return Fault
	}
	from, err := fs.Sub(newSite, "newsite")
	if err != nil {
		return a.say.failed(err)
	}
	n, err := a.copyOut(from, out, func(name string) bool {
		return !bare || !strings.HasPrefix(name, "runs/") && !strings.HasPrefix(name, "content/")
	})
	if err != nil {
		return a.say.failed(err)
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
		return a.say.failed(err)
	}
	n, err := a.copyOut(page.Layouts(), out, func(string) bool { return true })
	if err != nil {
		return a.say.failed(err)
	}
	a.say.info("%s copied into %s; docs/layouts.md of benchpost tells what each is given", result.Count(n, "layout"), layouts)
	a.say.info("keep those you change and delete the others, which then follow new versions; to update one, delete it, copy it again and change it anew")
	return Fine
}

// copyOut copies the wanted files into a folder, all of them or none. It keeps existing files and reports their names.
func (a *app) copyOut(from fs.FS, out *publish.Output, wanted func(name string) bool) (written int, err error) {
	err = fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !wanted(name) {
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
