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

// Sums remembers the sums of raw files, as they are published, by their marks. It lies in .benchpost/sums, safe to
// delete; a file is read again when its mark is another.
//
// A sum is published beside figures, so it has to be that of the bytes they were read from. The
// sum of a file that Reader reads is noted then, and is its sum until Reader reads it again,
// whatever becomes of the file. Others are measured when they are asked for.
type Sums struct {
	Mask  *mask.Masker             // files are published as it masks them; nil for as they are
	Place func(name string) string // where a file lies that is published under a name; nil for there

	dir   string // of the site
	table table[Sum]

	mu    sync.Mutex
	known map[string]Sum
	noted map[string]bool // of those, what Reader read in this process
	used  map[string]bool
	read  bool // what another process left has been taken
}

// Sum is what is known of a file: its contents by their sum.
type Sum struct {
	Mark   filemark.Mark     // on the disk
	Disk   [sha256.Size]byte // of its bytes there
	Bytes  int64             // as it is published
	SHA256 [sha256.Size]byte

	Compression rawfile.Kind // Plain for none
	Archive     rawfile.Kind // behind the compression; Plain for none
}

// ChangedError reports that a file was changed after figures were read from it, so that
// neither its bytes nor their sum may be published beside them. It is to be read again.
type ChangedError struct{ File string } // relative to the site

func (e *ChangedError) Error() string {
	return e.File + " was changed while the site was built; build again"
}

// Ending is what a name ends in, by what the file contains, "" for plain text.
func (one *Sum) Ending() string {
	endings := map[rawfile.Kind]string{rawfile.Gzip: ".gz", rawfile.Zstd: ".zst", rawfile.Bzip2: ".bz2", rawfile.Zip: ".zip", rawfile.Tar: ".tar"}
	return endings[one.Archive] + endings[one.Compression]
}

// Contains reports whether bytes are those that were measured, as they are published.
func (one *Sum) Contains(data []byte) bool { return sha256.Sum256(data) == one.SHA256 }

// OpenSums opens the sums of a site; home contains its own folder.
func OpenSums(dir, home string) *Sums {
	return &Sums{dir: dir, table: openTable[Sum](filepath.Join(home, Name, "sums"), 6), known: map[string]Sum{}, noted: map[string]bool{}, used: map[string]bool{}}
}

// Of measures a file below the site, which was found with a mark.
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

// Verify reads a file again, whose mark is not what it was: it is a [ChangedError] unless it
// begins with what was measured.
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

// note measures a file that was read when it had a mark; data is all of it, nil where that is not at
// hand. It reports whether the file has that mark still: so the sum is that of what was read.
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
			return true // who asks for the sum gets the error
		}
	}
	s.keep(name, one, one.Mark == mark)
	return one.Mark == mark
}

// keep remembers a sum.
func (s *Sums) keep(name string, one Sum, noted bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old, ok := s.known[name]; !ok || old != one {
		s.known[name] = one
		s.table.change(name)
	}
	s.noted[name] = noted
}

// File is what was measured, as it is cited.
func (one *Sum) File(name string) cite.File {
	return cite.File{Path: name, Size: one.Bytes, SHA256: hex.EncodeToString(one.SHA256[:])}
}

func (s *Sums) path(name string) string {
	if s.Place != nil {
		return s.Place(name)
	}
	return filepath.Join(s.dir, filepath.FromSlash(name))
}

// sum measures a file as it is published.
func (s *Sums) sum(name string) (Sum, error) {
	one, err := sumFile(name)
	if err != nil {
		return one, err
	}
	return s.published(name, one)
}

// published turns the sum of a file as it is into that of the file as it is published.
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

// copies are buffers for one file after the other.
var copies = sync.Pool{New: func() any { return new([copySize]byte) }}

// sumOf measures the bytes of a file that had a mark before and after they were read.
func sumOf(data []byte, mark filemark.Mark) Sum {
	one := Sum{Mark: mark, Disk: sha256.Sum256(data), Bytes: int64(len(data))}
	one.SHA256 = one.Disk
	one.Compression, one.Archive = rawfile.Recognize(bytes.NewReader(data))
	return one
}

// sumFile measures a file as it is. Its mark is zero when it was changed meanwhile.
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
	if one.Bytes, err = io.CopyBuffer(h, struct{ io.Reader }{f}, buf[:]); err != nil { // a file that copies itself makes a buffer of its own
		return Sum{}, err
	}
	one.Disk = [sha256.Size]byte(h.Sum(nil))
	one.SHA256 = one.Disk
	if after := filemark.At(name); after == filemark.Of(before) {
		one.Mark = after
	}
	return one, nil
}

// prepare is load for who does not have the lock.
func (s *Sums) prepare() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.load()
}

// load takes what the last process left, once. What was known under another mask is of no use.
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

// Save writes them down. That it cannot is not an error.
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
