// Package assembly makes shards of the runs of a site, on any number of machines, and a site of shards.
//
//	err := assembly.Write(ctx, dir, &config, mask, "shards", []string{"a"}, written)   // a worker
//	runs, done, err := assembly.Unpack(ctx, dir, []string{"shards"}, progress)          // who publishes
//	defer done()
//	site.Build(ctx, site.Options{Dir: dir, Runs: runs})
//
// What is built is what a build of the raw files makes, byte for byte: package shard lays their files out again, and
// all that reads runs reads these.
package assembly

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/mask"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/shard"
	"github.com/benchpost/benchpost/generator/site"
	"github.com/benchpost/benchpost/generator/site/cache"
)

// Parts returns what paths are below the runs of a site, as Write takes it.
func Parts(dir string, paths []string) ([]string, error) {
	runs := filepath.Join(dir, "runs")
	root, err := filepath.Abs(runs)
	if err != nil {
		return nil, err
	}
	var parts []string
	for _, name := range paths {
		at, err := filepath.Abs(name)
		if err != nil {
			return nil, err
		}
		rel, err := filepath.Rel(root, at)
		if err == nil {
			_, err = os.Stat(name)
		}
		if err != nil || rel == "." || !filepath.IsLocal(rel) {
			return nil, locale.Errorf("%s is neither a folder nor a file in %s, whose parts the shards hold", name, runs)
		}
		parts = append(parts, filepath.ToSlash(rel))
	}
	return parts, nil
}

// Written is a shard that was written.
type Written struct {
	File     string // where it is
	Results  int
	Messages []result.Message // about the runs in it, sorted
}

// Write writes a shard of each part of a site's runs into a folder: parts are folders and files below runs/, each
// of the folders in it where none is named. A part a/b gets the file a/b.parquet, whole or not at all. Only one part
// is in memory at a time.
func Write(ctx context.Context, dir string, c *config.Config, m *mask.Masker, to string, parts []string, written func(Written)) error {
	runs := filepath.Join(dir, "runs")
	if len(parts) == 0 {
		entries, err := os.ReadDir(runs)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
				parts = append(parts, e.Name())
			}
		}
		if len(parts) == 0 {
			parts = []string{""}
		}
	}
	for _, part := range parts {
		if err := ctx.Err(); err != nil {
			return err
		}
		one, err := write(dir, c, m, to, part)
		if err != nil {
			return err
		}
		written(one)
	}
	return nil
}

// allRuns is what the shard of runs that lie in no folder is called.
const allRuns = "runs"

func write(dir string, c *config.Config, m *mask.Masker, to, part string) (Written, error) {
	set, err := site.Part(dir, c, m, part)
	if err != nil {
		return Written{}, err
	}
	from := shard.Source{Root: filepath.Join(dir, "runs"), Part: part, Mask: m}
	for i := range set.Results {
		from.Results = append(from.Results, &set.Results[i])
	}
	name := allRuns
	if part != "" {
		name = strings.TrimPrefix(set.Published("runs/"+part), "runs/")
	}
	one := Written{File: filepath.Join(to, filepath.FromSlash(name)+".parquet"), Results: len(from.Results), Messages: set.Messages}
	return one, writeFile(one.File, from)
}

// writeFile writes a shard whole, or leaves what is there.
func writeFile(name string, from shard.Source) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".new-*") // a name that no set of shards takes in
	if err != nil {
		return err
	}
	err = errors.Join(from.Write(f), f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		if gone := os.Remove(f.Name()); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}

// Unpack lays the runs of shards out in the site's own folder, and returns where; shards are files, folders and patterns
// as shard.Find has them. No other process lays out shards there until done is called.
func Unpack(ctx context.Context, dir string, shards []string, progress func(string)) (runs string, done func(), err error) {
	set, err := shard.Find(shards)
	if err != nil {
		return "", nil, err
	}
	done, err = cache.Lock(ctx, dir, "shards", func() { progress("waiting for another benchpost") })
	if err != nil {
		return "", nil, err
	}
	runs, err = cache.Folder(dir, "shards")
	if err == nil {
		progress("reading shards")
		err = set.Unpack(ctx, runs, "")
	}
	if err != nil {
		done()
		return "", nil, err
	}
	return runs, done, nil
}
