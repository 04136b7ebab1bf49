// Package archive commits finished runs to git: redacted, compressed, and listed in a manifest, together with the
// public that a rebuild from the archived bytes gives.
//
// Prepare reads the runs and stages everything outside the site's own files, which it does not change; the resulting
// Plan can be shown. Apply then checks everything in a separate tree, moves the staged files into place, and commits.
// If the process is killed, nothing is lost: originals are kept before they are replaced, a journal lists the moves so
// that the next process can complete them, and the branch is updated last.
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

// Options configure Prepare.
type Options struct {
	Dir      string           // the site
	Paths    []string         // paths relative to the site: only runs at and below these are archived; empty for all
	From     []Source         // runs elsewhere, which are copied into the site
	Inputs   bool             // also commit site.toml, content, layouts and .gitattributes
	Subject  string           // of the commit, instead of the generated one
	NoCommit bool             // do everything except the commit
	DryRun   bool             // Apply will not follow: nothing in the site is written
	Redactor *redact.Redactor // finds what must not be published; nil for no redaction
	By       string           // the version of benchpost, for manifests and the commit message
	Now      time.Time        // recorded as the time when a file was first read
	Progress func(string)     // called with progress messages; may be nil
}

// Source is a folder or file elsewhere, and its name below runs.
type Source struct{ Path, Name string }

// Refusal is an error that says why nothing is archived, and what to do.
type Refusal struct {
	Text    string
	Details []string // files, lines
	Hint    string
	Usage   bool // the request cannot be fulfilled here; false for a problem found in the runs
}

func (r *Refusal) Error() string { return r.Text }

// Plan says what Apply will do.
type Plan struct {
	Files       []*File  // that change, sorted by path
	Manifests   []string // that are written or removed
	Left        []Left   // files that are not archived, and why
	Gone        []string // archived files that have been deleted
	Altered     []string // archived files that have been changed since
	Uncommitted []string // inputs of public other than runs that differ from the last commit
	Changed     []string // what is committed, except public and Uncommitted
	Notes       []string // remarks for the user
	Message     string   // of the commit

	workspace
	opt    Options
	config config.Config
	repo   *git.Repo // nil without a repository
	head   git.Commit
	taken  []*source // files that are archived
	all    []*source // taken files and those that are left
	steps  []step
	beside []string // unchanged files that are staged too
	unlock func()
	before *rundir.Dataset // the runs in their present form
}

// File is a file that changes.
type File struct {
	Path       string // new name, relative to the site
	Was        string // present name; "" for a file copied from elsewhere
	Size       int64  // present size in bytes
	Becomes    int64  // new size in bytes
	Findings   []redact.Finding
	Compressed bool
	LFS        bool // it is stored in Git LFS
}

// Left is a file that is not archived, and why.
type Left struct{ Path, Reason string }

// Redacted returns the number of replacements by rule.
func (p *Plan) Redacted() map[string]int {
	sum := map[string]int{}
	for _, f := range p.Files {
		for _, found := range f.Findings {
			sum[found.Rule]++
		}
	}
	return sum
}

// Inputs reports whether Uncommitted is committed as well. It is if that was requested, or if the site is new to git.
func (p *Plan) Inputs() bool { return p.opt.Inputs }

// Commits reports whether Apply ends with a commit.
func (p *Plan) Commits() bool { return !p.opt.NoCommit }

// Progress sets the function that is called with progress messages.
func (p *Plan) Progress(tell func(string)) { p.opt.Progress = tell }

// Close removes staged files and releases the lock.
func (p *Plan) Close() {
	if p.stage != "" {
		_ = os.RemoveAll(p.stage)
	}
	if p.unlock != nil {
		p.unlock()
	}
}

const (
	workName     = "archive"   // folder in the site's state folder for staged files
	originalName = "originals" // folder for files that were replaced by their redacted form
	runsName     = "runs"
	publicName   = "public"
)

// inputs returns what public is made from besides the runs.
func inputs(c *config.Config) []string {
	all := []string{config.Name, "content", "layouts", attributesName}
	if pages := c.Pages.Dir; pages != "" && !strings.HasPrefix(pages, "content/") {
		all = append(all, pages)
	}
	return all
}

// Prepare determines what is to be done. It returns a *Refusal if that is impossible.
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

// open opens the repository and checks whether a commit can be made there.
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

// ready returns a Refusal if no commit can be made now.
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

// begin takes the lock and creates the folder for staged files. It completes the journal of an interrupted archive. A
// dry run uses a temporary folder instead.
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

// workspace holds the folders of the site and of staged files.
type workspace struct {
	site   string
	prefix string // slash path of the site within its repository
	stage  string
}

// at returns the place on disk of a path in the site.
func (w *workspace) at(name string) string {
	return filepath.Join(w.site, filepath.FromSlash(name))
}

// staged returns where the new form of a file is until it is moved into place.
func (w *workspace) staged(name string) string {
	return filepath.Join(w.tree("new"), filepath.FromSlash(name))
}

// tree returns a folder of the stage that represents the site. It is as deep below its top folder as the site is in its
// repository.
func (w *workspace) tree(name string) string {
	return filepath.Join(w.stage, name, filepath.FromSlash(w.prefix))
}

// few returns the first of many names.
func few(names []string) []string {
	const most = 10
	if len(names) <= most {
		return names
	}
	return append(slices.Clone(names[:most]), fmt.Sprintf("and %d more", len(names)-most))
}

// within reports whether a path is one of the others or below one of these.
func within(name string, paths []string) bool {
	return slices.ContainsFunc(paths, func(p string) bool { return name == p || strings.HasPrefix(name, p+"/") })
}

// link makes a file available under another name. The link must not be written to.
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
