package watch

import (
	"cmp"
	"errors"
	"slices"
	"syscall"
)

// limit is the number of watches that the system grants. The folders that changed most recently get them.
type limit struct {
	met     bool
	at      int    // largest number of watches to use
	floor   int64  // a folder must have changed after this to replace another
	err     error  // error of the refusal
	setting string // name of the system setting with the limit, if known
	value   string // value of the setting at the refusal
}

// refuse records a refusal after granted watches. It leaves a sixteenth of them for other programs of this user, and
// for the roots.
func (l *limit) refuse(granted int, err error) {
	l.met, l.at, l.err = true, granted-granted/16-1, err
	l.setting = limitSetting(err)
	l.value = readSetting(l.setting)
}

func isLimit(err error) bool {
	return slices.ContainsFunc([]error{syscall.ENOSPC, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM},
		func(limit error) bool { return errors.Is(err, limit) })
}

// watch requests the events of a folder and reports whether it is watched.
func (w *Watcher) watch(f *folder) bool {
	if f.watched || f.gone || f.twin || w.notifier == nil || !w.room(f) {
		return f.watched
	}
	err := w.notifier.add(f.path)
	if isLimit(err) {
		w.limit.refuse(w.watches, err)
		if w.room(f) {
			err = w.notifier.add(f.path)
		}
	}
	if err == nil {
		f.watched = true
		w.watches++
	}
	w.place(f)
	return f.watched
}

// room reports whether a folder may have a watch. If all are used, the folders without a change for the longest time
// give theirs back, and do not get another before they change.
func (w *Watcher) room(f *folder) bool {
	switch {
	case !w.limit.met:
		return true
	case f.active <= w.limit.floor:
		return false
	case w.watches < w.limit.at:
		return true
	case w.watches == 0:
		return false
	}
	watched := make([]*folder, 0, w.watches)
	for _, g := range w.folders {
		if g.watched {
			watched = append(watched, g)
		}
	}
	slices.SortFunc(watched, func(a, b *folder) int { return cmp.Compare(a.active, b.active) })
	cold := watched[:min(len(watched), len(watched)-w.limit.at+len(watched)/16+1)]
	w.limit.floor = cold[len(cold)-1].active
	for _, g := range cold {
		w.unwatch(g)
	}
	return f.active > w.limit.floor
}

func (w *Watcher) unwatch(f *folder) {
	if !f.watched {
		return
	}
	f.watched = false
	w.watches--
	if !w.anchors[f.path] {
		_ = w.notifier.remove(f.path) // it may be gone
	}
	w.place(f)
}

// rewatch requests a watch again that may be lost, or may belong to another folder.
func (w *Watcher) rewatch(f *folder) {
	if !f.watched {
		return
	}
	_ = w.notifier.remove(f.path) // it may be gone
	f.watched = false
	w.watches--
	w.watch(f)
}

// place adds a folder to the polled ones, or removes it.
func (w *Watcher) place(f *folder) {
	if !f.gone && (!f.watched || f.unread || f.remote != "") {
		w.polled[f] = true
	} else {
		delete(w.polled, f)
	}
}

// askAgain requests refused watches again when they may be granted: another program may have ended, or somebody may
// have raised the limit as Mode suggests.
func (w *Watcher) askAgain() {
	switch {
	case w.opt.Poll > 0 || !w.limit.met:
		return
	case w.notifier == nil:
		w.startEvents()
		if w.notifier == nil {
			return
		}
		w.moor()
	case readSetting(w.limit.setting) == w.limit.value && len(w.folders) > w.limit.at && w.watches >= w.limit.at*3/4:
		return
	}
	w.limit = limit{}
	for _, f := range w.folders {
		if !f.watched && w.watch(f) && !w.closed() {
			w.scan(f)
		}
	}
}
