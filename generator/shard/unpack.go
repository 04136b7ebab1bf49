package shard

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/benchpost/benchpost/generator/locale"
)

// Unpack writes the files of the shards into a folder, which becomes a copy of runs/, and removes everything else
// there. With a part, which is a folder in runs/, it writes only that folder and the files beside it. It does not
// rewrite files that exist with the same content. The folder belongs to benchpost: its content may be deleted at any
// time. Memory grows by some hundred bytes per file.
func (s *Set) Unpack(ctx context.Context, into, part string) error {
	if err := os.MkdirAll(into, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(into)
	if err != nil {
		return err
	}
	defer root.Close()
	u := unpacker{set: s, root: root, part: part, seen: map[string]*unpacked{}, folders: map[string]bool{".": true}}
	for i := range s.files {
		contents, known := s.contents[i]
		known = known && part != ""
		if known && len(contents[""])+len(contents[part]) == 0 {
			continue
		}
		err := s.open(i, func(f *file) error {
			for n, rows := range f.parquet.RowGroups() {
				if known && !slices.Contains(contents[""], n) && !slices.Contains(contents[part], n) {
					continue
				}
				if err := u.group(i, f, rows); err != nil {
					return err
				}
				if err := ctx.Err(); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if err := u.complete(); err != nil {
		return err
	}
	return u.tidy()
}

type unpacker struct {
	set     *Set
	root    *os.Root
	part    string
	seen    map[string]*unpacked // by path
	folders map[string]bool      // folders that exist
}

// unpacked is a file that was found in a shard.
type unpacked struct {
	shard   int
	size    int64
	sum     [sha256.Size]byte
	missing map[int64]bool // numbers of missing pieces; nil when the file is complete
}

// group writes the files in a group of rows.
func (u *unpacker) group(at int, s *file, rows parquet.RowGroup) error {
	names := []string{formColumn, pathColumn, pieceColumn, sizeColumn, sumColumn, bytesColumn}
	if u.part != "" {
		some := false
		if err := s.each(rows, []string{pathColumn}, func(r row) error {
			some = some || u.isOf(r.text(0))
			return nil
		}); err != nil || !some {
			return err
		}
	}
	return s.each(rows, names, func(r row) error {
		if form := r.text(0); form != Form {
			return locale.Errorf("%s has the form %q, but this benchpost reads %q: write it again with this version, or build with the version that wrote it", s.name, form, Form)
		}
		if name := r.text(1); !r[2].IsNull() && u.isOf(name) {
			return u.piece(at, name, r)
		}
		return nil
	})
}

// isOf reports whether a path is in the part, or in no folder.
func (u *unpacker) isOf(name string) bool {
	folder, _, in := strings.Cut(name, "/")
	return u.part == "" || !in || folder == u.part
}

// piece checks and writes a piece of a file.
func (u *unpacker) piece(at int, name string, r row) error {
	shard, number, size, data := u.set.files[at], r.number(2), r.number(3), r.bytes(5)
	if !isPath(name) {
		return locale.Errorf("%s names %q, which no file in runs/ can be called: write it again with benchpost results --shards", shard, name)
	}
	broken := func() error {
		return locale.Errorf("runs/%s in %s is damaged: write the shard again with benchpost results --shards", name, shard)
	}
	sum, err := hex.DecodeString(r.text(4))
	if err != nil || len(sum) != sha256.Size || size < 0 || number < 0 || number >= pieces(size) || int64(len(data)) != min(pieceSize, size-number*pieceSize) {
		return broken()
	}
	f := u.seen[name]
	isNew := f == nil
	if isNew {
		f = &unpacked{shard: at, size: size, sum: [sha256.Size]byte(sum)}
		if n := pieces(size); n > 1 {
			f.missing = map[int64]bool{}
			for i := range n {
				f.missing[i] = true
			}
		}
		u.seen[name] = f
	}
	if f.size != size || f.sum != [sha256.Size]byte(sum) {
		return locale.Errorf("runs/%s is in %s and, with other contents, in %s: remove one of the shards, or write both again from the same files", name, u.set.files[f.shard], shard)
	}
	if !isNew && !f.missing[number] {
		return nil
	}
	if delete(f.missing, number); len(f.missing) == 0 {
		f.missing = nil
	}
	if size <= pieceSize && sha256.Sum256(data) != f.sum {
		return broken()
	}
	return u.put(name, number*pieceSize, size, data)
}

// isPath reports whether a shard may contain a file name: it must be local and not hidden.
func isPath(name string) bool {
	return fs.ValidPath(name) && name != "." && filepath.IsLocal(filepath.FromSlash(name)) && !strings.Contains(name, `\`) &&
		!strings.HasPrefix(name, ".") && !strings.Contains(name, "/.")
}

// put writes a piece unless it exists already.
func (u *unpacker) put(name string, at, size int64, data []byte) error {
	if folder := path.Dir(name); !u.folders[folder] {
		if err := u.makeFolder(folder); err != nil {
			return err
		}
	}
	local := filepath.FromSlash(name)
	if info, err := u.root.Lstat(local); err == nil && !info.Mode().IsRegular() {
		if err := u.root.RemoveAll(local); err != nil {
			return err
		}
	} else if err == nil && info.Size() == size {
		if same, err := u.has(local, at, data); same || err != nil {
			return err
		}
	}
	f, err := u.root.OpenFile(local, os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(data, at)
	return errors.Join(err, f.Truncate(size), f.Close())
}

// has reports whether a file contains a piece at an offset.
func (u *unpacker) has(local string, at int64, data []byte) (bool, error) {
	f, err := u.root.Open(local)
	if err != nil {
		return false, err
	}
	defer f.Close()
	there := make([]byte, len(data))
	_, err = f.ReadAt(there, at)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return bytes.Equal(there, data), err
}

// makeFolder creates a folder and its parents. It replaces a file of the same name, which may be from another set.
func (u *unpacker) makeFolder(folder string) error {
	if u.folders[folder] {
		return nil
	}
	if err := u.makeFolder(path.Dir(folder)); err != nil {
		return err
	}
	local := filepath.FromSlash(folder)
	if info, err := u.root.Lstat(local); err == nil && !info.IsDir() {
		if err := u.root.Remove(local); err != nil {
			return err
		}
	}
	if err := u.root.Mkdir(local, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	u.folders[folder] = true
	return nil
}

// complete returns an error for a file with missing pieces, or whose pieces do not match its checksum.
func (u *unpacker) complete() error {
	for _, name := range slices.Sorted(maps.Keys(u.seen)) {
		f := u.seen[name]
		if f.missing != nil {
			return locale.Errorf("%d of %d pieces of runs/%s are in no shard, the others in %s: name all files of the data set, or write the shard again", len(f.missing), pieces(f.size), name, u.set.files[f.shard])
		}
		if f.size <= pieceSize {
			continue
		}
		sum, err := u.sum(name)
		if err != nil {
			return err
		}
		if sum != f.sum {
			return locale.Errorf("runs/%s in %s is damaged: write the shard again with benchpost results --shards", name, u.set.files[f.shard])
		}
	}
	return nil
}

func (u *unpacker) sum(name string) (sum [sha256.Size]byte, err error) {
	f, err := u.root.Open(filepath.FromSlash(name))
	if err != nil {
		return sum, err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return [sha256.Size]byte(h.Sum(nil)), err
}

// tidy removes what no shard contains.
func (u *unpacker) tidy() error {
	return fs.WalkDir(u.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && !u.folders[name]:
			if err := u.root.RemoveAll(filepath.FromSlash(name)); err != nil {
				return err
			}
			return fs.SkipDir
		case !d.IsDir() && u.seen[name] == nil:
			return u.root.Remove(filepath.FromSlash(name))
		}
		return nil
	})
}
