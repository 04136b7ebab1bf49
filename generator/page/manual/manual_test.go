package manual

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/document"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

var docs = Folder{Dir: "docs", Language: "en", Languages: []string{"zh-CN", "en"}}

// TestPlace checks the rule for files: extension, folder, and the rest of the path.
func TestPlace(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"docs/README.md":          " en",
		"docs/index.md":           " en",
		"docs/zh/README.md":       " zh-CN",
		"docs/README.zh.md":       " zh-CN",
		"docs/posts.md":           "posts en",
		"docs/zh/posts.md":        "posts zh-CN",
		"docs/posts.zh-CN.md":     "posts zh-CN",
		"docs/zh-CN/guide/x.md":   "guide/x zh-CN",
		"docs/guide/x.zh.md":      "guide/x zh-CN",
		"docs/zh/guide/README.md": "guide zh-CN",
		"docs/guide/zh/x.md":      "guide/zh/x en", // not the topmost folder
		"docs/zh/x.en.md":         "x en",          // the extension takes precedence
		"docs/zh.md":              "zh en",
		"docs/en-route/x.md":      "en-route/x en",
		"docs/v1.2.md":            "v1.2 en",
		"docs/posts.markdown":     "-",
		"docs/picture.png":        "-",
		"docs/.md":                "-",
		"documents/posts.md":      "-",
		"docs":                    "-",
		"content/posts/about.md":  "-",
	} {
		name, lang, ok := docs.Place(file)
		got := "-"
		if ok {
			got = name + " " + lang
		}
		if got != want {
			t.Errorf("%s is %q, not %q", file, got, want)
		}
	}
	some := docs
	some.Except = []string{"raw/", "*/draft-*.md", "zh/*/old"}
	for file, want := range map[string]bool{"docs/raw/a.md": false, "docs/raw/b/a.md": false, "docs/raw.md": true, "docs/x/draft-a.md": false, "docs/draft-a.md": true, "docs/zh/b/old/c.md": false} {
		if _, _, ok := some.Place(file); ok != want {
			t.Errorf("%s is a page: %v", file, ok)
		}
	}
	one := Folder{Dir: "content/pages", Language: "en", Languages: []string{"en"}}
	if _, _, ok := one.Place("content/pages/zh/about.md"); ok {
		t.Error("a page in a language that the site does not have is one of it")
	}
}

// TestPathsOfFilesAndPagesAreApart checks that no published file has the path of a page, and that no two pages have the
// same path.
func TestPathsOfFilesAndPagesAreApart(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "a", "a/b", "~", "~/a", "index", "a/index.html", ".x", "../x", strings.Repeat("x", 300)} {
		at := Path(name)
		if !strings.HasPrefix(at, Root) || !strings.HasSuffix(at, ".html") || strings.Contains(at, "/../") || strings.HasPrefix(at, Root+"~/") {
			t.Errorf("the page %q is at %s", name, at)
		}
		if file := docs.File("docs/" + name); !strings.HasPrefix(file, Root+"~/") || strings.Contains(file, "/../") {
			t.Errorf("the file %q is at %s", name, file)
		}
	}
}

// arrange parses texts, given by file, and arranges them.
func arrange(t *testing.T, texts map[string]string) (*Manual, []result.Message) {
	t.Helper()
	var all []*document.Document
	for file, text := range texts {
		d, ms := document.Parse(file, []byte(text), document.Options{Location: time.UTC, Page: true})
		if len(ms) > 0 {
			t.Fatal(ms)
		}
		d.Name, d.Lang, _ = docs.Place(file)
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b *document.Document) int { return strings.Compare(a.File, b.File) })
	return docs.Arrange(all)
}

// layout writes the list of pages of a language in one line.
func layout(m *Manual, lang string) string {
	var b strings.Builder
	for _, s := range m.Contents(lang) {
		b.WriteString("[" + s.Title + "]")
		for _, p := range s.Pages {
			b.WriteString(" " + p.Name + "." + p.Lang)
		}
		b.WriteString(" ")
	}
	return strings.TrimSpace(b.String())
}

func TestContentsFollowTheIndex(t *testing.T) {
	t.Parallel()
	m, ms := arrange(t, map[string]string{
		"docs/README.md":    "# Manual\n\n[first](b.md) and [elsewhere](https://x.example/a.md)\n\n## Use\n\n- [A](a.md#part)\n- [again](b.md)\n\n### Deeper\n\n- [C](c/d.md)\n\n## Not pages\n\n[x](x.png)\n",
		"docs/zh/README.md": "# 手册\n\n## 使用\n\n- [甲](a.md)\n- [乙](../b.md)\n",
		"docs/a.md":         "# Page A\n\n## Part\n",
		"docs/b.md":         "# Page B\n",
		"docs/c/d.md":       "# Page D\n",
		"docs/rest.md":      "# Left\n",
		"docs/zh/a.md":      "# 甲页\n",
	})
	if len(ms) > 0 {
		t.Error(ms)
	}
	for lang, want := range map[string]string{
		"en":    "[] b.en [Use] a.en c/d.en [More] rest.en",
		"zh-CN": "[使用] a.zh-CN b.en [其他] c/d.en rest.en",
	} {
		if got := layout(m, lang); got != want {
			t.Errorf("%s: %s, not %s", lang, got, want)
		}
	}
	if m.Title("en") != "Manual" || m.Title("zh-CN") != "手册" {
		t.Error(m.Title("en"), m.Title("zh-CN"))
	}
	name := func(p *Page) string {
		if p == nil {
			return "-"
		}
		return p.Name + "." + p.Lang
	}
	for _, x := range []struct{ name, lang, before, after string }{
		{"", "en", "-", "b.en"}, {"b", "en", ".en", "a.en"}, {"rest", "en", "c/d.en", "-"},
		{"a", "zh-CN", ".zh-CN", "b.en"},
	} {
		before, after := m.Beside(x.name, x.lang)
		if name(before) != x.before || name(after) != x.after {
			t.Errorf("beside %s in %s are %s and %s", x.name, x.lang, name(before), name(after))
		}
	}
}

func TestWithoutAnIndexPagesAreInOrderOfTheirNames(t *testing.T) {
	t.Parallel()
	m, _ := arrange(t, map[string]string{"docs/b10.md": "# Ten\n", "docs/b2.md": "# Two\n"})
	if got := layout(m, "zh-CN"); got != "[] b2.en b10.en" || m.Title("en") != "" {
		t.Error(got, m.Title("en"))
	}
	if before, after := m.Beside("", "en"); before != nil || after == nil || after.Name != "b2" {
		t.Error(before, after)
	}
	if m, _ := arrange(t, nil); !m.Empty() {
		t.Error("it has pages")
	}
}

func TestMessagesOfAFolder(t *testing.T) {
	t.Parallel()
	_, ms := arrange(t, map[string]string{
		"docs/a.md":        "# A\n\n## 安装 Install\n\n## Install\n\n[in](#安装-install) [escaped](#%E5%AE%89%E8%A3%85-install) [title](#a) [lost](#instal)\n\n[over](b.md#nowhere) [there](b.md#b-1) [no page](c.md#x)\n",
		"docs/b.md":        "# B\n\n## B\n",
		"docs/untitled.md": "Text.\n",
		"docs/A.md":        "# A again\n",
	})
	var got []string
	for _, m := range ms {
		got = append(got, m.Pos.String()+" "+m.ID+" "+locale.English(m.Hint))
	}
	slices.Sort(got)
	want := []string{
		"docs/a.md manual.name rename one of them",
		"docs/a.md:7:70 manual.link did you mean #install?",
		"docs/a.md:9:1 manual.link its headings are: #b, #b-1",
		"docs/untitled.md:1 manual.title begin it with a heading: # Title",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
