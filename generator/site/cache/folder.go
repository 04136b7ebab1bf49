package cache

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/benchpost/benchpost/generator/pack"
	"github.com/benchpost/benchpost/generator/sitefile"
)

// Name is the folder of benchpost in a site. Git ignores it. It is safe to delete, except for what Folder keeps there.
const Name = ".benchpost"

// Folder creates a folder inside it for data that must be kept out of git, and returns its path.
func Folder(dir, name string) (string, error) {
	folder := filepath.Join(dir, Name, name)
	return folder, makeFolder(folder)
}

// write writes a whole file of that folder. It always uses the same temporary name, so that killed processes do not
// leave more and more files. The caller holds the lock.
func write(file string, encode func(io.Writer) error) error {
	if err := makeFolder(filepath.Dir(file)); err != nil {
		return err
	}
	if err := os.Remove(file + ".new"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(file+".new", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(f)
	if err := errors.Join(encode(b), b.Flush(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return os.Rename(f.Name(), file)
}

// writeSummed writes a value to a file that begins with a checksum of its bytes; readSummed reads it. ok is false if
// the file is missing, damaged or of another type.
func writeSummed[T any](file string, v T) error {
	_, write := summed(file, v)
	return write()
}

// summed does what writeSummed does in two steps: it packs the value, and returns the checksum and a function that
// writes the file.
func summed[T any](file string, v T) (sum check, writing func() error) {
	data, ok := pack.Pack(&v)
	if !ok {
		return sum, func() error { return errors.ErrUnsupported }
	}
	sum = checkOf(data)
	return sum, func() error {
		return write(file, func(w io.Writer) error {
			_, err := w.Write(sum[:])
			if err == nil {
				_, err = w.Write(data)
			}
			return err
		})
	}
}

func readSummed[T any](file string) (sum check, v T, ok bool) {
	sum, data, ok := readSum(file)
	if ok {
		v, ok = pack.Unpack[T](data, new(pack.Texts))
	}
	return sum, v, ok
}

// readSum reads a file that begins with a checksum of the rest, and returns both.
func readSum(file string) (sum check, data []byte, ok bool) {
	data, err := sitefile.Read(file)
	if err != nil || len(data) < len(sum) {
		return sum, nil, false
	}
	kept := check(data)
	data = data[len(kept):]
	sum = checkOf(data)
	return sum, data, sum == kept
}

// makeFolder creates the folder Name or a folder in it, and makes git ignore it, whatever the site's own .gitignore
// lists.
func makeFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	top := dir
	for filepath.Base(top) != Name && filepath.Dir(top) != top {
		top = filepath.Dir(top)
	}
	list := filepath.Join(top, ".gitignore")
	if filepath.Base(top) != Name {
		return nil
	}
	if info, err := os.Lstat(list); err == nil && (info.Size() > 0 || !info.Mode().IsRegular()) {
		return nil // an empty file is from a killed process; writing to a pipe would block
	}
	return os.WriteFile(list, []byte("*\n"), 0o644)
}
