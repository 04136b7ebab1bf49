package site

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/compose"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/internal/invent"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/result"
)

// TestASiteWithoutPostsShowsADraft checks that a site without posts shows a draft of its runs. The draft follows the
// runs, is in no blog and no feed, and disappears with the first post. A session makes the same as a complete build.
func TestASiteWithoutPostsShowsADraft(t *testing.T) {
	t.Parallel()
	dir := smallSite(t)
	if err := os.RemoveAll(filepath.Join(dir, "content")); err != nil {
		t.Fatal(err)
	}
	s := Open(Options{Dir: dir})
	defer s.Close()
	public := filepath.Join(dir, "public")
	build := func(what string, drafts int) {
		t.Helper()
		summary, ms, err := s.Build(t.Context())
		if err != nil || hasErrors(ms) || summary.Broken || summary.Drafts != drafts {
			t.Fatalf("%s: %d drafts %v %v", what, summary.Drafts, ms, err)
		}
		into := t.TempDir()
		if _, _, err := Build(t.Context(), Options{Dir: dir, Into: into}); err != nil {
			t.Fatal(err)
		}
		if !compareTrees(t, public, filepath.Join(into, "public")) {
			t.Fatal(what)
		}
	}
	page := filepath.Join(public, "site", "en", "posts", Draft, "index.html")
	build("at first", 2)
	before, err := os.ReadFile(page)
	if err != nil || !strings.Contains(string(before), "Draft from the runs") || !strings.Contains(string(before), "benchpost new post") {
		t.Fatalf("no draft: %v", err)
	}
	for name := range folder.Read(t, public) {
		if strings.HasPrefix(name, "jekyll/") || strings.HasSuffix(name, "feed.xml") {
			t.Errorf("the draft is in %s", name)
		}
	}

	writeFile(t, filepath.Join(dir, "runs/one/model=d/run.log"), invent.Block(300))
	s.Changed([]string{"runs/one/model=d/run.log"})
	build("a run more", 2)
	if after, err := os.ReadFile(page); err != nil || string(after) == string(before) {
		t.Errorf("the draft does not follow the runs: %v", err)
	}

	post := "content/posts/mine.en.md"
	writeFile(t, filepath.Join(dir, post), "+++\ntitle = \"Mine\"\ndate = 2026-01-02\n+++\n\nText.\n")
	s.Changed([]string{post})
	build("a post", 0)
	if _, err := os.Stat(page); err == nil {
		t.Error("the draft is there beside a post")
	}
}

// TestAPostOfPublishedResultsBuilds builds a composed post for each folder of published results with --strict. The only
// warnings may be about the results themselves, and about repeats that were measured far apart in time.
func TestAPostOfPublishedResultsBuilds(t *testing.T) {
	const corpus = "../../../shared/corpus"
	need.Beside(t, corpus)
	need.Thorough(t, "it builds a site of each folder of the published samples")
	var folders []string
	for _, pattern := range []string{corpus + "/*", corpus + "/dirs/*"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		folders = append(folders, found...)
	}
	built := 0
	for _, from := range folders {
		if info, err := os.Stat(from); err != nil || !info.IsDir() || filepath.Base(from) == "dirs" {
			continue
		}
		dir := t.TempDir()
		if err := os.CopyFS(filepath.Join(dir, "runs"), os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, config.Name), "title = \"Published\"\nlanguages = [\"zh-CN\", \"en\"]\n")
		s := Open(Options{Dir: dir})
		e, err := s.Read()
		if err != nil {
			t.Fatal(err)
		}
		if e.Runs() == 0 {
			continue
		}
		for _, lang := range e.Languages() {
			src, err := e.Compose(compose.Request{Language: lang, Date: "2026-01-15"})
			if err != nil {
				t.Fatalf("%s: %v", from, err)
			}
			writeFile(t, filepath.Join(dir, "content/posts/report."+lang+".md"), string(src))
		}
		_, ms, err := Build(context.Background(), Options{Dir: dir, Strict: true})
		if err != nil {
			t.Fatalf("%s: %v", from, err)
		}
		for _, m := range ms {
			if strings.HasPrefix(m.Pos.File, "content/") && m.Severity > result.Info && m.ID != "compare.dates" {
				t.Errorf("%s: %v", from, m)
			}
		}
		built++
	}
	if built < 30 {
		t.Errorf("only %d folders had results", built)
	}
}
