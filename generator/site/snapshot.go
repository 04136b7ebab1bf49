package site

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/benchpost/benchpost/generator/chart"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/mask"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/prose"
	"github.com/benchpost/benchpost/generator/publish"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
	"github.com/benchpost/benchpost/generator/site/cache"
	"github.com/benchpost/benchpost/generator/sitefile"
)

// Snapshot is a site as it was read at one time. It is not yet written.
type Snapshot struct {
	Messages []result.Message // sorted
	Broken   bool             // a post has an error, so nothing may be published

	*builder
}

// builder makes a snapshot.
type builder struct {
	opt       Options
	config    config.Config
	pages     *page.Site
	names     *address.Book
	posts     []*post
	data      *dataset.Selection // what the posts select from
	figures   *prose.Figures     // figures of data
	lenient   bool               // a run could not be read, so that a post may lack figures
	evaluated atomic.Int64       // number of posts evaluated so far
	sweeps    []dataset.Plan     // of the sweep.toml files found below the runs
	results   []*result.Result
	dataset   *rundir.Dataset
	theme     chart.Theme
	dark      chart.Theme
	kept      *cache.Store
	session   *Session
	renderer  *page.Renderer   // nil until it is needed
	maskers   []*mask.Masker   // what masked the files that were read
	fresh     []*result.Result // results that are new or changed since the previous reading
}

// Page makes one page of the snapshot and the files beside it, even if they are already written. path is the page's
// path in the site. ok is false if the site has no such page.
func (e *Snapshot) Page(path string, emit func(path string, data []byte) error) (ok bool, err error) {
	e.session.gate.Lock()
	defer e.session.gate.Unlock()
	renderer, err := e.prepare()
	if err != nil {
		return false, err
	}
	return renderer.Page(path, emit)
}

// Data makes the data files of new and changed results, which pages need.
func (e *Snapshot) Data(emit func(path string, data []byte) error) error {
	if len(e.fresh) == 0 {
		return nil
	}
	e.session.gate.Lock()
	defer e.session.gate.Unlock()
	renderer, err := e.prepare()
	if err != nil {
		return err
	}
	return renderer.Data(e.fresh, emit)
}

// Write writes what is not yet written and removes what is no longer made. It draws the charts it needs and adds their
// messages to those it returns. Another goroutine may read the session and make pages meanwhile; its requests are
// served first.
func (e *Snapshot) Write(ctx context.Context) (Summary, []result.Message, error) {
	ms := slices.Clone(e.Messages)
	if err := sitefile.CheckOutput(e.opt.Dir, e.opt.Out, e.config.Pages.Dir); err != nil {
		return Summary{Broken: true}, ms, err
	}
	broken := Summary{Broken: true}
	if e.opt.Strict {
		e.opt.Progress("drawing charts")
		err := e.draw(ctx, e.posts)
		ms = slices.Concat(ms, remarks(e.posts), resultMessages(e.results))
		result.SortMessages(ms)
		if err != nil || slices.ContainsFunc(ms, isWarning) {
			return broken, ms, err
		}
	}
	alone, err := e.session.lock.Take(ctx, func() { e.opt.Progress("waiting for another benchpost") })
	if err != nil {
		return broken, ms, err
	}
	defer e.session.lock.Release()
	if e.session.doubt.Swap(false) {
		e.session.ledger.Doubt()
	}
	if !alone {
		e.session.ledger.Reread()
	}
	if built, _ := e.session.ledger.Built(); !built { // little is read after this
		e.session.reader.Save()
	}
	e.opt.Progress("writing pages")
	summary, err := e.write(ctx)
	if !e.opt.Strict {
		done := e.session.turn()
		ms = append(ms, remarks(e.posts)...)
		done()
		result.SortMessages(ms)
	}
	summary.Results, summary.Posts, summary.Unread = len(e.results), len(e.posts), e.dataset.Unread
	summary.Masked = masked(e.maskers...)
	for _, p := range e.posts {
		if p.draft {
			summary.Posts--
			summary.Drafts++
		}
		if p.manual {
			summary.Posts--
			summary.Pages++
		}
		summary.Charts += p.count
	}
	if err == nil && !e.session.once {
		e.session.gate.Lock()
		for _, p := range e.posts {
			p.rest()
		}
		e.session.gate.Unlock()
	}
	for _, r := range e.results {
		if r.Excluded() {
			summary.Excluded++
		}
	}
	if m, ok := e.layouts().mistake(err); ok {
		ms = append(ms, m)
		result.SortMessages(ms)
		summary.Broken = true
		return summary, ms, nil
	}
	var foreign *publish.ForeignError
	if errors.As(err, &foreign) {
		at := foreign.Path
		if rel, err := filepath.Rel(e.opt.Dir, at); err == nil {
			at = filepath.ToSlash(rel)
		}
		m := result.Message{Pos: result.Position{File: at}, Severity: result.Error, ID: "publish.foreign",
			Text: locale.Textf("this file is in the way of a post and was not written by benchpost"), Hint: locale.Textf("move it away, or give the post another slug or date")}
		if foreign.Edited {
			m.Text, m.Hint = locale.Textf("this file was edited after benchpost had written it"), locale.Textf("make the change in content/posts, then delete this file: the next build writes it again")
		}
		ms = append(ms, m)
		result.SortMessages(ms)
		summary.Broken = true
		return summary, ms, nil
	}
	return summary, ms, err
}

// postsKey returns the key of everything that all posts are evaluated with, except the runs that each post selects.
func (b *builder) postsKey(data *dataset.Selection) result.Stamp {
	return cache.Key(cache.PostsKey{Plans: b.key(), Past: data.Past})
}

// key returns the key of everything that pages are made from, except the runs and posts.
func (b *builder) key() result.Stamp {
	return cache.Key(cache.PlansKey{Site: b.session.key, Apart: b.session.opt.Apart, Plans: b.sweeps, Twins: b.names.Twins()})
}

// watch lists what a build read or wrote outside of the site's own folders and the output folder.
func (b *builder) watch() cache.Watched {
	w := cache.Watched{Blog: b.blogDir(), Repository: b.session.past.files}
	for _, p := range b.posts {
		for _, file := range p.files {
			w.Files = append(w.Files, file)
		}
	}
	slices.Sort(w.Files)
	w.Files = append(w.Files, b.config.Charts.Font...)
	w.Files = append(w.Files, b.config.Charts.Bold...)
	slices.Sort(w.Files)
	w.Files = slices.Compact(w.Files)
	return w
}
