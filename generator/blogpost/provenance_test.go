package blogpost

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/cite"
	"github.com/benchpost/benchpost/generator/locale"
)

// TestProvenanceInJekyll: the statements about the data are shown unchanged, whatever the names of runs and
// titles contain. Neither Liquid nor kramdown interprets them.
func TestProvenanceInJekyll(t *testing.T) {
	names := []string{"plain/run", "{{ site.title }}", "{% include secret.html %}", "a_b_c *d* `e` [f](g) <script>alert(1)</script>", `back\slash | pipe`, "**混合**", "{::nomarkdown}", "{: .x}", "$$x$$", "endraw {% endraw %}", "&amp; &lt;"}
	from := &cite.Provenance{Revision: strings.Repeat("ab", 32), Versions: names, Text: strings.Join(names, " "),
		BibTeX: "@misc{x,\n  title = {{" + strings.Join(names, "\n\n- ") + "}},\n}\n"}
	for _, name := range names {
		from.Runs = append(from.Runs, cite.Run{ID: name, Name: name, Href: "https://example.org/?a=1&b=%7B%7B"})
	}
	for _, lang := range []string{"en", "zh-CN"} {
		p, _ := locale.For(lang)
		pages := site(t, map[string]string{"_posts/2026-01-01-a.md": "---\nlayout: single\ntitle: A\ndate: 2026-01-01\n---\nBefore\n{: .last}\n" + in(p).Provenance(from, Asset(Base{Filter: "relative_url"}, "assets/x/sha256sums.txt")).text + "\nAfter\n"})
		page := pages["a"]
		if page == "" {
			t.Fatalf("no page among %d", len(pages))
		}
		for _, bad := range []string{"LEAK", "SECRET", "<script>alert", "<em>", "<strong>"} {
			if strings.Contains(page, bad) {
				t.Errorf("%s: %s is in the page:\n%s", lang, bad, page)
			}
		}
		if !strings.Contains(page, `href="/blog/assets/x/sha256sums.txt"`) {
			t.Errorf("%s: the sums are not linked to:\n%s", lang, page)
		}
		seen := html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, ""))
		for _, name := range names {
			if strings.Count(seen, name) < 4 { // twice in the list; in the versions, the text and the entry
				t.Errorf("%s: %q is not seen as it is in\n%s", lang, name, seen)
			}
		}
		if pre := regexp.MustCompile(`(?s)<pre><code>(.*?)</code></pre>`).FindStringSubmatch(page); pre == nil || html.UnescapeString(pre[1]) != from.BibTeX {
			t.Errorf("%s: the entry is not as it was written: %q", lang, pre)
		}
		if strings.Count(page, "<details>") != 2 || strings.Count(page, "</details>") != 2 {
			t.Errorf("%s: not folded:\n%s", lang, page)
		}
	}
}
