package site

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// TestTwoBuildsTakeTurns checks that simultaneous builds of one site write one after the other, and that each leaves
// the output of a single build, never a mixture.
func TestTwoBuildsTakeTurns(t *testing.T) {
	t.Parallel()
	dir := smallSite(t)
	want := smallSite(t)
	ctx := context.Background()
	if _, ms, err := Build(ctx, Options{Dir: want}); err != nil {
		t.Fatal(ms, err)
	}
	failed := make(chan error, 4)
	for range 4 {
		go func() {
			_, _, err := Build(ctx, Options{Dir: dir})
			failed <- err
		}()
	}
	for range 4 {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}
	compareTrees(t, filepath.Join(dir, "public"), filepath.Join(want, "public"))
}

// TestAnotherBuildInBetween checks that a session repairs its output after another build has changed it.
func TestAnotherBuildInBetween(t *testing.T) {
	t.Parallel()
	dir := smallSite(t)
	ctx := context.Background()
	s := Open(Options{Dir: dir})
	defer s.Close()
	if _, ms, err := s.Build(ctx); err != nil {
		t.Fatal(ms, err)
	}
	page := filepath.Join(dir, "public", "site", "index.html")
	want, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "content", "posts", "draft.en.md"), "+++\ntitle = \"Draft\"\ndraft = true\ndate = 2026-03-01\n+++\n\nText.\n")
	if _, ms, err := Build(ctx, Options{Dir: dir, Drafts: true}); err != nil {
		t.Fatal(ms, err)
	}
	if got, _ := os.ReadFile(page); string(got) == string(want) {
		t.Fatal("a draft does not change the front page")
	}
	s.Changed([]string{"content/posts/draft.en.md"})
	if _, ms, err := s.Build(ctx); err != nil {
		t.Fatal(ms, err)
	}
	if got, _ := os.ReadFile(page); string(got) != string(want) {
		t.Error("the front page is still that of the other build")
	}
}
