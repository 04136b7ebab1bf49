package site

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/rawfile"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
	"github.com/benchpost/benchpost/generator/site/cache"
)

func TestSourceOfASmallFileIsWhole(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := filesOf(t, dir, "one\ntwo\nthree\n")
	r := &result.Result{Source: result.Position{File: "runs/a.log", Line: 2}, EndLine: 2}
	got, err := b.source(r)
	if err != nil || string(got.Data) != "one\ntwo\nthree\n" || got.First != 1 || got.Size != 14 {
		t.Errorf("got %q from line %d of %d bytes, %v", got.Data, got.First, got.Size, err)
	}
	if block, err := b.raw(r); err != nil || string(block) != "two\n" {
		t.Errorf("block %q, %v", block, err)
	}
}

// TestSourceOfALargeFileIsTheBlock checks that of a large file only the shown block is returned, wherever it is.
func TestSourceOfALargeFileIsTheBlock(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var text strings.Builder
	for n := 1; text.Len() <= page.MaxRaw+1; n++ {
		fmt.Fprintf(&text, "line %d %s\n", n, strings.Repeat("x", n%90_000)) // some lines are longer than any buffer
	}
	lines := strings.Split(text.String(), "\n")
	b := filesOf(t, dir, text.String())
	for _, line := range []int{1, 2, 1000, len(lines) - 2} {
		r := &result.Result{Source: result.Position{File: "runs/a.log", Line: line}, EndLine: line + 1}
		block, err := b.raw(r)
		if want := strings.Join(lines[line-1:min(line+1, len(lines))], "\n"); err != nil || strings.TrimSuffix(string(block), "\n") != strings.TrimSuffix(want, "\n") {
			t.Errorf("line %d: got %d bytes, want %d, %v", line, len(block), len(want), err)
		}
		if got, _ := b.source(r); len(got.Data) > sourceMost+128<<10 || got.Size != int64(text.Len()) {
			t.Errorf("line %d: %d bytes read", line, len(got.Data))
		}
	}
}

// filesOf returns the raw files of a site with one run, whose file has the given text.
func filesOf(t *testing.T, dir, text string) rawFiles {
	t.Helper()
	folder.Write(t, dir, map[string]string{"runs/a.log": text})
	memory := rundir.NewMemory()
	if _, err := rundir.Load(filepath.Join(dir, "runs"), rundir.Options{Name: "runs", Memory: memory}); err != nil {
		t.Fatal(err)
	}
	return rawFiles{at: Options{Dir: dir}.path, memory: memory, sums: cache.OpenSums(dir, dir), opener: &rawfile.Unpacker{}}
}
