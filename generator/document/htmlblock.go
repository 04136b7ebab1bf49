package document

import (
	"bytes"
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/benchpost/benchpost/generator/document/kramdown"
	"github.com/benchpost/benchpost/generator/lazy"
)

// In CommonMark, an HTML block of most elements ends at the first blank line, and what follows is Markdown. In
// kramdown it ends with its element, and all its content is HTML unless the tag has markdown="1". So elements
// that a block leaves open get that attribute. A block that also contains text outside such elements is passed
// through unread.

// htmlOpened is an element that an HTML block left open.
type htmlOpened struct {
	name   string
	unread bool // kramdown did not read its tag
}

// htmlToken matches comments, elements whose content is not HTML, and tags.
var htmlToken = lazy.Regexp(`(?is)<!--.*?-->` +
	`|<(?:script|style|pre|textarea)\b.*?</(?:script|style|pre|textarea)\s*>` +
	`|</?[a-z](?:"[^"]*"|'[^']*'|[^"'<>])*>`)

// htmlPart is a token with the text before it.
type htmlPart struct {
	before, token string
	tag           kramdown.Tag
	open          bool // not closed in its block
	hasText       bool // contains text directly
}

func splitHTML(source string) (parts []*htmlPart, rest string) {
	at := 0
	for _, t := range htmlToken().FindAllStringIndex(source, -1) {
		token := source[t[0]:t[1]]
		parts = append(parts, &htmlPart{before: source[at:t[0]], token: token, tag: kramdown.ParseTag(token)})
		at = t[1]
	}
	return parts, source[at:]
}

func (m *markdownWriter) htmlBlock(n *ast.HTMLBlock) []byte {
	if n == m.doc.more && m.form != kramdown.Plain {
		return []byte("<!--more-->")
	}
	if m.form != kramdown.Jekyll {
		return m.htmlText(string(htmlBlockText(n, m.doc.src)))
	}
	source := strings.Trim(string(htmlBlockText(n, m.doc.src)), "\n")
	var b strings.Builder
	for len(m.html) > 0 && !m.html[len(m.html)-1].unread { // kramdown must also read the end tags of elements it reads
		t := htmlToken().FindString(source)
		tag := kramdown.ParseTag(t)
		if !strings.HasPrefix(source, t) || !tag.Close || tag.Name != m.html[len(m.html)-1].name {
			break
		}
		m.html = m.html[:len(m.html)-1]
		b.WriteString(t + "\n")
		source = strings.TrimSpace(source[len(t):])
	}
	parts, rest := splitHTML(source)
	switch {
	case source == "":
		return []byte(b.String())
	case !m.settleHTML(parts, rest):
		b.WriteString("{::nomarkdown}\n" + kramdown.Guard(source, "") + "\n{:/nomarkdown}")
		return []byte(b.String())
	}
	for _, p := range parts {
		b.WriteString(p.before)
		if !p.tag.Whole {
			p.token = kramdown.MarkTag(p.token, p.open)
		}
		b.WriteString(p.token)
	}
	b.WriteString(rest)
	return []byte(kramdown.Guard(b.String(), ""))
}

// settleHTML finds the elements that stay open. It reports whether kramdown reads the block as intended.
func (m *markdownWriter) settleHTML(parts []*htmlPart, rest string) bool {
	readable := len(parts) > 0 && strings.TrimSpace(rest) == ""
	var open []*htmlPart
	for _, p := range parts {
		if strings.TrimSpace(p.before) != "" {
			if len(open) == 0 {
				readable = false
			} else {
				open[len(open)-1].hasText = true
			}
		}
		if len(open) == 0 && !p.tag.Block {
			readable = false
		}
		switch {
		case p.tag.Whole || p.tag.Void:
		case !p.tag.Close:
			p.open = true
			open = append(open, p)
		case len(open) > 0 && open[len(open)-1].tag.Name == p.tag.Name:
			open[len(open)-1].open = false
			open = open[:len(open)-1]
		default: // closes an element that an earlier block left open
			last := len(m.html) - 1
			if last < 0 || m.html[last].name != p.tag.Name {
				readable = false
				break
			}
			readable = readable && !m.html[last].unread
			m.html = m.html[:last]
		}
	}
	for _, p := range open {
		readable = readable && !p.hasText
	}
	for _, p := range open {
		m.html = append(m.html, htmlOpened{p.tag.Name, !readable})
	}
	return readable
}

var anySpace = lazy.Regexp(`[ \t\n]+`)

// htmlText converts an HTML block to Markdown. Each stretch of text between block elements becomes a paragraph.
func (m *markdownWriter) htmlText(source string) []byte {
	var paragraphs [][]byte
	end := func() {
		if text := bytes.TrimSpace(m.inline.Append(nil, kramdown.Block)); len(text) > 0 {
			paragraphs = append(paragraphs, text)
		}
	}
	add := func(s string) {
		if s = anySpace().ReplaceAllString(plain([]byte(s)), " "); s != "" {
			m.inline.Text(s)
		}
	}
	parts, rest := splitHTML(source)
	for _, p := range parts {
		add(p.before)
		switch {
		case p.tag.Whole && strings.HasPrefix(strings.ToLower(p.token), "<pre"):
			end()
			code := html.UnescapeString(htmlToken().ReplaceAllString(strings.TrimPrefix(p.token[strings.IndexByte(p.token, '>')+1:], "\n"), ""))
			paragraphs = append(paragraphs, []byte(kramdown.Fence(code, "", false, m.form)))
		case p.tag.Whole:
		case p.tag.Block:
			end()
		default:
			m.inline.Tag(p.token)
		}
	}
	add(rest)
	end()
	return bytes.Join(paragraphs, []byte("\n\n"))
}
