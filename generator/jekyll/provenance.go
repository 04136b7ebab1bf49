package jekyll

import (
	"html"
	"strings"

	"github.com/benchpost/benchpost/generator/cite"
	"github.com/benchpost/benchpost/generator/locale"
)

// Provenance writes what a post states about its data at its end. What is long is folded:
// blocks of HTML without an empty line, in which kramdown reads nothing.
func Provenance(from *cite.Provenance, p locale.Printer) string {
	var b strings.Builder
	text := func(s string) { // entities where Liquid or kramdown would look for something to do
		b.WriteString(strings.NewReplacer("{", "&#123;", "*", "&#42;", "_", "&#95;", "`", "&#96;", "|", "&#124;", "\\", "&#92;", "\n", "&#10;").Replace(html.EscapeString(strings.ToValidUTF8(s, "\ufffd"))))
	}
	link := func(address, s string) {
		if address == "" {
			text(s)
			return
		}
		b.WriteString(`<a href="` + strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;").Replace(address) + `">`)
		text(s)
		b.WriteString("</a>")
	}
	b.WriteString("\n<div class=\"benchpost-provenance\">\n<p><small>")
	text(p.Words("page.provenance", len(from.Runs)))
	b.WriteString("<br>")
	text(p.Words("cite.data.of"))
	b.WriteString(` <code title="sha256:` + from.Revision + `">` + cite.Short(from.Revision) + "</code> · ")
	text(p.Words("cite.files", len(from.Files)))
	b.WriteString(` · <a href="` + from.Sums + `">`) // as Asset writes it
	text(p.Words("cite.sums"))
	b.WriteString("</a>")
	if len(from.Versions) > 0 {
		b.WriteString("<br>")
		text(p.Words("cite.versions", p.List(from.Versions)))
	}
	b.WriteString("</small></p>\n<details><summary>")
	text(p.Words("page.runs"))
	b.WriteString("</summary>\n<ul>\n")
	for _, r := range from.Runs {
		b.WriteString("<li>")
		link(r.Href, r.Name)
		b.WriteString(" <small>")
		text(r.ID)
		b.WriteString("</small></li>\n")
	}
	b.WriteString("</ul></details>\n<details><summary>")
	text(p.Words("cite.this"))
	b.WriteString("</summary>\n<p>")
	text(from.Text)
	b.WriteString("</p>\n<pre><code>")
	text(from.BibTeX)
	b.WriteString("</code></pre></details>\n</div>\n")
	return b.String()
}
