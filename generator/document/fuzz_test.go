package document

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/document/kramdown"
)

var (
	rawSpan   = regexp.MustCompile(`(?s)\{% raw %\}.*?\{% endraw %\}`)
	inertMark = regexp.MustCompile(`\{\{ "\{[{%]" \}\}`)
)

// ownParam matches the shortcodes that benchpost itself writes for Hugo.
var ownParam = regexp.MustCompile(`\{\{< param "benchpost\.(?:open|comment)" >\}\}`)

// liquidIn returns the first text that Liquid would run in a post that should contain none, "" if there is
// none.
func liquidIn(markdown string) string {
	s := inertMark.ReplaceAllString(markdown, "")
	s = rawSpan.ReplaceAllString(s, "")
	if i := strings.Index(s, "{{"); i >= 0 {
		return s[i:min(i+20, len(s))]
	}
	if i := strings.Index(s, "{%"); i >= 0 {
		return s[i:min(i+20, len(s))]
	}
	return ""
}

// FuzzParse: for any source, nothing panics, the Markdown is valid text, Liquid finds nothing to run in it, and
// a tree that is parsed again is the same.
func FuzzParse(f *testing.F) {
	data, err := os.ReadFile("testdata/tricky.md")
	if err != nil {
		f.Fatal(err)
	}
	for prose := range strings.SplitSeq(string(data), "\n%%%%\n") {
		f.Add([]byte(head + prose))
	}
	f.Add([]byte("+++\n[a.b]\nc = [{d = 1}]\n+++\r\n\xff\x00"))
	f.Fuzz(func(t *testing.T, src []byte) {
		d, _ := Parse("a.en.md", src, Options{})
		var b bytes.Buffer
		for _, write := range []func() error{
			func() error { return d.HTML(&b, testFill{}) },
			func() error { return d.Excerpt(&b, testFill{}) },
		} {
			if err := write(); err != nil {
				t.Fatal(err)
			}
		}
		b.Reset()
		if err := d.Markdown(&b, testFill{}, kramdown.Jekyll); err != nil {
			t.Fatal(err)
		}
		if !utf8.Valid(b.Bytes()) {
			t.Error("the Markdown is not UTF-8")
		}
		if s := liquidIn(b.String()); s != "" {
			t.Errorf("Liquid would run %q in\n%s", s, b.String())
		}
		for _, form := range []kramdown.Form{kramdown.Hugo, kramdown.Plain} {
			b.Reset()
			if err := d.Markdown(&b, testFill{}, form); err != nil {
				t.Fatal(err)
			}
			if !utf8.Valid(b.Bytes()) {
				t.Errorf("the Markdown of form %d is not UTF-8", form)
			}
			if rest := ownParam.ReplaceAllString(b.String(), ""); form == kramdown.Hugo && (strings.Contains(rest, "{{<") || strings.Contains(rest, "{{%")) {
				t.Errorf("Hugo would run something of\n%s", rest)
			}
		}
		first := rendered(t, d)
		if d.trees = (forest{}); rendered(t, d) != first {
			t.Error("rendered differently when the tree is made again")
		}
	})
}
