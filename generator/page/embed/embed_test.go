package embed

import (
	"html/template"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/benchpost/benchpost/generator/internal/hostile"
)

func page(s string) Page {
	return Page{Policy: "default-src 'none'", Lang: "en", Title: "T" + s, Root: "../../", SVG: `<svg data-at="1 2"><g data-title="a &gt; b"><text x="1">c</text></g></svg>`,
		Notes: []string{s}, From: "F" + s, Site: "S" + s, Source: "../a.html#chart:b", Canonical: "https://example.org/a.html", Words: "From"}
}

// Whatever a text is, it stays where it is written: the page has the same elements.
func TestTextsStayWithinTheirElements(t *testing.T) {
	t.Parallel()
	want := elements(t, page("plain").HTML())
	for _, element := range []string{"meta http-equiv content", "link rel href", "h1 class", "svg", "a href rel target"} {
		if !strings.Contains(want, element+"\n") {
			t.Errorf("%q is not in\n%s", element, want)
		}
	}
	for _, s := range append(hostile.Texts(), hostile.Bytes()...) {
		if got := elements(t, page(s).HTML()); got != want {
			t.Errorf("%q: the elements are\n%s, not\n%s", s, got, want)
		}
	}
}

// elements lists the elements of a page with the names of their attributes.
func elements(t *testing.T, page []byte) string {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(string(page)))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode {
			b.WriteString(n.Data)
			for _, a := range n.Attr {
				b.WriteString(" " + a.Key)
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// The chart is as on its page, but for what only scripts read.
func TestTheChartIsWithoutWhatScriptsRead(t *testing.T) {
	t.Parallel()
	p := page("")
	p.Narrow = template.HTML(`<svg><g data-of="&lt; data-x=&#34;1&#34;"><text>a data-b=&#34;c&#34; d</text></g></svg>`)
	got := string(p.HTML())
	for _, want := range []string{`<svg><g><text x="1">c</text></g></svg>`, `<svg><g><text>a data-b=&#34;c&#34; d</text></g></svg>`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in\n%s", want, got)
		}
	}
}

func TestPathsAreApart(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, dir := range []string{"", "en/"} {
		for _, page := range []string{"posts/a/index.html", "posts/b/index.html", "history/index.html", "history/~2.html"} {
			for _, name := range []string{"x", "y", "index", "长"} {
				seen[Path(dir, page, name)] = true
			}
		}
	}
	if len(seen) != 2*4*4 {
		t.Errorf("%d paths: %v", len(seen), seen)
	}
}
