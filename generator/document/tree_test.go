package document

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/document/kramdown"
)

// ownFill shows the index of blocks, values and links in the document. It accepts only the document's own.
type ownFill struct {
	*Document
	t *testing.T
}

func numberOf[T comparable](f ownFill, of []T, one T) int {
	n := slices.Index(of, one)
	if n < 0 {
		f.t.Errorf("%v is not one of the document", one)
	}
	return n
}

func (f ownFill) Block(dst []byte, b *Block) []byte {
	return fmt.Appendf(dst, "[block %d]", numberOf(f, f.Blocks, b))
}
func (f ownFill) Value(v *Value) string { return fmt.Sprint("value ", numberOf(f, f.Values, v)) }
func (f ownFill) Link(l *Link) string   { return fmt.Sprint("link", numberOf(f, f.Links, l)) }

// rendered returns all outputs of a document.
func rendered(t *testing.T, d *Document) string {
	t.Helper()
	var b bytes.Buffer
	fill := ownFill{d, t}
	err := d.HTML(&b, fill)
	for _, form := range []kramdown.Form{kramdown.Jekyll, kramdown.Hugo, kramdown.Plain} {
		if err == nil {
			err = d.Markdown(&b, fill, form)
		}
	}
	if err == nil {
		err = d.Excerpt(&b, fill)
	}
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(&b, d.Contents(fill), d.Footnotes())
	for _, p := range d.Prose() {
		fmt.Fprintln(&b, p.Text, p.At(0), p.At(len(p.Text)))
	}
	return b.String()
}

// TestTreeIsMadeAgain: a document whose tree was freed gives the same output as before.
func TestTreeIsMadeAgain(t *testing.T) {
	tricky, err := os.ReadFile("testdata/tricky.md")
	if err != nil {
		t.Fatal(err)
	}
	post, err := os.ReadFile("testdata/post.zh.md")
	if err != nil {
		t.Fatal(err)
	}
	sources := []string{string(post), "", "# Title\n\n## Title\n\nof a page without front matter `= a`\n"}
	for prose := range strings.SplitSeq(string(tricky), "\n%%%%\n") {
		sources = append(sources, head+prose, prose)
	}
	for _, src := range sources {
		for _, opt := range []Options{{}, {Page: true}} {
			d, _ := Parse("a.en.md", []byte(src), opt)
			first := rendered(t, d)
			before := fmt.Sprintf("%+v %+v", d.Front, d.Headings)
			d.trees = forest{}
			if again := rendered(t, d); again != first {
				t.Errorf("of\n%s\nfirst\n%s\nthen\n%s", src, first, again)
			}
			if after := fmt.Sprintf("%+v %+v", d.Front, d.Headings); after != before {
				t.Errorf("the document has changed from\n%s\nto\n%s", before, after)
			}
		}
	}
}
