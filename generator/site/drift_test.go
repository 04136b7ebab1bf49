package site

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// driftOf returns the reported drift, each message as "id file:line".
func driftOf(t *testing.T, dir string) []string {
	t.Helper()
	ms, err := Drift(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	result.SortMessages(ms)
	var out []string
	for _, m := range ms {
		out = append(out, m.ID+" "+m.Pos.String())
	}
	return out
}

func TestDrift(t *testing.T) {
	t.Parallel()
	dir := smallSite(t)
	blog := filepath.Join(t.TempDir(), "blog")
	writeFile(t, filepath.Join(blog, "_posts/2020-01-01-mine.md"), "---\n---\nmine\n")
	toml, _ := os.ReadFile(filepath.Join(dir, config.Name))
	writeFile(t, filepath.Join(dir, config.Name), string(toml)+"[jekyll]\ndir = "+"'"+blog+"'\n")
	if got := driftOf(t, dir); !slices.Contains(got, "drift.missing public") || !slices.Contains(got, "drift.missing "+filepath.ToSlash(blog)+"/_posts/2026-01-02-all.md") {
		t.Errorf("before the first build: %v", got)
	}
	if s, ms, err := Build(context.Background(), Options{Dir: dir}); err != nil || s.Broken {
		t.Fatal(ms, err)
	}
	writeFile(t, filepath.Join(dir, "public/site/mine.txt"), "the author's own")
	before := files(t, dir)
	blogBefore := files(t, blog)
	if got := driftOf(t, dir); got != nil {
		t.Errorf("of what was built: %v", got)
	}
	same(t, files(t, dir), before, "the site, after it was looked at,")
	same(t, files(t, blog), blogBefore, "the blog, after it was looked at,")

	page := filepath.Join(dir, "public/site/en/index.html")
	text, _ := os.ReadFile(page)
	writeFile(t, page, strings.Replace(string(text), "<main", "<main class=\"other\"", 1))
	style := filepath.Join(dir, "public/site/style.css")
	text, _ = os.ReadFile(style)
	writeFile(t, style, strings.ReplaceAll(string(text), "\n", "\r\n"))
	os.Remove(filepath.Join(dir, "public/site/robots.txt"))
	os.Remove(filepath.Join(dir, "public/site/404.html"))
	if err := os.Mkdir(filepath.Join(dir, "public/site/404.html"), 0o755); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(dir, "public/site/script/site.js")
	writeFile(t, script, "other()")
	post := filepath.Join(blog, "_posts/2026-01-02-all.md")
	writeFile(t, post, "gone")
	ms, err := Drift(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	reported := map[string]result.Message{}
	for _, m := range ms {
		reported[m.ID+" "+m.Pos.File] = m
	}
	for _, want := range []string{"drift.differs public/site/en/index.html", "drift.line-ends public/site/style.css", "drift.differs public/site/404.html",
		"drift.differs public/site/script/site.js", "drift.version public/site/script/site.js", "drift.differs " + filepath.ToSlash(blog) + "/_posts/2026-01-02-all.md"} {
		if _, ok := reported[want]; !ok {
			t.Errorf("%s is not reported: %v", want, ms)
		}
		delete(reported, want)
	}
	if m := ms[slices.IndexFunc(ms, func(m result.Message) bool { return m.Pos.File == "public/site/en/index.html" })]; m.Pos.Line == 0 || !strings.Contains(locale.English(m.Text), "main class=") {
		t.Errorf("%v", m)
	}
	for what := range reported {
		if what != "drift.missing public/site/robots.txt" {
			t.Errorf("%s is reported", what)
		}
	}

	// Files that a build no longer makes are drift, even if they are as an earlier build left them.
	writeFile(t, post, string(blogBefore["_posts/2026-01-02-all.md"]))
	if s, ms, err := Build(context.Background(), Options{Dir: dir}); err != nil || s.Broken {
		t.Fatal(ms, err)
	}
	os.Remove(filepath.Join(dir, "content/posts/all.en.md"))
	if got := driftOf(t, dir); !slices.Contains(got, "drift.extra public/site/en/posts/all/index.html") {
		t.Errorf("after a post is gone: %v", got)
	}

	// For a site that cannot be built, only the reasons are reported.
	writeFile(t, filepath.Join(dir, "content/posts/broken.en.md"), "no front matter\n")
	if got := driftOf(t, dir); len(got) != 1 || !strings.HasPrefix(got[0], "post.front-matter ") {
		t.Errorf("of a broken site: %v", got)
	}
}
