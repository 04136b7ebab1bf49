package page

import (
	"html/template"
	"slices"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
)

// section is a part of the site that every page leads to.
type section struct {
	name  string              // its words are page.NAME; layouts mark it by current "NAME"
	path  string              // of its page, in its language's folder
	group string              // of the index at the foot, headed by page.index.GROUP; "" stands in none
	main  bool                // stands at the head of the page, too
	kinds []string            // of the pages under it, each with a layout of that name
	shown func(*builder) bool // tells whether there is anything to see; nil when there always is
}

// sections are the site's parts in the order of its index. A page that others
// are to lead to is registered here and nowhere else: its layouts are read, the
// head and the foot of every page, the front page and the sitemap name it.
//
// What stands at the head has to fit into one line of a phone: five short words.
var sections = []section{
	{name: "home", path: "index.html", group: "about", main: true, kinds: []string{"home", "post"}},
	{name: "results", path: "results/index.html", group: "results", main: true, kinds: []string{"results", "run"}},
	{name: "compare", path: "compare/index.html", group: "results", kinds: []string{"compare"}},
	{name: "deploy", path: "deploy/index.html", group: "results", kinds: []string{"deploy"}},
	{name: "coverage", path: "coverage/index.html", group: "results", kinds: []string{"coverage"}},
	{name: "history", path: "history/index.html", group: "results", kinds: []string{"history"},
		shown: func(b *builder) bool { return len(b.trends) > 0 }},
	{name: "models", path: "models/index.html", group: "subjects", main: true, kinds: []string{"models", "model"}},
	{name: "hardware", path: "hardware/index.html", group: "subjects", main: true, kinds: []string{"hardware", "board"}},
	{name: "loads", path: "loads/index.html", group: "subjects", main: true, kinds: []string{"loads", "load"}},
	{name: "methodology", path: address.Methodology, group: "about", kinds: []string{"methodology"}},
	{name: "problems", path: "problems/index.html", group: "about", kinds: []string{"problems"}},
	{name: "downloads", path: "downloads/index.html", group: "about", kinds: []string{"downloads"}},
}

// indexGroups are the columns of the index at the foot.
var indexGroups = []string{"results", "subjects", "about"}

// sectionUnder gives the name of the section a kind of page stands under, "" for none.
func sectionUnder(kind string) string {
	for _, s := range sections {
		if slices.Contains(s.kinds, kind) {
			return s.name
		}
	}
	return ""
}

// shownSections are those in which there is something to see.
func (b *builder) shownSections() []section {
	return slices.DeleteFunc(slices.Clone(sections), func(s section) bool { return s.shown != nil && !s.shown(b) })
}

// masthead writes the links at the head of a page, siteIndex those at its foot.
func (f functions) masthead() template.HTML {
	var w parts.Writer
	for _, s := range f.l.sections {
		if s.main {
			writeSection(&w, s, f)
			w.Tag("\n")
		}
	}
	return w.HTML()
}

func (f functions) siteIndex() template.HTML {
	var w parts.Writer
	for _, group := range indexGroups {
		w.Tag("<div><h2>", f.l.Printer.Words("page.index."+group), "</h2>\n<ul>")
		for _, s := range f.l.sections {
			if s.group == group {
				w.Tag("<li>")
				writeSection(&w, s, f)
				w.Tag("</li>")
			}
		}
		w.Tag("</ul></div>\n")
	}
	return w.HTML()
}

func writeSection(w *parts.Writer, s section, f functions) {
	w.Tag(`<a href="`)
	w.Text(f.home + s.path)
	w.Tag(`"`, string(f.current(s.name)), ">")
	w.Text(f.l.Printer.Words("page." + s.name))
	w.Tag("</a>")
}

// startEntry is where a reader may begin, and what is to be found there.
type startEntry struct {
	Name, Words string
	Href        template.URL
}

// start lists the sections that have words for what they are for.
func (b *builder) start(p locale.Printer, home string) []startEntry {
	var entries []startEntry
	for _, s := range b.shownSections() {
		if key := "page.start." + s.name; p.Has(key) {
			entries = append(entries, startEntry{p.Words("page." + s.name), p.Words(key), template.URL(home + s.path)})
		}
	}
	return entries
}
