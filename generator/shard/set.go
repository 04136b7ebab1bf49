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
	files  []string
	groups map[string][]group // of each part, once Parts has been asked for; that of what lies in no folder is ""
}

// group is a group of rows.
type group struct{ file, number int }

// Find finds shards: files, patterns of files as package filepath has them, and folders with all in them that
// ends in .parquet, but for names that begin with a dot or an underscore, as Spark has beside its files.
func Find(names []string) (*Set, error) {
	found := map[string]bool{}
	for _, name := range names {
		matches := []string{name}
		if _, err := os.Stat(name); err != nil {
			if matches, err = filepath.Glob(name); err != nil {
				return nil, locale.Errorf("%s is no pattern of files: %v", name, err)
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
	return &Set{files: slices.Sorted(maps.Keys(found))}, nil
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

// Part is a folder of runs, by the columns of its results as the shards have them.
type Part struct {
	Name     string // of the folder in runs/
	Results  int
	Models   []string // of results, sorted; so are the others
	Hardware []string
	Engines  []string
}

// partColumns are read for it, behind the path.
var partColumns = []string{pathColumn, resultColumn, "model", "hardware", "engine"}

// Parts returns the folders in runs/ that the shards have files of, sorted. What they contain is found without
// reading it.
func (s *Set) Parts() ([]Part, error) {
	s.groups = map[string][]group{}
	found := map[string]*counts{}
	for i := range s.files {
		err := s.open(i, func(f *shard) error {
			for n, rows := range f.file.RowGroups() {
				here := map[string]bool{}
				if err := f.each(rows, partColumns, func(r row) error {
					name := folderOf(r.bytes(0))
					if !here[string(name)] {
						here[string(name)] = true
					}
					c := found[string(name)]
					if c == nil {
						c = new(counts)
						found[string(name)] = c
					}
					c.add(r)
					return nil
				}); err != nil {
					return err
				}
				for name := range here {
					s.groups[name] = append(s.groups[name], group{i, n})
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	var parts []Part
	for _, name := range slices.Sorted(maps.Keys(s.groups)) {
		if c := found[name]; name != "" && c.results > 0 {
			parts = append(parts, Part{name, c.results, slices.Sorted(maps.Keys(c.values[0])), slices.Sorted(maps.Keys(c.values[1])), slices.Sorted(maps.Keys(c.values[2]))})
		}
	}
	return parts, nil
}

// folderOf returns the folder in runs/ that a path leads into, "" for none.
func folderOf(path []byte) []byte {
	folder, _, in := bytes.Cut(path, []byte("/"))
	if !in {
		return nil
	}
	return folder
}

// counts is what is found of a part.
type counts struct {
	results int
	values  [3]map[string]bool // of partColumns behind the id
}

func (c *counts) add(r row) {
	if r[1].IsNull() {
		return
	}
	c.results++
	for i := range c.values {
		if v := r[i+2]; !v.IsNull() && !c.values[i][string(v.ByteArray())] {
			if c.values[i] == nil {
				c.values[i] = map[string]bool{}
			}
			c.values[i][string(v.ByteArray())] = true
		}
	}
}

// open opens a shard for as long as it is read.
func (s *Set) open(i int, read func(*shard) error) error {
	f, err := open(s.files[i])
	if err != nil {
		return err
	}
	defer f.Close() // which was only read
	return read(f)
}
