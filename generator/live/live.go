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
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/serve"
	"github.com/benchpost/benchpost/generator/site"
	"github.com/benchpost/benchpost/generator/watch"
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

	Messages []result.Message // all there are now
	New      []result.Message // those of them that were not there before
	Notices  []serve.Notice   // runs that have finished since the step before and fail a check
	Running  []serve.Running
	Mode     watch.Mode
	Err      error // of the machine, or site.ErrConfig
	Broken   bool  // nothing could be built
}

const (
	settling = 250 * time.Millisecond // of quiet before all is written
	longest  = 2 * time.Second        // that a change waits for quiet
	share    = 8                      // all is written for at most this part of the time
	again    = 5 * time.Second        // until it is tried again to write
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
	handed  bool            // the data that pages of results read was handed over, too

	unwritten time.Time // when the first change came that is not written; zero for none
	changed   time.Time // when the last one came
	resting   time.Time // not before then is all written again
	retry     time.Time // then it is tried again what failed; zero for nothing

	built    bool            // all was written once
	standing *os.File        // the folder it was written to, held open so that no other is taken for it
	failed   []serve.Fault   // why the last edition could not be written
	started  bool            // the runs that were there at first are known
	messages map[string]bool // those that were told
	running  []serve.Running
	notices  []notice // about runs that have finished since
}

// notice is one of a result, whose digest tells it from another that took its place.
type notice struct {
	serve.Notice
	digest string
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
	defer k.letGo()
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
			if failed := !k.retry.IsZero() && time.Now().After(k.retry); failed || k.removed() {
				k.retry = time.Time{}
				k.session.ChangedAll()
				k.step(Report{Anything: true})
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
		k.edition, k.made, k.handed = e, map[string]bool{}, false
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
		r.Seen = time.Since(start)
	} else { // what was read before it broke is not written behind its back
		k.edition, k.unwritten = nil, time.Time{}
	}
	if err == nil { // a post that is wrong says nothing of the runs
		for _, f := range e.Fresh() {
			r.Fresh = append(r.Fresh, f.ID)
		}
		r.Notices = k.finished(e)
		k.running = running(e)
	}
	r.Err, r.Broken = err, e.Broken
	k.tell(r, e)
}

// show makes a page of the edition and hands it over, with the files beside it.
func (k *Keeper) show(page string) {
	if k.made[page] {
		return
	}
	var names []string
	put := func(path string, data []byte) error {
		k.screen.Put(path, data)
		names = append(names, path)
		return nil
	}
	var err error
	if readsResults(page) && !k.handed {
		k.handed, err = true, k.edition.Data(put)
	}
	k.made[page] = true
	if err == nil {
		_, err = k.edition.Page(page, put)
	}
	if err == nil { // else it is told when all is written
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

// readsResults tells whether the script of a page reads the data of results: then that
// has to be there first.
func readsResults(page string) bool {
	section := path.Base(path.Dir(page))
	return section == "results" || section == "compare" || section == "deploy"
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
	if err != nil { // a full disk, another benchpost at work: it may pass
		k.retry = time.Now().Add(again)
	}
	if k.screen != nil && err == nil && !summary.Broken {
		k.screen.Settle()
		k.screen.Changed(summary.Changed)
	}
	e.Messages = ms
	k.failed = nil
	if summary.Broken || err != nil {
		k.failed = k.faults(ms, err)
	} else {
		k.built = true
	}
	k.hold(summary.Changed)
	k.tell(Report{Written: true, Summary: summary, Took: took, Err: err, Broken: summary.Broken}, e)
}

// hold notes the folder that was first written to. Where it lacks some of the files of
// the site that have changed, it was removed meanwhile, or they were: all is looked at
// again.
func (k *Keeper) hold(changed []string) {
	if k.standing != nil {
		return
	}
	out := k.session.Outputs()[0]
	for _, p := range changed {
		if _, err := os.Lstat(filepath.Join(out, "site", filepath.FromSlash(p))); err != nil {
			k.retry = time.Now()
			return
		}
	}
	k.standing, _ = os.Open(out)
}

// removed tells, once, whether the folder that was written to is gone, or another one: it
// is not watched, as nobody else is to write there.
func (k *Keeper) removed() bool {
	if k.standing == nil {
		return false
	}
	was, err := k.standing.Stat()
	now, gone := os.Stat(k.session.Outputs()[0])
	if err == nil && gone == nil && os.SameFile(was, now) {
		return false
	}
	k.letGo()
	return true
}

func (k *Keeper) letGo() {
	if k.standing != nil {
		_ = k.standing.Close()
		k.standing = nil
	}
}

// tell tells the terminal and the pages.
func (k *Keeper) tell(r Report, e *site.Edition) {
	r.Messages, r.Mode = e.Messages, k.watcher.Mode()
	if k.messages == nil || r.Written && !r.Broken && r.Err == nil {
		k.messages, r.New = k.unseen(e.Messages)
	} else { // what is not among these may still be so: charts are drawn when all is written
		var now map[string]bool
		now, r.New = k.unseen(e.Messages)
		maps.Copy(k.messages, now)
	}
	state := serve.State{Broken: r.Broken || r.Err != nil, Running: k.running}
	switch {
	case state.Broken:
		state.Faults = k.faults(e.Messages, r.Err)
	case k.failed != nil: // until all can be written again
		state.Broken, state.Faults = true, k.failed
	}
	for i := range k.notices {
		state.Notices = append(state.Notices, k.notices[i].Notice)
	}
	r.Running = state.Running
	if k.screen != nil {
		k.screen.Say(state)
	}
	if k.report != nil {
		k.report(r)
	}
}

// unseen gives messages by their words, and those of them that were not told.
func (k *Keeper) unseen(ms []result.Message) (now map[string]bool, unseen []result.Message) {
	now = map[string]bool{}
	for _, m := range ms {
		key := m.Error()
		if m.Severity == result.Info { // how far an unfinished run is changes all the time
			key = m.ID + " " + m.Pos.File
		}
		if !k.messages[key] && !now[key] {
			unseen = append(unseen, m)
		}
		now[key] = true
	}
	return now, unseen
}

// faults are why nothing newer could be built, each with the lines around it.
func (k *Keeper) faults(ms []result.Message, err error) []serve.Fault {
	var faults []serve.Fault
	for _, m := range ms {
		if m.Severity == result.Error {
			first, lines := k.snippet(m.Pos)
			faults = append(faults, serve.Fault{Message: m, First: first, Snippet: lines})
		}
	}
	if err != nil && len(faults) == 0 {
		faults = []serve.Fault{{Message: result.Message{Severity: result.Error, Text: err.Error()}}}
	}
	return faults
}

// finished tells of the runs that have finished since the step before, and notes what
// is wrong with them until they are made again or taken away.
func (k *Keeper) finished(e *site.Edition) []serve.Notice {
	first := !k.started
	k.started = true
	if first {
		return nil // what was there before nobody waits for
	}
	fresh := map[string]bool{}
	for _, r := range e.Fresh() {
		fresh[r.ID] = true
	}
	before := k.notices
	k.notices = nil
	if len(before) > 0 {
		there := map[string]bool{}
		for _, r := range e.Results() {
			there[r.ID] = true
		}
		for _, n := range before {
			if there[n.Run] && !fresh[n.Run] {
				k.notices = append(k.notices, n)
			}
		}
	}
	var news []serve.Notice
	for _, a := range e.Alarms() {
		n := notice{serve.Notice{Message: a.Check.Message(a.Run), Text: a.Check.Text, Hint: a.Check.Hint, Run: a.Run.ID, Title: a.Title, Page: a.Page, Command: a.Command}, a.Run.Digest}
		k.notices = append(k.notices, n)
		known := slices.ContainsFunc(before, func(b notice) bool { // of the same result, whose labels came later
			return b.Run == n.Run && b.digest == n.digest && b.Message.ID == n.Message.ID && b.Message.Text == n.Message.Text
		})
		if !known {
			news = append(news, n.Notice)
		}
	}
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
func (k *Keeper) snippet(pos result.Position) (first int, lines []string) {
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

// end leaves the outputs as a build makes them: what runs now has no end yet. What was
// not built before is not begun.
func (k *Keeper) end() error {
	if !k.built {
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
