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

// Markdown is a part of a post in which neither Liquid nor kramdown finds anything of the
// data to run. Only the functions of this package make one, and each escapes what it is
// given, so that no caller can forget to.
type Markdown struct{ text string }

func (m Markdown) String() string { return m.text }

// Join puts parts one after the other, with an empty line between them.
func Join(parts ...Markdown) Markdown {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.text
	}
	return Markdown{strings.Join(texts, "\n")}
}

// Address is where a link of a post leads, as it is written there. Asset and Post make
// one; the zero value is the author's own address.
type Address struct {
	text    string
	nowhere bool
}

// Nowhere is the address of what the reader cannot reach: its words stay, without a link.
var Nowhere = Address{nowhere: true}

func (a Address) String() string { return a.text }

// Base says how the addresses of files begin. The zero value leaves paths as they are, for a
// theme that puts the baseurl before them.
type Base struct {
	Prefix string // a path or an absolute address: nothing is asked of Jekyll
	Filter string // Jekyll's, when there is no prefix: "relative_url", "absolute_url"
}

// Asset returns the address of a file of the site, as
// "assets/benchpost/slug/x.png".
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

// Beside returns the address of a file that lies beside the post, or below it: relative to the
// post's own.
func Beside(path string) Address {
	return Address{text: kramdown.Address((&url.URL{Path: path}).EscapedPath())}
}

// Inline returns the address of a picture that is in the address itself.
func Inline(media string, data []byte) Address {
	return Address{text: "data:" + media + ";base64," + base64.StdEncoding.EncodeToString(data)}
}

// Elsewhere returns an absolute address.
func Elsewhere(url string) Address { return Address{text: kramdown.Address(url)} }

// PostAddress returns the address of another post by its path, as Path returns it. Jekyll
// puts the baseurl before it by itself since version 4.
func PostAddress(path string) Address {
	name := strings.TrimSuffix(strings.TrimPrefix(path, "_posts/"), ".md")
	const before = `{% if jekyll.version > "3" and jekyll.version < "4" %}{{ site.baseurl }}{% endif %}`
	return Address{text: before + "{% post_url " + name + " %}"} // a name is Slug's: nothing in it ends the tag
}

// At adds the fragment of an author's link, with its #.
func (a Address) At(fragment string) Address {
	if fragment == "" || a == Nowhere {
		return a
	}
	return Address{text: a.text + kramdown.Address(fragment)}
}

// Fill fills the places that a document leaves open in a post.
type Fill interface {
	// Block returns a block as Markdown.
	Block(*document.Block) Markdown
	// Value returns the value as plain text; it is escaped where it is put.
	Value(*document.Value) string
	// Link returns where a link leads; the zero value leaves the author's address.
	Link(*document.Link) Address
}

// filled is a Fill as a document wants it.
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

// Form is who reads a post.
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

	// Footnotes of the author's have the numbers that the reader's program gives them; then notes
	// of tables have an asterisk before theirs.
	Footnotes bool
}

// mark is that of a note of a table.
func (w Writer) mark(n int) string {
	if w.Footnotes && w.Form != Plain { // where those of the author's are [1]
		return "*" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}

func (w Writer) inline() kramdown.Inline { return kramdown.Inline{Form: w.Form} }

// Absent says why a block has no figures.
func (w Writer) Absent(why string) Markdown {
	p := w.Printer
	return Markdown{w.emphasis(kramdown.Em, p.Words("site.absent", why)) + "\n"}
}

// Raw returns the output of a tool as a fenced code block that Liquid leaves
// alone, below its title, unless that is "". Info is the language of the block, "" for none.
func (w Writer) Raw(title, text, info string) Markdown {
	text = strings.TrimRight(text, "\r\n")
	block := kramdown.Fence(text, info, false, w.Form) + "\n"
	if title = visible.Words(title); title != "" {
		block = "- " + kramdown.Text(title, kramdown.Block, w.Form) + "\n\n" + block
	}
	return Markdown{block}
}

// Chart returns an image and below it a link, with the given words, to the data it shows.
// Dark is the image's form for dark pages, the zero value for none.
func (w Writer) Chart(alt string, image, dark Address, words string, data Address) Markdown {
	return Markdown{w.picture(alt, image, dark).text + w.reference(words, data).text}
}

// picture writes an image; Markdown has no way to say that it has a dark form.
func (w Writer) picture(alt string, address, dark Address) Markdown {
	if dark.text != "" && w.Form == Jekyll {
		return Markdown{`<picture><source media="(prefers-color-scheme: dark)" srcset="` + dark.text + `"><img src="` + address.text +
			`" alt="` + kramdown.HTML(alt) + "\"></picture>\n"}
	}
	in := w.inline()
	in.Image(alt, address.text, "")
	return Markdown{string(in.Append(nil, kramdown.Block)) + "\n"}
}

// reference writes a paragraph that is a link.
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
