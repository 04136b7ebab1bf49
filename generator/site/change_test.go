package site

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/internal/invent"
)

// What a change of one run has evaluated and made anew does not grow with the site, a page in
// sight is made of that alone, and what is written rests until it is wanted again.
func TestWhatAChangeCosts(t *testing.T) {
	t.Parallel()
	made := map[int][]string{}
	for _, posts := range []int{21, 42} {
		dir := invent.Site(t, posts, 8*posts)
		s := Open(Options{Dir: dir})
		defer s.Close()
		if summary, ms, err := s.Build(context.Background()); err != nil || summary.Broken {
			t.Fatal(ms, err)
		}
		const page = "posts/post-0001/index.html"
		run := runOf(t, s, page)
		for n := range 2 {
			if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(run)), []byte(invent.Block(1000+n)), 0o644); err != nil {
				t.Fatal(err)
			}
			s.Changed([]string{run})
			e, err := s.Read()
			if err != nil || e.Broken {
				t.Fatal(e.Messages, err)
			}
			if fresh := e.Fresh(); len(fresh) != 1 || fresh[0].Source.File != run {
				t.Errorf("%d results are others", len(fresh))
			}
			var shown []byte
			if ok, err := e.Page(page, func(path string, data []byte) error {
				if path == page {
					shown = slices.Clone(data)
				}
				return nil
			}); !ok || err != nil {
				t.Fatal(ok, err)
			}
			evaluated := int(e.evaluated.Load())
			if changed := selecting(e, run); evaluated != changed {
				t.Errorf("%d posts are evaluated to show one; %d show the run", evaluated, changed)
			}
			for _, p := range e.posts {
				if p.card != nil || !p.pending && !p.runs[e.Fresh()[0].ID] {
					t.Errorf("%s is kept as it was drawn or evaluated", p.doc.File)
				}
			}
			summary, ms, err := e.Write(context.Background())
			if err != nil || summary.Broken {
				t.Fatal(ms, err)
			}
			if summary.Evaluated != evaluated {
				t.Errorf("%d posts are evaluated in all, %d to show one", summary.Evaluated, evaluated)
			}
			made[posts] = summary.Made
			written, err := os.ReadFile(filepath.Join(dir, "public", "site", filepath.FromSlash(page)))
			if err != nil || string(written) != string(shown) {
				t.Error("the page was shown otherwise than it is written")
			}
		}
	}
	if len(made[21]) != len(made[42]) {
		t.Errorf("a change makes %d artifacts of a site, and %d of a larger one:\n%s\n%s", len(made[21]), len(made[42]), strings.Join(made[21], " "), strings.Join(made[42], " "))
	}
}

// runOf returns the file of a run that a post's page shows.
func runOf(t *testing.T, s *Session, page string) string {
	t.Helper()
	for _, m := range s.listed {
		for _, j := range s.judged {
			if strings.HasSuffix(page, "/"+m.post.doc.Slug+"/index.html") && m.post.runs[j.result.ID] {
				return j.result.Source.File
			}
		}
	}
	t.Fatal("the post shows no run")
	return ""
}

// selecting counts the posts that may select the run of a file.
func selecting(e *Snapshot, file string) int {
	n := 0
	for _, m := range e.session.listed {
		for _, r := range e.results {
			if r.Source.File == file && (m.where == nil || m.where.Match(r)) {
				n++
			}
		}
	}
	return n
}
