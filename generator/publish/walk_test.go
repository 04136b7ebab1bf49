package publish

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/benchpost/benchpost/generator/need"
)

// TestWalk checks that after each commit the folder has the files of that commit and those of others, and nothing else,
// whatever is written and whatever others do in the folder meanwhile.
func TestWalk(t *testing.T) {
	seeds := need.Times(4, 60)
	var spared atomic.Int32
	t.Cleanup(func() { // some walks make a spare tree impossible early
		if walks := 3 * seeds; canExchange && int(spared.Load()) < walks*3/4 {
			t.Errorf("of %d walks that may have a spare tree only %d had one", walks, spared.Load())
		}
	})
	for seed := range uint64(seeds) {
		for _, way := range []string{"one process", "many processes", "killed processes", "a journal"} {
			t.Run(fmt.Sprintf("%s/%d", way, seed), func(t *testing.T) {
				t.Parallel()
				w := newWalk(t, way, rand.New(rand.NewPCG(seed, 7)))
				for range 25 {
					w.step(t)
				}
				if w.spares > 0 && way != "a journal" {
					spared.Add(1)
				}
			})
		}
	}
}

// walk is a folder that is written and disturbed at random.
type walk struct {
	way     string
	rng     *rand.Rand
	folder  *Folder
	dir     string
	ours    map[string]string // files of the last commit, by path
	foreign map[string]string // files of others
	spares  int               // commits after which there was a spare tree
}

func newWalk(t *testing.T, way string, rng *rand.Rand) *walk {
	w := &walk{way: way, rng: rng, dir: filepath.Join(t.TempDir(), "public"), foreign: map[string]string{}}
	w.open(t)
	return w
}

// open opens the folder as a new process does.
func (w *walk) open(t *testing.T) {
	w.folder = at(t, w.dir, Replace)
	w.folder.opt.Durable = false
	if w.way == "a journal" {
		w.folder = At(w.dir, Options{})
	}
}

var names = []string{"a", "b", "c/a", "c/b", "c/d/a", "c/d/b", "e/f/g/a", "e/f/g/b"}

func (w *walk) step(t *testing.T) {
	switch w.way {
	case "many processes":
		w.folder.Close()
		w.open(t)
	case "killed processes":
		w.open(t)
	}
	if w.rng.IntN(3) == 0 {
		w.disturb(t)
	}
	files := map[string]string{}
	for _, name := range names {
		if w.rng.IntN(4) > 0 {
			files[name] = fmt.Sprint(w.rng.IntN(3))
		}
	}
	o, err := w.folder.Open()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		put := o.Put
		if w.ours[name] != files[name] && w.rng.IntN(2) == 0 {
			put = o.Rewrite
		}
		if err := put(name, []byte(files[name])); err != nil {
			t.Fatal(err)
		}
	}
	if w.rng.IntN(5) == 0 {
		if err := o.Discard(); err != nil {
			t.Fatal(err)
		}
		w.check(t)
		return
	}
	if _, err := o.Commit(); err != nil {
		t.Fatal(err)
	}
	w.ours = files
	w.check(t)
	w.checkSpare(t)
	for _, name := range []string{stageName, "../" + stageName + "-public", "../" + workName + "/" + newName} {
		if _, err := os.Lstat(filepath.Join(w.dir, name)); err == nil {
			t.Errorf("%s is left", name)
		}
	}
}

// disturb changes the folder as somebody else might.
func (w *walk) disturb(t *testing.T) {
	if _, err := os.Stat(w.dir); err != nil {
		return
	}
	in := func(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }
	var err error
	switch w.rng.IntN(7) {
	case 0:
		w.foreign["CNAME"] = fmt.Sprint("mine", w.rng.IntN(9))
		err = os.WriteFile(in("CNAME"), []byte(w.foreign["CNAME"]), 0o644)
	case 1:
		w.foreign["own/folder/x"] = "mine"
		if err = os.MkdirAll(in("own/folder"), 0o755); err == nil {
			err = os.WriteFile(in("own/folder/x"), []byte("mine"), 0o644)
		}
	case 2: // a repository
		w.foreign[".git/HEAD"] = "ref"
		if err = os.MkdirAll(in(".git"), 0o755); err == nil {
			err = os.WriteFile(in(".git/HEAD"), []byte("ref"), 0o644)
		}
	case 3:
		if _, there := w.foreign["link"]; !there {
			w.foreign["link"] = "-> CNAME"
			err = os.Symlink("CNAME", in("link"))
		}
	case 4: // others remove their own files
		for name := range w.foreign {
			delete(w.foreign, name)
			err = os.Remove(in(name))
			removeEmpty(w.dir, filepath.Dir(in(name)))
		}
	case 5: // one editor writes in place, another replaces the file
		for name := range w.ours {
			w.ours[name] = "by hand"
			if err = os.WriteFile(in(name), []byte("by hand"), 0o644); err == nil && w.rng.IntN(2) == 0 {
				if err = os.WriteFile(in("tmp~"), []byte("by hand"), 0o644); err == nil {
					err = os.Rename(in("tmp~"), in(name))
				}
			}
			break
		}
	case 6:
		for name := range w.ours {
			delete(w.ours, name)
			err = os.Remove(in(name))
			break
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// check compares the folder with its expected contents.
func (w *walk) check(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(w.dir); err != nil && w.ours == nil {
		return
	}
	want := maps.Clone(w.foreign)
	maps.Copy(want, w.ours)
	got := holds(t, w.dir)
	delete(got, listName)
	if !maps.Equal(got, want) {
		t.Fatalf("there is %v, not %v", got, want)
	}
}

// checkSpare compares the spare tree, if there is one, with the folder.
func (w *walk) checkSpare(t *testing.T) {
	t.Helper()
	if s := w.folder.spare; s != nil && s.marks != nil {
		w.spares++
		want := holds(t, w.dir)
		if got := holds(t, s.tree()); !maps.Equal(got, want) {
			t.Fatalf("the spare tree holds %v, not %v", got, want)
		}
		for name := range want {
			a, err1 := os.Stat(filepath.Join(w.dir, name))
			b, err2 := os.Stat(filepath.Join(s.tree(), name))
			if !strings.HasPrefix(want[name], "->") && (err1 != nil || err2 != nil || !os.SameFile(a, b)) {
				t.Fatalf("%s is not the same file in the spare tree: %v %v", name, err1, err2)
			}
		}
	}
}

// holds returns the files of a folder with their contents.
func holds(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		if d.Type() == fs.ModeSymlink {
			to, err := os.Readlink(name)
			files[rel] = "-> " + to
			return err
		}
		data, err := os.ReadFile(name)
		files[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
