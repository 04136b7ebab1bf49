package document

import (
	"slices"
	"sort"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"github.com/benchpost/benchpost/generator/document/kramdown"
	"github.com/benchpost/benchpost/generator/result"
)

// Passage is the text of one paragraph, heading, list item or table cell as a reader sees it: without markup,
// with the text of links and images. Each part that is not prose (code, inline values, addresses, struck text,
// references to footnotes) is replaced by [Gap], so that the words on its two sides stay separate.
type Passage struct {
	Text string

	doc    *tree
	pieces []piece
}

// Gap replaces parts that are not prose.
const Gap = '\ufffc'

// piece is a part of the text that is identical in the source. It holds the offsets of both.
type piece struct{ text, source int }

// At returns the position in the file of an offset in the text.
func (p *Passage) At(offset int) result.Position {
	n := sort.Search(len(p.pieces), func(i int) bool { return p.pieces[i].text > offset })
	if n == 0 {
		return result.Position{File: p.doc.File}
	}
	from := p.pieces[n-1]
	return p.doc.lines.at(p.doc.base + from.source + offset - from.text)
}

// Prose returns the passages of the post, footnotes last. Code, report blocks, HTML blocks and front matter are
// not prose.
func (d *Document) Prose() []Passage {
	var passages []Passage
	t := d.tree()
	_ = ast.Walk(t.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || n.Type() != ast.TypeBlock || n.FirstChild() == nil || n.FirstChild().Type() != ast.TypeInline {
			return ast.WalkContinue, nil
		}
		r := proseReader{doc: t}
		r.read(n)
		passages = append(passages, Passage{Text: string(r.text), doc: t, pieces: r.pieces})
		return ast.WalkSkipChildren, nil
	})
	return passages
}

// proseReader assembles a passage.
type proseReader struct {
	doc    *tree
	text   []byte
	pieces []piece
	code   int // number of open HTML elements whose content is not prose
}

func (r *proseReader) read(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			if r.code == 0 {
				r.plain(n.Segment.Start, n.Segment.Value(r.doc.src))
			}
			if n.SoftLineBreak() || n.HardLineBreak() {
				r.text = append(r.text, '\n')
			}
		case *ast.String:
			r.text = append(r.text, n.Value...)
		case *ast.RawHTML:
			r.tag(n)
		case *ast.CodeSpan, *formula, *ast.AutoLink, *extast.Strikethrough, *extast.FootnoteLink:
			r.gap()
		default:
			r.read(n)
		}
	}
}

func (r *proseReader) gap() { r.text = append(r.text, string(Gap)...) }

// plain adds text with its escapes and entities resolved, like the function plain.
func (r *proseReader) plain(start int, s []byte) {
	begin := func(i int) { r.pieces = append(r.pieces, piece{len(r.text), start + i}) }
	begin(0)
	for i := 0; i < len(s); {
		n := 1
		switch s[i] {
		case '\\':
			n = min(2, len(s)-i)
		case '&':
			_, length := entity(s[i:])
			n = max(n, length)
		}
		r.text = append(r.text, plain(s[i:i+n])...)
		if i += n; n > 1 {
			begin(i)
		}
	}
}

// tag handles an HTML tag: it may begin or end code, or begin a new line.
func (r *proseReader) tag(n *ast.RawHTML) {
	tag := kramdown.ParseTag(string(n.Segments.Value(r.doc.src)))
	switch {
	case tag.Name == "br":
		r.text = append(r.text, '\n')
	case !slices.Contains([]string{"code", "kbd", "samp", "pre", "script", "style", "del", "s"}, tag.Name) || tag.Whole:
	case tag.Close:
		r.code = max(0, r.code-1)
	default:
		r.code++
		r.gap()
	}
}
