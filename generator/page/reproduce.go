package page

import (
	"slices"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
)

// Labels of a command, as it was noted beside the run.
var commandLabels = []string{"command", "x_command"}

// reproduce writes how the run is named and how it was started: the command as
// it was recorded; else one put together from labels, marked as such; else what
// is known of it. What is not known is named.
func (v *runView) reproduce(w *parts.Writer) {
	p := v.p
	recorded := false
	code := func(text string) {
		w.Tag(`<pre class="command" tabindex="0"><code>`)
		w.Text(text)
		w.Tag("</code></pre>\n")
	}
	for _, name := range commandLabels {
		text := v.r.Labels.Get(name)
		if text != "" && !slices.ContainsFunc(v.src.commands, func(c result.Command) bool { return c.Text == text }) { // one of the file has its line
			w.Tag(`<p class="hint">`)
			w.Text(p.Words("page.reproduce.label", name))
			w.Tag("</p>")
			code(text)
			recorded = true
		}
	}
	for i := range v.src.commands {
		c := &v.src.commands[i]
		switch {
		case c.Line == 0 && recorded:
			continue
		case c.Line == 0:
			v.rebuilt(w, c, code)
		default:
			key := "page.reproduce.recorded"
			if c.Arguments {
				key = "page.reproduce.arguments"
			}
			w.Tag(`<p class="hint">`)
			w.Text(p.Words(key))
			w.Tag(` <span class="code">`)
			v.place(w, result.Position{File: v.r.Source.File, Line: c.Line})
			w.Tag("</span></p>")
			code(c.Text)
		}
		recorded = true
	}
	if !recorded {
		v.unrecorded(w, "page.reproduce.known")
		v.circumstances(w)
	}
	v.unknown(w)
}

// unrecorded states that there is no command, and what is shown instead. A
// file that lacks a part may have had one.
func (v *runView) unrecorded(w *parts.Writer, instead string) {
	key := "page.reproduce.none"
	if v.src.err != nil || int64(len(v.src.data)) < v.src.size {
		key = "page.reproduce.unsearched"
	}
	w.Tag(`<p class="hint">`)
	w.Text(v.p.Say(locale.Sentences(locale.T(key), locale.T(instead))))
	w.Tag("</p>\n")
}

// rebuilt writes a command that was not recorded, with what each flag rests on.
func (v *runView) rebuilt(w *parts.Writer, c *result.Command, code func(string)) {
	v.unrecorded(w, "page.reproduce.rebuilt")
	code(c.Text)
	w.Tag(`<p class="hint">`)
	for i, f := range c.Flags {
		if i > 0 {
			w.Tag(" · ")
		}
		w.Tag("<code>")
		w.Text(f.Name)
		w.Tag("</code> ")
		w.Text(v.p.Label(f.Label))
	}
	w.Tag("</p>\n")
}

// circumstances lists what is known of how the run was made.
func (v *runView) circumstances(w *parts.Writer) {
	w.Tag(`<dl class="spec">`)
	for _, name := range v.needed {
		if value := v.r.Label(name); value != "" {
			w.Tag("<div><dt>")
			w.Text(v.p.Label(name))
			w.Tag("</dt><dd>")
			w.Text(v.l.Value(name, value))
			w.Tag("</dd></div>")
		}
	}
	w.Tag("</dl>\n")
}

// unknown names what is not known.
func (v *runView) unknown(w *parts.Writer) {
	if len(v.missing) == 0 {
		return
	}
	names := make([]string, len(v.missing))
	for i, name := range v.missing {
		names[i] = v.p.Label(name)
	}
	w.Tag(`<p class="hint">`)
	w.Text(v.p.Words("page.reproduce.unknown", v.p.List(names)))
	w.Tag("</p>\n")
}

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
