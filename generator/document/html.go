package document

import (
	"bytes"
	"io"
	"strconv"
	"sync"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"github.com/benchpost/benchpost/generator/document/kramdown"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/visible"
)

// HTML writes the body as HTML. Headings have an id and a link to themselves, tables are inside <div
// class="table-scroll">, code has the name of its language but no highlighting, and footnotes are at the end.
//
// In addition to the id made of its words, each heading has a numbered id, such as section:3 for the third. It
// is the same in translations.
func (d *Document) HTML(w io.Writer, fill Fill) error {
	t := d.tree()
	h := t.htmlWriter(fill)
	body := bodies.Get().(*[]byte)
	defer bodies.Put(body)
	h.dst = (*body)[:0]
	h.children(t.root)
	*body = h.dst
	_, err := w.Write(h.dst)
	return err
}

// bodies holds buffers that are reused for one post after another. With its tables and charts, a post is many
// times as long as its source.
var bodies = sync.Pool{New: func() any { return new([]byte) }}

// Excerpt writes the part before <!--more--> as HTML, or the first paragraph if there is no such line.
// References to footnotes are omitted.
func (d *Document) Excerpt(w io.Writer, fill Fill) error {
	t := d.tree()
	h := t.htmlWriter(fill)
	h.excerpt = true
	for n := t.root.FirstChild(); n != nil && n != t.more; n = n.NextSibling() {
		if t.more == nil && n.Kind() != ast.KindParagraph {
			continue
		}
		h.node(n)
		if t.more == nil {
			break
		}
	}
	_, err := w.Write(h.dst)
	return err
}

// htmlWriter renders the tree by walking it.
type htmlWriter struct {
	doc     *tree
	fill    Fill
	printer locale.Printer
	excerpt bool
	section int  // number of headings written so far
	blog    bool // the output is part of a Jekyll post, which Liquid reads first
	dst     []byte
}

func (t *tree) htmlWriter(fill Fill) htmlWriter {
	p, _ := locale.For(t.Lang)
	return htmlWriter{doc: t, fill: fill, printer: p}
}

func (h *htmlWriter) write(s string) { h.dst = append(h.dst, s...) }

func (h *htmlWriter) escaped(s string) {
	if h.blog {
		h.write(kramdown.HTML(s))
		return
	}
	h.dst = appendEscaped(h.dst, visible.Text(s))
}

func appendEscaped[T string | []byte](dst []byte, s T) []byte {
	start := 0
	for i := range len(s) {
		if e := util.EscapeHTMLByte(s[i]); e != nil {
			dst = append(append(dst, s[start:i]...), e...)
			start = i + 1
		}
	}
	return append(dst, s[start:]...)
}

// text writes Markdown text with its escapes and entities resolved.
func (h *htmlWriter) text(s []byte) {
	if !h.blog && bytes.IndexByte(s, '\\') < 0 && bytes.IndexByte(s, '&') < 0 {
		h.dst = appendEscaped(h.dst, s)
		return
	}
	h.escaped(plain(s))
}

// address writes the address of a link or image. An address that would run a script is omitted.
func (h *htmlWriter) address(s string) {
	if html.IsDangerousURL([]byte(s)) {
		return
	}
	h.dst = appendEscaped(h.dst, util.URLEscape([]byte(s), false))
}

// link writes the address of a link or image of the prose.
func (h *htmlWriter) link(l *Link) {
	s := h.fill.Link(l)
	if h.blog && s != l.Address { // may contain Liquid
		h.write(s)
		return
	}
	h.address(s)
}

func (h *htmlWriter) children(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		h.node(c)
	}
}

func (h *htmlWriter) wrap(open string, n ast.Node, end string) {
	h.write(open)
	h.children(n)
	h.write(end)
}

func (h *htmlWriter) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		h.text(n.Segment.Value(h.doc.src))
		switch {
		case n.HardLineBreak():
			h.write("<br>\n")
		case n.SoftLineBreak():
			h.write("\n")
		}
	case *ast.String:
		h.escaped(string(n.Value))
	case *ast.CodeSpan:
		if v := h.doc.values[n]; v != nil {
			h.escaped(h.fill.Value(v))
			return
		}
		h.write("<code>")
		h.escaped(codeText(n, h.doc.src))
		h.write("</code>")
	case *formula:
		h.formulaHTML(n.tex)
	case *ast.Emphasis:
		if n.Level == 2 {
			h.wrap("<strong>", n, "</strong>")
		} else {
			h.wrap("<em>", n, "</em>")
		}
	case *extast.Strikethrough:
		h.wrap("<del>", n, "</del>")
	case *ast.Link:
		h.write(`<a href="`)
		h.link(h.doc.links[n])
		h.title(n.Title)
		h.wrap(`">`, n, "</a>")
	case *ast.Image:
		if to := h.fill.Link(h.doc.links[n]); to == "" || html.IsDangerousURL([]byte(to)) {
			h.escaped(h.doc.altText(n, h.fill)) // without a valid source, only the text of the image is shown
			return
		}
		h.write(`<img src="`)
		h.link(h.doc.links[n])
		h.write(`" alt="`)
		h.escaped(h.doc.altText(n, h.fill))
		h.title(n.Title)
		h.write(`">`)
	case *ast.AutoLink:
		h.write(`<a href="`)
		if n.AutoLinkType == ast.AutoLinkEmail && !bytes.HasPrefix(bytes.ToLower(n.URL(h.doc.src)), []byte("mailto:")) {
			h.write("mailto:")
		}
		h.address(string(n.URL(h.doc.src)))
		h.write(`">`)
		h.escaped(string(n.Label(h.doc.src)))
		h.write("</a>")
	case *ast.RawHTML:
		h.dst = append(h.dst, n.Segments.Value(h.doc.src)...)
	case *extast.TaskCheckBox:
		if n.IsChecked {
			h.write(`<input type="checkbox" checked disabled> `)
		} else {
			h.write(`<input type="checkbox" disabled> `)
		}
	case *extast.FootnoteLink:
		h.footnoteLink(n)
	case *extast.FootnoteBacklink:
		h.write(`&nbsp;<a href="#` + footnoteRef(n.Index, n.RefIndex) + `" class="footnote-back" role="doc-backlink" aria-label="`)
		h.escaped(h.printer.Words("page.footnote.back", n.Index))
		h.write(`">↩︎</a>`)
	default:
		h.block(n)
	}
}

func (h *htmlWriter) title(title []byte) {
	if len(title) > 0 {
		h.write(`" title="`)
		h.text(title)
	}
}

// altText returns the alternative text of an image.
func (t *tree) altText(n *ast.Image, fill Fill) string {
	return proseText(n, t.src, func(c ast.Node) (string, bool) {
		if v := t.values[c]; v != nil {
			return fill.Value(v), true
		}
		return "", false
	})
}

func (h *htmlWriter) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Paragraph:
		h.wrap("<p>", n, "</p>\n")
	case *ast.TextBlock:
		h.children(n)
		if n.NextSibling() != nil {
			h.write("\n")
		}
	case *ast.Heading:
		if n != h.doc.title {
			h.heading(n)
		}
	case *ast.Blockquote:
		h.wrap("<blockquote>\n", n, "</blockquote>\n")
	case *ast.List:
		switch {
		case !n.IsOrdered():
			h.wrap("<ul>\n", n, "</ul>\n")
		case n.Start != 1:
			h.wrap(`<ol start="`+strconv.Itoa(n.Start)+"\">\n", n, "</ol>\n")
		default:
			h.wrap("<ol>\n", n, "</ol>\n")
		}
	case *ast.ListItem:
		if first := n.FirstChild(); first != nil && first.Kind() != ast.KindTextBlock {
			h.wrap("<li>\n", n, "</li>\n")
		} else {
			h.wrap("<li>", n, "</li>\n")
		}
	case *ast.FencedCodeBlock:
		if b := h.doc.blocks[n]; b != nil {
			h.dst = h.fill.Block(h.dst, b)
			h.endLine()
			return
		}
		h.code(n, string(n.Language(h.doc.src)))
	case *ast.CodeBlock:
		h.code(n, "")
	case *formulaBlock:
		h.write(`<pre class="math" tabindex="0">`)
		h.formulaHTML(n.tex)
		h.write("</pre>\n")
	case *ast.HTMLBlock:
		if n == h.doc.more {
			return
		}
		h.dst = append(h.dst, htmlBlockText(n, h.doc.src)...)
		h.endLine()
	case *ast.ThematicBreak:
		h.write("<hr>\n")
	case *ast.LinkReferenceDefinition:
	case *extast.Table:
		h.table(n)
	case *extast.FootnoteList:
		h.write(`<section class="footnotes" role="doc-endnotes" aria-label="`)
		h.escaped(h.printer.Words("page.footnotes"))
		h.wrap("\">\n<hr>\n<ol>\n", n, "</ol>\n</section>\n")
	case *extast.Footnote:
		h.wrap(`<li id="fn:`+strconv.Itoa(n.Index)+"\">\n", n, "</li>\n")
	default:
		h.children(n)
	}
}

func (h *htmlWriter) endLine() {
	if n := len(h.dst); n > 0 && h.dst[n-1] != '\n' {
		h.write("\n")
	}
}

// htmlBlockText returns the source of an HTML block.
func htmlBlockText(n *ast.HTMLBlock, src []byte) []byte {
	s := n.Lines().Value(src)
	if n.HasClosure() {
		s = append(s[:len(s):len(s)], n.ClosureLine.Value(src)...)
	}
	return s
}

func (h *htmlWriter) heading(n *ast.Heading) {
	level := strconv.Itoa(n.Level)
	h.write("<h" + level)
	id := ""
	for _, a := range n.Attributes() {
		value, ok := a.Value.([]byte)
		if !ok {
			continue
		}
		if string(a.Name) == "id" {
			if id = string(value); h.excerpt {
				continue // one page may contain several excerpts
			}
		}
		h.write(" " + string(a.Name) + `="`)
		h.escaped(string(value))
		h.write(`"`)
	}
	h.write(">")
	h.children(n)
	if !h.excerpt {
		h.section++
		h.write(` <a class="anchor" id="section:` + strconv.Itoa(h.section) + `" href="#`)
		h.address(id)
		h.write(`" aria-labelledby="`)
		h.escaped(id)
		h.write(`">#</a>`)
	}
	h.write("</h" + level + ">\n")
}

func (h *htmlWriter) code(n ast.Node, language string) {
	h.write(`<pre tabindex="0"`) // makes it focusable, so that it can be scrolled by keyboard
	if language != "" {
		h.write(` data-language="`)
		h.escaped(language)
		h.write(`"`)
	}
	h.write("><code")
	if language != "" {
		h.write(` class="language-`)
		h.escaped(language)
		h.write(`"`)
	}
	h.write(">")
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		h.dst = appendEscaped(h.dst, line.Value(h.doc.src))
	}
	h.write("</code></pre>\n")
}

func (h *htmlWriter) table(n *extast.Table) {
	h.write(`<div class="table-scroll" role="group" tabindex="0" aria-label="`)
	h.escaped(h.printer.Words("page.table"))
	h.write("\">\n<table>\n")
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		cell := "td"
		if row.Kind() == extast.KindTableHeader {
			cell = "th"
			h.write("<thead>\n")
		}
		h.write("<tr>\n")
		i := 0
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			h.write("<" + cell)
			if i < len(n.Alignments) {
				h.write(alignClass[n.Alignments[i]])
			}
			h.wrap(">", c, "</"+cell+">\n")
			i++
		}
		h.write("</tr>\n")
		switch {
		case cell == "th" && row.NextSibling() != nil:
			h.write("</thead>\n<tbody>\n")
		case cell == "th":
			h.write("</thead>\n")
		case row.NextSibling() == nil:
			h.write("</tbody>\n")
		}
	}
	h.write("</table>\n</div>\n")
}

// alignClass maps alignments to classes of the pages. The content security policy forbids style attributes.
var alignClass = map[extast.Alignment]string{extast.AlignRight: ` class="num"`, extast.AlignCenter: ` class="mid"`}

func (h *htmlWriter) footnoteLink(n *extast.FootnoteLink) {
	if h.excerpt {
		return
	}
	index := strconv.Itoa(n.Index)
	h.write(`<sup id="` + footnoteRef(n.Index, n.RefIndex) + `"><a href="#fn:` + index + `" role="doc-noteref">[` + index + `]</a></sup>`) // in brackets, because notes of tables are 1, 2
}

// footnoteRef returns the id of the n-th reference to a footnote, counted from 0.
func footnoteRef(index, n int) string {
	id := "fnref:" + strconv.Itoa(index)
	if n > 0 {
		id += ":" + strconv.Itoa(n)
	}
	return id
}
