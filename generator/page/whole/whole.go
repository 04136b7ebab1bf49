// Package whole makes the pages of an archive whose parts are sites of their own: the list of parts, and for each
// model, machine and load a summary of its runs in all parts, with the run of each figure.
//
//	a := whole.Archive{Title: title, Languages: []string{"en"}, Census: census, Has: has}
//	err := a.Render(func(path string, data []byte) error { return write(path, data) })
//
// The pages are above the folders of the parts, and link to those pages of the parts that exist. They look like the
// pages of sites, work from file:// and have no scripts. Their size does not grow with the archive: long lists have
// several pages.
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

// Archive is the input for the pages.
type Archive struct {
	Title     locale.Text
	Author    string
	Languages []string // tags known to locale; the first is served from the root
	Census    *census.Census

	Titles map[string]map[string]locale.Text // the site's titles of label values, by label and value
	Orders map[string][]string               // order of label values that are not sorted by name

	// Has reports whether a file exists, given its path relative to the folder of the pages.
	Has func(path string) bool
}

// Maximum numbers of items on a page.
const (
	rowsOnPage  = 60  // rows of figures, each with links to runs
	namesOnPage = 150 // parts, models, machines or loads
	mostNamed   = 8   // named models of a part
	mostPages   = 20  // links to other pages of a list
)

// Maximum numbers of items on the front page: those with the most runs, and the first parts.
const (
	modelsInFront = 20
	othersInFront = 12
	partsInFront  = 60
)

// Render makes all pages and passes them to emit one after the other, always in the same order. It stops at the first
// error of emit.
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
	dir      string // folder of the language: "" for the first
	subjects []*subject
	emit     func(path string, data []byte) error
}

// list is a page that lists everything of a kind.
type list struct {
	path string
	more string // message of the link to it
	name string // message of its title
}

// The lists, in the order of the links at the head of each page.
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

// view is the data of the layout.
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

// link is a link to another page.
type link struct {
	Name, Lang string
	Href       template.URL
	Current    bool
}

// part is a part of a page with a heading.
type part struct {
	Title string
	Body  template.HTML
	More  *link
}

//go:embed page.html
var layout string

var page = template.Must(template.New("page.html").Parse(layout))

// put lays out a page. path is relative to the folder of the language; section is the list that contains the page.
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

// paged makes the pages of a list that may need several. on returns the parts of a page.
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
