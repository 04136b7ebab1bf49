package run

import (
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
)

// Files writes the table of the files that a run was read from.
func (v *View) Files(w *parts.Writer) {
	if len(v.Evidence.Files) == 0 {
		return
	}
	p := v.Printer
	w.OpenScroll(p.Words("cite.run.files"), p)
	w.Tag(`<table class="downloads"><thead><tr><th scope="col">`, p.Words("cite.file"), `</th><th scope="col">`, p.Words("cite.role"),
		`</th><th scope="col" class="num">`, p.Words("cite.size"), "</th><th scope=\"col\">SHA-256</th></tr></thead>\n<tbody>\n")
	for _, f := range v.Evidence.Files {
		w.Tag(`<tr><th scope="row">`)
		href := f.Href
		if f.Copy != "" {
			href = v.Root + address.Escape(f.Copy)
		}
		if href = parts.SafeURL(href); f.held {
			v.saving(w, f.Path)
		} else if href != "" {
			w.Tag(`<a href="`)
			w.Text(href)
			w.Tag(`"`)
			if f.Copy != "" {
				w.Tag(" download")
			}
			w.Tag(">")
			w.Text(f.Path)
			w.Tag("</a>")
		} else {
			w.Text(f.Path)
		}
		w.Tag("</th><td>", p.Words("cite.role."+f.Role))
		if f.Copy == "" && !f.held {
			w.Tag(` <small class="hint">`, p.Words("cite.too.large"), "</small>")
		}
		w.Tag(`</td><td class="num">`, parts.Size(f.Size), `</td><td class="code">`, f.SHA256, "</td></tr>\n")
	}
	w.Tag("</tbody></table></div>\n")
}

// saving writes a link to the text of the file on the page. The page's script saves the text as a file.
func (v *View) saving(w *parts.Writer, text string) {
	w.Tag(`<a href="#raw" data-save="`)
	w.Text(v.file())
	w.Tag(`">`)
	w.Text(text)
	w.Tag("</a>")
}

// Citation writes a run's address and how to cite it.
func (v *View) Citation(w *parts.Writer, permalink string) {
	code := func(text string) {
		w.Tag(`<pre class="command" tabindex="0"><code>`)
		w.Text(text)
		w.Tag("</code></pre>\n")
	}
	w.Tag(`<p class="hint">`, v.Printer.Words("page.permalink"), "</p>")
	code(permalink)
	if v.Evidence.Work.Title == "" {
		return
	}
	w.Tag(`<p class="citation">`)
	w.Text(v.Evidence.Work.Text(v.Printer))
	w.Tag("</p>\n<details><summary>BibTeX</summary>\n")
	code(v.Evidence.Work.BibTeX())
	w.Tag("</details>\n")
}
