package live

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// writers knows which files below runs/ somebody is writing: those that changed less
// than some time ago. That is measured by the monotonic clock, but for what was
// written before we began, which only the file's own time shows.
type writers struct {
	dir  string
	idle time.Duration

	mu       sync.Mutex
	last     map[string]time.Time // when a file was seen to change, by its path in the site
	reported map[string]bool      // those that alive last reported as being written
	from     time.Time            // when we began; zero when everything has ended
}

func newWriters(dir string, idle time.Duration) *writers {
	return &writers{dir: dir, idle: idle, last: map[string]time.Time{}, reported: map[string]bool{}, from: time.Now()}
}

// wrote notes that files have changed.
func (w *writers) wrote(paths []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	for _, p := range paths {
		if strings.HasPrefix(p, "runs/") {
			w.last[p] = now
		}
	}
}

// alive reports whether somebody still writes a file.
func (w *writers) alive(file string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.from.IsZero() {
		return false
	}
	at, ok := w.last[file]
	if !ok {
		at = w.before(file)
		w.last[file] = at
	}
	if time.Since(at) >= w.idle {
		return false
	}
	w.reported[file] = true
	return true
}

// before returns when a file was written before anything was seen of it, in our time.
func (w *writers) before(file string) time.Time {
	info, err := os.Stat(filepath.Join(w.dir, filepath.FromSlash(file)))
	if err != nil || info.Mode()&fs.ModeType != 0 {
		return w.from.Add(-w.idle)
	}
	age := w.from.Round(0).Sub(info.ModTime())
	return w.from.Add(-max(age, 0))
}

// ended returns the files that were alive and have not been written for long,
// each once.
func (w *writers) ended() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var files []string
	for file := range w.reported {
		if time.Since(w.last[file]) >= w.idle {
			files = append(files, file)
			delete(w.reported, file)
		}
	}
	slices.Sort(files)
	return files
}

// forget takes everything for ended, from now on.
func (w *writers) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(w.last)
	clear(w.reported)
	w.from = time.Time{}
}
