// Package document parses the source of a post: TOML front matter, prose in Markdown, report blocks and inline
// values, each with its position. From one parse it renders HTML and Markdown for blogs.
//
// The prose is CommonMark with GFM's tables, strikethrough, autolinks and task lists, footnotes, heading
// attributes, TeX formulas, and HTML, which is kept as written.
//
//	+++
//	title = "Qwen3-8B on Jetson Thor"
//	date = 2025-10-12T06:00:00+08:00
//	tags = ["vLLM", "FP8"]
//	+++
//
//	FP8 is `= output_throughput{quantization="FP8"} | tok/s` fast.
//
//	<!--more-->
//
//	```benchpost table
//	rows = "model"
//	```
package document

import (
	"bytes"
	"net/url"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	extast "github.com/yuin/goldmark/extension/ast"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Options are the settings of a site that affect the parsing of a document.
type Options struct {
	Language string         // of a file whose name contains none, such as "zh-CN"
	Location *time.Location // of a date without a zone; nil is UTC

	// Page is set for pages, which are not posts. A page needs no front matter. In a page without front matter,
	// blocks and values are examples and are shown as written. Its title is that of the front matter or,
	// failing that, its first heading if that has level 1.
	Page bool
}

// Document is one post or page as its author wrote it. Rendering does not change it, so several goroutines may
// render it.
type Document struct {
	File     string // the name given to Parse
	Name     string // NAME of NAME.LANG.md: the same for all languages of a post
	Lang     string // language tag, "zh-CN" or "en"
	Slug     string // the front matter's, or NAME
	Front    Front
	Blocks   []*Block
	Values   []*Value
	Links    []*Link
	Headings []Heading
	Math     bool // the prose contains formulas
	More     bool // the prose has a <!--more--> line

	// Only for pages:
	Plain   bool   // it has no front matter: Blocks and Values are empty
	TitleID string // id of the heading that is its title, which is not part of the prose; "" if there is none

	page  bool   // see Options.Page
	whole []byte // the whole file
	base  int    // offset of the prose
	trees forest
}

// Block is a report block: a fenced code block whose info string begins with the word benchpost.
type Block struct {
	Kind     string          // the next word of the info string, such as "table"; "" if there is none
	Args     string          // the rest of the info string
	Body     []byte          // TOML
	BodyLine int             // line of the body's first line
	Pos      result.Position // of the fence
}

// Value is inline code that begins with "=", but not with "==", "=~" or "=>". With a space before the "=", it
// is ordinary code.
type Value struct {
	Expr string          // without the "=", white space trimmed
	Pos  result.Position // of the expression
}

// Link is the address of a link or an image in the prose.
type Link struct {
	Address string
	Image   bool
	Pos     result.Position
}

// Local resolves a relative address in the file from to the path of the file it refers to. ok is false for
// other addresses, including those that refer to a place in the same file.
func Local(from, address string) (file string, ok bool) {
	address, _, _ = strings.Cut(address, "#")
	if address == "" || strings.Contains(address, ":") || strings.HasPrefix(address, "/") || strings.Contains(address, "{{") {
		return "", false
	}
	if plain, err := url.PathUnescape(address); err == nil {
		address = plain
	}
	return path.Join(path.Dir(from), address), true
}

// Heading is an entry of the table of contents.
type Heading struct {
	Level int
	ID    string // the same in HTML and in Jekyll
	Text  string // without its inline values; see Document.Contents
	Pos   result.Position
}

// Fill provides the text for blocks, values and links. HTML and Markdown each have their own Fill.
type Fill interface {
	// Block appends the block as HTML or Markdown.
	Block(dst []byte, b *Block) []byte
	// Value returns the value as plain text. The caller escapes it.
	Value(*Value) string
	// Link returns the address to write. In Markdown, an address that differs from l.Address is written
	// unescaped, so it may contain Liquid.
	Link(l *Link) string
}

// Parse parses the source of a post or page. name is its file, such as "content/posts/quant.zh.md". The
// document is never nil, but must not be rendered if a message is an error.
func Parse(name string, src []byte, opt Options) (*Document, []result.Message) {
	d := &Document{File: name, page: opt.Page}
	p := parse{doc: newTree(d)}
	d.Name, d.Lang = splitName(name, opt.Language)
	src = p.clean(src)
	front, body, ok := splitFront(src)
	switch {
	case ok:
		r := frontReader{lines: p.doc.lines, toml: front, zone: opt.Location, page: opt.Page, msgs: &p.msgs}
		d.Front = r.read()
	case opt.Page && !beginsLike(src):
		d.Plain = true
	default:
		p.noFront(src)
	}
	d.Slug = d.Front.Slug
	if d.Slug == "" {
		d.Slug = d.Name
	}
	d.whole, d.base = src, body
	p.grow()
	d.trees.keep(p.doc)
	result.SortMessages(p.msgs)
	return d, p.msgs
}

// Footnotes reports whether the document has footnotes.
func (d *Document) Footnotes() bool {
	last := d.tree().root.LastChild()
	return last != nil && last.Kind() == extast.KindFootnoteList
}

// splitName returns NAME and LANG of dir/NAME.LANG.md.
func splitName(file, fallback string) (name, lang string) {
	name = strings.TrimSuffix(path.Base(file), ".md")
	lang = fallback
	if ext := path.Ext(name); len(ext) > 1 {
		if tag, ok := languageTag(ext[1:]); ok {
			return strings.TrimSuffix(name, ext), tag
		}
	}
	return name, lang
}

// languageTag accepts tags such as "en", "zh", "zh-TW" and "pt-br". Without a region, zh means zh-CN.
func languageTag(s string) (string, bool) {
	primary, region, hasRegion := strings.Cut(s, "-")
	if len(primary) != 2 || !isLetter(primary[0]) || !isLetter(primary[1]) {
		return "", false
	}
	primary = strings.ToLower(primary)
	switch {
	case hasRegion && len(region) == 2 && isLetter(region[0]) && isLetter(region[1]):
		return primary + "-" + strings.ToUpper(region), true
	case hasRegion:
		return "", false
	case primary == "zh":
		return "zh-CN", true
	}
	return primary, true
}

// parse is the state of one Parse.
type parse struct {
	doc  *tree
	msgs []result.Message
}

// clean returns the source without byte order mark and carriage returns, and reports invalid text. Lines and
// columns do not change.
func (p *parse) clean(src []byte) []byte {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	if bytes.IndexByte(src, '\r') >= 0 {
		src = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
		src = bytes.ReplaceAll(src, []byte("\r"), []byte("\n"))
	}
	p.doc.lines = newLines(p.doc.File, src)
	bad := bytes.IndexByte(src, 0)
	if !utf8.Valid(src) {
		for i := 0; i < len(src); {
			r, n := utf8.DecodeRune(src[i:])
			if r == utf8.RuneError && n == 1 {
				bad = i
				break
			}
			i += n
		}
	}
	if bad >= 0 {
		p.error(p.doc.lines.at(bad), "post.encoding", locale.Textf("the file is not UTF-8 text"), locale.Textf("save it as UTF-8"))
		src = bytes.ReplaceAll(bytes.ToValidUTF8(src, []byte("\ufffd")), []byte{0}, []byte("\ufffd"))
		p.doc.lines = newLines(p.doc.File, src)
	}
	return src
}

func (p *parse) error(pos result.Position, id string, text, hint locale.Text) {
	p.msgs = append(p.msgs, result.Message{Pos: pos, Severity: result.Error, ID: id, Text: text, Hint: hint})
}

func (p *parse) warn(pos result.Position, id string, text, hint locale.Text) {
	p.msgs = append(p.msgs, result.Message{Pos: pos, Severity: result.Warning, ID: id, Text: text, Hint: hint})
}

// beginsLike reports whether a text begins like front matter.
func beginsLike(src []byte) bool {
	first, _, _ := bytes.Cut(src, []byte("\n"))
	line := strings.TrimSpace(string(first))
	return line == fence || line == "---"
}

func (p *parse) noFront(src []byte) {
	pos := result.Position{File: p.doc.File, Line: 1}
	switch first, _, _ := bytes.Cut(src, []byte("\n")); strings.TrimSpace(string(first)) {
	case fence:
		p.error(pos, "post.front-matter", locale.Textf("the front matter is not closed"), locale.Textf("end it with a line +++"))
	case "---":
		p.error(pos, "post.front-matter", locale.Textf("the front matter is YAML"), locale.Textf("write it as TOML between +++ lines"))
	default:
		p.error(pos, "post.front-matter", locale.Textf("the file has no front matter"), locale.Textf("begin it with +++, title and date in TOML, and +++"))
	}
}
