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

// Set is some shards, whose rows are one archive of runs.
type Set struct {
	files    []string
	contents map[int]Contents // of the shards, as far as it is known
}

// Find finds shards: files, patterns of files as package filepath has them, and folders with all in them that
// ends in .parquet, but for names that begin with a dot or an underscore, as Spark has beside its files.
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

// below visits a file, or the shards in a folder.
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

// Contents are the groups of rows, by number, that a shard has of each folder in runs/; of what lies in none by "".
type Contents map[string][]int

// Files returns the names of the shards, sorted.
func (s *Set) Files() []string { return s.files }

// Know notes what a shard, by its place among the files, was found to contain: Unpack opens only those that have
// something of its part.
func (s *Set) Know(shard int, contents Contents) { s.contents[shard] = contents }

// Scan visits the results in a shard: the folder in runs/ that each lies in, "" for none, its id, and its values of
// some columns, which hold until the next.
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

// folderOf returns the folder in runs/ that a path leads into, "" for none.
func folderOf(path []byte) []byte {
	folder, _, in := bytes.Cut(path, []byte("/"))
	if !in {
		return nil
	}
	return folder
}

// open opens a shard for as long as it is read.
func (s *Set) open(i int, read func(*file) error) error {
	f, err := open(s.files[i])
	if err != nil {
		return err
	}
	defer f.Close() // which was only read
	return read(f)
}
