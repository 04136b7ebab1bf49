package blogpost

import (
	"bytes"
	"io"
	"path"
	"strings"

	"github.com/benchpost/benchpost/generator/document"
	"github.com/benchpost/benchpost/generator/document/kramdown"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/visible"
)

// PlainPath returns the file name of a post in a folder of Markdown, such as "quant.en.md".
func PlainPath(d *document.Document) string {
	return Slug(d.Name) + strings.TrimPrefix(path.Base(d.File), d.Name)
}

// PlainPost returns a post as Markdown for code hosts, wikis and editors of other sites: title and date at the
// top, no front matter, no HTML.
func PlainPost(d *document.Document, fill Fill, foot Foot, p locale.Printer) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString("# " + kramdown.Text(visible.Words(d.Front.Title), kramdown.Heading, Plain) + "\n\n")
	line := ""
	if !d.Front.Date.IsZero() {
		line = p.Date(d.Front.Date)
	}
	if d.Front.Author != "" {
		line += " · " + d.Front.Author
	}
	if line != "" {
		out.WriteString(kramdown.Text(visible.Words(line), kramdown.Block, Plain) + "\n\n")
	}
	err := d.Markdown(&out, filled{fill}, Plain)
	foot.write(&out, Plain)
	return out.Bytes(), err
}

// Foot is the part of a post after the author's text.
type Foot struct {
	Provenance Markdown // provenance of the data; zero for none
	Remark     string   // one line; "" for none
}

func (f Foot) write(w io.Writer, form Form) {
	if f.Remark != "" {
		_, _ = io.WriteString(w, "\n"+kramdown.Text(visible.Words(f.Remark), kramdown.Block, form)+"\n")
	}
	_, _ = io.WriteString(w, f.Provenance.text)
}
