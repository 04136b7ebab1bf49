package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"strings"

	"github.com/benchpost/benchpost/generator/cite"
	"github.com/benchpost/benchpost/generator/git"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/site"
	"github.com/benchpost/benchpost/generator/visible"
)

var citeCommand = command{
	name:    "cite",
	args:    "[POST|RESULT] [--format text|bibtex|cff|csl-json]",
	summary: "print a citation of a post, a result or the site",
	help: `Prints the citation of a post, of a result or, without a name, of the site for a
list of references. It contains the revision of the data: the SHA-256 of the list
of checksums of all raw files on which the figures are based, as in

  sha256sum FILE… | LC_ALL=C sort -k 2 | sha256sum

Authors, repository, DOI and licence are those of [cite] in site.toml. In a git
repository, the commit that introduced the data is also named, unless the files
differ from it, which is reported.

  --format F   text (default), bibtex, cff (a CITATION.cff), or csl-json
  --verbose    also the files and their checksums

Examples
  benchpost cite first-report.en --format bibtex
  benchpost cite example/tinychat-1b/high
  benchpost cite --format cff > CITATION.cff
`,
	flags: func(fs *flag.FlagSet, o *options) {
		fs.StringVar(&o.format, "format", "text", "")
	},
	run: func(ctx context.Context, a *app, o *options, args []string) int {
		write, ok := map[string]func(*site.Cited) string{
			"text":   func(c *site.Cited) string { return visible.Line(c.Text(c.Printer)) + "\n" },
			"bibtex": func(c *site.Cited) string { return c.BibTeX() }, "cff": func(c *site.Cited) string { return c.CFF() },
			"csl-json": func(c *site.Cited) string { return c.CSL() },
		}[o.format]
		if !ok {
			a.say.fault("no format is called %q", o.format)
			a.say.hint("there are: text, bibtex, cff, csl-json")
			return Usage
		}
		if len(args) > 1 {
			a.say.fault("cite takes one post or result: %s", strings.Join(args, " "))
			return Usage
		}
		dir, ok := a.needSite(o)
		if !ok {
			return Usage
		}
		found, ms, err := site.FindCited(site.Options{Dir: dir}, strings.Join(args, ""))
		var unknown *site.UnknownPostError
		if errors.As(err, &unknown) {
			a.say.fault("no post or result is called %q", unknown.Name)
			switch {
			case unknown.Near != "":
				a.say.hint("did you mean %s?", unknown.Near)
			case len(unknown.Posts) > 0:
				a.say.hint("posts: %s; benchpost results lists the ids of results", strings.Join(unknown.Posts, ", "))
			}
			return Usage
		}
		if err != nil || found.Title == "" {
			var faults []result.Message
			for _, m := range ms {
				if m.Severity == result.Error {
					faults = append(faults, m)
				}
			}
			a.say.messages(seenFrom(dir, faults))
			if err != nil && !errors.Is(err, site.ErrConfig) {
				a.say.fault("%v", err)
			}
			if errors.Is(err, site.ErrConfig) {
				return Usage
			}
			return Fault
		}
		if err := a.commitOf(ctx, dir, &found); err != nil {
			return a.say.failed(err)
		}
		if a.say.verbose {
			for line := range strings.Lines(string(cite.Sums(found.Files))) {
				a.say.detail("%s", strings.TrimSuffix(line, "\n"))
			}
		}
		fmt.Fprint(a.stdout, write(&found))
		return Fine
	},
}

// commitOf sets the commit that introduced the data, if git knows it and the files have not changed since. Without a
// repository it does nothing.
func (a *app) commitOf(ctx context.Context, dir string, found *site.Cited) error {
	repo, err := git.Open(ctx, dir)
	if errors.Is(err, git.ErrNoGit) || errors.Is(err, git.ErrNoRepository) {
		return nil
	}
	if err != nil {
		return err
	}
	head, ok, err := repo.Head(ctx)
	if err != nil || !ok || len(found.Files) == 0 {
		return err
	}
	changed, err := uncommitted(ctx, repo, head.ID, found.Files)
	if err != nil {
		return err
	}
	if len(changed) > 0 {
		a.say.info("%s not as committed, first %s: no commit is named", result.Count(len(changed), "raw file"), changed[0])
		a.say.hint("commit the data before it is cited")
		return nil
	}
	if repo.Shallow {
		a.say.info("the clone is shallow: the commit that is checked out is named, which holds the data, and not the one that brought it")
		found.Commit = head.ID
		return nil
	}
	paths := []string{"runs"}
	if len(found.Files) <= mostPaths {
		paths = paths[:0]
		for _, f := range found.Files {
			paths = append(paths, f.Path)
		}
	}
	log, err := repo.Log(ctx, head.ID, paths...)
	if err == nil && len(log) > 0 {
		found.Commit = log[len(log)-1].ID
	}
	return err
}

// mostPaths is the largest number of files that are passed to git by name.
const mostPaths = 200

// uncommitted returns the files whose contents differ from the commit.
func uncommitted(ctx context.Context, repo *git.Repo, commit string, files []cite.File) ([]string, error) {
	entries, err := repo.Tree(ctx, commit, "runs")
	if err != nil {
		return nil, err
	}
	stored := map[string]git.Entry{}
	for _, e := range entries {
		if e.IsFile() {
			stored[e.Path] = e
		}
	}
	sums := map[string]string{} // checksums of contents, by id
	var ids []string
	for _, f := range files {
		if e, ok := stored[f.Path]; ok && sums[e.ID] == "" {
			sums[e.ID] = "-"
			ids = append(ids, e.ID)
		}
	}
	err = repo.Blobs(ctx, ids, func(id string, data []byte) error {
		if oid, _, ok := git.Pointer(data); ok {
			sums[id] = oid
			return nil
		}
		sum := sha256.Sum256(data)
		sums[id] = hex.EncodeToString(sum[:])
		return nil
	})
	var changed []string
	for _, f := range files {
		if e, ok := stored[f.Path]; !ok || sums[e.ID] != f.SHA256 {
			changed = append(changed, f.Path)
		}
	}
	return changed, err
}
