package shard

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
)

// Set is a set of shards whose rows together are one archive of runs.
type Set struct {
	files    []string
	contents map[int]Contents // by shard, as far as known
}

// Find finds shards. A name is a file, a pattern of package filepath, or a folder, which means all files in and below
// it that end in .parquet. It skips names that begin with a dot or an underscore, as Spark writes beside its files.
func Find(names []string) (*Set, error) {
	found := map[string]bool{}
	for _, name := range names {
		matches := []string{name}
		if _, err := os.Stat(name); err != nil {
			if matches, err = filepath.Glob(name); err != nil {
				return nil, locale.Errorf("%s is not a pattern of files: %v", name, err)
			}
		}
		before := len(found)
		for _, match := range matches {
			if err := below(match, func(file string) { found[filepath.Clean(file)] = true }); err != nil {
				return nil, err
			}
		}
		if len(found) == before && len(matches) == 0 {
			return nil, locale.Errorf("no file matches %s: name a shard, a folder of shards, or a pattern as 'shards/*.parquet'", name)
		}
	}
	if len(found) == 0 {
		return nil, locale.Errorf("no file in %s ends in .parquet: write shards with benchpost results --shards", strings.Join(names, ", "))
	}
	return &Set{slices.Sorted(maps.Keys(found)), map[int]Contents{}}, nil
}

// below visits a file, or the shards in and below a folder.
func below(name string, visit func(string)) error {
	return filepath.WalkDir(name, func(at string, d fs.DirEntry, err error) error {
		hidden := err == nil && at != name && (strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_"))
		switch {
		case err != nil:
			return err
		case d.IsDir() && hidden:
			return fs.SkipDir
		case !d.IsDir() && !hidden && (at == name || strings.HasSuffix(d.Name(), ".parquet")):
			visit(at)
		}
		return nil
	})
}

// Contents maps each folder in runs/ to the row groups of a shard that contain it; "" is for files in no folder.
type Contents map[string][]int

// Files returns the names of the shards, sorted.
func (s *Set) Files() []string { return s.files }

// Know sets the contents of a shard, given by its index in Files. Unpack opens only shards that contain something of
// its part.
func (s *Set) Know(shard int, contents Contents) { s.contents[shard] = contents }

// Scan visits the results in a shard: the folder in runs/ ("" for none), the id, and the values of the given columns,
// which are valid until the next result.
func (s *Set) Scan(shard int, columns []string, visit func(folder, id string, values []Cell)) (Contents, error) {
	found := Contents{}
	read := append([]string{pathColumn, resultColumn}, columns...)
	err := s.open(shard, func(f *file) error {
		for n, rows := range f.parquet.RowGroups() {
			in := map[string]bool{}
			folder := ""
			if err := f.each(rows, read, func(r row) error {
				if at := folderOf(r.bytes(0)); string(at) != folder || !in[folder] {
					folder = string(at)
					in[folder] = true
				}
				if !r[1].IsNull() {
					visit(folder, r.text(1), r[2:])
				}
				return nil
			}); err != nil {
				return err
			}
			for name := range in {
				found[name] = append(found[name], n)
			}
		}
		return nil
	})
	return found, err
}

// folderOf returns the folder in runs/ at the beginning of a path, nil for none.
func folderOf(path []byte) []byte {
	folder, _, in := bytes.Cut(path, []byte("/"))
	if !in {
		return nil
	}
	return folder
}

// open opens a shard while read runs.
func (s *Set) open(i int, read func(*file) error) error {
	f, err := open(s.files[i])
	if err != nil {
		return err
	}
	defer f.Close() // the shard is only read
	return read(f)
}
