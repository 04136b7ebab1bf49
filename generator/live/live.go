// Package live keeps the outputs of a site up to date while its runs and posts are
// being written, and the pages open in browsers before anything else.
//
// A change is read at once, and the pages in sight are made from it and shown; what
// else depends on it is written when it is quiet for a moment, so that a log that
// grows does not keep the machine busy on which the benchmark runs.
package live

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"benchpost/generator/bench"
	"benchpost/generator/serve"
	"benchpost/generator/site"
	"benchpost/generator/watch"
)

// Screen shows the site while it changes; serve.Server is one.
type Screen interface {
	Open() []string
	Put(path string, data []byte)
	Settle()
	Changed(paths []string)
	Say(serve.State)
}

// Options say what is kept up to date, and how.
type Options struct {
	Site site.Options
	Poll time.Duration // look so often instead of waiting for events; 0 for events
	Idle time.Duration // after which a run without a result whose log does not grow has been given up; DefaultIdle when 0
}

// DefaultIdle is longer than any tool we know is silent between two updates of its
// progress, but for one: loading a model, before which nothing is a run yet.
const DefaultIdle = 5 * time.Minute

// Report tells of one step.
type Report struct {
	Paths    []string // of the site that have changed; none at the beginning
	Anything bool     // something else may have changed, too
	Fresh    []string // ids of the results that are new or others now

	Shown int           // pages in sight that were made anew
	Seen  time.Duration // from the change being known until those were made

	Written bool // the outputs have been written
	Summary site.Summary
	Took    time.Duration // to write them

	Messages []bench.Message // all there are now
	New      []bench.Message // those of them that were not there before
	Notices  []serve.Notice  // runs that have finished since the step before and fail a check
	Running  []serve.Running
	Mode     watch.Mode
	Err      error // of the machine, or site.ErrConfig
	Broken   bool  // nothing could be built
}

const (
	settling = 250 * time.Millisecond // of quiet before all is written
	longest  = 2 * time.Second        // that a change waits for quiet
	share    = 8                      // all is written for at most this part of the time
	looking  = time.Second            // how often it is looked whether runs go on
)

// Keeper keeps a site up to date.
type Keeper struct {
	opt     Options
	session *site.Session
	writers *writers
	watcher *watch.Watcher
	screen  Screen       // nil for none
	report  func(Report) // may be nil

	mu      sync.Mutex // held while an edition is made, shown or written
	edition *site.Edition
	made    map[string]bool // pages of it that were shown

	unwritten time.Time // when the first change came that is not written; zero for none
	changed   time.Time // when the last one came
	resting   time.Time // not before then is all written again

	started  bool            // the runs that were there at first are known
	messages map[string]bool // those that were told
	notices  []serve.Notice  // about runs that have finished since
}

// New prepares a keeper. Nothing is read yet.
func New(opt Options) *Keeper {
	if opt.Idle <= 0 {
		opt.Idle = DefaultIdle
	}
	k := &Keeper{opt: opt, writers: newWriters(opt.Site.Dir, opt.Idle)}
	opt.Site.Alive = k.writers.alive
	k.session = site.Open(opt.Site)
	return k
}

// Run keeps the site up to date until ctx ends, which is no error. Then the outputs
// are as a build makes them, with nothing running. The screen, which may be nil, shows
// the pages; report, which may be nil, is told of all that a person may want to know,
// from one goroutine.
func (k *Keeper) Run(ctx context.Context, screen Screen, report func(Report)) error {
	defer k.session.Close()
	w, err := watch.Open(watch.Options{Roots: k.roots(), Ignore: k.ours(), Poll: k.opt.Poll})
	if err != nil {
		return err
	}
	defer w.Close()
	k.mu.Lock()
	k.watcher, k.screen, k.report = w, screen, report
	k.mu.Unlock()
	return k.run(ctx)
}

// roots are what the site is made from.
func (k *Keeper) roots() []string {
	dir := k.opt.Site.Dir
	return []string{filepath.Join(dir, "runs"), filepath.Join(dir, "content"), filepath.Join(dir, "layouts"), filepath.Join(dir, site.ConfigName)}
}

// ours tells of paths that we write, wherever the author has us write them.
func (k *Keeper) ours() func(string) bool {
	var folders []string
	for _, dir := range k.session.Outputs() {
		if abs, err := filepath.Abs(dir); err == nil {
			folders = append(folders, abs)
		}
	}
	return func(path string) bool {
		abs, err := filepath.Abs(path)
		return err == nil && slices.ContainsFunc(folders, func(dir string) bool {
			return abs == dir || strings.HasPrefix(abs, dir+string(filepath.Separator))
		})
	}
}

func (k *Keeper) run(ctx context.Context) error {
	k.session.ChangedAll()
	k.step(Report{Anything: true})
	k.write(ctx)
	look := time.NewTicker(looking)
	defer look.Stop()
	due := time.NewTimer(time.Hour)
	defer due.Stop()
	for {
		due.Reset(k.due())
		select {
		case <-ctx.Done():
			return k.end()
		case batch, ok := <-k.watcher.Changes():
			if !ok {
				return errors.New("the watching has ended")
			}
			k.take(batch)
		case <-look.C:
			if ended := k.writers.ended(); len(ended) > 0 {
				k.session.Changed(ended)
				k.step(Report{Paths: ended})
			}
		case <-due.C:
			k.write(ctx)
		}
	}
}

// take looks at what has changed.
func (k *Keeper) take(batch watch.Batch) {
	paths := make([]string, 0, len(batch.Paths))
	for _, p := range batch.Paths {
		rel, err := filepath.Rel(k.opt.Site.Dir, p)
		if err != nil {
			batch.All = true
			continue
		}
		paths = append(paths, filepath.ToSlash(rel))
	}
	if batch.All {
		k.session.ChangedAll()
	}
	k.session.Changed(paths)
	k.writers.wrote(paths)
	k.step(Report{Paths: paths, Anything: batch.All})
}

// step reads what has changed and shows it on the pages in sight.
func (k *Keeper) step(r Report) {
	k.mu.Lock()
	defer k.mu.Unlock()
	start := time.Now()
	e, err := k.session.Read()
	if err == nil && !e.Broken {
		k.edition, k.made = e, map[string]bool{}
		if k.unwritten.IsZero() {
			k.unwritten = start
		}
		k.changed = start
		if k.screen != nil {
			for _, page := range k.screen.Open() {
				k.show(page)
			}
			k.screen.Changed(nil)
			r.Shown = len(k.made)
		}
		for _, f := range e.Fresh() {
			r.Fresh = append(r.Fresh, f.ID)
		}
		r.Notices = k.finished(e)
	} else { // what was read before it broke is not written behind its back
		k.edition, k.unwritten = nil, time.Time{}
	}
	r.Seen, r.Err, r.Broken = time.Since(start), err, e.Broken
	k.tell(r, e)
}

// show makes a page of the edition and hands it over, with the files beside it.
func (k *Keeper) show(page string) {
	if k.made[page] {
		return
	}
	k.made[page] = true
	var names []string
	_, err := k.edition.Page(page, func(path string, data []byte) error {
		k.screen.Put(path, data)
		names = append(names, path)
		return nil
	})
	if err == nil {
		k.screen.Changed(names)
	}
}

// Fresh has a page made that somebody asks for before it is written. While pages are
// being written it is left to that.
func (k *Keeper) Fresh(page string) {
	if !k.mu.TryLock() {
		return
	}
	defer k.mu.Unlock()
	if k.screen != nil && k.edition != nil && !k.unwritten.IsZero() {
		k.show(page)
	}
}

// due tells how long from now all is to be written.
func (k *Keeper) due() time.Duration {
	if k.unwritten.IsZero() {
		return time.Hour
	}
	at := k.changed.Add(settling)
	if latest := k.unwritten.Add(longest); latest.Before(at) {
		at = latest
	}
	if at.Before(k.resting) {
		at = k.resting
	}
	return max(0, time.Until(at))
}

// write writes what is not written yet.
func (k *Keeper) write(ctx context.Context) {
	k.mu.Lock()
	defer k.mu.Unlock()
	e := k.edition
	if e == nil {
		return
	}
	start := time.Now()
	summary, ms, err := e.Write(ctx)
	took := time.Since(start)
	k.edition, k.unwritten = nil, time.Time{}
	k.resting = time.Now().Add(min(share*took, 10*time.Second))
	if errors.Is(err, context.Canceled) {
		return
	}
	if k.screen != nil && err == nil && !summary.Broken {
		k.screen.Settle()
		k.screen.Changed(summary.Changed)
	}
	e.Messages = ms
	k.tell(Report{Written: true, Summary: summary, Took: took, Err: err, Broken: summary.Broken}, e)
}

// tell tells the terminal and the pages.
func (k *Keeper) tell(r Report, e *site.Edition) {
	r.Messages, r.Mode = e.Messages, k.watcher.Mode()
	now := map[string]bool{}
	for _, m := range e.Messages {
		key := m.Error()
		now[key] = true
		if !k.messages[key] {
			r.New = append(r.New, m)
		}
	}
	if !r.Broken && r.Err == nil || k.messages == nil {
		k.messages = now
	} else {
		for key := range now { // what is wrong now is told once
			k.messages[key] = true
		}
	}
	state := serve.State{Broken: r.Broken || r.Err != nil, Notices: k.notices}
	if state.Broken {
		for _, m := range e.Messages {
			if m.Severity == bench.Error {
				first, lines := k.snippet(m.Pos)
				state.Faults = append(state.Faults, serve.Fault{Message: m, First: first, Snippet: lines})
			}
		}
		if r.Err != nil && len(state.Faults) == 0 {
			state.Faults = []serve.Fault{{Message: bench.Message{Severity: bench.Error, Text: r.Err.Error()}}}
		}
	} else {
		state.Running = running(e)
	}
	r.Running = state.Running
	if k.screen != nil {
		k.screen.Say(state)
	}
	if k.report != nil {
		k.report(r)
	}
}

// finished tells of the runs that have finished since the step before, and notes what
// is wrong with them until they are made again.
func (k *Keeper) finished(e *site.Edition) []serve.Notice {
	first := !k.started
	k.started = true
	if first {
		return nil // what was there before nobody waits for
	}
	gone := map[string]bool{}
	for _, r := range e.Fresh() {
		gone[r.ID] = true
	}
	k.notices = slices.DeleteFunc(slices.Clone(k.notices), func(n serve.Notice) bool { return gone[n.Run] })
	var news []serve.Notice
	for _, a := range e.Alarms() {
		news = append(news, serve.Notice{Message: a.Message, Run: a.Run.ID, Title: a.Title, Page: a.Page, Command: a.Command})
	}
	k.notices = append(k.notices, news...)
	if over := len(k.notices) - mostNotices; over > 0 {
		k.notices = k.notices[over:]
	}
	return news
}

// mostNotices bounds what pages show.
const mostNotices = 50

// running tells of the benchmarks that go on.
func running(e *site.Edition) []serve.Running {
	var out []serve.Running
	for _, u := range e.Unfinished() {
		if !u.Running {
			continue
		}
		left, known := u.Remaining()
		if !known {
			left = -1
		}
		r := serve.Running{Title: e.TitleOf(&u), File: u.Source.File, Done: u.Done, Total: u.Total, Elapsed: u.Elapsed, Left: left, Rate: u.Rate, Unit: u.Unit}
		if u.Unit == "%" {
			r.Total, r.Unit = 100, ""
		}
		out = append(out, r)
	}
	return out
}

// snippetAround is how many lines before and after a mistake are shown.
const snippetAround = 2

// snippet gives the lines around a mistake.
func (k *Keeper) snippet(pos bench.Position) (first int, lines []string) {
	if pos.File == "" || pos.Line == 0 {
		return 0, nil
	}
	data, err := os.ReadFile(filepath.Join(k.opt.Site.Dir, filepath.FromSlash(pos.File)))
	if err != nil || len(data) > 1<<20 {
		return 0, nil
	}
	all := strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	if pos.Line > len(all) {
		return 0, nil
	}
	first = max(1, pos.Line-snippetAround)
	return first, all[first-1 : min(len(all), pos.Line+snippetAround)]
}

// end leaves the outputs as a build makes them: what runs now has no end yet.
func (k *Keeper) end() error {
	k.mu.Lock()
	running := k.edition != nil || k.writers.any()
	k.mu.Unlock()
	if !running {
		return nil
	}
	k.writers.forget()
	k.session.ChangedAll()
	_, _, err := k.session.Build(context.Background())
	if errors.Is(err, site.ErrConfig) {
		return nil // it was told
	}
	return err
}
