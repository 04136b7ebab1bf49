package blogpost

import (
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/document"
	"github.com/benchpost/benchpost/generator/document/kramdown"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/visible"
)

// Markdown is a part of a post whose data Liquid and kramdown cannot execute. Only functions of this package
// create values of this type, and each escapes its input, so callers cannot forget to.
type Markdown struct{ text string }

func (m Markdown) String() string { return m.text }

// Join joins parts with an empty line between them.
func Join(parts ...Markdown) Markdown {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.text
	}
	return Markdown{strings.Join(texts, "\n")}
}

// Address is the address of a link as it is written in a post. The functions of this package create it. The
// zero value keeps the author's address.
type Address struct {
	text    string
	nowhere bool
}

// Nowhere is the address of a target that the reader cannot reach. The text of the link is kept without a link.
var Nowhere = Address{nowhere: true}

func (a Address) String() string { return a.text }

// Base determines how addresses of files begin. The zero value leaves paths unchanged, for themes that add the
// baseurl.
type Base struct {
	Prefix string // a path or an absolute address; then no Jekyll filter is used
	Filter string // filter of Jekyll if there is no prefix: "relative_url" or "absolute_url"
}

// Asset returns the address of a file of the site, such as "assets/benchpost/slug/x.png".
func Asset(base Base, path string) Address {
	path = (&url.URL{Path: "/" + strings.TrimLeft(path, "/")}).EscapedPath()
	path = kramdown.Address(path)
	switch {
	case base.Prefix != "":
		return Address{text: strings.TrimRight(kramdown.Address(base.Prefix), "/") + path}
	case base.Filter != "":
		return Address{text: `{{ "` + path + `" | ` + base.Filter + ` }}`}
	}
	return Address{text: path}
}

// Beside returns the address of a file beside or below the post, relative to the post.
func Beside(path string) Address {
	return Address{text: kramdown.Address((&url.URL{Path: path}).EscapedPath())}
}

// Inline returns an image as a data URL.
func Inline(media string, data []byte) Address {
	return Address{text: "data:" + media + ";base64," + base64.StdEncoding.EncodeToString(data)}
}

// Elsewhere returns an absolute address.
func Elsewhere(url string) Address { return Address{text: kramdown.Address(url)} }

// PostAddress returns the address of another post by its path, as [Path] returns it. Since version 4 Jekyll
// adds the baseurl itself.
func PostAddress(path string) Address {
	name := strings.TrimSuffix(strings.TrimPrefix(path, "_posts/"), ".md")
	const before = `{% if jekyll.version > "3" and jekyll.version < "4" %}{{ site.baseurl }}{% endif %}`
	return Address{text: before + "{% post_url " + name + " %}"} // name comes from Slug, so it cannot end the tag
}

// At appends the fragment of an author's link, including its #.
func (a Address) At(fragment string) Address {
	if fragment == "" || a == Nowhere {
		return a
	}
	return Address{text: a.text + kramdown.Address(fragment)}
}

// Fill provides the text for blocks, values and links of a post.
type Fill interface {
	// Block returns a block as Markdown.
	Block(*document.Block) Markdown
	// Value returns the value as plain text. The caller escapes it.
	Value(*document.Value) string
	// Link returns the address of a link. The zero value keeps the author's address.
	Link(*document.Link) Address
}

// filled adapts a [Fill] to document.Fill.
type filled struct{ Fill }

func (f filled) Block(dst []byte, b *document.Block) []byte {
	return append(dst, f.Fill.Block(b).text...)
}

func (f filled) Link(l *document.Link) string {
	a := f.Fill.Link(l)
	if a == (Address{}) {
		return l.Address
	}
	return a.text
}

// Form is the reader for which a post is written.
type Form = kramdown.Form

// The forms.
const (
	Jekyll = kramdown.Jekyll
	Hugo   = kramdown.Hugo
	Plain  = kramdown.Plain
)

// Writer writes blocks in a language and a form.
type Writer struct {
	Printer locale.Printer
	Form    Form

	// Footnotes is true if the author wrote footnotes. They are numbered by the reader's program, so notes of
	// tables then have an asterisk before their number.
	Footnotes bool
}

// mark returns the mark of a table's note.
func (w Writer) mark(n int) string {
	if w.Footnotes && w.Form != Plain { // in Plain, footnotes are marked [1] and cannot be confused with notes
		return "*" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}

func (w Writer) inline() kramdown.Inline { return kramdown.Inline{Form: w.Form} }

// Absent returns a line that says why a block has no figures.
func (w Writer) Absent(why string) Markdown {
	p := w.Printer
	return Markdown{w.emphasis(kramdown.Em, p.Words("site.absent", why)) + "\n"}
}

// Raw returns the output of a tool as a fenced code block that Liquid does not execute, below its title unless
// that is "". info is the language of the block, "" if there is none.
func (w Writer) Raw(title, text, info string) Markdown {
	text = strings.TrimRight(text, "\r\n")
	block := kramdown.Fence(text, info, false, w.Form) + "\n"
	if title = visible.Words(title); title != "" {
		block = "- " + kramdown.Text(title, kramdown.Block, w.Form) + "\n\n" + block
	}
	return Markdown{block}
}

// Chart returns an image, followed by a link to its data with the given text. dark is the image for dark pages,
// the zero value if there is none.
func (w Writer) Chart(alt string, image, dark Address, words string, data Address) Markdown {
	return Markdown{w.picture(alt, image, dark).text + w.reference(words, data).text}
}

// picture returns an image. Only HTML can also name the version for dark pages.
func (w Writer) picture(alt string, address, dark Address) Markdown {
	if dark.text != "" && w.Form == Jekyll {
		return Markdown{`<picture><source media="(prefers-color-scheme: dark)" srcset="` + dark.text + `"><img src="` + address.text +
			`" alt="` + kramdown.HTML(alt) + "\"></picture>\n"}
	}
	in := w.inline()
	in.Image(alt, address.text, "")
	return Markdown{string(in.Append(nil, kramdown.Block)) + "\n"}
}

// reference returns a paragraph that consists of a link.
func (w Writer) reference(text string, address Address) Markdown {
	in := w.inline()
	if address == Nowhere {
		return Markdown{}
	}
	in.OpenLink()
	in.Text(visible.Words(text))
	in.CloseLink(address.text, "")
	return Markdown{string(in.Append(nil, kramdown.Block)) + "\n"}
}
