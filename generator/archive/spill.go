package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// summer computes the size and checksum of what is written to it.
type summer struct {
	n   int64
	sum interface {
		io.Writer
		Sum([]byte) []byte
	}
}

func newSummer() *summer { return &summer{sum: sha256.New()} }

func (s *summer) Write(p []byte) (int, error) {
	s.n += int64(len(p))
	return s.sum.Write(p)
}

func (s *summer) content() Content { return Content{s.n, hex.EncodeToString(s.sum.Sum(nil))} }

func sumOf(name string) (Content, error) {
	f, err := os.Open(name)
	if err != nil {
		return Content{}, err
	}
	defer f.Close()
	s := newSummer()
	_, err = io.Copy(s, f)
	return s.content(), err
}

// spill keeps what is written to it in memory, or in a temporary file if it is large.
type spill struct {
	dir string
	buf bytes.Buffer
	f   *os.File
	n   int64
	sum *summer
}

const spillFrom = 4 << 20

func (s *spill) Write(p []byte) (int, error) {
	if s.sum == nil {
		s.sum = newSummer()
	}
	s.n += int64(len(p))
	s.sum.Write(p)
	if s.f == nil && s.buf.Len()+len(p) <= spillFrom {
		return s.buf.Write(p)
	}
	if s.f == nil {
		f, err := os.CreateTemp(s.dir, "spill-")
		if err != nil {
			return 0, err
		}
		s.f = f
		if _, err := f.Write(s.buf.Bytes()); err != nil {
			return 0, err
		}
		s.buf = bytes.Buffer{}
	}
	return s.f.Write(p)
}

func (s *spill) content() Content {
	if s.sum == nil {
		return newSummer().content()
	}
	return s.sum.content()
}

func (s *spill) open() (io.ReadCloser, error) {
	if s.f == nil {
		return io.NopCloser(bytes.NewReader(s.buf.Bytes())), nil
	}
	return os.Open(s.f.Name())
}

func (s *spill) close() {
	if s.f != nil {
		s.f.Close()
		_ = os.Remove(s.f.Name())
		s.f = nil
	}
}

// save writes the content to a file durably.
func (s *spill) save(name string, mode fs.FileMode) error {
	in, err := s.open()
	if err != nil {
		return err
	}
	defer in.Close()
	return writeDurably(name, in, mode)
}

// writeDurably writes a file and syncs it to disk, so that the file it replaces can be removed.
func writeDurably(name string, in io.Reader, mode fs.FileMode) error {
	err := writeFile(name, in, mode)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func writeFile(name string, in io.Reader, mode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, in)
	return errors.Join(err, f.Close())
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	return writeDurably(to, in, info.Mode().Perm()|0o600)
}

func isAbsentFile(name string) bool {
	_, err := os.Lstat(name)
	return isAbsent(err)
}
