package cli

import (
	"context"
	"embed"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"benchpost/generator/site"
)

// newSite is what a new site begins with: one small invented example.
//
//go:embed all:newsite
var newSite embed.FS

var initCommand = command{
	name:    "init",
	args:    "[DIR]",
	summary: "a new site that builds at once, with one small example",
	help: `Writes site.toml, a folder of runs with one invented example, and a post in
Chinese and in English that shows what a post can hold. Nothing that exists
is overwritten.

Examples
  benchpost init my-benchmarks && cd my-benchmarks && benchpost build
`,
	flags: func(*flag.FlagSet, *options) {},
	run: func(_ context.Context, a *app, o *options, args []string) int {
		if len(args) > 1 {
			a.say.fault("init takes one folder")
			return Usage
		}
		dir := o.site
		if len(args) == 1 {
			dir = args[0]
		}
		if dir == "" {
			dir = "."
		}
		if _, err := os.Stat(filepath.Join(dir, site.ConfigName)); err == nil {
			a.say.fault("%s exists: this is a site already", filepath.Join(dir, site.ConfigName))
			a.say.hint("benchpost build builds it")
			return Fault
		}
		n := 0
		err := fs.WalkDir(newSite, "newsite", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := newSite.ReadFile(name)
			if err != nil {
				return err
			}
			rel, _ := filepath.Rel("newsite", filepath.FromSlash(name))
			target := filepath.Join(dir, rel)
			if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
				return err
			}
			f, err := os.OpenFile(target, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
			if errors.Is(err, fs.ErrExist) {
				a.say.info("kept %s, which exists", target)
				return nil
			}
			if err != nil {
				return err
			}
			n++
			if _, err := f.Write(data); err != nil {
				f.Close()
				return err
			}
			return f.Close()
		})
		if err != nil {
			a.say.fault("%v", err)
			return Fault
		}
		a.say.info("a new site in %s (%s)", dir, count(n, "file"))
		step := "benchpost build"
		if dir != "." {
			step += " --site " + path.Clean(filepath.ToSlash(dir))
		}
		a.say.info("next: put the tools' output below %s and run %s", filepath.Join(dir, "runs"), step)
		return Fine
	},
}
