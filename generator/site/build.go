// Package site builds a site: site.toml, runs and posts in; the HTML site and the Jekyll
// posts out.
//
//	summary, ms, err := site.Build(ctx, site.Options{Dir: dir})
//
// Messages (ms) are what the author should know, with file and line; err is of the machine,
// or ErrConfig. What is built again and again, as by serve, is a session:
//
//	s := site.Open(site.Options{Dir: dir})
//	defer s.Close()
//	summary, ms, err := s.Build(ctx)     // everything
//	s.Changed([]string{"runs/a/run.log"})
//	summary, ms, err = s.Build(ctx)      // what depends on that file
//
// A build is two halves, which can be used separately: Session.Read makes a Snapshot, which needs
// no output folder, and Snapshot.Write writes it. Read build.go, session.go and snapshot.go
// in this order; post.go evaluates a post, output.go writes one, and package site/cache
// decides what is made again.
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

	// Into is a folder that everything is written to which would change the site and its blog:
	// public/, blog/, and what a build leaves for the next. "" for a build in its place.
	Into string

	// Runs is the folder that runs are read from, which messages and pages call runs/ all the same; Dir/runs when
	// empty.
	Runs string

	// Apart makes a site of the part alone: of its runs and of the posts that select some of them, without the past
	// and the manual, and with the posts for a blog in the output folder. Where these posts select nothing else, they
	// are what they are in the site of all runs.
	Apart bool

	// Repository is the folder whose repository has the past, of a site whose files
	// were copied from there; Dir when empty.
	Repository string

	// Durable has what is written on the disk before it is in place, so that a power cut, too,
	// leaves the site as it was or as it is going to be.
	Durable bool

	// Alive reports whether somebody still writes a file below runs/, named as in
	// positions: a run in it that has no result goes on then. Nil, as in every build
	// that depends on nothing but its inputs, is never.
	Alive func(file string) bool

	// Of the report that a site without posts shows of its runs.
	Where string // selector of those it is about; "" for all
	Part  string // folder or file below runs/ that contains these, when no others are read (rundir.Options); "" for all
	Keep  string // command that keeps it; "benchpost new post" when empty
}

// home is the folder that contains what a build leaves for the next.
func (opt Options) home() string { return cmp.Or(opt.Into, opt.Dir) }

// runs is the folder of the runs.
func (opt Options) runs() string { return cmp.Or(opt.Runs, filepath.Join(opt.Dir, "runs")) }

// path is where a file of the site lies, which is named by a slash path.
func (opt Options) path(name string) string {
	if rel, ok := strings.CutPrefix(name, runsFolder); ok {
		return filepath.Join(opt.runs(), filepath.FromSlash(rel))
	}
	return filepath.Join(opt.Dir, filepath.FromSlash(name))
}

// file looks at a file of the site.
func (opt Options) file(name string) cache.File {
	return cache.File{Name: name, Mark: filemark.At(opt.path(name))}
}

// apart are the runs and the configuration of a site of a part alone.
func (opt Options) apart(c *config.Config) {
	if opt.Apart {
		c.Pages, c.Jekyll.Dir, c.History.Git = config.Pages{}, "", false
	}
}

// Summary is what a build did.
type Summary struct {
	publish.Summary
	Results, Posts, Charts int
	Pages                  int           // of the manual
	Drafts                 int           // posts composed from the runs, as the site has none of its own; not among Posts
	Excluded               int           // results that a check has excluded
	Masked                 Masked        // what was masked in what is published
	Unread                 []unread.File // files that give no result of their own, and why
	Fresh                  bool          // nothing had changed since the last build; nothing was done
	Broken                 bool          // the output was left as it was

	Disturbed bool `json:"-"` // somebody else wrote into the output folder: not all in it may be as it should

	Left    []string `json:"-"` // posts that were removed from the blog, as "_posts/2026-01-15-name.md"
	Changed []string `json:"-"` // files of the HTML site that were written or removed
	Made    []string `json:"-"` // artifacts that were made; the others were kept

	Evaluated int `json:"-"` // evaluations of posts' blocks and values; of the other posts all was known
}

// ErrConfig is returned when site.toml is wrong: nothing can be done.
var ErrConfig = locale.Errorf("the configuration is wrong")

// Dataset reads the runs of a site and adds what the site knows of them. A
// site may be without runs. What files contain is masked by m; nil masks nothing.
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

// Part reads the runs of a site in one folder or file below runs/, with what the folders above it declare, and adds what
// the site knows of them. What only all runs show is left out.
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

// isOf reports whether a file is one of a part, or of what such an archive contains.
func isOf(part, file string) bool {
	at := runsFolder + part
	return part == "" || file == at || strings.HasPrefix(file, at+"/")
}

// Complete adds to the runs of a dataset what the site knows of them, and judges them.
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

// Build makes the outputs. Messages are sorted and complete whatever happens.
// The error is of the machine (a disk that is full) or ErrConfig; faults of
// runs and posts are messages. An error in site.toml or in a post leaves the
// output as it was; an unreadable run is shown as missing.
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
	s.Close()                                                        // first: after the state nothing may be left to do
	if err == nil && !summary.Broken && !s.running && s.lock.Try() { // what runs is not in the inputs alone
		cache.Save(last, reported{summary, ms}, s.watched, s.ledger)
		s.lock.Release()
	}
	return summary, ms, err
}

// inputFolders are the folders that a site is made from, with that of its pages, "" for none.
func inputFolders(pages string) []string {
	folders := []string{"runs", "content", "layouts"}
	if pages != "" && !strings.HasPrefix(pages, "content/") {
		folders = append(folders, pages)
	}
	return folders
}

// reported is what a build that is up to date reports again.
type reported struct {
	Summary  Summary
	Messages []result.Message
}

// Check reads everything that Build reads and evaluates the posts, and writes
// nothing. Messages and errors are those of Build, the checks of results, what must not be
// published, and a note of each file without a result.
func Check(dir string) ([]result.Message, Found, error) {
	s := Open(Options{Dir: dir, Drafts: true})
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

// Found is what was found in files.
type Found struct {
	Unread            []unread.File // files without a result
	Results, Nameless int           // results that count, and those of them of which nothing says what they measured
}

// FoundIn counts results, and has the files that gave none.
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

// ResultMessages words what was found about results as messages.
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
