package rawfile

import (
	"archive/tar"
	"archive/zip"
	"errors"
	"io"
	"os"
	"slices"
	"sync"
)

// Unpacker opens files as Open does, but is faster for many members of one archive. It keeps the last archives open,
// with the places of their members, and decompresses a compressed archive into a temporary file. It is safe for
// concurrent use. It must be closed when no more files are opened; the zero value is ready to use.
type Unpacker struct {
	mu   sync.Mutex
	kept []*unpacked // most recently opened first
}

// mostKept is the greatest number of archives kept open.
const mostKept = 2

// unpacked is an archive whose members can be read directly.
type unpacked struct {
	path string
	info os.FileInfo
	f    *os.File // the archive, or its decompressed form
	tar  map[string]place
	zip  map[string]*zip.File // nil for a tar archive
	temp string               // temporary file to remove; "" for none
	uses int                  // number of open members, plus one while the archive is kept
}

// place is the position of a member in an archive.
type place struct {
	at, size int64
	isSparse bool
}

// Open opens a file as the function Open does.
func (u *Unpacker) Open(path string) (*File, error) {
	f, err := openFile(path)
	if err == nil {
		return f, nil
	}
	archive, member, ok := inside(path)
	if !ok {
		return nil, err
	}
	a, err := u.archive(archive)
	if err != nil { // for example without space for a temporary file
		return Open(path)
	}
	f, err = a.member(member)
	if err != nil {
		return nil, errors.Join(err, u.letGo(a))
	}
	f.closes = slices.Insert(f.closes, 0, func() error { return u.letGo(a) })
	return wrap(f)
}

// Close closes the archives that are kept.
func (u *Unpacker) Close() error {
	u.mu.Lock()
	kept := u.kept
	u.kept = nil
	u.mu.Unlock()
	var err error
	for _, a := range kept {
		err = errors.Join(err, u.letGo(a))
	}
	return err
}

// archive returns an archive in its current version, with one more use.
func (u *Unpacker) archive(path string) (*unpacked, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	i := slices.IndexFunc(u.kept, func(a *unpacked) bool { return a.path == path })
	if i >= 0 {
		a := u.kept[i]
		if os.SameFile(a.info, info) && a.info.Size() == info.Size() && a.info.ModTime().Equal(info.ModTime()) {
			a.uses++
			return a, nil
		}
		u.drop(i)
	}
	a, err := unpack(path, info)
	if err != nil {
		return nil, err
	}
	if len(u.kept) == mostKept {
		u.drop(mostKept - 1)
	}
	a.uses = 2
	u.kept = slices.Insert(u.kept, 0, a)
	return a, nil
}

// drop removes an archive from those that are kept.
func (u *Unpacker) drop(i int) {
	u.kept[i].release()
	u.kept = slices.Delete(u.kept, i, i+1)
}

func (u *Unpacker) letGo(a *unpacked) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	return a.release()
}

// release ends a use, and closes the file after the last one.
func (a *unpacked) release() error {
	if a.uses--; a.uses > 0 {
		return nil
	}
	err := a.f.Close()
	if a.temp != "" {
		_ = os.Remove(a.temp) // it may have been removed already
	}
	return err
}

// unpack opens an archive and finds its members.
func unpack(path string, info os.FileInfo) (*unpacked, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	a := &unpacked{path: path, info: info, f: f, uses: 1}
	compression, kind := Recognize(f)
	if kind == Zip {
		err = a.findZip()
	} else {
		if compression != Plain {
			err = a.decompress(compression)
		}
		if err == nil {
			err = a.findTar()
		}
	}
	if err != nil {
		return nil, errors.Join(err, a.release())
	}
	return a, nil
}

// decompress replaces the archive by a temporary file with the decompressed content.
func (a *unpacked) decompress(kind Kind) error {
	if _, err := a.f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	plain, err := Decompress(kind, a.f)
	if err != nil {
		return err
	}
	defer plain.Close()
	temp, err := os.CreateTemp("", "benchpost-archive-")
	if err != nil {
		return err
	}
	packed := a.f
	a.f, a.temp = temp, temp.Name()
	_ = os.Remove(a.temp) // where the system allows it, so that nothing remains after a kill
	_, err = io.Copy(temp, plain)
	return errors.Join(err, packed.Close())
}

func (a *unpacked) findZip() error {
	z, err := zip.NewReader(a.f, a.info.Size())
	if err != nil {
		return err
	}
	a.zip = make(map[string]*zip.File, len(z.File))
	for _, m := range z.File { // the last one of a name wins
		a.zip[m.Name] = m
	}
	return nil
}

func (a *unpacked) findTar() error {
	if _, err := a.f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	t := &tarball{members: tar.NewReader(a.f)}
	a.tar = map[string]place{}
	for {
		m, err := t.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		at, err := a.f.Seek(0, io.SeekCurrent)
		if err != nil {
			return err
		}
		if a.tar[m.name] = (place{at, m.size, m.isSparse}); len(a.tar) > MaxMembers {
			return errTooMany(len(a.tar))
		}
	}
}

// member opens a member.
func (a *unpacked) member(name string) (*File, error) {
	if m, ok := a.zip[name]; ok {
		r, err := open(m)
		if err != nil {
			return nil, err
		}
		return &File{Reader: r, Size: int64(m.UncompressedSize64), closes: []func() error{r.Close}}, nil
	}
	p, ok := a.tar[name]
	switch {
	case !ok:
		return nil, &os.PathError{Op: "open", Path: a.path + "/" + name, Err: os.ErrNotExist}
	case p.isSparse:
		return nil, errSparse
	}
	return &File{Reader: io.NewSectionReader(a.f, p.at, p.size), Size: p.size}, nil
}
