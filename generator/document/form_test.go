package document

import (
	"bytes"
	"html"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/text/unicode/norm"

	"github.com/benchpost/benchpost/generator/document/kramdown"
)

// TestFormsKeepEveryLetter: forms without HTML keep every letter of a post in order. Random prose of everything
// with a meaning in some syntax is rendered by goldmark with its defaults, which omit HTML. The text must equal
// that of the page. Superscripts and subscripts count as plain characters, and marks that Markdown does not
// have leave only their text.
func TestFormsKeepEveryLetter(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/tricky.md")
	if err != nil {
		t.Fatal(err)
	}
	proses := strings.Split(string(data), "\n%%%%\n")
	g := chance{rand.New(rand.NewPCG(2, 71))}
	for range 300 {
		proses = append(proses, g.blocks(0, 1+g.IntN(3))+"\n\n[^1]: note\n\n[ref]: http://r.org/(x) \"T\"\n")
	}
	within := regexp.MustCompile(`<!--.*?-->|</?(?:a|abbr|b|code|del|em|i|kbd|samp|span|strong|sub|sup|u)(?: [^>]*)?>`)
	notes := regexp.MustCompile(`(?s)<sup id="fnref.*?</sup>|<code class="math">`) // references to notes, and formulas
	tags, word := regexp.MustCompile(`(?s)<script.*?</script>|<style.*?</style>|<textarea.*?</textarea>|<!--.*?-->|<[^>]*>`), regexp.MustCompile(`[\p{L}\p{N}]+`)
	textOf := func(page string) string {
		return norm.NFKC.String(html.UnescapeString(tags.ReplaceAllString(within.ReplaceAllString(notes.ReplaceAllString(page, " "), ""), " ")))
	}
	seen := 0
	for _, prose := range proses {
		d, _ := Parse("a.en.md", []byte(head+prose), Options{})
		var page bytes.Buffer
		if err := d.HTML(&page, testFill{}); err != nil {
			t.Fatal(err)
		}
		want := strings.Join(word.FindAllString(textOf(page.String()), -1), "")
		for _, form := range []kramdown.Form{kramdown.Hugo, kramdown.Plain} {
			extensions := []goldmark.Extender{extension.GFM}
			if form == kramdown.Hugo {
				extensions = append(extensions, extension.Footnote)
			}
			var text, shown bytes.Buffer
			if err := d.Markdown(&text, testFill{}, form); err != nil {
				t.Fatal(err)
			}
			if err := goldmark.New(goldmark.WithExtensions(extensions...)).Convert(ownParam.ReplaceAll(text.Bytes(), []byte("{{")), &shown); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(shown.String(), "raw HTML omitted") && !strings.Contains(text.String(), "<!--more-->") {
				t.Errorf("form %d has HTML:\n%s\nof\n%s", form, text.String(), prose)
			}
			rest := strings.Join(word.FindAllString(textOf(shown.String()), -1), "")
			for _, r := range want {
				seen++
				i := strings.IndexRune(rest, r)
				if i < 0 {
					t.Errorf("form %d: %s is not all in\n%s\nof\n%s", form, want, text.String(), prose)
					break
				}
				rest = rest[i+utf8.RuneLen(r):]
			}
			if t.Failed() {
				return
			}
		}
	}
	if seen < 10_000 {
		t.Errorf("only %d letters", seen)
	}
}
