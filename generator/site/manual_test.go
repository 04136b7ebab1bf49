package site

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/result"
)

// publishedOf builds a site from files and returns what is published, and the messages.
func publishedOf(t *testing.T, texts map[string]string) (map[string][]byte, Summary, []result.Message) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range texts {
		writeFile(t, filepath.Join(dir, name), text)
	}
	s, ms, err := Build(context.Background(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err, ms)
	}
	if s.Broken {
		return nil, s, ms
	}
	return folder.Read(t, filepath.Join(dir, "public", "site")), s, ms
}

// TestPagesOfAManual checks that manual pages link to each other, to files beside them and to the repository. Each is
// in its language, and the list links pages that only exist in another language.
func TestPagesOfAManual(t *testing.T) {
	t.Parallel()
	files, s, ms := publishedOf(t, map[string]string{
		config.Name:             "[pages]\ndir = \"docs\"\nlanguage = \"en\"\n[cite]\nfiles = \"https://example.org/blob/HEAD/\"\n",
		"docs/README.md":        "# Handbook\n\n## Use\n\n- [One](one.md)\n- [Two](two.md#the-end)\n",
		"docs/one.md":           "# One\n\n[two](two.md#the-end) [licence](../LICENSE) [folder](../runs/) ![plot](p/a%20b.png)\n\n`= x`\n\n```benchpost table\n```\n",
		"docs/two.md":           "# Two\n\n## The end\n",
		"docs/zh/one.md":        "# 壹\n\n[二](two.md#x) [two](../two.md)\n",
		"docs/p/a b.png":        "picture",
		"LICENSE":               "text",
		"runs/x.txt":            "nothing",
		"content/posts/p.en.md": "+++\ntitle = \"Post\"\ndate = 2026-01-01\n+++\n\n[one](../../docs/one.md)\n",
	})
	if s.Pages != 4 || s.Posts != 1 {
		t.Errorf("%d pages, %d posts", s.Pages, s.Posts)
	}
	for _, m := range ms {
		if m.ID == "manual.link" && (m.Severity != result.Info || !strings.Contains(locale.English(m.Text), "docs/two.md")) {
			t.Error(m)
		}
	}
	for name, wants := range map[string][]string{
		"en/docs/index.html":    {"<h1 id=\"handbook\">Handbook</h1>", `<a href="../../en/docs/one.html">One</a>`, `rel="next"`},
		"docs/index.html":       {"<h1>文档</h1>", `>壹</a>`, `hreflang="en">Two</a> <span class="tag">English</span>`},
		"en/docs/one.html":      {`href="../../en/docs/two.html#the-end"`, `href="https://example.org/blob/HEAD/LICENSE"`, `href="https://example.org/blob/HEAD/runs"`, `src="../../docs/~/p/a%20b.png"`, `<code>= x</code>`, `language-benchpost`, `hreflang="zh-CN"`, `<p class="label">Use</p>`},
		"docs/one.html":         {`<h1 id="壹">壹</h1>`, `href="../en/docs/two.html"`},
		"en/posts/p/index.html": {`href="../../../en/docs/one.html"`},
		"docs/~/p/a b.png":      {"picture"},
		"en/index.html":         {`<a href="../en/docs/index.html">Handbook</a>`},
	} {
		for _, want := range wants {
			if !strings.Contains(string(files[name]), want) {
				t.Errorf("%s lacks %s", name, want)
			}
		}
	}
}

// TestPagesPublishNothingElse checks that a page does not publish files that are hidden or outside of the site, and
// that this is reported with its position.
func TestPagesPublishNothingElse(t *testing.T) {
	t.Parallel()
	for link, want := range map[string]string{
		"../../outside.png": "is outside of the site", ".hidden.png": "is hidden", "d/.x/a.png": "is hidden", "out.png": "outside",
	} {
		dir := t.TempDir()
		site := filepath.Join(dir, "site")
		for name, text := range map[string]string{
			config.Name: "[pages]\ndir = \"docs\"\n", "docs/README.md": "# T\n\n![x](" + link + ")\n", "docs/.hidden.png": "secret", "docs/d/.x/a.png": "secret", "docs/.drafts/x.md": "# Secret\n",
		} {
			writeFile(t, filepath.Join(site, name), text)
		}
		writeFile(t, filepath.Join(dir, "outside.png"), "secret")
		need.Granted(t, os.Symlink(filepath.Join(dir, "outside.png"), filepath.Join(site, "docs", "out.png")))
		s, ms, err := Build(context.Background(), Options{Dir: site})
		if err != nil || !s.Broken || len(ms) != 1 || ms[0].Pos.Line != 3 || !strings.Contains(locale.English(ms[0].Text), want) {
			t.Errorf("%s: %v %v %v", link, s.Broken, ms, err)
		}
	}
}
