package mask

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/benchpost/benchpost/generator/rawfile"
	"github.com/benchpost/benchpost/generator/sitefile"
)

// Published returns the bytes of a file in published form: those on disk if nothing is masked, otherwise the masked
// content in the same compression, or in gzip instead of bzip2. An archive is always written anew, without the names of
// owners, comments, links and everything else that is not read. Bytes that look like a compressed file but cannot be
// decompressed are returned unchanged. A zip archive that cannot be opened becomes an empty one.
func (m *Masker) Published(path string) ([]byte, error) {
	data, err := sitefile.Read(path)
	if err != nil {
		return nil, err
	}
	return m.Form(path, data)
}

// Form does what Published does, for bytes that were read from a path.
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
		return compressed(kind, text) // truncated data ends where it becomes unreadable
	}
	return m.Bytes(path, data), nil
}

// compressed compresses data. For Plain it returns the data itself.
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

// zip writes a zip archive anew from the members that are read, with their content masked. It leaves out members that
// cannot be read, and so cannot be masked. It also leaves out comments, links and owners.
func (m *Masker) zip(path string, data []byte) ([]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		z = new(zip.Reader) // no member can be read
	}
	var out bytes.Buffer
	to := zip.NewWriter(&out)
	names := m.Names()
	var failed error
	err = rawfile.EachZip(z, func(member string, in io.Reader, err error) {
		if err != nil || failed != nil {
			return
		}
		text, err := io.ReadAll(m.Through(filepath.Join(path, filepath.FromSlash(member)), in))
		if err != nil {
			return
		}
		var w io.Writer
		if w, failed = to.Create(strings.TrimPrefix(names.Member(archiveName, member), archiveName+"/")); failed == nil {
			_, failed = w.Write(text)
		}
	})
	if err := errors.Join(err, failed, to.Close()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// archiveName is used as the archive's path in the names of members, whatever the archive is called.
const archiveName = "archive"

// tar writes a tar archive anew from the members that are read, with their content masked. It leaves out members that
// cannot be read, and so cannot be masked.
func (m *Masker) tar(path string, kind rawfile.Kind, data []byte) ([]byte, error) {
	var out bytes.Buffer
	to := tar.NewWriter(&out)
	names := m.Names()
	var failed error
	_ = rawfile.EachTar(bytes.NewReader(data), func(member string, in io.Reader, err error) { // as far as it is readable
		if err != nil || failed != nil {
			return
		}
		text, err := io.ReadAll(m.Through(filepath.Join(path, filepath.FromSlash(member)), in))
		if err != nil {
			return
		}
		if failed = to.WriteHeader(&tar.Header{Name: strings.TrimPrefix(names.Member(archiveName, member), archiveName+"/"), Mode: 0o644, Size: int64(len(text))}); failed == nil {
			_, failed = to.Write(text)
		}
	})
	if err := errors.Join(failed, to.Close()); err != nil {
		return nil, err
	}
	return compressed(kind, out.Bytes())
}
