package serve

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"
)

// fresh is a file that is newer than the one in the folder.
type fresh struct {
	data []byte // nil for a file that will be removed
	hash func() string
}

func newFresh(data []byte) *fresh {
	return &fresh{data: data, hash: sync.OnceValue(func() string { return sum(data) })}
}

// content is an opened file, with the hash of what is read from it.
type content struct {
	io.ReadSeeker
	io.Closer
	hash string
}

func (c *content) all() ([]byte, error) { return io.ReadAll(c) }

var errFolder = errors.New("it is a folder")

// open opens a file of the site; its name must be valid. It returns what was Put, or else the file in the folder. Links
// cannot lead out of the folder.
func (s *Server) open(name string) (*content, error) {
	s.mu.Lock()
	f := s.fresh[name]
	s.mu.Unlock()
	if f != nil {
		if f.data == nil {
			return nil, fs.ErrNotExist
		}
		return &content{bytes.NewReader(f.data), io.NopCloser(nil), f.hash()}, nil
	}
	root, err := os.OpenRoot(s.dir) // each time, because the folder may be replaced
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, errFolder
	}
	if !info.Mode().IsRegular() {
		return nil, fs.ErrNotExist // opening a pipe would wait for its writer
	}
	file, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	hash, err := s.sums.of(name, file)
	if err != nil {
		file.Close()
		return nil, err
	}
	return &content{file, file, hash}, nil
}

// hash returns the hash of a page's source, "" if there is no such page.
func (s *Server) hash(page string) string {
	if page == "" {
		return ""
	}
	f, err := s.open(page)
	if err != nil {
		return ""
	}
	defer f.Close()
	return f.hash
}

// sum returns a hash as it is used in an ETag, with half the length of SHA-256.
func sum(data []byte) string {
	h := sha256.New()
	h.Write(data)
	return short(h)
}

func short(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)[:16]) }

// sums caches hashes of files. A file is read again when its size or time has changed.
type sums struct {
	mu   sync.Mutex
	kept map[string]known
}

type known struct {
	size int64
	time time.Time
	hash string
}

const (
	// A file that was changed less than this time ago is not cached. It may change again without getting another time,
	// depending on the file system.
	settled  = time.Second
	sumsKept = 100_000
)

// of returns the hash of an open file, and seeks back to its beginning.
func (s *sums) of(name string, file *os.File) (string, error) {
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	k, ok := s.kept[name]
	s.mu.Unlock()
	if ok && k.size == info.Size() && k.time.Equal(info.ModTime()) {
		return k.hash, nil
	}
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return "", err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	k = known{info.Size(), info.ModTime(), short(h)}
	if since := time.Since(k.time); since > settled {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.kept == nil || len(s.kept) >= sumsKept {
			s.kept = map[string]known{}
		}
		s.kept[name] = k
	}
	return k.hash, nil
}

// forget makes the files be read again.
func (s *sums) forget(names []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range names {
		delete(s.kept, name)
	}
}
