package document

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"

	"github.com/benchpost/benchpost/generator/document/kramdown"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// collect walks the prose once. It collects blocks, values, links and headings, and warns about likely
// mistakes.
func (p *parse) collect() {
	d := p.doc
	ids := newHeadingIDs()
	_ = ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.FencedCodeBlock:
			p.block(n)
		case *ast.HTMLBlock:
			if n.Parent() == d.root && d.more == nil && isMore(n.Lines().Value(d.src)) {
				d.More, d.more = true, n
			}
		case *ast.CodeSpan:
			p.value(n)
		case *ast.Link:
			p.link(n, n.Destination, false)
		case *ast.Image:
			p.link(n, n.Destination, true)
		case *ast.Heading:
			p.heading(n, ids)
		case *formula, *formulaBlock:
			d.Math = true
		}
		if n.Type() == ast.TypeBlock && n.FirstChild() != nil && n.FirstChild().Type() == ast.TypeInline {
			p.lint(n)
		}
		return ast.WalkContinue, nil
	})
	// Footnotes are last in the tree, wherever they are in the file, so the entries are sorted by position.
	byPos := func(a, b result.Position) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	}
	slices.SortStableFunc(d.Blocks, func(a, b *Block) int { return byPos(a.Pos, b.Pos) })
	slices.SortStableFunc(d.Values, func(a, b *Value) int { return byPos(a.Pos, b.Pos) })
	slices.SortStableFunc(d.Links, func(a, b *Link) int { return byPos(a.Pos, b.Pos) })
}

func (p *parse) at(offset int) result.Position { return p.doc.lines.at(p.doc.base + offset) }

// isMore recognises <!--more-->, with or without spaces inside.
func isMore(html []byte) bool {
	s, ok := strings.CutPrefix(strings.TrimSpace(string(html)), "<!--")
	s, ok2 := strings.CutSuffix(s, "-->")
	return ok && ok2 && strings.TrimSpace(s) == "more"
}

func (p *parse) block(n *ast.FencedCodeBlock) {
	if n.Info == nil {
		return
	}
	info := n.Info.Segment.Value(p.doc.src)
	fields := strings.Fields(string(info))
	if len(fields) == 0 || fields[0] != "benchpost" || p.doc.Plain {
		return
	}
	b := &Block{Body: n.Lines().Value(p.doc.src), Pos: p.at(n.Pos())}
	b.BodyLine = b.Pos.Line + 1
	if len(fields) > 1 {
		b.Kind = fields[1]
		_, args, _ := strings.Cut(string(info), fields[1])
		b.Args = strings.TrimSpace(args)
	}
	p.doc.Blocks = append(p.doc.Blocks, b)
	p.doc.blocks[n] = b
	if !p.isClosed(n) {
		p.error(b.Pos, "post.open-block", locale.Textf("the report block is not closed"), locale.Textf("end it with a line ```"))
	}
	for up := n.Parent(); up != nil; up = up.Parent() {
		if up.Kind() == ast.KindListItem {
			p.warn(b.Pos, "post.block-in-list", locale.Textf("a report block is in a list"), locale.Textf("put it at the margin: Jekyll may end the list inside it"))
			break
		}
	}
}

// isClosed reports whether the block ends with a fence rather than with the end of the file or of the list that
// contains it.
func (p *parse) isClosed(n *ast.FencedCodeBlock) bool {
	src := p.doc.src
	end := n.Info.Segment.Stop
	if k := n.Lines().Len(); k > 0 {
		end = n.Lines().At(k-1).Stop - 1
	}
	_, rest, ok := bytes.Cut(src[min(end, len(src)):], []byte("\n"))
	rest = bytes.TrimLeft(rest, " \t>")
	return ok && (bytes.HasPrefix(rest, []byte("```")) || bytes.HasPrefix(rest, []byte("~~~")))
}

// codeText returns the content of inline code with spaces in place of newlines.
func codeText(n ast.Node, src []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		b.Write(c.(*ast.Text).Segment.Value(src))
	}
	return strings.ReplaceAll(b.String(), "\n", " ")
}

func (p *parse) value(n *ast.CodeSpan) {
	first, ok := n.FirstChild().(*ast.Text)
	if !ok || p.doc.values[n] != nil || p.doc.Plain {
		return
	}
	src, start := p.doc.src, first.Segment.Start
	if start == 0 || src[start-1] != '`' {
		return
	}
	expr, ok := strings.CutPrefix(codeText(n, src), "=")
	if !ok || expr == "" || strings.IndexByte("=~>", expr[0]) >= 0 {
		return
	}
	trimmed := strings.TrimSpace(expr)
	offset := start + 1 + len(expr) - len(strings.TrimLeft(expr, " "))
	v := &Value{Expr: trimmed, Pos: p.at(offset)}
	if trimmed == "" {
		p.error(v.Pos, "post.value", locale.Textf("the inline value is empty"), locale.Textf(`write an expression, for example ttft_p99{model="Qwen3-8B"}`))
	}
	p.doc.Values = append(p.doc.Values, v)
	p.doc.values[n] = v
}

func (p *parse) link(n ast.Node, dest []byte, image bool) {
	l := &Link{Address: plain(dest), Image: image, Pos: p.at(n.Pos())}
	p.doc.Links = append(p.doc.Links, l)
	p.doc.links[n] = l
}

// plain resolves the escapes and entities of Markdown text.
func plain(s []byte) string {
	if bytes.IndexByte(s, '\\') < 0 && bytes.IndexByte(s, '&') < 0 {
		return string(s)
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s) && util.IsPunct(s[i+1]):
			i++
			b.WriteByte(s[i])
		case s[i] == '&':
			if r, n := entity(s[i:]); n > 0 {
				b.WriteString(r)
				i += n - 1
				continue
			}
			b.WriteByte('&')
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// entity resolves the entity at the beginning of s. It returns the text and the length of the entity, 0 if
// there is none.
func entity(s []byte) (string, int) {
	end := bytes.IndexByte(s[:min(len(s), 40)], ';')
	if end < 2 {
		return "", 0
	}
	name := s[1:end]
	if name[0] == '#' {
		if r := util.ResolveNumericReferences(s[:end+1]); !bytes.Equal(r, s[:end+1]) {
			return string(r), end + 1
		}
		return "", 0
	}
	if e, ok := util.LookUpHTML5EntityByName(string(name)); ok {
		return string(e.Characters), end + 1
	}
	return "", 0
}

// proseText returns the text of inline content as a reader sees it. value returns the text of an inline value,
// or false for other code.
func proseText(n ast.Node, src []byte, value func(ast.Node) (string, bool)) string {
	var b strings.Builder
	var walk func(ast.Node)
	walk = func(n ast.Node) {
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			switch c := c.(type) {
			case *ast.Text:
				b.WriteString(plain(c.Segment.Value(src)))
				if c.SoftLineBreak() || c.HardLineBreak() {
					b.WriteByte('\n')
				}
			case *ast.String:
				b.Write(c.Value)
			case *ast.CodeSpan:
				if s, ok := value(c); ok {
					b.WriteString(s)
				} else {
					b.WriteString(codeText(c, src))
				}
			case *formula:
				b.WriteString(c.tex)
			case *ast.AutoLink:
				b.Write(c.Label(src))
			case *ast.RawHTML, *ast.Image, *extast.FootnoteLink:
			default:
				walk(c)
			}
		}
	}
	walk(n)
	return b.String()
}

// headingIDs assigns the same ids to headings as kramdown does, so that a link to a heading of a post works in
// HTML and in Jekyll.
type headingIDs struct {
	count map[string]int  // how often each id was made, as kramdown counts them
	taken map[string]bool // all ids of the document
}

func newHeadingIDs() headingIDs {
	return headingIDs{make(map[string]int), make(map[string]bool)}
}

// next returns the id that kramdown makes of id by itself.
func (h headingIDs) next(id string) string {
	if n := h.count[id]; n > 0 {
		return fmt.Sprintf("%s-%d", id, n)
	}
	return id
}

// heading sets the id of a heading. The id is written explicitly in Markdown if kramdown would not make it by
// itself: if the author chose it, if the heading contains values (the id must not change with them), or if the
// id is already taken.
func (p *parse) heading(n *ast.Heading, ids headingIDs) {
	d := p.doc
	hasValue := false
	text := proseText(n, d.src, func(c ast.Node) (string, bool) {
		// The walk reaches values only after their heading.
		p.value(c.(*ast.CodeSpan))
		_, ok := d.values[c]
		hasValue = hasValue || ok
		return "", ok
	})
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		hasValue = hasValue || c.Kind() == kindFormula // kramdown makes another id of it
	}
	id, explicit := "", false
	if a, ok := n.AttributeString("id"); ok {
		if b, ok := a.([]byte); ok && len(b) > 0 {
			id, explicit = string(b), true
		}
	}
	auto := kramdown.HeadingID(strings.ReplaceAll(text, "\n", " "))
	several := strings.Contains(text, "\n") // an underlined heading may have several lines
	if !explicit {
		id = ids.next(auto)
		if hasValue || several || auto == "" {
			id, explicit = cmp.Or(strings.Trim(auto, "-"), "section"), true
		}
	}
	for base, k := id, 1; ids.taken[id]; k++ {
		id, explicit = fmt.Sprintf("%s-%d", base, k), true
	}
	ids.taken[id] = true
	if explicit {
		d.marks[n] = id
	} else {
		ids.count[auto]++
	}
	n.SetAttributeString("id", []byte(id))
	if n == d.title {
		d.TitleID = id
		if d.Front.Title == "" {
			d.Front.Title = strings.Join(strings.Fields(text), " ")
		}
		return
	}
	if n.Level == 1 {
		p.warn(p.at(n.Pos()), "post.heading", locale.Textf("a first-level heading competes with the title"), locale.Textf("begin at ##"))
	}
	text = strings.Join(strings.Fields(text), " ")
	d.Headings = append(d.Headings, Heading{Level: n.Level, ID: id, Text: text, Pos: p.at(n.Pos())})
	d.headings = append(d.headings, n)
}

// Contents returns the headings with their inline values filled in.
func (d *Document) Contents(fill Fill) []Heading {
	t, headings := d.tree(), slices.Clone(d.Headings)
	for i, heading := range t.headings {
		text := proseText(heading, t.src, func(c ast.Node) (string, bool) {
			if v := t.values[c]; v != nil {
				return fill.Value(v), true
			}
			return "", false
		})
		headings[i].Text = strings.Join(strings.Fields(text), " ")
	}
	return headings
}
