package site

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/internal/invent"
	"github.com/benchpost/benchpost/generator/site/cache"
)

// campaigns makes and builds a site whose posts show one campaign each.
func campaigns(t *testing.T, n int) (dir string) {
	dir = t.TempDir()
	put := func(name, text string) { writeFile(t, filepath.Join(dir, name), text) }
	put(config.Name, "title = \"Campaigns\"\nlanguages = [\"en\"]\n")
	for i := range n {
		for _, model := range []string{"a", "b"} {
			put(fmt.Sprintf("runs/c%d/model=%s/run.log", i, model), invent.Block(10*i+len(model)))
		}
		put(fmt.Sprintf("content/posts/c%d.en.md", i), fmt.Sprintf("+++\ntitle = \"Campaign %d\"\ndate = 2026-01-%02d\nruns = '{campaign=\"c%d\"}'\n+++\n\n"+
			"It gives `= output_throughput{model=\"a\"}`.\n\n```benchpost table\nrows = [\"model\"]\ncolumns = [\"output_throughput\"]\n```\n\n```benchpost chart\nkind = \"bars\"\nvalue = \"output_throughput\"\n```\n", i, i+1, i))
	}
	rebuild(t, dir)
	return dir
}

// rebuild builds a site as another process does, and compares it with a complete build.
func rebuild(t *testing.T, dir string) Summary {
	t.Helper()
	s, ms, err := Build(context.Background(), Options{Dir: dir})
	if err != nil || s.Broken {
		t.Fatal(err, ms)
	}
	fresh := t.TempDir()
	for _, folder := range []string{"runs", "content"} {
		if err := os.CopyFS(filepath.Join(fresh, folder), os.DirFS(filepath.Join(dir, folder))); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, config.Name))
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(fresh, config.Name), string(text))
	whole, want, err := Build(context.Background(), Options{Dir: fresh})
	if err != nil || fmt.Sprint(ms) != fmt.Sprint(want) || s.Charts != whole.Charts || s.Masked != whole.Masked {
		t.Fatalf("%+v\n%v\nnot %+v\n%v: %v", s, ms, whole, want, err)
	}
	if !compareTrees(t, filepath.Join(dir, "public"), filepath.Join(fresh, "public")) {
		t.FailNow()
	}
	return s
}

// TestAnotherProcessEvaluatesWhatHasChanged checks that another process evaluates, writes and draws only the posts that
// show what has changed.
func TestAnotherProcessEvaluatesWhatHasChanged(t *testing.T) {
	t.Parallel()
	const posts = 6
	dir := campaigns(t, posts)
	write := func(name, text string) { writeFile(t, filepath.Join(dir, name), text) }
	for _, change := range []struct {
		what      string
		make      func()
		evaluated int
	}{
		{"a run", func() { write("runs/c3/model=a/run.log", invent.Block(77)) }, 1},
		{"a label", func() { write("runs/c4/run.toml", "engine_version = \"9\"\n") }, 1},
		{"a run more", func() { write("runs/c5/model=c/run.log", invent.Block(5)) }, 1},
		{"labels that cannot be read", func() { write("runs/c4/run.toml", "engine_version = \n") }, 1},
		{"a number that no run has, while one is not read", func() {
			const name = "content/posts/c0.en.md"
			text, _ := os.ReadFile(filepath.Join(dir, name))
			write(name, string(text)+"\nIt reaches 98765.43 tok/s.\n")
		}, 1},
		{"labels that can be read", func() { write("runs/c4/run.toml", "engine_version = \"8\"\n") }, 2},
		{"a run less", func() { os.RemoveAll(filepath.Join(dir, "runs/c5/model=b")) }, 1},
		{"a run moved", func() {
			os.Rename(filepath.Join(dir, "runs/c1/model=a/run.log"), filepath.Join(dir, "runs/c2/model=a/second.log"))
			write("runs/c1/model=a/other.log", invent.Block(3))
		}, 2},
		{"a text", func() {
			const name = "content/posts/c1.en.md"
			text, _ := os.ReadFile(filepath.Join(dir, name))
			write(name, string(text)+"\nMore.\n")
		}, 1},
		{"a secret in a text", func() {
			const name = "content/posts/c1.en.md"
			text, _ := os.ReadFile(filepath.Join(dir, name))
			write(name, string(text)+"\npassword=hunter2-correct-horse\n")
		}, 1},
		{"a run beside a secret", func() { write("runs/c0/model=b/run.log", invent.Block(78)) }, 1},
		{"the title of the site", func() { write(config.Name, "title = \"Others\"\nlanguages = [\"en\"]\n") }, posts},
		{"nothing that a post shows", func() { write("runs/other/model=a/run.log", invent.Block(4)) }, 0},
	} {
		change.make()
		s := rebuild(t, dir)
		if hidden := strings.Contains(change.what, "secret"); hidden && s.Masked.Secrets != 1 {
			t.Errorf("%s: %s is masked", change.what, s.Masked)
		}
		if s.Evaluated != change.evaluated {
			t.Errorf("%s: %d posts were evaluated, not %d", change.what, s.Evaluated, change.evaluated)
		}
		made := slices.DeleteFunc(s.Made, func(name string) bool { return !strings.HasPrefix(name, "post ") })
		if len(made) != change.evaluated {
			t.Errorf("%s: the files of %v were made", change.what, made)
		}
	}
}

// TestDamagedEvaluationsAreMadeAgain checks that damaged evaluations are not used.
func TestDamagedEvaluationsAreMadeAgain(t *testing.T) {
	t.Parallel()
	const posts = 3
	dir := campaigns(t, posts)
	name := filepath.Join(dir, cache.Name, "posts")
	for i, damage := range []func(data []byte) []byte{
		func(data []byte) []byte { return nil },
		func(data []byte) []byte { return data[:len(data)/2] },
		func(data []byte) []byte { data[len(data)-20] ^= 1; return data },
		func(data []byte) []byte { data[3] ^= 1; return data },
		func(data []byte) []byte { return append(data, 0) },
	} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, damage(data), 0o644); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, "runs/c1/model=a/run.log"), invent.Block(100+i))
		if s := rebuild(t, dir); s.Evaluated != posts {
			t.Errorf("damage %d: %d posts were evaluated", i, s.Evaluated)
		}
	}
}

// TestDamagedStoresAreMadeAgain checks that damaged data in any file that a build leaves for the next is not used, but
// made again.
func TestDamagedStoresAreMadeAgain(t *testing.T) {
	t.Parallel()
	dir := campaigns(t, 2)
	for i, name := range []string{"ledger", "sums", "readings", "files", "build.json"} {
		for n, damage := range []func(data []byte) []byte{
			func(data []byte) []byte { return data[:len(data)/2] },
			func(data []byte) []byte { data[len(data)*3/4] ^= 1; return data },
		} {
			file := filepath.Join(dir, cache.Name, name)
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, damage(data), 0o644); err != nil {
				t.Fatal(err)
			}
			writeFile(t, filepath.Join(dir, "runs/c1/model=a/run.log"), invent.Block(100+10*i+n))
			rebuild(t, dir)
		}
	}
}

// TestABuildOfNothingNewReportsWhatTheLastDid checks that a build without changes reports the same as the last one:
// every message with its text, position and hint, and every file without a result with its reason.
func TestABuildOfNothingNewReportsWhatTheLastDid(t *testing.T) {
	t.Parallel()
	dir := smallSite(t)
	block := invent.Block(1)
	writeFile(t, filepath.Join(dir, "runs", "cut.log"), block[:strings.Index(block, "TTFT")])
	writeFile(t, filepath.Join(dir, "runs", "run.toml"), "[files.\"none.log\"]\nmodel = \"a\"\n")
	writeFile(t, filepath.Join(dir, "runs", "notes.txt"), "Serving Benchmark Result\nnothing came\n")
	first, said := buildSite(t, dir)
	again, repeated := buildSite(t, dir)
	if !again.Fresh || len(said) < 2 || len(again.Unread) == 0 {
		t.Fatalf("this test needs a build with something to say: %+v, %v", again, said)
	}
	if !reflect.DeepEqual(said, repeated) {
		t.Errorf("the first build said %q, the second %q", said, repeated)
	}
	if !reflect.DeepEqual(first.Unread, again.Unread) {
		t.Errorf("the first build had %+v, the second %+v", first.Unread, again.Unread)
	}
}
