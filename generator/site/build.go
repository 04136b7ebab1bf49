// Package site builds a site: it reads site.toml, runs and posts, and writes the HTML site and the Jekyll posts.
//
//	summary, ms, err := site.Build(ctx, site.Options{Dir: dir})
//
// The messages (ms) tell the author about problems, with file and line. The error (err) is a failure of the machine,
// such as a full disk, or ErrConfig. A program that builds a site repeatedly, as serve does, uses a session:
//
//	s := site.Open(site.Options{Dir: dir})
//	defer s.Close()
//	summary, ms, err := s.Build(ctx)     // everything
//	s.Changed([]string{"runs/a/run.log"})
//	summary, ms, err = s.Build(ctx)      // what depends on that file
//
// A build has two halves, which can be used separately: Session.Read makes a Snapshot, which needs no output folder,
// and Snapshot.Write writes it. Read build.go, session.go and snapshot.go in this order; post.go evaluates a post,
// output.go writes one, and package site/cache decides what is made again.
package site

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/document"
	"github.com/benchpost/benchpost/generator/filemark"
	"github.com/benchpost/benchpost/generator/judge"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/mask"
	"github.com/benchpost/benchpost/generator/publish"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
	"github.com/benchpost/benchpost/generator/site/cache"
	"github.com/benchpost/benchpost/generator/unread"
)

// Options set what to build and how.
type Options struct {
	Dir      string       // the site's folder
	Out      string       // the output folder; Dir/public when empty
	Drafts   bool         // publish drafts too
	Strict   bool         // a warning stops the build as an error does
	Progress func(string) // called with what is being done; may be nil

	// Into is the folder for everything that would otherwise change the site and its blog: public/, blog/, and what a
	// build leaves for the next one. "" builds in place.
	Into string

	// Runs is the folder from which runs are read; Dir/runs if empty. Messages and pages call it runs/ in any case.
	Runs string

	// Apart makes a site of Part alone. It has the runs of Part and the posts that select some of them. It has neither
	// the past nor the manual, and its blog posts go to the output folder. A post that selects no other runs is the
	// same as in the site of all runs.
	Apart bool

	// Repository is the folder whose git repository has the past, for a site whose files were copied from there; Dir if
	// empty.
	Repository string

	// Durable flushes files to the disk before they are moved into place. Then even a power cut leaves either the old
	// site or the new one.
	Durable bool

	// Alive reports whether some program is still writing a file below runs/. The file is named as in positions. A run
	// without a result in such a file counts as running. Nil means never; a build whose output depends only on its
	// inputs has nil.
	Alive func(file string) bool

	// The report that a site without posts shows of its runs:
	Where string // selector of the runs in the report; "" for all
	Part  string // the one folder or file below runs/ that is read, with these runs in it (rundir.Options); "" for all
	Keep  string // command that saves the report as a post; "benchpost new post" if empty
}

// home returns the folder that contains what a build leaves for the next one.
func (opt Options) home() string { return cmp.Or(opt.Into, opt.Dir) }

// runs returns the folder of the runs.
func (opt Options) runs() string { return cmp.Or(opt.Runs, filepath.Join(opt.Dir, "runs")) }

// path returns the path on disk of a file of the site, which is given as a slash path.
func (opt Options) path(name string) string {
	if rel, ok := strings.CutPrefix(name, runsFolder); ok {
		return filepath.Join(opt.runs(), filepath.FromSlash(rel))
	}
	return filepath.Join(opt.Dir, filepath.FromSlash(name))
}

// file returns a file of the site with its mark.
func (opt Options) file(name string) cache.File {
	return cache.File{Name: name, Mark: filemark.At(opt.path(name))}
}

// apart removes from the configuration what a site of a part alone does not have: the manual, the folder of the blog,
// and the past.
func (opt Options) apart(c *config.Config) {
	if opt.Apart {
		c.Pages, c.Jekyll.Dir, c.History.Git = config.Pages{}, "", false
	}
}

// Summary says what a build did.
type Summary struct {
	publish.Summary
	Results, Posts, Charts int
	Pages                  int           // pages of the manual
	Drafts                 int           // posts composed from the runs of a site without posts; not counted in Posts
	Excluded               int           // results excluded by a check
	Masked                 Masked        // what was masked in what is published
	Unread                 []unread.File // files without a result of their own, with reasons
	Fresh                  bool          // nothing has changed since the last build, so nothing was done
	Broken                 bool          // the output was not changed

	Disturbed bool `json:"-"` // somebody else wrote into the output folder, so it may contain wrong files

	Left    []string `json:"-"` // posts that were removed from the blog, as "_posts/2026-01-15-name.md"
	Changed []string `json:"-"` // files of the HTML site that were written or removed
	Made    []string `json:"-"` // artifacts that were made; the others were kept

	Evaluated int `json:"-"` // posts whose blocks and values were evaluated; the others were known from before
}

// ErrConfig is returned if site.toml has errors. Nothing is done then.
var ErrConfig = locale.Errorf("the configuration is wrong")

// Dataset reads the runs of a site, adds what the site declares about them, and judges them. A site may have no runs.
// Masker m masks the contents of files; nil masks nothing.
func Dataset(dir string, c *config.Config, m *mask.Masker) (*rundir.Dataset, error) {
	ignored := misplaced(dir, c.Pages.Dir, func() []*document.Document { return documents(dir, cmp.Or(c.Languages...)) })
	runs := filepath.Join(dir, "runs")
	if _, err := os.Stat(runs); errors.Is(err, fs.ErrNotExist) {
		return &rundir.Dataset{Unread: ignored}, nil
	}
	set, err := rundir.Load(runs, rundir.Options{Name: "runs", Mask: m, Mappings: c.Format, NoResults: c.Check.NoResults})
	if err != nil {
		return nil, err
	}
	set.Unread = append(set.Unread, ignored...)
	_, ms := sweepPlans(c, Options{Dir: dir}, set, m)
	set.Messages = append(set.Messages, ms...)
	Complete(c, set)
	set.Messages = append(set.Messages, unusedFormats(c, set)...)
	results := pointers(set.Results)
	set.Messages = append(set.Messages, judge.Unmet(c, results)...)
	set.Messages = append(set.Messages, judge.UnknownHardware(c, results, judge.MachinesOf(results))...)
	result.SortMessages(set.Messages)
	return set, nil
}

// Part reads the runs in one folder or file below runs/, with the declarations of the folders above it, adds what the
// site declares about them, and judges them. It leaves out the messages that need all runs.
func Part(dir string, c *config.Config, m *mask.Masker, part string) (*rundir.Dataset, error) {
	set, err := rundir.Load(filepath.Join(dir, "runs"), rundir.Options{Name: "runs", Mask: m, Mappings: c.Format, NoResults: c.Check.NoResults, Part: part})
	if err != nil {
		return nil, err
	}
	Complete(c, set)
	set.Results = slices.DeleteFunc(set.Results, func(r result.Result) bool { return !isOf(part, set.Disk(r.Source.File)) })
	result.SortMessages(set.Messages)
	return set, nil
}

// isOf reports whether a file belongs to a part: a folder, a file, or an archive with the files in it.
func isOf(part, file string) bool {
	at := runsFolder + part
	return part == "" || file == at || strings.HasPrefix(file, at+"/")
}

// Complete adds what the site declares about the runs of a dataset, and judges them.
func Complete(c *config.Config, set *rundir.Dataset) {
	set.Messages = slices.Concat(set.Messages, judge.All(c, pointers(set.Results)), judge.Unfinished(c, set.Unfinished))
}

func pointers(rs []result.Result) []*result.Result {
	out := make([]*result.Result, len(rs))
	for i := range rs {
		out[i] = &rs[i]
	}
	return out
}

// Build makes the outputs. Messages are sorted and complete in every case. The error is a failure of the machine (such
// as a full disk) or ErrConfig; errors in runs and posts are messages. An error in site.toml or in a post leaves the
// output as it was. A run that cannot be read is shown as missing.
func Build(ctx context.Context, opt Options) (Summary, []result.Message, error) {
	s := Open(opt)
	s.once = true
	folders := inputFolders(config.PagesDir(opt.Dir))
	if opt.Runs != "" {
		rel, err := filepath.Rel(opt.Dir, opt.Runs)
		if err != nil {
			return Summary{}, nil, err
		}
		folders = append(folders, rel)
	}
	last := cache.OpenState(cache.Inputs{Dir: opt.Dir, Home: opt.home(), Out: s.opt.Out, Drafts: opt.Drafts, Strict: opt.Strict,
		Files: []string{config.Name, cache.Name + "/redaction.key"}, Folders: folders})
	if before, fresh := cache.Fresh[reported](last); fresh && opt.Alive == nil {
		before.Summary.Fresh = true
		return before.Summary, before.Messages, nil
	}
	s.tree = last
	summary, ms, err := s.Build(ctx)
	s.Close()                                                        // first: nothing may change after the next step
	if err == nil && !summary.Broken && !s.running && s.lock.Try() { // what is running is not in the inputs alone
		cache.Save(last, reported{summary, ms}, s.watched, s.ledger)
		s.lock.Release()
	}
	return summary, ms, err
}

// inputFolders returns the folders that a site is made from; pages is the folder of the manual, or "".
func inputFolders(pages string) []string {
	folders := []string{"runs", "content", "layouts"}
	if pages != "" && !strings.HasPrefix(pages, "content/") {
		folders = append(folders, pages)
	}
	return folders
}

// reported is what an up-to-date build reports again.
type reported struct {
	Summary  Summary
	Messages []result.Message
}

// Check reads everything that Build reads and evaluates the posts, but writes nothing. It returns the messages and
// errors of Build, the checks of results, messages about what must not be published, and a note on each file without a
// result.
func Check(dir string) ([]result.Message, Found, error) {
	s := Open(Options{Dir: dir, Drafts: true})
	defer s.Discard()
	e, err := s.Read()
	ms := append(e.Messages, resultMessages(e.results)...)
	ms = append(ms, Private(&s.config, dir, append(inputFolders(s.config.Pages.Dir), config.Name)...)...)
	var found Found
	if e.dataset != nil {
		found = FoundIn(e.results, e.dataset.Unread)
	}
	ms = append(ms, unnamedColumns(&s.config, e.results)...)
	if s.config.Check.Severity() == result.Info { // else Read has reported them
		ms = append(ms, UnreadMessages(&s.config, found.Unread)...)
	}
	result.SortMessages(ms)
	return ms, found, err
}

// Found counts what was found in files.
type Found struct {
	Unread            []unread.File // files without a result
	Results, Nameless int           // results that count; those without labels that identify what they measured
}

// FoundIn counts results. files are the files that gave none.
func FoundIn(rs []*result.Result, files []unread.File) Found {
	f := Found{Unread: files}
	for _, r := range rs {
		if !r.Auxiliary() {
			f.Results++
			if !dataset.Identified(r) {
				f.Nameless++
			}
		}
	}
	return f
}

// ResultMessages returns the checks of results as messages.
func ResultMessages(results []result.Result) []result.Message {
	return resultMessages(pointers(results))
}

func resultMessages(results []*result.Result) []result.Message {
	var ms []result.Message
	for _, r := range results {
		for n := range r.Checks {
			ms = append(ms, r.Checks[n].Message(r))
		}
	}
	return ms
}
