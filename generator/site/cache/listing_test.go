package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/benchpost/benchpost/generator/filemark"
	"github.com/benchpost/benchpost/generator/need"
)

// TestAListingIsWhatLiesThere checks that a listing equals a walk of the folders, whatever is made, renamed and
// removed.
func TestAListingIsWhatLiesThere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, top := filepath.Join(dir, "files"), filepath.Join(dir, "runs")
	rng := rand.New(rand.NewPCG(5, 6))
	path := func() string {
		p := top
		for range 1 + rng.IntN(3) {
			p = filepath.Join(p, fmt.Sprint("d", rng.IntN(3)))
		}
		return p
	}
	edits := []func(){
		func() {
			p := path()
			os.MkdirAll(p, 0o755)
			os.WriteFile(filepath.Join(p, fmt.Sprint(rng.IntN(4))), nil, 0o644)
		},
		func() { os.RemoveAll(path()) },
		func() { os.Rename(path(), path()) },
		func() { os.Remove(filepath.Join(path(), fmt.Sprint(rng.IntN(4)))) },
		func() {
			p := path()
			os.MkdirAll(filepath.Dir(p), 0o755)
			os.Symlink("nowhere", p)
		},
	}
	for step := range 300 {
		for range rng.IntN(3) {
			edits[rng.IntN(len(edits))]()
		}
		l := openListing(file)
		got := l.below([]string{top})
		var want []string
		_ = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				want = append(want, path)
			}
			return err
		})
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("step %d: %v, not %v", step, got, want)
		}
		if rng.IntN(3) > 0 {
			l.save()
		}
		if step%50 == 49 {
			data, _ := os.ReadFile(file)
			os.WriteFile(file, data[:len(data)/2], 0o644)
		}
	}
}

// TestAFolderIsListedOnce checks that a folder is opened only if its mark has changed.
func TestAFolderIsListedOnce(t *testing.T) {
	t.Parallel()
	need.System(t, "the mark of a folder follows its entries", "linux", "darwin")
	dir := t.TempDir()
	file, top := filepath.Join(dir, "files"), filepath.Join(dir, "runs")
	writeFile(t, filepath.Join(top, "a"), "")
	mark := folderMark(top)
	l := openListing(file)
	l.found, l.stale = []*listedFolder{{Path: top, Mark: mark, Files: []string{"remembered"}}}, true
	l.save()
	if got := openListing(file).below([]string{top}); !slices.Equal(got, []string{filepath.Join(top, "remembered")}) {
		t.Errorf("it was opened: %v", got)
	}
	for n := 0; folderMark(top) == mark; n++ { // until the file system's clock has ticked
		writeFile(t, filepath.Join(top, fmt.Sprint(n)), "")
	}
	if got := openListing(file).below([]string{top}); slices.Contains(got, filepath.Join(top, "remembered")) || !slices.Contains(got, filepath.Join(top, "a")) {
		t.Errorf("it was not opened: %v", got)
	}
}

// TestAStateHasTheTreeItFound checks that a state returns the entries of folders as os.ReadDir does, of every kind and
// in the same order, also for folders that it has not listed.
func TestAStateHasTheTreeItFound(t *testing.T) {
	t.Parallel()
	need.System(t, "links can be made", "linux", "darwin")
	dir := t.TempDir()
	top := filepath.Join(dir, "runs")
	for _, file := range []string{"b.log", "b/1.log", "b/.hidden", "Z", "c=1/2.log", "a-b"} {
		writeFile(t, filepath.Join(top, file), file)
	}
	if err := errors.Join(os.Symlink("b", filepath.Join(top, "link")), os.Symlink("none", filepath.Join(top, "b", "broken"))); err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(dir, "elsewhere")
	writeFile(t, filepath.Join(elsewhere, "x"), "")
	s := OpenState(Inputs{Dir: dir, Home: dir, Folders: []string{"runs"}})
	for range 2 { // first as listed, then as saved
		Fresh[int](s)
		for _, folder := range []string{top, filepath.Join(top, "b"), filepath.Join(top, "c=1"), elsewhere} {
			got, err := s.ReadDir(folder)
			want, wrong := os.ReadDir(folder)
			if err != nil || wrong != nil || !slices.EqualFunc(got, want, func(a, b fs.DirEntry) bool {
				return a.Name() == b.Name() && a.Type() == b.Type() && a.IsDir() == b.IsDir()
			}) {
				t.Errorf("%s: %v, %v; the disk has %v, %v", folder, got, err, want, wrong)
			}
			for _, e := range want {
				if name := filepath.Join(folder, e.Name()); e.Type().IsRegular() && s.Mark(name) != filemark.At(name) {
					t.Errorf("%s has another mark", name)
				}
			}
		}
		s.files.save()
	}
	name := filepath.Join(top, "b.log")
	before := s.Mark(name)
	writeFile(t, name, "another text")
	writeFile(t, filepath.Join(top, "later"), "")
	if got, err := s.ReadDir(top); s.Mark(name) != before || err != nil || len(got) != 6 {
		t.Errorf("what came later is there: %v, %v", got, err)
	}
	if _, err := s.ReadDir(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}
