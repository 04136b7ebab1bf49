package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"sync"

	"github.com/benchpost/benchpost/generator/cite"
	"github.com/benchpost/benchpost/generator/filemark"
	"github.com/benchpost/benchpost/generator/mask"
	"github.com/benchpost/benchpost/generator/rawfile"
	"github.com/benchpost/benchpost/generator/sitefile"
)

// Sums remembers the checksums of raw files, as they are published, by their marks. It is stored in .benchpost/sums,
// which is safe to delete. A file whose mark has changed is read again.
//
// A checksum is published beside figures, so it must be the checksum of the bytes they were read from. When Reader
// reads a file, its checksum is recorded, and it stays valid until Reader reads the file again, even if the file
// changes. The checksums of other files are computed when they are requested.
type Sums struct {
	Mask  *mask.Masker             // masks files as they are published; nil masks nothing
	Place func(name string) string // path on disk of a published name; nil if it is the same below dir

	dir   string // folder of the site
	table table[Sum]

	mu    sync.Mutex
	known map[string]Sum
	noted map[string]bool // those that Reader recorded in this process
	used  map[string]bool
	read  bool // what another process saved has been loaded
}

// Sum is what is known about a file's contents.
type Sum struct {
	Mark   filemark.Mark     // on the disk
	Disk   [sha256.Size]byte // checksum of the bytes on the disk
	Bytes  int64             // size as published
	SHA256 [sha256.Size]byte

	Compression rawfile.Kind // Plain for none
	Archive     rawfile.Kind // inside the compression; Plain for none
}

// ChangedError reports that a file was changed after figures were read from it. Then neither its bytes nor their
// checksum may be published beside the figures, and it must be read again.
type ChangedError struct{ File string } // relative to the site

func (e *ChangedError) Error() string {
	return e.File + " was changed while the site was built; build again"
}

// Ending returns the extension that fits the file's contents; "" for plain text.
func (one *Sum) Ending() string {
	endings := map[rawfile.Kind]string{rawfile.Gzip: ".gz", rawfile.Zstd: ".zst", rawfile.Bzip2: ".bz2", rawfile.Zip: ".zip", rawfile.Tar: ".tar"}
	return endings[one.Archive] + endings[one.Compression]
}

// Contains reports whether data, as published, is what was measured.
func (one *Sum) Contains(data []byte) bool { return sha256.Sum256(data) == one.SHA256 }

// OpenSums opens the checksums of a site; home contains the .benchpost folder.
func OpenSums(dir, home string) *Sums {
	return &Sums{dir: dir, table: openTable[Sum](filepath.Join(home, Name, "sums"), 6), known: map[string]Sum{}, noted: map[string]bool{}, used: map[string]bool{}}
}

// Of returns the checksums of a file of the site that was found with a mark.
func (s *Sums) Of(name string, mark filemark.Mark) (Sum, error) {
	s.mu.Lock()
	s.load()
	one, ok := s.known[name]
	noted := s.noted[name]
	s.used[name] = true
	s.mu.Unlock()
	if noted || ok && one.Mark == mark && !mark.Fresh(filemark.Settled) {
		return one, nil
	}
	one, err := s.sum(s.path(name))
	if err == nil && one.Mark != mark {
		err = &ChangedError{name}
	}
	if err == nil {
		s.keep(name, one, false)
	}
	return one, err
}

// Verify reads a file whose mark has changed again. It returns a [ChangedError] unless the file begins with what was
// measured.
func (s *Sums) Verify(name string, one Sum) error {
	f, err := sitefile.Open(s.path(name))
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.CopyN(h, f, one.Mark.Size); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if [sha256.Size]byte(h.Sum(nil)) != one.Disk {
		return &ChangedError{name}
	}
	return nil
}

// note records the checksums of a file that was read when it had a mark. data is its whole content; nil if that is not
// in memory. note reports whether the file still has that mark, so that the checksums belong to what was read.
func (s *Sums) note(name, path string, mark filemark.Mark, data []byte) bool {
	s.mu.Lock()
	s.load()
	one, ok := s.known[name]
	s.mu.Unlock()
	if !ok || one.Mark != mark || mark.Fresh(filemark.Settled) {
		var err error
		if data != nil {
			one, err = s.published(path, sumOf(data, mark))
		} else {
			one, err = s.sum(path)
		}
		if err != nil {
			return true // a caller that needs the checksum gets the error
		}
	}
	s.keep(name, one, one.Mark == mark)
	return one.Mark == mark
}

// keep stores the checksums of a file.
func (s *Sums) keep(name string, one Sum, noted bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old, ok := s.known[name]; !ok || old != one {
		s.known[name] = one
		s.table.change(name)
	}
	s.noted[name] = noted
}

// File returns the file in the form in which it is cited.
func (one *Sum) File(name string) cite.File {
	return cite.File{Path: name, Size: one.Bytes, SHA256: hex.EncodeToString(one.SHA256[:])}
}

func (s *Sums) path(name string) string {
	if s.Place != nil {
		return s.Place(name)
	}
	return filepath.Join(s.dir, filepath.FromSlash(name))
}

// sum computes the checksums of a file as it is published.
func (s *Sums) sum(name string) (Sum, error) {
	one, err := sumFile(name)
	if err != nil {
		return one, err
	}
	return s.published(name, one)
}

// published converts the checksums of a file on disk into those of the file as it is published.
func (s *Sums) published(name string, one Sum) (Sum, error) {
	if !s.Mask.Changes(name, one.Mark, one.Archive) {
		return one, nil
	}
	data, err := s.Mask.Published(name)
	one.Bytes, one.SHA256 = int64(len(data)), sha256.Sum256(data)
	one.Compression, one.Archive = rawfile.Recognize(bytes.NewReader(data))
	if filemark.At(name) != one.Mark {
		one.Mark = filemark.Mark{}
	}
	return one, err
}

const copySize = 32 << 10

// copies reuses buffers for reading files.
var copies = sync.Pool{New: func() any { return new([copySize]byte) }}

// sumOf computes the checksums of the bytes of a file that had the same mark before and after reading.
func sumOf(data []byte, mark filemark.Mark) Sum {
	one := Sum{Mark: mark, Disk: sha256.Sum256(data), Bytes: int64(len(data))}
	one.SHA256 = one.Disk
	one.Compression, one.Archive = rawfile.Recognize(bytes.NewReader(data))
	return one
}

// sumFile computes the checksums of a file on disk. The mark is zero if the file changed meanwhile.
func sumFile(name string) (Sum, error) {
	f, err := sitefile.Open(name)
	if err != nil {
		return Sum{}, err
	}
	defer f.Close()
	before, err := f.Stat()
	if err != nil {
		return Sum{}, err
	}
	var one Sum
	one.Compression, one.Archive = rawfile.Recognize(f)
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return Sum{}, err
	}
	h := sha256.New()
	buf := copies.Get().(*[copySize]byte)
	defer copies.Put(buf)
	if one.Bytes, err = io.CopyBuffer(h, struct{ io.Reader }{f}, buf[:]); err != nil { // hides WriteTo, which allocates its own buffer
		return Sum{}, err
	}
	one.Disk = [sha256.Size]byte(h.Sum(nil))
	one.SHA256 = one.Disk
	if after := filemark.At(name); after == filemark.Of(before) {
		one.Mark = after
	}
	return one, nil
}

// prepare calls load with the lock.
func (s *Sums) prepare() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.load()
}

// load reads what the last process saved, once for each masker. Checksums made with another masker are dropped.
func (s *Sums) load() {
	masked := s.Mask.Stamp()
	if s.read && s.table.of.Mask == masked {
		return
	}
	if s.read {
		clear(s.known)
		clear(s.noted)
	}
	s.read, s.table.of.Mask = true, masked
	maps.Copy(s.known, s.table.load())
}

// Save saves the checksums. A failure is not an error.
func (s *Sums) Save() {
	if !s.table.unsaved {
		return
	}
	for name := range s.known {
		if s.used[name] || s.noted[name] {
			continue
		}
		if _, err := os.Stat(s.path(name)); err != nil {
			delete(s.known, name)
			s.table.change(name)
		}
	}
	s.table.saving(s.known)()
}
