package blogpost

import (
	"strings"

	"github.com/benchpost/benchpost/generator/cite"
	"github.com/benchpost/benchpost/generator/document/kramdown"
	"github.com/benchpost/benchpost/generator/visible"
)

// Provenance returns the statements about the data at the end of a post. Long parts are collapsed. It uses HTML
// blocks without empty lines, in which kramdown interprets nothing. sums is the address of the list of
// checksums.
func (w Writer) Provenance(from *cite.Provenance, sums Address) Markdown {
	if w.Form != Jekyll {
		return w.plainProvenance(from, sums)
	}
	p := w.Printer
	var b strings.Builder
	text := func(s string) { b.WriteString(kramdown.HTML(s)) }
	link := func(address, s string) {
		if address == "" {
			text(s)
			return
		}
		b.WriteString(`<a href="` + kramdown.HTML(address) + `">`)
		text(s)
		b.WriteString("</a>")
	}
	b.WriteString("\n<div class=\"benchpost-provenance\">\n<p><small>")
	text(p.Words("page.provenance", len(from.Runs)))
	b.WriteString("<br>")
	text(p.Words("cite.data.of"))
	b.WriteString(` <code title="sha256:`)
	text(from.Revision)
	b.WriteString(`">`)
	text(cite.Short(from.Revision))
	b.WriteString("</code> · ")
	text(p.Words("cite.files", len(from.Files)))
	b.WriteString(` · <a href="` + sums.text + `">`)
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
	return Markdown{b.String()}
}

// plainProvenance does the same without HTML. Nothing is collapsed.
func (w Writer) plainProvenance(from *cite.Provenance, sums Address) Markdown {
	p, in := w.Printer, w.inline()
	in.Text(p.Words("page.provenance", len(from.Runs)))
	in.Break()
	in.Text(p.Words("cite.data.of") + " ")
	in.Code(from.Revision)
	in.Text(" · " + p.Words("cite.files", len(from.Files)))
	if sums != Nowhere {
		in.Text(" · ")
		in.OpenLink()
		in.Text(p.Words("cite.sums"))
		in.CloseLink(sums.text, "")
	}
	if len(from.Versions) > 0 {
		in.Break()
		in.Text(p.Words("cite.versions", p.List(from.Versions)))
	}
	parts := []string{"---", string(in.Append(nil, kramdown.Block)), w.emphasis(kramdown.Strong, p.Words("page.runs"))}
	var runs []string
	for _, r := range from.Runs {
		if r.Href != "" {
			in.OpenLink()
			in.Text(r.Name)
			in.CloseLink(kramdown.Address(r.Href), "")
		} else {
			in.Text(r.Name)
		}
		in.Text(" ")
		in.Code(r.ID)
		runs = append(runs, "- "+string(in.Append(nil, kramdown.Block)))
	}
	parts = append(parts, strings.Join(runs, "\n"), w.emphasis(kramdown.Strong, p.Words("cite.this")),
		kramdown.Text(visible.Words(from.Text), kramdown.Block, w.Form), kramdown.Fence(from.BibTeX, "bibtex", false, w.Form))
	return Markdown{"\n" + strings.Join(parts, "\n\n") + "\n"}
}
