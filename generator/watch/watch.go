// Package watch turns a file system into batches of what changed.
//
// Events are hints, the disk is the truth: an event only says which path to look
// at, and what is found there is compared with what is known of it. So the order
// of events does not matter, none is needed for long, and a scan of a folder is
// the same comparison for all it holds. Folders without events, because the
// system grants no more watches or the file system reports no changes, are scanned
// instead, and all others too, slowly, for what events missed.
//
// Only folders are watched, as a watch on a file is lost with its first atomic
// save; a single file is awaited by name in the folder it lies in. Symbolic links
// below a root are not followed; a root may be one.
//
// Times of files are compared for equality alone and waiting is measured by the
// monotonic clock, so a clock that jumps does no harm.
package watch

import (
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

// Batch is what changed since the batch before.
type Batch struct {
	// Paths are the files and folders created, written or removed, below a root
	// as filepath.Join(root as given, rest); sorted, each once. A folder among
	// them means all below it: what came and went in it unseen is not listed.
	Paths []string
	// All means that events were lost, or a folder that is a root came or went:
	// anything may have changed, though Paths holds all that is known of it.
	All bool
}

// Options of Open. Only Roots must be given.
type Options struct {
	// Roots are folders and single files, which need not exist yet.
	Roots []string
	// Ignore reports whether a path, as in a batch, is neither to be reported nor
	// watched below: benchpost's own outputs. It is asked from one goroutine and must
	// always answer alike. Nil ignores none. Hidden files, temporary files of
	// editors and lock files are ignored anyway, except as a root.
	Ignore func(path string) bool
	// Poll, when more than 0, is how often to look, instead of waiting for events.
	Poll time.Duration

	// Quiet is how long nothing may change before a single change is reported.
	// When 0 it is 5 ms.
	Quiet time.Duration
	// Storm is what Quiet grows to when much changes at once. When 0 it is 80 ms.
	Storm time.Duration
	// Longest is how long a change may wait for quiet: what is written without a
	// pause, as a log, is reported this often. When 0 it is 1 s.
	Longest time.Duration
	// Look is how often folders without events are looked at where Poll does not
	// say, and where that takes no more than a tenth of a core; otherwise more
	// seldom. When 0 it is 500 ms.
	Look time.Duration
	// Rescan is how often those with events are looked at too. When 0 it is a minute.
	Rescan time.Duration

	notify func() (*notifier, error) // for tests: events of their own
	remote func(path string) string  // for tests: file systems of their own
}

func (o Options) withDefaults() Options {
	for _, d := range []struct {
		value *time.Duration
		usual time.Duration
	}{
		{&o.Quiet, 5 * time.Millisecond}, {&o.Storm, 80 * time.Millisecond}, {&o.Longest, time.Second},
		{&o.Look, 500 * time.Millisecond}, {&o.Rescan, time.Minute},
	} {
		if *d.value <= 0 {
			*d.value = d.usual
		}
	}
	if o.Poll > 0 {
		o.Look = o.Poll
	}
	if o.notify == nil {
		o.notify = newNotifier
	}
	if o.remote == nil {
		o.remote = remoteFileSystem
	}
	return o
}

// rootsEvery is how often roots are looked at that events do not report: one
// reached through links or folders that are not watched.
const rootsEvery = 2 * time.Second

// Watcher watches until it is closed. All but the channels and the mode belongs
// to one goroutine.
type Watcher struct {
	opt     Options
	changes chan Batch
	mode    atomic.Pointer[Mode]
	done    chan struct{} // closed by Close
	closing sync.Once
	running sync.WaitGroup

	roots     []*root
	points    map[string][]*root // the paths whose events concern roots
	anchors   map[string]bool    // the folders watched for them
	rootsNext time.Time

	folders map[string]*folder // by path, without links
	byID    map[id]*folder
	polled  map[*folder]bool // those whose events are incomplete
	scratch []entry          // of scan

	notifier *notifier // nil where there are no events at all
	inbox    *inbox
	watches  int   // folders that have one
	limit    limit // what the system grants

	quick, slow sweep // over the polled folders, over the others
	opening     bool  // what is there is no change
	pending     pending
}

// Open begins to watch. All that changes after it returns is reported; before,
// it looks at everything once. It fails for want of roots alone: where there are
// no events to be had it polls, and Mode says so.
func Open(opt Options) (*Watcher, error) {
	if len(opt.Roots) == 0 {
		return nil, errors.New("watch: no roots")
	}
	opt = opt.withDefaults()
	w := &Watcher{
		opt:     opt,
		changes: make(chan Batch),
		done:    make(chan struct{}),
		points:  map[string][]*root{},
		anchors: map[string]bool{},
		folders: map[string]*folder{},
		byID:    map[id]*folder{},
		polled:  map[*folder]bool{},
		inbox:   newInbox(),
		pending: pending{opt: opt, paths: map[string]bool{}},
	}
	for _, given := range opt.Roots {
		abs, err := filepath.Abs(given)
		if err != nil {
			return nil, err
		}
		w.roots = append(w.roots, &root{given: filepath.Clean(given), abs: abs})
	}
	w.startEvents()
	w.opening = true
	began := time.Now()
	w.checkRoots(w.roots, nil)
	w.opening = false
	w.quick = newSweep(opt.Look, time.Since(began))
	w.slow = newSweep(opt.Rescan, 0)
	w.describe()
	w.running.Go(w.run)
	return w, nil
}

// Changes returns the batches, one at a time: what changes before one is received
// is part of it. It is closed by Close.
func (w *Watcher) Changes() <-chan Batch { return w.changes }

// Mode returns how changes are seen at present.
func (w *Watcher) Mode() Mode { return *w.mode.Load() }

// Close ends the watching. It may be called at any time and more than once.
func (w *Watcher) Close() error {
	w.closing.Do(func() { close(w.done) })
	w.running.Wait()
	return nil
}

// closed reports whether long work is to be left.
func (w *Watcher) closed() bool {
	select {
	case <-w.done:
		return true
	default:
		return false
	}
}

func (w *Watcher) run() {
	defer close(w.changes)
	defer w.stopEvents()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		now := time.Now()
		var out chan<- Batch
		var batch Batch
		if w.pending.ready(now) {
			out, batch = w.changes, w.pending.batch()
		}
		timer.Reset(w.next(now).Sub(now))
		select {
		case <-w.done:
			return
		case out <- batch:
			w.pending.clear()
		case <-w.inbox.wake:
			w.apply(w.inbox.take())
		case <-timer.C:
			w.tick(time.Now())
		}
		w.describe()
	}
}

// next returns when there is something to do without an event.
func (w *Watcher) next(now time.Time) time.Time {
	next := w.rootsNext
	if w.slow.next.Before(next) {
		next = w.slow.next
	}
	if len(w.polled) > 0 && w.quick.next.Before(next) {
		next = w.quick.next
	}
	if due, waiting := w.pending.due(); waiting && due.Before(next) && due.After(now) {
		next = due
	}
	return next
}
