package meta

import (
	"encoding/json"
	"html/template"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/benchpost/benchpost/generator/cite"
	"github.com/benchpost/benchpost/generator/internal/hostile"
)

// page returns a page with the text in every place.
func page(s string) Page {
	return Page{
		Site: "S" + s, Title: "T" + s, Description: s, Lang: "zh-CN", URL: "https://example.org/a", Image: Image{URL: "https://example.org/a.png", Alt: s, Width: 1200, Height: 630},
		Trail:   []Step{{s, "https://example.org/"}},
		Article: &Article{Type: "BlogPosting", Published: "2026-01-15", Authors: []cite.Author{{Name: s}, {Family: s}}, Tags: []string{s}},
		Data: &Dataset{Name: "N" + s, About: strings.Repeat("About ", 10), License: s, Creators: []cite.Author{{Name: s}}, Measured: []Variable{{s, s, s}},
			Files: []File{{"https://example.org/a.csv", "text/csv"}}, Keywords: []string{s}, Catalog: Step{s, "https://example.org/"}},
	}
}

// TestTextsStayWithinTheirElements checks that any text stays inside its element: the head has the same elements as
// with a plain text, and its script is one JSON document.
func TestTextsStayWithinTheirElements(t *testing.T) {
	t.Parallel()
	want := elements(t, page("plain").HTML())
	if len(want) < 10 {
		t.Fatalf("only %q", want)
	}
	for _, s := range slices.Concat(hostile.Texts(), hostile.Bytes()) {
		p := page(s)
		got := elements(t, p.HTML())
		missing := 0 // texts that are empty after cleaning are omitted
		for _, one := range want {
			if !slices.Contains(got, one) {
				missing++
			}
		}
		for _, one := range got {
			if !slices.Contains(want, one) {
				t.Errorf("%q adds %s", s, one)
			}
		}
		if missing > 0 && strings.TrimSpace(s) != "" {
			t.Errorf("%q leaves out %d of %q", s, missing, want)
		}
		var doc struct {
			Graph []map[string]any `json:"@graph"`
		}
		data := p.JSON()
		if err := json.Unmarshal(data, &doc); err != nil || len(doc.Graph) != 3 {
			t.Errorf("%q: %v, %d things", s, err, len(doc.Graph))
		}
		if strings.ContainsAny(string(data), "<>&'") || strings.ContainsFunc(string(data), unicode.IsControl) || !utf8.Valid(data) {
			t.Errorf("%q is in a script as %s", s, data)
		}
	}
}

// elements lists the elements of a head by name and purpose.
func elements(t *testing.T, head template.HTML) []string {
	t.Helper()
	doc, err := html.Parse(strings.NewReader("<!DOCTYPE html><html><head>" + string(head) + "</head><body></body></html>"))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		one := n.Data
		for _, a := range n.Attr {
			if a.Key != "content" {
				one += " " + a.Key + "=" + a.Val
			}
		}
		all = append(all, one)
	}
	return all
}

// TestDescriptionsHaveTheLengthOfDataSets checks that a description of a data set has a valid length, whatever the page
// says.
func TestDescriptionsHaveTheLengthOfDataSets(t *testing.T) {
	t.Parallel()
	for _, text := range append(hostile.Texts(), "", strings.Repeat("长文本", 3000), strings.Repeat("word ", 3000)) {
		p := page(text)
		n := utf8.RuneCountInString(p.Data.thing(p).Description)
		if n < 50 || n > 5000 {
			t.Errorf("%.40q: %d characters", text, n)
		}
	}
}

func TestShortEndsAtAWord(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"as it is", 8, "as it is"}, {"two words here", 10, "two words…"}, {"a,\n b", 10, "a, b"}, {"零一二三四五六七", 5, "零一二三…"}, {"first, second", 8, "first…"},
	} {
		if got := Short(c.text, c.most); got != c.want {
			t.Errorf("Short(%q, %d) = %q, want %q", c.text, c.most, got, c.want)
		}
	}
	for _, s := range hostile.Texts() {
		if got := Short(s, 20); utf8.RuneCountInString(got) > 20 || strings.ContainsAny(got, "\n\r\t") {
			t.Errorf("%q becomes %q", s, got)
		}
	}
}

func TestPlainHasTheWordsAlone(t *testing.T) {
	t.Parallel()
	const markup = `<p>A <em>b</em> &lt;c&gt; 1<sup>2</sup>.</p><figure id="x"><svg><text>no</text></svg><figcaption>no</figcaption></figure><p>d<br>e</p><!-- no --><table><tr><td>no</table></table>`
	if got, want := Plain(markup), "A b <c> 1. d e"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Plain(Paragraph("<h2>a</h2><p>b <b>c</b></p><p>d</p>")); got != "b c" {
		t.Errorf("%q", got)
	}
}

// TestWithoutAddress checks that elements that need an address are omitted if it is unknown.
func TestWithoutAddress(t *testing.T) {
	t.Parallel()
	p := page("a")
	p.URL, p.Image.URL, p.Trail[0].URL, p.Data.Catalog.URL = "", "", "", ""
	for _, word := range []string{"og:url", "og:image", "BreadcrumbList", "distribution", "DataCatalog", "large_image"} {
		if strings.Contains(string(p.HTML()), word) {
			t.Errorf("%s is there", word)
		}
	}
	for _, word := range []string{"og:title", `"Dataset"`, `"BlogPosting"`} {
		if !strings.Contains(string(p.HTML()), word) {
			t.Errorf("%s is not there", word)
		}
	}
}

func TestLicences(t *testing.T) {
	t.Parallel()
	for of, want := range map[string]string{"": "", "CC-BY-4.0": "https://spdx.org/licenses/CC-BY-4.0", "https://example.org/l": "https://example.org/l", "my own": ""} {
		if got := licence(of); got != want {
			t.Errorf("%q: %q, want %q", of, got, want)
		}
	}
}
