package watch

import (
	"maps"
	"slices"
	"time"
)

// sweep scans folders in rounds, each in several slices. It rests nine times as long as it works, so it never takes
// more than a tenth of a core. A round over many folders takes longer.
type sweep struct {
	every time.Duration // length of a round, if possible
	round time.Duration // length of the last round, or the expected length of the first
	next  time.Time     // time of the next slice

	queue []*folder // folders left in this round
	began time.Time
}

const rest = 9

// newSweep returns a sweep whose rounds are expected to take the given work.
func newSweep(every, work time.Duration) sweep {
	return sweep{every: every, round: max(every, (1+rest)*work), next: time.Now().Add(every)}
}

// tick does what is due without an event.
func (w *Watcher) tick(now time.Time) {
	if !now.Before(w.rootsNext) {
		w.checkRoots(w.roots, nil)
	}
	if len(w.polled) > 0 && !now.Before(w.quick.next) {
		w.sweep(&w.quick, func() []*folder { return slices.Collect(maps.Keys(w.polled)) }, w.lookAtPolled)
	}
	if !now.Before(w.slow.next) {
		w.sweep(&w.slow, func() []*folder {
			w.askAgain()
			return slices.DeleteFunc(slices.Collect(maps.Values(w.folders)), func(f *folder) bool { return w.polled[f] })
		}, w.lookAtWatched)
	}
}

// sweep does one slice. The slice is short if events may be waiting.
func (w *Watcher) sweep(s *sweep, folders func() []*folder, look func(*folder)) {
	began := time.Now()
	if len(s.queue) == 0 {
		s.began = began
		s.queue = folders()
	}
	slice := 50 * time.Millisecond
	if w.watches > 0 {
		slice /= 10
	}
	for len(s.queue) > 0 && time.Since(began) < slice && !w.closed() {
		f := s.queue[0]
		s.queue = s.queue[1:]
		if !f.gone {
			look(f)
		}
	}
	now := time.Now()
	s.next = now.Add(rest * now.Sub(began))
	if len(s.queue) > 0 {
		return
	}
	s.queue = nil
	if due := s.began.Add(s.every); due.After(s.next) {
		s.next = due
	}
	s.round = s.next.Sub(s.began)
}

// lookAtPolled scans a folder without events. If it has changed, it gets a watch rather than a folder that does not
// change.
func (w *Watcher) lookAtPolled(f *folder) {
	if w.scan(f) && !f.watched && w.watch(f) {
		w.scan(f)
	}
	w.place(f)
}

// lookAtWatched scans for changes without events, as after a lost watch.
func (w *Watcher) lookAtWatched(f *folder) {
	if f.watched && w.notifier.add(f.path) != nil {
		w.unwatch(f)
	}
	w.scan(f)
	w.place(f)
}

// rescan scans everything at once, after events were lost.
func (w *Watcher) rescan() {
	w.checkRoots(w.roots, nil)
	for _, f := range slices.Collect(maps.Values(w.folders)) {
		if w.closed() {
			return
		}
		if !f.gone {
			w.lookAtWatched(f)
		}
	}
}
