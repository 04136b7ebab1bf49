package document

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// lint warns about characters in a paragraph, heading or cell that were probably meant as markup but are not.
func (p *parse) lint(n ast.Node) {
	src := p.doc.src
	_, inCell := n.(*extast.TableCell)
	var openCode *ast.RawHTML
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || c.Kind() == ast.KindCodeSpan {
			return ast.WalkSkipChildren, nil
		}
		if tag, ok := c.(*ast.RawHTML); ok && inCell {
			switch html := tag.Segments.Value(src); {
			case bytes.HasPrefix(html, []byte("<code")):
				openCode = tag
			case bytes.HasPrefix(html, []byte("</code")):
				openCode = nil
			}
		}
		t, ok := c.(*ast.Text)
		if !ok {
			return ast.WalkContinue, nil
		}
		start, s := t.Segment.Start, t.Segment.Value(src)
		if inCell && bytes.Contains(s, []byte("`=")) {
			p.error(p.at(start+bytes.Index(s, []byte("`="))), "post.value-cut",
				locale.Textf("the inline value is cut off by the border of its cell"), locale.Textf(`inside a table write \| for |`))
		}
		for i := 0; i+1 < len(s); i++ {
			if s[i] == '\\' {
				i++
				continue
			}
			if s[i] != '*' || s[i+1] != '*' {
				continue
			}
			before, _ := utf8.DecodeLastRune(src[:start+i])
			after, _ := utf8.DecodeRune(src[start+i+2:])
			if isStray(before, after) {
				p.warn(p.at(start+i), "post.emphasis", locale.Textf("** is not emphasis here and is shown as it is"),
					locale.Textf("between punctuation and a letter write <strong>…</strong>; for two asterisks write \\*\\*"))
				return ast.WalkStop, nil
			}
			i++
		}
		return ast.WalkContinue, nil
	})
	if openCode != nil {
		p.warn(p.at(openCode.Segments.At(0).Start), "post.code-cut",
			locale.Textf("<code> is cut off by the border of its cell"), locale.Textf("inside a table write &#124; for |"))
	}
}

// isStray reports whether ** between two runes was probably meant as emphasis. That is not so in 2**3 or
// between spaces.
func isStray(before, after rune) bool {
	space := func(r rune) bool { return r == utf8.RuneError || unicode.IsSpace(r) }
	ascii := func(r rune) bool { return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
	return !(space(before) && space(after)) && !(ascii(before) && ascii(after))
}
