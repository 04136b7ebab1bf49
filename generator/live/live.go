// Package live keeps the outputs of a site up to date while its runs and posts are
// being written, and the pages open in browsers before anything else.
//
// A change is read at once, and the pages in sight are made from it and shown; what
// else depends on it is written when it is quiet for a moment, so that a log that
// grows does not keep the machine busy on which the benchmark runs. What changes meanwhile
// is read and shown at once, too, and written after that.
package live

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/serve"
	"github.com/benchpost/benchpost/generator/site"
	"github.com/benchpost/benchpost/generator/watch"
)

// Viewer shows the site while it changes; serve.Server is one.
type Viewer interface {
	Open() []string
	Put(path string, data []byte)
	Settle(paths []string)
	Changed(paths []string)
	Say(serve.State)
}

// Options set what is kept up to date, and how.
type Options struct {
	Site site.Options
	Poll time.Duration // look so often instead of waiting for events; 0 for events
	Idle time.Duration // after which a run without a result whose log does not grow has been given up; DefaultIdle when 0
}

// DefaultIdle is longer than any tool we know is silent between two updates of its
// progress, but for one: loading a model, before which nothing is a run yet.
const DefaultIdle = 5 * time.Minute

// Report is of one step.
type Report struct {
	Paths    []string // of the site that have changed; none at the beginning
	Anything bool     // something else may have changed, too
	Fresh    []string // ids of the results that are new or others now

	Shown int           // pages in sight that were made anew
	Seen  time.Duration // from the change being known until those were made

	Written bool // the outputs have been written
	Summary site.Summary
	Took    time.Duration // to write them

	Messages []result.Message // all there are now
	New      []result.Message // those of them that were not there before
	Notices  []serve.Notice   // runs that have finished since the step before and fail a check
	Running  []serve.Running
	Mode     watch.Mode
	Err      error // of the machine, or site.ErrConfig
	Broken   bool  // nothing could be built
}

// pace is how fast a rebuilder works.
type pace struct {
	settling time.Duration // of quiet before all is written
	longest  time.Duration // that a change waits for quiet
	again    time.Duration // until it is tried again to write
	looking  time.Duration // how often it is looked whether runs go on
	rest     time.Duration // between two times that all is written, at most
}

func usualPace() pace {
	return pace{settling: 30 * time.Millisecond, longest: time.Second, again: 5 * time.Second, looking: time.Second, rest: time.Second}
}

const share = 8 // all is written for at most this part of the time, while that leaves no longer rest

// Rebuilder keeps a site up to date.
type Rebuilder struct {
	opt     Options
	session *site.Session
	writers *writers
	watcher *watch.Watcher
	viewer  Viewer // nil for none
	pace    pace
	report  func(Report) // may be nil

	mu       sync.Mutex // held while a snapshot is made or shown
	snapshot *site.Snapshot
	turn     int             // how many snapshots there were
	made     map[string]bool // pages of it that were shown
	handed   bool            // the data that pages of results read was handed over, too
	shown    map[string]int  // by path: the turn it was last shown in, until that is written
	readable atomic.Bool     // a snapshot was read

	writing   chan writing // what comes of the writing under way; nil while there is none
	unwritten time.Time    // when the first change came that is not written; zero for none
	changed   time.Time    // when the last one came
	resting   time.Time    // not before then is all written again
	retry     time.Time    // then it is tried again what failed; zero for nothing

	built    bool            // all was written once
	standing *os.File        // the folder it was written to, held open so that no other is taken for it
	failed   []serve.Fault   // why the last snapshot could not be written
	started  bool            // the runs that were there at first are known
	messages map[string]bool // those that were reported
	running  []serve.Running
	notices  []notice // about runs that have finished since
}

// writing is what came of writing a snapshot.
type writing struct {
	*site.Snapshot
	turn     int
	summary  site.Summary
	messages []result.Message
	err      error
	took     time.Duration
}

// notice is one of a result, whose digest differs from that of another in its place.
type notice struct {
	serve.Notice
	digest string
}

// New prepares a rebuilder. Nothing is read yet.
func New(opt Options) *Rebuilder {
	if opt.Idle <= 0 {
		opt.Idle = DefaultIdle
	}
	rb := &Rebuilder{opt: opt, pace: usualPace(), writers: newWriters(opt.Site.Dir, opt.Idle), shown: map[string]int{}}
	opt.Site.Alive = rb.writers.alive
	rb.session = site.Open(opt.Site)
	return rb
}

// Run keeps the site up to date until ctx ends, which is no error. Then the outputs
// are as a build makes them, with nothing running. The viewer, which may be nil, shows
// the pages; report, which may be nil, is called with all that a person may want to know,
// from one goroutine.
func (rb *Rebuilder) Run(ctx context.Context, viewer Viewer, report func(Report)) error {
	defer rb.session.Close()
	defer rb.letGo()
	w, err := watch.Open(watch.Options{Roots: rb.roots(), Ignore: rb.ownOutputs(), Poll: rb.opt.Poll})
	if err != nil {
		return err
	}
	defer w.Close()
	rb.mu.Lock()
	rb.watcher, rb.viewer, rb.report = w, viewer, report
	rb.mu.Unlock()
	return rb.run(ctx)
}

// roots are what the site is made from.
func (rb *Rebuilder) roots() []string {
	dir := rb.opt.Site.Dir
	roots := []string{filepath.Join(dir, "runs"), filepath.Join(dir, "content"), filepath.Join(dir, "layouts"), filepath.Join(dir, config.Name)}
	if pages := config.PagesDir(dir); pages != "" && !strings.HasPrefix(pages, "content/") {
		roots = append(roots, filepath.Join(dir, filepath.FromSlash(pages)))
	}
	return roots
}

// ownOutputs reports which paths the site is written to, wherever that is.
func (rb *Rebuilder) ownOutputs() func(string) bool {
	var folders []string
	for _, dir := range rb.session.Outputs() {
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

func (rb *Rebuilder) run(ctx context.Context) error {
	rb.session.ChangedAll()
	rb.step(Report{Anything: true})
	rb.readable.Store(true)
	rb.write(ctx)
	look := time.NewTicker(rb.pace.looking)
	defer look.Stop()
	due := time.NewTimer(time.Hour)
	defer due.Stop()
	for {
		due.Reset(rb.due())
		select {
		case <-ctx.Done():
			if rb.writing != nil {
				rb.wrote(<-rb.writing)
			}
			return rb.end()
		case batch, ok := <-rb.watcher.Changes():
			if !ok {
				return errors.New("the watching has ended")
			}
			rb.take(batch)
		case <-look.C:
			if ended := rb.writers.ended(); len(ended) > 0 {
				rb.session.Changed(ended)
				rb.step(Report{Paths: ended})
			}
			if failed := !rb.retry.IsZero() && time.Now().After(rb.retry); failed || rb.writing == nil && rb.removed() {
				rb.retry = time.Time{}
				rb.session.ChangedAll()
				rb.step(Report{Anything: true})
			}
		case <-due.C:
			rb.write(ctx)
		case w := <-rb.writing:
			rb.wrote(w)
		}
	}
}

// take looks at what has changed.
func (rb *Rebuilder) take(batch watch.Batch) {
	paths := make([]string, 0, len(batch.Paths))
	for _, p := range batch.Paths {
		rel, err := filepath.Rel(rb.opt.Site.Dir, p)
		if err != nil {
			batch.All = true
			continue
		}
		paths = append(paths, filepath.ToSlash(rel))
	}
	if batch.All {
		rb.session.ChangedAll()
	}
	rb.session.Changed(paths)
	rb.writers.wrote(paths)
	rb.step(Report{Paths: paths, Anything: batch.All})
}

// step reads what has changed and shows it on the pages in sight.
func (rb *Rebuilder) step(r Report) {
	rb.mu.Lock()
	defer rb.mu.Unlock()
	start := time.Now()
	e, err := rb.session.Read()
	if err == nil && !e.Broken {
		rb.snapshot, rb.made, rb.handed = e, map[string]bool{}, false
		rb.turn++
		if rb.unwritten.IsZero() {
			rb.unwritten = start
		}
		rb.changed = start
		if rb.viewer != nil {
			for _, page := range rb.viewer.Open() {
				rb.show(page)
			}
			rb.viewer.Changed(nil)
			r.Shown = len(rb.made)
		}
		r.Seen = time.Since(start)
	} else { // what was read before it broke is not written behind its back
		rb.snapshot, rb.unwritten = nil, time.Time{}
	}
	if err == nil { // a wrong post means nothing for the runs
		for _, f := range e.Fresh() {
			r.Fresh = append(r.Fresh, f.ID)
		}
		r.Notices = rb.finished(e)
		rb.running = running(e)
	}
	r.Err, r.Broken = err, e.Broken
	rb.announce(r, e, true)
}

// show makes a page of the snapshot and hands it over, with the files beside it.
func (rb *Rebuilder) show(page string) {
	if rb.made[page] {
		return
	}
	var names []string
	put := func(path string, data []byte) error {
		rb.viewer.Put(path, data)
		rb.shown[path] = rb.turn
		names = append(names, path)
		return nil
	}
	var err error
	if readsResults(page) && !rb.handed {
		rb.handed, err = true, rb.snapshot.Data(put)
	}
	rb.made[page] = true
	if err == nil {
		_, err = rb.snapshot.Page(page, put)
	}
	if err == nil { // else it is reported when all is written
		rb.viewer.Changed(names)
	}
}

// Fresh has a page, or a script of data, made that somebody asks for before it is written.
func (rb *Rebuilder) Fresh(page string) {
	if ext := path.Ext(page); !rb.readable.Load() || ext != ".html" && (ext != ".js" || !strings.HasPrefix(page, "data/")) {
		return
	}
	rb.mu.Lock()
	defer rb.mu.Unlock()
	if rb.viewer != nil && rb.snapshot != nil {
		rb.show(page)
	}
}

// readsResults reports whether the script of a page reads the data of results: then that
// has to be there first.
func readsResults(page string) bool {
	section := path.Base(path.Dir(page))
	return section == "results" || section == "compare" || section == "deploy"
}

// due returns how long from now all is to be written.
func (rb *Rebuilder) due() time.Duration {
	if rb.unwritten.IsZero() || rb.writing != nil {
		return time.Hour
	}
	at := rb.changed.Add(rb.pace.settling)
	if latest := rb.unwritten.Add(rb.pace.longest); latest.Before(at) {
		at = latest
	}
	if at.Before(rb.resting) {
		at = rb.resting
	}
	return max(0, time.Until(at))
}

// write begins to write what is not written yet.
func (rb *Rebuilder) write(ctx context.Context) {
	rb.mu.Lock()
	defer rb.mu.Unlock()
	e := rb.snapshot
	if e == nil || rb.writing != nil {
		return
	}
	if rb.removed() { // nothing of it is there to be kept
		rb.session.Doubt()
	}
	rb.unwritten = time.Time{}
	done, turn := make(chan writing, 1), rb.turn
	rb.writing = done
	go func() {
		start := time.Now()
		summary, ms, err := e.Write(ctx)
		done <- writing{e, turn, summary, ms, err, time.Since(start)}
	}()
}

// wrote notes what came of writing a snapshot.
func (rb *Rebuilder) wrote(w writing) {
	rb.mu.Lock()
	defer rb.mu.Unlock()
	e, summary, ms, err := w.Snapshot, w.summary, w.messages, w.err
	rb.writing = nil
	rb.resting = time.Now().Add(min(share*w.took, rb.pace.rest))
	newer := rb.snapshot != e // one has been read since, or nothing can be built
	if !newer {
		rb.snapshot = nil
	}
	if errors.Is(err, context.Canceled) {
		return
	}
	if newer && err != nil { // a file that it shows may be gone by now
		rb.session.Outdated(err)
		return
	}
	if rb.session.Outdated(err) { // that has been reported, or is about to be
		rb.retry = time.Now()
		return
	}
	if err != nil { // a full disk, another benchpost at work: it may pass
		rb.retry = time.Now().Add(rb.pace.again)
	}
	if rb.viewer != nil && err == nil && !summary.Broken {
		rb.viewer.Settle(rb.settled(w.turn))
		rb.viewer.Changed(summary.Changed)
	}
	e.Messages = ms
	if summary.Disturbed {
		rb.retry = time.Now()
	}
	rb.failed = nil
	if summary.Broken || err != nil {
		rb.failed = rb.faults(ms, err)
	} else {
		rb.built = true
	}
	rb.keepFolder(summary.Changed)
	rb.announce(Report{Written: true, Summary: summary, Took: w.took, Err: err, Broken: summary.Broken}, e, !newer)
}

// settled returns the paths that were last shown in a turn that is written, or before it.
func (rb *Rebuilder) settled(turn int) []string {
	var paths []string
	for path, shown := range rb.shown {
		if shown <= turn {
			paths = append(paths, path)
			delete(rb.shown, path)
		}
	}
	return paths
}

// keepFolder notes the folder that was written to, which may be another one after each time.
// Where it lacks some of the files of the site that have changed, it was removed meanwhile,
// or they were: all is looked at again.
func (rb *Rebuilder) keepFolder(changed []string) {
	rb.letGo()
	out := rb.session.Outputs()[0]
	for _, p := range changed {
		if _, err := os.Lstat(filepath.Join(out, "site", filepath.FromSlash(p))); err != nil {
			rb.retry = time.Now()
			return
		}
	}
	rb.standing, _ = os.Open(out)
}

// removed reports, once, whether the folder that was written to is gone, or another one: it
// is not watched, as no other process may write there.
func (rb *Rebuilder) removed() bool {
	if rb.standing == nil {
		return false
	}
	was, err := rb.standing.Stat()
	now, gone := os.Stat(rb.session.Outputs()[0])
	if err == nil && gone == nil && os.SameFile(was, now) {
		return false
	}
	rb.letGo()
	return true
}

func (rb *Rebuilder) letGo() {
	if rb.standing != nil {
		_ = rb.standing.Close()
		rb.standing = nil
	}
}

// end leaves the outputs as a build makes them: what runs now has no end yet. What was
// not built before is not begun.
func (rb *Rebuilder) end() error {
	if !rb.built {
		return nil
	}
	rb.writers.forget()
	rb.session.ChangedAll()
	_, _, err := rb.session.Build(context.Background())
	if errors.Is(err, site.ErrConfig) {
		return nil // it was reported
	}
	return err
}
