package mask

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"path/filepath"

	"github.com/benchpost/benchpost/generator/rawfile"
	"github.com/benchpost/benchpost/generator/sitefile"
)

// Published returns the bytes of a file as they are published: those on the disk where
// nothing is masked, else masked and compressed anew in the same form, which for bzip2 is gzip.
// A tar archive is always written anew: the names of its owners, its links, and what nobody reads
// of it are not published. What cannot be read as what it seems to be is published as it is only
// where it is no text.
func (m *Masker) Published(path string) ([]byte, error) {
	data, err := sitefile.Read(path)
	if err != nil {
		return nil, err
	}
	return m.Form(path, data)
}

// Form is Published of bytes that were read from a path.
func (m *Masker) Form(path string, data []byte) ([]byte, error) {
	if m == nil {
		return data, nil
	}
	kind, archive := rawfile.Recognize(bytes.NewReader(data))
	switch {
	case archive == rawfile.Zip:
		return m.zip(path, data)
	case archive == rawfile.Tar:
		return m.tar(path, kind, data)
	case kind != rawfile.Plain:
		content, err := rawfile.Decompress(kind, bytes.NewReader(data))
		if err != nil {
			return data, nil
		}
		defer content.Close()
		text, err := io.ReadAll(m.Through(path, content))
		if len(m.Of(path)) == 0 && err == nil {
			return data, nil
		}
		return compressed(kind, text) // what is cut off ends where it can be read
	}
	return m.Bytes(path, data), nil
}

// compressed returns data in a form of compression, or as it is for none.
func compressed(kind rawfile.Kind, data []byte) ([]byte, error) {
	var out bytes.Buffer
	switch kind {
	case rawfile.Plain:
		return data, nil
	case rawfile.Zstd:
		err := rawfile.Compress(&out, bytes.NewReader(data))
		return out.Bytes(), err
	}
	z := gzip.NewWriter(&out)
	_, err := z.Write(data)
	err = errors.Join(err, z.Close())
	return out.Bytes(), err
}

// tar writes a tar archive anew, of the members that are read, masked. A member that cannot be
// read cannot be masked, and is left out.
func (m *Masker) tar(path string, kind rawfile.Kind, data []byte) ([]byte, error) {
	var out bytes.Buffer
	to := tar.NewWriter(&out)
	var failed error
	_ = rawfile.EachTar(bytes.NewReader(data), func(member string, in io.Reader, err error) { // as far as it can be read
		if err != nil || failed != nil {
			return
		}
		text, err := io.ReadAll(m.Through(filepath.Join(path, filepath.FromSlash(member)), in))
		if err != nil {
			return
		}
		if failed = to.WriteHeader(&tar.Header{Name: member, Mode: 0o644, Size: int64(len(text))}); failed == nil {
			_, failed = to.Write(text)
		}
	})
	if err := errors.Join(failed, to.Close()); err != nil {
		return nil, err
	}
	return compressed(kind, out.Bytes())
}

// zip masks what a zip archive contains, and leaves out what nobody reads of it. Parts without
// anything to mask are copied as they are.
func (m *Masker) zip(path string, data []byte) ([]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return data, nil
	}
	var out bytes.Buffer
	to := zip.NewWriter(&out)
	masked := false
	last := map[string]*zip.File{}
	for _, f := range z.File {
		last[f.Name] = f
	}
	for _, f := range z.File {
		if last[f.Name] != f || !rawfile.IsInside(f.Name) { // which nobody reads
			masked = true
			continue
		}
		text, changed, err := m.member(path, f)
		switch {
		case err != nil: // a part that cannot be read cannot be masked
			masked, err = true, nil
		case !changed:
			err = to.Copy(f)
		default:
			masked = true
			var w io.Writer
			if w, err = to.CreateHeader(&zip.FileHeader{Name: f.Name, Comment: f.Comment, Method: zip.Deflate, Modified: f.Modified}); err == nil {
				_, err = w.Write(text)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	if err := to.Close(); err != nil || !masked {
		return data, err
	}
	return out.Bytes(), nil
}

// member returns the text of a part of an archive, and whether something in it was masked.
func (m *Masker) member(path string, f *zip.File) (text []byte, changed bool, err error) {
	if !f.Mode().IsRegular() || f.UncompressedSize64 > rawfile.MaxSize {
		return nil, false, nil
	}
	in, err := f.Open()
	if err != nil {
		return nil, false, err
	}
	defer in.Close()
	at := filepath.Join(path, filepath.FromSlash(f.Name))
	text, err = io.ReadAll(m.Through(at, in))
	e := m.known(at)
	return text, e != nil && len(e.found) > 0, err
}
