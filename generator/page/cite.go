package page

import (
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
)

// RunName is what a run is called in a language, with what it was put under.
func (s *Site) RunName(r *result.Result, lang string) string {
	printer, _ := locale.For(lang)
	name := parts.RunName(r)
	if load := (&parts.Reader{Printer: printer, Titles: s.Titles}).LoadName(r); load != "" {
		name += " · " + load
	}
	return name
}

// files writes the table of what a run was read from.
func (v *runView) files(w *parts.Writer) {
	if v.evidence == nil || len(v.evidence.Files) == 0 {
		return
	}
	p := v.p
	w.OpenScroll(p.Words("cite.run.files"), p)
	w.Tag(`<table class="downloads"><thead><tr><th scope="col">`, p.Words("cite.file"), `</th><th scope="col">`, p.Words("cite.role"),
		`</th><th scope="col" class="num">`, p.Words("cite.size"), "</th><th scope=\"col\">SHA-256</th></tr></thead>\n<tbody>\n")
	for _, f := range v.evidence.Files {
		w.Tag(`<tr><th scope="row">`)
		href := f.Href
		if f.Copy != "" {
			href = v.root + address.Escape(f.Copy)
		}
		if href = parts.SafeURL(href); href != "" {
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
		if f.Copy == "" {
			w.Tag(` <small class="hint">`, p.Words("cite.too.large"), "</small>")
		}
		w.Tag(`</td><td class="num">`, parts.Size(f.Size), `</td><td class="code">`, f.SHA256, "</td></tr>\n")
	}
	w.Tag("</tbody></table></div>\n")
}

// citation writes a run's address and how to cite it.
func (v *runView) citation(w *parts.Writer, permalink string) {
	code := func(text string) {
		w.Tag(`<pre class="command" tabindex="0"><code>`)
		w.Text(text)
		w.Tag("</code></pre>\n")
	}
	w.Tag(`<p class="hint">`, v.p.Words("page.permalink"), "</p>")
	code(permalink)
	if v.evidence == nil || v.evidence.Work.Title == "" {
		return
	}
	work := v.evidence.Work
	w.Tag(`<p class="citation">`)
	w.Text(work.Text(v.p))
	w.Tag("</p>\n<details><summary>BibTeX</summary>\n")
	code(work.BibTeX())
	w.Tag("</details>\n")
}
