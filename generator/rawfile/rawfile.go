// Package rawfile opens the files of tools as they are on disk: plain; compressed with gzip, zstd or bzip2; or in a zip
// or tar archive, which may itself be compressed. The first bytes of a file determine its kind.
package rawfile

import (
	"archive/zip"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/klauspost/compress/zstd"
)

const (
	// MaxSize is the greatest decompressed size of a file in bytes.
	MaxSize = 4 << 30
	// MaxMembers is the greatest number of files in an archive.
	MaxMembers = 20_000

	maxWindow = 64 << 20 // memory for zstd in bytes
	smallFile = 8 << 10  // size up to which a file is read at once
)

// Kind is the kind of a file according to its first bytes.
type Kind uint8

const (
	Plain Kind = iota
	Gzip
	Zstd
	Bzip2
	Zip
	Tar
)

// HeadSize is the number of bytes that KindOf needs: the header of a tar archive.
const HeadSize = 512

// KindOf returns the kind of a file from its first bytes.
func KindOf(head []byte) Kind {
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b\x08")):
		return Gzip
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		return Zstd
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return Zip
	case len(head) >= 10 && bytes.HasPrefix(head, []byte("BZh")) && (string(head[4:10]) == "1AY&SY" || string(head[4:10]) == "\x17\x72\x45\x38\x50\x90"):
		return Bzip2
	case isTar(head):
		return Tar
	}
	return Plain
}

// Recognize returns how a file is compressed, and which kind of archive its content is; Plain for neither. It reads
// only the beginning of the file.
func Recognize(r io.Reader) (compression, archive Kind) {
	head := make([]byte, HeadSize)
	n, _ := io.ReadFull(r, head) // an unreadable file is Plain
	switch kind := KindOf(head[:n]); kind {
	case Zip, Tar:
		return Plain, kind
	case Gzip, Zstd, Bzip2:
		plain, err := Decompress(kind, io.MultiReader(bytes.NewReader(head[:n]), r))
		if err != nil {
			return kind, Plain
		}
		defer plain.Close()
		inner := make([]byte, HeadSize)
		if n, _ := io.ReadFull(plain, inner); isTar(inner[:n]) {
			return kind, Tar
		}
		return kind, Plain
	}
	return Plain, Plain
}

// ArchiveAt returns the kind of archive at a path: Zip, Tar, or Plain for none.
func ArchiveAt(path string) Kind {
	f, err := os.Open(path)
	if err != nil {
		return Plain
	}
	defer f.Close()
	_, archive := Recognize(f)
	return archive
}

// Decompress decompresses a stream. Content larger than MaxSize gives an error. The caller must close the result.
func Decompress(kind Kind, r io.Reader) (io.ReadCloser, error) {
	switch kind {
	case Gzip:
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, err
		}
		return &limited{Reader: z, close: z.Close, left: MaxSize}, nil
	case Zstd:
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(maxWindow))
		if err != nil {
			return nil, err
		}
		return &limited{Reader: z, close: func() error { z.Close(); return nil }, left: MaxSize}, nil
	case Bzip2:
		return &limited{Reader: bzip2.NewReader(r), close: func() error { return nil }, left: MaxSize}, nil
	}
	return io.NopCloser(r), nil
}

var errTooLarge = locale.Errorf("exceeds %d GB", MaxSize>>30)

func errTooMany(files int) error {
	return locale.Errorf("has %d files; at most %d are read", files, MaxMembers)
}

// limited returns an error when a stream exceeds its limit.
type limited struct {
	io.Reader
	close func() error
	left  int64
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.Reader.Read(p)
	l.left -= int64(n)
	if l.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}

func (l *limited) Close() error { return l.close() }

// File is an open file with its content decompressed.
type File struct {
	io.Reader
	Size   int64       // of the content in bytes, -1 if not known in advance
	Info   fs.FileInfo // of the file on disk as it was opened; nil for a member of an archive
	disk   *os.File    // nil for a member of an archive, and after everything was read
	closes []func() error
	whole  []byte // the content of a small plain file; nil for others
	room   *room  // the buffer of whole
	head   bytes.Reader
}

// room is a reusable buffer for a small file.
type room [smallFile]byte

var rooms = sync.Pool{New: func() any { return new(room) }}

// Take returns the content of a small plain file, which is valid until the file is closed. It returns false for other
// files, which must be read, and when it is called again.
func (f *File) Take() (content []byte, ok bool) {
	content, f.whole = f.whole, nil
	return content, content != nil
}

// Close closes everything that was opened.
func (f *File) Close() error {
	var err error
	for _, c := range slices.Backward(f.closes) {
		err = errors.Join(err, c())
	}
	err = errors.Join(err, f.letGo())
	if f.room != nil {
		rooms.Put(f.room)
	}
	f.Reader, f.closes, f.whole, f.room = nil, nil, nil, nil
	return err
}

// letGo closes the file on disk.
func (f *File) letGo() error {
	if f.disk == nil {
		return nil
	}
	err := f.disk.Close()
	f.disk = nil
	return err
}

// Open opens a file. The path may continue into an archive: "runs.zip/a/b.log".
func Open(path string) (*File, error) {
	f, err := openFile(path)
	if err != nil {
		if archive, member, ok := inside(path); ok {
			return openMember(archive, member)
		}
	}
	return f, err
}

// openFile opens a file on disk in non-blocking mode, which makes no difference for a regular file. Without that, Go
// makes five more system calls to find out whether the file supports it.
func openFile(path string) (*File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	return wrap(&File{Reader: f, Size: info.Size(), Info: info, disk: f})
}

// Read does what Open does, for a file on disk whose content was read before: data is all of it.
func Read(data []byte, info fs.FileInfo) (*File, error) {
	return wrap(&File{Reader: bytes.NewReader(data), Size: int64(len(data)), Info: info})
}

// wrap decompresses an open file.
func wrap(f *File) (*File, error) {
	f.room = rooms.Get().(*room)
	head := f.room[:max(HeadSize, min(f.Size+1, smallFile))] // a small file as a whole, and its end
	n, ended, err := f.readHead(head)
	if err != nil {
		f.Close()
		return nil, err
	}
	kind := KindOf(head[:n])
	f.head.Reset(head[:n])
	switch {
	case ended && kind == Plain:
		f.Reader, f.whole = &f.head, head[:n]
		return f, f.letGo()
	case kind == Plain:
		f.Reader = io.MultiReader(&f.head, f.Reader)
		return f, nil
	}
	plain, err := Decompress(kind, io.MultiReader(&f.head, f.Reader))
	if err != nil {
		f.Close()
		return nil, err
	}
	f.Reader, f.Size = plain, -1
	f.closes = append(f.closes, plain.Close)
	return f, nil
}

// readHead reads the beginning of a file, and reports whether that is all of it. A file on disk that has its expected
// size is not read further. A member of an archive is read to its end, since its checksum is verified there.
func (f *File) readHead(head []byte) (n int, ended bool, err error) {
	for n < len(head) {
		k, err := f.Reader.Read(head[n:])
		n += k
		switch {
		case err == io.EOF, f.Info != nil && int64(n) == f.Size && n > 0:
			return n, true, nil
		case err != nil:
			return n, false, err
		}
	}
	return n, false, nil
}

// inside splits a path at the file into which it continues.
func inside(path string) (archive, member string, ok bool) {
	path = filepath.ToSlash(path)
	for i := len(path) - 1; i > 0; i-- {
		if path[i] != '/' {
			continue
		}
		if info, err := os.Stat(filepath.FromSlash(path[:i])); err == nil {
			return filepath.FromSlash(path[:i]), path[i+1:], info.Mode().IsRegular()
		}
	}
	return "", "", false
}

func openMember(archive, member string) (*File, error) {
	if ArchiveAt(archive) == Tar {
		return openInTar(archive, member)
	}
	z, err := zip.OpenReader(archive)
	if err != nil {
		return nil, err
	}
	for _, m := range slices.Backward(z.File) {
		if m.Name != member {
			continue
		}
		r, err := open(m)
		if err != nil {
			z.Close()
			return nil, err
		}
		return wrap(&File{Reader: r, Size: int64(m.UncompressedSize64), closes: []func() error{z.Close, r.Close}})
	}
	z.Close()
	return nil, &os.PathError{Op: "open", Path: archive + "/" + member, Err: os.ErrNotExist}
}

// open opens a member of a zip archive. Its reader returns at most the size stated in the archive, and verifies the
// checksum at the end.
func open(m *zip.File) (io.ReadCloser, error) {
	if m.UncompressedSize64 > MaxSize {
		return nil, errTooLarge
	}
	return m.Open()
}

// Each visits the files of an archive, decompressed: of a zip archive in the order of their names, of a tar archive as
// [EachTar] does. It skips folders, links, and names that lead outside. Of several files with the same name it visits
// the last one, which is also what unpacking would leave.
func Each(path string, visit func(member string, r io.Reader, err error)) error {
	if ArchiveAt(path) == Tar {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		return EachTar(f, visit)
	}
	z, err := zip.OpenReader(path)
	if err != nil {
		return err
	}
	defer z.Close()
	return EachZip(&z.Reader, visit)
}

// EachZip does what Each does, for an open zip archive.
func EachZip(z *zip.Reader, visit func(member string, r io.Reader, err error)) error {
	files := slices.DeleteFunc(slices.Clone(z.File), func(m *zip.File) bool {
		return !m.Mode().IsRegular() || !isInside(m.Name)
	})
	if len(files) > MaxMembers {
		return errTooMany(len(files))
	}
	slices.SortStableFunc(files, func(a, b *zip.File) int { return strings.Compare(a.Name, b.Name) })
	var total uint64
	for i, m := range files {
		if i+1 < len(files) && files[i+1].Name == m.Name {
			continue
		}
		if total += m.UncompressedSize64; total > MaxSize {
			return errTooLarge
		}
		r, err := open(m)
		if err != nil {
			visit(m.Name, nil, err)
			continue
		}
		visit(m.Name, r, nil)
		r.Close()
	}
	return nil
}
