// Package watch turns the changes in a file system into batches.
//
// Events are only hints: an event says which path to examine, and the state on disk is compared with what is known. So
// the order of events does not matter, no event is essential for long, and a scan of a folder does the same comparison
// for all its entries. Folders without events are scanned instead, because the system grants no more watches or the
// file system does not report changes. All others are scanned too, slowly, to find what events missed.
//
// Only folders are watched, because a watch on a file is lost with its first atomic save; for a single file, the folder
// that contains it is watched. Symbolic links below a root are not followed; a root may be one.
//
// Times of files are only compared for equality, and waiting is measured by the monotonic clock, so a clock that jumps
// does no harm.
package watch

import (
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

// Batch is what changed since the previous batch.
type Batch struct {
	// Paths lists the files and folders below a root that were created, written or removed, as filepath.Join(root as
	// given, rest); sorted, each once. A folder in the list includes everything below it: entries that were created and
	// removed unnoticed are not listed.
	Paths []string
	// All means that events were lost, or that a folder that is a root came or went. Then anything may have changed,
	// although Paths lists all known changes.
	All bool
}

// Options of Open. Only Roots must be given.
type Options struct {
	// Roots are folders and single files, which need not exist yet.
	Roots []string
	// Ignore reports whether a path, as in a batch, is neither reported nor watched below: benchpost's own outputs. It
	// is called from one goroutine and must always return the same for a path. Nil ignores nothing. Hidden files,
	// temporary files of editors and lock files are always ignored, except as a root.
	Ignore func(path string) bool
	// Poll, if more than 0, is the interval of scans, which replace events.
	Poll time.Duration

	// Quiet is the time without changes after which a single change is reported. If 0, it is 5 ms.
	Quiet time.Duration
	// Storm is the longest quiet time, required when many files change at once. If 0, it is 80 ms.
	Storm time.Duration
	// Longest is the longest time that a change waits for quiet. A file that is written without a pause, such as a log,
	// is reported at this interval. If 0, it is 1 s.
	Longest time.Duration
	// Look is the interval of scans of folders without events, unless Poll is set. It is longer if the scans would take
	// more than a tenth of a core. If 0, it is 500 ms.
	Look time.Duration
	// Rescan is the interval of scans of folders with events. If 0, it is a minute.
	Rescan time.Duration

	notify func() (*notifier, error) // events for tests
	remote func(path string) string  // file systems for tests
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

// rootsEvery is the interval of checks of the roots, for roots without events: those reached through links or through
// folders that are not watched.
const rootsEvery = 2 * time.Second

// Watcher watches until it is closed. Everything except the channels and the mode belongs to one goroutine.
type Watcher struct {
	opt     Options
	changes chan Batch
	mode    atomic.Pointer[Mode]
	done    chan struct{} // closed by Close
	closing sync.Once
	running sync.WaitGroup

	roots     []*root
	points    map[string][]*root // paths whose events concern roots
	anchors   map[string]bool    // folders watched for them
	rootsNext time.Time

	folders map[string]*folder // by path, without links
	byID    map[id]*folder
	polled  map[*folder]bool // folders whose events are incomplete
	scratch []entry          // used by scan

	notifier *notifier // nil if there are no events at all
	inbox    *inbox
	watches  int   // number of folders with a watch
	limit    limit // what the system grants

	quick, slow sweep // for the polled folders, for the others
	opening     bool  // what is found now is not a change
	pending     pending
}

// Open begins to watch. It first scans everything once; every change after it returns is reported. It only fails for
// invalid roots: if events are not available it polls, and Mode says so.
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

// Changes returns the channel of batches. Changes that occur before a batch is received are added to it. Close closes
// the channel.
func (w *Watcher) Changes() <-chan Batch { return w.changes }

// Mode returns how changes are found at present.
func (w *Watcher) Mode() Mode { return *w.mode.Load() }

// Close ends the watching. It may be called at any time and more than once.
func (w *Watcher) Close() error {
	w.closing.Do(func() { close(w.done) })
	w.running.Wait()
	return nil
}

// closed reports whether the watcher is closed, so that long work should be abandoned.
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
