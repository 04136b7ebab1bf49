package watch

import (
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/fsnotify/fsnotify"
)

// notifier is the part of fsnotify that is used; tests replace it.
type notifier struct {
	add, remove func(folder string) error
	close       func() error
	events      <-chan fsnotify.Event
	errors      <-chan error
}

func newNotifier() (*notifier, error) {
	n, err := fsnotify.NewBufferedWatcher(4096)
	if err != nil {
		return nil, err
	}
	return &notifier{add: n.Add, remove: n.Remove, close: n.Close, events: n.Events, errors: n.Errors}, nil
}

// inbox receives events as fast as they come, whatever the rest of the package is doing, so that the system's queue
// does not overflow. For each path it keeps only the kinds of events.
type inbox struct {
	mu   sync.Mutex
	mail mail
	wake chan struct{} // holds a value while there is mail
}

type mail struct {
	ops  map[string]fsnotify.Op
	lost bool // events were lost
}

// inboxLimit is the number of paths above which scanning everything is cheaper.
const inboxLimit = 1 << 17

func newInbox() *inbox { return &inbox{wake: make(chan struct{}, 1)} }

func (b *inbox) put(e fsnotify.Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.mail.ops == nil {
		b.mail.ops = map[string]fsnotify.Op{}
	}
	if len(b.mail.ops) >= inboxLimit {
		b.mail = mail{lost: true}
	} else {
		b.mail.ops[e.Name] |= e.Op
	}
	b.ring()
}

func (b *inbox) lose() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mail.lost = true
	b.ring()
}

func (b *inbox) ring() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

func (b *inbox) take() mail {
	b.mu.Lock()
	defer b.mu.Unlock()
	m := b.mail
	b.mail = mail{}
	return m
}

// fill receives events until the notifier is closed. An error is an overflow of the queue or a failed read from it:
// both lose events.
func (b *inbox) fill(n *notifier) {
	events, errors := n.events, n.errors
	for events != nil || errors != nil {
		select {
		case e, open := <-events:
			if !open {
				events = nil
			} else {
				b.put(e)
			}
		case _, open := <-errors:
			if !open {
				errors = nil
			} else {
				b.lose()
			}
		}
	}
}

// startEvents opens the notifier, unless polling was requested. Without a notifier everything is polled.
func (w *Watcher) startEvents() {
	if w.opt.Poll > 0 {
		return
	}
	n, err := w.opt.notify()
	if err != nil {
		w.limit.refuse(0, err)
		return
	}
	w.limit = limit{}
	w.notifier = n
	w.running.Go(func() { w.inbox.fill(n) })
}

func (w *Watcher) stopEvents() {
	if w.notifier != nil {
		_ = w.notifier.close() // nobody is left to receive the error
	}
}

// apply examines the paths of events.
func (w *Watcher) apply(m mail) {
	if m.lost {
		w.rescan()
		w.pending.addAll() // a write may have left size and time unchanged
	}
	concerned := map[*root]bool{}
	for _, path := range slices.Sorted(maps.Keys(m.ops)) {
		if w.closed() {
			return
		}
		for _, r := range w.points[path] {
			concerned[r] = true
		}
		if f := w.folders[filepath.Dir(path)]; f != nil && f.path != path {
			w.examine(f, filepath.Base(path), m.ops[path])
		}
	}
	if len(concerned) > 0 {
		w.checkRoots(slices.Collect(maps.Keys(concerned)), m.ops)
	}
}
