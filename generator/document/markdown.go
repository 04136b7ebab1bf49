package document

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"github.com/benchpost/benchpost/generator/document/kramdown"
	"github.com/benchpost/benchpost/generator/locale"
)

// Markdown writes the body of a post as Markdown of a form. The words and marks of the author are kept. Text
// that kramdown or Liquid would interpret differently from the HTML is escaped. Blocks are laid out so that
// kramdown and CommonMark read them alike: blank lines between blocks, items indented by the width of their
// marker, code fenced.
//
// Forms other than Jekyll contain no HTML: HTML that Markdown can express is converted, and of other HTML only
// the text is kept. In [kramdown.Plain], which may lack footnotes, they become a list at the end.
func (d *Document) Markdown(w io.Writer, fill Fill, form kramdown.Form) error {
	t := d.tree()
	m := markdownWriter{doc: t, fill: fill, form: form, footnotes: make(map[int]string), inline: kramdown.Inline{Form: form}}
	if list, ok := t.root.LastChild().(*extast.FootnoteList); ok {
		m.nameFootnotes(list)
	}
	body := bodies.Get().(*[]byte)
	defer bodies.Put(body)
	*body = m.blocks((*body)[:0], t.root, false)
	if len(*body) > 0 {
		*body = append(*body, '\n')
	}
	_, err := w.Write(*body)
	return err
}

type markdownWriter struct {
	doc       *tree
	fill      Fill
	form      kramdown.Form
	footnotes map[int]string
	inline    kramdown.Inline
	inList    int          // number of open list items
	html      []htmlOpened // elements that HTML blocks left open
}

// blocks appends the children of a container, without a newline at the end. If tight is true, it omits the
// blank lines that kramdown does not need.
func (m *markdownWriter) blocks(dst []byte, parent ast.Node, tight bool) []byte {
	var before ast.Node
	above := noList // kind of list at the end of the block above
	open := len(m.html)
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		text := bytes.TrimRight(m.block(n), "\n")
		if len(text) == 0 {
			continue
		}
		if before != nil {
			switch {
			case above != noList && above == m.listKind(n, text) && m.form == kramdown.Jekyll: // kramdown would join them
				dst = append(dst, "\n\n<!-- -->\n\n"...)
			case tight && follows(before, n):
				dst = append(dst, '\n')
			default:
				dst = append(dst, "\n\n"...)
			}
		}
		dst = append(dst, text...)
		end := text
		if i := bytes.LastIndex(text, []byte("\n\n")); i >= 0 {
			end = text[i+2:]
		}
		before, above = n, m.listKind(n, end)
	}
	m.html = m.html[:min(open, len(m.html))] // elements end with their container
	return dst
}

// A listKind describes how kramdown sees one end of a block.
type listKind int

const (
	noList listKind = iota
	bullets
	numbers
)

// listKind returns whether a child looks like a list to its neighbours: because it is a list, or because it is
// a report block that is written as bullets. text is the part next to the neighbour: the whole child or its
// end.
func (m *markdownWriter) listKind(n ast.Node, text []byte) listKind {
	switch n := n.(type) {
	case *ast.List:
		if n.IsOrdered() {
			return numbers
		}
		return bullets
	case *ast.FencedCodeBlock:
		if m.doc.blocks[n] != nil && bytes.HasPrefix(text, []byte("- ")) {
			return bullets
		}
	}
	return noList
}

// follows reports whether kramdown recognises n after another block without a blank line between them.
func follows(before, n ast.Node) bool {
	switch before.Kind() {
	case ast.KindTextBlock, ast.KindParagraph, ast.KindHeading, ast.KindFencedCodeBlock:
	default: // lists and quotes would absorb n
		return false
	}
	switch n := n.(type) {
	case *ast.FencedCodeBlock, *ast.Blockquote, *ast.Heading:
		return true
	case *ast.List:
		return !n.IsOrdered() || n.Start == 1
	}
	return false
}

func (m *markdownWriter) block(n ast.Node) []byte {
	src := m.doc.src
	switch n := n.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		return m.spans(nil, n, kramdown.Block)
	case *ast.Heading:
		return m.heading(n)
	case *ast.Blockquote:
		return prefixed(m.blocks(nil, n, false), "> ", "> ")
	case *ast.List:
		return m.list(n)
	case *ast.FencedCodeBlock:
		if b := m.doc.blocks[n]; b != nil {
			return m.fill.Block(nil, b)
		}
		return m.code(n, string(n.Language(src)))
	case *ast.CodeBlock:
		return m.code(n, "")
	case *formulaBlock:
		return []byte(kramdown.Formula(n.tex, m.form))
	case *ast.HTMLBlock:
		return m.htmlBlock(n)
	case *ast.ThematicBreak:
		if m.inList > 0 && m.form == kramdown.Jekyll { // in kramdown a rule ends the list even inside an item
			return []byte("<hr />")
		}
		return []byte("---")
	case *extast.Table:
		return m.table(n)
	case *extast.FootnoteList:
		notes := m.blocks(nil, n, false)
		if m.form == kramdown.Plain {
			p, _ := locale.For(m.doc.Lang)
			return append([]byte("**"+p.Words("page.footnotes")+"**\n\n"), notes...)
		}
		return notes
	case *extast.Footnote:
		text := m.blocks(nil, n, false)
		if m.form == kramdown.Plain {
			return append([]byte(flatNote(n.Index)+" "), text...)
		}
		head := "[^" + m.footnotes[n.Index] + "]:"
		if first := n.FirstChild(); first != nil && first.Kind() == ast.KindParagraph {
			return prefixed(text, head+" ", "    ")
		}
		return append([]byte(head+"\n"), prefixed(text, "    ", "    ")...)
	}
	return nil
}

// flatNote returns the mark of a footnote, and of a reference to it, for Markdown without footnotes.
func flatNote(index int) string { return `\[` + strconv.Itoa(index) + `\]` }

// prefixed adds a prefix to the first line and another to the other lines. Empty lines get no space at the end.
func prefixed(text []byte, first, other string) []byte {
	dst := make([]byte, 0, len(text)+len(text)/8)
	prefix := first
	for line := range bytes.Lines(append(text, '\n')) {
		if len(line) == 1 {
			dst = append(dst, strings.TrimRight(prefix, " ")...)
		} else {
			dst = append(dst, prefix...)
		}
		dst = append(dst, line...)
		prefix = other
	}
	return dst[:len(dst)-1]
}

func (m *markdownWriter) code(n ast.Node, language string) []byte {
	code := string(n.Lines().Value(m.doc.src))
	return []byte(kramdown.Fence(code, language, m.inList > 0, m.form))
}

func (m *markdownWriter) heading(n *ast.Heading) []byte {
	marks := strings.Repeat("#", n.Level)
	dst := m.spans([]byte(marks+" "), n, kramdown.Heading)
	if m.form != kramdown.Jekyll {
		if id := m.doc.marks[n]; id != "" && m.form == kramdown.Hugo {
			after, _ := kramdown.HeadingMark(id)
			dst = append(dst, after...)
		}
		return dst
	}
	if len(dst) == n.Level+1 { // kramdown has no empty headings
		id, _ := n.AttributeString("id")
		return fmt.Appendf(nil, `<h%d id="%s"></h%d>`, n.Level, id, n.Level)
	}
	var attributes []string
	for _, a := range n.Attributes() {
		if value, ok := a.Value.([]byte); ok && string(a.Name) != "id" {
			attributes = append(attributes, string(a.Name), string(value))
		}
	}
	id := m.doc.marks[n]
	after, below := "", ""
	switch {
	case id != "" && attributes == nil:
		after, below = kramdown.HeadingMark(id)
	case id != "":
		below = kramdown.AttributeList(append([]string{"id", id}, attributes...)...)
	default:
		below = kramdown.AttributeList(attributes...)
	}
	dst = append(dst, after...)
	if below != "" {
		dst = append(append(dst, '\n'), below...)
	}
	return dst
}

func (m *markdownWriter) list(n *ast.List) []byte {
	var dst []byte
	number := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		marker := string(m.bullet(n)) + " "
		if n.IsOrdered() {
			marker = strconv.Itoa(number) + ". "
			number++
		}
		if dst != nil {
			dst = append(dst, '\n')
			if !n.IsTight {
				dst = append(dst, '\n')
			}
		}
		m.inList++
		text := m.blocks(nil, item, n.IsTight)
		m.inList--
		if len(text) == 0 {
			dst = append(dst, marker...) // kramdown requires the space
			continue
		}
		dst = append(dst, prefixed(text, marker, strings.Repeat(" ", len(marker)))...)
	}
	if !n.IsOrdered() || n.Start == 1 || m.form != kramdown.Jekyll {
		return dst
	}
	start := kramdown.AttributeList("start", strconv.Itoa(n.Start)) + "\n"
	if n.PreviousSibling() == nil && n.Parent().Kind() == ast.KindListItem {
		start = "<!-- -->\n\n" + start // otherwise the attributes would apply to the item
	}
	return append([]byte(start), dst...)
}

// bullet returns the marker of a list. It differs from that of a report block beside the list, because
// CommonMark would join the two.
func (m *markdownWriter) bullet(n *ast.List) byte {
	if m.form == kramdown.Jekyll || n.Marker != '-' {
		return n.Marker
	}
	for _, beside := range []ast.Node{n.PreviousSibling(), n.NextSibling()} {
		if code, ok := beside.(*ast.FencedCodeBlock); ok && m.doc.blocks[code] != nil {
			return '*'
		}
	}
	return n.Marker
}

// blogAlign replaces the alignment classes of the pages by the style attributes that kramdown writes, because a
// blog lacks the classes.
var blogAlign = strings.NewReplacer(` class="num"`, ` style="text-align: right"`, ` class="mid"`, ` style="text-align: center"`)

// table writes the rows with the author's spacing and a pipe at each end.
func (m *markdownWriter) table(n *extast.Table) []byte {
	if n.ChildCount() == 1 && m.form == kramdown.Jekyll { // kramdown requires a row below the header
		h := m.doc.htmlWriter(m.fill)
		h.blog = true
		h.table(n)
		return []byte(blogAlign.Replace(string(h.dst)))
	}
	var dst []byte
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		dst = m.row(dst, row, len(n.Alignments))
		if row.Kind() == extast.KindTableHeader {
			dst = append(dst, m.delimiter(n, row)...)
		}
	}
	if m.form == kramdown.Jekyll {
		dst = append(dst, kramdown.Scroll...)
	}
	return dst
}

func (m *markdownWriter) row(dst []byte, row ast.Node, columns int) []byte {
	src := m.doc.src
	start := row.Pos()
	line, _, _ := bytes.Cut(src[start:], []byte("\n"))
	line = bytes.TrimRight(line, " \t\r")
	aligned := len(line) > 1 && line[0] == '|' && line[len(line)-1] == '|' && row.ChildCount() == columns
	for c := row.FirstChild(); c != nil; c = c.NextSibling() {
		aligned = aligned && c.Lines().Len() == 1
		if aligned && c.NextSibling() == nil { // there may be more cells than columns
			aligned = len(bytes.TrimLeft(src[c.Lines().At(0).Stop:start+len(line)], " \t")) == 1
		}
	}
	if !aligned {
		dst = append(dst, '|')
		i := 0
		for c := row.FirstChild(); c != nil && i < columns; c = c.NextSibling() {
			dst = append(m.spans(append(dst, ' '), c, kramdown.Cell), " |"...)
			i++
		}
		return append(dst, '\n')
	}
	at := start
	for c := row.FirstChild(); c != nil; c = c.NextSibling() {
		seg := c.Lines().At(0)
		dst = append(dst, src[at:seg.Start]...)
		dst = m.spans(dst, c, kramdown.Cell)
		at = seg.Stop
	}
	return append(append(dst, src[at:start+len(line)]...), '\n')
}

// delimiter returns the line below the header. It keeps the author's line if that has a pipe at each end.
func (m *markdownWriter) delimiter(n *extast.Table, header ast.Node) string {
	_, rest, _ := bytes.Cut(m.doc.src[header.Pos():], []byte("\n"))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	s := strings.Trim(string(line), " \t>")
	if strings.HasPrefix(s, "|") && strings.HasSuffix(s, "|") && strings.Trim(s, "|:- \t") == "" {
		return s + "\n"
	}
	var b strings.Builder
	for _, a := range n.Alignments {
		b.WriteString("|" + map[extast.Alignment]string{
			extast.AlignLeft: ":--", extast.AlignRight: "--:", extast.AlignCenter: ":-:", extast.AlignNone: "---",
		}[a])
	}
	return b.String() + "|\n"
}

// nameFootnotes chooses the names of footnotes. It keeps names that kramdown can read.
func (m *markdownWriter) nameFootnotes(list *extast.FootnoteList) {
	taken := make(map[string]bool)
	for n := list.FirstChild(); n != nil; n = n.NextSibling() {
		taken[string(n.(*extast.Footnote).Ref)] = true
	}
	for n := list.FirstChild(); n != nil; n = n.NextSibling() {
		f := n.(*extast.Footnote)
		name := string(f.Ref)
		for k := f.Index; !kramdown.FootnoteName(name); k++ {
			if try := "note-" + strconv.Itoa(k); !taken[try] {
				name, taken[try] = try, true
			}
		}
		m.footnotes[f.Index] = name
	}
}

// spans writes the inline content of a block.
func (m *markdownWriter) spans(dst []byte, n ast.Node, place kramdown.Place) []byte {
	m.collect(n)
	return m.inline.Append(dst, place)
}

func (m *markdownWriter) collect(parent ast.Node) {
	in, src := &m.inline, m.doc.src
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			m.text(plain(n.Segment.Value(src)))
			switch {
			case n.HardLineBreak():
				in.Break()
			case n.SoftLineBreak():
				in.Text("\n")
			}
		case *ast.String:
			in.Text(string(n.Value))
		case *ast.CodeSpan:
			if v := m.doc.values[n]; v != nil {
				m.text(m.fill.Value(v))
			} else {
				in.Code(codeText(n, src))
			}
		case *formula:
			in.Formula(n.tex)
		case *ast.Emphasis:
			style := kramdown.Em
			if n.Level == 2 {
				style = kramdown.Strong
			}
			in.Open(style, src[n.Pos()])
			m.collect(n)
			in.Close()
		case *extast.Strikethrough:
			in.Open(kramdown.Strike, '~')
			m.collect(n)
			in.Close()
		case *ast.Link:
			address := m.address(n)
			if address == "" && m.form != kramdown.Jekyll {
				m.collect(n)
				break
			}
			in.OpenLink()
			m.collect(n)
			in.CloseLink(address, plain(n.Title))
		case *ast.Image:
			alt, address := m.doc.altText(n, m.fill), m.address(n)
			if address == "" && m.form != kramdown.Jekyll {
				in.Text(alt)
				break
			}
			in.Image(alt, address, plain(n.Title))
		case *ast.AutoLink:
			m.autoLink(n)
		case *ast.RawHTML:
			in.Tag(string(n.Segments.Value(src)))
		case *extast.TaskCheckBox:
			in.Markup(cmp.Or(map[bool]string{true: "[x] "}[n.IsChecked], "[ ] "))
		case *extast.FootnoteLink:
			if m.form == kramdown.Plain {
				in.Markup(flatNote(n.Index))
			} else {
				in.Markup("[^" + m.footnotes[n.Index] + "]")
			}
		}
	}
}

// text adds text. In a post with formulas, each dollar sign gets its own element, so that the script that
// renders formulas does not pair it with another one.
func (m *markdownWriter) text(s string) {
	for m.doc.Math && m.form == kramdown.Jekyll {
		before, after, ok := strings.Cut(s, "$")
		if !ok {
			break
		}
		m.inline.Text(before)
		m.inline.Start("span")
		m.inline.Text("$")
		m.inline.End("span")
		s = after
	}
	m.inline.Text(s)
}

func (m *markdownWriter) address(n ast.Node) string {
	l := m.doc.links[n]
	if s := m.fill.Link(l); s != l.Address {
		return s
	}
	return kramdown.Address(l.Address)
}

// autoLink writes a link as <https://…> if kramdown can read that: it supports only http and https there, and
// no bare addresses.
func (m *markdownWriter) autoLink(n *ast.AutoLink) {
	url, label := string(n.URL(m.doc.src)), string(n.Label(m.doc.src))
	scheme, _, _ := strings.Cut(url, ":")
	switch {
	case n.AutoLinkType == ast.AutoLinkEmail:
		if !strings.HasPrefix(strings.ToLower(url), "mailto:") {
			url = "mailto:" + url
		}
	case url == label && (scheme == "http" || scheme == "https") && kramdown.Address(url) == url:
		m.inline.Markup("<" + url + ">")
		return
	}
	m.inline.OpenLink()
	m.inline.Text(label)
	m.inline.CloseLink(kramdown.Address(url), "")
}
