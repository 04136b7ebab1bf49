package page

import (
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// RunName is what a run is called in a language, with what it was put under.
func (s *Site) RunName(r *result.Result, lang string) string {
	printer, _ := locale.For(lang)
	name := runName(r)
	if load := loadName(r, &language{tag: lang, titles: s.Titles, printer: printer}); load != "" {
		name += " · " + load
	}
	return name
}

// files writes the table of what a run was read from.
func (v *runView) files(w *writer) {
	if v.evidence == nil || len(v.evidence.Files) == 0 {
		return
	}
	p := v.p
	w.openScroll(p.Words("cite.run.files"), p)
	w.tag(`<table class="downloads"><thead><tr><th scope="col">`, p.Words("cite.file"), `</th><th scope="col">`, p.Words("cite.role"),
		`</th><th scope="col" class="num">`, p.Words("cite.size"), "</th><th scope=\"col\">SHA-256</th></tr></thead>\n<tbody>\n")
	for _, f := range v.evidence.Files {
		w.tag(`<tr><th scope="row">`)
		href := f.Href
		if f.Copy != "" {
			href = v.root + escapePath(f.Copy)
		}
		if href = safeURL(href); href != "" {
			w.tag(`<a href="`)
			w.text(href)
			w.tag(`"`)
			if f.Copy != "" {
				w.tag(" download")
			}
			w.tag(">")
			w.text(f.Path)
			w.tag("</a>")
		} else {
			w.text(f.Path)
		}
		w.tag("</th><td>", p.Words("cite.role."+f.Role))
		if f.Copy == "" {
			w.tag(` <small class="hint">`, p.Words("cite.too.large"), "</small>")
		}
		w.tag(`</td><td class="num">`, size(f.Size), `</td><td class="code">`, f.SHA256, "</td></tr>\n")
	}
	w.tag("</tbody></table></div>\n")
}

// citation writes a run's address and how to cite it.
func (v *runView) citation(w *writer, address string) {
	code := func(text string) {
		w.tag(`<pre class="command" tabindex="0"><code>`)
		w.text(text)
		w.tag("</code></pre>\n")
	}
	w.tag(`<p class="hint">`, v.p.Words("page.permalink"), "</p>")
	code(address)
	if v.evidence == nil || v.evidence.Work.Title == "" {
		return
	}
	work := v.evidence.Work
	w.tag(`<p class="citation">`)
	w.text(work.Text(v.p))
	w.tag("</p>\n<details><summary>BibTeX</summary>\n")
	code(work.BibTeX())
	w.tag("</details>\n")
}
