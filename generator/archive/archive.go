// Package archive puts finished runs into git: redacted, compressed, listed in a
// manifest, together with the public that a rebuild from the archived bytes yields.
//
// Prepare reads and stages everything beside the site and changes nothing in it; what
// it comes to can be shown. Apply then checks the whole in a tree of its own, moves the
// staged files into place, and commits. A process that is killed at any moment loses
// nothing: originals are kept before they are replaced, what is being moved is listed in a
// journal that the next one goes on with, and the branch moves last.
package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/git"
	"github.com/benchpost/benchpost/generator/redact"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
	"github.com/benchpost/benchpost/generator/site"
	"github.com/benchpost/benchpost/generator/site/cache"
)

// Options say what to archive.
type Options struct {
	Dir      string           // the site
	Paths    []string         // at and below which runs are taken, relative to the site; all when empty
	From     []Source         // runs from elsewhere, which are copied
	Inputs   bool             // site.toml, content, layouts and .gitattributes are committed as well
	Subject  string           // of the commit, in the place of the one that is made
	NoCommit bool             // everything but the commit
	DryRun   bool             // only Prepare follows: nothing of the site is written
	Redactor *redact.Redactor // finds what must not be published
	By       string           // the version of benchpost, for manifests and the message
	Now      time.Time        // the time of the first reading
	Progress func(string)     // called with what is being done; may be nil
}

// Source is a folder or file elsewhere, and the name it gets below runs.
type Source struct{ Path, Name string }

// Refusal says why nothing is archived, and what to do.
type Refusal struct {
	Text    string
	Details []string // files, lines
	Hint    string
	Usage   bool // what is asked for cannot be done here, rather than a fault found in the runs
}

func (r *Refusal) Error() string { return r.Text }

// Plan is what is to be done.
type Plan struct {
	Files       []*File  // that become others, sorted by path
	Manifests   []string // that are written or removed
	Left        []Left   // files that are not taken, and why
	Gone        []string // files that were archived and are deleted
	Altered     []string // files that were archived and have been changed since
	Uncommitted []string // what public is made from besides runs and is not as in the last commit
	Changed     []string // what is committed besides public, but for what Uncommitted names
	Notes       []string // worth knowing
	Message     string   // of the commit

	workspace
	opt    Options
	config config.Config
	repo   *git.Repo // nil without one
	head   git.Commit
	taken  []*source // the files that are archived
	all    []*source // with those that are left
	steps  []step
	beside []string // files that stay as they are and are staged nevertheless
	unlock func()
	before *rundir.Dataset // the runs as they are
}

// File is a file that becomes another.
type File struct {
	Path       string // as it will be called, relative to the site
	Was        string // as it is called now; "" of one that is copied from elsewhere
	Size       int64  // as it is
	Becomes    int64  // as it will be
	Findings   []redact.Finding
	Compressed bool
	LFS        bool // goes into Git LFS
}

// Left is a file that is not archived, and why.
type Left struct{ Path, Reason string }

// Redacted counts what is replaced, by rule.
func (p *Plan) Redacted() map[string]int {
	sum := map[string]int{}
	for _, f := range p.Files {
		for _, found := range f.Findings {
			sum[found.Rule]++
		}
	}
	return sum
}

// Inputs reports whether what is Uncommitted is committed as well: when that is asked for,
// and when git does not know the site yet.
func (p *Plan) Inputs() bool { return p.opt.Inputs }

// Commits reports whether Apply ends with a commit.
func (p *Plan) Commits() bool { return !p.opt.NoCommit }

// Progress sets the function that is called with what is being done.
func (p *Plan) Progress(tell func(string)) { p.opt.Progress = tell }

// Close lets go of what Prepare staged.
func (p *Plan) Close() {
	if p.stage != "" {
		_ = os.RemoveAll(p.stage)
	}
	if p.unlock != nil {
		p.unlock()
	}
}

const (
	workName     = "archive"   // in the site's state folder: what is staged
	originalName = "originals" // what was replaced by its redacted form
	runsName     = "runs"
	publicName   = "public"
)

// inputs are what public is made from besides the runs.
func inputs(c *config.Config) []string {
	all := []string{config.Name, "content", "layouts", attributesName}
	if pages := c.Pages.Dir; pages != "" && !strings.HasPrefix(pages, "content/") {
		all = append(all, pages)
	}
	return all
}

// Prepare finds out what is to be done. The error is a *Refusal where it cannot be done.
func Prepare(ctx context.Context, opt Options) (p *Plan, err error) {
	if opt.Progress == nil {
		opt.Progress = func(string) {}
	}
	p = &Plan{opt: opt, workspace: workspace{site: opt.Dir}}
	defer func() {
		if err != nil {
			p.Close()
			p = nil
		}
	}()
	config, ms := config.Read(opt.Dir)
	if slices.ContainsFunc(ms, func(m result.Message) bool { return m.Severity == result.Error }) {
		return p, site.ErrConfig
	}
	p.config = config
	if err := p.open(ctx); err != nil {
		return p, err
	}
	if err := p.begin(ctx); err != nil {
		return p, err
	}
	opt.Progress("reading runs")
	if err := p.collect(); err != nil {
		return p, err
	}
	opt.Progress("looking for what must not be published")
	if err := p.redactAndCompress(ctx); err != nil {
		return p, err
	}
	opt.Progress("writing manifests")
	if err := p.list(); err != nil {
		return p, err
	}
	opt.Progress("reading what the runs become")
	if err := p.prove(); err != nil {
		return p, err
	}
	if err := p.compareWithHead(ctx); err != nil {
		return p, err
	}
	if err := p.written(); err != nil {
		return p, err
	}
	if err := p.large(ctx); err != nil {
		return p, err
	}
	p.Message = p.message()
	return p, nil
}

// open finds the repository, and whether a commit can be made there.
func (p *Plan) open(ctx context.Context) error {
	repo, err := git.Open(ctx, p.opt.Dir)
	var old *git.OldError
	switch {
	case err == nil:
		p.repo, p.prefix = repo, repo.Prefix
	case errors.Is(err, git.ErrNoGit), errors.Is(err, git.ErrNoRepository), errors.As(err, &old):
		if p.opt.NoCommit {
			p.Notes = append(p.Notes, fmt.Sprintf("%v: what is committed could not be compared", err))
			return nil
		}
		return &Refusal{Text: err.Error(), Hint: "git init makes a repository; --no-commit does all but the commit", Usage: true}
	default:
		return err
	}
	if p.head, _, err = repo.Head(ctx); err != nil {
		return err
	}
	if p.opt.NoCommit {
		return nil
	}
	return p.ready(ctx)
}

// ready reports whether a commit can be made now.
func (p *Plan) ready(ctx context.Context) error {
	err := p.repo.Ready(ctx)
	var busy *git.BusyError
	if errors.As(err, &busy) {
		return &Refusal{Text: busy.Text, Hint: busy.Hint, Usage: true}
	}
	if err != nil {
		return err
	}
	sparse, err := p.repo.Sparse(ctx, append([]string{runsName, publicName}, inputs(&p.config)...)...)
	if err == nil && len(sparse) > 0 {
		return &Refusal{Text: fmt.Sprintf("a sparse checkout leaves out %s that public is made from or consists of", result.Count(len(sparse), "file")), Details: few(sparse),
			Hint: "git sparse-checkout add " + path.Join(p.repo.Prefix, path.Dir(sparse[0])) + ", or git sparse-checkout disable", Usage: true}
	}
	return err
}

// begin takes the lock and the folder for what is staged; a journal that was left is
// gone on with. A dry run stages elsewhere.
func (p *Plan) begin(ctx context.Context) (err error) {
	if p.opt.DryRun {
		p.stage, err = os.MkdirTemp("", "benchpost-archive-")
		return err
	}
	p.unlock, err = cache.Lock(ctx, p.opt.Dir, workName, func() { p.opt.Progress("waiting for another benchpost archive") })
	if err != nil {
		return err
	}
	work, err := cache.Folder(p.opt.Dir, workName)
	if err != nil {
		return err
	}
	steps, conflicts, err := replay(p.opt.Dir, work)
	if err != nil {
		return fmt.Errorf("going on with what an archive before left: %w", err)
	}
	p.Notes = append(p.Notes, conflicts...)
	if steps > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("went on with an archive that was broken off: %s", result.Count(steps, "step")))
	}
	if err := os.RemoveAll(work); err != nil {
		return err
	}
	p.stage, err = cache.Folder(p.opt.Dir, workName)
	return err
}

// workspace is the site, and beside it the folder of what is staged.
type workspace struct {
	site   string
	prefix string // of the site within its repository, with slashes
	stage  string
}

// at is the place of a path of the site.
func (w *workspace) at(name string) string {
	return filepath.Join(w.site, filepath.FromSlash(name))
}

// staged is where what a path becomes lies until it is moved into place.
func (w *workspace) staged(name string) string {
	return filepath.Join(w.tree("new"), filepath.FromSlash(name))
}

// tree returns a folder of the stage that represents the site, as deep below one that
// represents the top of the repository as the site itself.
func (w *workspace) tree(name string) string {
	return filepath.Join(w.stage, name, filepath.FromSlash(w.prefix))
}

// few returns some of many.
func few(names []string) []string {
	const most = 10
	if len(names) <= most {
		return names
	}
	return append(slices.Clone(names[:most]), fmt.Sprintf("and %d more", len(names)-most))
}

// within reports whether a path is one of others or below one.
func within(name string, paths []string) bool {
	return slices.ContainsFunc(paths, func(p string) bool { return name == p || strings.HasPrefix(name, p+"/") })
}

// link makes a file appear at another place, which must not be written to.
func link(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if os.Link(from, to) == nil {
		return nil
	}
	return copyFile(from, to)
}

func isAbsent(err error) bool { return errors.Is(err, fs.ErrNotExist) }
