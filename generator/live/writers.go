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

// writers knows which files below runs/ are being written: those that changed less than idle ago. The time is measured
// by the monotonic clock. Only for changes before the start it depends on the file's modification time.
type writers struct {
	dir  string
	idle time.Duration

	mu       sync.Mutex
	last     map[string]time.Time // path in the site → when the file was seen to change
	reported map[string]bool      // files that alive last reported as being written
	from     time.Time            // when this process began; zero after forget
}

func newWriters(dir string, idle time.Duration) *writers {
	return &writers{dir: dir, idle: idle, last: map[string]time.Time{}, reported: map[string]bool{}, from: time.Now()}
}

// wrote records that files have changed.
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

// alive reports whether somebody is still writing a file.
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

// before returns the time of a file's last change before the start, on this process's clock.
func (w *writers) before(file string) time.Time {
	info, err := os.Stat(filepath.Join(w.dir, filepath.FromSlash(file)))
	if err != nil || info.Mode()&fs.ModeType != 0 {
		return w.from.Add(-w.idle)
	}
	age := w.from.Round(0).Sub(info.ModTime())
	return w.from.Add(-max(age, 0))
}

// ended returns the files that alive reported and that have not been written for the time idle, each once.
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

// forget makes alive report false for all files from now on.
func (w *writers) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(w.last)
	clear(w.reported)
	w.from = time.Time{}
}
