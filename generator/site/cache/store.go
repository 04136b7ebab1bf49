package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/benchpost/benchpost/generator/result"
)

// Store keeps what was expensive to make, under a key of everything that determines it and of the program. It is a
// folder in the site's .benchpost folder, which is safe to delete and safe to use from several processes: damaged or
// unreadable files are made again, and files appear atomically.
type Store struct {
	folder   string
	program  result.Stamp
	readOnly bool

	mu   sync.Mutex
	used map[string]bool
}

// OpenStore opens the store with the given name in a site's .benchpost folder.
func OpenStore(dir, name string) *Store {
	s := &Store{folder: filepath.Join(dir, Name, name), used: map[string]bool{}}
	s.program = program()
	return s
}

func (s *Store) name(key []byte) string {
	sum := sha256.Sum256(slices.Concat(s.program[:], key))
	return hex.EncodeToString(sum[:])
}

// Get returns the data stored under a key. It verifies the checksum, because damaged data must not be published.
func (s *Store) Get(key []byte) ([]byte, bool) {
	name := s.name(key)
	_, data, ok := readSum(filepath.Join(s.folder, name))
	if ok {
		s.use(name)
	}
	return data, ok
}

// ReadOnly makes Put do nothing from now on.
func (s *Store) ReadOnly() { s.readOnly = true }

// buffers reuses buffers for writing files.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// Put stores data, in pieces, under a key. A failure is not an error.
func (s *Store) Put(key []byte, pieces ...[]byte) {
	if s.readOnly || makeFolder(s.folder) != nil {
		return
	}
	f, err := os.CreateTemp(s.folder, newPrefix+"*")
	if err != nil {
		return
	}
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	file := append((*buffer)[:0], make([]byte, len(check{}))...)
	for _, piece := range pieces {
		file = append(file, piece...)
	}
	*buffer = file
	sum := checkOf(file[len(check{}):])
	copy(file, sum[:])
	name := s.name(key)
	_, err = f.Write(file)
	if closed := f.Close(); err != nil || closed != nil || os.Rename(f.Name(), filepath.Join(s.folder, name)) != nil {
		os.Remove(f.Name())
		return
	}
	s.use(name)
}

func (s *Store) use(name string) {
	s.mu.Lock()
	s.used[name] = true
	s.mu.Unlock()
}

// isNew reports whether a process may still be writing a file. The file of a killed process counts as such for an hour.
func isNew(e fs.DirEntry) bool {
	if !strings.HasPrefix(e.Name(), newPrefix) {
		return false
	}
	info, err := e.Info()
	return err == nil && time.Since(info.ModTime()) < time.Hour
}

// newPrefix begins the name of a file that is not complete yet.
const newPrefix = "new-"

// mostKept limits the unused data that is kept, in bytes. An artifact that was not made again may need it later.
const mostKept = 64 << 20

// Prune removes unused files: all of them, or only the oldest ones beyond mostKept.
func (s *Store) Prune(all bool) {
	type unused struct {
		name string
		size int64
		time time.Time
	}
	var rest []unused
	entries, _ := os.ReadDir(s.folder)
	for _, e := range entries {
		if s.used[e.Name()] || isNew(e) {
			continue
		}
		if info, err := e.Info(); err == nil {
			rest = append(rest, unused{e.Name(), info.Size(), info.ModTime()})
		}
	}
	slices.SortFunc(rest, func(a, b unused) int { return b.time.Compare(a.time) })
	var kept int64
	for _, u := range rest {
		if kept += u.size; all || kept > mostKept || strings.HasPrefix(u.name, newPrefix) {
			os.Remove(filepath.Join(s.folder, u.name))
		}
	}
}
