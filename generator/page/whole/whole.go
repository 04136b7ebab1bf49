// Package whole makes the pages of a whole archive, whose parts are sites of their own: which parts there are, and of
// each model, machine and load what its runs came to in all of them, each figure with its run.
//
//	a := whole.Archive{Title: title, Languages: []string{"en"}, Census: census, Has: has}
//	err := a.Render(func(path string, data []byte) error { return write(path, data) })
//
// The pages lie above the folders of the parts, of which they link what is there. They look as those of sites do, work
// from file:// and have no scripts. None grows with the archive: what is long goes on over several pages.
package whole

import (
	"bytes"
	_ "embed"
	"html/template"

	"github.com/benchpost/benchpost/generator/census"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/visible"
)

// Archive is what the pages are made from.
type Archive struct {
	Title     locale.Text
	Author    string
	Languages []string // tags known to locale; the first is served from the root
	Census    *census.Census

	Titles map[string]map[string]locale.Text // the site's words for the values of labels, by label and value
	Orders map[string][]string               // of the values of labels that are not sorted by name

	// Has reports whether there is a file, by its path from the folder of the pages on.
	Has func(path string) bool
}

// How much is on a page, at the most.
const (
	rowsOnPage  = 60  // of figures, of which each leads to its run
	namesOnPage = 150 // of parts, models, machines or loads
	mostNamed   = 8   // models of a part
	mostPages   = 20  // that a page links
)

// What the front page has of each list: what has most runs, and the first parts.
const (
	modelsInFront = 20
	othersInFront = 12
	partsInFront  = 60
)

// Render makes all pages and hands them to emit one after the other, always in the same order. The first error of
// emit ends the work.
func (a *Archive) Render(emit func(path string, data []byte) error) error {
	var index address.Index
	all := subjectsOf(a.Census)
	for _, s := range all {
		index.Add(s.name())
	}
	for _, lang := range a.Languages {
		p, _ := locale.For(lang)
		w := &writer{Archive: a, Reader: parts.Reader{Printer: p, Titles: a.Titles}, book: index.Book(), lang: lang, subjects: all, emit: emit}
		if lang != a.Languages[0] {
			w.dir = lang + "/"
		}
		if err := w.pages(); err != nil {
			return err
		}
	}
	return nil
}

// writer makes the pages in one language.
type writer struct {
	*Archive
	parts.Reader
	book     *address.Book
	lang     string
	dir      string // of the language: "" for the first
	subjects []*subject
	emit     func(path string, data []byte) error
}

// list is a page that lists all of a kind.
type list struct {
	path string
	more string // the message that leads to it
	name string // the message that it is called by
}

// The lists, as the head of each page links them.
var (
	partsList = list{"parts/index.html", "page.parts", "whole.parts"}
	lists     = map[address.Kind]list{
		address.Models:    {"models/index.html", "page.more.models", "page.models"},
		address.Boards:    {"hardware/index.html", "whole.more.hardware", "page.hardware"},
		address.Loads:     {"loads/index.html", "whole.more.loads", "page.loads"},
		address.Scenarios: {"loads/index.html", "whole.more.loads", "page.loads"},
	}
	sections = []list{partsList, lists[address.Models], lists[address.Boards], lists[address.Loads]}
)

func (w *writer) pages() error {
	if err := w.front(); err != nil {
		return err
	}
	if err := w.listParts(); err != nil {
		return err
	}
	for _, kinds := range [][]address.Kind{{address.Models}, {address.Boards}, {address.Loads, address.Scenarios}} {
		if err := w.listSubjects(kinds); err != nil {
			return err
		}
	}
	for _, s := range w.subjects {
		if err := w.subject(s); err != nil {
			return err
		}
	}
	return nil
}

// view is what the layout of a page is given.
type view struct {
	Lang, Site, Title, Author   string
	Root, Home                  template.URL
	Skip, Nav, Paging, Colophon string
	Sections                    []link
	Elsewhere                   []link
	Trail                       *link
	Code                        string
	Sentences                   []string
	Parts                       []part
	Pages                       []link
}

// link leads to another page.
type link struct {
	Name, Lang string
	Href       template.URL
	Current    bool
}

// part is a part of a page, under a heading.
type part struct {
	Title string
	Body  template.HTML
	More  *link
}

//go:embed page.html
var layout string

var page = template.Must(template.New("page.html").Parse(layout))

// put lays out a page. Path is relative to the folder of the language; section is the list that it belongs to.
func (w *writer) put(path string, section list, v view) error {
	p := w.Printer
	root := address.Root(w.dir + path)
	home := root + w.dir
	v.Lang, v.Site, v.Author, v.Root, v.Home = w.lang, p.Say(w.Title), w.Author, template.URL(root), template.URL(home)
	v.Skip, v.Nav, v.Paging, v.Colophon = p.Words("page.skip"), p.Words("page.nav"), p.Words("page.pages"), p.Words("page.colophon")
	for _, s := range sections {
		v.Sections = append(v.Sections, link{Name: p.Words(s.name), Href: template.URL(home + s.path), Current: s == section})
	}
	for i, other := range w.Languages {
		if other == w.lang {
			continue
		}
		dir := ""
		if i > 0 {
			dir = other + "/"
		}
		printer, _ := locale.For(other)
		v.Elsewhere = append(v.Elsewhere, link{Name: printer.Name(), Lang: other, Href: template.URL(root + dir + address.Escape(path))})
	}
	var b bytes.Buffer
	if err := page.Execute(&b, v); err != nil {
		return err
	}
	return w.emit(w.dir+path, visible.Bytes(b.Bytes()))
}

// paged lays out the pages of what goes on over several: each has its parts.
func (w *writer) paged(path string, section list, pages int, v view, on func(i int, root string) []part) error {
	for i := range max(1, pages) {
		at, here := address.Page(path, i), v
		here.Parts = on(i, address.Root(w.dir+at))
		here.Pages = pageLinks(pages, i, func(n int) string { return address.Root(at) + address.Escape(address.Page(path, n)) })
		if i > 0 {
			here.Title = w.Printer.Words("whole.page", v.Title, i+1, pages)
		}
		if err := w.put(at, section, here); err != nil {
			return err
		}
	}
	return nil
}
