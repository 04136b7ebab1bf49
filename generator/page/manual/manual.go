// Package manual arranges documents as the pages of a manual: it defines the page and language of each file, the order
// of pages, and the targets of links.
//
//	folder := manual.Folder{Dir: "docs", Language: "en", Languages: []string{"zh-CN", "en"}}
//	name, lang, ok := folder.Place("docs/zh/posts.md") // "posts", "zh-CN"
//	m, ms := folder.Arrange(documents)                 // parsed, with these names and languages
//	m.Contents("en")                                   // the list of pages, in sections
//	manual.Path("posts")                               // docs/posts.html, in each language
//
// The path of a file defines its language and name. The language is that of the extension, as in posts.zh.md, or that
// of the topmost folder below Dir, as in zh/posts.md, or else the Language of the Folder. The rest of the path is the
// name of the page, which is the same in all languages. README.md and index.md are the page of their folder; in Dir
// they are the index. Pages linked from the index are listed in its order, under its headings of the second level. So a
// folder has the same order on a code host as on the site.
package manual

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/document"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
)

// Index is the path of the page that every manual has, relative to the folder of its language.
const Index = Root + "index.html"

// Root is the folder of the manual in the site. Pages are below it in the folder of each language; files that they show
// are below it in the site's root.
const Root = "docs/"

// Path returns the path of a page relative to the folder of its language. The name of the index is "".
func Path(name string) string {
	if name == "" {
		return Index
	}
	return Root + address.FileName(name) + ".html"
}

// Folder is the folder with the documents of a site.
type Folder struct {
	Dir       string   // relative to the site, with slashes
	Language  string   // language of files that name none
	Languages []string // of the site, the first one first
	Except    []string // patterns of files and folders below Dir that are not pages
}

// Place returns the name and the language of the page that a file becomes. ok is false if the file is not Markdown, is
// not below the folder, is excepted, or has a language that the site does not have.
func (f Folder) Place(file string) (name, lang string, ok bool) {
	rel, below := strings.CutPrefix(file, f.Dir+"/")
	stem, isMarkdown := strings.CutSuffix(rel, ".md")
	if !below || !isMarkdown || stem == "" || f.excepts(rel) {
		return "", "", false
	}
	lang = f.Language
	if top, rest, deeper := strings.Cut(stem, "/"); deeper {
		if tag, is := language(top); is {
			stem, lang = rest, tag
		}
	}
	if ending := path.Ext(stem); ending != "" {
		if tag, is := language(ending[1:]); is {
			stem, lang = strings.TrimSuffix(stem, ending), tag
		}
	}
	switch folder, last := path.Split(stem); strings.ToLower(last) {
	case "readme", "index":
		stem = strings.TrimSuffix(folder, "/")
	}
	return stem, lang, slices.Contains(f.Languages, lang)
}

// excepts reports whether a path below the folder, or a folder that contains it, is excepted.
func (f Folder) excepts(rel string) bool {
	for ; rel != "."; rel = path.Dir(rel) {
		for _, pattern := range f.Except {
			if ok, _ := path.Match(strings.TrimSuffix(pattern, "/"), rel); ok {
				return true
			}
		}
	}
	return false
}

// language returns the tag of a language as written in file names: "zh", "zh-CN".
func language(word string) (tag string, ok bool) {
	if _, region, _ := strings.Cut(word, "-"); len(word) != 2 && len(region) != 2 {
		return "", false
	}
	p, known := locale.For(word)
	return p.Lang(), known
}

// File returns the path at which a file of the folder is published for all languages. No page has such a path.
func (f Folder) File(name string) string {
	return Root + "~/" + address.FileName(strings.TrimPrefix(name, f.Dir+"/"))
}

// Page is a page of a manual in one language.
type Page struct {
	Name, Lang string
	Title      string
	Doc        *document.Document
}

// Section is a section of the list of pages.
type Section struct {
	Title string // "" for pages before the first heading, or if there are no headings
	Pages []*Page
}

// Manual is an arranged folder of documents. It is read-only.
type Manual struct {
	folder   Folder
	pages    map[string]map[string]*Page // by name and language
	contents map[string][]Section        // by language
}

// Arrange arranges documents whose Name and Lang come from Place. The messages report pages with the same path, pages
// without a title, and links to headings that do not exist.
func (f Folder) Arrange(docs []*document.Document) (*Manual, []result.Message) {
	m := &Manual{f, map[string]map[string]*Page{}, map[string][]Section{}}
	var ms []result.Message
	taken := map[string]string{} // folded path → file
	for _, d := range docs {
		p := &Page{Name: d.Name, Lang: d.Lang, Title: d.Front.Title, Doc: d}
		if p.Title == "" {
			p.Title = path.Base(d.File)
			ms = append(ms, result.Message{Pos: result.Position{File: d.File, Line: 1}, Severity: result.Warning, ID: "manual.title",
				Text: locale.Textf("the page has no title; it is called by its file"), Hint: locale.Textf("begin it with a heading: # Title")})
		}
		at := address.Fold(d.Lang + "/" + Path(d.Name))
		if other, is := taken[at]; is {
			ms = append(ms, result.Message{Pos: result.Position{File: d.File}, Severity: result.Error, ID: "manual.name",
				Text: locale.Textf("its page would be that of %s too", other), Hint: locale.Textf("rename one of them")})
			continue
		}
		taken[at] = d.File
		if m.pages[p.Name] == nil {
			m.pages[p.Name] = map[string]*Page{}
		}
		m.pages[p.Name][p.Lang] = p
	}
	for _, lang := range f.Languages {
		m.contents[lang] = m.sections(lang)
	}
	for _, d := range docs {
		ms = append(ms, m.lost(d)...)
	}
	return m, ms
}

// Empty reports whether the manual has no pages.
func (m *Manual) Empty() bool { return m == nil || len(m.pages) == 0 }

// Page returns a page in a language, nil if it does not exist.
func (m *Manual) Page(name, lang string) *Page { return m.pages[name][lang] }

// Nearest returns a page in a language, or else in the first other language that it is written in.
func (m *Manual) Nearest(name, lang string) *Page {
	if p := m.pages[name][lang]; p != nil {
		return p
	}
	for _, other := range m.folder.Languages {
		if p := m.pages[name][other]; p != nil {
			return p
		}
	}
	return nil
}

// Meant returns the page that a link to a missing translation leads to: the same page in another language, nil for
// none.
func (m *Manual) Meant(file string) *Page {
	if m == nil {
		return nil
	}
	name, lang, ok := m.folder.Place(file)
	if !ok {
		return nil
	}
	return m.Nearest(name, lang)
}

// Contents returns the list of all pages except the index for readers of a language, in sections. Pages that are not
// written in the language are listed in another.
func (m *Manual) Contents(lang string) []Section { return m.contents[lang] }

// Title returns the title of the manual in a language: that of its index, "" if there is none.
func (m *Manual) Title(lang string) string {
	if m.Empty() {
		return ""
	}
	if p := m.pages[""][lang]; p != nil {
		return p.Title
	}
	return ""
}

// Beside returns the pages before and after a page, in the order for readers of its language; nil for none.
func (m *Manual) Beside(name, lang string) (before, after *Page) {
	all := []*Page{m.Nearest("", lang)}
	for _, s := range m.contents[lang] {
		all = append(all, s.Pages...)
	}
	at := 0 // the index may be generated
	if name != "" {
		at = slices.IndexFunc(all, func(p *Page) bool { return p != nil && p.Name == name })
	}
	if at > 0 {
		before = all[at-1]
	}
	if at >= 0 && at+1 < len(all) {
		after = all[at+1]
	}
	return before, after
}

// sections orders the pages like the index of a language, or else the index of another language.
func (m *Manual) sections(lang string) []Section {
	var all []Section
	listed := map[string]bool{"": true}
	add := func(title, name string) {
		p := m.Nearest(name, lang)
		if p == nil || listed[name] {
			return
		}
		listed[name] = true
		if len(all) == 0 || all[len(all)-1].Title != title {
			all = append(all, Section{Title: title})
		}
		last := &all[len(all)-1]
		last.Pages = append(last.Pages, p)
	}
	if index := m.Nearest("", lang); index != nil {
		for _, l := range index.Doc.Links {
			file, _ := document.Local(index.Doc.File, l.Address)
			if name, _, ok := m.folder.Place(file); ok {
				add(headingOver(index.Doc, l), name)
			}
		}
	}
	var rest []string
	for name := range m.pages {
		if !listed[name] {
			rest = append(rest, name)
		}
	}
	slices.SortFunc(rest, result.NaturalCompare)
	title := ""
	if len(all) > 0 {
		p, _ := locale.For(lang)
		title = p.Words("page.manual.more")
	}
	for _, name := range rest {
		add(title, name)
	}
	return all
}

// headingOver returns the last heading of the second level before a link, "" for none.
func headingOver(d *document.Document, l *document.Link) string {
	title := ""
	for _, h := range d.Headings {
		if h.Level == 2 && h.Pos.Line < l.Pos.Line {
			title = h.Text
		}
	}
	return title
}

// lost reports links to headings that do not exist.
func (m *Manual) lost(d *document.Document) []result.Message {
	var ms []result.Message
	for _, l := range d.Links {
		to := d
		at, fragment, has := strings.Cut(l.Address, "#")
		if !has || fragment == "" {
			continue
		}
		if at != "" {
			file, _ := document.Local(d.File, l.Address)
			name, lang, ok := m.folder.Place(file)
			p := m.pages[name][lang]
			if !ok || p == nil {
				continue // missing files are reported elsewhere
			}
			to = p.Doc
		}
		if plain, err := url.PathUnescape(fragment); err == nil {
			fragment = plain
		}
		ids := places(to)
		if fragment == "" || slices.Contains(ids, fragment) {
			continue
		}
		for i := range ids {
			ids[i] = "#" + ids[i]
		}
		hint := locale.Textf("its headings are: %s", locale.Few(ids, 8))
		if near := settings.Nearest("#"+fragment, ids); near != "" {
			hint = locale.Textf("did you mean %s?", near)
		}
		ms = append(ms, result.Message{Pos: l.Pos, Severity: result.Warning, ID: "manual.link", Text: locale.Textf("%s has no heading #%s", to.File, fragment), Hint: hint})
	}
	return ms
}

// places returns the ids that links to a page may name.
func places(d *document.Document) []string {
	var ids []string
	if d.TitleID != "" {
		ids = append(ids, d.TitleID)
	}
	for _, h := range d.Headings {
		ids = append(ids, h.ID)
	}
	return ids
}
