// Package live keeps the outputs of a site up to date while its runs and posts are being written. The pages open in
// browsers come first.
//
// A change is read at once, and the pages in sight are made from it and shown. Everything else that depends on it is
// written after a short pause without changes, so that a growing log does not keep the machine busy on which the
// benchmark runs. A change during writing is also read and shown at once, and written afterwards.
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

// Viewer shows the site while it changes; serve.Server implements it.
type Viewer interface {
	Open() []string
	Put(path string, data []byte)
	Settle(paths []string)
	Changed(paths []string)
	Say(serve.State)
}

// Options say what is kept up to date, and how.
type Options struct {
	Site site.Options
	Poll time.Duration // check for changes at this interval instead of waiting for events; 0 for events
	Idle time.Duration // a log that has not grown for this long belongs to a run that was given up; DefaultIdle if 0
}

// DefaultIdle is longer than the time between two progress updates of any known tool. Loading a model takes longer, but
// nothing counts as a run before that is done.
const DefaultIdle = 5 * time.Minute

// Report is the report of one step.
type Report struct {
	Paths    []string // changed paths of the site; none at the beginning
	Anything bool     // other files may have changed, too
	Fresh    []string // ids of the results that are new or changed

	Shown int           // number of pages in sight that were made again
	Seen  time.Duration // time from noticing the change until those pages were made

	Written bool // the outputs have been written
	Summary site.Summary
	Took    time.Duration // time it took to write them

	Messages []result.Message // all current messages
	New      []result.Message // messages that are new
	Notices  []serve.Notice   // about runs that have finished since the previous step and fail a check
	Running  []serve.Running
	Mode     watch.Mode
	Err      error // a failure of the machine, or site.ErrConfig
	Broken   bool  // nothing could be built
}

// pace sets how fast a rebuilder works.
type pace struct {
	settling time.Duration // pause without changes before everything is written
	longest  time.Duration // longest time that a change waits for such a pause
	again    time.Duration // time before a failed write is tried again
	looking  time.Duration // interval of checking whether runs are still running
	rest     time.Duration // longest rest between two writes
}

func usualPace() pace {
	return pace{settling: 30 * time.Millisecond, longest: time.Second, again: 5 * time.Second, looking: time.Second, rest: time.Second}
}

const share = 8 // after a write, the rebuilder rests this many times as long as it took, at most pace.rest

// Rebuilder keeps a site up to date.
type Rebuilder struct {
	opt     Options
	session *site.Session
	writers *writers
	watcher *watch.Watcher
	viewer  Viewer // nil for none
	pace    pace
	report  func(Report) // may be nil

	mu       sync.Mutex // held while a snapshot is read, or a page of it is shown
	snapshot *site.Snapshot
	turn     int             // number of snapshots so far
	made     map[string]bool // pages of the snapshot that were shown
	handed   bool            // the data files that pages of results read were shown, too
	shown    map[string]int  // path → turn in which it was last shown, until that turn is written
	readable atomic.Bool     // a snapshot has been read

	writing   chan writing // receives the outcome of the current write; nil if there is none
	unwritten time.Time    // time of the first change that is not written yet; zero for none
	changed   time.Time    // time of the last change
	resting   time.Time    // the next write does not begin before this time
	retry     time.Time    // when to repeat what failed; zero for nothing

	built    bool            // everything was written once
	standing *os.File        // the output folder, kept open to notice when it is replaced
	failed   []serve.Fault   // why the last snapshot could not be written
	started  bool            // the runs that existed at the start are known
	messages map[string]bool // messages that were reported
	running  []serve.Running
	notices  []notice // about runs that have finished since then
}

// writing is the outcome of writing a snapshot.
type writing struct {
	*site.Snapshot
	turn     int
	summary  site.Summary
	messages []result.Message
	err      error
	took     time.Duration
}

// notice is a notice about a result. digest identifies the result's contents, so that another result with the same id
// is noticed.
type notice struct {
	serve.Notice
	digest string
}

// New prepares a rebuilder. It reads nothing yet.
func New(opt Options) *Rebuilder {
	if opt.Idle <= 0 {
		opt.Idle = DefaultIdle
	}
	rb := &Rebuilder{opt: opt, pace: usualPace(), writers: newWriters(opt.Site.Dir, opt.Idle), shown: map[string]int{}}
	opt.Site.Alive = rb.writers.alive
	rb.session = site.Open(opt.Site)
	return rb
}

// Run keeps the site up to date until ctx ends, which is not an error. Then it makes the outputs equal to those of a
// build in which nothing is running. viewer shows the pages; report receives everything a person may want to know, from
// one goroutine. Both may be nil.
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

// roots returns the files and folders that the site is made from.
func (rb *Rebuilder) roots() []string {
	dir := rb.opt.Site.Dir
	roots := []string{filepath.Join(dir, "runs"), filepath.Join(dir, "content"), filepath.Join(dir, "layouts"), filepath.Join(dir, config.Name)}
	if pages := config.PagesDir(dir); pages != "" && !strings.HasPrefix(pages, "content/") {
		roots = append(roots, filepath.Join(dir, filepath.FromSlash(pages)))
	}
	return roots
}

// ownOutputs returns a function that reports whether a path belongs to the site's outputs.
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

// take processes a batch of changes.
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
	} else { // the previous snapshot must not be written any more
		rb.snapshot, rb.unwritten = nil, time.Time{}
	}
	if err == nil { // an error in a post does not concern the runs
		for _, f := range e.Fresh() {
			r.Fresh = append(r.Fresh, f.ID)
		}
		r.Notices = rb.finished(e)
		rb.running = running(e)
	}
	r.Err, r.Broken = err, e.Broken
	rb.announce(r, e, true)
}

// show makes a page of the snapshot and passes it to the viewer, with the files beside it.
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
	if err == nil { // otherwise the error is reported when everything is written
		rb.viewer.Changed(names)
	}
}

// Fresh makes a page, or a script with data, that is requested before it has been written.
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

// readsResults reports whether the script of a page reads the data of results, which must then be shown first.
func readsResults(page string) bool {
	section := path.Base(path.Dir(page))
	return section == "results" || section == "compare" || section == "deploy"
}

// due returns the time until everything is to be written.
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
	if rb.removed() { // no file can be kept
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

// wrote processes the outcome of writing a snapshot.
func (rb *Rebuilder) wrote(w writing) {
	rb.mu.Lock()
	defer rb.mu.Unlock()
	e, summary, ms, err := w.Snapshot, w.summary, w.messages, w.err
	rb.writing = nil
	rb.resting = time.Now().Add(min(share*w.took, rb.pace.rest))
	newer := rb.snapshot != e // another snapshot has been read since, or nothing can be built
	if !newer {
		rb.snapshot = nil
	}
	if errors.Is(err, context.Canceled) {
		return
	}
	if newer && err != nil { // a file of the old snapshot may be gone by now
		rb.session.Outdated(err)
		return
	}
	if rb.session.Outdated(err) { // the change has been reported, or is about to be
		rb.retry = time.Now()
		return
	}
	if err != nil { // this may pass, as with a full disk or another running benchpost
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

// settled returns the paths that were last shown in a turn up to turn, and forgets them.
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

// keepFolder opens the output folder, which may be another one after each write. If a file that has just been written
// is missing in it, the folder or the file was removed meanwhile, and everything is read again.
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

// removed reports, once, whether the output folder has been removed or replaced. The folder is not watched, because no
// other process should write there.
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

// end makes the outputs equal to those of a build, in which running benchmarks count as unfinished. It does nothing if
// no build has succeeded before.
func (rb *Rebuilder) end() error {
	if !rb.built {
		return nil
	}
	rb.writers.forget()
	rb.session.ChangedAll()
	_, _, err := rb.session.Build(context.Background())
	if errors.Is(err, site.ErrConfig) {
		return nil // it was reported before
	}
	return err
}
