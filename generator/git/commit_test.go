package git

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/internal/repository"
)

// prepare puts paths of the work tree into a separate index.
func prepare(t *testing.T, r *Repo, paths ...string) (*Index, NewCommit) {
	t.Helper()
	head, _, err := r.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	i, err := r.NewIndex(t.Context(), filepath.Join(t.TempDir(), "index"), head)
	if err != nil {
		t.Fatal(err)
	}
	if err := i.Set(t.Context(), r.Dir, paths); err != nil {
		t.Fatal(err)
	}
	tree, err := i.Tree(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return i, NewCommit{Index: i, Tree: tree, Parent: head, Message: "Ours\n"}
}

// TestCommitOfAnIndexOfOurOwn checks that exactly the separate index is committed, and that other staged and changed
// files stay so.
func TestCommitOfAnIndexOfOurOwn(t *testing.T) {
	r := repository.New(t)
	r.Commit("One", map[string]string{"site/a": "1", "site/gone": "1", "theirs": "1", "both": "1"})
	r.Write(map[string]string{"site/a": "2", "site/new/:(top)b": "3", "theirs": "2", "both": "2"})
	r.Git("add", "theirs", "both")
	r.Write(map[string]string{"both": "3"})
	if err := os.Remove(filepath.Join(r.Dir, "site", "gone")); err != nil {
		t.Fatal(err)
	}
	repo := open(t, filepath.Join(r.Dir, "site"))
	_, c := prepare(t, repo, "a", "gone", "new/:(top)b", "never was")
	var steps []string
	c.Step = func(name string) { steps = append(steps, name) }
	id, err := repo.Commit(t.Context(), c)
	if err != nil || id != r.Git("rev-parse", "main") || len(steps) < 3 {
		t.Fatalf("%s %v %v", id, steps, err)
	}
	if got := r.Git("show", "--raw", "--abbrev=4", "--format=%s", "HEAD"); strings.Count(got, "\n") != 4 || !strings.Contains(got, "D\tsite/gone") || !strings.Contains(got, "A\tsite/new/:(top)b") {
		t.Error(got)
	}
	if got := r.Git("status", "--porcelain"); got != "MM both\nM  theirs" {
		t.Error(got)
	}
	if got := r.Git("reflog", "-1", "--format=%gs"); got != "commit: Ours" {
		t.Error(got)
	}
}

// TestAFileThatChangedWithinASecond checks that a file is read again if it changed in the second in which the index was
// written and kept its size. Git compares times in seconds.
func TestAFileThatChangedWithinASecond(t *testing.T) {
	r := repository.New(t)
	in := open(t, r.Dir)
	name := filepath.Join(r.Dir, "a")
	var second time.Time
	for second.IsZero() {
		r.Commit("Before", map[string]string{"a": "1"})
		written, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		r.Git("update-index", "--refresh")
		r.Write(map[string]string{"a": "2"})
		again, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if second = again.ModTime().Truncate(time.Second); !second.Equal(written.ModTime().Truncate(time.Second)) {
			second = time.Time{} // another second had begun
			r.Write(map[string]string{"a": "3"})
		}
	}
	time.Sleep(time.Until(second.Add(1100 * time.Millisecond)))
	_, c := prepare(t, in, "a")
	if changes, err := in.Changes(t.Context(), c.Parent.Tree, c.Tree); err != nil || len(changes) != 1 {
		t.Errorf("the change is not seen: %+v, %v", changes, err)
	}
}

// TestCommitBesideAnother checks that the branch is only updated if it is still at the parent.
func TestCommitBesideAnother(t *testing.T) {
	r := repository.New(t)
	r.Commit("One", map[string]string{"a": "1"})
	r.Write(map[string]string{"a": "2"})
	repo := open(t, r.Dir)
	_, c := prepare(t, repo, "a")
	other := r.Commit("Between", map[string]string{"b": "1"})
	var moved *MovedError
	if _, err := repo.Commit(t.Context(), c); !errors.As(err, &moved) || r.Git("rev-parse", "HEAD") != other {
		t.Error(err)
	}
}

// TestIgnored checks that ignored paths are reported with the line that ignores them, whatever their names.
func TestIgnored(t *testing.T) {
	r := repository.New(t)
	r.Commit("One", map[string]string{".gitignore": "# comment\n*.log\n!kept.log\n", "tracked.log": ""})
	r.Git("add", "-f", "tracked.log")
	got, err := open(t, r.Dir).Ignored(t.Context(), []string{"x.log", "kept.log", "tracked.log", ":(top)y.log", "a\nb.log", "-z.log", "fine"})
	var names []string
	for _, i := range got {
		names = append(names, i.Path)
		if i.File != ".gitignore" || i.Line != "2" || i.Pattern != "*.log" {
			t.Errorf("%+v", i)
		}
	}
	if want := []string{"x.log", ":(top)y.log", "a\nb.log", "-z.log"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("%q %v", names, err)
	}
	if got, err := open(t, r.Dir).Ignored(t.Context(), []string{"fine"}); err != nil || len(got) != 0 {
		t.Error(got, err)
	}
}

// TestCheckoutOfAnIndex checks that files are written as in a checkout, with the line ends and filters of the
// attributes in the index.
func TestCheckoutOfAnIndex(t *testing.T) {
	r := repository.New(t)
	r.Commit("One", map[string]string{".gitattributes": "*.txt eol=crlf\n*.bin -text\n", "a.txt": "1\n2\n", "b.bin": "1\n"})
	repo := open(t, r.Dir)
	i, _ := prepare(t, repo)
	dst := t.TempDir()
	names, err := i.Paths(t.Context())
	if err != nil || !slices.Equal(names, []string{".gitattributes", "a.txt", "b.bin"}) {
		t.Fatal(names, err)
	}
	if err := i.Checkout(t.Context(), dst, names); err != nil {
		t.Fatal(err)
	}
	got := folder.Read(t, dst)
	if string(got["a.txt"]) != "1\r\n2\r\n" || string(got["b.bin"]) != "1\n" {
		t.Errorf("%q", got)
	}
	values, err := repo.Attribute(t.Context(), "eol", []string{"a.txt", ":x.txt", "b.bin"})
	if err != nil || len(values) != 2 || values[":x.txt"] != "crlf" {
		t.Error(values, err)
	}
}

// TestHooksOfAnOldGit checks that a git without "hook run" gives an error only if there is a hook.
func TestHooksOfAnOldGit(t *testing.T) {
	r := repository.New(t)
	repo := open(t, r.Dir)
	repo.version = "git version 2.30.2"
	if err := repo.hook(t.Context(), nil, "pre-commit"); err != nil {
		t.Error(err)
	}
	folder.Write(t, r.Dir, map[string]string{".git/hooks/pre-commit": "#!/bin/sh\n"})
	var old *OldError
	if err := repo.hook(t.Context(), nil, "pre-commit"); !errors.As(err, &old) || !strings.Contains(err.Error(), "2.36") {
		t.Error(err)
	}
}
