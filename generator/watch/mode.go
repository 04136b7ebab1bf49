package watch

import (
	"fmt"
	"strings"
	"time"
)

// Kind is the way in which changes are found.
type Kind int

const (
	Events  Kind = iota // the system reports them
	Polling             // everything is scanned repeatedly
	Mixed               // some folders have events and others are scanned
)

// Mode says how changes are found at present.
type Mode struct {
	Kind    Kind
	Folders int           // number below the roots
	Watched int           // folders with events
	Polled  int           // folders that are scanned
	Every   time.Duration // interval of the scans, and so the longest delay of a change; 0 for Events
	Why     string        // why events are not sufficient, and what can be done about it; "" for Events
}

// String returns the mode in words.
func (m Mode) String() string {
	var s string
	switch m.Kind {
	case Events:
		return fmt.Sprintf("events of %s", folders(m.Folders))
	case Polling:
		s = fmt.Sprintf("looking at %s every %v", folders(m.Folders), m.Every)
	case Mixed:
		s = fmt.Sprintf("events of %s, and looking at %d every %v", folders(m.Watched), m.Polled, m.Every)
	}
	return s + ": " + m.Why
}

func folders(n int) string {
	if n == 1 {
		return "1 folder"
	}
	return fmt.Sprintf("%d folders", n)
}

// describe updates the mode if it has changed.
func (w *Watcher) describe() {
	m := Mode{Folders: len(w.folders), Watched: w.watches, Polled: len(w.polled)}
	switch {
	case w.notifier == nil || m.Polled > 0 && m.Polled == m.Folders:
		m.Kind = Polling
	case m.Polled > 0:
		m.Kind = Mixed
	}
	if m.Kind != Events {
		m.Every = roundUp(max(w.quick.round, w.opt.Look))
		m.Why = w.why()
	}
	if old := w.mode.Load(); old == nil || *old != m {
		w.mode.Store(&m)
	}
}

// roundUp rounds a duration up, so that the mode does not change with every round.
func roundUp(d time.Duration) time.Duration {
	unit := 10 * time.Millisecond
	if d > 5*time.Second {
		unit = time.Second
	}
	return (d + unit - 1) / unit * unit
}

func (w *Watcher) why() string {
	switch {
	case w.opt.Poll > 0:
		return "as asked for"
	case w.limit.met:
		return w.limit.why(len(w.folders))
	}
	for f := range w.polled {
		if f.remote != "" {
			return f.remote + " does not tell of changes made elsewhere"
		}
	}
	return "some folders cannot be watched"
}

// why returns what was refused, and the setting that grants more.
func (l *limit) why(folders int) string {
	if l.setting == "" || l.value == "" {
		return fmt.Sprintf("the system grants no more watches (%v)", l.err)
	}
	enough := 1 << 10 // programs that watch
	if strings.HasSuffix(l.setting, "watches") {
		for enough = 1 << 19; enough < 2*folders; enough *= 2 {
		}
	}
	return fmt.Sprintf("%s is %s; with sudo sysctl %s=%d all can be watched", l.setting, l.value, l.setting, enough)
}
