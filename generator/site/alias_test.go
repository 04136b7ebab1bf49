package site

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// TestARenamedPostIsFoundByItsOldName renames a post. Its old page leads to the new one, as do links of other posts and
// of the blog, and the blog's file with the old name is gone. This holds in a session that saw the change and in a
// complete build.
func TestARenamedPostIsFoundByItsOldName(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	site := filepath.Join(dir, "bench")
	post := func(front, body string) string {
		return "+++\ntitle = \"T <&>\"\ndate = 2026-01-15\n" + front + "+++\n\n" + body + "\n"
	}
	folder.Write(t, filepath.Join(dir, "blog"), map[string]string{"_config.yml": "title: T\n"})
	folder.Write(t, site, map[string]string{
		config.Name:                 "title = \"T\"\nlanguages = [\"en\"]\nbase_url = \"https://example.org/b\"\n[jekyll]\ndir = \"../blog\"\n",
		"content/posts/old.en.md":   post("", "text"),
		"content/posts/other.en.md": post("", "[see](old.en.md#x)"),
	})
	s := Open(Options{Dir: site})
	defer s.Close()
	build := func() Summary {
		t.Helper()
		summary, ms, err := s.Build(t.Context())
		if err != nil || summary.Broken || len(ms) > 0 {
			t.Fatal(ms, err)
		}
		return summary
	}
	build()
	if err := os.Remove(filepath.Join(site, "content/posts/old.en.md")); err != nil {
		t.Fatal(err)
	}
	folder.Write(t, site, map[string]string{"content/posts/new.en.md": post("aliases = [\"old\", \"deep/older\"]\nredirect_from = \"/a/\"\ncategories = \"GPU Test\"\n", "## X")})
	s.Changed([]string{"content/posts/old.en.md", "content/posts/new.en.md"})
	if summary := build(); !slices.Equal(summary.Left, []string{"_posts/2026-01-15-old.md"}) {
		t.Errorf("what left the blog: %q", summary.Left)
	}
	public := folder.Read(t, filepath.Join(site, "public", "site"))
	countLinks(t, public)
	for name, to := range map[string]string{"posts/old/index.html": "../../posts/new/index.html", "posts/deep/older/index.html": "../../../posts/new/index.html"} {
		page := string(public[name])
		for _, want := range []string{`<meta http-equiv="refresh" content="0; url=` + to + `">`, `<link rel="canonical" href="https://example.org/b/posts/new/index.html">`,
			`<a href="` + to + `">T &lt;&amp;&gt;</a>`} {
			if !strings.Contains(page, want) {
				t.Errorf("%s lacks %s:\n%s", name, want, page)
			}
		}
	}
	if page := string(public["posts/other/index.html"]); !strings.Contains(page, `href="../../posts/new/index.html#x"`) {
		t.Errorf("a link by the old name leads elsewhere:\n%s", page)
	}
	blog := folder.Read(t, filepath.Join(dir, "blog"))
	if blog["_posts/2026-01-15-old.md"] != nil || !strings.Contains(string(blog["_posts/2026-01-15-other.md"]), "post_url 2026-01-15-new %}#x") {
		t.Errorf("the blog has %s", blog["_posts/2026-01-15-other.md"])
	}
	if front := string(blog["_posts/2026-01-15-new.md"]); !strings.Contains(front, "redirect_from: [\"/a/\", \"/gpu/test/2026/01/15/old.html\", \"/gpu/test/2026/01/15/deep-older.html\"]\n") {
		t.Errorf("the blog's post begins\n%s", front)
	}
	whole := filepath.Join(dir, "whole")
	if summary, ms, err := Open(Options{Dir: site, Into: whole}).Build(t.Context()); err != nil || summary.Broken {
		t.Fatal(ms, err)
	}
	same(t, public, folder.Read(t, filepath.Join(whole, "public", "site")), "a session and a build of everything")
}

// TestAliasesThatClash checks that an alias which would lead to two posts is an error with its position, as is an
// invalid alias.
func TestAliasesThatClash(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ aliases, want string }{
		{`["other"]`, `the alias "other" is the name of content/posts/other.en.md`},
		{`["OTHER"]`, `the alias "OTHER" is the name of content/posts/other.en.md`},
		{`["before"]`, `the alias "before" is the name of content/posts/other.en.md`},
		{`["post"]`, `the alias "post" is a name of this post already`},
		{`["x", "x"]`, `the alias "x" is a name of this post already`},
		{`["/2026/old/"]`, `the alias "/2026/old/" is not the name of a post`},
		{`["x", ""]`, `the alias "" is not the name of a post`},
	} {
		dir := t.TempDir()
		folder.Write(t, dir, map[string]string{
			config.Name:                 "title = \"T\"\nlanguages = [\"en\"]\n",
			"content/posts/post.en.md":  "+++\ntitle = \"P\"\ndate = 2026-01-15\naliases = " + c.aliases + "\n+++\n",
			"content/posts/other.en.md": "+++\ntitle = \"O\"\ndate = 2026-01-15\naliases = [\"before\"]\n+++\n",
		})
		ms, _, err := Check(dir)
		i := slices.IndexFunc(ms, func(m result.Message) bool { return locale.English(m.Text) == c.want })
		switch {
		case err != nil || i < 0:
			t.Errorf("%s: %v, %v", c.aliases, ms, err)
		case ms[i].Pos.Line != 4 || ms[i].Pos.Column == 0 || ms[i].Hint.IsZero():
			t.Errorf("%s: %+v", c.aliases, ms[i])
		}
	}
}
