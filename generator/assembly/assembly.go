// Package assembly makes shards from the runs of a site, on any number of machines, and builds a site from shards.
//
//	err := assembly.Write(ctx, dir, &config, mask, "shards", []string{"a"}, written)   // a worker
//	runs, done, err := assembly.Unpack(ctx, dir, []string{"shards"}, progress) // the machine that publishes
//	defer done()
//	site.Build(ctx, site.Options{Dir: dir, Runs: runs})
//
// The result is the same as that of a build from the raw files, byte for byte: package shard restores the files, and
// everything that reads runs reads these.
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

// Parts converts paths into paths below the runs of a site, as Write expects them.
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

// Written describes a shard that was written.
type Written struct {
	File     string // path of the shard
	Results  int
	Messages []result.Message // about its runs, sorted
}

// Write writes a shard for each part of a site's runs into the folder to. A part is a folder or file below runs/;
// without parts, each folder in runs/ is one. The shard of part a/b is the file a/b.parquet, which is written
// completely or not at all. Only one part is in memory at a time.
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

// allRuns is the name of the shard for runs in no folder.
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

// writeFile writes a shard atomically.
func writeFile(name string, from shard.Source) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".new-*") // hidden, so that no set includes it
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

// Unpack restores the runs in shards into a folder of the site's state, and returns its path. Shards are names for
// shard.Find. The folder is locked against other processes until done is called.
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
