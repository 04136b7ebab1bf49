package cli

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"

	"github.com/benchpost/benchpost/generator/archive"
	"github.com/benchpost/benchpost/generator/git"
	"github.com/benchpost/benchpost/generator/result"
)

var verifyCommand = command{
	name:    "verify",
	args:    "[PATH…] [--rev REV] [--format text|json|github]",
	summary: "check archived runs against their manifests",
	help: `Compares the files of the site's runs, or those at and below each PATH, with the
manifest.json of their folder: a changed, truncated or missing file is an error, a
file in no manifest a warning. Nothing is written. The exit code is 1 if there is
an error.

  --rev REV    the runs of a git revision, as stored there
  --format F   text (default), json, or github (annotations of a workflow)

Examples
  benchpost verify
  benchpost verify runs/jetson-thor --rev v1.2
`,
	flags: func(fs *flag.FlagSet, o *options) {
		fs.StringVar(&o.rev, "rev", "", "")
		fs.StringVar(&o.format, "format", "text", "")
	},
	run: func(ctx context.Context, a *app, o *options, args []string) int {
		print, ok := map[string]func(*app, []result.Message) error{"text": printText, "json": printJSON, "github": printGitHub}[o.format]
		if !ok {
			a.say.fault("no format is called %q", o.format)
			a.say.hint("there are: text, json, github")
			return Usage
		}
		dir, ok := a.needSite(o)
		if !ok {
			return Usage
		}
		var paths []string
		for _, arg := range args {
			below, ok := inside(filepath.Join(dir, "runs"), arg)
			if !ok {
				a.say.fault("%s does not lie in the runs of this site", arg)
				return Usage
			}
			paths = append(paths, below)
		}
		root := dir
		if o.rev != "" {
			var clean func()
			if root, clean, ok = a.revision(ctx, dir, o.rev, paths); !ok {
				return Usage
			}
			defer clean()
		}
		done, ms, err := archive.Verify(root, paths...)
		if err != nil {
			return a.say.failed(err)
		}
		if err := print(a, seenFrom(dir, ms)); err != nil {
			return a.say.failed(err)
		}
		faults, warnings := 0, 0
		for _, m := range ms {
			if m.Severity == result.Error {
				faults++
			} else {
				warnings++
			}
		}
		a.say.info("%s by %s: %s, %s", result.Count(done.Files, "file"), result.Count(done.Manifests, "manifest"), result.Count(faults, "error"), result.Count(warnings, "warning"))
		if faults > 0 {
			return Fault
		}
		return Fine
	},
}

// revision writes the runs of a revision to a temporary folder.
func (a *app) revision(ctx context.Context, dir, rev string, paths []string) (root string, clean func(), ok bool) {
	repo, err := git.Open(ctx, dir)
	if err != nil {
		a.say.fault("%v", err)
		return "", nil, false
	}
	if root, err = os.MkdirTemp("", "benchpost-verify-"); err != nil {
		a.say.fault("%v", err)
		return "", nil, false
	}
	clean = func() { os.RemoveAll(root) }
	// The manifest for a file is in the same folder.
	folders := []string{"runs"}
	if len(paths) > 0 {
		folders = nil
		for _, p := range paths {
			folders = append(folders, p, filepath.ToSlash(filepath.Join(filepath.Dir(p), archive.ManifestName)))
		}
	}
	done, err := repo.Export(ctx, rev, root, folders...)
	if err != nil {
		clean()
		var unknown *git.UnknownRevisionError
		a.say.fault("%v", err)
		if errors.As(err, &unknown) {
			a.say.hint("a branch, a tag, HEAD~2, or the beginning of a commit's id")
		}
		return "", nil, false
	}
	for _, name := range done.Unfit {
		a.say.info("%s: not a valid name in a manifest; it is not verified", name)
	}
	if done.Files == 0 {
		a.say.info("%s holds no runs at %s", rev, strings.Join(folders, ", "))
	}
	return root, clean, true
}
