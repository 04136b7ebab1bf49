package cache

import (
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/benchpost/benchpost/generator/cite"
	"github.com/benchpost/benchpost/generator/mask"
	"github.com/benchpost/benchpost/generator/rawfile"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/sitefile"
)

// Sums remembers the sums of raw files, as they are published, by their size and time. It lies
// in .benchpost/sums, safe to delete; a file is read again when either is another.
type Sums struct {
	Mask *mask.Masker // files are published as it masks them; nil for as they are

	dir  string // of the site
	home string // of what is remembered

	mu    sync.Mutex
	known map[string]Sum
	used  map[string]bool
	read  bool // what another process left has been taken
	stale bool // it is not as it was saved
}

// Sum is what is known of a file: its contents by their sum.
type Sum struct {
	Size, Time int64 // on the disk
	Bytes      int64 // as it is published
	SHA256     [sha256.Size]byte
	Kind       rawfile.Kind
}

// Ending is what a name ends in, by what the file contains, "" for plain text.
func (one *Sum) Ending() string {
	return map[rawfile.Kind]string{rawfile.Gzip: ".gz", rawfile.Zstd: ".zst", rawfile.Zip: ".zip"}[one.Kind]
}

// OpenSums opens the sums of a site; home contains its own folder.
func OpenSums(dir, home string) *Sums {
	return &Sums{dir: dir, home: home, known: map[string]Sum{}, used: map[string]bool{}}
}

// fresh is how long after its change a file may change once more without its time
// telling.
const fresh = 50 * time.Millisecond

// Of measures a file below the site, which was found so.
func (s *Sums) Of(name string, info fs.FileInfo) (Sum, error) {
	size, changed := info.Size(), info.ModTime().UnixNano()
	s.mu.Lock()
	s.load()
	one, ok := s.known[name]
	s.used[name] = true
	s.mu.Unlock()
	if !ok || one.Size != size || one.Time != changed {
		var err error
		if one, err = s.sum(s.path(name)); err != nil {
			return one, err
		}
		one.Size, one.Time = size, changed
		if time.Since(info.ModTime()).Abs() < fresh {
			one.Time = 0 // never again
		}
		s.mu.Lock()
		s.known[name], s.stale = one, true
		s.mu.Unlock()
	}
	return one, nil
}

// File is what was measured, as it is cited.
func (one *Sum) File(name string) cite.File {
	return cite.File{Path: name, Size: one.Bytes, SHA256: hex.EncodeToString(one.SHA256[:])}
}

func (s *Sums) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

// sum measures a file as it is published.
func (s *Sums) sum(name string) (Sum, error) {
	if len(s.Mask.Inside(name)) > 0 {
		data, err := s.Mask.Published(name)
		return Sum{Bytes: int64(len(data)), SHA256: sha256.Sum256(data), Kind: rawfile.KindOf(data)}, err
	}
	return sumFile(name)
}

func sumFile(name string) (Sum, error) {
	f, err := sitefile.Open(name)
	if err != nil {
		return Sum{}, err
	}
	defer f.Close()
	h := sha256.New()
	head := make([]byte, rawfile.HeadSize)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return Sum{}, err
	}
	h.Write(head[:n])
	more, err := io.Copy(h, f)
	return Sum{Bytes: int64(n) + more, SHA256: [sha256.Size]byte(h.Sum(nil)), Kind: rawfile.KindOf(head[:n])}, err
}

const sumsVersion = 3

type savedSums struct {
	Version int
	Mask    result.Stamp
	Known   map[string]Sum
}

func (s *Sums) file() string { return filepath.Join(s.home, Name, "sums") }

// load takes what the last process left, once.
func (s *Sums) load() {
	if s.read {
		return
	}
	s.read = true
	f, err := sitefile.Open(s.file())
	if err != nil {
		return
	}
	defer f.Close()
	var old savedSums
	if gob.NewDecoder(f).Decode(&old) == nil && old.Version == sumsVersion && old.Mask == s.Mask.Stamp() {
		for name, one := range old.Known {
			s.known[name] = one
		}
	}
}

// Save writes them down. That it cannot is not an error.
func (s *Sums) Save() {
	if !s.stale {
		return
	}
	for name := range s.known {
		if _, err := os.Stat(s.path(name)); !s.used[name] && err != nil {
			delete(s.known, name)
		}
	}
	if write(s.file(), func(w io.Writer) error {
		return gob.NewEncoder(w).Encode(savedSums{sumsVersion, s.Mask.Stamp(), s.known})
	}) == nil {
		s.stale = false
	}
}
