package mask

import (
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
// nothing is masked, else masked and compressed anew in the same form. What cannot be read as
// what it seems to be is published as it is only where it is no text.
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
	switch kind := rawfile.KindOf(data); kind {
	case rawfile.Zip:
		return m.archive(path, data)
	case rawfile.Gzip, rawfile.Zstd:
		content, err := rawfile.Decompress(kind, bytes.NewReader(data))
		if err != nil {
			return data, nil
		}
		defer content.Close()
		text, err := io.ReadAll(m.Through(path, content))
		if len(m.Of(path)) == 0 && err == nil {
			return data, nil
		}
		var out bytes.Buffer // what is cut off ends where it can be read
		if kind == rawfile.Gzip {
			z := gzip.NewWriter(&out)
			_, err = z.Write(text)
			err = errors.Join(err, z.Close())
		} else {
			err = rawfile.Compress(&out, bytes.NewReader(text))
		}
		return out.Bytes(), err
	}
	return m.Bytes(path, data), nil
}

// archive masks what a zip archive contains. Parts without anything to mask are copied as
// they are.
func (m *Masker) archive(path string, data []byte) ([]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return data, nil
	}
	var out bytes.Buffer
	to := zip.NewWriter(&out)
	masked := false
	for _, f := range z.File {
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
