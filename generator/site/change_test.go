package site

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/internal/invent"
	"github.com/benchpost/benchpost/generator/result"
)

// TestWhatAChangeCosts checks that the evaluation and writing after a change of one run do not grow with the site, that
// a page in sight is made from only what it needs, and that posts are freed after writing.
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

// TestWhatAnAdditionCosts checks that the cost of an addition does not depend on the size of the site, in a session and
// in a new process. In a site with one post per campaign, where all campaigns have the same models and loads, it adds a
// run, a run of a new model that is first in order, and a post, to which its neighbours link; and it removes a run.
func TestWhatAnAdditionCosts(t *testing.T) {
	t.Parallel()
	slowest := regexp.MustCompile(`(P99 ITL \(ms\): +)`)
	copied := func(t *testing.T, dir, from, to string) {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(from)))
		if err != nil {
			t.Fatal(err)
		}
		to = filepath.Join(dir, filepath.FromSlash(to))
		data = slowest.ReplaceAll(data, []byte("${1}9")) // so that it is not a copy of the same run
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, data, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	run := invent.Run(2, "Small-4B-W4A16", "high")
	for _, c := range []struct {
		name, path string
		evaluated  int
		add        func(t *testing.T, dir string)
	}{
		{"a run", "runs", 1, func(t *testing.T, dir string) {
			copied(t, dir, run, "runs/c00002/again/model=Small-4B-W4A16/high.log")
		}},
		{"a run of a new model", "runs", 1, func(t *testing.T, dir string) {
			copied(t, dir, run, "runs/c00002/model=A-4B/high.log")
		}},
		{"a run less", run, 1, func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, filepath.FromSlash(run))); err != nil {
				t.Fatal(err)
			}
		}},
		{"a post", "content/posts", 3, func(t *testing.T, dir string) {
			copied(t, dir, "content/posts/post-00002.en.md", "content/posts/added.en.md")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var made [2][2]int // by size; in a session and in another process
			for i, posts := range []int{4, 7} {
				var dirs [2]string
				for way := range dirs {
					dirs[way] = t.TempDir()
					if err := invent.Campaigns(dirs[way], posts); err != nil {
						t.Fatal(err)
					}
				}
				s := Open(Options{Dir: dirs[0]})
				defer s.Close()
				for way, build := range []func() (Summary, []result.Message, error){
					func() (Summary, []result.Message, error) { return s.Build(context.Background()) },
					func() (Summary, []result.Message, error) {
						return Build(context.Background(), Options{Dir: dirs[1]})
					},
				} {
					for turn := range 2 {
						summary, ms, err := build()
						if err != nil || summary.Broken {
							t.Fatal(ms, err)
						}
						if turn == 0 {
							c.add(t, dirs[way])
							s.Changed([]string{c.path})
							continue
						}
						if summary.Evaluated != c.evaluated {
							t.Errorf("%d posts of %d are evaluated, want %d", summary.Evaluated, posts, c.evaluated)
						}
						made[i][way] = len(summary.Made)
					}
				}
			}
			if made[0] != made[1] {
				t.Errorf("it makes %d artifacts of a site, and %d of a larger one", made[0], made[1])
			}
		})
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

// selecting counts the posts that may select the run in a file.
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
