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

// Store keeps what took long to make, by a key of all that decides it and by the
// program that made it. It is a folder of a site's own, safe to delete and to use from
// several processes: what cannot be read or is damaged is made again, and a file
// appears whole.
type Store struct {
	folder   string
	program  result.Stamp
	readOnly bool

	mu   sync.Mutex
	used map[string]bool
}

// OpenStore opens the store of a name in a site's own folder.
func OpenStore(dir, name string) *Store {
	s := &Store{folder: filepath.Join(dir, Name, name), used: map[string]bool{}}
	s.program = program()
	return s
}

func (s *Store) name(key []byte) string {
	sum := sha256.Sum256(slices.Concat(s.program[:], key))
	return hex.EncodeToString(sum[:])
}

// Get returns what was kept by a key. It begins with its own sum: what is damaged must
// not be published.
func (s *Store) Get(key []byte) ([]byte, bool) {
	name := s.name(key)
	_, data, ok := readSum(filepath.Join(s.folder, name))
	if ok {
		s.use(name)
	}
	return data, ok
}

// ReadOnly has nothing written from here on.
func (s *Store) ReadOnly() { s.readOnly = true }

// buffers are room for one file after the other.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// Put keeps data, in pieces, by a key. That it cannot is not an error.
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

// isNew reports whether a process may be writing a file; when it was killed meanwhile, that is so
// for an hour.
func isNew(e fs.DirEntry) bool {
	if !strings.HasPrefix(e.Name(), newPrefix) {
		return false
	}
	info, err := e.Info()
	return err == nil && time.Since(info.ModTime()) < time.Hour
}

// newPrefix begins the name of a file until it is whole.
const newPrefix = "new-"

// mostKept bounds, in bytes, what is kept though it was not used: what was not made
// anew may still want it.
const mostKept = 64 << 20

// Prune removes what was not used: all of it when everything was asked for, else the
// oldest beyond a bound.
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
