package rawfile

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
)

// isTar reports whether a file begins with the header of a tar member: with the magic, or with a valid checksum as in
// the oldest form.
func isTar(head []byte) bool {
	if len(head) < HeadSize {
		return false
	}
	if bytes.HasPrefix(head[257:], []byte("ustar")) {
		return true
	}
	const from, to = 148, 156                                       // of the checksum, which counts itself as spaces
	if strings.Trim(string(head[from:to]), "01234567 \x00") != "" { // true for nearly all other files
		return false
	}
	want, err := strconv.ParseInt(strings.Trim(string(head[from:to]), " \x00"), 8, 64)
	sum := int64(to-from) * ' '
	for i, b := range head[:HeadSize] {
		if i < from || i >= to {
			sum += int64(b)
		}
	}
	return err == nil && head[0] != 0 && sum == want
}

var errSparse = locale.Errorf("is a sparse file, which is not read")

// EachTar does what Each does, for an open tar archive, which may be compressed. It reads the archive twice: first
// names and sizes, which may exceed the limits, then the contents. It visits members in the order of the archive, and a
// sparse file with an error.
func EachTar(in io.ReadSeeker, visit func(member string, r io.Reader, err error)) error {
	last, err := lastOf(in)
	if err != nil {
		return err
	}
	t, err := openTar(in)
	if err != nil {
		return err
	}
	defer t.close()
	for {
		m, err := t.next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case last[m.name] != m.at:
		case m.isSparse:
			visit(m.name, nil, errSparse)
		default:
			visit(m.name, t.members, nil)
		}
	}
}

// openInTar opens a member of a tar archive.
func openInTar(archive, member string) (*File, error) {
	in, err := os.Open(archive)
	if err != nil {
		return nil, err
	}
	f := &File{closes: []func() error{in.Close}}
	last, err := lastOf(in)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	at, ok := last[member]
	if !ok {
		f.Close()
		return nil, &os.PathError{Op: "open", Path: archive + "/" + member, Err: os.ErrNotExist}
	}
	t, err := openTar(in)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	f.closes = append(f.closes, t.close)
	for {
		m, err := t.next()
		if err == nil && m.at == at && m.isSparse {
			err = errSparse
		}
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		if m.at == at {
			f.Reader, f.Size = t.members, m.size
			return wrap(f)
		}
	}
}

// lastOf returns the position of the last member of each name.
func lastOf(in io.ReadSeeker) (map[string]int, error) {
	t, err := openTar(in)
	if err != nil {
		return nil, err
	}
	defer t.close()
	last := map[string]int{}
	files, total := 0, int64(0)
	for {
		m, err := t.next()
		if errors.Is(err, io.EOF) {
			if files > MaxMembers {
				return nil, errTooMany(files)
			}
			return last, nil
		}
		if err != nil {
			return nil, err
		}
		if files++; files <= MaxMembers {
			last[m.name] = m.at
		}
		if m.isSparse {
			continue
		}
		if m.size > MaxSize-total {
			return nil, errTooLarge
		}
		total += m.size
	}
}

// tarball is a tar archive that is read sequentially.
type tarball struct {
	members *tar.Reader
	close   func() error // closes the decompression
	at      int          // number of headers read so far
}

// tarMember is a regular file of a tarball.
type tarMember struct {
	name     string
	at       int
	size     int64
	isSparse bool
}

func openTar(in io.ReadSeeker) (*tarball, error) {
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	compression, _ := Recognize(in)
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	if compression == Plain { // the archive's members are skipped by seeking
		return &tarball{members: tar.NewReader(in), close: func() error { return nil }}, nil
	}
	plain, err := Decompress(compression, in)
	if err != nil {
		return nil, err
	}
	return &tarball{members: tar.NewReader(plain), close: plain.Close}, nil
}

// next returns the next regular file. It skips folders, links, devices, and names that lead outside. It returns io.EOF
// at the end.
func (t *tarball) next() (tarMember, error) {
	for {
		h, err := t.members.Next()
		if err != nil {
			return tarMember{}, err
		}
		t.at++
		sparse := isSparse(h)
		if (h.Typeflag == tar.TypeReg || sparse) && isInside(h.Name) {
			return tarMember{path.Clean(h.Name), t.at, h.Size, sparse}, nil
		}
	}
}

// isInside reports whether a member's name is a path inside its archive. Other members are not read.
func isInside(name string) bool {
	return filepath.IsLocal(name) && !strings.Contains(name, `\`) && !slices.Contains(strings.Split(name, "/"), "..")
}

func isSparse(h *tar.Header) bool {
	if h.Typeflag == tar.TypeGNUSparse {
		return true
	}
	for key := range h.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return true
		}
	}
	return false
}
